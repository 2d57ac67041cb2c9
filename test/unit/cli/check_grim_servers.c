/* check_grim_servers.c -- crawls of servers that refuse everything, reset or say nothing, or die in
 * the middle: every engine comes to the end, with a record for each URL that says why. */
#include "crawled.h"
#include "grim.h"
#include "lab/lab.h"
#include "support/eventually.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

enum { N = 12 };

static const char *const seeds[N + 1] = {"/",  "/1", "/2", "/3", "/4", "/5", "/6",
                                         "/7", "/8", "/9", "/a", "/b", NULL};

#define EMPTY "Content-Length: 0\r\nConnection: close\r\n\r\n"

/* One kind of server: what becomes of each URL, and how many requests there may be. */
static const struct grim_case {
    enum grim_mood mood;
    const char *answer;
    bool ignore_robots;
    int host_failures; /* 0: 20 */
    enum weft_reason reason, or_reason;
    unsigned least, most; /* requests */
} cases[] = {
    /* Every URL is asked three times... */
    {GRIM_ANSWERS, "HTTP/1.1 429 Slow Down\r\n" EMPTY, true, -1, WEFT_REASON_HTTP_STATUS, 0, 36,
     36},
    {GRIM_ANSWERS, "HTTP/1.1 503 No\r\n" EMPTY, true, -1, WEFT_REASON_HTTP_STATUS, 0, 36, 36},
    {GRIM_RESETS, NULL, true, -1, WEFT_REASON_CONNECTION, 0, 36, 36},
    /* ... unless the host is given up before; as many again may be in flight by then. */
    {GRIM_ANSWERS, "HTTP/1.1 429 Slow Down\r\n" EMPTY, true, 0, WEFT_REASON_HTTP_STATUS,
     WEFT_REASON_HOST, 20, 28},
    {GRIM_ANSWERS, "HTTP/1.1 503 No\r\n" EMPTY, true, 0, WEFT_REASON_HTTP_STATUS, WEFT_REASON_HOST,
     20, 28},
    {GRIM_RESETS, NULL, true, 0, WEFT_REASON_CONNECTION, WEFT_REASON_HOST, 20, 28},
    {GRIM_IS_SILENT, NULL, true, 5, WEFT_REASON_TIMEOUT, WEFT_REASON_HOST, 5, 13},
    /* A longer Retry-After than is obeyed: each URL fails at once, the host is not hammered. */
    {GRIM_ANSWERS, "HTTP/1.1 503 No\r\nRetry-After: 3600\r\n" EMPTY, true, -1,
     WEFT_REASON_HTTP_STATUS, 0, 12, 12},
    /* robots.txt first: 429 is "there is none" after three tries, 503 is "nothing is allowed". */
    {GRIM_ANSWERS, "HTTP/1.1 429 Slow Down\r\n" EMPTY, false, -1, WEFT_REASON_HTTP_STATUS, 0, 39,
     39},
    {GRIM_ANSWERS, "HTTP/1.1 503 No\r\n" EMPTY, false, -1, WEFT_REASON_ROBOTS, 0, 3, 3},
    {GRIM_RESETS, NULL, false, -1, WEFT_REASON_CONNECTION, 0, 3, 3},
    {GRIM_IS_SILENT, NULL, false, -1, WEFT_REASON_TIMEOUT, 0, 3, 3},
    {GRIM_ANSWERS, "SSH-2.0-OpenSSH_9.2\r\n", false, -1, WEFT_REASON_ROBOTS, 0, 1, 1},
};
enum { NCASES = sizeof cases / sizeof cases[0] };

/* What a server has been sent, and what is to come at least: one on a busy machine may read a
 * request after the crawler has given it up. */
struct sent {
    const struct grim *server;
    unsigned least;
};

static bool has_come(void *arg)
{
    const struct sent *s = arg;
    return atomic_load(&s->server->requests) >= s->least;
}

START_TEST(a_server_that_refuses_everything_is_told_of_and_left)
{
    const struct grim_case *g = &cases[_i / NVARIANTS];
    weft_time patience = g->mood == GRIM_IS_SILENT ? 60 * WEFT_MS : 60 * WEFT_SECOND;
    struct weft_crawl_options o = {.jobs = 8,
                                   .ignore_robots = g->ignore_robots,
                                   .host_failures = g->host_failures,
                                   .retry_base = WEFT_MS,
                                   .max_retry_after = 4 * WEFT_MS,
                                   .net = {.read_timeout = patience}};
    struct grim server;
    struct crawled c;
    grim_start(&server, g->mood, g->answer);
    crawled_init(&c, server.url);
    crawled_run(&c, o, &variants[_i % NVARIANTS], seeds);
    ck_assert_int_eq(c.report.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(c.report.left, 0);
    ck_assert_uint_eq(c.report.fetched, 0);
    ck_assert_uint_eq(c.report.seeds_failed, N);
    const uint64_t *counts = g->reason == WEFT_REASON_ROBOTS ? c.report.skipped : c.report.failed;
    ck_assert_uint_ge(counts[g->reason], 1);
    ck_assert_uint_eq(counts[g->reason] + (g->or_reason ? counts[g->or_reason] : 0), N);
    for (int i = 0; i < N; i++) {
        ck_assert_int_gt((int)strlen(crawled_line(&c, seeds[i])), 0);
    }
    struct sent sent = {&server, g->least};
    ck_assert(eventually(has_come, &sent, weft_now() + 30 * WEFT_SECOND));
    ck_assert_uint_le(atomic_load(&server.requests), g->most);
    ck_assert((g->or_reason == WEFT_REASON_HOST) == (strstr(c.log, "given up") != NULL));
    crawled_release(&c);
    grim_stop(&server);
}
END_TEST

/* The server is gone when so many pages are in. */
static void stop_server(struct crawled *c, const struct weft_record *r)
{
    struct weft_lab **lab = c->user;
    (void)r;
    if (c->n == 30) {
        weft_lab_stop(*lab);
        *lab = NULL;
    }
}

START_TEST(a_server_that_dies_leaves_failures_and_no_hang)
{
    struct weft_crawl_options o = {
        .jobs = 8, .retry_base = WEFT_MS, .host_failures = _i / NVARIANTS ? -1 : 0};
    struct weft_lab *lab;
    struct crawled c;
    char error[256], base[64];
    ck_assert_int_eq(weft_lab_start(&lab, &(struct weft_lab_options){0}, error, sizeof error),
                     WEFT_OK);
    snprintf(base, sizeof base, "%s", weft_lab_url(lab, 0));
    crawled_init(&c, base);
    c.on_record = stop_server;
    c.user = &lab;
    crawled_run(&c, o, &variants[_i % NVARIANTS],
                (const char *const[]){"/gen/pages=400,size=400,links=30,fan=9/0.html", NULL});
    ck_assert_int_eq(c.report.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(c.report.left, 0);
    ck_assert_uint_ge(c.report.fetched, 30);
    ck_assert_uint_eq(c.report.fetched + crawled_failed(&c), c.n);
    ck_assert_uint_eq(c.report.failed[WEFT_REASON_CONNECTION] + c.report.failed[WEFT_REASON_HOST] +
                          c.report.failed[WEFT_REASON_TRUNCATED],
                      c.n - c.report.fetched);
    ck_assert_uint_gt(c.n, c.report.fetched);
    crawled_release(&c);
}
END_TEST

static void attempts_are_one(struct crawled *c, const struct weft_record *r)
{
    (void)c;
    ck_assert_int_eq(r->outcome, WEFT_FETCHED);
    ck_assert_uint_eq(r->attempts, 1);
}

/* Kept connections that are reset when they are used again: how many an engine has kept does not
 * show. */
START_TEST(connections_that_are_lost_do_not_count)
{
    struct weft_crawl_options o = {
        .jobs = 8, .ignore_robots = true, .retries = -1, .host_failures = -1};
    static char paths[64][16]; /* room for any int, which gcc asks for under ASan */
    const char *many[65] = {NULL};
    for (int i = 0; i < 64; i++) {
        snprintf(paths[i], sizeof paths[i], "/%d", i);
        many[i] = paths[i];
    }
    struct grim server;
    struct crawled c;
    grim_start(&server, GRIM_TIRES, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    crawled_init(&c, server.url);
    c.on_record = attempts_are_one;
    crawled_run(&c, o, &variants[_i], many);
    ck_assert_uint_eq(c.report.fetched, 64);
    ck_assert_uint_eq(c.report.retries, 0);
    crawled_release(&c);
    grim_stop(&server);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("grim");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_server_that_refuses_everything_is_told_of_and_left, 0,
                        NCASES * NVARIANTS);
    tcase_add_loop_test(tc, connections_that_are_lost_do_not_count, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_server_that_dies_leaves_failures_and_no_hang, 0, 2 * NVARIANTS);
    return suite_run("cli: servers that fail", tc);
}
