/* check_html_links.c -- which elements and attributes are links; srcset, meta refresh, rel. */
#include "html_trace.h"

#include "support/suite.h"
#include "text/refresh.h"
#include "text/srcset.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct html_case kinds[] = {
    HTML_CASE("<a href=x>", "a(x)", "4.5.1"),
    HTML_CASE("<area href=x>", "area(x)", "4.8.14"),
    HTML_CASE("<link href=x><link rel='a B' href=y>", "link(x) link(y|a B)", "4.2.4, any rel"),
    HTML_CASE("<iframe src=x></iframe>", "iframe(x)", "4.8.5"),
    HTML_CASE("<frameset><frame src=x>", "frame(x)", "16.3.3"),
    HTML_CASE("<img src=x srcset='y 2x, z'>", "img(x) img-set(y) img-set(z)", "4.8.3"),
    HTML_CASE("<img srcset='y' src=x>", "img(x) img-set(y)", "src first, however written"),
    HTML_CASE("<picture><source srcset='x 1x'><source src=y></picture>", "source-set(x) source(y)",
              "4.8.2"),
    HTML_CASE("<script src=x></script>", "script(x)", "4.12.1"),
    HTML_CASE("<audio src=x></audio>", "audio(x)", "4.8.9"),
    HTML_CASE("<video src=x poster=y></video>", "video(x) poster(y)", "4.8.8"),
    HTML_CASE("<track src=x>", "track(x)", "4.8.10"),
    HTML_CASE("<embed src=x>", "embed(x)", "4.8.6"),
    HTML_CASE("<object data=x></object>", "object(x)", "4.8.7"),
    HTML_CASE("<input type=image src=x><input type=IMAGE src=y>", "input(x) input(y)",
              "4.10.5.1.19"),
    HTML_CASE("<input src=no><input type=submit src=no><input type=' image' src=no>", "",
              "of no other type"),
    HTML_CASE("<input type='&#105;mage' src=x>", "input(x)", "attributes are compared decoded"),
    HTML_CASE("<link rel=preload imagesrcset='x 1x, y 2x' href=z>",
              "link(z|preload) link-set(x|preload) link-set(y|preload)", "4.2.4"),
    HTML_CASE("<image src=x>", "img(x)", "13.2.6.4.7: image is img"),
    HTML_CASE("<a href=''><area href><a href>", "a() area() a()", "empty: the page itself"),
    HTML_CASE("<img src=''><link href><script src=''></script><iframe src></iframe>"
              "<embed src=''><object data=''></object><video src='' poster=''></video>",
              "", "empty: nothing is loaded"),
    HTML_CASE("<a src=no><img href=no><area src=no><p href=no><div src=no><span data=no>", "",
              "other attributes and elements"),
    HTML_CASE("<form action=no><button formaction=no><q cite=no><body background=no>"
              "<a ping=no><html manifest=no><applet code=no>",
              "", "no links"),
};

static const struct html_case metas[] = {
    HTML_CASE("<meta http-equiv=refresh content='1;url=x'>", "refresh(x)", "4.2.5.3"),
    HTML_CASE("<meta content='1;url=x' http-equiv=REFRESH>", "refresh(x)", "any order and case"),
    HTML_CASE("<meta http-equiv='&#114;efresh' content='1;url=x&amp;y'>", "refresh(x&y)",
              "decoded"),
    HTML_CASE("<meta http-equiv=refresh><meta content='1;url=no'>", "", "both attributes"),
    HTML_CASE(
        "<meta http-equiv=refreshed content='1;url=no'><meta name=refresh content='1;url=no'>", "",
        "that value alone"),
    HTML_CASE("<meta name=robots content='a,&#32;b'>", "robots(a, b)", "for all"),
    HTML_CASE("<meta name=ROBOTS content=a><meta name=weft content=b><meta name=bot content=no>",
              "robots(a) robots(b)", "or for weft"),
    HTML_CASE("<p><meta name=robots content=a>", "robots(a)", "wherever it stands"),
    HTML_CASE("<meta name=robots>", "", "with content"),
};

#define TABLE(name)                                                                                \
    START_TEST(check_##name)                                                                       \
    {                                                                                              \
        html_check(&name[_i], true);                                                               \
    }                                                                                              \
    END_TEST
TABLE(kinds)
TABLE(metas)

static void on_rel(void *user, const struct weft_html_link *link)
{
    *(unsigned *)user = link->rel;
}

static const struct {
    const char *rel;
    unsigned bits;
} rels[] = {
    {"nofollow", WEFT_REL_NOFOLLOW},
    {"NoFollow", WEFT_REL_NOFOLLOW},
    {" nofollow\tcanonical ", WEFT_REL_NOFOLLOW | WEFT_REL_CANONICAL},
    {"alternate", WEFT_REL_ALTERNATE},
    {"stylesheet", WEFT_REL_STYLESHEET | WEFT_REL_RESOURCE},
    {"alternate\nstylesheet", WEFT_REL_ALTERNATE | WEFT_REL_STYLESHEET | WEFT_REL_RESOURCE},
    {"shortcut icon", WEFT_REL_OTHER | WEFT_REL_RESOURCE},
    {"modulepreload", WEFT_REL_OTHER | WEFT_REL_RESOURCE},
    {"next", WEFT_REL_OTHER},
    {"nofollow-not", WEFT_REL_OTHER},
    {"nofollow,noopener", WEFT_REL_OTHER},
    {"", 0},
    {"  ", 0},
};

START_TEST(rel_bits)
{
    char html[128];
    unsigned bits = 99;
    struct weft_html_sink sink = {.user = &bits, .link = on_rel};
    int n = snprintf(html, sizeof html, "<a href=x rel='%s'>", rels[_i].rel);
    ck_assert_int_eq(weft_html_scan(html, (size_t)n, &sink), WEFT_OK);
    ck_assert_uint_eq(bits, rels[_i].bits);
}
END_TEST

START_TEST(assets_are_reported_when_asked_for)
{
    unsigned bits = 99;
    struct weft_html_sink sink = {.user = &bits, .link = on_rel};
    static const char html[] =
        "<img src=x srcset=y><script src=z></script><svg><image href=x /></svg>";
    ck_assert_int_eq(weft_html_scan(html, sizeof html - 1, &sink), WEFT_OK);
    ck_assert_uint_eq(bits, 99);
    sink.assets = true;
    ck_assert_int_eq(weft_html_scan(html, sizeof html - 1, &sink), WEFT_OK);
    ck_assert_uint_eq(bits, 0);
}
END_TEST

static const struct {
    const char *content, *url;
} refreshes[] = {
    {"0;url=x", "x"},      {"0; URL = x", "x"}, {"0,url=x", "x"},
    {"0 url=x", "x"},      {"0 ; url=x", "x"},  {" \t0\n;\furl\r=\tx", "x"},
    {"12.5.6;url=x", "x"}, {".5;url=x", "x"},   {".;url=x", "x"},
    {"0;x", "x"},          {"0 x", "x"},        {"0;url x", "url x"},
    {"0;ur=x", "ur=x"},    {"0;u", "u"},        {"0;url", "url"},
    {"0;url='x'y", "x"},   {"0;url=\"x", "x"},  {"0;url=\"x'y", "x'y"},
    {"0;'x'y", "x"},       {"0;url=x ", "x "},  {"0;url=a url=b", "a url=b"},
    {"0;;x", ";x"},        {"0", NULL},         {"0;", NULL},
    {"0;url=", NULL},      {"0;url=''", NULL},  {"", NULL},
    {"x", NULL},           {";x", NULL},        {"-1;url=x", NULL},
    {"+1;url=x", NULL},    {"1x;url=x", NULL},  {"1e1;url=x", NULL},
    {"url=x", NULL},
};

START_TEST(refresh)
{
    const char *url;
    size_t len;
    const char *content = refreshes[_i].content;
    bool found = weft_refresh_url(content, strlen(content), &url, &len);
    ck_assert_msg(found == (refreshes[_i].url != NULL), "%s", content);
    if (found) {
        ck_assert_uint_eq(len, strlen(refreshes[_i].url));
        ck_assert_mem_eq(url, refreshes[_i].url, len);
    }
}
END_TEST

/* URLs parted by '|', as no URL here has it. */
static const struct {
    const char *srcset, *urls;
} srcsets[] = {
    {"a", "a"},
    {"a 1x", "a"},
    {"a 1x,b 2x", "a|b"},
    {"a, b", "a|b"},
    {"a,b", "a,b"},
    {" \t\n\f\ra , , b,", "a|b"},
    {",,a,,,", "a"},
    {"a,,b 1x", "a,,b"},
    {"a 1c, b", "b"},
    {"", ""},
    {" , ,", ""},
    {"a 10w", "a"},
    {"a 10w 5h", "a"},
    {"a 5h 10w", "a"},
    {"a 5h", ""},
    {"a 0w", ""},
    {"a 00w", ""},
    {"a 007w", "a"},
    {"a 0h 1w", ""},
    {"a -1w", ""},
    {"a 1.5w", ""},
    {"a w", ""},
    {"a 1x 1x", ""},
    {"a 1w 1x", ""},
    {"a 1x 1w", ""},
    {"a 1x 1h", ""},
    {"a 1h 1x", ""},
    {"a 1w 1w", ""},
    {"a 1w 1h 1h", ""},
    {"a 0x", "a"},
    {"a -0x", "a"},
    {"a -0.0e5x", "a"},
    {"a -1x", ""},
    {"a -.1x", ""},
    {"a +1x", ""},
    {"a .5x", "a"},
    {"a 1.x", ""},
    {"a 1.5e3x", "a"},
    {"a 1E-3x", "a"},
    {"a 1e+3x", "a"},
    {"a 1ex", ""},
    {"a e1x", ""},
    {"a x", ""},
    {"a 1X", ""},
    {"a nanx", ""},
    {"a infx", ""},
    {"a 1xx", ""},
    {"a 1q, b", "b"},
    {"a (1x, b 2x), c", "c"},
    {"a (b, c", ""},
    {"a (b) 1x, c", "c"},
    {"a f(1,2)x, c", "c"},
    {"a ), c", "c"},
    {"data:x,y 1x, b", "data:x,y|b"},
    {"a\xC2\xA0"
     "1x",
     "a\xC2\xA0"
     "1x"},
};

START_TEST(srcset)
{
    const char *p = srcsets[_i].srcset, *end = p + strlen(p), *url;
    size_t len;
    char got[128] = "";
    while (weft_srcset_next(&p, end, &url, &len)) {
        ck_assert_uint_gt(len, 0);
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", *got ? "|" : "", (int)len,
                 url);
    }
    ck_assert_msg(strcmp(got, srcsets[_i].urls) == 0, "%s: %s, not %s", srcsets[_i].srcset, got,
                  srcsets[_i].urls);
}
END_TEST

#define COUNT(table) (sizeof table / sizeof table[0])

int main(void)
{
    TCase *tc = tcase_create("links");
    tcase_add_loop_test(tc, check_kinds, 0, COUNT(kinds));
    tcase_add_loop_test(tc, check_metas, 0, COUNT(metas));
    tcase_add_loop_test(tc, rel_bits, 0, COUNT(rels));
    tcase_add_test(tc, assets_are_reported_when_asked_for);
    tcase_add_loop_test(tc, refresh, 0, COUNT(refreshes));
    tcase_add_loop_test(tc, srcset, 0, COUNT(srcsets));
    return suite_run("text: HTML links", tc);
}
