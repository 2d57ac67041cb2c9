/* check_charset_tables.c -- the tables that decoding rests on are the Encoding Standard's: each
 * single-byte table against ICU's, and each multi-byte index by a check sum of all of it. */
#include "text/charset_impl.h"

#include "support/suite.h"
#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <zlib.h>

/* Where ICU's table is known to differ: bytes that the Standard maps to something else. */
struct difference {
    enum charset_id id;
    uint8_t byte;
    uint16_t standard, icu; /* 0: none */
};

static const struct difference differences[] = {
    /* KOI8-U: the Standard has Belarusian short U, as KOI8-RU has */
    {CHARSET_KOI8_U, 0xAE, 0x045E, 0x255D},
    {CHARSET_KOI8_U, 0xBE, 0x040E, 0x256C},
    /* windows-874: ICU fills holes with Private Use */
    {CHARSET_WINDOWS_874, 0xDB, 0, 0xF8C1},
    {CHARSET_WINDOWS_874, 0xDC, 0, 0xF8C2},
    {CHARSET_WINDOWS_874, 0xDD, 0, 0xF8C3},
    {CHARSET_WINDOWS_874, 0xDE, 0, 0xF8C4},
    {CHARSET_WINDOWS_874, 0xFC, 0, 0xF8C5},
    {CHARSET_WINDOWS_874, 0xFD, 0, 0xF8C6},
    {CHARSET_WINDOWS_874, 0xFE, 0, 0xF8C7},
    {CHARSET_WINDOWS_874, 0xFF, 0, 0xF8C8},
    {CHARSET_WINDOWS_1253, 0xAA, 0, 0x00AA},
    {CHARSET_WINDOWS_1255, 0xCA, 0x05BA, 0},
};

static uint16_t icu_says(UConverter *c, uint8_t byte)
{
    UErrorCode e = U_ZERO_ERROR;
    UChar units[4];
    char in = (char)byte;
    int32_t n = ucnv_toUChars(c, units, 4, &in, 1, &e);
    return U_SUCCESS(e) && n == 1 ? units[0] : 0;
}

static uint16_t icu_should_say(enum charset_id id, uint8_t byte)
{
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        const struct difference *d = &differences[i];
        if (d->id == id && d->byte == byte) {
            ck_assert_uint_eq(weft_charset_single(id)[byte - 0x80], d->standard);
            return d->icu;
        }
    }
    return weft_charset_single(id)[byte - 0x80];
}

START_TEST(single_byte_tables_against_icu)
{
    for (int id = 0; id < CHARSET_SINGLE_BYTE; id++) {
        if (id == CHARSET_ISO_8859_16) {
            continue; /* ICU has none */
        }
        const char *name = weft_charset_name(weft_charset_of((enum charset_id)id));
        UErrorCode e = U_ZERO_ERROR;
        UConverter *c = ucnv_open(id == CHARSET_IBM866 ? "ibm-866" : name, &e);
        ck_assert_msg(U_SUCCESS(e), "%s", name);
        ucnv_setToUCallBack(c, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &e);
        for (int byte = 0x80; byte <= 0xFF; byte++) {
            ck_assert_msg(icu_says(c, (uint8_t)byte) ==
                              icu_should_say((enum charset_id)id, (uint8_t)byte),
                          "%s %02X", name, byte);
        }
        ucnv_close(c);
    }
}
END_TEST

START_TEST(iso_8859_16)
{
    /* ISO/IEC 8859-16:2001: what differs from ISO-8859-1 */
    static const struct {
        uint8_t byte;
        uint16_t code_point;
    } cases[] = {
        {0xA1, 0x104}, {0xA2, 0x105}, {0xA3, 0x141},  {0xA4, 0x20AC}, {0xA5, 0x201E}, {0xA6, 0x160},
        {0xA8, 0x161}, {0xAA, 0x218}, {0xAC, 0x179},  {0xAE, 0x17A},  {0xAF, 0x17B},  {0xB2, 0x10C},
        {0xB3, 0x142}, {0xB4, 0x17D}, {0xB5, 0x201D}, {0xB8, 0x17E},  {0xB9, 0x10D},  {0xBA, 0x219},
        {0xBC, 0x152}, {0xBD, 0x153}, {0xBE, 0x178},  {0xBF, 0x17C},  {0xC3, 0x102},  {0xC5, 0x106},
        {0xD0, 0x110}, {0xD1, 0x143}, {0xD5, 0x150},  {0xD7, 0x15A},  {0xD8, 0x170},  {0xDD, 0x118},
        {0xDE, 0x21A}, {0xE3, 0x103}, {0xE5, 0x107},  {0xF0, 0x111},  {0xF1, 0x144},  {0xF5, 0x151},
        {0xF7, 0x15B}, {0xF8, 0x171}, {0xFD, 0x119},  {0xFE, 0x21B},
    };
    const uint16_t *table = weft_charset_single(CHARSET_ISO_8859_16);
    size_t k = 0;
    for (int byte = 0x80; byte <= 0xFF; byte++) {
        bool differs = k < sizeof cases / sizeof cases[0] && cases[k].byte == byte;
        ck_assert_msg(table[byte - 0x80] == (differs ? cases[k].code_point : byte), "%02X", byte);
        k += differs;
    }
}
END_TEST

static const struct {
    enum charset_table table;
    uint32_t size, crc;
} sums[] = {
#include "charset_sums.inc"
};

START_TEST(indexes_by_check_sum)
{
    ck_assert_uint_eq(sizeof sums / sizeof sums[0], CHARSET_TABLE_COUNT);
    struct charset_index x;
    weft_index_init(&x, sums[_i].table);
    ck_assert_uint_eq(x.size, sums[_i].size);
    uLong crc = crc32(0, NULL, 0);
    for (uint32_t p = 0; p < sums[_i].size; p++) {
        uint32_t c = weft_index_code_point(&x, p);
        Bytef le[4] = {(Bytef)c, (Bytef)(c >> 8), (Bytef)(c >> 16), (Bytef)(c >> 24)};
        crc = crc32(crc, le, 4);
    }
    ck_assert_int_eq(x.status, WEFT_OK);
    ck_assert_uint_eq(crc, sums[_i].crc);
    ck_assert_uint_eq(weft_index_code_point(&x, sums[_i].size), 0);
    ck_assert_uint_eq(weft_index_code_point(&x, UINT32_MAX), 0);
    weft_index_release(&x);
}
END_TEST

/* "Index pointer" is the first pointer of a code point, but for what the Standard excludes. */
static bool excluded(enum charset_table table, uint32_t pointer)
{
    return (table == CHARSET_TABLE_BIG5 && pointer < (0xA1 - 0x81) * 157) ||
           (table == CHARSET_TABLE_SHIFT_JIS && pointer >= 8272 && pointer <= 8835);
}

static bool last_wins(enum charset_table table, uint32_t c)
{
    return table == CHARSET_TABLE_BIG5 &&
           (c == 0x2550 || c == 0x255E || c == 0x2561 || c == 0x256A || c == 0x5341 || c == 0x5345);
}

START_TEST(pointers_lead_back)
{
    enum charset_table table = (enum charset_table)_i;
    struct charset_index x;
    weft_index_init(&x, table);
    uint32_t *expected = malloc(0x30000 * sizeof *expected);
    ck_assert_ptr_nonnull(expected);
    memset(expected, 0xFF, 0x30000 * sizeof *expected); /* CHARSET_NO_POINTER */
    for (uint32_t p = 0; p < x.size; p++) {
        uint32_t c = weft_index_code_point(&x, p);
        if (c && !excluded(table, p) &&
            (expected[c] == CHARSET_NO_POINTER || last_wins(table, c))) {
            expected[c] = p;
        }
    }
    for (uint32_t c = 0x80; c < 0x30000; c++) {
        if (c >= 0xD800 && c <= 0xDFFF) {
            continue;
        }
        uint32_t p = weft_index_pointer(&x, c);
        ck_assert_msg(p == expected[c], "U+%04X: %u, not %u", c, p, expected[c]);
    }
    free(expected);
    weft_index_release(&x);
}
END_TEST

START_TEST(gb18030_ranges)
{
    /* Encoding Standard 5: limits, the inline exception, and there and back */
    static const struct {
        uint32_t pointer, code_point;
    } cases[] = {
        {0, 0x80},           {7456, 0x1E3E}, {7457, 0xE7C7},  {7458, 0x1E40},
        {39419, 0xFFFF},     {39420, 0},     {188999, 0},     {189000, 0x10000},
        {1237575, 0x10FFFF}, {1237576, 0},   {UINT32_MAX, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_uint_eq(weft_gb18030_ranges_code_point(cases[i].pointer), cases[i].code_point);
        if (cases[i].code_point) {
            ck_assert_uint_eq(weft_gb18030_ranges_pointer(cases[i].code_point), cases[i].pointer);
        }
    }
    /* the BMP: what the two-byte index has not, in order, is what the ranges have; but for the 18
     * that GB 18030-2022 moved, which two bytes reach now and four bytes still do */
    struct charset_index x;
    weft_index_init(&x, CHARSET_TABLE_GB18030);
    unsigned twice = 0;
    for (uint32_t p = 0; p <= 39419; p++) {
        uint32_t c = weft_gb18030_ranges_code_point(p);
        twice += weft_index_pointer(&x, c) != CHARSET_NO_POINTER;
    }
    ck_assert_uint_eq(twice, 18);
    weft_index_release(&x);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("charset tables");
    tcase_add_test(tc, single_byte_tables_against_icu);
    tcase_add_test(tc, iso_8859_16);
    tcase_add_loop_test(tc, indexes_by_check_sum, 0, (int)CHARSET_TABLE_COUNT);
    tcase_add_loop_test(tc, pointers_lead_back, 0, (int)CHARSET_TABLE_JIS0212);
    tcase_add_test(tc, gb18030_ranges);
    tcase_set_timeout(tc, 60);
    return suite_run("text: charset tables", tc);
}
