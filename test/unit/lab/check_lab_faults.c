/* check_lab_faults.c -- memory, locks and threads that can't be had: a start fails cleanly or the
 * server works, one request may be lost, and nothing hangs or leaks. */
#include "lab_client.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct weft_lab_options with_files = {.dir = "sample_site", .nports = 2};

/* What a start came to. Check itself allocates, so nothing is asserted while a fault is armed. */
struct outcome {
    struct weft_lab *lab;
    enum weft_status status;
    char error[256];
    bool hit; /* a fault was delivered */
};

static struct outcome start_with(void (*arm)(long), long n)
{
    struct outcome o;
    arm(n);
    o.status = weft_lab_start(&o.lab, &with_files, o.error, sizeof o.error);
    o.hit = faults_hit();
    arm(0);
    return o;
}

/* Whether it failed, as expected; a server that was started is stopped again. */
static bool failed(struct outcome *o, enum weft_status expected)
{
    if (o->status == WEFT_OK) {
        ck_assert_str_eq(o->error, "");
        weft_lab_stop(o->lab);
        return false;
    }
    ck_assert_int_eq(o->status, expected);
    ck_assert_ptr_null(o->lab);
    ck_assert_str_ne(o->error, "");
    return true;
}

START_TEST(a_start_without_memory_fails_in_words)
{
    unsigned failures = 0;
    for (long n = 1;; n++) {
        struct outcome o = start_with(faults_alloc_at, n);
        failures += failed(&o, WEFT_ENOMEM);
        if (!o.hit) {
            break;
        }
    }
    ck_assert_uint_ge(failures, 3); /* the server, the routes' text and their list */
}
END_TEST

START_TEST(a_start_without_locks_or_threads_fails_in_words)
{
    for (long n = 1; n <= 2; n++) { /* the counters' lock, and the moody pages' */
        struct outcome o = start_with(faults_init_at, n);
        ck_assert(o.hit);
        ck_assert(failed(&o, WEFT_ENOMEM));
    }
    struct outcome o = start_with(faults_thread_at, 1);
    ck_assert(o.hit);
    ck_assert(failed(&o, WEFT_EAGAIN));
    o = start_with(faults_thread_at, 0);
    ck_assert(!failed(&o, WEFT_OK));
}
END_TEST

static const char *const targets[] = {
    "/",
    "/slow.html",
    "/nothing",
    "/lab",
    "/gen/pages=10/3.html",
    "/gen/?pages=4",
    "/shop/",
    "/shop/crime/",
    "/slow?ms=1",
    "/flaky?fail=1",
    "/limited/1?rate=5",
    "/redirect/2",
    "/status/503?retry-after=7",
    "/drip?n=3&every=1&size=10",
    "/big?size=10",
    "/truncated",
    "/stats?paths=5",
    "/stats?format=html",
};

/* Without memory a request may end without an answer, or with one that is not whole; the next one
 * is served. */
START_TEST(a_request_without_memory_harms_no_other)
{
    const char *target = targets[_i];
    struct weft_lab *l = lab_with(&with_files);
    long n = 1;
    for (;; n++) {
        char request[200] = "GET ";
        int fd = dial(l);
        strcat(strcat(request, target),
               " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        static char c[65536];
        faults_alloc_at(n);
        ssize_t got = send(fd, request, strlen(request), MSG_NOSIGNAL);
        while (got > 0) {
            got = recv(fd, c, sizeof c, 0);
        }
        bool hit = faults_hit();
        faults_alloc_at(0);
        close(fd);
        if (!hit) {
            break;
        }
        ck_assert_int_lt(n, 900);
    }
    ck_assert_int_gt(n, 1); /* at least the request itself is allocated */
    ck_assert_int_eq(status_of(l, "/shop/"), 200);
    struct weft_lab_stats s;
    weft_lab_get_stats(l, &s);
    ck_assert_uint_eq(s.in_flight, 0);
    weft_lab_stop(l);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_start_without_memory_fails_in_words);
    tcase_add_test(tc, a_start_without_locks_or_threads_fails_in_words);
    tcase_add_loop_test(tc, a_request_without_memory_harms_no_other, 0,
                        sizeof targets / sizeof *targets);
    return suite_run("lab: faults", tc);
}
