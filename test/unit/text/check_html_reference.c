/* check_html_reference.c -- character references in attributes and in text (HTML Standard
 * 13.2.5.72-.80): every name of the table, the rules for those without a semicolon, numbers. */
#include "html_trace.h"

#include "support/suite.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entity {
    uint16_t name_at;
    uint8_t name_len, bare, len;
    char text[6];
};
#include "text/entities.inc"
#define COUNT (sizeof entities / sizeof entities[0])

/* What text comes to in a title (rules for text) or an href (rules for attributes). To be freed. */
static char *decode(bool attribute, const char *text, size_t len)
{
    char html[512];
    int n = snprintf(html, sizeof html, attribute ? "<a href='" : "<title>");
    memcpy(html + n, text, len);
    n += (int)len;
    n += snprintf(html + n, sizeof html - (size_t)n, attribute ? "'>" : "</title>");
    char *trace = html_trace(html, (size_t)n, true);
    size_t from = attribute ? 2 : 6, all = strlen(trace);
    ck_assert_uint_gt(all, from);
    memmove(trace, trace + from, all - from);
    trace[all - from - 1] = '\0';
    return trace;
}

static void expect(bool attribute, const char *text, const char *want, const char *why)
{
    char *got = decode(attribute, text, strlen(text));
    ck_assert_msg(strcmp(got, want) == 0, "%s: %s (%s) is %s, not %s", why, text,
                  attribute ? "attribute" : "text", got, want);
    free(got);
}

START_TEST(every_name_is_found)
{
    size_t bare = 0;
    ck_assert_uint_eq(COUNT, 2125);
    for (size_t i = 0; i < COUNT; i++) {
        const struct entity *e = &entities[i];
        char text[64], want[64];
        const char *name = entity_names + e->name_at;
        snprintf(text, sizeof text, "&%.*s;1", e->name_len, name);
        snprintf(want, sizeof want, "%.*s1", e->len, e->text);
        expect(true, text, want, "with a semicolon");
        expect(false, text, want, "with a semicolon");
        if (e->bare) {
            snprintf(text, sizeof text, "&%.*s-", e->name_len, name);
            snprintf(want, sizeof want, "%.*s-", e->len, e->text);
            expect(true, text, want, "without, before a hyphen");
            expect(false, text, want, "without, before a hyphen");
            bare++;
        }
    }
    ck_assert_uint_eq(bare, 106);
}
END_TEST

START_TEST(names_are_sorted_by_letter)
{
    for (size_t i = 0; i < COUNT; i++) {
        const char *name = entity_names + entities[i].name_at;
        ck_assert_uint_ge(i, entity_first[*name - 'A']);
        ck_assert_uint_lt(i, entity_first[*name - 'A' + 1]);
    }
}
END_TEST

static const struct {
    const char *text, *attribute, *plain, *why;
} cases[] = {
    {"a&amp;b", "a&b", "a&b", "an ampersand"},
    {"a&ampb", "a&ampb", "a&b", "in an attribute not before a letter"},
    {"a&amp=b", "a&amp=b", "a&=b", "nor before '='"},
    {"a&amp9", "a&amp9", "a&9", "nor before a digit"},
    {"a&amp", "a&", "a&", "but before the end"},
    {"a&amp&amp", "a&&", "a&&", "and before anything else"},
    {"a&amp_", "a&_", "a&_", "an underscore is no letter"},
    {"?x=1&copy=2", "?x=1&copy=2", "?x=1\xC2\xA9=2", "the classic"},
    {"&notit;", "&notit;", "\xC2\xACit;", "the longest name that fits is not"},
    {"&notin;", "\xE2\x88\x89", "\xE2\x88\x89", "here it is notin;"},
    {"&notin", "&notin", "\xC2\xACin", "which needs its semicolon"},
    {"&noti", "&noti", "\xC2\xACi", "a name that goes on and breaks off"},
    {"&AMP;&LT&GT;", "&<>", "&<>", "some names exist in upper case"},
    {"&Amp;", "&Amp;", "&Amp;", "case counts"},
    {"&fjlig;", "fj", "fj", "two characters"},
    {"&nGt;", "\xE2\x89\xAB\xE2\x83\x92", "\xE2\x89\xAB\xE2\x83\x92", "longer than its reference"},
    {"&CounterClockwiseContourIntegral;", "\xE2\x88\xB3", "\xE2\x88\xB3", "the longest name"},
    {"&frac12;&there4;&sup1", "\xC2\xBD\xE2\x88\xB4\xC2\xB9", "\xC2\xBD\xE2\x88\xB4\xC2\xB9",
     "digits in names"},
    {"& &; &1; &x;", "& &; &1; &x;", "& &; &1; &x;", "no names"},
    {"&\xC3\xA9;", "&\xC3\xA9;", "&\xC3\xA9;", "no name outside of ASCII"},
    {"&unknown;", "&unknown;", "&unknown;", "an unknown name stays as it is"},
    {"&amp;amp;", "&amp;", "&amp;", "decoded once"},
    {"&#65;&#x42;&#X43;&#x4d;&#x4D;", "ABCMM", "ABCMM", "numbers"},
    {"&#65", "A", "A", "without a semicolon"},
    {"&#65B", "AB", "AB", "also before a letter: no exception for attributes"},
    {"&#x41G", "AG", "AG", "the same"},
    {"&#0065;", "A", "A", "leading zeros"},
    {"&#;&#x;&#X;&#", "&#;&#x;&#X;&#", "&#;&#x;&#X;&#", "no digits, no reference"},
    {"&#xG;&#-1;&# 1;", "&#xG;&#-1;&# 1;", "&#xG;&#-1;&# 1;", "the same"},
    {"&#0;", "\xEF\xBF\xBD", "\xEF\xBF\xBD", "13.2.5.80: NUL"},
    {"&#xD800;&#xDFFF;", "\xEF\xBF\xBD\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD", "surrogates"},
    {"&#xD7FF;&#xE000;", "\xED\x9F\xBF\xEE\x80\x80", "\xED\x9F\xBF\xEE\x80\x80", "beside them"},
    {"&#x10FFFF;", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF", "the last code point"},
    {"&#x110000;", "\xEF\xBF\xBD", "\xEF\xBF\xBD", "one more"},
    {"&#99999999999999999999999999;", "\xEF\xBF\xBD", "\xEF\xBF\xBD", "no overflow"},
    {"&#x100000000000000000041;", "\xEF\xBF\xBD", "\xEF\xBF\xBD", "no overflow"},
    {"&#xFFFE;", "\xEF\xBF\xBE", "\xEF\xBF\xBE", "a noncharacter is an error, and kept"},
    {"&#13;&#1;&#127;", "\r\x01\x7F", "\r\x01\x7F", "so are controls"},
    {"&#128;&#x80;", "\xE2\x82\xAC\xE2\x82\xAC", "\xE2\x82\xAC\xE2\x82\xAC",
     "but 0x80 to 0x9F are read as windows-1252"},
    {"&#129;&#159;", "\xC2\x81\xC5\xB8", "\xC2\x81\xC5\xB8", "where that has them"},
};

START_TEST(references)
{
    expect(true, cases[_i].text, cases[_i].attribute, cases[_i].why);
    expect(false, cases[_i].text, cases[_i].plain, cases[_i].why);
}
END_TEST

/* The table of the numeric character reference end state, 0x80 to 0x9F. */
START_TEST(windows_1252_table)
{
    static const char *const table[32] = {
        "\xE2\x82\xAC", "\xC2\x81",     "\xE2\x80\x9A", "\xC6\x92",     "\xE2\x80\x9E",
        "\xE2\x80\xA6", "\xE2\x80\xA0", "\xE2\x80\xA1", "\xCB\x86",     "\xE2\x80\xB0",
        "\xC5\xA0",     "\xE2\x80\xB9", "\xC5\x92",     "\xC2\x8D",     "\xC5\xBD",
        "\xC2\x8F",     "\xC2\x90",     "\xE2\x80\x98", "\xE2\x80\x99", "\xE2\x80\x9C",
        "\xE2\x80\x9D", "\xE2\x80\xA2", "\xE2\x80\x93", "\xE2\x80\x94", "\xCB\x9C",
        "\xE2\x84\xA2", "\xC5\xA1",     "\xE2\x80\xBA", "\xC5\x93",     "\xC2\x9D",
        "\xC5\xBE",     "\xC5\xB8"};
    for (unsigned i = 0; i < 32; i++) {
        char text[16];
        snprintf(text, sizeof text, "&#%u;", 0x80 + i);
        expect(true, text, table[i], "13.2.5.80");
    }
}
END_TEST

START_TEST(a_reference_never_reads_past_the_value)
{
    /* The end of the value ends the name, whatever follows in the document. */
    char *got = html_trace("<a href=&am>p;", 14, false);
    ck_assert_str_eq(got, "a(&am)");
    free(got);
    got = html_trace("<a href='&#x4'>1;", 17, false);
    ck_assert_str_eq(got, "a(\x04)");
    free(got);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("references");
    tcase_add_test(tc, every_name_is_found);
    tcase_add_test(tc, names_are_sorted_by_letter);
    tcase_add_loop_test(tc, references, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(tc, windows_1252_table);
    tcase_add_test(tc, a_reference_never_reads_past_the_value);
    return suite_run("text: HTML character references", tc);
}
