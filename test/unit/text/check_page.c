/* check_page.c -- the page reader: links as URLs, base, title, robots, charset, limits. */
#include "weft/page.h"

#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT "http://h.example/dir/page.html"

static struct weft_page_reader *reader;
static char url_text[WEFT_MAX_URL_WORK];
static struct weft_url url;

static void setup(void)
{
    ck_assert_int_eq(weft_page_reader_new(&reader), WEFT_OK);
    ck_assert_int_eq(weft_url_parse(&url, url_text, sizeof url_text, NULL, AT, strlen(AT), NULL),
                     WEFT_OK);
}

static void teardown(void)
{
    weft_page_reader_free(reader);
}

static const struct weft_page *read_with(const struct weft_page_options *options,
                                         const char *content_type, const char *robots,
                                         const char *body, size_t len)
{
    const struct weft_page *page;
    ck_assert_int_eq(weft_page_read(reader, options, &url, content_type, robots, body, len, &page),
                     WEFT_OK);
    ck_assert_ptr_nonnull(page->charset);
    for (size_t i = 0; i < page->nlinks; i++) {
        const struct weft_page_link *link = &page->links[i];
        ck_assert_uint_eq(strlen(link->url), link->len);
        ck_assert_ptr_null(strchr(link->url, '#'));
        ck_assert_int_eq(page->text[link->at], '<');
    }
    return page;
}

static const struct weft_page *read_page(const char *body)
{
    return read_with(NULL, NULL, NULL, body, strlen(body));
}

/* "path path!" -- URLs on h.example shortened to their path, '!' behind those marked nofollow, '*'
 * behind assets, "#x" for the fragment. */
static const char *summary(const struct weft_page *page)
{
    static char out[4096];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < page->nlinks; i++) {
        const struct weft_page_link *link = &page->links[i];
        const char *here = "http://h.example";
        bool local = strncmp(link->url, here, strlen(here)) == 0;
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s%s%s%s%s", i ? " " : "",
                              local ? link->url + strlen(here) : link->url,
                              link->fragment ? "#" : "", link->fragment ? link->fragment : "",
                              link->flags & WEFT_PAGE_NOFOLLOW ? "!" : "",
                              link->flags & WEFT_PAGE_ASSET ? "*" : "");
    }
    return out;
}

static const struct {
    const char *html, *links, *why;
} cases[] = {
    {"<a href=a><a href=/b><a href='?c'><a href=//o.example/d>",
     "/dir/a /b /dir/page.html?c http://o.example/d", "resolved"},
    {"<a href=b><a href=a><a href=./b>", "/dir/b /dir/a",
     "once each, in order of first occurrence"},
    {"<a href=a#x><a href=a#y><a href=b><a href=a>", "/dir/a#x /dir/b",
     "fragments make no other page; the first one is kept"},
    {"<a href='#x'><a href=''>", "/dir/page.html#x", "the page itself"},
    {"<a href=a#>", "/dir/a#", "an empty fragment is one"},
    {"<a href=mailto:x@h.example><a href=javascript:x()><a href=http://[><a href=a>", "/dir/a",
     "what is no http URL is left out"},
    {"<a href=a rel=nofollow><a href=b rel='x NoFollow y'><a href=c rel=nofollowx>",
     "/dir/a! /dir/b! /dir/c", "rel tokens"},
    {"<a href=a rel=nofollow><a href=a><a href=b><a href=b rel=nofollow>", "/dir/a /dir/b",
     "one link without nofollow is enough"},
    {"<a href=a><meta name=robots content='index, NOFOLLOW'>", "/dir/a!", "meta robots, anywhere"},
    {"<meta name=robots content=none><a href=a>", "/dir/a!", "none is both"},
    {"<meta name=weft content=nofollow><a href=a>", "/dir/a!", "for weft alone"},
    {"<meta name=otherbot content=nofollow><a href=a>", "/dir/a", "for another"},
    {"<base href=/b/><a href=a>", "/b/a", "base"},
    {"<a href=a><base href=/b/><a href=c>", "/b/a /b/c", "base counts for what is before it too"},
    {"<a href=a><base href=/b/><a href=/b/a>", "/b/a", "... so that these two are one"},
    {"<base href=/b/><base href=/c/><a href=a>", "/b/a", "only the first"},
    {"<base target=x><base href=/c/><a href=a>", "/c/a", "with an href"},
    {"<base href='http://['><base href=/c/><a href=a>", "/dir/a", "if it is no URL, none"},
    {"<base href='data:x'><a href=a>", "/dir/a", "nor if its scheme is data"},
    {"<base href=' Java\nScript:x'><a href=a>", "/dir/a", "or javascript"},
    {"<base href='ftp://f.example/'><a href=a><a href=http:b><a href=http://o.example/>",
     "http://b/ http://o.example/", "of another scheme: what is relative leads there"},
    {"<base href='//o.example'><a href=a>", "http://o.example/a", "another host"},
    {"<link rel=canonical href=c><link rel=next href=n><link rel=stylesheet href=s>"
     "<link rel='shortcut icon' href=i><link rel='alternate stylesheet' href=t>",
     "/dir/c /dir/n", "of links those that lead to pages"},
    {"<img src=i><script src=s></script><a href=a>", "/dir/a", "no assets unless asked for"},
    {"<iframe src=i></iframe><meta http-equiv=refresh content='0;url=r'>", "/dir/i /dir/r",
     "frames and refresh lead to pages"},
    {"<a href='a b'><a href='\xC3\xA9?\xC3\xA9'>", "/dir/a%20b /dir/%C3%A9?%C3%A9", "escaped"},
};

START_TEST(links_are_urls)
{
    const struct weft_page *page = read_with(NULL, "text/html; charset=utf-8", NULL, cases[_i].html,
                                             strlen(cases[_i].html));
    ck_assert_msg(strcmp(summary(page), cases[_i].links) == 0,
                  "%s\n  %s\n  expected %s\n  found    %s", cases[_i].why, cases[_i].html,
                  cases[_i].links, summary(page));
}
END_TEST

START_TEST(assets_when_asked_for)
{
    const struct weft_page_options options = {.assets = true};
    const char *html = "<link rel=stylesheet href=s><img src=i srcset='j 2x'><a href=a><img src=a>"
                       "<link rel=icon href=a2><a href=a2><video src=v poster=p></video>";
    const struct weft_page *page = read_with(&options, NULL, NULL, html, strlen(html));
    ck_assert_str_eq(summary(page), "/dir/s* /dir/i* /dir/j* /dir/a /dir/a2 /dir/v* /dir/p*");
}
END_TEST

START_TEST(occurrences_are_kept_when_asked_for)
{
    const struct weft_page_options options = {.occurrences = true};
    const char *html = "<a href=a#x><a href=a><a href=a rel=nofollow>";
    const struct weft_page *page = read_with(&options, NULL, NULL, html, strlen(html));
    ck_assert_str_eq(summary(page), "/dir/a#x /dir/a /dir/a!");
    ck_assert_uint_eq(page->links[1].at, 12);
}
END_TEST

static const struct {
    const char *html, *title;
} titles[] = {
    {"<p>none", NULL},
    {"<title></title>", ""},
    {"<title> \n </title>", ""},
    {"<title>\n  A\t\tlong \r\n title </title>", "A long title"},
    {"<title>A &amp; B&nbsp; C</title>", "A & B\xC2\xA0 C"},
    {"<title>one</title><title>two</title>", "one"},
};

START_TEST(title_is_collapsed)
{
    const struct weft_page *page = read_page(titles[_i].html);
    if (titles[_i].title) {
        ck_assert_str_eq(page->title, titles[_i].title);
    } else {
        ck_assert_ptr_null(page->title);
    }
}
END_TEST

START_TEST(long_title_is_cut_between_characters)
{
    static char html[3 * WEFT_MAX_TITLE];
    for (int shift = 0; shift < 3; shift++) {
        size_t n = (size_t)snprintf(html, sizeof html, "<title>%.*s", shift, "xx");
        while (n + 3 < sizeof html) {
            memcpy(html + n, "\xE2\x82\xAC", 3);
            n += 3;
        }
        const struct weft_page *page = read_with(NULL, "text/html;charset=utf-8", NULL, html, n);
        size_t len = strlen(page->title);
        ck_assert_uint_le(len, WEFT_MAX_TITLE);
        ck_assert_uint_gt(len, WEFT_MAX_TITLE - 3);
        ck_assert_uint_eq((len - (size_t)shift) % 3, 0);
    }
    size_t n = (size_t)snprintf(html, sizeof html, "<title>");
    while (n + 2 < sizeof html) {
        memcpy(html + n, "a ", 2);
        n += 2;
    }
    ck_assert_uint_le(strlen(read_with(NULL, NULL, NULL, html, n)->title), WEFT_MAX_TITLE);
}
END_TEST

static const struct {
    const char *field;
    bool noindex, nofollow;
} robots[] = {
    {"noindex", true, false},
    {"NoFollow", false, true},
    {"none", true, true},
    {"noindex, nofollow", true, true},
    {"noindex nofollow", true, true},
    {"noarchive,noindex", true, false},
    {"xnoindex, no-follow", false, false},
    {"weft: noindex", true, false},
    {"WEFT : nofollow", false, true},
    {"*: noindex", true, false},
    {"otherbot: noindex, nofollow", false, false},
    {"otherbot: noindex, weft: nofollow", false, true},
    {"weft: noindex, otherbot: nofollow", true, false},
    {"otherbot: noindex\nnofollow", false, true},
    {"unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow", false, true},
    {"unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, nofollow", false, true},
    {"max-snippet: 5, noindex", true, false},
    {"max-image-preview:none", false, false},
    {"", false, false},
    {":,:,\n", false, false},
};

START_TEST(x_robots_tag)
{
    const struct weft_page *page = read_with(NULL, NULL, robots[_i].field, "<a href=a>", 10);
    ck_assert_int_eq(page->noindex, robots[_i].noindex);
    ck_assert_int_eq(page->nofollow, robots[_i].nofollow);
    ck_assert_str_eq(summary(page), robots[_i].nofollow ? "/dir/a!" : "/dir/a");
}
END_TEST

START_TEST(canonical_is_the_first_and_resolved)
{
    const struct weft_page *page = read_page(
        "<link rel=Canonical href='/c?x#y'><link rel=canonical href=/d>");
    ck_assert_str_eq(page->canonical, "http://h.example/c?x");
    page = read_page("<link rel=canonical href=c><base href=/b/>");
    ck_assert_str_eq(page->canonical, "http://h.example/b/c");
    ck_assert_str_eq(page->base, "http://h.example/b/");
    page = read_page("<link rel=canonical href=javascript:x>");
    ck_assert_ptr_null(page->canonical);
    ck_assert_str_eq(page->base, AT);
}
END_TEST

START_TEST(what_was_dropped_is_counted)
{
    const struct weft_page_options options = {.max_links = 2, .max_url = 40};
    const char *html = "<a href=mailto:x><a href=tel:1><a href=http://[><a href=//><a href=http:>"
                       "<a href=1><a href=2><a href=1><a href=3><a href=4>"
                       "<a href=0123456789012345678901234567890123456789>"
                       "<a href=2#0123456789012345678901234567890123456789>";
    const struct weft_page *page = read_with(&options, NULL, NULL, html, strlen(html));
    ck_assert_uint_eq(page->other_schemes, 2);
    ck_assert_uint_eq(page->bad_urls, 2);
    ck_assert_uint_eq(page->over_max, 4); /* 2, 3, 4, and 2 once more */
    ck_assert_uint_eq(page->too_long, 1);
    ck_assert_str_eq(summary(page), "/dir/page.html /dir/1");
}
END_TEST

START_TEST(counts_are_of_the_second_reading)
{
    const struct weft_page *page = read_page(
        "<a href=mailto:x><a href=http://[><base href=/b/><a href=a>");
    ck_assert_uint_eq(page->other_schemes, 1);
    ck_assert_uint_eq(page->bad_urls, 1);
}
END_TEST

START_TEST(kept_bytes_are_limited)
{
    /* A short reference can come to a long URL: the base's path is repeated in each. */
    size_t n = 0, cap = 200 * 1024;
    char *html = malloc(cap);
    ck_assert_ptr_nonnull(html);
    n += (size_t)snprintf(html, cap, "<base href='/");
    memset(html + n, 'x', 7900);
    n += 7900;
    n += (size_t)snprintf(html + n, cap - n, "/'>");
    for (int i = 0; i < 9000; i++) {
        n += (size_t)snprintf(html + n, cap - n, "<a href=%d>", i);
    }
    const struct weft_page *page = read_with(NULL, NULL, NULL, html, n);
    ck_assert_uint_gt(page->over_max, 7000);
    ck_assert_uint_eq(page->nlinks + page->over_max, 9000);
    ck_assert_uint_le(page->nlinks * page->links[0].len, WEFT_MAX_LINK_BYTES);
    free(html);
}
END_TEST

START_TEST(many_links_are_all_found_again)
{
    size_t n = 0, cap = 1 << 20;
    char *html = malloc(cap);
    ck_assert_ptr_nonnull(html);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 10000; i++) {
            n += (size_t)snprintf(html + n, cap - n, "<a href=/p%d>", i);
        }
    }
    for (int again = 0; again < 3;
         again++) { /* the same reader: nothing is left of the last page */
        const struct weft_page *page = read_with(NULL, NULL, NULL, html, n);
        ck_assert_uint_eq(page->nlinks, 10000);
        ck_assert_uint_eq(page->over_max, 0);
        ck_assert_str_eq(page->links[9999].url, "http://h.example/p9999");
        ck_assert_str_eq(summary(read_page("<a href=/p1>")), "/p1");
    }
    free(html);
}
END_TEST

START_TEST(anchors_are_ids_and_names)
{
    const struct weft_page_options options = {.anchors = true};
    const char *html = "<p id=a><a name=b id=c href=x><div ID='d &amp; e'><svg id=f></svg>"
                       "<template><p id=no></template><p name=no id=''><base href=/b/>";
    const struct weft_page *page = read_with(&options, NULL, NULL, html, strlen(html));
    static const char *const expected[] = {"a", "c", "b", "d & e", "f"};
    ck_assert_uint_eq(page->nanchors, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(page->anchors[i], expected[i]);
    }
    ck_assert_str_eq(summary(page), "/b/x");
    ck_assert_uint_eq(read_page("<p id=a>")->nanchors, 0);
}
END_TEST

START_TEST(text_is_utf8_and_borrowed_where_it_can_be)
{
    const char *utf8 = "<title>\xC3\xA9</title><a href='?\xC3\xA9'>";
    const struct weft_page *page = read_with(NULL, "text/html; charset=UTF-8", NULL, utf8,
                                             strlen(utf8));
    ck_assert_ptr_eq(page->text, utf8);
    ck_assert_str_eq(page->charset, "UTF-8");
    ck_assert_str_eq(summary(page), "/dir/page.html?%C3%A9");

    const char *bom = "\xEF\xBB\xBF<a href=x>";
    page = read_with(NULL, NULL, NULL, bom, strlen(bom));
    ck_assert_ptr_eq(page->text, bom + 3);
    ck_assert_uint_eq(page->links[0].at, 0);

    const char *ascii = "<a href=x>";
    page = read_with(NULL, "text/html; charset=koi8-r", NULL, ascii, strlen(ascii));
    ck_assert_ptr_eq(page->text, ascii);
    ck_assert_str_eq(page->charset, "KOI8-R");

    const char *latin = "<title>\xE9</title><a href='\xE9?\xE9'>";
    page = read_with(NULL, "text/html; charset=iso-8859-1", NULL, latin, strlen(latin));
    ck_assert_str_eq(page->title, "\xC3\xA9");
    ck_assert_str_eq(page->charset, "windows-1252");
    ck_assert_str_eq(summary(page), "/dir/%C3%A9?%E9");
    ck_assert_uint_eq(page->text_len, strlen(latin) + 3);

    const char *broken = "<title>\xFFz</title><a href=x>";
    page = read_with(NULL, "text/html; charset=utf-8", NULL, broken, strlen(broken));
    ck_assert_str_eq(page->title, "\xEF\xBF\xBDz");
    ck_assert_str_eq(summary(page), "/dir/x");

    static const char wide[] = "\xFF\xFE<\0a\0 \0h\0r\0e\0f\0=\0x\0>";
    page = read_with(NULL, NULL, NULL, wide, sizeof wide);
    ck_assert_str_eq(page->charset, "UTF-16LE");
    ck_assert_str_eq(summary(page), "/dir/x");
}
END_TEST

START_TEST(nothing_is_a_page_too)
{
    const struct weft_page *page = read_with(NULL, NULL, NULL, NULL, 0);
    ck_assert_uint_eq(page->nlinks, 0);
    ck_assert_ptr_null(page->title);
    ck_assert_str_eq(page->base, AT);
    weft_page_reader_free(NULL);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("page");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, links_are_urls, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tc, assets_when_asked_for);
    tcase_add_test(tc, occurrences_are_kept_when_asked_for);
    tcase_add_loop_test(tc, title_is_collapsed, 0, sizeof titles / sizeof titles[0]);
    tcase_add_test(tc, long_title_is_cut_between_characters);
    tcase_add_loop_test(tc, x_robots_tag, 0, sizeof robots / sizeof robots[0]);
    tcase_add_test(tc, canonical_is_the_first_and_resolved);
    tcase_add_test(tc, what_was_dropped_is_counted);
    tcase_add_test(tc, counts_are_of_the_second_reading);
    tcase_add_test(tc, kept_bytes_are_limited);
    tcase_add_test(tc, many_links_are_all_found_again);
    tcase_add_test(tc, anchors_are_ids_and_names);
    tcase_add_test(tc, text_is_utf8_and_borrowed_where_it_can_be);
    tcase_add_test(tc, nothing_is_a_page_too);
    return suite_run("text: page", tc);
}
