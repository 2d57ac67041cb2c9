/* check_frontier.c -- the parts under the coordinator, alone: seen set, URL queue, host clocks, the
 * frontier with a million hosts, levels. */
#include "crawl/frontier.h"

#include "crawl/levels.h"
#include "crawl/loopback.h"
#include "crawl/seen.h"
#include "crawl/visit.h"
#include "support/suite.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* For loops of many rounds: Check's own assertions write to a file each time they pass. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg("not so: %s", #condition);                                                \
        }                                                                                          \
    } while (0)

START_TEST(seen_claims_once_and_remembers_ends)
{
    struct weft_seen s;
    weft_seen_init(&s);
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 1; i <= 100000; i++) {
            bool fresh;
            MUST(weft_seen_claim(&s, weft_fingerprint(&i, sizeof i, 7), &fresh) == WEFT_OK);
            MUST(fresh == (round == 0));
        }
    }
    uint64_t i = 5, print = weft_fingerprint(&i, sizeof i, 7);
    struct weft_end end;
    ck_assert(!weft_seen_ended(&s, print, &end));
    weft_seen_finish(&s, print, (struct weft_end){WEFT_REASON_HTTP_STATUS, 404});
    ck_assert(weft_seen_ended(&s, print, &end));
    ck_assert_int_eq(end.reason, WEFT_REASON_HTTP_STATUS);
    ck_assert_int_eq(end.status, 404);
    ck_assert(!weft_seen_has(&s, print + 1));
    ck_assert_uint_eq(s.n, 100000);
    weft_seen_release(&s);
}
END_TEST

START_TEST(a_packed_end_holds_every_reason_and_status)
{
    struct weft_seen s;
    bool fresh;
    weft_seen_init(&s);
    ck_assert_int_eq(weft_seen_claim(&s, 9, &fresh), WEFT_OK);
    for (int reason = 0; reason < WEFT_NREASONS; reason++) {
        static const int statuses[] = {0, 200, 599, 999};
        for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
            struct weft_end end;
            weft_seen_finish(&s, 9, (struct weft_end){(enum weft_reason)reason, statuses[i]});
            ck_assert(weft_seen_ended(&s, 9, &end));
            ck_assert_int_eq((int)end.reason, reason);
            ck_assert_int_eq(end.status, statuses[i]);
        }
    }
    weft_seen_release(&s);
}
END_TEST

START_TEST(the_queue_keeps_order_text_and_referrers)
{
    struct weft_url_queue q;
    struct weft_queued e;
    weft_url_queue_init(&q);
    struct weft_referrer *r = weft_referrer_new("http://a.test/");
    ck_assert_ptr_nonnull(r);
    unsigned next = 0;
    for (unsigned i = 0; i < 5000; i++) {
        char url[512];
        int len = snprintf(url, sizeof url, "http://a.test/%u/%0*u", i, (int)(i % 300), i);
        ck_assert_int_eq(weft_url_queue_push(&q, &(struct weft_queued){.print = i,
                                                                       .referrer = i % 3 ? r : NULL,
                                                                       .depth = i,
                                                                       .len = (uint32_t)len,
                                                                       .url = url,
                                                                       .seed = i % 2}),
                         WEFT_OK);
        if (i % 3 == 0) { /* read along, so that blocks come and go */
            ck_assert(weft_url_queue_peek(&q, &e));
            ck_assert_uint_eq(e.depth, next++);
            weft_url_queue_pop(&q);
            weft_referrer_release(e.referrer);
        }
    }
    while (weft_url_queue_peek(&q, &e)) {
        char head[64];
        ck_assert_uint_eq(e.depth, next);
        ck_assert_uint_eq(e.print, next);
        ck_assert(e.seed == (next % 2 != 0));
        ck_assert(!e.referrer == (next % 3 == 0));
        sprintf(head, "http://a.test/%u/", next);
        ck_assert(strncmp(e.url, head, strlen(head)) == 0);
        ck_assert_uint_eq(strlen(e.url), e.len);
        next++;
        weft_url_queue_pop(&q);
        weft_referrer_release(e.referrer);
        if (next == 4000) {
            break;
        }
    }
    ck_assert_uint_eq(q.n, 1000);
    weft_url_queue_release(&q); /* gives back the referrers of the rest */
    ck_assert_uint_eq(r->count, 1);
    weft_referrer_release(r);
}
END_TEST

static const struct weft_host_policy policy = {.delay = WEFT_SECOND,
                                               .per_host = 2,
                                               .retry_base = WEFT_SECOND,
                                               .max_hold = 60 * WEFT_SECOND,
                                               .max_failures = 3};

static struct weft_host *new_host(const struct weft_host_policy *p)
{
    struct weft_host *h = weft_host_new("http://a.test", 13, 1, p);
    ck_assert_ptr_nonnull(h);
    h->robots = WEFT_ROBOTS_KNOWN;
    return h;
}

START_TEST(backoff_doubles_with_refusals_and_eases_with_successes)
{
    struct weft_host *h = new_host(&policy);
    weft_time now = 1000 * WEFT_SECOND;
    static const int holds[] = {1, 2, 4, 8, 16, 32, 60, 60};
    for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++) {
        weft_host_refused(h, now, -1, 1.0);
        ck_assert_int_eq((h->hold_until - now) / WEFT_SECOND, holds[i]);
        now = h->hold_until;
    }
    for (int i = 0; i < 6; i++) {
        weft_host_succeeded(h);
    }
    weft_host_refused(h, now, -1, 1.0);
    ck_assert_int_eq((h->hold_until - now) / WEFT_SECOND, 4);
    weft_host_refused(h, now, 30 * WEFT_SECOND, 1.0); /* what the host asks for wins */
    ck_assert_int_eq((h->hold_until - now) / WEFT_SECOND, 30);
    weft_host_refused(h, now, 5 * WEFT_SECOND, 1.0); /* and is never shortened */
    ck_assert_int_eq((h->hold_until - now) / WEFT_SECOND, 30);
    weft_host_free(h);
}
END_TEST

START_TEST(failures_in_a_row_give_a_host_up)
{
    struct weft_host *h = new_host(&policy);
    ck_assert(!weft_host_failed(h));
    ck_assert(!weft_host_failed(h));
    weft_host_succeeded(h);
    ck_assert(!weft_host_failed(h));
    ck_assert(!weft_host_failed(h));
    ck_assert(weft_host_failed(h));
    ck_assert(!weft_host_failed(h)); /* told once */
    weft_host_free(h);
}
END_TEST

START_TEST(a_bucket_fills_at_its_rate_and_holds_no_more_than_its_burst)
{
    struct weft_host_policy p = policy;
    p.delay = 0;
    p.rate = 10;
    p.burst = 3;
    p.per_host = 1000;
    struct weft_host *h = new_host(&p);
    weft_time now = 1000 * WEFT_SECOND;
    for (int i = 0; i < 3; i++) {
        ck_assert_int_le(weft_host_opens(h), now);
        weft_host_started(h, now);
    }
    ck_assert_int_gt(weft_host_opens(h), now);
    ck_assert_int_le(weft_host_opens(h), now + WEFT_SECOND / 10 + 1000);
    now += 3600 * WEFT_SECOND; /* an hour fills it to three, not to 36,000 */
    for (int i = 0; i < 3; i++) {
        weft_host_started(h, now);
    }
    ck_assert_int_gt(weft_host_opens(h), now);
    weft_host_free(h);
}
END_TEST

static void add(struct weft_frontier *f, const char *text, weft_time now)
{
    char buf[256];
    struct weft_url url;
    MUST(weft_url_parse(&url, buf, sizeof buf, NULL, text, strlen(text), NULL) == WEFT_OK);
    const struct weft_queued queued = {.url = url.href, .len = url.len, .print = 1};
    MUST(weft_frontier_add(f, &url, &queued, now) == WEFT_OK);
}

static void frontier_init(struct weft_frontier *f)
{
    weft_frontier_init(f);
    f->policy = f->loopback = policy;
    f->no_robots = true;
}

/* Hands out what may start at now and ends it at once; the URL, or "". */
static const char *next(struct weft_frontier *f, weft_time now)
{
    static char url[256];
    struct weft_host *h;
    struct weft_visit *v;
    struct weft_queued e;
    if (weft_frontier_next(f, now, &h, &v, &e) != WEFT_PICK_FRESH) {
        return "";
    }
    snprintf(url, sizeof url, "%s", e.url);
    weft_frontier_started(f, h, now);
    weft_frontier_finished(f, h);
    return url;
}

START_TEST(ready_hosts_take_turns)
{
    struct weft_frontier f;
    frontier_init(&f);
    f.policy.delay = 0;
    weft_time now = 1000 * WEFT_SECOND;
    static const char *const urls[] = {"http://a.test/1", "http://a.test/2", "http://a.test/3",
                                       "http://b.test/1", "http://b.test/2", "http://c.test/1"};
    static const char *const order[] = {"http://a.test/1", "http://b.test/1", "http://c.test/1",
                                        "http://a.test/2", "http://b.test/2", "http://a.test/3"};
    for (size_t i = 0; i < 6; i++) {
        add(&f, urls[i], now);
    }
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(next(&f, now), order[i]);
    }
    ck_assert(weft_frontier_empty(&f));
    weft_frontier_release(&f);
}
END_TEST

START_TEST(nothing_is_handed_out_before_it_is_due)
{
    struct weft_frontier f;
    frontier_init(&f);
    weft_time now = 1000 * WEFT_SECOND;
    add(&f, "http://a.test/1", now);
    add(&f, "http://a.test/2", now);
    ck_assert_str_eq(next(&f, now), "http://a.test/1");
    ck_assert_str_eq(next(&f, now), "");
    ck_assert_int_eq(weft_frontier_next_due(&f), now + WEFT_SECOND);
    ck_assert_str_eq(next(&f, now + WEFT_SECOND - 1), "");
    ck_assert_str_eq(next(&f, now + WEFT_SECOND), "http://a.test/2");
    ck_assert_int_eq(weft_frontier_next_due(&f), WEFT_FOREVER);
    weft_frontier_release(&f);
}
END_TEST

START_TEST(a_million_hosts_pass_through_a_bounded_table)
{
    struct weft_frontier f;
    frontier_init(&f);
    f.max_hosts = 1000;
    weft_time now = 1000 * WEFT_SECOND;
    for (unsigned i = 0; i < 1000000; i++) {
        char url[64];
        sprintf(url, "http://h%u.test/", i);
        add(&f, url, now);
        MUST(strcmp(next(&f, now), url) == 0);
        now += 10 * WEFT_MS; /* a hundred hosts' clocks run at any time */
    }
    ck_assert_uint_le(f.nhosts, 1001);
    weft_frontier_release(&f);
}
END_TEST

START_TEST(hosts_with_a_clock_that_runs_or_work_that_waits_are_kept)
{
    struct weft_frontier f;
    frontier_init(&f);
    f.max_hosts = 10;
    weft_time now = 1000 * WEFT_SECOND;
    add(&f, "http://kept.test/1", now);
    add(&f, "http://kept.test/2", now);
    ck_assert_str_eq(next(&f, now), "http://kept.test/1");
    for (unsigned i = 0; i < 100; i++) { /* all at one moment: every clock still runs */
        char url[64];
        sprintf(url, "http://h%u.test/", i);
        add(&f, url, now);
        ck_assert_str_eq(next(&f, now), url);
    }
    ck_assert_uint_eq(f.nhosts, 101);
    ck_assert_str_eq(next(&f, now), ""); /* kept.test was not forgotten: its delay holds */
    ck_assert_str_eq(next(&f, now + WEFT_SECOND), "http://kept.test/2");
    weft_frontier_release(&f);
}
END_TEST

START_TEST(hosts_whose_pages_are_counted_are_kept)
{
    for (int counts = 0; counts < 2; counts++) {
        struct weft_frontier f;
        frontier_init(&f);
        f.max_hosts = 10;
        f.counts_pages = counts;
        weft_time now = 1000 * WEFT_SECOND;
        for (unsigned i = 0; i < 100; i++) {
            char url[64];
            sprintf(url, "http://h%u.test/", i);
            add(&f, url, now);
            ck_assert_str_eq(next(&f, now), url);
            now += 10 * WEFT_SECOND;
        }
        ck_assert_uint_eq(f.nhosts, counts ? 100 : 11);
        weft_frontier_release(&f);
    }
}
END_TEST

static struct weft_visit *timed(enum weft_visit_kind kind, weft_time not_before)
{
    struct weft_visit *v = weft_visit_new(
        kind, &(struct weft_queued){.url = "http://a.test/", .len = 14, .print = 1});
    ck_assert_ptr_nonnull(v);
    v->not_before = not_before;
    return v;
}

/* As many as there may be when a host redirects to another that wants long pauses. */
START_TEST(timed_visits_come_in_the_order_of_their_times)
{
    enum { N = 100000 };
    struct weft_host *h = new_host(&policy);
    uint64_t state = 7;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        struct weft_visit *v = timed(WEFT_VISIT_PAGE, (weft_time)(state >> 60));
        v->tries = (unsigned)i; /* when it was put */
        weft_host_put_timed(h, v);
    }
    weft_time last = 0;
    unsigned put = 0;
    for (int i = 0; i < N; i++) {
        struct weft_visit *v = weft_host_take_timed(h, 20);
        MUST(v);
        MUST(v->not_before > last || (v->not_before == last && (i == 0 || v->tries > put)));
        last = v->not_before;
        put = v->tries;
        weft_visit_free(v);
    }
    ck_assert_ptr_null(weft_host_take_timed(h, 20));
    weft_host_free(h);
}
END_TEST

START_TEST(without_rules_only_requests_for_rules_start)
{
    struct weft_host *h = new_host(&policy);
    weft_host_put_timed(h, timed(WEFT_VISIT_PAGE, 5));
    weft_host_put_timed(h, timed(WEFT_VISIT_ROBOTS, 9));
    h->robots = WEFT_ROBOTS_ASKED;
    ck_assert_int_eq(weft_host_due(h), 9);
    ck_assert_ptr_null(weft_host_take_timed(h, 8));
    struct weft_visit *v = weft_host_take_timed(h, 9);
    ck_assert_int_eq(v->kind, WEFT_VISIT_ROBOTS);
    weft_visit_free(v);
    ck_assert_int_eq(weft_host_due(h), WEFT_FOREVER);
    h->robots = WEFT_ROBOTS_UNKNOWN;
    ck_assert_int_eq(weft_host_due(h), WEFT_POLL);
    ck_assert_ptr_null(weft_host_take_timed(h, 9));
    h->robots = WEFT_ROBOTS_CLOSED; /* nothing is asked of it: all is worked off at once */
    v = weft_host_take_timed(h, 0);
    ck_assert_ptr_nonnull(v);
    weft_visit_free(v);
    ck_assert(weft_host_is_idle(h));
    weft_host_free(h);
}
END_TEST

START_TEST(loopback_is_told_by_the_way_it_is_written)
{
    static const struct {
        const char *url;
        bool loopback;
    } cases[] = {
        {"http://localhost/", true},     {"http://LOCALHOST:81/", true},
        {"http://a.b.localhost/", true}, {"http://127.0.0.1/", true},
        {"http://127.255.3.4:8/", true}, {"http://[::1]/", true},
        {"http://localhost./", true},    {"http://2130706433/", true},
        {"http://127.example/", false},  {"http://localhost.example/", false},
        {"http://notlocalhost/", false}, {"http://[::2]/", false},
        {"http://10.0.0.1/", false},     {"http://128.0.0.1/", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[256];
        struct weft_url url;
        ck_assert_int_eq(
            weft_url_parse(&url, buf, sizeof buf, NULL, cases[i].url, strlen(cases[i].url), NULL),
            WEFT_OK);
        ck_assert_msg(weft_is_loopback(&url) == cases[i].loopback, "%s", cases[i].url);
    }
}
END_TEST

START_TEST(levels_hold_what_could_still_be_nearer)
{
    struct weft_levels l;
    struct weft_queued e = {.print = 77, .url = "http://a.test/", .len = 14, .depth = 3};
    weft_levels_init(&l, true, 5);
    ck_assert_int_eq(weft_levels_enter(&l, 0), WEFT_OK);
    ck_assert(weft_levels_open(&l, 0));
    ck_assert(!weft_levels_open(&l, 1)); /* a redirect could still lead there without a step */
    ck_assert_int_eq(weft_levels_enter(&l, 1), WEFT_OK);
    ck_assert_int_eq(weft_levels_hold(&l, &e), WEFT_OK);
    ck_assert_int_eq(weft_levels_hold(&l, &e), WEFT_OK);
    ck_assert_uint_eq(l.held.n, 1);
    weft_levels_leave(&l, 0);
    ck_assert(weft_levels_open(&l, 1));
    ck_assert(!weft_levels_next(&l, &e));
    weft_levels_leave(&l, 1);
    ck_assert_uint_eq(l.lowest, UINT_MAX);
    ck_assert(weft_levels_next(&l, &e));
    ck_assert_uint_eq(e.print, 77);
    ck_assert(!weft_levels_next(&l, &e));
    weft_levels_release(&l);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("frontier");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, seen_claims_once_and_remembers_ends);
    tcase_add_test(tc, a_packed_end_holds_every_reason_and_status);
    tcase_add_test(tc, the_queue_keeps_order_text_and_referrers);
    tcase_add_test(tc, backoff_doubles_with_refusals_and_eases_with_successes);
    tcase_add_test(tc, failures_in_a_row_give_a_host_up);
    tcase_add_test(tc, a_bucket_fills_at_its_rate_and_holds_no_more_than_its_burst);
    tcase_add_test(tc, ready_hosts_take_turns);
    tcase_add_test(tc, nothing_is_handed_out_before_it_is_due);
    tcase_add_test(tc, a_million_hosts_pass_through_a_bounded_table);
    tcase_add_test(tc, hosts_with_a_clock_that_runs_or_work_that_waits_are_kept);
    tcase_add_test(tc, hosts_whose_pages_are_counted_are_kept);
    tcase_add_test(tc, timed_visits_come_in_the_order_of_their_times);
    tcase_add_test(tc, without_rules_only_requests_for_rules_start);
    tcase_add_test(tc, loopback_is_told_by_the_way_it_is_written);
    tcase_add_test(tc, levels_hold_what_could_still_be_nearer);
    return suite_run("crawl: frontier and its parts", tc);
}
