/* check_page_faults.c -- every allocation of the scanner and the page reader fails in turn: the
 * answer is WEFT_ENOMEM, nothing leaks, and the same reader reads the page when memory is back. */
#include "weft/page.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include "text/html.h"
#include <string.h>

/* Everything that may need memory: decoding, references, title, base behind a link, anchors, more
 * links than the first table holds. */
static const char head[] = "<title>a&amp;b \xE9</title><p id='i&amp;j'><a href='a?&amp;\xE9#f'>"
                           "<a href='b&amp;' rel='&#110;ofollow'><link rel=canonical href=c>"
                           "<base href='/x&amp;/'><meta name=robots content='no&#105;ndex'>"
                           "<img srcset='&amp;d 1x, e 2x'>";
static char html[16384];
static size_t html_len;
static struct weft_url url;
static char url_text[64];

static void setup(void)
{
    static const char at[] = "http://h.example/d/";
    html_len = sizeof head - 1;
    memcpy(html, head, html_len);
    for (char i = 'a'; i <= 'z'; i++) {
        for (char k = 'a'; k <= 'z'; k++) {
            const char link[] = {'<', 'a', ' ', 'h', 'r', 'e', 'f', '=', i, k, '>'};
            memcpy(html + html_len, link, sizeof link);
            html_len += sizeof link;
        }
    }
    ck_assert_int_eq(weft_url_parse(&url, url_text, sizeof url_text, NULL, at, strlen(at), NULL),
                     WEFT_OK);
}

static enum weft_status read_it(struct weft_page_reader *reader, const struct weft_page **page)
{
    const struct weft_page_options options = {.assets = true, .anchors = true};
    return weft_page_read(reader, &options, &url, "text/html; charset=windows-1252", NULL, html,
                          html_len, page);
}

static void check_read(const struct weft_page *page)
{
    ck_assert_str_eq(page->title, "a&b \xC3\xA9");
    ck_assert_str_eq(page->base, "http://h.example/x&/");
    ck_assert_str_eq(page->canonical, "http://h.example/x&/c");
    ck_assert_str_eq(page->anchors[0], "i&j");
    ck_assert_str_eq(page->links[0].url, "http://h.example/x&/a?&%E9");
    ck_assert_str_eq(page->links[0].fragment, "f");
    ck_assert_int_eq(page->links[1].flags, WEFT_PAGE_NOFOLLOW);
    ck_assert_uint_eq(page->nlinks, 5 + 26 * 26);
    ck_assert(page->noindex);
}

START_TEST(reader_new)
{
    bool hit = true;
    unsigned failures = 0;
    for (long n = 1; hit; n++) {
        struct weft_page_reader *reader;
        faults_alloc_at(n);
        enum weft_status st = weft_page_reader_new(&reader);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        ck_assert(hit == !reader);
        failures += hit;
        weft_page_reader_free(reader);
    }
    ck_assert_uint_ge(failures, 3);
}
END_TEST

/* A new reader each time, so that every allocation happens again. */
START_TEST(page_read)
{
    bool hit = true;
    unsigned failures = 0;
    for (long n = 1; hit; n++) {
        struct weft_page_reader *reader;
        const struct weft_page *page;
        ck_assert_int_eq(weft_page_reader_new(&reader), WEFT_OK);
        faults_alloc_at(n);
        enum weft_status st = read_it(reader, &page);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        ck_assert(hit == !page);
        failures += hit;
        if (hit) {
            ck_assert_int_eq(read_it(reader, &page), WEFT_OK);
        }
        check_read(page);
        weft_page_reader_free(reader);
    }
    ck_assert_uint_ge(failures, 12);
}
END_TEST

START_TEST(nothing_is_allocated_once_the_reader_is_warm)
{
    static const char plain[] =
        "<title>t</title><base href=/b/><a href=x><a href='y?z' rel=nofollow>"
        "<link rel=canonical href=c><p id=i><img src=s srcset='t 2x'>";
    const struct weft_page_options options = {.assets = true, .anchors = true};
    struct weft_page_reader *reader;
    const struct weft_page *page;
    ck_assert_int_eq(weft_page_reader_new(&reader), WEFT_OK);
    for (int i = 0; i < 2; i++) {
        faults_alloc_from(i);
        enum weft_status st = weft_page_read(reader, &options, &url, "text/html;charset=utf-8",
                                             NULL, plain, sizeof plain - 1, &page);
        bool hit = faults_hit();
        faults_alloc_from(0);
        ck_assert_int_eq(st, WEFT_OK);
        ck_assert(!hit);
        ck_assert_uint_eq(page->nlinks, 5);
    }
    weft_page_reader_free(reader);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, reader_new);
    tcase_add_test(tc, page_read);
    tcase_add_test(tc, nothing_is_allocated_once_the_reader_is_warm);
    return suite_run("text: page faults", tc);
}
