/* check_url_encode.c -- percent-encode sets and percent-encode after encoding (URL Standard 1.3).
 */
#include "url_case.h"

#include "support/suite.h"
#include "text/charset.h"
#include <stdio.h>
#include <string.h>

/* What follows %XX of c, or c itself, in the part that begins with mark. */
static void check_set(const char *before, const char *after, const char *set, const char *ends)
{
    for (int c = 0; c < 0x80; c++) {
        char text[64], want[64], one[8];
        if (c == '\t' || c == '\n' || c == '\r' || (c && strchr(ends, c))) {
            continue; /* removed, or the end of this part */
        }
        bool encoded = c <= 0x1f || c == 0x7f || strchr(set, c) != NULL;
        int n = snprintf(text, sizeof text, "%sa", before);
        text[n] = (char)c;
        snprintf(text + n + 1, sizeof text - (size_t)n - 1, "b%s", after);
        size_t len = (size_t)n + 2 + strlen(after);
        snprintf(one, sizeof one, encoded ? "%%%02X" : "%c", (unsigned)c);
        snprintf(want, sizeof want, "%sa%sb%s", before, one, after);
        const char *got = url_case_parse(NULL, text, len, NULL);
        ck_assert_msg(got && strcmp(got, want) == 0, "byte %02X: %s, should be %s", (unsigned)c,
                      got ? got : "no URL", want);
    }
}

START_TEST(fragment_set)
{
    check_set("http://h/#", "", " \"<>`", "");
}
END_TEST

START_TEST(special_query_set)
{
    check_set("http://h/?", "", " \"#<>'", "#");
}
END_TEST

START_TEST(path_set)
{
    check_set("http://h/", "", " \"#<>?^`{}", "#?/\\");
}
END_TEST

START_TEST(userinfo_set)
{
    check_set("http://x:", "@h/", " \"#<>?^`{}/:;=@[\\]|", "#?/\\");
}
END_TEST

struct query_case {
    const char *label, *text, *want; /* the query as text and as it stands in the URL */
};

static void check_queries(const struct query_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct query_case *c = &cases[i];
        const struct weft_charset *cs = weft_charset_by_label(c->label, strlen(c->label));
        ck_assert_ptr_nonnull(cs);
        char text[256], want[256];
        snprintf(text, sizeof text, "http://h/\u00e9?%s#\u00e9", c->text);
        snprintf(want, sizeof want, "http://h/%%C3%%A9?%s#%%C3%%A9", c->want);
        const char *got = url_case_parse(NULL, text, strlen(text), cs);
        ck_assert_msg(got && strcmp(got, want) == 0, "%s in %s: %s, should be %s", c->text,
                      c->label, got ? got : "no URL", want);
    }
}

/* The query, and only the query, is written in the document's encoding. */
START_TEST(query_in_the_charset_of_the_document)
{
    static const struct query_case cases[] = {
        {"utf-8", "\u00e9", "%C3%A9"},
        {"utf-16le", "\u00e9", "%C3%A9"}, /* its output encoding is UTF-8 */
        {"windows-1252", "\u00e9=\u20ac&' \"", "%E9=%80&%27%20%22"},
        {"windows-1252", "\u4e00;&x", "%26%2319968%3B;&x"},
        {"windows-1252", "%e9%zz%", "%e9%zz%"},
        {"windows-1251", "\u0436\u0416", "%E6%C6"},
        {"koi8-r", "\u0436", "%D6"},
        {"windows-1252", "\u00e9\ta\nb\r\u00e9", "%E9ab%E9"},
        {"windows-1252", "\u00e9\xff", "%E9%26%2365533%3B"},
        {"windows-1252", "\xC3\t\xA9", "%26%2365533%3B%26%2365533%3B"},
        {"windows-1252", "a\x1b", "a%1B"},
        /* the examples of 1.3 */
        {"shift_jis", " ", "%20"},
        {"shift_jis", "\u2261", "%81%DF"},
        {"shift_jis", "\u203d", "%26%238253%3B"},
        {"iso-2022-jp", "\u00a5", "%1B(J\\%1B(B"},
        {"shift_jis", "1+1 \u2261 2%20\u203d", "1+1%20%81%DF%202%20%26%238253%3B"},
        /* two bytes that look like ASCII: GREEK CAPITAL GAMMA is 26 23 in JIS X 0208 */
        {"iso-2022-jp", "\u0393", "%1B$B&%23%1B(B"},
        {"iso-2022-jp", "a\u00e9", "a%26%23233%3B"},
        {"iso-2022-jp", "a\x1b", "a%26%2365533%3B"}, /* refused, lest it switch modes */
        {"gb18030", "\u20ac\U0001F408", "%A2%E3%949%CA2"},
        {"big5", "\u4e00", "%A4@"},
        {"euc-kr", "\uac00", "%B0%A1"},
    };
    check_queries(cases, sizeof cases / sizeof cases[0]);
}
END_TEST

/* A long query in a legacy charset is escaped in its place in the buffer: all sizes of it fit
 * exactly or not at all. */
START_TEST(query_of_many_bytes_fits_exactly)
{
    const struct weft_charset *cs = weft_charset_by_label("windows-1252", 12);
    for (size_t n = 1; n < 200; n += 13) {
        char text[512] = "http://h/?";
        for (size_t i = 0; i < n; i++) {
            strcat(text, i % 3 ? "x" : "\u00e9");
        }
        size_t escaped = (n + 2) / 3;
        const char *got = url_case_parse(NULL, text, strlen(text), cs);
        ck_assert_ptr_nonnull(got);
        ck_assert_uint_eq(strlen(got), strlen("http://h/?") + 3 * escaped + (n - escaped));
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url_encode");
    tcase_add_test(tc, fragment_set);
    tcase_add_test(tc, special_query_set);
    tcase_add_test(tc, path_set);
    tcase_add_test(tc, userinfo_set);
    tcase_add_test(tc, query_in_the_charset_of_the_document);
    tcase_add_test(tc, query_of_many_bytes_fits_exactly);
    return suite_run("text: url encoding", tc);
}
