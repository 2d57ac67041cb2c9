/* check_links.c -- link checking on a made-up web: what is asked and how, what is not followed, and
 * what the graph of links says in the end. */
#include "site.h"
#include "support/suite.h"
#include "weft/link_graph.h"

#include <stdio.h>
#include <string.h>

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct checked {
    struct site site;
    struct weft_link_graph *graph;
    struct weft_crawl_report report;
    char text[8192]; /* a line a result: "404 broken http_status URL: page@line page@line" */
    size_t counts[WEFT_LINK_NVERDICTS];
};

static void also(struct site *s, const struct weft_record *r)
{
    struct checked *c = (struct checked *)s;
    ck_assert_int_eq(weft_link_graph_add(c->graph, r), WEFT_OK);
}

static void print(struct checked *c, const struct weft_link_result *r)
{
    static const char *const names[] = {"broken", "fragment", "moved", "unchecked", "fine"};
    const char *parts[] = {names[r->verdict],
                           " ",
                           r->reason ? weft_reason_name(r->reason) : "-",
                           " ",
                           r->url,
                           r->fragment ? "#" : "",
                           r->fragment ? r->fragment : "",
                           r->moved_to ? " -> " : "",
                           r->moved_to ? r->moved_to : ""};
    size_t n = strlen(c->text), cap = sizeof c->text;
    n += (size_t)snprintf(c->text + n, cap - n, "%d ", r->status);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        n += (size_t)snprintf(c->text + n, cap - n, "%s", parts[i]);
    }
    for (size_t i = 0; i < r->nplaces; i++) {
        n += (size_t)snprintf(c->text + n, cap - n, "%s %s@%u", i ? "" : ":", r->places[i].page,
                              r->places[i].line);
    }
    snprintf(c->text + n, cap - n, "\n");
}

static void check(struct checked *c, const struct page *pages, struct weft_crawl_options *o,
                  const struct weft_link_graph_options *graph, const char *const *seeds)
{
    const struct weft_link_result *results;
    size_t n;
    *c = (struct checked){.graph = NULL};
    site_init(&c->site, pages);
    c->site.also = also;
    o->check = true;
    o->anchors = graph->fragments;
    o->has_delay = true;
    ck_assert_int_eq(weft_link_graph_new(&c->graph, graph), WEFT_OK);
    c->report = site_crawl(&c->site, o, seeds);
    ck_assert_int_eq(weft_link_graph_finish(c->graph, false, &results, &n, c->counts), WEFT_OK);
    for (size_t i = 0; i < n; i++) {
        print(c, &results[i]);
    }
}

static void release(struct checked *c)
{
    weft_link_graph_free(c->graph);
    site_release(&c->site);
}

static const struct page web[] = {
    {.url = "http://a.test/",
     .body =
         "<a href=/b>\n<a href=/gone>\n<a href=http://out.test/>\n<a href=http://out.test/no>\n"
         "<img src=/pic.png>\n<a href=http://[bad/>\n<a rel=nofollow href=/gone>\n<a href=/old>\n"
         "<a href=http://out.test/shy><a href=http://out.test/shy>\n<a href=mailto:x@y>"},
    {.url = "http://a.test/b", .body = "<a href=/gone><a href=/>"},
    {.url = "http://a.test/old", .status = 301, .location = "http://out.test/new"},
    {.url = "http://out.test/", .body = "<a href=/never>"},
    {.url = "http://out.test/new", .body = "<a href=/never>"},
    {.url = "http://out.test/shy", .head_status = 405, .body = "<a href=/never>"},
    {0},
};

START_TEST(each_outside_link_is_asked_once_and_not_followed)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true};
    check(&c, web, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text,
                     "0 broken bad_url http://[bad/: http://a.test/@6\n"
                     "404 broken http_status http://a.test/gone: http://a.test/@2 http://a.test/@7 "
                     "http://a.test/b@1\n"
                     "404 broken http_status http://a.test/pic.png: http://a.test/@5\n"
                     "404 broken http_status http://out.test/no: http://a.test/@4\n"
                     "301 moved - http://a.test/old -> http://out.test/new: http://a.test/@8\n");
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/"), 1);
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/no"), 2);  /* HEAD, then GET */
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/shy"), 2); /* HEAD, then GET */
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/never"), 0);
    ck_assert_uint_eq(site_asked(&c.site, "http://a.test/gone"), 1);
    ck_assert_uint_eq(c.site.heads, 4);
    ck_assert_uint_eq(c.report.retries, 0);
    release(&c);
}
END_TEST

START_TEST(what_robots_forbid_outside_is_left_unchecked)
{
    struct checked c;
    struct weft_crawl_options o = {0};
    static const struct page pages[] = {
        {.url = "http://a.test/", .body = "<a href=http://out.test/x>"},
        {.url = "http://out.test/robots.txt",
         .content_type = "text/plain",
         .body = "User-agent: *\nDisallow: /x"},
        {0}};
    check(&c, pages, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text, "0 unchecked robots http://out.test/x: http://a.test/@1\n");
    release(&c);
}
END_TEST

/* With --max-depth what is one link further is asked, with HEAD, and read no more. */
START_TEST(the_last_level_is_only_asked)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true, .has_max_depth = true};
    check(&c, web, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&c.site, "http://a.test/b"), 1);
    ck_assert_uint_eq(site_asked(&c.site, "http://a.test/gone"), 2);
    ck_assert_uint_eq(c.counts[WEFT_LINK_BROKEN], 4);
    ck_assert_ptr_nonnull(
        strstr(c.text, "http://a.test/gone: http://a.test/@2 http://a.test/@7\n"));
    release(&c);
}
END_TEST

/* Excludes hold everywhere; what no include matches is not followed, but outside it is asked. */
START_TEST(rules_inside_and_outside)
{
    struct checked c;
    static const struct weft_crawl_rule rules[] = {{true, "a[.]test/b"}, {false, "/no$"}};
    struct weft_crawl_options o = {.ignore_robots = true, .rules = rules, .nrules = 2};
    check(&c, web, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/"), 1);
    ck_assert_uint_eq(site_asked(&c.site, "http://out.test/no"), 0);
    ck_assert_uint_eq(site_asked(&c.site, "http://a.test/gone"), 0);
    ck_assert_ptr_nonnull(
        strstr(c.text, "0 unchecked filter http://out.test/no: http://a.test/@4\n"));
    release(&c);
}
END_TEST

static const struct page parts[] = {
    {.url = "http://a.test/",
     .body = "<p id=here><a href=#here><a href=#there><a href=#top><a href='#'>\n"
             "<a href=/b#caf%C3%A9><a href=/b#none><a href=/r#caf%C3%A9><a href=/r#lost>\n"
             "<a href=/b#none><a href=http://out.test/#any><a href=#:~:text=x><a href=/text#x>"},
    {.url = "http://a.test/b", .body = "<a name=caf\xc3\xa9>"},
    {.url = "http://a.test/r", .status = 302, .location = "/b"},
    {.url = "http://a.test/text", .content_type = "text/plain", .body = "x"},
    {.url = "http://out.test/", .body = ""},
    {0},
};

START_TEST(fragments_that_name_nothing)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true};
    check(&c, parts, &o, &(struct weft_link_graph_options){.seed = 1, .fragments = true},
          SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text,
                     "200 fragment - http://a.test/#there: http://a.test/@1\n"
                     "200 fragment - http://a.test/b#none: http://a.test/@2 http://a.test/@3\n"
                     "200 fragment - http://a.test/r#lost: http://a.test/@2\n");
    ck_assert_uint_eq(c.counts[WEFT_LINK_FRAGMENT], 3);
    release(&c);
}
END_TEST

START_TEST(fragments_do_not_count_unless_asked_for)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true};
    check(&c, parts, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text, "");
    release(&c);
}
END_TEST

static const struct page statuses[] = {
    {.url = "http://a.test/", .body = "<a href=/204><a href=/429><a href=/403>"},
    {.url = "http://a.test/204", .status = 204},
    {.url = "http://a.test/429", .status = 429, .retry_after = "9999"},
    {.url = "http://a.test/403", .status = 403},
    {0},
};

START_TEST(accepted_statuses)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true};
    static const struct weft_link_statuses accept[] = {{200, 203}, {429, 429}};
    check(&c, statuses, &o,
          &(struct weft_link_graph_options){.seed = 1, .accept = accept, .naccept = 2},
          SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text, "204 broken - http://a.test/204: http://a.test/@1\n"
                             "403 broken http_status http://a.test/403: http://a.test/@1\n");
    release(&c);
}
END_TEST

/* Chains of redirects: what a link should say is where the permanent ones end; a broken end makes
 * the link broken, and is told once. */
static const struct page chains[] = {
    {.url = "http://a.test/", .body = "<a href=/p1><a href=/t1><a href=/x1><a href=/p3>"},
    {.url = "http://a.test/p1", .status = 301, .location = "/p2"},
    {.url = "http://a.test/p2", .status = 308, .location = "/p3"},
    {.url = "http://a.test/p3", .status = 302, .location = "/end"},
    {.url = "http://a.test/t1", .status = 302, .location = "/p2"},
    {.url = "http://a.test/x1", .status = 301, .location = "/x2"},
    {.url = "http://a.test/end"},
    {0},
};

START_TEST(redirects_that_should_be_updated)
{
    struct checked c;
    struct weft_crawl_options o = {.ignore_robots = true};
    check(&c, chains, &o, &(struct weft_link_graph_options){.seed = 1}, SEEDS("http://a.test/"));
    ck_assert_str_eq(c.text,
                     "404 broken http_status http://a.test/x1: http://a.test/@1\n"
                     "301 moved - http://a.test/p1 -> http://a.test/p3: http://a.test/@1\n");
    release(&c);
}
END_TEST

static void stop_it(struct site *s, const char *url)
{
    if (strstr(url, "/b")) {
        weft_crawl_stop(s->crawl, true);
    }
}

/* A check that was stopped says what it does not know. */
START_TEST(what_was_not_reached_is_unchecked)
{
    struct checked c = {.graph = NULL};
    const struct weft_link_result *results;
    size_t n;
    site_init(&c.site, web);
    c.site.also = also;
    c.site.on_asked = stop_it;
    struct weft_crawl_options o = {.ignore_robots = true, .check = true, .jobs = 1};
    ck_assert_int_eq(weft_link_graph_new(&c.graph, &(struct weft_link_graph_options){.seed = 1}),
                     WEFT_OK);
    site_crawl(&c.site, &o, SEEDS("http://a.test/"));
    ck_assert_int_eq(weft_link_graph_finish(c.graph, true, &results, &n, c.counts), WEFT_OK);
    for (size_t i = 0; i < n; i++) {
        print(&c, &results[i]);
    }
    ck_assert_ptr_nonnull(strstr(c.text, "0 unchecked - http://a.test/gone: http://a.test/@2"));
    ck_assert_ptr_nonnull(strstr(c.text, "200 fine - http://a.test/\n"));
    ck_assert_uint_eq(n, c.counts[WEFT_LINK_FINE] + c.counts[WEFT_LINK_UNCHECKED] +
                             c.counts[WEFT_LINK_BROKEN]);
    release(&c);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("links");
    tcase_add_test(tc, each_outside_link_is_asked_once_and_not_followed);
    tcase_add_test(tc, what_robots_forbid_outside_is_left_unchecked);
    tcase_add_test(tc, the_last_level_is_only_asked);
    tcase_add_test(tc, rules_inside_and_outside);
    tcase_add_test(tc, fragments_that_name_nothing);
    tcase_add_test(tc, fragments_do_not_count_unless_asked_for);
    tcase_add_test(tc, accepted_statuses);
    tcase_add_test(tc, redirects_that_should_be_updated);
    tcase_add_test(tc, what_was_not_reached_is_unchecked);
    return suite_run("crawl: links", tc);
}
