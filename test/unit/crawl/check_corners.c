/* check_corners.c -- whole crawls at the corners: seeds that are dropped, redirects whose fate
 * hangs on a seed, hosts that are given up, sitemaps that are linked, stops before and during a
 * fetch. */
#include "site.h"
#include "support/gate.h"
#include "support/suite.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define A(href)    "<a href=\"" href "\">x</a>"
#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

START_TEST(a_seed_that_is_dropped_keeps_nothing_waiting)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("http://b.test/") A("/1")},
        {.url = "http://a.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.max_path_depth = 2, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o,
                                            SEEDS("http://a.test/1/2/3/4", "http://a.test/"));
    ck_assert_uint_eq(r.skipped[WEFT_REASON_LIMIT], 1);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_SCOPE], 1); /* judged, though a seed led nowhere */
    ck_assert_uint_eq(r.seeds_failed, 1);
    ck_assert_uint_eq(r.left, 0);
    site_release(&s);
}
END_TEST

/* What no budget was left for was not fetched either. */
START_TEST(a_seed_that_was_never_asked_counts_as_not_fetched)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/1"), .latency_ms = 2000},
        {.url = "http://a.test/1"},
        {.url = "http://a.test/2"},
        {.url = "http://b.test/"},
        {0},
    };
    const char *const *seeds = SEEDS("http://a.test/", "http://a.test/2", "http://b.test/");
    struct weft_crawl_options all[] = {
        {.max_pages = 1},
        {.max_time = WEFT_SECOND, .grace = 5 * WEFT_SECOND},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct site s;
        site_init(&s, pages);
        all[i].jobs = 1;
        all[i].ignore_robots = true;
        struct weft_crawl_report r = site_crawl(&s, &all[i], seeds);
        ck_assert_uint_eq(r.fetched, 1);
        ck_assert_uint_eq(r.left, 3);
        ck_assert_uint_eq(r.seeds_failed, 2);
        site_release(&s);
    }
}
END_TEST

/* A page found on the way leads out of scope before the slow seed has shown that it leads there. */
START_TEST(a_redirect_out_of_scope_waits_for_the_seeds)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/away")},
        {.url = "http://a.test/away", .status = 302, .location = "http://www.b.test/x"},
        {.url = "http://b.test/",
         .status = 301,
         .location = "http://www.b.test/",
         .latency_ms = 9000},
        {.url = "http://www.b.test/"},
        {.url = "http://www.b.test/x", .body = "<title>x</title>"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 4, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/", "http://b.test/"));
    ck_assert_str_eq(site_record(&s, "http://a.test/away"),
                     "fetched - 200 links=0 title=- final=http://www.b.test/x hops=1");
    ck_assert_uint_eq(r.fetched, 5);
    site_release(&s);
}
END_TEST

static size_t most_parked;

static void count_parked(struct site *s, const char *url)
{
    (void)url;
    if (s->crawl->parked.n > most_parked) {
        most_parked = s->crawl->parked.n;
    }
}

/* Each page has the same link out of scope, which waits for the slow seed. */
START_TEST(a_link_that_waits_for_the_seeds_waits_once)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/1") A("http://c.test/")},
        {.url = "http://a.test/1", .body = A("/2") A("http://c.test/")},
        {.url = "http://a.test/2", .body = A("/3") A("http://c.test/")},
        {.url = "http://a.test/3"},
        {.url = "http://b.test/",
         .status = 301,
         .location = "http://c.test/in",
         .latency_ms = 9000},
        {.url = "http://c.test/in"},
        {.url = "http://c.test/"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    s.on_asked = count_parked;
    most_parked = 0;
    struct weft_crawl_options o = {.jobs = 4, .ignore_robots = true, .scope = WEFT_SCOPE_HOST};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/", "http://b.test/"));
    ck_assert_uint_eq(most_parked, 1);
    ck_assert_uint_eq(site_asked(&s, "http://c.test/"), 1); /* in scope in the end */
    ck_assert_uint_eq(r.left, 0);
    site_release(&s);
}
END_TEST

/* The same URL, once reached by a link and once by a seed: a seed leads out of its scope. */
START_TEST(a_seed_leads_out_of_scope_by_way_of_a_known_url)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("/away")},
        {.url = "http://a.test/away", .status = 302, .location = "http://b.test/"},
        {.url = "http://a.test/seed", .status = 301, .location = "/away"},
        {.url = "http://b.test/", .body = A("/in")},
        {.url = "http://b.test/in"},
        {0},
    };
    for (unsigned slow = 0; slow < 2; slow++) {
        struct page changed[6];
        memcpy(changed, pages, sizeof changed);
        changed[slow ? 2 : 1].latency_ms = 9000;
        struct site s;
        site_init(&s, changed);
        struct weft_crawl_options o = {.jobs = 4, .ignore_robots = true};
        struct weft_crawl_report r = site_crawl(&s, &o,
                                                SEEDS("http://a.test/", "http://a.test/seed"));
        ck_assert_uint_eq(site_asked(&s, "http://b.test/in"), 1); /* the scope is wider */
        ck_assert_uint_eq(r.fetched, 5);
        ck_assert_uint_eq(r.left, 0);
        site_release(&s);
    }
}
END_TEST

/* a.test's rules are said to be at b.test, which is given up before they can be asked for. */
START_TEST(rules_at_a_host_that_is_given_up_close_the_host)
{
    static const struct page pages[] = {
        {.url = "http://a.test/robots.txt",
         .status = 301,
         .location = "http://b.test/rules",
         .latency_ms = 9000},
        {.url = "http://a.test/"},
        {.url = "http://b.test/robots.txt", .status = 404},
        {.url = "http://b.test/", .fault_end = WEFT_FETCH_CONNECTION},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.jobs = 2, .host_failures = 1, .retries = -1};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://b.test/", "http://a.test/"));
    ck_assert_uint_eq(r.failed[WEFT_REASON_CONNECTION], 1);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HOST], 1);
    ck_assert_uint_eq(site_asked(&s, "http://b.test/rules"), 0);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/"), 0);
    site_release(&s);
}
END_TEST

/* A page links to the sitemap before the host's robots.txt names it: it is read all the same. */
START_TEST(a_link_to_a_sitemap_does_not_hide_what_it_names)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = A("http://b.test/map.xml")},
        {.url = "http://b.test/robots.txt", .body = "Sitemap: http://b.test/map.xml"},
        {.url = "http://b.test/map.xml",
         .content_type = "text/xml",
         .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                 "<url><loc>http://b.test/lonely</loc></url></urlset>"},
        {.url = "http://b.test/lonely"},
        {0},
    };
    for (unsigned depth = 0; depth < 2; depth++) {
        struct site s;
        site_init(&s, pages);
        s.depths = true;
        struct weft_crawl_options o = {.scope = WEFT_SCOPE_ANY,
                                       .sitemaps = true,
                                       .has_max_depth = depth,
                                       .max_depth = 1,
                                       .has_delay = true};
        site_crawl(&s, &o, SEEDS("http://a.test/"));
        ck_assert_str_eq(
            site_record(&s, "http://b.test/lonely"),
            depth ? "fetched - 200 links=0 title=- final=http://b.test/lonely hops=0 depth=1"
                  : "fetched - 200 links=0 title=- final=http://b.test/lonely hops=0 depth=0");
        ck_assert_ptr_nonnull(site_record(&s, "http://b.test/map.xml"));
        site_release(&s);
    }
}
END_TEST

START_TEST(a_sitemap_that_is_not_given_says_its_status)
{
    static const struct page pages[] = {
        {.url = "http://a.test/robots.txt",
         .body = "Sitemap: http://a.test/broken.xml\nSitemap: http://a.test/gone.xml"},
        {.url = "http://a.test/", .body = ""},
        {.url = "http://a.test/broken.xml", .status = 500},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.sitemaps = true, .retries = -1, .has_delay = true};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_msg(strstr(s.log, "sitemap http://a.test/broken.xml: answered with 500\n") != NULL,
                  "%s", s.log);
    ck_assert_msg(strstr(s.log, "sitemap http://a.test/gone.xml: answered with 404\n") != NULL,
                  "%s", s.log);
    site_release(&s);
}
END_TEST

START_TEST(the_status_of_a_loop_is_each_urls_own)
{
    static const struct page pages[] = {
        {.url = "http://a.test/1", .status = 301, .location = "/2"},
        {.url = "http://a.test/2", .status = 302, .location = "/3"},
        {.url = "http://a.test/3", .status = 307, .location = "/2"},
        {0},
    };
    static const char *const all[] = {"http://a.test/1", "http://a.test/2", "http://a.test/3"};
    for (int first = 0; first < 3; first++) {
        struct site s;
        site_init(&s, pages);
        struct weft_crawl_options o = {.jobs = 1, .ignore_robots = true};
        site_crawl(&s, &o, SEEDS(all[first], "http://a.test/1"));
        for (int i = 0; i < 3; i++) {
            static const char *const ends[] = {
                "failed redirect_loop 301", "failed redirect_loop 302", "failed redirect_loop 307"};
            ck_assert_int_eq(strncmp(site_record(&s, all[i]), ends[i], strlen(ends[i])), 0);
        }
        site_release(&s);
    }
}
END_TEST

START_TEST(where_the_target_gave_no_status_the_redirects_is_the_last)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .status = 302, .location = "/dead"},
        {.url = "http://a.test/dead", .fault_end = WEFT_FETCH_CONNECTION},
        {0},
    };
    static const char *const orders[][2] = {{"http://a.test/", "http://a.test/dead"},
                                            {"http://a.test/dead", "http://a.test/"}};
    for (int i = 0; i < 2; i++) {
        struct site s;
        site_init(&s, pages);
        struct weft_crawl_options o = {.jobs = 1, .retries = -1, .ignore_robots = true};
        site_crawl(&s, &o, SEEDS(orders[i][0], orders[i][1]));
        ck_assert_str_eq(site_record(&s, "http://a.test/"),
                         "failed connection 302 links=0 title=- final=http://a.test/dead hops=1");
        ck_assert_str_eq(site_record(&s, "http://a.test/dead"),
                         "failed connection 0 links=0 title=- final=- hops=0");
        site_release(&s);
    }
}
END_TEST

/* More redirects wait for one another than may be followed: no chain is walked to its end. */
START_TEST(long_chains_of_redirects_to_known_urls_are_cut)
{
    enum { N = 300 };
    static struct page pages[N + 2];
    static char urls[N][32], to[N][32], body[N * 24];
    char *at = body;
    for (int i = 0; i < N; i++) {
        sprintf(urls[i], "http://a.test/%d", i);
        sprintf(to[i], "/%d", i + 1);
        at += sprintf(at, A("/%d"), i);
        pages[i + 1] = (struct page){.url = urls[i], .status = 301, .location = to[i]};
    }
    pages[0] = (struct page){.url = "http://a.test/", .body = body};
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 300, .per_host = 300, .has_delay = true, .ignore_robots = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.left, 0);
    ck_assert_uint_eq(s.nrecords, N + 2);
    ck_assert_str_eq(site_record(&s, "http://a.test/299"),
                     "failed http_status 404 links=0 title=- final=http://a.test/300 hops=1");
    site_release(&s);
}
END_TEST

enum { CHAIN = 7, MOST = 3 };

/* What is to be recorded of the i-th URL of a chain that is linked to at its first and at a later
 * URL: MOST redirects are followed from each. NULL: it is not asked. */
static const char *end_in_chain(int i, int later)
{
    static char text[128];
    int hops = 0, at = i;
    if (i > MOST && (i < later || i > later + MOST)) {
        return NULL;
    }
    while (at < CHAIN - 1) {
        bool asked = at + 1 <= MOST || (at + 1 >= later && at + 1 <= later + MOST);
        if (++hops > MOST || !asked) {
            sprintf(text, "failed redirect_loop 302 links=0 title=- final=http://a.test/%d hops=%d",
                    at, hops);
            return text;
        }
        at++;
    }
    sprintf(text, "fetched - 200 links=0 title=- final=http://a.test/%d hops=%d", at, hops);
    return text;
}

START_TEST(a_chain_that_is_too_long_is_followed_from_each_link)
{
    static struct page pages[CHAIN + 2];
    static char urls[CHAIN][32], to[CHAIN][32], body[64];
    int later = 1 + _i / 2;
    for (int i = 0; i < CHAIN; i++) {
        sprintf(urls[i], "http://a.test/%d", i);
        sprintf(to[i], "/%d", i + 1);
        pages[i + 1] = (struct page){.url = urls[i], .status = 302, .location = to[i]};
    }
    pages[CHAIN] = (struct page){.url = urls[CHAIN - 1]};
    sprintf(body, A("/0") A("/%d"), later);
    pages[0] = (struct page){.url = "http://a.test/", .body = body};
    pages[1 + (_i % 2 ? later : 0)].latency_ms = 60000; /* the other way is over by then */
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {
        .jobs = 2, .has_delay = true, .ignore_robots = true, .max_redirects = MOST};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    for (int i = 0; i < CHAIN; i++) {
        const char *expected = end_in_chain(i, later);
        ck_assert_uint_eq(site_asked(&s, urls[i]), expected != NULL);
        ck_assert_pstr_eq(site_record(&s, urls[i]), expected);
    }
    site_release(&s);
}
END_TEST

START_TEST(a_fetch_that_is_older_than_its_limits_is_told_of)
{
    static const struct page pages[] = {
        {.url = "http://a.test/", .latency_ms = 78000},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.ignore_robots = true}; /* --timeout is 60 s */
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_str_eq(s.log, "http://a.test/: in flight for 70.0 s\n"
                            "http://a.test/: in flight for 75.0 s\n");
    site_release(&s);
}
END_TEST

START_TEST(a_stop_before_the_run_asks_for_nothing)
{
    struct weft_crawl_options o = {.ignore_robots = true};
    for (int now = 0; now < 2; now++) {
        for (int engine = 0; engine < 3; engine++) {
            struct weft_crawl *c;
            struct weft_crawl_report r;
            char error[256];
            o.engine = (enum weft_engine_kind)engine;
            ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_OK);
            ck_assert_int_eq(weft_crawl_add(c, "http://127.0.0.1:1/", 19), WEFT_OK);
            weft_crawl_stop(c, now);
            ck_assert_int_eq(weft_crawl_run(c, &r), WEFT_OK);
            ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
            ck_assert_uint_eq(r.requests, 0);
            ck_assert_uint_eq(r.left, 1);
            weft_crawl_free(c);
        }
    }
}
END_TEST

/* A fetch function that blocks until it is told to stop; the crawl's grace is all it waits for. */
struct blocked {
    struct gate started; /* passed by the fetch, which is in it from then on */
    struct weft_crawl *crawl;
    struct weft_record seen;
};

static void block(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    struct blocked *b = context;
    (void)request;
    gate_pass(&b->started);
    while (!weft_crawl_stopping(stop)) {
        sched_yield();
    }
    response->end = WEFT_FETCH_INTERRUPTED;
}

static void *give_user(void *user, unsigned worker)
{
    (void)worker;
    return user;
}

static void keep_record(void *user, const struct weft_record *r)
{
    ((struct blocked *)user)->seen = *r;
}

static void *stop_it(void *user)
{
    struct blocked *b = user;
    gate_await(&b->started, 1);
    weft_crawl_stop(b->crawl, false);
    gate_open(&b->started);
    return NULL;
}

START_TEST(a_fetch_function_is_told_to_stop_when_the_grace_is_over)
{
    struct blocked b = {.started = GATE_CLOSED};
    struct weft_crawl_options o = {.engine = _i ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC,
                                   .jobs = 2,
                                   .ignore_robots = true,
                                   .grace = 20 * WEFT_MS,
                                   .fetch = block,
                                   .fetch_open = give_user,
                                   .on_record = keep_record,
                                   .user = &b};
    struct weft_crawl_report r;
    pthread_t stopper;
    char error[256];
    ck_assert_int_eq(weft_crawl_new(&b.crawl, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_add(b.crawl, "http://127.0.0.1:1/", 19), WEFT_OK);
    ck_assert_int_eq(pthread_create(&stopper, NULL, stop_it, &b), 0);
    ck_assert_int_eq(weft_crawl_run(b.crawl, &r), WEFT_OK);
    pthread_join(stopper, NULL);
    ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(r.failed[WEFT_REASON_INTERRUPTED], 1);
    ck_assert_int_gt(b.seen.started_at, 1000000000 * WEFT_SECOND); /* the wall clock's time */
    weft_crawl_free(b.crawl);
}
END_TEST

START_TEST(max_time_ends_a_fetch_function_too)
{
    struct blocked b = {.started = GATE_CLOSED};
    struct weft_crawl_options o = {.engine = _i ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC,
                                   .jobs = 2,
                                   .ignore_robots = true,
                                   .max_time = 20 * WEFT_MS,
                                   .grace = 20 * WEFT_MS,
                                   .fetch = block,
                                   .fetch_open = give_user,
                                   .user = &b};
    struct weft_crawl_report r;
    char error[256];
    gate_open(&b.started);
    ck_assert_int_eq(weft_crawl_new(&b.crawl, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_add(b.crawl, "http://127.0.0.1:1/", 19), WEFT_OK);
    ck_assert_int_eq(weft_crawl_run(b.crawl, &r), WEFT_OK);
    ck_assert_int_eq(r.end, WEFT_END_MAX_TIME);
    ck_assert_uint_eq(r.failed[WEFT_REASON_INTERRUPTED], 1);
    weft_crawl_free(b.crawl);
}
END_TEST

/* A fetch function that would fill the memory, and does not look at what append says. */
static void pour(void *context, const struct weft_request *request, struct weft_response *response,
                 const struct weft_stop *stop)
{
    char bytes[1000];
    (void)context;
    (void)request;
    (void)stop;
    memset(bytes, ' ', sizeof bytes);
    response->status = 200;
    for (int i = 0; i < 100; i++) {
        enum weft_status st = weft_response_append(response, bytes, sizeof bytes);
        ck_assert_int_eq(st, i < 20 ? WEFT_OK : WEFT_ELIMIT);
    }
    ck_assert_uint_eq(response->body_len, 20500);
}

START_TEST(the_body_of_a_fetch_function_is_limited)
{
    struct blocked b = {.started = GATE_CLOSED};
    struct weft_crawl_options o = {.engine = WEFT_ENGINE_SYNC,
                                   .ignore_robots = true,
                                   .net = {.max_body = 20500},
                                   .fetch = pour,
                                   .on_record = keep_record,
                                   .user = &b};
    struct weft_crawl_report r;
    char error[256];
    ck_assert_int_eq(weft_crawl_new(&b.crawl, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_add(b.crawl, "http://127.0.0.1:1/", 19), WEFT_OK);
    ck_assert_int_eq(weft_crawl_run(b.crawl, &r), WEFT_OK);
    ck_assert_uint_eq(r.failed[WEFT_REASON_TOO_LARGE], 1);
    ck_assert_uint_eq(b.seen.bytes, 20500);
    weft_crawl_free(b.crawl);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("corners");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_seed_that_is_dropped_keeps_nothing_waiting);
    tcase_add_test(tc, a_seed_that_was_never_asked_counts_as_not_fetched);
    tcase_add_test(tc, a_redirect_out_of_scope_waits_for_the_seeds);
    tcase_add_test(tc, a_link_that_waits_for_the_seeds_waits_once);
    tcase_add_test(tc, a_seed_leads_out_of_scope_by_way_of_a_known_url);
    tcase_add_test(tc, rules_at_a_host_that_is_given_up_close_the_host);
    tcase_add_test(tc, a_link_to_a_sitemap_does_not_hide_what_it_names);
    tcase_add_test(tc, a_sitemap_that_is_not_given_says_its_status);
    tcase_add_test(tc, the_status_of_a_loop_is_each_urls_own);
    tcase_add_test(tc, where_the_target_gave_no_status_the_redirects_is_the_last);
    tcase_add_test(tc, long_chains_of_redirects_to_known_urls_are_cut);
    tcase_add_loop_test(tc, a_chain_that_is_too_long_is_followed_from_each_link, 0,
                        2 * (CHAIN - 1));
    tcase_add_test(tc, a_fetch_that_is_older_than_its_limits_is_told_of);
    tcase_add_test(tc, a_stop_before_the_run_asks_for_nothing);
    tcase_add_loop_test(tc, a_fetch_function_is_told_to_stop_when_the_grace_is_over, 0, 2);
    tcase_add_loop_test(tc, max_time_ends_a_fetch_function_too, 0, 2);
    tcase_add_test(tc, the_body_of_a_fetch_function_is_limited);
    return suite_run("crawl: corners", tc);
}
