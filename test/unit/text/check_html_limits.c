/* check_html_limits.c -- documents of 1 MiB made to be as slow as can be. Each must be read in time
 * linear in its size: a quadratic step anywhere would run into Check's timeout. */
#include "weft/page.h"

#include "support/suite.h"
#include "text/html.h"
#include <stdlib.h>
#include <string.h>

#define SIZE (1u << 20)

/* head, then unit as often as fits, then tail. */
static const struct shape {
    const char *head, *unit, *tail;
    long links; /* -1: any number */
} shapes[] = {
    {"", "<", "<a href=x>", 1},
    {"", "</", "<a href=x>", -1},
    {"", "<a", "", 0},
    {"", "<a ", "", 0},
    {"", "<a href=x>", "", -1},
    {"", "<a href='", "", -1},
    {"", "<p a=\"", "", 0},
    {"<a href='", "&", "'>", 1},
    {"<a href='", "&#", "'>", 1},
    {"<a href='", "&#1", "'>", 1},
    {"<a href='&#", "9", "'>", 1},
    {"<a href='", "&not", "'>", 1},
    {"<a href='", "&notin", "'>", 1},
    {"<a href='", "&CounterClockwiseContourIntegra", "'>", 1},
    {"<a href='", "&nGt;", "'>", 1},
    {"<title>", "&amp;", "</title><a href=x>", 1},
    {"<title>", " a", "</title><a href=x>", 1},
    {"<a ", "b ", "href=x>", 1},
    {"<a ", "href=x ", ">", 1},
    {"<a ", "href ", ">", 1},
    {"<a ", "=", ">", 0},
    {"<a ", "/", "href=x>", 1},
    {"<a ", "a= ", "href=x>", 1},
    {"<a a", " ", "href=x>", 1},
    {"<p ", "b=c ", "><a href=x>", 1},
    {"<", "a", " href=x>", 0},
    {"", "<!--", "--><a href=x>", 1},
    {"", "<!---->", "<a href=x>", 1},
    {"<!--", "-", "-><a href=x>", 1},
    {"<!--", ">", "--><a href=x>", -1},
    {"<!--", "--!", "--><a href=x>", 1},
    {"", "<!", "", 0},
    {"", "<?", "", 0},
    {"", "<title>", "", 0},
    {"<title>", "</titl", "</title><a href=x>", 1},
    {"<script>", "</scrip", "</script><a href=x>", 1},
    {"<script>", "<!--<script>", "--></script><a href=x>", 1},
    {"<script><!--", "<script></script>", "</script><a href=x>", 1},
    {"<script>", "<!---->", "</script><a href=x>", 1},
    {"", "<script></script>", "<a href=x>", 1},
    {"", "<div>", "<a href=x>", 1},
    {"", "<div>", "<frameset><frame src=x>", 1},
    {"", "<a href=x>", "<frameset><frame src=x>", 1},
    {"", "<frameset>", "<frame src=x>", 1},
    {"", "<svg>", "<a href=x>", 1},
    {"<svg>", "<g>", "<a href=x>", 1},
    {"<svg>", "</g>", "<a href=x>", 1},
    {"<svg><g><h>", "</x-y-z>", "", 0},
    {"<svg><desc>", "<b>", "<a href=x>", 1},
    {"<svg><desc>", "<li>", "<a href=x>", 1},
    {"<svg><desc>", "<p><b>", "<a href=x>", 1},
    {"<svg><desc>", "<b><p></b>", "<a href=x>", 1},
    {"", "<svg><desc>", "<a href=x>", 1},
    {"", "<math><mi>", "<a href=x>", 1},
    {"", "<template>", "<a href=x>", 0},
    {"", "<template></template>", "<a href=x>", 1},
    {"", "</template>", "<a href=x>", 1},
    {"<svg>", "<![CDATA[", "]]><a href=x>", 1},
    {"<svg><![CDATA[", "]", "]><a href=x>", 1},
    {"<img srcset='", ",", "x'>", 1},
    {"<img srcset='", "a,", "a 1x, b'>", 2},
    {"<img srcset='", "a,\n", "'>", -1},
    {"<img srcset='a ", "1x ", "'>", 0},
    {"<img srcset='a (", "(", "'>", 0},
    {"<meta http-equiv=refresh content='", " ", "0;url=x'>", 1},
    {"<meta http-equiv=refresh content='0", ".", ";url=x'>", 1},
    {"<a href=x rel='", "a ", "'>", 1},
    {"", "<base href=/b/>", "<a href=x>", 1},
    {"<a href=y>", "<base href=/b/>", "<a href=x>", 2},
    {"", "\r", "<a href=x>", 1},
};

static void count_link(void *user, const struct weft_html_link *link)
{
    (void)link;
    ++*(long *)user;
}

static void nothing(void *user, const char *id, size_t len, size_t at)
{
    (void)user;
    (void)id;
    (void)len;
    (void)at;
}

static char *make(const struct shape *shape, size_t *len)
{
    size_t unit = strlen(shape->unit), n = strlen(shape->head), tail = strlen(shape->tail);
    char *html = malloc(SIZE + n + tail);
    ck_assert_ptr_nonnull(html);
    memcpy(html, shape->head, n);
    for (; n + unit <= SIZE; n += unit) {
        memcpy(html + n, shape->unit, unit);
    }
    memcpy(html + n, shape->tail, tail);
    *len = n + tail;
    return html;
}

START_TEST(slow_shapes)
{
    const struct shape *shape = &shapes[_i];
    size_t len;
    char *html = make(shape, &len);
    for (int anchors = 0; anchors < 2; anchors++) {
        long links = 0;
        struct weft_html_sink sink = {
            .user = &links, .link = count_link, .anchor = anchors ? nothing : NULL, .assets = true};
        ck_assert_int_eq(weft_html_scan(html, len, &sink), WEFT_OK);
        ck_assert_msg(shape->links < 0 || links == shape->links, "%s%s...%s: %ld links",
                      shape->head, shape->unit, shape->tail, links);
    }
    free(html);
}
END_TEST

START_TEST(slow_pages)
{
    static const struct shape pages[] = {
        {"<title>", "\r\nx", "</title>", 0},
        {"", "<a href=x>", "", 1},
        {"", "<a href='//'>", "<base href=/b/>", 0},
        {"<a href=y><base href=", "/b", "><a href=x>", 2},
        {"", "<p id=i>", "", 0},
        {"<meta name=robots content='", "a,", "'><a href=x>", 1},
        {"<meta name=robots content='", "a ", "nofollow'><a href=x>", 1},
    };
    static char text[64];
    static const char at[] = "http://h.example/";
    struct weft_page_options options = {.assets = true, .anchors = true};
    struct weft_url url;
    struct weft_page_reader *reader;
    const struct weft_page *page;
    ck_assert_int_eq(weft_url_parse(&url, text, sizeof text, NULL, at, strlen(at), NULL), WEFT_OK);
    ck_assert_int_eq(weft_page_reader_new(&reader), WEFT_OK);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        size_t len;
        char *html = make(&pages[i], &len);
        ck_assert_int_eq(weft_page_read(reader, &options, &url, NULL, NULL, html, len, &page),
                         WEFT_OK);
        ck_assert_uint_eq(page->nlinks, (size_t)pages[i].links);
        options.occurrences = true;
        options.max_links = SIZE;
        ck_assert_int_eq(weft_page_read(reader, &options, &url, NULL, NULL, html, len, &page),
                         WEFT_OK);
        ck_assert_uint_ge(page->nlinks, (size_t)pages[i].links);
        options.occurrences = false;
        free(html);
    }
    weft_page_reader_free(reader);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("limits");
    tcase_add_loop_test(tc, slow_shapes, 0, sizeof shapes / sizeof shapes[0]);
    tcase_add_test(tc, slow_pages);
    return suite_run("text: HTML limits", tc);
}
