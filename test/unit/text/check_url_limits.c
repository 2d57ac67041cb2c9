/* check_url_limits.c -- a mebibyte of the worst shapes ends in time linear in its size: in well
 * under a second each, where squared time would take hours and Check's timeout end it. */
#include "weft/url.h"

#include "support/suite.h"
#include "text/charset.h"
#include <string.h>

#define SIZE (1u << 20)

/* Parses prefix and SIZE bytes of unit repeated, with a base, into a buffer that holds anything or
 * only cap bytes; a result must be its own and have a key. */
static enum weft_status parse_many(const char *prefix, const char *unit, size_t unit_len,
                                   size_t cap, const struct weft_charset *cs, size_t *len)
{
    static const char base_text[] = "http://u:p@h/a/b/c?q";
    char base_buf[64];
    struct weft_url base, u, again;
    size_t n = strlen(prefix), key_len;
    char *text = malloc(n + SIZE), *buf = malloc(cap), *second = malloc(cap);
    ck_assert(text && buf && second);
    memcpy(text, prefix, n);
    for (size_t i = 0; i < SIZE; i++) {
        text[n + i] = unit[i % unit_len];
    }
    ck_assert_int_eq(
        weft_url_parse(&base, base_buf, sizeof base_buf, NULL, base_text, strlen(base_text), NULL),
        WEFT_OK);
    enum weft_status st = weft_url_parse(&u, buf, cap, &base, text, n + SIZE, cs);
    *len = u.len;
    if (st == WEFT_OK) {
        ck_assert_int_eq(weft_url_parse(&again, second, cap, NULL, u.href, u.len, NULL), WEFT_OK);
        ck_assert_uint_eq(again.len, u.len);
        ck_assert_int_eq(weft_url_key(&u, 15, second, cap, &key_len), WEFT_OK);
    }
    free(text);
    free(buf);
    free(second);
    return st;
}

START_TEST(worst_shapes_take_linear_time)
{
    static const struct {
        const char *prefix, *unit;
        enum weft_status want;
    } cases[] = {
        {"http://h/", "a", WEFT_OK},
        {"http://h", "/", WEFT_OK},
        {"", "/../", WEFT_OK},
        {"x", "/../", WEFT_OK},
        {"", "a/../", WEFT_OK},
        {"", "a/b/../", WEFT_OK},
        {"", "%2e%2E/", WEFT_OK},
        {"", ".", WEFT_OK},
        {"", "%", WEFT_OK},
        {"", "%41", WEFT_OK},
        {"?", "%%41", WEFT_OK},
        {"", "\\", WEFT_ESYNTAX},
        {"", "\t\n", WEFT_OK},
        {"a", "\t.", WEFT_OK},
        {"", "\xff", WEFT_OK},
        {"", "\xF0\x9F\x90", WEFT_OK},
        {"?", "\u00e9", WEFT_OK},
        {"#", "#", WEFT_OK},
        {"", "?", WEFT_OK},
        {"", "a:", WEFT_ESCHEME},
        {"", "a", WEFT_OK},
        {"http:", "/", WEFT_ESYNTAX},
        {"http://", "@", WEFT_ESYNTAX},
        {"http://x", "@", WEFT_ESYNTAX},
        {"http://", ":@h", WEFT_OK},
        {"http://", ":", WEFT_ESYNTAX},
        {"http://h:", "0", WEFT_OK},
        {"http://h:", "9", WEFT_ESYNTAX},
        {"http://", "[", WEFT_ESYNTAX},
        {"http://[", ":1", WEFT_ESYNTAX},
        {"http://", "1", WEFT_ESYNTAX},
        {"http://0x", "0", WEFT_OK},
        {"http://", "1.", WEFT_ESYNTAX},
        {"http://", "A", WEFT_OK},
        {"http://", "a.", WEFT_OK},
        {"http://", "%41", WEFT_ESYNTAX}, /* cut off in the middle of an escape */
        {"http://", "\u00e9", WEFT_ELIMIT},
        {"http://", "\u00ad", WEFT_ELIMIT},
        {"http://\u00e9", "a", WEFT_ELIMIT},
        {"http://", "xn--a.", WEFT_OK},
        {"mailto:", "a", WEFT_ESCHEME},
        {"x://", "a", WEFT_ESCHEME},
        {"file://", "1", WEFT_ESYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len;
        enum weft_status st = parse_many(cases[i].prefix, cases[i].unit, strlen(cases[i].unit),
                                         10 * SIZE, NULL, &len);
        ck_assert_msg(st == cases[i].want, "%s and %s repeated: %s", cases[i].prefix, cases[i].unit,
                      weft_strerror(st));
        st = parse_many(cases[i].prefix, cases[i].unit, strlen(cases[i].unit), 64, NULL, &len);
        ck_assert_int_ne(st, WEFT_ENOMEM);
    }
}
END_TEST

/* What ".." takes back need not fit all at once. */
START_TEST(a_path_that_shrinks_fits_a_small_buffer)
{
    size_t len;
    ck_assert_int_eq(parse_many("x/", "/../", 4, 32, NULL, &len), WEFT_OK);
    ck_assert_uint_eq(len, strlen("http://u:p@h/a/b/x/"));
    ck_assert_int_eq(parse_many("../", "../", 3, 32, NULL, &len), WEFT_OK);
    ck_assert_uint_eq(len, strlen("http://u:p@h/"));
    ck_assert_int_eq(parse_many("", "a/../", 5, 32, NULL, &len), WEFT_OK);
    ck_assert_int_eq(parse_many("", "\t", 1, 32, NULL, &len), WEFT_OK);
    ck_assert_uint_eq(len, strlen("http://u:p@h/a/b/c?q"));
    ck_assert_int_eq(parse_many("", "a/", 2, 32, NULL, &len), WEFT_ELIMIT);
    ck_assert_uint_eq(len, 0);
}
END_TEST

START_TEST(long_queries_in_a_legacy_charset)
{
    static const char *const labels[] = {"windows-1252", "shift_jis", "iso-2022-jp", "gb18030"};
    static const char *const units[] = {"\u00e9", "\u4e00a", "\u0393\t\xff", "&;"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        const struct weft_charset *cs = weft_charset_by_label(labels[i], strlen(labels[i]));
        ck_assert_ptr_nonnull(cs);
        for (size_t j = 0; j < sizeof units / sizeof units[0]; j++) {
            size_t len;
            ck_assert_int_eq(parse_many("?\u00e9", units[j], strlen(units[j]), 16 * SIZE, cs, &len),
                             WEFT_OK);
            ck_assert_int_eq(parse_many("?\u00e9", units[j], strlen(units[j]), 4096, cs, &len),
                             WEFT_ELIMIT);
        }
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url_limits");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, worst_shapes_take_linear_time);
    tcase_add_test(tc, a_path_that_shrinks_fits_a_small_buffer);
    tcase_add_test(tc, long_queries_in_a_legacy_charset);
    return suite_run("text: url limits", tc);
}
