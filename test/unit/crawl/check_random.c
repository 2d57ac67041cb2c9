/* check_random.c -- random webs, crawled again and again with other latencies, slots and engines:
 * what is recorded must not show who finished first. WEFT_SEEDS=N says how many webs (make soak
 * takes ten thousand), WEFT_SEED=N begins with that one: a failure names it. */
#include "site.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

enum { PAGES = 36, LINKS = 6, BODY = 1200 };

/* One web: its pages, and the text that they point at. */
struct web {
    struct page pages[PAGES + 8]; /* the made ones, then sitemaps and robots.txt of b.test */
    char urls[PAGES][64], bodies[PAGES][BODY], locations[PAGES][64], cookies[PAGES][32];
    char robots[256], sitemaps[2][1024];
    const char *seeds[4];
    size_t npages;
    unsigned redirects; /* percent of the pages */
    uint64_t state;
};

static unsigned below(struct web *w, unsigned n)
{
    w->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = w->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) >> 33) % n;
}

static bool chance(struct web *w, unsigned percent)
{
    return below(w, 100) < percent;
}

static const char *const hosts[] = {"http://a.test", "http://a.test", "http://a.test",
                                    "http://www.a.test", "http://b.test"};

/* An index, and what it names; robots.txt names the index and the last one. */
static const char *const maps[] = {"http://a.test/index.xml", "http://a.test/map.xml",
                                   "http://b.test/map.xml"};

static const char *any_url(struct web *w)
{
    return w->urls[below(w, (unsigned)w->npages)];
}

static void write_body(struct web *w, size_t i)
{
    char *at = w->bodies[i];
    at += sprintf(at, "<title>page %zu</title>", i);
    for (unsigned n = below(w, LINKS + 1); n > 0; n--) {
        const char *to = chance(w, 2) ? maps[1 + below(w, 2)] : any_url(w);
        at += sprintf(at, "<a %shref='%s%s'>x</a>", chance(w, 5) ? "rel=nofollow " : "", to,
                      chance(w, 10) ? "#part" : "");
    }
    if (chance(w, 10)) {
        sprintf(at, "<a href='http://[%u'>x</a><a href='mailto:x@y.test'>x</a>", below(w, 3));
    }
}

/* What a page is: most are HTML; the others redirect, fail, fail at first, or want a cookie. */
static void make_page(struct web *w, size_t i)
{
    struct page *p = &w->pages[i];
    unsigned kind = chance(w, w->redirects) ? 0 : 25 + below(w, 75);
    *p = (struct page){.url = w->urls[i], .latency_ms = chance(w, 10) ? 1 + below(w, 5000) : 0};
    write_body(w, i);
    p->body = w->bodies[i];
    if (kind < 25) {
        static const int statuses[] = {301, 302, 303, 307, 308};
        p->status = statuses[below(w, 5)];
        sprintf(w->locations[i], "%s%s", any_url(w), chance(w, 20) ? "#part" : "");
        p->location = chance(w, 96) ? w->locations[i] : NULL;
    } else if (kind < 30) {
        p->status = chance(w, 50) ? 404 : 500;
    } else if (kind < 35) {
        p->faults = 1 + below(w, 3);
        p->fault_status = chance(w, 50) ? 500 : 0;
        p->fault_end = p->fault_status ? WEFT_FETCH_DONE : WEFT_FETCH_CONNECTION;
    } else if (kind < 38) {
        p->fault_end = chance(w, 50) ? WEFT_FETCH_TRUNCATED : WEFT_FETCH_TIMEOUT;
        p->fault_status = 200;
    } else if (kind < 42) {
        sprintf(w->cookies[i], "wall%zu=1", i);
        p->needs_cookie = w->cookies[i];
    } else if (kind < 45) {
        p->content_type = "image/png";
    }
}

#define XMLNS "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"

static void make_sitemaps(struct web *w, struct page *p)
{
    static char index[512];
    sprintf(index,
            "<sitemapindex " XMLNS "><sitemap><loc>%s</loc></sitemap>"
            "<sitemap><loc>%s</loc></sitemap></sitemapindex>",
            maps[1], maps[2]);
    p[0] = (struct page){.url = maps[0], .body = index, .content_type = "text/xml"};
    for (int k = 0; k < 2; k++) {
        char *at = w->sitemaps[k];
        at += sprintf(at, "<urlset " XMLNS ">");
        for (int n = 0; n < 3; n++) {
            at += sprintf(at, "<url><loc>%s</loc></url>", any_url(w));
        }
        sprintf(at, "</urlset>");
        p[k + 1] = (struct page){.url = maps[k + 1],
                                 .body = w->sitemaps[k],
                                 .content_type = "text/xml",
                                 .latency_ms = chance(w, 30) ? 3000 : 0};
    }
}

/* What b.test says of itself: mostly what the others say; or it can't be asked. */
static void make_robots(struct web *w, struct page *p)
{
    static const struct page strange[] = {
        {.status = 500},
        {.status = 403},
        {.fault_end = WEFT_FETCH_TIMEOUT},
        {.fault_end = WEFT_FETCH_DNS},
        {.faults = 1, .fault_status = 503, .body = "User-agent: *\nDisallow: /no\n"},
        {.status = 301, .location = "http://a.test/robots.txt"},
        {.body = "User-agent: *\nDisallow: /no\nSitemap: http://b.test/map.xml\n"},
    };
    if (chance(w, 50)) {
        *p = strange[below(w, sizeof strange / sizeof strange[0])];
        p->url = "http://b.test/robots.txt";
        p->content_type = "text/plain";
        p->latency_ms = chance(w, 50) ? 2000 : 0;
    }
}

static void make_web(struct web *w, uint64_t seed)
{
    memset(w, 0, sizeof *w);
    w->state = seed;
    w->npages = 4 + below(w, PAGES - 4);
    w->redirects = chance(w, 60) ? 25 : 60;
    for (size_t i = 0; i < w->npages; i++) {
        sprintf(w->urls[i], "%s/%s%zu", hosts[i ? below(w, 5) : 0], chance(w, 15) ? "no/" : "", i);
    }
    for (size_t i = 0; i < w->npages; i++) {
        make_page(w, i);
    }
    sprintf(w->robots, "User-agent: *\n%s%s", chance(w, 50) ? "Disallow: /no/\n" : "",
            chance(w, 50) ? "Sitemap: http://a.test/index.xml\n" : "");
    make_sitemaps(w, &w->pages[w->npages]);
    make_robots(w, &w->pages[w->npages + 3]);
    for (unsigned n = 0; n <= below(w, 3); n++) {
        w->seeds[n] = w->urls[n];
    }
}

/* How one crawl is run: what may not show. */
struct manner {
    unsigned jobs, per_host, scatter, latency_ms;
    weft_time delay;
};

/* How a redirect loop was entered may show in its records, in the URL where it ended and in the
 * hops, but in nothing else. */
static void forget_loops(struct site *s)
{
    for (size_t i = 0; i < s->nrecords; i++) {
        char *final = strstr(s->records[i], " final="), *depth = strstr(s->records[i], " depth=");
        if (strstr(s->records[i], " redirect_loop ")) {
            memmove(final, depth ? depth : "", depth ? strlen(depth) + 1 : 1);
        }
    }
}

static char *crawl(struct web *w, struct weft_crawl_options o, const struct manner *m, bool threads)
{
    static struct site s; /* too large for some stacks */
    site_init(&s, w->pages);
    s.robots = w->robots;
    s.depths = o.has_max_depth;
    s.scatter = m->scatter;
    s.latency_ms = m->latency_ms;
    o.jobs = m->jobs;
    o.per_host = m->per_host;
    o.has_delay = true;
    o.delay = threads ? 0 : m->delay; /* with threads, time is real */
    o.host_failures = -1;             /* what is given up depends on the order by nature */
    struct weft_crawl_report r = threads ? site_crawl_real(&s, &o, w->seeds)
                                         : site_crawl(&s, &o, w->seeds);
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(r.left, 0);
    for (size_t i = 0; i < w->npages; i++) {
        const struct page *p = &w->pages[i];
        unsigned most = p->faults || p->fault_end || p->status == 500 ? 3 : p->needs_cookie ? 2 : 1;
        ck_assert_msg(site_asked(&s, p->url) <= most, "%s is asked %u times", p->url,
                      site_asked(&s, p->url));
    }
    forget_loops(&s);
    char *all = site_records(&s);
    site_release(&s);
    return all;
}

/* Names the first line that differs. */
static void same(const char *got, const char *expected, uint64_t seed)
{
    while (*got && *expected) {
        size_t n = strcspn(got, "\n"), m = strcspn(expected, "\n");
        ck_assert_msg(n == m && memcmp(got, expected, n) == 0,
                      "WEFT_SEED=%llu: expected\n%.*s\ngot\n%.*s", (unsigned long long)seed, (int)m,
                      expected, (int)n, got);
        got += n + (got[n] == '\n');
        expected += m + (expected[m] == '\n');
    }
    ck_assert_msg(*got == *expected, "WEFT_SEED=%llu: one has more records",
                  (unsigned long long)seed);
}

static struct weft_crawl_options options_of(struct web *w)
{
    static const enum weft_scope_kind scopes[] = {WEFT_SCOPE_HOST, WEFT_SCOPE_HOST,
                                                  WEFT_SCOPE_DOMAIN, WEFT_SCOPE_ANY};
    /* Longer than any chain, so that it never shows; or so short that many are cut. -1 is none. */
    static const int most[] = {PAGES, PAGES, PAGES, PAGES, 3, 2, 1, -1};
    return (struct weft_crawl_options){.scope = scopes[below(w, 4)],
                                       .record_skipped = chance(w, 50),
                                       .ignore_robots = chance(w, 25),
                                       .follow_nofollow = chance(w, 25),
                                       .sitemaps = chance(w, 50),
                                       .retries = chance(w, 25) ? -1 : 0,
                                       .max_redirects = most[below(w, 8)],
                                       .has_max_depth = chance(w, 60),
                                       .max_depth = below(w, 6)};
}

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

START_TEST(records_do_not_show_who_finished_first)
{
    static struct web w;
    uint64_t first = number("WEFT_SEED", 1), n = number("WEFT_SEEDS", 300);
    for (uint64_t seed = first; seed < first + n; seed++) {
        make_web(&w, seed);
        struct weft_crawl_options o = options_of(&w);
        char *expected = crawl(&w, o, &(struct manner){.jobs = 1, .per_host = 1}, false);
        /* The last time with real threads, whose order is the scheduler's. */
        for (unsigned k = 1; k <= 5; k++) {
            struct manner m = {.jobs = 1 + below(&w, 20),
                               .per_host = 1 + below(&w, 8),
                               .scatter = below(&w, 1000),
                               .latency_ms = 1 + below(&w, 300),
                               .delay = chance(&w, 30) ? below(&w, 500) * WEFT_MS : 0};
            char *got = crawl(&w, o, &m, k == 5 && seed % 4 == 0);
            same(got, expected, seed);
            free(got);
        }
        free(expected);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 3600);
    tcase_add_test(tc, records_do_not_show_who_finished_first);
    return suite_run("crawl: random webs", tc);
}
