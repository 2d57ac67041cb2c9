/* check_utf8.c -- any bytes come out as valid UTF-8, with the replacements that the Unicode
 * Standard recommends. */
#include "store/utf8.h"

#include "fixture.h"
#include <jansson.h>
#include <string.h>

#define R "\xef\xbf\xbd"

static const struct {
    const char *in, *out;
} cases[] = {
    {"", ""},
    {"plain", "plain"},
    {"\x01\x7f", "\x01\x7f"},
    {"\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf"},
    {"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
     "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
    {"\x80", R},
    {"caf\xe9", "caf" R},
    {"caf\xe9 x", "caf" R " x"},
    {"\xc0\xaf", R R},
    {"\xc1\xbf", R R},
    {"\xe0\x9f\xbf", R R R},
    {"\xed\xa0\x80", R R R},
    {"\xf0\x8f\xbf\xbf", R R R R},
    {"\xf4\x90\x80\x80", R R R R},
    {"\xf5\x80", R R},
    {"\xff\xfe", R R},
    {"\xe2\x82", R},
    {"\xe2\x82x", R "x"},
    {"\xf0\x9f\x98", R},
    {"\xf0\x9f\x98\xf0\x9f\x98\x80", R "\xf0\x9f\x98\x80"},
    {"a\xc3", "a" R},
    /* Unicode 15, table 3-8 and its two neighbours */
    {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R R R R R R R R "A"},
    {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R R R R R R R R "A"},
    {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R R R R R "A" R R "B"},
    {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A"},
};

START_TEST(cases_come_out_as_recommended)
{
    struct weft_buf scratch;
    const char *clean;
    size_t len;
    weft_buf_init(&scratch, 1000);
    ck_assert_int_eq(weft_utf8_clean(&scratch, cases[_i].in, strlen(cases[_i].in), &clean, &len),
                     WEFT_OK);
    ck_assert_uint_eq(len, strlen(cases[_i].out));
    ck_assert_mem_eq(clean, cases[_i].out, len);
    if (strcmp(cases[_i].in, cases[_i].out) == 0) {
        ck_assert_ptr_eq(clean, cases[_i].in);
    }
    weft_buf_release(&scratch);
}
END_TEST

/* Every string of three bytes from a set that has each kind of byte, judged by another library. */
START_TEST(an_independent_reader_agrees)
{
    static const unsigned char kinds[] = {0x01, 0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1,
                                          0xc2, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
    enum { N = sizeof kinds };
    struct weft_buf scratch;
    weft_buf_init(&scratch, 1000);
    for (size_t i = 0; i < (size_t)N * N * N * N; i++) {
        char in[4] = {(char)kinds[i % N], (char)kinds[i / N % N], (char)kinds[i / N / N % N],
                      (char)kinds[i / N / N / N]};
        const char *clean;
        size_t len;
        must(weft_utf8_clean(&scratch, in, sizeof in, &clean, &len) == WEFT_OK, "%zu", i);
        json_t *was = json_stringn(in, sizeof in); /* NULL unless it is UTF-8 */
        json_t *is = json_stringn(clean, len);
        must(is, "%zu gives no UTF-8", i);
        must((clean == in) == (was != NULL), "%zu was not judged well", i);
        json_decref(was);
        json_decref(is);
    }
    weft_buf_release(&scratch);
}
END_TEST

START_TEST(the_limit_is_kept)
{
    struct weft_buf scratch;
    const char *clean;
    size_t len;
    weft_buf_init(&scratch, 5);
    ck_assert_int_eq(weft_utf8_clean(&scratch, "\xff\xff", 2, &clean, &len), WEFT_ELIMIT);
    ck_assert_ptr_null(clean);
    ck_assert_int_eq(weft_utf8_clean(&scratch, "\xff", 1, &clean, &len), WEFT_OK);
    weft_buf_release(&scratch);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("utf8");
    tcase_add_loop_test(tc, cases_come_out_as_recommended, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tc, an_independent_reader_agrees);
    tcase_add_test(tc, the_limit_is_kept);
    return suite_run("store: utf8", tc);
}
