/* check_extract.c -- values cut out of pages: what XPath 1.0 says of them, bad expressions, hostile
 * pages. */
#include "text/extract.h"

#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SELECTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct weft_extractor *make(const char *row, const char *const *selects)
{
    struct weft_extractor *x;
    char error[256] = "";
    enum weft_status st = weft_extractor_new(&x, row, selects, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    return x;
}

/* All rows as "a|b" lines, "-" for no match. */
static const char *extract(const char *row, const char *const *selects, const char *html)
{
    static char text[4096];
    struct weft_extractor *x = make(row, selects);
    struct weft_extracted e;
    text[0] = '\0';
    ck_assert_int_eq(weft_extractor_run(x, html, strlen(html), &e), WEFT_OK);
    for (size_t i = 0; i < e.nrows * e.nselect; i++) {
        strcat(text, e.fields[i].value ? e.fields[i].value : "-");
        strcat(text, (i + 1) % e.nselect ? "|" : "\n");
    }
    weft_extracted_release(&e);
    weft_extractor_free(x);
    return text;
}

static const char books[] =
    "<meta charset=windows-1252><div class=b><h2> The \n\t Sea </h2><i>1 &euro;</i></div>"
    "<div class=b><h2>Über</h2></div><div class=c><h2>not a book</h2><i>2</i></div>";

START_TEST(rows_and_fields)
{
    static const struct {
        const char *row, *select, *expected;
    } cases[] = {
        {"//div[@class='b']", "h2", "The Sea\nÜber\n"},
        {"//div[@class='b']", "i", "1 €\n-\n"},
        {NULL, "//h2", "The Sea\n"}, /* one row a page, the first match */
        {NULL, "//h2[3]", "-\n"},
        {NULL, "count(//h2)", "3\n"},         /* numbers */
        {NULL, "count(//h2) > 2", "true\n"},  /* booleans */
        {NULL, "concat('a', 'b')", "ab\n"},   /* strings */
        {NULL, "string(//nothing)", "\n"},    /* an empty string is not the same as no match */
        {"//div", "@class", "b\nb\nc\n"},     /* attributes */
        {"//div", "position()", "1\n1\n1\n"}, /* the row is the context, alone */
        {"//h2/..", "@class", "b\nb\nc\n"},   /* document order */
        {"//nothing", "h2", ""},
        {"1 + 1", "h2", ""}, /* a row that is no node set has no rows */
        {"//div[2]", "preceding-sibling::div/h2", "The Sea\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char select[256];
        snprintf(select, sizeof select, "x=%s", cases[i].select);
        ck_assert_str_eq(extract(cases[i].row, SELECTS(select), books), cases[i].expected);
    }
    ck_assert_str_eq(extract("//div", SELECTS("t=h2", "p=i", "k=@class"), books),
                     "The Sea|1 €|b\nÜber|-|b\nnot a book|2|c\n");
}
END_TEST

START_TEST(names_are_kept_in_order)
{
    struct weft_extractor *x = make(NULL, SELECTS("a=//x", "b.c=//y", "d=//z[@q='=']"));
    const char *const *names = weft_extractor_names(x);
    ck_assert_str_eq(names[0], "a");
    ck_assert_str_eq(names[1], "b.c");
    ck_assert_str_eq(names[2], "d");
    ck_assert_ptr_null(names[3]);
    weft_extractor_free(x);
}
END_TEST

START_TEST(bad_expressions_are_refused_with_their_place)
{
    static const struct {
        const char *row, *select, *says;
    } cases[] = {
        {NULL, "x=//a[", "--select: \"//a[\""},
        {"//a[", "x=b", "--row: \"//a[\""},
        {NULL, "x=foo(", "at character 1"},
        {NULL, "noequals", "NAME=XPATH"},
        {NULL, "=//a", "NAME=XPATH"},
        {NULL, "x=", "no XPath"},
        {NULL, "x=//a bad", "at character 5"},
        {NULL, "x=//a[matches(@b, 'c')]", "at character 5"},
        {NULL, "x=//a[@b = $v]", "at character 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weft_extractor *x;
        char error[256] = "";
        ck_assert_int_eq(
            weft_extractor_new(&x, cases[i].row, SELECTS(cases[i].select), error, sizeof error),
            WEFT_ESYNTAX);
        ck_assert_ptr_null(x);
        ck_assert_msg(strstr(error, cases[i].says) != NULL, "%zu: %s", i, error);
    }
}
END_TEST

START_TEST(odd_pages_have_rows_as_well)
{
    ck_assert_str_eq(extract("//a", SELECTS("x=."), ""), "");
    ck_assert_str_eq(extract("//a", SELECTS("x=."), "<p><a>1</a></i><a>2</a><table><a>3"),
                     "1\n2\n3\n");
    ck_assert_str_eq(extract("//a", SELECTS("x=@href"), "<A HREF='q?a&amp;b'>"), "q?a&b\n");
    struct weft_extractor *x = make("//b", SELECTS("x=."));
    struct weft_extracted e;
    static const char with_nul[] = "<b>1</b>\0<b>2</b>";
    ck_assert_int_eq(weft_extractor_run(x, with_nul, sizeof with_nul - 1, &e), WEFT_OK);
    ck_assert_uint_eq(e.nrows, 2); /* nothing behind a NUL is lost */
    weft_extracted_release(&e);
    weft_extractor_free(x);
}
END_TEST

/* A page that repeats a piece, to be freed. */
static char *repeat(const char *piece, size_t n)
{
    size_t len = strlen(piece);
    char *page = malloc(n * len + 1);
    ck_assert_ptr_nonnull(page);
    for (size_t i = 0; i < n; i++) {
        memcpy(page + i * len, piece, len);
    }
    page[n * len] = '\0';
    return page;
}

START_TEST(limits_hold)
{
    struct weft_extracted e;
    char *page = repeat("<i>x</i>", WEFT_MAX_ROWS + 5);
    struct weft_extractor *x = make("//i", SELECTS("x=."));
    ck_assert_int_eq(weft_extractor_run(x, page, strlen(page), &e), WEFT_OK);
    ck_assert_uint_eq(e.nrows, WEFT_MAX_ROWS);
    ck_assert(e.cut);
    weft_extracted_release(&e);
    weft_extractor_free(x);
    x = make("//i", SELECTS("x=count(//i[//i[//i]])")); /* cubic: the steps run out */
    ck_assert_int_eq(weft_extractor_run(x, page, strlen(page), &e), WEFT_OK);
    ck_assert(e.cut);
    weft_extracted_release(&e);
    weft_extractor_free(x);
    free(page);
    page = repeat("ä", WEFT_MAX_FIELD);
    x = make(NULL, SELECTS("x=//body"));
    ck_assert_int_eq(weft_extractor_run(x, page, strlen(page), &e), WEFT_OK);
    ck_assert_uint_eq(strlen(e.fields[0].value), WEFT_MAX_FIELD); /* whole characters */
    weft_extracted_release(&e);
    weft_extractor_free(x);
    free(page);
    page = repeat("<div>", 100000);
    x = make("//div", SELECTS("x=."));
    ck_assert_int_eq(weft_extractor_run(x, page, strlen(page), &e), WEFT_OK);
    weft_extracted_release(&e);
    weft_extractor_free(x);
    free(page);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("extract");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, rows_and_fields);
    tcase_add_test(tc, names_are_kept_in_order);
    tcase_add_test(tc, bad_expressions_are_refused_with_their_place);
    tcase_add_test(tc, odd_pages_have_rows_as_well);
    tcase_add_test(tc, limits_hold);
    return suite_run("text: extract", tc);
}
