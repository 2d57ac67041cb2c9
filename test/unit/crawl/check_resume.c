/* check_resume.c -- crawls that are cut off and go on from their state file: all runs together
 * record what one whole run records, each URL once, whatever cut them off. */
#include "site.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define A(href)    "<a href=\"" href "\">x</a>"
#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Redirects, chains, loops, links out, and pages that are reached by ways of several lengths. */
static const struct page knot[] = {
    {.url = "http://a.test/", .body = A("/r1") A("/p1") A("/p2") A("/chain") A("/loop1")},
    {.url = "http://a.test/p1", .body = "<title>one</title>" A("/p3") A("/target") A("/r2")},
    {.url = "http://a.test/p2",
     .body = A("/p4") A("/chain2") A("/loop2") A("/r3") A("http://:x/"),
     .latency_ms = 70},
    {.url = "http://a.test/p3", .body = A("/p5") A("/flaky"), .latency_ms = 90},
    {.url = "http://a.test/p4", .body = A("/p5") A("http://b.test/out") A("/hidden2")},
    {.url = "http://a.test/p5", .body = A("/r4") A("/p6")},
    {.url = "http://a.test/p6", .body = A("/p7")},
    {.url = "http://a.test/p7", .body = A("/p8")},
    {.url = "http://a.test/p8"},
    {.url = "http://a.test/flaky", .faults = 1, .fault_status = 503},
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
    {.url = "http://c.test/", .status = 301, .location = "http://b.test/in"},
    {.url = "http://b.test/in", .body = A("/out")},
    {.url = "http://b.test/out", .body = A("/in")},
    {0},
};

static char folder[64], state[96];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/weft-resume-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(state, sizeof state, "%s/s.db", folder);
}

static void remove_folder(void)
{
    static const char *const names[] = {"s.db", "s.db-wal", "s.db-shm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* All records without what may depend on how a loop was entered. */
static char *contract(struct site *s)
{
    for (size_t i = 0; i < s->nrecords; i++) {
        *strstr(s->records[i], " final=") = '\0';
    }
    return site_records(s);
}

/* How runs are cut off, and how they differ from one that is not. */
static const struct cut {
    const char *what;
    unsigned jobs;
    uint64_t max_pages;
    unsigned stop_after; /* requests of the first run, then it is stopped; one more in each next */
    bool gently;
    size_t room;
    int max_depth; /* -1: none */
} cuts[] = {
    {"two pages a run", 1, 2, 0, false, 0, -1},
    {"three pages a run", 5, 3, 0, false, 0, -1},
    {"two pages a run, by depth", 4, 2, 0, false, 0, 3},
    {"four pages a run, by depth", 2, 4, 0, false, 0, 5},
    {"stopped at once", 5, 0, 3, false, 0, -1},
    {"stopped gently", 5, 0, 4, true, 0, -1},
    {"stopped at once, by depth", 3, 0, 3, false, 0, 4},
    {"a frontier on disk", 3, 0, 0, false, 2, -1},
    {"a frontier on disk, two pages a run", 1, 2, 0, false, 1, -1},
    {"a frontier on disk, by depth, stopped", 4, 0, 4, false, 2, 4},
};

static const struct cut *cut;
static unsigned asked_in_run, runs;

static void stop_in_run(struct site *s, const char *url)
{
    (void)url;
    if (cut->stop_after && ++asked_in_run == cut->stop_after + runs) {
        weft_crawl_stop(s->crawl, !cut->gently);
    }
}

static struct weft_crawl_options options_of(const struct cut *how)
{
    return (struct weft_crawl_options){.jobs = how->jobs,
                                       .ignore_robots = true,
                                       .has_max_depth = how->max_depth >= 0,
                                       .max_depth = how->max_depth >= 0 ? (unsigned)how->max_depth
                                                                        : 0};
}

START_TEST(runs_that_were_cut_off_make_one_crawl)
{
    const char *const *seeds = SEEDS("http://a.test/", "http://c.test/");
    struct site whole, parts;
    cut = &cuts[_i];
    make_folder();
    site_init(&whole, knot);
    struct weft_crawl_options o = options_of(cut);
    site_crawl(&whole, &o, seeds);
    char *expected = contract(&whole);

    site_init(&parts, knot);
    parts.room = cut->room;
    parts.on_asked = stop_in_run;
    struct weft_crawl_report r;
    runs = 0;
    do {
        o = options_of(cut);
        o.state_file = state;
        o.max_pages = cut->max_pages;
        asked_in_run = 0;
        r = site_crawl(&parts, &o, seeds);
        ck_assert_msg(++runs < 200, "%s: it does not end", cut->what);
    } while (r.end != WEFT_END_FINISHED);
    ck_assert_msg(runs > 1 || cut->room, "%s: one run did it all", cut->what);
    char *got = contract(&parts);
    ck_assert_msg(strcmp(got, expected) == 0, "%s, %u runs:\n%s\ninstead of\n%s", cut->what, runs,
                  got, expected);
    ck_assert_uint_eq(r.left, 0);

    /* What is done is not done again. */
    size_t asked = parts.nasked;
    o = options_of(cut);
    o.state_file = state;
    r = site_crawl(&parts, &o, seeds);
    ck_assert_uint_eq(parts.nasked, asked);
    ck_assert_uint_eq(r.fetched, 0);
    ck_assert_uint_gt(r.fetched_before, 0);
    free(got);
    free(expected);
    site_release(&whole);
    site_release(&parts);
    remove_folder();
}
END_TEST

START_TEST(a_new_seed_joins_a_crawl_that_is_done)
{
    struct site s;
    make_folder();
    site_init(&s, knot);
    struct weft_crawl_options o = {.ignore_robots = true, .state_file = state};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&s, "http://b.test/out"), 0); /* it was out of scope */
    o = (struct weft_crawl_options){.ignore_robots = true, .state_file = state};
    site_crawl(&s, &o, SEEDS("http://a.test/", "http://b.test/out"));
    ck_assert_uint_eq(site_asked(&s, "http://b.test/out"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://b.test/in"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/"), 1);
    site_release(&s);
    remove_folder();
}
END_TEST

START_TEST(other_options_are_refused_by_name)
{
    static const struct weft_crawl_rule rule = {true, "x"};
    static const struct {
        struct weft_crawl_options o;
        const char *says;
    } cases[] = {
        {{.scope = WEFT_SCOPE_ANY}, "--scope host"},
        {{.fold = WEFT_FOLD_WWW}, "--fold"},
        {{.has_max_depth = true, .max_depth = 0}, "--max-depth"},
        {{.rules = &rule, .nrules = 1}, "--include"},
        {{.max_links = 3}, "--max-links"},
        {{.sitemaps = true}, "--sitemaps"},
        {{.robots_agent = "other"}, "--robots-agent"},
    };
    struct site s;
    make_folder();
    site_init(&s, knot);
    struct weft_crawl_options o = {.state_file = state, .has_delay = true, .delay = 1};
    site_crawl(&s, &o, SEEDS("http://a.test/"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weft_crawl *c;
        char error[512];
        o = cases[i].o;
        o.state_file = state;
        ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_EINVAL);
        ck_assert_ptr_null(c);
        ck_assert_msg(strstr(error, cases[i].says) != NULL, "%s: %s", cases[i].says, error);
    }
    site_release(&s);
    remove_folder();
}
END_TEST

/* What robots.txt names while a round of the crawl with sitemaps runs. */
static const struct page mapped[] = {
    {.url = "http://a.test/robots.txt",
     .body = "Sitemap: http://a.test/map1\nSitemap: http://a.test/map2\n"},
    {.url = "http://a.test/", .latency_ms = 500},
    {.url = "http://a.test/map1", .content_type = "text/plain", .body = "http://a.test/old\n"},
    {.url = "http://a.test/map2",
     .content_type = "text/plain",
     .body = "http://a.test/old2\n",
     .latency_ms = 9000},
    {.url = "http://a.test/old"},
    {.url = "http://a.test/old2"},
    {.url = "http://a.test/new"},
    {0},
};

static void stop_at_map2(struct site *s, const char *url)
{
    if (strcmp(url, "http://a.test/map2") == 0) {
        weft_crawl_stop(s->crawl, true);
    }
}

static struct weft_crawl_report crawl_mapped(struct site *s)
{
    struct weft_crawl_options o = {
        .jobs = 1, .sitemaps = true, .state_file = state, .recrawl = true};
    return site_crawl(s, &o, SEEDS("http://a.test/"));
}

START_TEST(sitemaps_are_read_once_a_round)
{
    struct site s;
    make_folder();
    site_init(&s, mapped);
    ck_assert_uint_eq(crawl_mapped(&s).fetched, 3);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map1"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map2"), 1);

    struct page changed[sizeof mapped / sizeof mapped[0]];
    memcpy(changed, mapped, sizeof changed);
    changed[2].body = "http://a.test/old\nhttp://a.test/new\n";
    s.pages = changed;
    s.on_asked = stop_at_map2;
    ck_assert_uint_eq(crawl_mapped(&s).end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map1"), 2);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map2"), 2);

    s.on_asked = NULL;
    ck_assert_uint_eq(crawl_mapped(&s).end, WEFT_END_FINISHED);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map1"), 2); /* it had ended */
    ck_assert_uint_eq(site_asked(&s, "http://a.test/map2"), 3); /* it had not */
    ck_assert_uint_eq(site_asked(&s, "http://a.test/new"), 1);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/old"), 2);
    site_release(&s);
    remove_folder();
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("resume");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, runs_that_were_cut_off_make_one_crawl, 0,
                        (int)(sizeof cuts / sizeof cuts[0]));
    tcase_add_test(t, a_new_seed_joins_a_crawl_that_is_done);
    tcase_add_test(t, other_options_are_refused_by_name);
    tcase_add_test(t, sitemaps_are_read_once_a_round);
    return suite_run("crawl: resume", t);
}
