/* check_real_run_faults.c -- real runs of the page in which the n-th allocation, thread or lock
 * fails: each ends, says how in its last event, and the next one can start. */
#include "base/limits.h"
#include "cli/real_run.h"
#include "cli/real_runs.h"
#include "support/eventually.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char site[] = "/tmp/weft-run-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", site, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void set_up(void)
{
    strcpy(site + strlen(site) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(site));
    write_file("index.html", "<a href=a.html>a</a> <a href=\"b%22c.html\">b</a>");
    write_file("a.html", "<title>a</title>");
}

static void tear_down(void)
{
    char path[64];
    for (const char *const *name = (const char *const[]){"index.html", "a.html", NULL}; *name;
         name++) {
        snprintf(path, sizeof path, "%s/%s", site, *name);
        unlink(path);
    }
    rmdir(site);
}

static void no_call(void *user)
{
    (void)user;
}

/* Everything that log tells, which has ended, in text. */
static void read_log(struct weft_page_log *log, char *text, size_t cap)
{
    struct weft_page_reader r;
    size_t len = 0;
    ssize_t n;
    weft_page_reader_init(&r, log, no_call, no_call, NULL);
    while ((n = weft_page_reader_read(&r, text + len, cap - 1 - len)) > 0) {
        len += (size_t)n;
    }
    text[len] = '\0';
    weft_page_reader_release(&r);
}

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    for (; (text = strstr(text, word)); text++) {
        n++;
    }
    return n;
}

static void add_one(void *user)
{
    ++*(unsigned *)user;
}

/* What a run came to. Nothing is asserted while faults are on. */
struct outcome {
    enum weft_status status; /* of making it */
    unsigned overs;
    char text[8192];
};

static void run_once(struct outcome *o, enum weft_page_engine engine, const char *folder,
                     bool stopped)
{
    const struct weft_page_ask ask = {engine, 2, 0};
    struct cli_real_run *r;
    o->overs = 0;
    o->text[0] = '\0';
    o->status = cli_real_run_new(&r, &ask, folder);
    if (o->status != WEFT_OK) {
        return;
    }
    if (stopped) {
        cli_real_run_stop(r);
    }
    cli_real_run_go(r, add_one, &o->overs);
    read_log(cli_real_run_log(r), o->text, sizeof o->text);
    cli_real_run_free(r);
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), n = strlen(end);
    return len >= n && strcmp(text + len - n, end) == 0;
}

START_TEST(a_run_tells_all_of_itself)
{
    static struct outcome o;
    run_once(&o, (enum weft_page_engine)_i, site, false);
    ck_assert_uint_eq(o.overs, 1);
    ck_assert_msg(count(o.text, "event: begin\n") == 4, "%s", o.text);
    ck_assert_uint_eq(count(o.text, "event: end\n"), 4);
    ck_assert_ptr_nonnull(strstr(o.text, "\"path\":\"/b%22c.html\""));
    ck_assert_uint_eq(count(o.text, "\"status\":404,\"outcome\":\"failed\""), 2); /* and robots */
    ck_assert_uint_eq(count(o.text, "\"status\":200,\"outcome\":\"fetched\""), 2);
    ck_assert_ptr_nonnull(strstr(o.text, "event: done\ndata: {\"pages\":2,\"errors\":1,"));
    ck_assert(ends_with(o.text, "}\n\n"));
    char start[80];
    snprintf(start, sizeof start,
             "event: start\ndata: {\"engine\":\"%s\",\"jobs\":%d,\"delay_ms\":0}\n\n",
             weft_page_engine_name((enum weft_page_engine)_i), _i == WEFT_PAGE_SYNC ? 1 : 2);
    ck_assert_msg(strncmp(o.text, start, strlen(start)) == 0, "%s", o.text);
}
END_TEST

START_TEST(a_run_that_can_not_be_says_why)
{
    static struct outcome o;
    run_once(&o, WEFT_PAGE_THREADS, "/nowhere/at \"all\"\n", false);
    ck_assert_str_eq(o.text, "event: failed\ndata: {\"error\":\"/nowhere/at ?all??: "
                             "No such file or directory\"}\n\n");
    run_once(&o, WEFT_PAGE_EVENTS, site, true);
    ck_assert_msg(ends_with(o.text, "event: failed\ndata: {\"error\":\"the run was stopped\"}\n\n"),
                  "%s", o.text);
    ck_assert_uint_eq(count(o.text, "event: begin\n"), count(o.text, "event: end\n"));
    ck_assert_uint_eq(o.overs, 1);
}
END_TEST

START_TEST(the_nth_allocation_fails)
{
    static struct outcome o;
    bool hit = true;
    unsigned failures = 0;
    const long stride = faults_stride();
    long n = 1 + _i % stride - stride;
    while (hit) {
        faults_alloc_at(n += stride);
        run_once(&o, (enum weft_page_engine)_i, site, false);
        hit = faults_hit();
        faults_alloc_at(0);
        bool done = strstr(o.text, "event: done\n") != NULL;
        bool failed = strstr(o.text, "event: failed\n") != NULL;
        failures += failed;
        if (o.status == WEFT_OK) {
            ck_assert_msg(done != failed || (hit && !*o.text), "allocation %ld: %s", n, o.text);
            ck_assert_uint_eq(o.overs, 1);
        }
        ck_assert(hit || done);
        ck_assert_int_lt(n, 3000);
    }
    ck_assert_uint_ge(failures, 3);
}
END_TEST

START_TEST(the_nth_thread_or_lock_fails)
{
    static struct outcome o;
    bool hit = true;
    for (long n = 1; hit; n++) {
        faults_thread_at(n);
        run_once(&o, WEFT_PAGE_THREADS, site, false);
        hit = faults_hit();
        faults_thread_at(0);
        ck_assert_ptr_nonnull(strstr(o.text, hit ? "event: failed\n" : "event: done\n"));
    }
    hit = true;
    for (long n = 1; hit; n++) {
        faults_init_at(n);
        run_once(&o, WEFT_PAGE_THREADS, site, false);
        hit = faults_hit();
        faults_init_at(0);
        ck_assert(o.status == WEFT_ENOMEM ||
                  strstr(o.text, hit ? "event: failed\n" : "event: done\n"));
    }
}
END_TEST

/* ---- one after another ---- */

struct heard {
    struct weft_page_log *log;
    char text[8192];
};

/* Whether a log has ended: it is looked at again and again, by readers that leave at once. */
static bool has_ended(void *user)
{
    struct heard *h = user;
    read_log(h->log, h->text, sizeof h->text);
    return strstr(h->text, "event: done\n") || strstr(h->text, "event: failed\n");
}

START_TEST(runs_follow_one_another_and_a_failed_start_does_no_harm)
{
    static struct heard h;
    const struct weft_page_ask ask = {WEFT_PAGE_THREADS, 2, 0};
    struct cli_real_runs *r;
    char error[256];
    unsigned number;
    ck_assert_int_eq(cli_real_runs_new(&r, site), WEFT_OK);
    struct weft_page_runs face = cli_real_runs_face(r);
    ck_assert_ptr_null(face.log(face.user, 0));
    ck_assert(!face.stop(face.user, 0));
    for (unsigned n = 1; n <= 3; n++) {
        ck_assert_msg(face.start(face.user, &ask, &number, error, sizeof error) == WEFT_OK, "%s",
                      error);
        ck_assert_uint_eq(number, n);
        h.log = face.log(face.user, n);
        ck_assert(eventually(has_ended, &h, weft_in_ms(30000)));
        weft_page_log_release(h.log);
        ck_assert_ptr_null(face.log(face.user, n - 1));
        ck_assert(face.stop(face.user, n)); /* it is over: nothing happens */
        faults_thread_at(1);
        enum weft_status st = face.start(face.user, &ask, &number, error, sizeof error);
        faults_thread_at(0);
        ck_assert_int_eq(st, WEFT_ENOMEM);
        h.log = face.log(face.user, n); /* the one before is still there */
        ck_assert_ptr_nonnull(h.log);
        weft_page_log_release(h.log);
    }
    cli_real_runs_close(r);
    ck_assert_int_eq(face.start(face.user, &ask, &number, error, sizeof error), WEFT_ECLOSED);
    cli_real_runs_free(r);
}
END_TEST

START_TEST(a_close_ends_the_run)
{
    static struct heard h;
    const struct weft_page_ask ask = {(enum weft_page_engine)_i, 2, WEFT_PAGE_MAX_DELAY_MS};
    struct cli_real_runs *r;
    char error[256];
    unsigned number;
    ck_assert_int_eq(cli_real_runs_new(&r, site), WEFT_OK);
    struct weft_page_runs face = cli_real_runs_face(r);
    ck_assert_int_eq(face.start(face.user, &ask, &number, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(face.start(face.user, &ask, &number, error, sizeof error), WEFT_EAGAIN);
    h.log = face.log(face.user, 1);
    cli_real_runs_close(r);
    ck_assert(has_ended(&h));
    ck_assert_ptr_nonnull(strstr(h.text, "the run was stopped"));
    weft_page_log_release(h.log);
    cli_real_runs_close(r);
    cli_real_runs_free(r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("real runs");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, a_run_tells_all_of_itself, 0, 3);
    tcase_add_test(tc, a_run_that_can_not_be_says_why);
    tcase_add_loop_test(tc, the_nth_allocation_fails, 0, 3);
    tcase_add_test(tc, the_nth_thread_or_lock_fails);
    tcase_add_test(tc, runs_follow_one_another_and_a_failed_start_does_no_harm);
    tcase_add_loop_test(tc, a_close_ends_the_run, 0, 3);
    return suite_run("cli: real runs", tc);
}
