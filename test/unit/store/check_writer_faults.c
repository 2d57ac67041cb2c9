/* check_writer_faults.c -- every allocation, thread and lock of the store can fail: nothing leaks
 * (the sanitizers see that), nothing hangs, every item is freed, and a failure is told. */
#include "fixture.h"
#include "support/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 3 };

static const char *const outputs[] = {"out.jsonl",   "out.csv", "out.db",
                                      "out.warc.gz", "out.dot", "out.graphml"};
enum { FORMATS = sizeof outputs / sizeof *outputs };

static char *dir;

static void setup(void)
{
    dir = fixture_dir();
}

static void teardown(void)
{
    fixture_remove(dir);
}

/* A record that takes every path: text to be cleaned, links, rows, an exchange, a body. */
static struct weft_record rich_record(int i)
{
    static const char *const urls[] = {"http://a.example/\xff", "http://a.example/a",
                                       "http://a.example/a/b"};
    static const struct weft_record_field fields[] = {{"x", "caf\xe9"}, {"y", NULL}};
    static const char request[] = "GET / HTTP/1.1\r\n\r\n";
    static const char answer[] = "HTTP/1.1 200 OK\r\n\r\nbody";
    struct weft_record r = fixture_record(urls[i]);
    r.title = "line\xe2\x80\xa8separator \xff";
    r.fields = fields;
    r.nrows = 1;
    r.nselect = 2;
    r.wire_request = request;
    r.wire_request_len = sizeof request - 1;
    r.wire_answer = answer;
    r.wire_answer_len = sizeof answer - 1;
    return r;
}

struct result {
    enum weft_status opened, put, closed;
    bool hit; /* a fault was delivered */
    char error[512];
};

/* One whole life of a writer, with items that exist before the faults begin. Nothing in here may
 * allocate but the code under test. */
static struct result live(const char *const *paths, const char *save_dir,
                          enum weft_output_mode mode, void (*arm)(long), long n)
{
    static const char *const names[] = {"x", "y", NULL};
    struct result r = {.put = WEFT_OK, .closed = WEFT_OK};
    struct weft_item *items[RECORDS];
    atomic_int freed = 0;
    struct weft_writer *w;
    struct weft_writer_options options = {
        .paths = paths, .mode = mode, .select_names = names, .save_dir = save_dir};
    for (int i = 0; i < RECORDS; i++) {
        struct weft_record record = rich_record(i);
        items[i] = fixture_item(&record, &freed);
    }
    arm(n);
    r.opened = weft_writer_new(&w, &options, r.error, sizeof r.error);
    for (int i = 0; i < RECORDS; i++) {
        if (r.opened != WEFT_OK) {
            items[i]->free(items[i]);
        } else if (weft_writer_put(w, items[i]) != WEFT_OK) {
            r.put = WEFT_EIO;
        }
    }
    if (r.opened == WEFT_OK) {
        r.closed = weft_writer_close(w, NULL, r.error, sizeof r.error);
    }
    r.hit = faults_hit();
    arm(0);
    ck_assert_int_eq(atomic_load(&freed), RECORDS);
    if (r.opened != WEFT_OK || r.closed != WEFT_OK) {
        ck_assert(r.hit);
        ck_assert_str_ne(r.error, "");
    }
    ck_assert(r.put == WEFT_OK || r.closed == WEFT_EIO);
    return r;
}

/* Lives through the first fault, the second, and so on, until there is none left. */
static void until_no_fault(const char *const *paths, const char *save_dir,
                           enum weft_output_mode mode, void (*arm)(long))
{
    bool hit = true;
    for (long n = 1; hit; n++) {
        ck_assert_int_lt(n, 10000);
        struct result r = live(paths, save_dir, mode, arm, n);
        hit = r.hit;
        if (!hit) {
            ck_assert_int_eq(r.opened, WEFT_OK);
            ck_assert_int_eq(r.closed, WEFT_OK);
        }
    }
}

START_TEST(an_allocation_fails_in_each_format)
{
    char *path = fixture_path(dir, outputs[_i]);
    const char *paths[] = {path, NULL};
    until_no_fault(paths, NULL, WEFT_OUTPUT_OVERWRITE, faults_alloc_at);
    until_no_fault(paths, NULL, WEFT_OUTPUT_OVERWRITE, faults_alloc_from);
    free(path);
}
END_TEST

/* With something to mend: a torn end where the format can have one. */
START_TEST(an_allocation_fails_while_appending)
{
    char *path = fixture_path(dir, outputs[_i]);
    const char *paths[] = {path, NULL};
    bool hit = true;
    size_t len;
    struct result r = live(paths, NULL, WEFT_OUTPUT_NEW, faults_alloc_at, 0);
    ck_assert_int_eq(r.closed, WEFT_OK);
    char *bytes = fixture_read(path, &len);
    size_t torn = strstr(path, ".db") ? len : len - 3;
    for (long n = 1; hit; n++) {
        fixture_write(path, bytes, torn);
        r = live(paths, NULL, WEFT_OUTPUT_APPEND, faults_alloc_at, n);
        hit = r.hit;
    }
    ck_assert_int_eq(r.closed, WEFT_OK);
    free(bytes);
    free(path);
}
END_TEST

START_TEST(an_allocation_fails_while_saving)
{
    char *path = fixture_path(dir, "site");
    until_no_fault(NULL, path, WEFT_OUTPUT_NEW, faults_alloc_at);
    free(path);
}
END_TEST

START_TEST(one_of_several_outputs_fails)
{
    char *paths[FORMATS + 1] = {NULL};
    for (int i = 0; i < FORMATS; i++) {
        paths[i] = fixture_path(dir, outputs[i]);
    }
    until_no_fault((const char *const *)paths, NULL, WEFT_OUTPUT_OVERWRITE, faults_alloc_at);
    for (int i = 0; i < FORMATS; i++) {
        free(paths[i]);
    }
}
END_TEST

/* What could not be opened for want of memory leaves no file behind. */
START_TEST(no_file_is_left_by_a_failed_start)
{
    char *path = fixture_path(dir, outputs[_i]);
    const char *paths[] = {path, NULL};
    bool hit = true;
    for (long n = 1; hit; n++) {
        struct result r = live(paths, NULL, WEFT_OUTPUT_NEW, faults_alloc_at, n);
        hit = r.hit;
        ck_assert(r.opened == WEFT_OK || access(path, F_OK) != 0);
        unlink(path);
    }
    free(path);
}
END_TEST

START_TEST(no_thread_is_to_be_had)
{
    char *path = fixture_path(dir, "out.jsonl");
    const char *paths[] = {path, NULL};
    struct result r = live(paths, NULL, WEFT_OUTPUT_NEW, faults_thread_at, 1);
    ck_assert_int_eq(r.opened, WEFT_EAGAIN);
    ck_assert_str_eq(r.error, "can't start the writer: no thread to be had");
    ck_assert_int_ne(access(path, F_OK), 0);
    free(path);
}
END_TEST

START_TEST(a_lock_is_not_to_be_had)
{
    char *path = fixture_path(dir, "out.jsonl");
    const char *paths[] = {path, NULL};
    until_no_fault(paths, NULL, WEFT_OUTPUT_OVERWRITE, faults_init_at);
    free(path);
}
END_TEST

START_TEST(waits_that_end_for_nothing_change_nothing)
{
    enum { N = 300 };
    char error[256];
    atomic_int freed = 0;
    char *path = fixture_path(dir, "out.db");
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths, .queue_max = 2};
    struct weft_record r = rich_record(0);
    struct weft_writer *w;
    faults_spurious(true);
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, &freed)), WEFT_OK);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    faults_spurious(false);
    ck_assert_int_eq(atomic_load(&freed), N);
    free(path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, an_allocation_fails_in_each_format, 0, FORMATS);
    tcase_add_loop_test(tc, an_allocation_fails_while_appending, 0, FORMATS);
    tcase_add_test(tc, an_allocation_fails_while_saving);
    tcase_add_test(tc, one_of_several_outputs_fails);
    tcase_add_loop_test(tc, no_file_is_left_by_a_failed_start, 0, FORMATS);
    tcase_add_test(tc, no_thread_is_to_be_had);
    tcase_add_test(tc, a_lock_is_not_to_be_had);
    tcase_add_test(tc, waits_that_end_for_nothing_change_nothing);
    return suite_run("store: writer faults", tc);
}
