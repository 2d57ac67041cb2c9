/* check_coordinator.c -- whole crawls of a made-up web on a fake clock: order, determinism, depth,
 * budgets, scope, traps. */
#include "site.h"
#include "support/suite.h"

#include <string.h>

#define A(href)    "<a href=\"" href "\">x</a>"
#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void asked_in_order(const struct site *s, const char *const *urls)
{
    size_t i = 0;
    for (; urls[i]; i++) {
        ck_assert_uint_lt(i, s->nasked);
        ck_assert_str_eq(s->asked[i].url, urls[i]);
    }
    ck_assert_uint_eq(i, s->nasked);
}

static const struct page tree[] = {
    {.url = "http://a.test/", .body = "<title>home</title>" A("/b") A("/c") A("/")},
    {.url = "http://a.test/b", .body = A("/d") A("/c#x") A("b")},
    {.url = "http://a.test/c", .body = A("/e") A("/missing")},
    {.url = "http://a.test/d", .body = A("/")},
    {.url = "http://a.test/e", .body = A("./d/../d")},
    {0},
};

START_TEST(one_at_a_time_is_breadth_first_and_asks_once)
{
    struct site s;
    site_init(&s, tree);
    struct weft_crawl_options o = {.jobs = 1, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    asked_in_order(&s, SEEDS("http://a.test/", "http://a.test/b", "http://a.test/c",
                             "http://a.test/d", "http://a.test/e", "http://a.test/missing"));
    ck_assert_uint_eq(r.fetched, 5);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 1);
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    ck_assert_str_eq(site_record(&s, "http://a.test/"),
                     "fetched - 200 links=3 title=home final=http://a.test/ hops=0");
    site_release(&s);
}
END_TEST

/* A site with everything in it that could make the order of completion show. */
static const struct page knot[] = {
    {.url = "http://a.test/", .body = A("/r1") A("/p1") A("/p2") A("/chain") A("/loop1")},
    {.url = "http://a.test/p1", .body = "<title>one</title>" A("/p3") A("/target") A("/r2")},
    {.url = "http://a.test/p2",
     .body = A("/p4") A("/chain2") A("/loop2") A("/r3"),
     .latency_ms = 70},
    {.url = "http://a.test/p3", .body = A("/p5"), .latency_ms = 90},
    {.url = "http://a.test/p4", .body = A("/p5") A("http://b.test/out") A("/hidden2")},
    {.url = "http://a.test/p5", .body = A("/r4")},
    {.url = "http://a.test/r1", .status = 302, .location = "/target"},
    {.url = "http://a.test/r2", .status = 301, .location = "/target"},
    {.url = "http://a.test/r3", .status = 301, .location = "/p5"},
    {.url = "http://a.test/r4", .status = 301, .location = "/hidden"},
    {.url = "http://a.test/hidden", .body = "<title>hidden</title>" A("/p1") A("/hidden2")},
    {.url = "http://a.test/hidden2", .status = 500},
    {.url = "http://a.test/target", .body = "<title>target</title>" A("/p4")},
    {.url = "http://a.test/chain", .status = 301, .location = "/chain2"},
    {.url = "http://a.test/chain2", .status = 301, .location = "/chain3"},
    {.url = "http://a.test/chain3", .status = 301, .location = "/gone"},
    {.url = "http://a.test/loop1", .status = 301, .location = "/loop2"},
    {.url = "http://a.test/loop2", .status = 301, .location = "/loop1"},
    {0},
};

/* All records, sorted, by what must be the same whatever finishes first: url, outcome, reason,
 * status, links and title. How a redirect loop was entered may show in the rest. */
static char *contract(struct site *s)
{
    for (size_t i = 0; i < s->nrecords; i++) {
        *strstr(s->records[i], " final=") = '\0';
    }
    return site_records(s);
}

static char *knot_records(unsigned scatter, unsigned jobs, bool depth)
{
    struct site s;
    site_init(&s, knot);
    s.scatter = scatter;
    struct weft_crawl_options o = {.jobs = jobs,
                                   .per_host = jobs,
                                   .has_delay = true,
                                   .ignore_robots = true,
                                   .has_max_depth = depth,
                                   .max_depth = 99,
                                   .host_failures = -1};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    for (size_t i = 0; i < s.nasked; i++) { /* nothing but a retry is asked twice */
        ck_assert(site_asked(&s, s.asked[i].url) == 1 ||
                  !strcmp(s.asked[i].url, "http://a.test/hidden2"));
    }
    char *all = contract(&s);
    site_release(&s);
    return all;
}

START_TEST(records_do_not_show_who_finished_first)
{
    char *expected = knot_records(0, 1, false);
    ck_assert_ptr_nonnull(strstr(expected, "/loop1 failed redirect_loop 301"));
    ck_assert_ptr_nonnull(strstr(expected, "/loop2 failed redirect_loop 301"));
    ck_assert_ptr_nonnull(strstr(expected, "/chain failed http_status 404"));
    ck_assert_ptr_nonnull(strstr(expected, "/r1 fetched - 200"));
    ck_assert_ptr_nonnull(strstr(expected, "/target fetched - 200 links=1 title=target"));
    for (unsigned scatter = 1; scatter <= 40; scatter++) {
        for (int depth = 0; depth < 2; depth++) {
            char *got = knot_records(scatter, 1 + scatter % 9, depth);
            ck_assert_str_eq(got, expected);
            free(got);
        }
    }
    free(expected);
}
END_TEST

static const struct page depths[] = {
    {.url = "http://a.test/", .body = A("/fast1") A("/slow1")},
    {.url = "http://a.test/fast1", .body = A("/fast2")},
    {.url = "http://a.test/fast2", .body = A("/x")},                     /* x at depth 3 this way */
    {.url = "http://a.test/slow1", .body = A("/x"), .latency_ms = 5000}, /* ... but 2 by this one */
    {.url = "http://a.test/x", .body = A("/y")},
    {.url = "http://a.test/y", .body = A("/z")},
    {.url = "http://a.test/z"},
    {0},
};

START_TEST(depth_is_the_shortest_way_whatever_finishes_first)
{
    struct site s;
    site_init(&s, depths);
    struct weft_crawl_options o = {
        .jobs = 8, .has_delay = true, .ignore_robots = true, .has_max_depth = true, .max_depth = 3};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/y"), 1); /* depth 3 by the slow page */
    ck_assert_uint_eq(site_asked(&s, "http://a.test/z"), 0);
    ck_assert_str_eq(site_record(&s, "http://a.test/z"),
                     "skipped depth 0 links=0 title=- final=- hops=0");
    ck_assert_uint_eq(r.skipped[WEFT_REASON_DEPTH], 1);
    site_release(&s);
}
END_TEST

START_TEST(depth_0_is_the_seeds_alone)
{
    struct site s;
    site_init(&s, tree);
    struct weft_crawl_options o = {.ignore_robots = true, .has_max_depth = true};
    struct weft_crawl_report r = site_crawl(
        &s, &o, SEEDS("http://a.test/b", "http://a.test/b#again", "http://a.test/c"));
    ck_assert_uint_eq(s.nasked, 2);
    ck_assert_uint_eq(r.fetched, 2);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_DEPTH], 3);
    site_release(&s);
}
END_TEST

START_TEST(max_pages_is_never_overshot)
{
    for (unsigned n = 1; n <= 7; n++) {
        struct site s;
        site_init(&s, tree);
        struct weft_crawl_options o = {
            .jobs = 4, .has_delay = true, .ignore_robots = true, .max_pages = n};
        struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
        ck_assert_uint_eq(s.nasked, n < 6 ? n : 6);
        ck_assert_int_eq(r.end, n < 6 ? WEFT_END_MAX_PAGES : WEFT_END_FINISHED);
        ck_assert_uint_eq(s.nrecords, n < 6 ? n : 6);
        ck_assert(n >= 6 || r.left > 0);
        site_release(&s);
    }
}
END_TEST

static const struct page budget[] = {
    {.url = "http://a.test/", .body = A("/r") A("/flaky") A("/other")},
    {.url = "http://a.test/r", .status = 302, .location = "/target"},
    {.url = "http://a.test/target"},
    {.url = "http://a.test/flaky", .faults = 1, .fault_status = 503},
    {.url = "http://a.test/other"},
    {0},
};

START_TEST(hops_and_retries_are_not_counted_and_still_finish)
{
    struct site s;
    site_init(&s, budget);
    struct weft_crawl_options o = {
        .jobs = 4, .has_delay = true, .ignore_robots = true, .max_pages = 3};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/target"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/flaky"), 2);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/other"), 0);
    ck_assert_uint_eq(r.left, 1);
    ck_assert_uint_eq(r.retries, 1);
    site_release(&s);
}
END_TEST

START_TEST(max_time_and_max_bytes_end_the_crawl_by_name)
{
    struct site s;
    site_init(&s, tree);
    struct weft_crawl_options o = {
        .jobs = 1, .ignore_robots = true, .max_time = 1200 * WEFT_MS}; /* delay is 0.5 s */
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_MAX_TIME);
    ck_assert_uint_eq(s.nasked, 3);
    ck_assert_uint_eq(r.left, 3); /* d, e and missing */
    site_release(&s);
    site_init(&s, tree);
    o = (struct weft_crawl_options){.jobs = 1, .ignore_robots = true, .max_bytes = 1};
    r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_MAX_BYTES);
    ck_assert_uint_eq(s.nasked, 1);
    site_release(&s);
}
END_TEST

/* The end of a crawl of one page (and what it links to) under these options. */
static enum weft_crawl_end end_of(const struct page *pages, struct weft_crawl_options o,
                                  uint64_t *left)
{
    static struct site s;
    site_init(&s, pages);
    o.jobs = 1;
    o.ignore_robots = true;
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    *left = r.left;
    site_release(&s);
    return r.end;
}

START_TEST(a_budget_is_told_only_if_it_cut_something_off)
{
    static const struct page last[] = {
        {.url = "http://a.test/", .body = "alone" A("/"), .latency_ms = 1000}, {0}};
    static const struct page more[] = {
        {.url = "http://a.test/", .body = A("/b"), .latency_ms = 1000}, {0}};
    static const struct page retry[] = {{.url = "http://a.test/",
                                         .body = "late",
                                         .faults = 1,
                                         .fault_status = 500,
                                         .latency_ms = 1000},
                                        {0}};
    static const struct page hop[] = {
        {.url = "http://a.test/", .status = 302, .location = "/b", .latency_ms = 1000}, {0}};
    static const struct page slow[] = {
        {.url = "http://a.test/", .body = "late", .latency_ms = 30000}, {0}};
    const struct weft_crawl_options bytes = {.max_bytes = 1};
    const struct weft_crawl_options time = {.max_time = 500 * WEFT_MS};
    const struct weft_crawl_options pages = {.max_pages = 1};
    uint64_t left;
    ck_assert_int_eq(end_of(last, bytes, &left), WEFT_END_FINISHED);
    ck_assert_int_eq(end_of(last, time, &left), WEFT_END_FINISHED);
    ck_assert_int_eq(end_of(last, pages, &left), WEFT_END_FINISHED);
    ck_assert_int_eq(end_of(retry, pages, &left), WEFT_END_FINISHED);
    ck_assert_int_eq(end_of(hop, pages, &left), WEFT_END_FINISHED);
    ck_assert_int_eq(end_of(more, bytes, &left), WEFT_END_MAX_BYTES);
    ck_assert_uint_eq(left, 1);
    ck_assert_int_eq(end_of(more, time, &left), WEFT_END_MAX_TIME);
    ck_assert_int_eq(end_of(more, pages, &left), WEFT_END_MAX_PAGES);
    /* Nothing is left, yet something was not done that would have been. */
    ck_assert_int_eq(end_of(retry, time, &left), WEFT_END_MAX_TIME);
    ck_assert_uint_eq(left, 0);
    ck_assert_int_eq(end_of(hop, time, &left), WEFT_END_MAX_TIME);
    ck_assert_int_eq(end_of(slow, time, &left), WEFT_END_MAX_TIME);
}
END_TEST

static void stop_gently(struct site *s, const char *url)
{
    (void)url;
    if (s->nasked == 3) {
        weft_crawl_stop(s->crawl, false);
    }
}

static void stop_now(struct site *s, const char *url)
{
    (void)url;
    if (s->nasked == 3) {
        weft_crawl_stop(s->crawl, true);
    }
}

START_TEST(a_gentle_stop_finishes_what_flies_and_a_hard_one_does_not)
{
    struct site s;
    site_init(&s, tree);
    s.on_asked = stop_gently;
    struct weft_crawl_options o = {.jobs = 2, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(r.fetched, 3);
    ck_assert_uint_gt(r.left, 0);
    site_release(&s);
    site_init(&s, tree);
    s.on_asked = stop_now;
    s.latency_ms = 3600000;
    r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.failed[WEFT_REASON_INTERRUPTED], 2);
    ck_assert_uint_eq(s.nrecords, 3);
    site_release(&s);
}
END_TEST

START_TEST(a_gentle_stop_waits_no_longer_than_the_grace_time)
{
    struct site s;
    site_init(&s, tree);
    s.on_asked = stop_gently;
    s.latency_ms = 60000;
    struct weft_crawl_options o = {.jobs = 2, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.failed[WEFT_REASON_INTERRUPTED], 2);
    ck_assert_int_eq(r.elapsed / WEFT_SECOND, 70); /* the first page, and ten seconds of grace */
    site_release(&s);
}
END_TEST

static const struct page places[] = {
    {.url = "http://a.test/dir/",
     .body = A("x") A("/top") A("http://sub.a.test/") A("http://b.test/") A("https://a.test/s")
         A("http://a.test:8080/port")},
    {.url = "http://a.test/dir/x"},
    {.url = "http://a.test/top"},
    {.url = "http://sub.a.test/"},
    {.url = "http://b.test/"},
    {.url = "https://a.test/s"},
    {.url = "http://a.test:8080/port"},
    {0},
};

START_TEST(scope_decides_what_is_followed)
{
    static const struct {
        enum weft_scope_kind scope;
        const char *asked; /* first letters of what is followed: x top sub b s port */
    } cases[] = {
        {WEFT_SCOPE_HOST, "x top s"},
        {WEFT_SCOPE_DOMAIN, "x top sub s port"},
        {WEFT_SCOPE_PREFIX, "x"},
        {WEFT_SCOPE_ANY, "x top sub b s port"},
    };
    static const char *const urls[][2] = {
        {"x", "http://a.test/dir/x"},  {"top", "http://a.test/top"},
        {"sub", "http://sub.a.test/"}, {"b", "http://b.test/"},
        {"s", "https://a.test/s"},     {"port", "http://a.test:8080/port"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct site s;
        char got[64] = "";
        site_init(&s, places);
        struct weft_crawl_options o = {.scope = cases[i].scope, .ignore_robots = true};
        struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/dir/"));
        for (size_t k = 0; k < sizeof urls / sizeof urls[0]; k++) {
            if (site_asked(&s, urls[k][1])) {
                strcat(got, *got ? " " : "");
                strcat(got, urls[k][0]);
            }
        }
        ck_assert_str_eq(got, cases[i].asked);
        ck_assert_uint_eq(r.skipped[WEFT_REASON_SCOPE], 7 - r.fetched);
        ck_assert_uint_eq(s.nrecords, r.fetched); /* counted, not recorded */
        site_release(&s);
    }
}
END_TEST

START_TEST(record_skipped_also_records_what_is_out_of_scope)
{
    struct site s;
    site_init(&s, places);
    struct weft_crawl_options o = {.record_skipped = true, .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/dir/"));
    ck_assert_str_eq(site_record(&s, "http://b.test/"),
                     "skipped scope 0 links=0 title=- final=- hops=0");
    site_release(&s);
}
END_TEST

START_TEST(the_last_rule_that_matches_decides)
{
    struct site s;
    site_init(&s, tree);
    const struct weft_crawl_rule rules[] = {{false, "/[bc]$"}, {true, "/c$"}};
    struct weft_crawl_options o = {.rules = rules, .nrules = 2, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/b"), 0);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/c"), 1);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_FILTER], 1);
    site_release(&s);
    site_init(&s, tree);
    const struct weft_crawl_rule include[] = {{true, "/b$"}};
    o = (struct weft_crawl_options){.rules = include, .nrules = 1, .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    asked_in_order(&s, SEEDS("http://a.test/", "http://a.test/b"));
    site_release(&s);
}
END_TEST

static const struct page trap[] = {
    {.url = "http://a.test/",
     .body = A("/1/2/3/4") A("/1/2/3/4/5") A("/x/y/x/y/x/y/x") A("/q?a") A("/q?b") A("/q?c")},
    {.url = "http://a.test/1/2/3/4"},
    {.url = "http://a.test/q?a"},
    {.url = "http://a.test/q?b"},
    {.url = "http://a.test/q?c"},
    {0},
};

static void names_its_cap(struct site *s, const struct weft_record *r)
{
    (void)s;
    ck_assert(r->reason != WEFT_REASON_LIMIT || (r->error && strcmp(r->error, "--max-url") == 0));
}

/* It is turned away where the page is read, before its URL is parsed. */
START_TEST(a_link_that_is_too_long_is_dropped_by_name)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/a-long-path-and-more-of-it-and-yet-more")}, {0}};
    struct site s;
    site_init(&s, pages);
    s.also = names_its_cap;
    struct weft_crawl_options o = {.max_url = 32, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.skipped[WEFT_REASON_LIMIT], 1);
    ck_assert_uint_eq(r.fetched, 1);
    site_release(&s);
}
END_TEST

START_TEST(traps_are_dropped_by_name)
{
    struct site s;
    site_init(&s, trap);
    struct weft_crawl_options o = {.max_path_depth = 4, .max_queries = 2, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.skipped[WEFT_REASON_LIMIT], 3);
    ck_assert_uint_eq(r.fetched, 4);
    ck_assert_ptr_nonnull(site_record(&s, "http://a.test/q?c"));
    site_release(&s);
    site_init(&s, trap);
    o = (struct weft_crawl_options){.max_repeats = 3, .ignore_robots = true};
    r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.skipped[WEFT_REASON_LIMIT], 1);
    site_release(&s);
    site_init(&s, trap);
    o = (struct weft_crawl_options){.max_host_pages = 2, .ignore_robots = true};
    r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(s.nasked, 2);
    site_release(&s);
}
END_TEST

static const struct page follow[] = {
    {.url = "http://a.test/",
     .body = "<a rel=nofollow href=/n>n</a>" A("/y") A("http://[") A("mailto:x@y")},
    {.url = "http://a.test/n"},
    {.url = "http://a.test/y", .body = "<a rel='x nofollow' href=/n>n</a>"},
    {0},
};

START_TEST(nofollow_is_obeyed_unless_told_otherwise)
{
    struct site s;
    site_init(&s, follow);
    struct weft_crawl_options o = {.ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/n"), 0);
    ck_assert_str_eq(site_record(&s, "http://["),
                     "skipped bad_url 0 links=0 title=- final=- hops=0");
    site_release(&s);
    site_init(&s, follow);
    o = (struct weft_crawl_options){.ignore_robots = true, .follow_nofollow = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/n"), 1);
    site_release(&s);
}
END_TEST

START_TEST(fold_widens_the_key_and_never_the_request)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/x/") A("/x") A("/y?1") A("/y?2") A("/y")},
        {.url = "http://a.test/x/"},
        {.url = "http://a.test/y?1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.fold = WEFT_FOLD_SLASH | WEFT_FOLD_QUERY,
                                   .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    asked_in_order(&s, SEEDS("http://a.test/", "http://a.test/x/", "http://a.test/y?1"));
    site_release(&s);
}
END_TEST

START_TEST(threads_and_sync_give_the_same_records)
{
    char *expected = knot_records(0, 1, false);
    for (int i = 0; i < 20; i++) {
        struct site s;
        site_init(&s, knot);
        struct weft_crawl_options o = {.engine = i % 2 ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC,
                                       .jobs = (unsigned)i + 1,
                                       .ignore_robots = true,
                                       .host_failures = -1,
                                       .has_max_depth = i % 3 == 0,
                                       .max_depth = 99};
        site_crawl_real(&s, &o, SEEDS("http://a.test/"));
        char *got = contract(&s);
        ck_assert_str_eq(got, expected);
        free(got);
        site_release(&s);
    }
    free(expected);
}
END_TEST

START_TEST(options_that_make_no_sense_are_refused)
{
    static const struct weft_crawl_rule bad[] = {{true, "("}};
    static const struct weft_crawl_options cases[] = {
        {.rules = bad, .nrules = 1},
        {.append = true, .overwrite = true},
        {.jobs = 1000000},
        {.max_url = 1000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weft_crawl *c;
        char error[256];
        ck_assert_int_ne(weft_crawl_new(&c, &cases[i], error, sizeof error), WEFT_OK);
        ck_assert_ptr_null(c);
        ck_assert_int_gt((int)strlen(error), 0);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("coordinator");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, one_at_a_time_is_breadth_first_and_asks_once);
    tcase_add_test(tc, records_do_not_show_who_finished_first);
    tcase_add_test(tc, depth_is_the_shortest_way_whatever_finishes_first);
    tcase_add_test(tc, depth_0_is_the_seeds_alone);
    tcase_add_test(tc, max_pages_is_never_overshot);
    tcase_add_test(tc, hops_and_retries_are_not_counted_and_still_finish);
    tcase_add_test(tc, max_time_and_max_bytes_end_the_crawl_by_name);
    tcase_add_test(tc, a_budget_is_told_only_if_it_cut_something_off);
    tcase_add_test(tc, a_gentle_stop_finishes_what_flies_and_a_hard_one_does_not);
    tcase_add_test(tc, a_gentle_stop_waits_no_longer_than_the_grace_time);
    tcase_add_test(tc, scope_decides_what_is_followed);
    tcase_add_test(tc, record_skipped_also_records_what_is_out_of_scope);
    tcase_add_test(tc, the_last_rule_that_matches_decides);
    tcase_add_test(tc, a_link_that_is_too_long_is_dropped_by_name);
    tcase_add_test(tc, traps_are_dropped_by_name);
    tcase_add_test(tc, nofollow_is_obeyed_unless_told_otherwise);
    tcase_add_test(tc, fold_widens_the_key_and_never_the_request);
    tcase_add_test(tc, threads_and_sync_give_the_same_records);
    tcase_add_test(tc, options_that_make_no_sense_are_refused);
    return suite_run("crawl: coordinator", tc);
}
