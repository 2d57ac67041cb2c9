/* check_politeness.c -- when a host is asked, on a fake clock: delays, Crawl-delay, refusals,
 * retries, robots.txt, redirects to other hosts. */
#include "site.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

#define A(href)    "<a href=\"" href "\">x</a>"
#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct page five[] = {
    {.url = "http://a.test/", .body = A("/1") A("/2") A("/3") A("/4")},
    {.url = "http://a.test/1"},
    {.url = "http://a.test/2"},
    {.url = "http://a.test/3"},
    {.url = "http://a.test/4"},
    {0},
};

/* The least time between two starts on one origin, in ms of fake time. */
static long least_gap(const struct site *s, const char *origin)
{
    weft_time last = -1, least = WEFT_FOREVER;
    for (size_t i = 0; i < s->nasked; i++) {
        if (strncmp(s->asked[i].url, origin, strlen(origin)) == 0) {
            if (last >= 0 && s->asked[i].at - last < least) {
                least = s->asked[i].at - last;
            }
            last = s->asked[i].at;
        }
    }
    return (long)(least / WEFT_MS);
}

START_TEST(starts_on_one_host_are_a_delay_apart)
{
    struct site s;
    site_init(&s, five);
    struct weft_crawl_options o = {.jobs = 8};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(s.nasked, 6); /* with robots.txt, which takes the clock as well */
    ck_assert_int_eq(least_gap(&s, "http://a.test/"), 500);
    site_release(&s);
}
END_TEST

START_TEST(ones_own_machine_needs_no_delay)
{
    static const struct page pages[] = {
        {.url = "http://127.0.0.1:8000/", .body = A("/1") A("/2")},
        {.url = "http://127.0.0.1:8000/1"},
        {.url = "http://127.0.0.1:8000/2"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 8};
    site_crawl(&s, &o, SEEDS("http://127.0.0.1:8000/"));
    ck_assert_int_eq(least_gap(&s, "http://127.0.0.1:8000/"), 0);
    ck_assert_uint_eq(s.peak, 2);
    site_release(&s);
}
END_TEST

/* Without a Retry-After, a 503 of somebody else's host makes it be left alone for a while; on one's
 * own machine only when that is asked for. */
START_TEST(ones_own_machine_is_not_spared_after_a_refusal)
{
    static const struct page pages[] = {
        {.url = "http://127.0.0.1:8000/", .status = 503},
        {.url = "http://127.0.0.1:8000/1"},
        {.url = "http://a.test/", .status = 503},
        {.url = "http://a.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 1, .ignore_robots = true, .retries = -1, .has_delay = true};
    site_crawl(&s, &o, SEEDS("http://127.0.0.1:8000/", "http://127.0.0.1:8000/1"));
    ck_assert_int_eq(site_when(&s, "http://127.0.0.1:8000/1", 0), 10);
    site_release(&s);
    site_init(&s, pages);
    site_crawl(&s, &o, SEEDS("http://a.test/", "http://a.test/1"));
    ck_assert_int_ge(site_when(&s, "http://a.test/1", 0), 10 + 500);
    site_release(&s);
    for (int i = 0; i < 2; i++) { /* with retries, or a base of one's own, it is as elsewhere */
        site_init(&s, pages);
        o.retry_base = i ? WEFT_SECOND : 0;
        o.retries = i ? -1 : 2;
        site_crawl(&s, &o, SEEDS("http://127.0.0.1:8000/", "http://127.0.0.1:8000/1"));
        ck_assert_int_ge(site_when(&s, "http://127.0.0.1:8000/1", 0), 10 + 500);
        site_release(&s);
    }
}
END_TEST

START_TEST(a_longer_crawl_delay_holds_and_a_shorter_does_not)
{
    static const struct {
        const char *robots;
        long gap;
    } cases[] = {
        {"User-agent: *\nCrawl-delay: 3", 3000},
        {"User-agent: *\nCrawl-delay: 0.1", 500},
        {"User-agent: weft\nCrawl-delay: 2\n\nUser-agent: *\nCrawl-delay: 9", 2000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct site s;
        site_init(&s, five);
        s.robots = cases[i].robots;
        struct weft_crawl_options o = {.jobs = 8};
        site_crawl(&s, &o, SEEDS("http://a.test/"));
        ck_assert_uint_eq(s.nasked, 6);
        ck_assert_int_eq(least_gap(&s, "http://a.test/"), cases[i].gap);
        site_release(&s);
    }
}
END_TEST

/* From its second answer on the file has no Crawl-delay any more. */
static void forget_crawl_delay(struct site *s, const char *url)
{
    if (strcmp(url, "http://a.test/1") == 0) {
        ((struct page *)s->pages)[0].body = "User-agent: *";
    }
}

START_TEST(a_crawl_delay_that_is_gone_a_day_later_holds_no_more)
{
    static struct page pages[] = {
        {.url = "http://a.test/robots.txt",
         .content_type = "text/plain",
         .faults = 1,
         .fault_status = 500, /* asked again a second later, then known */
         .body = "User-agent: *\nCrawl-delay: 50000"},
        {.url = "http://a.test/", .body = A("/1") A("/2") A("/3")},
        {.url = "http://a.test/1"},
        {.url = "http://a.test/2"},
        {.url = "http://a.test/3"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    s.on_asked = forget_crawl_delay;
    struct weft_crawl_options o = {.jobs = 1, .max_crawl_delay = 100000 * WEFT_SECOND};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_ge(site_when(&s, "http://a.test/1", 0), 100000 * 1000L);
    ck_assert_int_lt(site_when(&s, "http://a.test/3", 0) - site_when(&s, "http://a.test/2", 0),
                     1000);
    site_release(&s);
}
END_TEST

START_TEST(too_long_a_crawl_delay_skips_the_host_by_name)
{
    struct site s;
    site_init(&s, five);
    s.robots = "User-agent: *\nCrawl-delay: 3600";
    struct weft_crawl_options o = {.jobs = 8};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(s.nasked, 1);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_ROBOTS], 1);
    ck_assert_ptr_nonnull(strstr(s.log, "--max-crawl-delay"));
    site_release(&s);
}
END_TEST

START_TEST(per_host_and_jobs_are_kept)
{
    struct site s;
    site_init(&s, five);
    s.latency_ms = 1000;
    struct weft_crawl_options o = {
        .jobs = 8, .per_host = 2, .has_delay = true, .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(s.peak, 2);
    site_release(&s);
    site_init(&s, five);
    o = (struct weft_crawl_options){
        .jobs = 3, .per_host = 9, .has_delay = true, .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(s.peak, 3);
    site_release(&s);
}
END_TEST

START_TEST(a_bucket_allows_bursts_and_then_its_rate)
{
    struct site s;
    site_init(&s, five);
    struct weft_crawl_options o = {
        .jobs = 8, .per_host = 8, .has_delay = true, .rate = 2, .burst = 2, .ignore_robots = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(site_when(&s, "http://a.test/", 0), 0);
    ck_assert_int_eq(site_when(&s, "http://a.test/1", 0), 10); /* the second token of the burst */
    ck_assert_int_ge(site_when(&s, "http://a.test/2", 0), 500);
    ck_assert_int_ge(site_when(&s, "http://a.test/4", 0), 1500);
    ck_assert_int_le(site_when(&s, "http://a.test/4", 0), 1600);
    site_release(&s);
}
END_TEST

START_TEST(a_slow_host_does_not_keep_workers_from_others)
{
    static struct page pages[42];
    static char urls[40][64], body_a[1024], body_b[1024];
    for (int i = 0; i < 20; i++) {
        sprintf(urls[i], "http://slow.test/%d", i);
        sprintf(urls[20 + i], "http://fast.test/%d", i);
        sprintf(body_a + strlen(body_a), "<a href=/%d>", i);
        sprintf(body_b + strlen(body_b), "<a href=/%d>", i);
        pages[i] = (struct page){.url = urls[i], .latency_ms = 10000};
        pages[20 + i] = (struct page){.url = urls[20 + i]};
    }
    pages[40] = (struct page){.url = "http://slow.test/", .body = body_a};
    pages[41] = (struct page){.url = "http://fast.test/", .body = body_b};
    static struct page all[43];
    memcpy(all, pages, sizeof pages);
    struct site s;
    site_init(&s, all);
    struct weft_crawl_options o = {
        .jobs = 4, .per_host = 2, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o,
                                            SEEDS("http://slow.test/", "http://fast.test/"));
    ck_assert_uint_eq(r.fetched, 42);
    for (int i = 0; i < 20; i++) {
        ck_assert_int_lt(site_when(&s, urls[20 + i], 0), 200);
    }
    site_release(&s);
}
END_TEST

START_TEST(retry_after_holds_the_whole_host)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/busy") A("/1") A("/2")},
        {.url = "http://a.test/busy", .faults = 1, .fault_status = 503, .fault_retry_after = "20"},
        {.url = "http://a.test/1"},
        {.url = "http://a.test/2"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 1, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.fetched, 4);
    ck_assert_int_ge(site_when(&s, "http://a.test/1", 0), 20000);
    ck_assert_int_ge(site_when(&s, "http://a.test/busy", 1), 20000);
    ck_assert_int_lt(site_when(&s, "http://a.test/busy", 1), 21000);
    site_release(&s);
}
END_TEST

/* A host that answers two requests a second and refuses the rest, and sixteen that want to go at
 * once: those that were refused must not come back all together. */
START_TEST(a_host_that_refused_is_not_met_by_a_crowd_again)
{
    static struct page pages[62];
    static char urls[61][32];
    const char *seeds[62] = {0};
    for (size_t i = 0; i < 61; i++) {
        snprintf(urls[i], sizeof urls[i], "http://a.test/%zu", i);
        pages[i].url = seeds[i] = urls[i];
    }
    struct site s;
    site_init(&s, pages);
    s.limit = 2;
    struct weft_crawl_options o = {
        .has_delay = true, .per_host = 16, .ignore_robots = true, .host_failures = -1};
    struct weft_crawl_report r = site_crawl(&s, &o, seeds);
    ck_assert_uint_eq(r.fetched, 61);
    ck_assert_uint_eq(s.peak, 16); /* the first time nobody knew */
    ck_assert_uint_le(s.nasked, 61 + 14 + 30);
    ck_assert_int_le(s.now - 1000 * WEFT_SECOND, 40 * WEFT_SECOND); /* 30 at best */
    site_release(&s);
}
END_TEST

START_TEST(too_long_a_retry_after_fails_the_url_at_once)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/busy") A("/1")},
        {.url = "http://a.test/busy", .status = 503, .retry_after = "86400"},
        {.url = "http://a.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 1, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/busy"), 1);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 1);
    ck_assert_int_lt(site_when(&s, "http://a.test/1", 0), 2000); /* the host's own back-off */
    ck_assert_int_ge(site_when(&s, "http://a.test/1", 0), 500);
    site_release(&s);
}
END_TEST

START_TEST(transient_failures_are_retried_with_growing_pauses)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .faults = 3, .fault_end = WEFT_FETCH_TIMEOUT},
        {.url = "http://a.test/never", .fault_end = WEFT_FETCH_CONNECTION},
        {.url = "http://a.test/404", .status = 404},
        {.url = "http://a.test/dns", .fault_end = WEFT_FETCH_DNS},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 1, .has_delay = true, .retries = 3, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.fetched, 1);
    ck_assert_uint_eq(r.retries, 3);
    long t1 = site_when(&s, "http://a.test/", 1), t2 = site_when(&s, "http://a.test/", 2),
         t3 = site_when(&s, "http://a.test/", 3);
    ck_assert_int_ge(t1, 500);
    ck_assert_int_le(t1, 1020);
    ck_assert_int_ge(t2 - t1, 1000);
    ck_assert_int_le(t2 - t1, 2020);
    ck_assert_int_ge(t3 - t2, 2000);
    ck_assert_int_le(t3 - t2, 4020);
    site_release(&s);
    site_init(&s, pages);
    r = site_crawl(&s, &o, SEEDS("http://a.test/never", "http://a.test/404", "http://a.test/dns"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/never"), 4);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/404"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/dns"), 1);
    ck_assert_uint_eq(r.seeds_failed, 3);
    site_release(&s);
}
END_TEST

START_TEST(a_host_that_only_fails_is_given_up)
{
    static struct page pages[1] = {{0}};
    static char urls[60][64];
    const char *seeds[62];
    struct site s;
    site_init(&s, pages);
    static const struct page dead[] = {{.url = "http://dead.test/robots.txt", .status = 404}, {0}};
    (void)dead;
    static struct page all[61];
    for (int i = 0; i < 60; i++) {
        sprintf(urls[i], "http://dead.test/%d", i);
        all[i] = (struct page){.url = urls[i], .fault_end = WEFT_FETCH_CONNECTION};
        seeds[i] = urls[i];
    }
    seeds[60] = NULL;
    s.pages = all;
    struct weft_crawl_options o = {
        .jobs = 1, .has_delay = true, .retries = -1, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, seeds);
    ck_assert_uint_eq(s.nasked, 20);
    ck_assert_uint_eq(r.failed[WEFT_REASON_CONNECTION] + r.failed[WEFT_REASON_HOST], 60);
    ck_assert_uint_ge(r.failed[WEFT_REASON_HOST], 40);
    ck_assert_ptr_nonnull(strstr(s.log, "given up"));
    site_release(&s);
}
END_TEST

START_TEST(robots_is_asked_once_before_the_first_page)
{
    struct site s;
    site_init(&s, five);
    s.robots = "User-agent: *\nDisallow: /2\nDisallow: /3";
    struct weft_crawl_options o = {.jobs = 8, .has_delay = true};
    struct weft_crawl_report r = site_crawl(
        &s, &o, SEEDS("http://a.test/", "http://a.test/1", "http://a.test/4"));
    ck_assert_str_eq(s.asked[0].url, "http://a.test/robots.txt");
    ck_assert_uint_eq(site_asked(&s, "http://a.test/robots.txt"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/2"), 0);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_ROBOTS], 2);
    ck_assert_str_eq(site_record(&s, "http://a.test/2"),
                     "skipped robots 0 links=0 title=- final=- hops=0");
    site_release(&s);
}
END_TEST

START_TEST(robots_that_can_not_be_had_closes_the_host)
{
    static const struct {
        struct page robots;
        enum weft_reason reason; /* of the page; NONE: it is fetched */
        unsigned asked;
    } cases[] = {
        {{.status = 404}, WEFT_REASON_NONE, 1},
        {{.status = 403}, WEFT_REASON_NONE, 1},
        {{.status = 503}, WEFT_REASON_ROBOTS, 3},
        {{.faults = 1, .fault_status = 500, .status = 404}, WEFT_REASON_NONE, 2},
        {{.fault_end = WEFT_FETCH_DNS}, WEFT_REASON_DNS, 1},
        {{.fault_end = WEFT_FETCH_CONNECTION}, WEFT_REASON_CONNECTION, 3},
        {{.fault_end = WEFT_FETCH_TIMEOUT}, WEFT_REASON_TIMEOUT, 3},
        {{.fault_end = WEFT_FETCH_TLS}, WEFT_REASON_TLS, 1},
        {{.fault_end = WEFT_FETCH_TRUNCATED}, WEFT_REASON_ROBOTS, 1},
        {{.status = 301, .location = "http://b.test/rules"}, WEFT_REASON_ROBOTS, 1},
        {{.status = 301, .location = "/robots.txt"}, WEFT_REASON_NONE, 6}, /* five hops, no more */
        {{.status = 301}, WEFT_REASON_NONE, 1},
        {{.fault_end = WEFT_FETCH_TOO_LARGE, .body = ""}, WEFT_REASON_ROBOTS, 1}, /* the header */
        {{.fault_end = WEFT_FETCH_TOO_LARGE, .fault_status = 200, .body = ""}, WEFT_REASON_NONE, 1},
        {{.fault_end = WEFT_FETCH_TOO_LARGE,
          .fault_status = 200,
          .body = "User-agent: *\nDisallow: /"},
         WEFT_REASON_ROBOTS,
         1},
        {{.fault_end = WEFT_FETCH_TOO_LARGE,
          .fault_status = 301,
          .location = "http://b.test/rules",
          .body = ""},
         WEFT_REASON_ROBOTS,
         1},
        {{.fault_end = WEFT_FETCH_TOO_LARGE, .fault_status = 404, .body = ""}, WEFT_REASON_NONE, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct page pages[] = {
            cases[i].robots,
            {.url = "http://a.test/"},
            {.url = "http://b.test/rules",
             .body = "User-agent: *\nDisallow: /",
             .content_type = "text/plain"},
            {0},
        };
        pages[0].url = "http://a.test/robots.txt";
        struct site s;
        site_init(&s, pages);
        struct weft_crawl_options o = {.jobs = 2, .has_delay = true};
        struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
        uint64_t counted = cases[i].reason == WEFT_REASON_NONE     ? r.fetched
                           : cases[i].reason == WEFT_REASON_ROBOTS ? r.skipped[WEFT_REASON_ROBOTS]
                                                                   : r.failed[cases[i].reason];
        ck_assert_msg(counted == 1, "case %zu", i);
        ck_assert_uint_eq(site_asked(&s, "http://a.test/robots.txt"), cases[i].asked);
        ck_assert_uint_eq(r.seeds_failed, cases[i].reason != WEFT_REASON_NONE);
        site_release(&s);
    }
}
END_TEST

START_TEST(robots_is_asked_again_after_a_day)
{
    static const struct page pages[] = {
        {.url = "http://a.test/robots.txt",
         .content_type = "text/plain",
         .body = "User-agent: *\nCrawl-delay: 50000\nDisallow: /2"},
        {.url = "http://a.test/", .body = A("/1") A("/2") A("/3")},
        {.url = "http://a.test/1"},
        {.url = "http://a.test/2"},
        {.url = "http://a.test/3"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 2, .max_crawl_delay = 100000 * WEFT_SECOND};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    /* a request every 50,000 s: rules of 0, 100,000 and 200,000 */
    ck_assert_uint_eq(site_asked(&s, "http://a.test/robots.txt"), 3);
    ck_assert_uint_eq(r.fetched, 3);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_ROBOTS], 1);
    site_release(&s);
}
END_TEST

START_TEST(other_hosts_go_on_while_robots_is_awaited)
{
    static const struct page pages[] = {
        {.url = "http://slow.test/robots.txt", .status = 404, .latency_ms = 60000},
        {.url = "http://slow.test/"},
        {.url = "http://fast.test/", .body = A("/1")},
        {.url = "http://fast.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 2, .has_delay = true};
    site_crawl(&s, &o, SEEDS("http://slow.test/", "http://fast.test/"));
    ck_assert_int_lt(site_when(&s, "http://fast.test/1", 0), 100);
    ck_assert_int_ge(site_when(&s, "http://slow.test/", 0), 60000);
    site_release(&s);
}
END_TEST

/* A page of a.test that links to its own pages and then to a page of each of many hosts. */
static const char *links_to_hosts(unsigned own, unsigned n)
{
    static char body[8192];
    char *at = body;
    for (unsigned i = 0; i < own; i++) {
        at += sprintf(at, A("/%u"), i);
    }
    for (unsigned i = 0; i < n; i++) {
        at += sprintf(at, A("http://h%u.test/"), i);
    }
    return body;
}

/* How many of h0.test, h1.test... were asked for this path. */
static unsigned hosts_asked(const struct site *s, unsigned n, const char *path)
{
    char url[64];
    unsigned asked = 0;
    for (unsigned i = 0; i < n; i++) {
        snprintf(url, sizeof url, "http://h%u.test%s", i, path);
        asked += site_asked(s, url) > 0;
    }
    return asked;
}

static const unsigned jobs_tried[] = {1, 3, 50};

START_TEST(no_more_hosts_are_asked_for_rules_than_the_budget_can_use)
{
    struct page pages[] = {{.url = "http://a.test/", .body = links_to_hosts(0, 60)}, {0}};
    static struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = jobs_tried[_i], .max_pages = 10, .scope = WEFT_SCOPE_ANY};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_MAX_PAGES);
    ck_assert_uint_eq(r.left, 51);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/robots.txt"), 9);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/"), 9);
    site_release(&s);
}
END_TEST

/* A host that is closed to us gives its place in the budget back, also when that is the end. */
START_TEST(a_closed_host_lets_the_next_one_be_asked)
{
    static struct page pages[64];
    char urls[60][40];
    pages[0] = (struct page){.url = "http://a.test/", .body = links_to_hosts(0, 60)};
    for (unsigned i = 0; i < 60; i++) { /* every third may be asked */
        snprintf(urls[i], sizeof urls[i], "http://h%u.test/robots.txt", i);
        pages[1 + i] = (struct page){.url = urls[i], .status = i % 3 == 1 ? 500 : 0};
        pages[1 + i].body = i % 3 == 2 ? "User-agent: *\nDisallow: /" : "";
    }
    static struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = jobs_tried[_i], .retries = -1, .max_pages = 11, .scope = WEFT_SCOPE_ANY};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_MAX_PAGES);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/"), 10);
    /* ten were open, and of the others those between them and at most ten more */
    ck_assert_uint_le(hosts_asked(&s, 60, "/robots.txt"), 40);
    site_release(&s);
    site_init(&s, pages);
    o.max_pages = 30; /* more than there are */
    r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/robots.txt"), 60);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/"), 20);
    site_release(&s);
}
END_TEST

/* Rules that a redirect needs are asked for beside the budget, on a shelved host too. */
START_TEST(a_redirect_to_a_host_that_waits_for_the_budget_goes_on)
{
    struct page pages[] = {
        {.url = "http://a.test/", .body = links_to_hosts(1, 60)},
        {.url = "http://a.test/0", .status = 302, .location = "http://h59.test/x"},
        {.url = "http://h59.test/x"},
        {0}};
    static struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 1, .max_pages = 2, .scope = WEFT_SCOPE_ANY};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.fetched, 3); /* the hop is not counted */
    ck_assert_uint_eq(site_asked(&s, "http://h59.test/x"), 1);
    /* h0 was to be the second URL while a.test had to wait, but /0 was due first */
    ck_assert_uint_eq(hosts_asked(&s, 60, "/robots.txt"), 2);
    ck_assert_uint_eq(hosts_asked(&s, 60, "/"), 0);
    site_release(&s);
}
END_TEST

START_TEST(a_new_host_does_not_outrun_one_that_waits)
{
    struct page pages[] = {
        {.url = "http://a.test/", .body = links_to_hosts(4, 40)}, {.url = "http://a.test/0"}, {0}};
    static struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 1, .has_delay = true, .scope = WEFT_SCOPE_ANY};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    /* robots.txt and the seed; then a.test, which waits as long as the forty and is first */
    ck_assert_str_eq(s.asked[2].url, "http://a.test/0");
    ck_assert_str_eq(s.asked[3].url, "http://h0.test/robots.txt");
    /* and then turn by turn */
    ck_assert_str_eq(s.asked[43].url, "http://a.test/1");
    ck_assert_str_eq(s.asked[44].url, "http://h0.test/");
    site_release(&s);
}
END_TEST

static const struct page hops[] = {
    {.url = "http://a.test/",
     .body = A("/off") A("/door") A("/wall") A("/bad") A("/none") A("/self") A("/far")},
    {.url = "http://a.test/off", .status = 302, .location = "http://b.test/land"},
    {.url = "http://b.test/land", .body = A("/deep")},
    {.url = "http://a.test/door", .status = 302, .location = "/private/room"},
    {.url = "http://a.test/private/room"},
    {.url = "http://a.test/wall", .needs_cookie = "ok=1", .body = "<title>in</title>" A("/behind")},
    {.url = "http://a.test/behind"},
    {.url = "http://a.test/bad", .status = 302, .location = "ftp://a.test/x"},
    {.url = "http://a.test/none", .status = 302},
    {.url = "http://a.test/self", .status = 302, .location = "/self#again"},
    {.url = "http://a.test/far", .status = 302, .location = "/far1"},
    {.url = "http://a.test/far1", .status = 307, .location = "dir/far2"},
    {.url = "http://a.test/dir/far2", .body = "<title>far</title>" A("next")},
    {.url = "http://a.test/dir/next"},
    {0},
};

START_TEST(redirects_are_checked_where_they_lead)
{
    struct site s;
    site_init(&s, hops);
    s.robots = "User-agent: *\nDisallow: /private/";
    struct weft_crawl_options o = {.jobs = 1, .has_delay = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    static const char *const expected[][2] = {
        {"http://a.test/off", "skipped scope 302 links=0 title=- final=http://a.test/off hops=1"},
        {"http://a.test/door",
         "skipped robots 302 links=0 title=- final=http://a.test/private/room hops=1"},
        {"http://a.test/private/room", "skipped robots 0 links=0 title=- final=- hops=0"},
        {"http://a.test/wall", "fetched - 200 links=1 title=in final=http://a.test/wall hops=1"},
        {"http://a.test/bad", "failed redirect 302 links=0 title=- final=http://a.test/bad hops=0"},
        {"http://a.test/none",
         "failed redirect 302 links=0 title=- final=http://a.test/none hops=0"},
        {"http://a.test/self",
         "failed redirect_loop 302 links=0 title=- final=http://a.test/self hops=1"},
        {"http://a.test/far", "fetched - 200 links=0 title=- final=http://a.test/dir/far2 hops=2"},
        {"http://a.test/far1", "fetched - 200 links=0 title=- final=http://a.test/dir/far2 hops=1"},
        {"http://a.test/dir/far2",
         "fetched - 200 links=1 title=far final=http://a.test/dir/far2 hops=0"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *got = site_record(&s, expected[i][0]);
        ck_assert_ptr_nonnull(got);
        ck_assert_str_eq(got, expected[i][1]);
    }
    ck_assert_uint_eq(site_asked(&s, "http://b.test/land"), 0);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/private/room"), 0);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/behind"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/dir/next"), 1); /* base is the final URL */
    ck_assert_uint_eq(site_asked(&s, "http://a.test/wall"), 2);
    site_release(&s);
}
END_TEST

START_TEST(a_redirect_takes_the_clock_of_the_host_it_goes_to)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .status = 301, .location = "https://www.a.test/"},
        {.url = "https://www.a.test/", .body = A("/x")},
        {.url = "https://www.a.test/x", .body = A("http://a.test/y")},
        {.url = "http://a.test/y"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 4};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_ge(least_gap(&s, "https://www.a.test/"), 500);
    ck_assert_int_ge(least_gap(&s, "http://a.test/"), 500);
    ck_assert_uint_eq(site_asked(&s, "https://www.a.test/robots.txt"), 1);
    ck_assert_uint_eq(site_asked(&s, "https://www.a.test/x"), 1); /* the seed widened the scope */
    ck_assert_ptr_nonnull(strstr(s.log, "in scope from now on"));
    ck_assert_uint_eq(r.fetched, 4);
    ck_assert_uint_eq(r.seeds_failed, 0);
    site_release(&s);
}
END_TEST

START_TEST(what_was_out_of_scope_is_in_once_a_seed_leads_there)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("http://www.b.test/page") A("http://c.test/")},
        {.url = "http://b.test/",
         .status = 301,
         .location = "http://www.b.test/",
         .latency_ms = 9000},
        {.url = "http://www.b.test/"},
        {.url = "http://www.b.test/page"},
        {.url = "http://c.test/"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 4, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/", "http://b.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://www.b.test/page"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://c.test/"), 0);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_SCOPE], 1);
    site_release(&s);
}
END_TEST

START_TEST(too_many_redirects_are_a_loop)
{
    static struct page pages[40];
    static char urls[40][64], to[40][64];
    for (int i = 0; i < 39; i++) {
        sprintf(urls[i], "http://a.test/%d", i);
        sprintf(to[i], "/%d", i + 1);
        pages[i] = (struct page){.url = urls[i], .status = 301, .location = to[i]};
    }
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 1, .has_delay = true, .ignore_robots = true, .max_redirects = 5};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/0"));
    ck_assert_uint_eq(s.nasked, 6);
    ck_assert_uint_eq(r.failed[WEFT_REASON_REDIRECT_LOOP], 6);
    site_release(&s);
}
END_TEST

START_TEST(a_stale_connection_is_forgiven_once)
{
    struct page pages[] = {
        {.url = "http://a.test/", .faults = 1, .fault_end = WEFT_FETCH_CONNECTION}, {0}};
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 1, .has_delay = true, .retries = -1, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.failed[WEFT_REASON_CONNECTION], 1); /* not marked stale: counts */
    site_release(&s);
}
END_TEST

START_TEST(sitemaps_are_taken_up_when_asked_for)
{
    static const struct page pages[] = {
        {.url = "http://a.test/robots.txt",
         .content_type = "text/plain",
         .body = "User-agent: *\nDisallow: /no\nSitemap: http://a.test/index.xml\n"},
        {.url = "http://a.test/index.xml",
         .content_type = "application/xml",
         .body = "<?xml version=\"1.0\"?><sitemapindex "
                 "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
                 "<sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>"},
        {.url = "http://a.test/s.xml",
         .content_type = "application/xml",
         .body =
             "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
             "<url><loc>http://a.test/lonely</loc></url><url><loc>http://a.test/no</loc></url>"
             "<url><loc>http://b.test/</loc></url></urlset>"},
        {.url = "http://a.test/"},
        {.url = "http://a.test/lonely"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 2, .has_delay = true, .sitemaps = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://a.test/lonely"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/no"), 0);
    ck_assert_uint_eq(site_asked(&s, "http://b.test/"), 0);
    ck_assert_uint_eq(r.fetched, 2);
    site_release(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("politeness");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, starts_on_one_host_are_a_delay_apart);
    tcase_add_test(tc, ones_own_machine_needs_no_delay);
    tcase_add_test(tc, ones_own_machine_is_not_spared_after_a_refusal);
    tcase_add_test(tc, a_longer_crawl_delay_holds_and_a_shorter_does_not);
    tcase_add_test(tc, a_crawl_delay_that_is_gone_a_day_later_holds_no_more);
    tcase_add_test(tc, too_long_a_crawl_delay_skips_the_host_by_name);
    tcase_add_test(tc, per_host_and_jobs_are_kept);
    tcase_add_test(tc, a_bucket_allows_bursts_and_then_its_rate);
    tcase_add_test(tc, a_slow_host_does_not_keep_workers_from_others);
    tcase_add_test(tc, retry_after_holds_the_whole_host);
    tcase_add_test(tc, a_host_that_refused_is_not_met_by_a_crowd_again);
    tcase_add_test(tc, too_long_a_retry_after_fails_the_url_at_once);
    tcase_add_test(tc, transient_failures_are_retried_with_growing_pauses);
    tcase_add_test(tc, a_host_that_only_fails_is_given_up);
    tcase_add_test(tc, robots_is_asked_once_before_the_first_page);
    tcase_add_test(tc, robots_that_can_not_be_had_closes_the_host);
    tcase_add_test(tc, robots_is_asked_again_after_a_day);
    tcase_add_test(tc, other_hosts_go_on_while_robots_is_awaited);
    tcase_add_loop_test(tc, no_more_hosts_are_asked_for_rules_than_the_budget_can_use, 0, 3);
    tcase_add_loop_test(tc, a_closed_host_lets_the_next_one_be_asked, 0, 3);
    tcase_add_test(tc, a_redirect_to_a_host_that_waits_for_the_budget_goes_on);
    tcase_add_test(tc, a_new_host_does_not_outrun_one_that_waits);
    tcase_add_test(tc, redirects_are_checked_where_they_lead);
    tcase_add_test(tc, a_redirect_takes_the_clock_of_the_host_it_goes_to);
    tcase_add_test(tc, what_was_out_of_scope_is_in_once_a_seed_leads_there);
    tcase_add_test(tc, too_many_redirects_are_a_loop);
    tcase_add_test(tc, a_stale_connection_is_forgiven_once);
    tcase_add_test(tc, sitemaps_are_taken_up_when_asked_for);
    return suite_run("crawl: politeness", tc);
}
