/* check_engine_faults.c -- whole crawls over the network, by every engine, in which the n-th
 * allocation, thread or lock fails, for every n until none does: each comes to an end, says so,
 * leaks nothing and records nothing twice. The server runs in a process of its own, whose
 * allocations don't fail. */
#include "crawled.h"
#include "lab/lab.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 5000, NRECORDS = 16 };

static char base[128];
static pid_t server;

/* Starts the lab in a child, which ends with this process at the latest. */
static void set_up(void)
{
    int tell[2];
    char error[256];
    ck_assert_int_eq(pipe(tell), 0);
    server = fork();
    if (server == 0) {
        struct weft_lab *lab;
        if (weft_lab_start(&lab, &(struct weft_lab_options){0}, error, sizeof error) == WEFT_OK) {
            const char *url = weft_lab_url(lab, 0);
            ssize_t n = write(tell[1], url, strlen(url));
            (void)n; /* the parent will notice */
        }
        close(tell[1]);
        for (;;) {
            pause();
        }
    }
    close(tell[1]);
    ssize_t n = read(tell[0], base, sizeof base - 1);
    ck_assert_int_gt((int)n, 0);
    base[n] = '\0';
    close(tell[0]);
}

static void tear_down(void)
{
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
}

static void count_record(void *user, const struct weft_record *r)
{
    unsigned *n = user;
    *n += r->url != NULL;
}

/* Check's assertions allocate, so nothing is asserted while faults are on. */
struct outcome {
    enum weft_status status;
    bool sane; /* what must hold whether it failed or not */
    unsigned nrecords;
};

static struct outcome crawl_once(const struct variant *v, const char *output)
{
    static const char *const seeds[] = {"/gen/pages=9,size=1500,links=5/0.html",
                                        "/redirect/2",
                                        "/flaky?fail=1",
                                        "/status/404",
                                        "/big?size=20K",
                                        "/missing",
                                        NULL};
    const char *const outputs[] = {output, NULL};
    struct outcome out = {.sane = true};
    struct weft_crawl_options o = {.engine = v->engine,
                                   .parse_jobs = v->parse_jobs,
                                   .jobs = 3,
                                   .retry_base = 1,
                                   .max_retry_after = 1,
                                   .has_max_depth = true,
                                   .max_depth = 9,
                                   .seed = 42,
                                   .outputs = outputs,
                                   .overwrite = true,
                                   .user = &out.nrecords,
                                   .on_record = count_record};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    char error[256] = "", url[256];
    out.status = weft_crawl_new(&c, &o, error, sizeof error);
    if (out.status != WEFT_OK) {
        out.sane = !c && *error;
        return out;
    }
    for (int i = 0; seeds[i] && out.status == WEFT_OK; i++) {
        int len = snprintf(url, sizeof url, "%s%s", base, seeds[i]);
        out.status = weft_crawl_add(c, url, (size_t)len);
    }
    if (out.status == WEFT_OK) {
        out.status = weft_crawl_run(c, &report);
        out.sane = out.status == WEFT_OK || report.end == WEFT_END_FAILED ||
                   report.end == WEFT_END_OUTPUT;
    }
    weft_crawl_free(c);
    out.sane = out.sane && out.nrecords <= NRECORDS;
    return out;
}

static char output[64];

static void name_output(void)
{
    char folder[] = "/tmp/weft-faults-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(output, sizeof output, "%s/out.jsonl", folder);
}

static void drop_output(void)
{
    unlink(output);
    *strrchr(output, '/') = '\0';
    rmdir(output);
}

START_TEST(the_nth_allocation_fails)
{
    bool hit = true;
    const long stride = faults_stride();
    long n = 1 + _i % stride - stride; /* the variants share the work if there are gaps */
    name_output();
    while (hit) {
        faults_alloc_at(n += stride);
        struct outcome out = crawl_once(&variants[_i], output);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_msg(out.sane, "allocation %ld: status %d, %u records", n, (int)out.status,
                      out.nrecords);
        ck_assert(hit || (out.status == WEFT_OK && out.nrecords == NRECORDS));
        ck_assert_int_lt(n, MOST);
    }
    ck_assert_int_gt(n, 200); /* there was something to fail */
    drop_output();
}
END_TEST

/* Memory that has run out stays so. */
START_TEST(every_allocation_from_the_nth_on_fails)
{
    bool hit = true;
    name_output();
    for (long n = 1; hit; n += 7 * faults_stride()) {
        faults_alloc_from(n);
        struct outcome out = crawl_once(&variants[_i], output);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_msg(out.sane, "allocation %ld: status %d", n, (int)out.status);
        ck_assert_int_lt(n, MOST);
    }
    drop_output();
}
END_TEST

START_TEST(the_nth_thread_or_lock_fails)
{
    bool hit = true;
    name_output();
    for (long n = 1; hit; n++) {
        faults_thread_at(n);
        struct outcome out = crawl_once(&variants[_i], output);
        hit = faults_hit();
        faults_thread_at(0);
        ck_assert(out.sane);
        ck_assert_int_eq(out.status, hit ? WEFT_EAGAIN : WEFT_OK);
    }
    hit = true;
    for (long n = 1; hit; n++) {
        faults_init_at(n);
        struct outcome out = crawl_once(&variants[_i], output);
        hit = faults_hit();
        faults_init_at(0);
        ck_assert(out.sane);
        /* A page that can't be handed over is read on the loop. */
        bool goes_on = !hit || (variants[_i].parse_jobs && out.status == WEFT_OK);
        ck_assert_int_eq(out.status, goes_on ? WEFT_OK : WEFT_ENOMEM);
    }
    drop_output();
}
END_TEST

START_TEST(waits_that_wake_for_nothing_change_nothing)
{
    name_output();
    faults_spurious(true);
    for (int i = 0; i < 5; i++) {
        struct outcome out = crawl_once(&variants[_i], output);
        ck_assert(out.sane);
        ck_assert_int_eq(out.status, WEFT_OK);
        ck_assert_uint_eq(out.nrecords, NRECORDS);
    }
    faults_spurious(false);
    drop_output();
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 300);
    tcase_add_unchecked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, the_nth_allocation_fails, 0, NVARIANTS);
    tcase_add_loop_test(tc, every_allocation_from_the_nth_on_fails, 0, NVARIANTS);
    tcase_add_loop_test(tc, the_nth_thread_or_lock_fails, 0, NVARIANTS);
    tcase_add_loop_test(tc, waits_that_wake_for_nothing_change_nothing, 0, NVARIANTS);
    return suite_run("cli: engines without memory, threads or locks", tc);
}
