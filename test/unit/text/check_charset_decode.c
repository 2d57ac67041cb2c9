/* check_charset_decode.c -- decoding to UTF-8 and encoding a query, in the words of the Encoding
 * Standard: its decoders' branches, its errors, and what they give back. */
#include "text/charset.h"

#include "support/suite.h"
#include <string.h>

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

struct decoding {
    const char *label, *in;
    size_t len; /* 0: strlen */
    const char *out, *why;
};

static const struct decoding unicode[] = {
    {"utf-8", "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", 0,
     "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "well-formed"},
    {"utf-8", "a\x80z", 0, "a" BAD "z", "a lone trail"},
    {"utf-8", "a\xC0\xAFz", 0, "a" BAD BAD "z", "C0 starts nothing"},
    {"utf-8", "a\xE0\x80\xAFz", 0, "a" BAD BAD BAD "z", "overlong: no maximal subpart"},
    {"utf-8", "a\xF0\x80\x80\xAFz", 0, "a" BAD BAD BAD BAD "z", "overlong in four"},
    {"utf-8", "a\xED\xA0\x80z", 0, "a" BAD BAD BAD "z", "a surrogate"},
    {"utf-8", "a\xF4\x90\x80\x80z", 0, "a" BAD BAD BAD BAD "z", "above U+10FFFF"},
    {"utf-8", "a\xF5z\xFFz", 0, "a" BAD "z" BAD "z", "bytes that never occur"},
    {"utf-8", "a\xE2\x82z", 0, "a" BAD "z", "one for a maximal subpart"},
    {"utf-8", "a\xF0\x9F\x98z", 0, "a" BAD "z", "one for three bytes of four"},
    {"utf-8", "a\xF0\x9F\x98", 0, "a" BAD, "cut off at the end"},
    {"utf-8", "a\xC3", 0, "a" BAD, "cut off behind the lead"},
    {"utf-8", "\xE2\xE2\x82\xAC", 0, BAD "\xE2\x82\xAC", "a lead after a lead"},
    {"utf-8", "\xEF\xBB\xBFx", 0, "\xEF\xBB\xBFx", "a BOM is a character here"},
    {"utf-8", "a\0b", 3, "a", "NUL is a byte (compared up to it)"},
    {"utf-16le", "a\0\xAC\x20\x3D\xD8\x00\xDE", 8, "a\xE2\x82\xAC\xF0\x9F\x98\x80", "pairs"},
    {"utf-16be", "\0a\x20\xAC\xD8\x3D\xDE\x00", 8, "a\xE2\x82\xAC\xF0\x9F\x98\x80", "pairs"},
    {"utf-16le", "\x3D\xD8z\0", 4, BAD "z", "lead without trail: the unit is read again"},
    {"utf-16le", "\x3D\xD8\x3D\xD8\x00\xDE", 6, BAD "\xF0\x9F\x98\x80", "lead, then a pair"},
    {"utf-16le", "\x00\xDEz\0", 4, BAD "z", "trail alone"},
    {"utf-16le", "z\0\x3D\xD8", 4, "z" BAD, "lead at the end"},
    {"utf-16le", "z\0a", 3, "z" BAD, "half a unit at the end"},
    {"utf-16le", "\x3D\xD8\x00", 3, BAD, "lead and half a unit: one error"},
    {"x-user-defined", "a\x80\xFF", 0, "a\xEF\x9E\x80\xEF\x9F\xBF", "U+F780 to U+F7FF"},
    {"iso-2022-kr", "anything at all", 0, BAD, "replacement: one error"},
    {"iso-2022-kr", "", 0, "", "replacement: nothing of nothing"},
};

static const struct decoding single[] = {
    {"iso-8859-1", "\x80\x81\x9F\xA0\xFF", 0, "\xE2\x82\xAC\xC2\x81\xC5\xB8\xC2\xA0\xC3\xBF",
     "latin1 is windows-1252, and 81 a control"},
    {"windows-1253", "\xAA\xC1", 0, BAD "\xCE\x91", "AA is not assigned"},
    {"windows-1251", "\xCF\xF0\xE8 x", 0, "\xD0\x9F\xD1\x80\xD0\xB8 x", "Cyrillic"},
    {"koi8-u", "\xAE\xBE", 0, "\xD1\x9E\xD0\x8E", "short U"},
    {"windows-1255", "\xCA\xD9", 0, "\xD6\xBA" BAD, "CA is assigned, D9 not"},
    {"iso-8859-8-i", "\xF9", 0, "\xD7\xA9", "the logical one has the same table"},
    {"ibm866", "\x80\xF0", 0, "\xD0\x90\xD0\x81", "code page 866"},
    {"macintosh", "\xDB\xF0", 0, "\xE2\x82\xAC\xEF\xA3\xBF", "euro and apple"},
};

static const struct decoding chinese[] = {
    {"gbk", "a\xD6\xD0\x80z", 0, "a\xE4\xB8\xAD\xE2\x82\xACz", "two bytes, and 80 is the euro"},
    {"gbk", "\xA3\xA0", 0, "\xE3\x80\x80", "A3 A0 is an ideographic space"},
    {"gbk", "\xA6\xD9\xFE\x59", 0, "\xEF\xB8\x90\xE9\xBE\xB4", "as in GB 18030-2022"},
    {"gbk", "\x81\x30\x81\x30", 0, "\xC2\x80", "GBK reads four bytes too"},
    {"gb18030", "\x95\x32\x82\x36", 0, "\xF0\xA0\x80\x80", "a supplementary plane"},
    {"gb18030", "\x81\x35\xF4\x37", 0, "\xEE\x9F\x87", "U+E7C7"},
    {"gb18030", "\xE3\x32\x9A\x35", 0, "\xF4\x8F\xBF\xBF", "the last code point"},
    {"gb18030", "\xE3\x32\x9A\x36x", 0, BAD "x", "one past it: four bytes are gone"},
    {"gb18030", "\x84\x31\xA4\x3Ax", 0, BAD "1" BAD ":x", "third not followed by a digit"},
    {"gb18030", "\x81\x30z", 0, BAD "0z", "second not followed by a third"},
    {"gb18030", "\x81\x30\x81", 0, BAD, "cut off in four"},
    {"gb18030", "\x81\x30", 0, BAD, "cut off in four, earlier"},
    {"gb18030", "\x81", 0, BAD, "cut off in two"},
    {"gb18030", "\x81!\xFFz", 0, BAD "!" BAD "z", "an ASCII trail stays"},
    {"gb18030", "\x81\x7Fz", 0, BAD "\x7Fz", "7F is no trail, but ASCII"},
    {"gb18030", "\x81\xFFz", 0, BAD "z", "another wrong trail goes"},
    {"big5", "\xA4\xA4\xA4\x40", 0, "\xE4\xB8\xAD\xE4\xB8\x80", "both halves of a row"},
    {"big5", "\x88\x62\x88\x64\x88\xA3\x88\xA5", 0,
     "\xC3\x8A\xCC\x84\xC3\x8A\xCC\x8C\xC3\xAA\xCC\x84\xC3\xAA\xCC\x8C", "two code points each"},
    {"big5", "\x8B\x4F", 0, "\xF0\xA8\xB3\x8A", "Hong Kong's, in a supplementary plane"},
    {"big5", "\x81\x40z", 0, BAD "@z", "not assigned, ASCII trail stays"},
    {"big5", "\x81\xA1z", 0, BAD "z", "not assigned"},
    {"big5", "\xA4\x80z\xFFz\x80z", 0, BAD "z" BAD "z" BAD "z", "no trail, no leads"},
    {"big5", "\xA4", 0, BAD, "cut off"},
};

static const struct decoding japanese[] = {
    {"euc-jp", "\xC6\xFC\x8E\xB1\x8F\xB0\xA1", 0, "\xE6\x97\xA5\xEF\xBD\xB1\xE4\xB8\x82",
     "jis0208, katakana, jis0212"},
    {"euc-jp",
     "\x8E\xE0z\x8E"
     "az",
     0, BAD "z" BAD "az", "wrong katakana"},
    {"euc-jp",
     "\x8F\xB0"
     "a",
     0, BAD "a", "jis0212 with an ASCII trail"},
    {"euc-jp", "\x8F\xB0\x80z", 0, BAD "z", "jis0212 with another wrong trail"},
    {"euc-jp", "\x8F\xB0", 0, BAD, "cut off in jis0212"},
    {"euc-jp",
     "\x8F"
     "az",
     0, BAD "az", "8F alone"},
    {"euc-jp", "\xA4\xFFz\x80z\xA0z", 0, BAD "z" BAD "z" BAD "z", "wrong trail, wrong leads"},
    {"euc-jp", "\x8F\xF3\xF3", 0, BAD, "ICU has more of jis0212 than the Standard"},
    {"shift_jis", "\x93\xFA\xB1\x80\x5C\x7E", 0, "\xE6\x97\xA5\xEF\xBD\xB1\xC2\x80\\~",
     "two bytes, katakana, 80, ASCII as it is"},
    {"shift_jis", "\x83\x5C\x87\x40", 0, "\xE3\x82\xBD\xE2\x91\xA0", "5C as a trail, NEC's row 13"},
    {"shift_jis", "\xF0\x40\xF9\xFC", 0, "\xEE\x80\x80\xEE\x9D\x97", "EUDC"},
    {"shift_jis", "\xFA\x40\xFC\x4B", 0, "\xE2\x85\xB0\xE9\xBB\x91", "IBM's extensions"},
    {"shift_jis",
     "\x85"
     "ab",
     0, BAD "ab", "not assigned, ASCII trail stays"},
    {"shift_jis", "\x85\x9Fz", 0, BAD "z", "not assigned"},
    {"shift_jis", "\xA0z\xFDz\x81\xFDz\x81", 0, BAD "z" BAD "z" BAD "z" BAD, "wrong bytes"},
    {"iso-2022-jp", "a\x1B$B\x46\x7C\x1B(Bz", 0, "a\xE6\x97\xA5z", "there and back"},
    {"iso-2022-jp", "\x1B$@\x46\x7C\x1B(Bz", 0, "\xE6\x97\xA5z", "the 1978 set"},
    {"iso-2022-jp", "\x1B(J\\~a\x1B(B\\~", 0,
     "\xC2\xA5\xE2\x80\xBE"
     "a\\~",
     "Roman"},
    {"iso-2022-jp", "\x1B(I1\x1B(B1", 0,
     "\xEF\xBD\xB1"
     "1",
     "katakana"},
    {"iso-2022-jp", "\x1B(Ia`", 0, BAD BAD, "outside katakana"},
    {"iso-2022-jp", "\x1B$B\x46", 0, BAD, "cut off in a pair"},
    {"iso-2022-jp", "\x1B$B\x46\x1B(Bz", 0, BAD "z", "escape in a pair"},
    {"iso-2022-jp", "\x1B$B\x46\n\x46\x7C", 0, BAD "\xE6\x97\xA5", "a line end in a pair"},
    {"iso-2022-jp", "\x1B$B\n\x46\x7C", 0, BAD "\xE6\x97\xA5", "a line end for a lead"},
    {"iso-2022-jp", "\x1B$B\x2D\x7E", 0, BAD, "no such pair"},
    {"iso-2022-jp", "\x1B(B\x1B(Bz", 0, BAD "z", "two escapes with nothing between"},
    {"iso-2022-jp", "\x1B[1m", 0, BAD "[1m", "another escape sequence"},
    {"iso-2022-jp", "\x1B(Xz", 0, BAD "(Xz", "an unknown set"},
    {"iso-2022-jp", "\x1B(", 0, BAD "(", "cut off in an escape"},
    {"iso-2022-jp", "\x1B", 0, BAD, "cut off behind ESC"},
    {"iso-2022-jp", "a\x80\x0E\x0Fz", 0, "a" BAD BAD BAD "z", "high bytes and shifts"},
};

static const struct decoding korean[] = {
    {"euc-kr", "\xC7\xD1\x8C\x63", 0, "\xED\x95\x9C\xEB\x98\xA0", "KS X 1001 and the extension"},
    {"euc-kr", "\xC9\xA1z", 0, BAD "z", "ICU's Private Use is not the Standard's"},
    {"euc-kr", "\x81\x40z", 0, BAD "@z", "no trail: ASCII stays"},
    {"euc-kr", "\x81\x5Bz", 0, BAD "[z", "not assigned: ASCII stays"},
    {"euc-kr", "\x80z\xFFz\xC7", 0, BAD "z" BAD "z" BAD, "wrong leads, cut off"},
};

static void decode_all(const struct decoding *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct decoding *c = &cases[i];
        const struct weft_charset *cs = weft_charset_by_label(c->label, strlen(c->label));
        ck_assert_ptr_nonnull(cs);
        size_t len = c->len ? c->len : strlen(c->in);
        char *exact = malloc(len + 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, c->in, len);
        struct weft_buf out;
        weft_buf_init(&out, len * WEFT_CHARSET_GROWTH + 3);
        ck_assert_int_eq(weft_charset_decode(cs, exact, len, &out), WEFT_OK);
        free(exact);
        const char *got = out.data ? out.data : "";
        ck_assert_msg(!strcmp(got, c->out), "%s: %s: \"%s\", not \"%s\"", c->label, c->why, got,
                      c->out);
        ck_assert(weft_utf8_valid(out.data, out.len));
        weft_buf_release(&out);
    }
}

#define ALL(table) decode_all(table, sizeof(table) / sizeof(table)[0])

START_TEST(unicode_encodings)
{
    ALL(unicode);
}
END_TEST

START_TEST(single_byte_encodings)
{
    ALL(single);
}
END_TEST

START_TEST(multi_byte_encodings)
{
    ALL(chinese);
    ALL(japanese);
    ALL(korean);
}
END_TEST

START_TEST(validity)
{
    static const char good[] =
        "0123456789012345678901234567890123456789\xF0\x9F\x98\x80\xED\x9F\xBF"
        "\xEE\x80\x80\xF4\x8F\xBF\xBF\xC2\x80\xDF\xBF\xE0\xA0\x80";
    ck_assert(weft_utf8_valid(good, sizeof good - 1));
    ck_assert(weft_utf8_valid(NULL, 0));
    ck_assert(weft_utf8_valid("a\0b", 3));
    /* a wrong byte is found wherever it stands in the eight-byte steps */
    for (size_t at = 0; at < 80; at++) {
        char text[80];
        memset(text, 'x', sizeof text);
        ck_assert(weft_utf8_valid(text, sizeof text));
        text[at] = (char)0xFF;
        ck_assert(!weft_utf8_valid(text, sizeof text));
        ck_assert(weft_utf8_valid(text, at));
    }
}
END_TEST

START_TEST(long_texts_are_whole)
{
    /* through the stage and past it, with a character across each boundary */
    static const char *const labels[] = {"utf-8", "windows-1252", "gbk", "euc-kr"};
    static const char *const units[] = {"ab\xC3\xA9", "ab\xE9", "a\xD6\xD0", "\xC7\xD1z"};
    static const char *const utf8[] = {"ab\xC3\xA9", "ab\xC3\xA9", "a\xE4\xB8\xAD",
                                       ("\xED\x95\x9C"
                                        "z")};
    for (size_t k = 0; k < 4; k++) {
        const struct weft_charset *cs = weft_charset_by_label(labels[k], strlen(labels[k]));
        struct weft_buf in, out;
        weft_buf_init(&in, 1 << 20);
        weft_buf_init(&out, 1 << 20);
        for (int i = 0; i < 20000; i++) {
            ck_assert_int_eq(weft_buf_puts(&in, units[k]), WEFT_OK);
        }
        ck_assert_int_eq(weft_charset_decode(cs, in.data, in.len, &out), WEFT_OK);
        size_t step = strlen(utf8[k]);
        ck_assert_uint_eq(out.len, 20000 * step);
        for (size_t i = 0; i < out.len; i += step) {
            ck_assert_mem_eq(out.data + i, utf8[k], step);
        }
        weft_buf_release(&in);
        weft_buf_release(&out);
    }
}
END_TEST

START_TEST(the_limit_holds_and_failure_leaves_the_buffer)
{
    const struct weft_charset *cs = weft_charset_by_label("windows-1252", 12);
    char in[5000];
    memset(in, '\xE9', sizeof in);
    struct weft_buf out;
    weft_buf_init(&out, 2 * sizeof in + 4);
    ck_assert_int_eq(weft_buf_puts(&out, "kept"), WEFT_OK);
    ck_assert_int_eq(weft_charset_decode(cs, in, sizeof in, &out), WEFT_OK); /* just fits */
    weft_buf_release(&out);
    weft_buf_init(&out, 2 * sizeof in + 3);
    ck_assert_int_eq(weft_buf_puts(&out, "kept"), WEFT_OK);
    ck_assert_int_eq(weft_charset_decode(cs, in, sizeof in, &out), WEFT_ELIMIT);
    ck_assert_str_eq(out.data, "kept");
    ck_assert_uint_eq(out.len, 4);
    weft_buf_release(&out);
}
END_TEST

/* The worst shapes, long: every byte an error, a lead, an escape. It must simply end. */
START_TEST(hostile_bytes_are_linear)
{
    static const char *const labels[] = {"utf-8",       "gb18030",       "big5",   "euc-jp",
                                         "iso-2022-jp", "shift_jis",     "euc-kr", "windows-1252",
                                         "utf-16le",    "x-user-defined"};
    static const char *const shapes[] = {"\xFF", "\x81",   "\x81\x30", "\x8F", "\xA4 ",
                                         "\x1B", "\x1B(B", "\x1B$B!",  "\xD8", "\xF0\x9F\x98"};
    size_t len = 1 << 18;
    char *in = malloc(len);
    ck_assert_ptr_nonnull(in);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (size_t i = 0, n = strlen(shapes[s]); i < len; i++) {
            in[i] = shapes[s][i % n];
        }
        for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
            struct weft_buf out;
            weft_buf_init(&out, len * WEFT_CHARSET_GROWTH + 3);
            const struct weft_charset *cs = weft_charset_by_label(labels[k], strlen(labels[k]));
            ck_assert_int_eq(weft_charset_decode(cs, in, len, &out), WEFT_OK);
            ck_assert(weft_utf8_valid(out.data, out.len));
            weft_buf_release(&out);
        }
    }
    free(in);
}
END_TEST

START_TEST(encoding_a_query)
{
    static const struct {
        const char *label, *in, *out, *why;
    } cases[] = {
        {"utf-8", "a\xC3\xA9", "a\xC3\xA9", "as it is"},
        {"utf-8", "a\xFFz", "a" BAD "z", "ill-formed text"},
        {"utf-16le", "\xC3\xA9", "\xC3\xA9", "output encoding of UTF-16 is UTF-8"},
        {"iso-2022-kr", "\xC3\xA9", "\xC3\xA9", "and of replacement"},
        {"windows-1252", "\xC3\xA9&\xE2\x82\xAC", "\xE9&\x80", "single bytes"},
        {"windows-1252", "\xC2\x81\xD0\x96", "\x81%26%231046%3B", "a control; what it has not"},
        {"windows-1252", "\xF0\x9F\x98\x80", "%26%23128512%3B", "a supplementary plane"},
        {"iso-8859-2", "\xC5\x99\xFF", "\xF8%26%2365533%3B", "ill-formed text is U+FFFD"},
        {"x-user-defined", "\xEF\x9E\x80\xC3\xA9", "\x80%26%23233%3B", "x-user-defined"},
        {"gbk", "\xE4\xB8\xAD\xE2\x82\xAC", "\xD6\xD0\x80", "GBK has a one-byte euro"},
        {"gb18030", "\xE2\x82\xAC", "\xA2\xE3", "gb18030 has not"},
        {"gbk", "\xF0\xA0\x80\x80", "%26%23131072%3B", "GBK has no four bytes"},
        {"gb18030", "\xF0\xA0\x80\x80\xC2\x80", "\x95\x32\x82\x36\x81\x30\x81\x30", "gb18030 has"},
        {"gb18030", "\xEE\x97\xA5", "%26%2358853%3B", "U+E5E5 can't come back"},
        {"gb18030", "\xEE\x9E\x8D\xEE\xA1\xA4\xEE\xA0\xAC", "\xA6\xD9\xFE\xA0\xFE\x67",
         "Private Use as in GB 18030-2005"},
        {"gb18030", "\xEF\xB8\x90\xE3\x80\x80", "\xA6\xD9\xA1\xA1", "as in -2022; U+3000 is A1 A1"},
        {"gb18030", "\xEE\x9F\x87", "\x81\x35\xF4\x37", "U+E7C7"},
        {"big5", "\xE4\xB8\xAD\xE5\x8D\x81", "\xA4\xA4\xA4\x51", "Big5"},
        {"big5", "\xE2\x95\x90\xE5\x8D\x85", "\xF9\xF9\xA4\xCA", "the last pointer for six"},
        {"big5", "\xC3\x80", "%26%23192%3B", "Hong Kong's are not written"},
        {"euc-kr", "\xED\x95\x9C\xEB\x98\xA0", "\xC7\xD1\x8C\x63", "EUC-KR"},
        {"euc-jp", "\xE6\x97\xA5\xEF\xBD\xB1\xC2\xA5\xE2\x80\xBE", "\xC6\xFC\x8E\xB1\\~", "EUC-JP"},
        {"euc-jp", "\xE2\x88\x92", "\xA1\xDD", "the minus sign is the full-width one"},
        {"euc-jp", "\xE4\xB8\x82", "%26%2319970%3B", "jis0212 is not written"},
        {"euc-jp", "\xE7\xBA\x8A", "\xF9\xA1", "IBM's in NEC's place"},
        {"shift_jis", "\xE7\xBA\x8A", "\xFA\x5C", "and in IBM's"},
        {"shift_jis", "\xE6\x97\xA5\xEF\xBD\xB1\xC2\xA5\xE2\x80\xBE\xC2\x80", "\x93\xFA\xB1\\~\x80",
         "Shift_JIS"},
        {"shift_jis", "\xEE\x80\x80", "%26%2357344%3B", "EUDC is not written"},
        {"iso-2022-jp", "a\xE6\x97\xA5z", "a\x1B$BF|\x1B(Bz", "there and back"},
        {"iso-2022-jp", "\xE6\x97\xA5", "\x1B$BF|\x1B(B", "back at the end"},
        {"iso-2022-jp",
         "\xC2\xA5"
         "a\\",
         "\x1B(J\\a\x1B(B\\", "Roman has ASCII but for two"},
        {"iso-2022-jp", "\xEF\xBD\xB1", "\x1B$B%\x22\x1B(B", "half-width katakana is widened"},
        {"iso-2022-jp", "\xE6\x97\xA5\xC3\xA9", "\x1B$BF|\x1B(B%26%23233%3B", "an error leaves it"},
        {"iso-2022-jp", "\x1B\x0E", "%26%2365533%3B%26%2365533%3B", "no escapes get in"},
        {"iso-2022-jp", "\xE6\x97\xA5\x1B", "\x1B$BF|\x1B(B%26%2365533%3B", "nor behind a shift"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct weft_charset *cs = weft_charset_by_label(cases[i].label,
                                                              strlen(cases[i].label));
        char out[100];
        size_t n = 99;
        ck_assert_int_eq(
            weft_charset_encode(cs, cases[i].in, strlen(cases[i].in), out, sizeof out, &n),
            WEFT_OK);
        ck_assert_msg(n == strlen(cases[i].out) && !memcmp(out, cases[i].out, n),
                      "%s: %s: %.*s, not %s", cases[i].label, cases[i].why, (int)n, out,
                      cases[i].out);
        /* one byte less and it does not fit */
        ck_assert_int_eq(weft_charset_encode(cs, cases[i].in, strlen(cases[i].in), out, n - 1, &n),
                         WEFT_ELIMIT);
        ck_assert_uint_eq(n, 0);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("charset decode");
    tcase_add_test(tc, unicode_encodings);
    tcase_add_test(tc, single_byte_encodings);
    tcase_add_test(tc, multi_byte_encodings);
    tcase_add_test(tc, validity);
    tcase_add_test(tc, long_texts_are_whole);
    tcase_add_test(tc, the_limit_holds_and_failure_leaves_the_buffer);
    tcase_add_test(tc, hostile_bytes_are_linear);
    tcase_add_test(tc, encoding_a_query);
    tcase_set_timeout(tc, 60);
    return suite_run("text: charset decode", tc);
}
