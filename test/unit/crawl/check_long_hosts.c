/* check_long_hosts.c -- host names longer than the table of hosts takes, and other long URLs,
 * wherever the network can name one: the crawl goes on, and each is judged like its shorter kin. */
#include "site.h"
#include "support/suite.h"
#include "weft/explain.h"

#include <stdio.h>
#include <string.h>

#define A(href)    "<a href=\"" href "\">x</a>"
#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char longest[9000 + 16]; /* "http://aaa...a/" */

/* format with the long URL in it */
static const char *with(const char *format)
{
    static char text[sizeof longest + 1024];
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "http://", 7);
    memcpy(longest + sizeof longest - 2, "/", 2);
    snprintf(text, sizeof text, format, longest);
    return text;
}

START_TEST(rules_at_a_long_host_are_none)
{
    struct page pages[] = {
        {.url = "http://a.test/robots.txt", .status = 301, .location = with("%s")},
        {.url = "http://a.test/", .body = A("/1")},
        {.url = "http://a.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.max_url = 16000};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(r.fetched, 2); /* as after more than five redirects (RFC 9309 2.3.1.2) */
    site_release(&s);
}
END_TEST

START_TEST(a_sitemap_at_a_long_host_is_left_out)
{
    char robots[sizeof longest + 1024];
    snprintf(robots, sizeof robots, "%s",
             with("Sitemap: %s\nSitemap: http://a.test/map.xml\n"
                  "Sitemap: http://a.test/moved.xml\n"));
    struct page pages[] = {
        {.url = "http://a.test/robots.txt", .body = robots},
        {.url = "http://a.test/"},
        {.url = "http://a.test/map.xml", .content_type = "text/plain", .body = "http://a.test/1\n"},
        {.url = "http://a.test/moved.xml", .status = 301, .location = with("%s")},
        {.url = "http://a.test/1"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.max_url = 16000, .sitemaps = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(r.fetched, 2);
    ck_assert_uint_eq(site_asked(&s, "http://a.test/moved.xml"), 1);
    site_release(&s);
}
END_TEST

START_TEST(a_redirect_or_a_link_to_a_long_host_breaks_a_limit)
{
    char body[sizeof longest + 1024];
    snprintf(body, sizeof body, "%s", with(A("%s") A("/away") A("/1")));
    struct page pages[] = {
        {.url = "http://a.test/", .body = body},
        {.url = "http://a.test/away", .status = 302, .location = with("%s")},
        {.url = "http://a.test/1"},
        {0},
    };
    struct weft_crawl_options all[] = {
        {.scope = WEFT_SCOPE_ANY},
        {.scope = WEFT_SCOPE_ANY, .max_host_pages = 10},
        {.check = true},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct site s;
        site_init(&s, pages);
        all[i].max_url = 16000;
        struct weft_crawl_report r = site_crawl(&s, &all[i], SEEDS("http://a.test/"));
        ck_assert_uint_eq(r.end, WEFT_END_FINISHED);
        ck_assert_uint_eq(r.fetched, 2);
        ck_assert_uint_eq(r.skipped[WEFT_REASON_LIMIT], 2);
        ck_assert_uint_eq(r.left, 0);
        site_release(&s);
    }
}
END_TEST

/* Also without any option: these texts have no --max-url of their own. */
START_TEST(a_url_over_the_cap_is_no_place_for_rules_or_sitemaps)
{
    char robots[sizeof longest + 1024];
    snprintf(robots, sizeof robots, "%s", with("Sitemap: %s\n"));
    struct page pages[] = {
        {.url = "http://a.test/robots.txt", .body = robots},
        {.url = "http://a.test/"},
        {.url = "http://b.test/robots.txt", .status = 301, .location = with("%s")},
        {.url = "http://b.test/"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.sitemaps = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/", "http://b.test/"));
    ck_assert_uint_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(r.fetched, 2);
    site_release(&s);
}
END_TEST

/* ... and a larger cap holds for what a sitemap names as well. */
START_TEST(a_sitemap_may_name_what_the_cap_allows)
{
    static char body[10000];
    memset(body, 'x', sizeof body);
    memcpy(body, "http://a.test/1\nhttp://a.test/?", 31);
    memcpy(body + 9000, "\n", 2);
    struct page pages[] = {
        {.url = "http://a.test/robots.txt", .body = "Sitemap: http://a.test/map\n"},
        {.url = "http://a.test/map", .content_type = "text/plain", .body = body},
        {.url = "http://a.test/"},
        {.url = "http://a.test/1"},
        {0},
    };
    for (unsigned large = 0; large < 2; large++) {
        struct site s;
        site_init(&s, pages);
        struct weft_crawl_options o = {.sitemaps = true, .max_url = large ? 16000 : 0};
        struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
        ck_assert_uint_eq(r.fetched, 2);
        ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], large); /* asked, and not there */
        site_release(&s);
    }
}
END_TEST

/* Each of these short names stands for a long URL; all of them together would be 350 MB. */
START_TEST(what_a_sitemap_grows_to_is_bounded)
{
    static char at[7000], robots[sizeof at + 64], body[50000 * 28 + 64], *to = body;
    memset(at, 'x', sizeof at);
    memcpy(at, "http://b.test/", 14);
    memcpy(at + sizeof at - 7, "/m.xml", 7);
    snprintf(robots, sizeof robots, "Sitemap: %s\n", at);
    to += sprintf(to, "<urlset>");
    for (unsigned i = 0; i < 50000; i++) {
        to += sprintf(to, "<url><loc>%u</loc></url>", i);
    }
    sprintf(to, "</urlset>");
    struct page pages[] = {
        {.url = "http://a.test/robots.txt", .body = robots},
        {.url = at, .content_type = "text/xml", .body = body},
        {.url = "http://a.test/"},
        {0},
    };
    struct site s;
    site_init(&s, pages);
    struct weft_crawl_options o = {.sitemaps = true};
    struct weft_crawl_report r = site_crawl(&s, &o, SEEDS("http://a.test/"));
    ck_assert_uint_gt(r.skipped[WEFT_REASON_SCOPE], 7000);
    ck_assert_uint_lt(r.skipped[WEFT_REASON_SCOPE], 7600);
    site_release(&s);
}
END_TEST

START_TEST(a_long_host_is_explained)
{
    struct weft_crawl *c;
    struct weft_explanation x;
    char error[256];
    struct weft_crawl_options o = {.max_url = 16000};
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_OK);
    const char *url = with("%s");
    ck_assert_int_eq(weft_crawl_explain(c, url, strlen(url), &x), WEFT_OK);
    ck_assert_ptr_null(x.origin);
    ck_assert_int_eq(x.reason, WEFT_REASON_LIMIT);
    weft_explanation_release(&x);
    weft_crawl_free(c);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("long hosts");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, rules_at_a_long_host_are_none);
    tcase_add_test(t, a_sitemap_at_a_long_host_is_left_out);
    tcase_add_test(t, a_redirect_or_a_link_to_a_long_host_breaks_a_limit);
    tcase_add_test(t, a_url_over_the_cap_is_no_place_for_rules_or_sitemaps);
    tcase_add_test(t, a_sitemap_may_name_what_the_cap_allows);
    tcase_add_test(t, what_a_sitemap_grows_to_is_bounded);
    tcase_add_test(t, a_long_host_is_explained);
    return suite_run("crawl: long hosts", t);
}
