/* check_stops.c -- ending a crawl from another thread, with every engine: gently, at once, when the
 * grace time is over, by --max-time; and asking it what it is doing. Nothing that was finished is
 * lost, and nothing is counted twice. */
#include "crawled.h"
#include "lab/lab.h"
#include "support/eventually.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum what { GENTLY, NOW, TWICE, INSPECT_THEN_NOW };

/* Another thread: waits until the server has the request that fills the last slot, then does
 * something. */
struct other {
    struct weft_lab *lab;
    struct crawled *crawled;
    unsigned held; /* requests that the server holds then */
    char last[64];
    enum what what;
    pthread_t thread;
};

static bool has_the_last(void *user)
{
    struct other *o = user;
    return weft_lab_path_requests(o->lab, o->last) > 0;
}

static bool has_told(void *user)
{
    struct other *o = user;
    return atomic_load(&o->crawled->told) >= o->held;
}

static void *act(void *user)
{
    struct other *o = user;
    ck_assert(eventually(has_the_last, o, weft_in_ms(30000)));
    struct weft_crawl *c = atomic_load(&o->crawled->crawl);
    if (o->what == INSPECT_THEN_NOW) {
        weft_crawl_inspect(c);
        ck_assert(eventually(has_told, o, weft_in_ms(30000)));
    }
    weft_crawl_stop(c, o->what == NOW || o->what == INSPECT_THEN_NOW);
    if (o->what == TWICE) {
        weft_crawl_stop(c, false);
    }
    return NULL;
}

struct stage {
    struct weft_lab *lab;
    struct crawled crawled;
    struct other other;
};

static void set_up(struct stage *s)
{
    char error[256];
    ck_assert_int_eq(weft_lab_start(&s->lab, &(struct weft_lab_options){0}, error, sizeof error),
                     WEFT_OK);
    crawled_init(&s->crawled, weft_lab_url(s->lab, 0));
}

static void run(struct stage *s, struct weft_crawl_options o, int variant, enum what what,
                const char *slow, const char *const *seeds)
{
    o.jobs = 4;
    o.ignore_robots = true;
    s->other = (struct other){.lab = s->lab,
                              .crawled = &s->crawled,
                              .held = variants[variant].engine == WEFT_ENGINE_SYNC ? 1 : 4,
                              .what = what};
    snprintf(s->other.last, sizeof s->other.last, "%s&n=%u", slow, s->other.held);
    ck_assert_int_eq(pthread_create(&s->other.thread, NULL, act, &s->other), 0);
    crawled_run(&s->crawled, o, &variants[variant], seeds);
    pthread_join(s->other.thread, NULL);
}

static void tear_down(struct stage *s)
{
    crawled_release(&s->crawled);
    weft_lab_stop(s->lab);
}

#define HANGS                                                                                      \
    SEEDS("/hang?x&n=1", "/hang?x&n=2", "/hang?x&n=3", "/hang?x&n=4", "/hang?x&n=5", "/hang?x&n=6")

/* Limits that would never end a fetch here. */
static const struct weft_net_options patient = {.read_timeout = 3600 * WEFT_SECOND,
                                                .timeout = 3600 * WEFT_SECOND};

START_TEST(a_stop_ends_what_hangs)
{
    static const enum what ways[] = {GENTLY, NOW, TWICE};
    enum what what = ways[_i / NVARIANTS];
    struct weft_crawl_options o = {.net = patient,
                                   .grace = what == GENTLY ? 50 * WEFT_MS : 3600 * WEFT_SECOND};
    struct stage s;
    set_up(&s);
    run(&s, o, _i % NVARIANTS, what, "/hang?x", HANGS);
    const struct weft_crawl_report *r = &s.crawled.report;
    ck_assert_int_eq(r->end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(r->failed[WEFT_REASON_INTERRUPTED], s.other.held);
    ck_assert_uint_eq(r->left, 6 - s.other.held);
    ck_assert_uint_eq(s.crawled.n, s.other.held);
    tear_down(&s);
}
END_TEST

START_TEST(a_gentle_stop_lets_what_is_in_flight_finish)
{
    struct stage s;
    struct weft_crawl_options o = {.net = patient};
    set_up(&s);
    run(&s, o, _i, GENTLY, "/slow?ms=150",
        SEEDS("/slow?ms=150&n=1", "/slow?ms=150&n=2", "/slow?ms=150&n=3", "/slow?ms=150&n=4",
              "/slow?ms=150&n=5", "/slow?ms=150&n=6"));
    const struct weft_crawl_report *r = &s.crawled.report;
    ck_assert_int_eq(r->end, WEFT_END_INTERRUPTED);
    ck_assert_uint_ge(r->fetched, 1); /* one at a time, the next may have begun meanwhile */
    ck_assert_uint_eq(crawled_failed(&s.crawled), 0);
    ck_assert_uint_eq(r->left, 6 - r->fetched);
    ck_assert_uint_eq(s.crawled.n, r->fetched);
    tear_down(&s);
}
END_TEST

/* What waits for a retry when the stop comes has its record too. */
START_TEST(a_stop_does_not_wait_for_retries)
{
    struct stage s;
    struct weft_crawl_options o = {.net = patient,
                                   .retry_base = 3600 * WEFT_SECOND,
                                   .max_retry_after = WEFT_MS, /* so that the host is not held */
                                   .grace = 50 * WEFT_MS};
    set_up(&s);
    run(&s, o, _i, GENTLY, "/hang?x",
        SEEDS("/status/500", "/hang?x&n=1", "/hang?x&n=2", "/hang?x&n=3", "/hang?x&n=4"));
    const struct weft_crawl_report *r = &s.crawled.report;
    ck_assert_int_eq(r->end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(r->failed[WEFT_REASON_INTERRUPTED], s.other.held + 1);
    ck_assert_ptr_nonnull(strstr(crawled_line(&s.crawled, "/status/500"), "interrupted 500"));
    tear_down(&s);
}
END_TEST

START_TEST(asked_what_it_does_it_tells_each_fetch)
{
    struct stage s;
    struct weft_crawl_options o = {.net = patient};
    set_up(&s);
    run(&s, o, _i, INSPECT_THEN_NOW, "/hang?x", HANGS);
    unsigned told = 0;
    for (const char *at = s.crawled.log; (at = strstr(at, ": in flight for ")); at++) {
        told++;
    }
    ck_assert_uint_eq(told, s.other.held);
    ck_assert_ptr_nonnull(strstr(s.crawled.log, "/hang?x&n=1: in flight for 0."));
    tear_down(&s);
}
END_TEST

START_TEST(the_time_of_a_crawl_is_kept_while_fetches_hang)
{
    struct stage s;
    struct weft_crawl_options o = {.jobs = 4,
                                   .ignore_robots = true,
                                   .net = patient,
                                   .max_time = 60 * WEFT_MS,
                                   .grace = 40 * WEFT_MS};
    set_up(&s);
    crawled_run(&s.crawled, o, &variants[_i], HANGS);
    const struct weft_crawl_report *r = &s.crawled.report;
    unsigned held = variants[_i].engine == WEFT_ENGINE_SYNC ? 1 : 4;
    ck_assert_int_eq(r->end, WEFT_END_MAX_TIME);
    ck_assert_int_ge(r->elapsed, 100 * WEFT_MS);
    ck_assert_int_lt(r->elapsed, 20 * WEFT_SECOND);
    ck_assert_uint_eq(r->failed[WEFT_REASON_INTERRUPTED], held);
    ck_assert_uint_eq(r->left, 6 - held);
    tear_down(&s);
}
END_TEST

/* Budgets, from inside: exact whatever the engine. */
START_TEST(pages_and_bytes_are_budgets)
{
    struct stage s;
    struct weft_lab_stats stats;
    struct weft_crawl_options o = {.jobs = 7, .ignore_robots = true, .max_pages = 23};
    set_up(&s);
    crawled_run(&s.crawled, o, &variants[_i], SEEDS("/gen/pages=200,size=4000,links=20/0.html"));
    weft_lab_get_stats(s.lab, &stats);
    ck_assert_int_eq(s.crawled.report.end, WEFT_END_MAX_PAGES);
    ck_assert_uint_eq(stats.requests, 23);
    ck_assert_uint_eq(s.crawled.n, 23);
    ck_assert_uint_gt(s.crawled.report.left, 0);
    crawled_release(&s.crawled);
    o = (struct weft_crawl_options){.jobs = 7, .ignore_robots = true, .max_bytes = 20000};
    crawled_run(&s.crawled, o, &variants[_i], SEEDS("/gen/pages=200,size=4000,links=20/0.html"));
    ck_assert_int_eq(s.crawled.report.end, WEFT_END_MAX_BYTES);
    ck_assert_uint_ge(s.crawled.report.bytes, 20000);
    ck_assert_uint_le(s.crawled.report.bytes, 20000 + 7 * 4000); /* what was in flight */
    tear_down(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("stops");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_stop_ends_what_hangs, 0, 3 * NVARIANTS);
    tcase_add_loop_test(tc, a_gentle_stop_lets_what_is_in_flight_finish, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_stop_does_not_wait_for_retries, 0, NVARIANTS);
    tcase_add_loop_test(tc, asked_what_it_does_it_tells_each_fetch, 0, NVARIANTS);
    tcase_add_loop_test(tc, the_time_of_a_crawl_is_kept_while_fetches_hang, 0, NVARIANTS);
    tcase_add_loop_test(tc, pages_and_bytes_are_budgets, 0, NVARIANTS);
    return suite_run("cli: ends and stops of every engine", tc);
}
