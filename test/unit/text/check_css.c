/* check_css.c -- CSS selectors: what each matches on a sample page, as its elements' ids in the
 * order of the page; what is refused, and where; limits. */
#include "text/css.h"

#include "base/limits.h"
#include "support/suite.h"
#include "text/extract.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char page[] =
    "<!DOCTYPE html>\n"
    "<html id=\"html\" lang=\"en-GB\"><head id=\"head\"><title id=\"title\">T</title></head>\n"
    "<body id=\"body\" class=\"page  wide\">\n"
    "<!-- a comment -->\n"
    "<div id=\"d1\" class=\"box first\"><h2 id=\"h1\">One</h2>\n"
    "  <p id=\"p1\" class=\"lead\">text <b id=\"b1\">bold</b> and <i id=\"i1\"></i></p>\n"
    "  <p id=\"p2\" data-x=\"a b c\" lang=\"en\">two</p><span id=\"s1\"> </span><p id=\"p3\" "
    "lang=\"en-US\">three <!-- c --></p></div>\n"
    "<div id=\"d2\" class=\"box&#9;second\" title=\"it's &quot;quoted&quot;\"><ul id=\"u1\"><li "
    "id=\"l1\" class=\"Odd\">1</li><li id=\"l2\">2</li><li id=\"l3\" class=\"odd\">3</li>\n"
    "  <li id=\"l4\">4</li><li id=\"l5\" class=\"x-odd\">5</li><li id=\"l6\"><a id=\"a1\" "
    "href=\"http://a.example/One.PDF\" rel=\"nofollow noopener\">pdf</a></li></ul>\n"
    "  <a id=\"a2\" href=\"/two.html\">two</a><a id=\"a3\" href=\"#frag\" "
    "hreflang=\"en\">three</a><a id=\"a4\">none</a></div>\n"
    "<div id=\"d3\"><div id=\"d4\"><div id=\"d5\" class=\"box\"><p "
    "id=\"p4\">deep</p></div></div><em id=\"e1\"><!-- only a comment --></em></div>\n"
    "<p id=\"p5\" class=\"\">five</p><p id=\"a.b\" class=\"1st\">six</p><p id=\"ü\" "
    "class=\"größe\" data-empty=\"\">seven</p>\n"
    "<form id=\"f1\"><input id=\"n1\" type=\"TEXT\" name=\"q\"><input id=\"n2\" type=\"submit\" "
    "disabled><select id=\"c1\"><option id=\"o1\">1</option><option id=\"o2\" "
    "selected>2</option></select></form>\n"
    "</body></html>\n";

/* What a selector gives: the @id of each row, or the row's own value, with a space between. */
static const char *matches(const char *selector, const char *field)
{
    static char text[8192];
    char row[WEFT_MAX_CSS + 8], select[64], error[512] = "";
    struct weft_extractor *x;
    struct weft_extracted e;
    snprintf(row, sizeof row, "css:%s", selector);
    snprintf(select, sizeof select, "x=%s", field);
    enum weft_status st = weft_extractor_new(&x, row, (const char *const[]){select, NULL}, error,
                                             sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s: %s", selector, error);
    ck_assert_int_eq(weft_extractor_run(x, page, sizeof page - 1, &e), WEFT_OK);
    text[0] = '\0';
    for (size_t i = 0; i < e.nrows; i++) {
        strcat(text, i ? " " : "");
        strcat(text, e.fields[i].value ? e.fields[i].value : "-");
    }
    weft_extracted_release(&e);
    weft_extractor_free(x);
    return text;
}

/* What cssselect 1.2.0 and lxml 4.9.2 say of the same page, but for :only-child, which Selectors 4
 * has match the root, and EVEN. */
static const struct {
    const char *selector, *ids;
} samples[] = {
    {"p", "p1 p2 p3 p4 p5 a.b ü"},
    {"P", "p1 p2 p3 p4 p5 a.b ü"},
    {"div", "d1 d2 d3 d4 d5"},
    {"#p1", "p1"},
    {"#nothing", ""},
    {".box", "d1 d2 d5"},
    {".box.first", "d1"},
    {".box.second", "d2"},
    {".odd", "l3"},
    {".Odd", "l1"},
    {"p.lead", "p1"},
    {"div#d1", "d1"},
    {"[lang]", "html p2 p3"},
    {"[lang=en]", "p2"},
    {"[lang|=en]", "html p2 p3"},
    {"[lang|=\"en-GB\"]", "html"},
    {"[data-x~=b]", "p2"},
    {"[data-x~=\"a b\"]", ""},
    {"[data-x=\"a b c\"]", "p2"},
    {"[data-x^=a]", "p2"},
    {"[data-x$=c]", "p2"},
    {"[data-x*=\" b \"]", "p2"},
    {"[data-x^=\"\"]", ""},
    {"[data-x$=\"\"]", ""},
    {"[data-x*=\"\"]", ""},
    {"[data-empty]", "ü"},
    {"[data-empty=\"\"]", "ü"},
    {"[data-empty|=\"\"]", "ü"},
    {"[data-x|=\"\"]", ""},
    {"[class=\"\"]", "p5"},
    {"[class~=\"\"]", ""},
    {"[href$=\".html\"]", "a2"},
    {"[href^=\"http://\"]", "a1"},
    {"[HREF*=example]", "a1"},
    {"a[href]", "a1 a2 a3"},
    {"a:not([href])", "a4"},
    {"[title=\"it's \\\"quoted\\\"\"]", "d2"},
    {"[title*=\"'\"]", "d2"},
    {"[title*='\"']", "d2"},
    {"[title*=\"s \\22 q\"]", "d2"},
    {"div p", "p1 p2 p3 p4"},
    {"div > p", "p1 p2 p3 p4"},
    {"body > p", "p5 a.b ü"},
    {"div div p", "p4"},
    {"div>div>div", "d5"},
    {"div  >  p , ul li", "p1 p2 p3 l1 l2 l3 l4 l5 l6 p4"},
    {"h2 + p", "p1"},
    {"h2 ~ p", "p1 p2 p3"},
    {"p + p", "p2 a.b ü"},
    {"p ~ p", "p2 p3 a.b ü"},
    {"h2+p+p", "p2"},
    {"li + li", "l2 l3 l4 l5 l6"},
    {"li ~ .odd", "l3"},
    {".box p b", "b1"},
    {":first-child", "html head title d1 h1 b1 u1 l1 a1 d4 d5 p4 n1 o1"},
    {":last-child", "html title body i1 p3 l6 a1 a4 d5 p4 e1 f1 c1 o2"},
    {":only-child", "html title a1 d5 p4"},
    {"p:first-child", "p4"},
    {"li:first-child", "l1"},
    {"li:last-child", "l6"},
    {"li:nth-child(2)", "l2"},
    {"li:nth-child(2n)", "l2 l4 l6"},
    {"li:nth-child(2n+1)", "l1 l3 l5"},
    {"li:nth-child(odd)", "l1 l3 l5"},
    {"li:nth-child(EVEN)", "l2 l4 l6"},
    {"li:nth-child(-n+3)", "l1 l2 l3"},
    {"li:nth-child(n+4)", "l4 l5 l6"},
    {"li:nth-child(3n+1)", "l1 l4"},
    {"li:nth-child(3n-1)", "l2 l5"},
    {"li:nth-child(-2n+5)", "l1 l3 l5"},
    {"li:nth-child( 2n + 1 )", "l1 l3 l5"},
    {"li:nth-child(n)", "l1 l2 l3 l4 l5 l6"},
    {"li:nth-child(+n)", "l1 l2 l3 l4 l5 l6"},
    {"li:nth-child(-n)", ""},
    {"li:nth-child(0)", ""},
    {"li:nth-child(0n+3)", "l3"},
    {"li:nth-child(7)", ""},
    {"li:nth-child(-3)", ""},
    {"li:nth-last-child(1)", "l6"},
    {"li:nth-last-child(2n+1)", "l2 l4 l6"},
    {"li:nth-last-child(-n+2)", "l5 l6"},
    {"p:first-of-type", "p1 p4 p5"},
    {"p:last-of-type", "p3 p4 ü"},
    {"p:only-of-type", "p4"},
    {"h2:only-of-type", "h1"},
    {"p:nth-of-type(2)", "p2 a.b"},
    {"p:nth-of-type(2n+1)", "p1 p3 p4 p5 ü"},
    {"p:nth-last-of-type(1)", "p3 p4 ü"},
    {"a:nth-last-of-type(n+2)", "a2 a3"},
    {":empty", "i1 e1 n1 n2"},
    {"div > :empty", "e1"},
    {":root", "html"},
    {":root > body", "body"},
    {"p:not(.lead)", "p2 p3 p4 p5 a.b ü"},
    {"li:not(:first-child)", "l2 l3 l4 l5 l6"},
    {"li:not(:nth-child(2n))", "l1 l3 l5"},
    {"li:not(.odd):not(.Odd)", "l2 l4 l5 l6"},
    {"div:not(#d1)", "d2 d3 d4 d5"},
    {"a:not([href^=\"#\"])", "a1 a2 a4"},
    {"p, a, #l2", "p1 p2 p3 l2 a1 a2 a3 a4 p4 p5 a.b ü"},
    {"p.lead, .lead, #p1", "p1"},
    {"#a\\.b", "a.b"},
    {"#a\\2e b", "a.b"},
    {".\\31 st", "a.b"},
    {".gr\\F6 \\DF e", "ü"},
    {"#ü", "ü"},
    {"#\\fc", "ü"},
    {".größe", "ü"},
    {"#\\0000fc", "ü"},
    {"[id=\"a.b\"]", "a.b"},
    {"[id='a\\2e b']", "a.b"},
    {"body > div > * > li", "l1 l2 l3 l4 l5 l6"},
    {"* + *", "body p1 i1 p2 s1 p3 d2 l2 l3 l4 l5 l6 a2 a3 a4 d3 e1 p5 a.b ü f1 n2 c1 o2"},
    {"div *:first-child", "h1 b1 u1 l1 a1 d4 d5 p4"},
    {"ul > li:nth-child(2) ~ li", "l3 l4 l5 l6"},
    {".box:first-child", "d1 d5"},
    {"input[type=\"TEXT\"]", "n1"},
    {"input[type=text]", ""},
    {"a[rel~=noopener]", "a1"},
    {"li.odd,li.Odd", "l1 l3"},
    {"[id][class]", "body d1 p1 d2 l1 l3 l5 d5 p5 a.b ü"},
    {"p[id^=p][lang]", "p2 p3"},
    {"h2, h2, #h1", "h1"}, /* each once */
    {":is(h2, .lead) + *", "p1 p2"},
    {":where(ul) > :is(:first-child, :last-child)", "l1 l6"},
    {":not(body *, :not([lang]))", "html"}, /* lists of whole selectors, also within each other */
    {"li:not(:first-of-type, :last-of-type)", "l2 l3 l4 l5"},
    {"p:is(:not(:first-of-type)):not(:is(:last-of-type))", "p2 a.b"},
    {"[type=\"text\" i], [type='SUBMIT' I]", "n1 n2"},
    {"[type=text s]", ""},
    {"[type^=TE i]", "n1"},
    {"[rel~=NOFOLLOW i]", "a1"},
    {"[lang|=EN i]", "html p2 p3"},
    {"[class=\"\" i]", "p5"},
    {"[ lang = 'en' ]", "p2"},
    {"ul/* a comment */ > /**/ li:nth-child(/* so */2)", "l2"},
    {"[title='it\\27 s \\\n\"quoted\"']", "d2"}, /* an escape, and a line that goes on */
    {"LI.odd:FIRST-CHILD, Li:Nth-Child(3)", "l3"},
    {"#\\61\\.b", "a.b"},
    {"p:nth-child(99999999999999999999n + 1)", "p4"},
    {"[id=\\1]", ""}, /* no page has such a character */
    {"\\1", ""},
    {"a\\:b, [a\\:b], .a\\:b", ""},
};

START_TEST(a_selector_matches)
{
    ck_assert_msg(strcmp(matches(samples[_i].selector, "@id"), samples[_i].ids) == 0,
                  "%s: %s, not %s", samples[_i].selector, matches(samples[_i].selector, "@id"),
                  samples[_i].ids);
}
END_TEST

START_TEST(all_but_some_match)
{
    static const struct {
        const char *selector;
        int n;
    } counts[] = {{"*", 38}, {":not(p)", 31}, {":not(.box)", 35}, {"body *", 34}, {"* > *", 37}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int n = 1;
        for (const char *at = matches(counts[i].selector, "@id"); (at = strchr(at, ' ')); at++) {
            n++;
        }
        ck_assert_msg(n == counts[i].n, "%s: %d", counts[i].selector, n);
    }
}
END_TEST

START_TEST(pseudo_elements_give_texts_and_attributes)
{
    static const struct {
        const char *selector, *values;
    } cases[] = {
        {"h2::text", "One"},
        {"#p1::text", "text and "}, /* two text nodes, each trimmed; none of <b> */
        {"#p1 ::text", "text bold and "},
        {"#p1 > ::text", "bold"},
        {"li a::attr(href)", "http://a.example/One.PDF"},
        {"a::ATTR( HREF )", "http://a.example/One.PDF /two.html #frag"},
        {"h2::text, li a::attr(rel), i::attr(id)", "One i1 nofollow noopener"},
        {"h2::text, b::text", "One bold"},
        {"#p1 *::text", "text bold and "}, /* scrapy has it so */
        {"#p1 b::text", "bold"},
        {"li ::attr(rel)", "nofollow noopener"},
        {"a ::attr(rel)", "nofollow noopener"}, /* of <a> itself too */
        {"p::attr(nothing)", ""},
        {"p::attr(a\\:b)", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "%s", cases[i].values);
        size_t n = strlen(expected);
        expected[n - (n > 0 && expected[n - 1] == ' ')] = '\0';
        ck_assert_str_eq(matches(cases[i].selector, "."), expected);
    }
}
END_TEST

START_TEST(a_field_counts_from_its_row)
{
    ck_assert_str_eq(matches("ul, #d1", "css:li:nth-child(2)"), "- 2");
    ck_assert_str_eq(matches("li:first-child", "css:::text"),
                     "1"); /* the row itself is looked at */
    ck_assert_str_eq(matches("li a", "css:::attr(href)"), "http://a.example/One.PDF");
    ck_assert_str_eq(matches("b", "css:p b"), "bold"); /* what stands around the row counts */
    ck_assert_str_eq(matches("b", "css:p"), "-");
}
END_TEST

static const struct {
    const char *selector, *what;
    size_t at;
} refused[] = {
    {"", "a selector is missing", 1},
    {"  ", "a selector is missing", 3},
    {"a,", "a selector is missing", 3},
    {"a >", "a selector is missing", 4},
    {",a", "no selector starts with this", 1},
    {"> a", "no selector starts with this", 1},
    {"a > > b", "no selector starts with this", 5},
    {"a )", "no selector starts with this", 3},
    {"a)", "neither a selector nor a combinator", 2},
    {"a$", "neither a selector nor a combinator", 2},
    {"ü$", "neither a selector nor a combinator", 2},
    {"a/**/b", "neither a selector nor a combinator", 6},
    {"a/* b", "a comment without its end", 2},
    {"a:hover", "no pseudo-class", 2},
    {"a :has(b)", "no pseudo-class", 3},
    {"a:first-child()", "no pseudo-class", 2},
    {"a:nth-child", "no pseudo-class", 2},
    {"a:not", "no pseudo-class", 2},
    {"a:", "a pseudo-class's name is missing", 3},
    {"a:not(", "a selector is missing", 7},
    {"a:not()", "no selector starts with this", 7},
    {"a:not(b", "a ( without its )", 2},
    {"a:not(b::text)", "no place in ( )", 8},
    {"a:nth-child(x)", "neither a number nor", 13},
    {"a:nth-child(+ 1)", "neither a number nor", 13},
    {"a:nth-child()", "neither a number nor", 13},
    {"a:nth-child(n+)", "a number is missing", 15},
    {"a:nth-child(n + x)", "a number is missing", 17},
    {"a:nth-child(2n 1)", "a ) is missing", 16},
    {"a:nth-child(2 of b)", "a ) is missing", 15},
    {"a:nth-child(2", "a ( without its )", 2},
    {":first-of-type", "of-type needs", 1},
    {".a:nth-of-type(2)", "of-type needs", 3},
    {"*:last-of-type", "of-type needs", 2},
    {"li:not(:first-of-type > a)", "of-type needs", 8},
    {"li:not(:is(:first-of-type, b) > a)", "of-type needs", 12},
    {"a::before", "no pseudo-element", 2},
    {"a::text()", "no pseudo-element", 2},
    {"a::attr", "no pseudo-element", 2},
    {"a::attr()", "an attribute's name is missing", 9},
    {"a::attr(b", "a ) is missing", 10},
    {"a::", "a pseudo-element's name is missing", 4},
    {"a::text b", "nothing but a comma", 9},
    {"a::text.b", "nothing but a comma", 8},
    {"s|a", "namespaces", 2},
    {"*|a", "namespaces", 2},
    {"|a", "namespaces", 1},
    {"a || b", "namespaces", 3},
    {"[", "an attribute's name is missing", 2},
    {"[]", "an attribute's name is missing", 2},
    {"[a", "a [ without its ]", 1},
    {"[a=", "a value is missing", 4},
    {"[a=]", "a value is missing", 4},
    {"[a=1]", "a value is missing", 4},
    {"[a=b", "a [ without its ]", 1},
    {"[a=b x]", "neither =", 6},
    {"[a!=b]", "neither =", 3},
    {"[s|a]", "neither =", 3},
    {"[a='b]", "a string without its end", 4},
    {"[a='b\nc']", "a string without its end", 4},
    {"[a='b\\", "a string without its end", 4},
    {"#1", "an id is missing", 2},
    {"# a", "an id is missing", 2},
    {".", "a class is missing", 2},
    {".-", "a class is missing", 2},
    {"a\\", "neither a selector nor a combinator", 2},
    {"a\xff", "not UTF-8", 2},
    {"ü \xc3", "not UTF-8", 3},
};

START_TEST(a_wrong_selector_is_refused_with_its_place)
{
    char *xpath = page[0] ? (char *)1 : NULL;
    struct weft_css_error error = {0};
    ck_assert_int_eq(weft_css_to_xpath(&xpath, refused[_i].selector, &error), WEFT_ESYNTAX);
    ck_assert_ptr_null(xpath);
    ck_assert_msg(strstr(error.what, refused[_i].what) && error.at == refused[_i].at,
                  "%s: %s, at %zu", refused[_i].selector, error.what, error.at);
}
END_TEST

START_TEST(the_option_is_named)
{
    struct weft_extractor *x;
    char error[256] = "";
    ck_assert_int_eq(weft_extractor_new(&x, "css:a:hover", (const char *const[]){"x=css:b", NULL},
                                        error, sizeof error),
                     WEFT_ESYNTAX);
    ck_assert_str_eq(error, "--row: no CSS selector: no pseudo-class that is understood, at "
                            "character 2 of \"a:hover\"");
    ck_assert_int_eq(weft_extractor_new(&x, NULL, (const char *const[]){"x=css:a..b", NULL}, error,
                                        sizeof error),
                     WEFT_ESYNTAX);
    ck_assert_str_eq(error, "--select: no CSS selector: a class is missing, at character 3 of "
                            "\"a..b\"");
}
END_TEST

/* PIECE n times between START and END. */
static const char *repeated(const char *start, const char *piece, size_t n, const char *end)
{
    static char text[WEFT_MAX_CSS * 4];
    size_t len = (size_t)sprintf(text, "%s", start);
    for (size_t i = 0; i < n; i++) {
        len += (size_t)sprintf(text + len, "%s", piece);
    }
    strcpy(text + len, end);
    return text;
}

START_TEST(limits_hold)
{
    char *xpath, *name;
    struct weft_css_error error;
    ck_assert_str_eq(matches(repeated("p", ":first-of-type", WEFT_MAX_CSS_PARTS - 1, ""), "@id"),
                     "p1 p4 p5");
    ck_assert_int_eq(
        weft_css_to_xpath(&xpath, repeated("p", ":empty", WEFT_MAX_CSS_PARTS, ""), &error),
        WEFT_ESYNTAX);
    ck_assert_msg(strstr(error.what, "too many parts") != NULL, "%s", error.what);
    ck_assert_str_eq(matches(repeated("*", " *", WEFT_MAX_CSS_NEST, ""), "@id"), "");
    ck_assert_int_eq(
        weft_css_to_xpath(&xpath, repeated("*", " *", WEFT_MAX_CSS_NEST + 1, ""), &error),
        WEFT_ESYNTAX);
    ck_assert_msg(strstr(error.what, "too many combinators") != NULL, "%s", error.what);
    name = strdup(repeated("h2", ")", WEFT_MAX_CSS_NEST, ""));
    ck_assert_str_eq(matches(repeated("", ":not(", WEFT_MAX_CSS_NEST, name), "@id"), "h1");
    ck_assert_int_eq(
        weft_css_to_xpath(&xpath, repeated("", ":not(", WEFT_MAX_CSS_NEST + 1, name), &error),
        WEFT_ESYNTAX);
    ck_assert_msg(strstr(error.what, "nested too deep") != NULL, "%s", error.what);
    free(name);
    ck_assert_str_eq(matches(repeated("a, ", "x", WEFT_MAX_CSS - 3, ""), "@id"), "a1 a2 a3 a4");
    ck_assert_int_eq(weft_css_to_xpath(&xpath, repeated("", "x", WEFT_MAX_CSS + 1, ""), &error),
                     WEFT_ESYNTAX);
    ck_assert_msg(strstr(error.what, "longer than") != NULL, "%s", error.what);
}
END_TEST

/* The worst that the limits allow: as deep as can be at each level. libxml2 takes it. */
START_TEST(the_deepest_selector_is_evaluated)
{
    char text[WEFT_MAX_CSS] = "";
    unsigned parts = 1;
    for (int i = 0; i < 9; i++) {
        strcat(text, ":not(");
    }
    strcat(text, "a");
    for (int i = 0; i < 9; i++) {
        strcat(text, ")");
        for (int k = 0; k < 23 && parts < WEFT_MAX_CSS_PARTS - 20; k++, parts++) {
            strcat(text, "+*");
        }
    }
    ck_assert_uint_gt(parts, 200);
    ck_assert_str_eq(matches(text, "@id"), "");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("css");
    tcase_add_loop_test(tc, a_selector_matches, 0, sizeof samples / sizeof samples[0]);
    tcase_add_test(tc, all_but_some_match);
    tcase_add_test(tc, pseudo_elements_give_texts_and_attributes);
    tcase_add_test(tc, a_field_counts_from_its_row);
    tcase_add_loop_test(tc, a_wrong_selector_is_refused_with_its_place, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(tc, the_option_is_named);
    tcase_add_test(tc, limits_hold);
    tcase_add_test(tc, the_deepest_selector_is_evaluated);
    return suite_run("text: css", tc);
}
