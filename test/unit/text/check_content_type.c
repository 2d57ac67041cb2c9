/* check_content_type.c -- Content-Type parsed and bodies sniffed, in the words of the MIME Sniffing
 * Standard. */
#include "text/content_type.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>

/* 4.4, parse a MIME type */
START_TEST(essence)
{
    static const struct {
        const char *value, *essence;
    } cases[] = {
        {"text/html", "text/html"},
        {" \t\r\ntext/html \t", "text/html"},
        {"TEXT/Html;x", "text/html"},
        {"text/html \t;x=y", "text/html"},
        {"application/xhtml+xml", "application/xhtml+xml"},
        {"!#$%&'*+-.^_`|~/1aZ", "!#$%&'*+-.^_`|~/1az"},
        {"", ""},
        {"  ", ""},
        {"text", ""},
        {"text/", ""},
        {"/html", ""},
        {"text /html", ""},
        {"text/ html", ""},
        {"text/ht ml", ""},
        {"text/html/x", ""},
        {"text/html,text/plain", ""},
        {"t\xE9xt/html", ""},
        {"text;/html", ""},
        {"\"text\"/html", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weft_content_type t;
        weft_content_type_parse(cases[i].value, strlen(cases[i].value), &t);
        ck_assert_msg(!strcmp(t.essence, cases[i].essence), "%s: %s", cases[i].value, t.essence);
        ck_assert_ptr_null(t.charset);
        ck_assert(t.is_html ==
                  (!strcmp(t.essence, "text/html") || !strcmp(t.essence, "application/xhtml+xml")));
    }
    struct weft_content_type t;
    weft_content_type_parse(NULL, 0, &t);
    ck_assert_str_eq(t.essence, "");
}
END_TEST

START_TEST(charset_parameter)
{
    static const struct {
        const char *parameters, *name; /* NULL: none */
    } cases[] = {
        {";charset=big5", "Big5"},
        {"; \t\r\nCHARSET=BIG5 ", "Big5"},
        {";charset=big5;charset=gbk", "Big5"},
        {";charset=nonsense;charset=gbk", NULL},
        {";charset=;charset=gbk", "GBK"},
        {";charset;charset=gbk", "GBK"},
        {";;;charset=gbk", "GBK"},
        {";a=b;charset=gbk;c=d", "GBK"},
        {";a=\"x;charset=big5\";charset=gbk", "GBK"},
        {";a=\"x\\\";charset=big5\";charset=gbk", "GBK"},
        {";a=\";charset=gbk", NULL},
        {";charset=\"gbk\"", "GBK"},
        {";charset=\"gbk", "GBK"},
        {";charset=\"g\\b\\k\"", "GBK"},
        {";charset=\" gbk \"", "GBK"},
        {";charset=\"gbk\"junk;x", "GBK"},
        {";charset=\"gbk\\", NULL},
        {";charset=\"\";charset=gbk", NULL},
        {";charset=\x01gbk;charset=big5", "Big5"},
        {";charset=\x7F;charset=big5", "Big5"},
        {";charset=\xE9;charset=big5", NULL},
        {";charset =gbk", NULL},
        {";charset= gbk", "GBK"},
        {";charset='gbk'", NULL},
        {";charset=gbk,x", NULL},
        {";charset=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         NULL},
        {";charset=\"                                                                    gbk\"",
         NULL},
        {"", NULL},
        {";", NULL},
        {";=gbk", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char value[200];
        int n = snprintf(value, sizeof value, "text/html%s", cases[i].parameters);
        char *exact = malloc((size_t)n);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, value, (size_t)n);
        struct weft_content_type t;
        weft_content_type_parse(exact, (size_t)n, &t);
        free(exact);
        const char *name = t.charset ? weft_charset_name(t.charset) : "none";
        ck_assert_msg(!strcmp(name, cases[i].name ? cases[i].name : "none"), "%s: %s", value, name);
        ck_assert_str_eq(t.essence, "text/html");
    }
}
END_TEST

/* Fetch, "extract a MIME type"; the first six are its own examples. */
START_TEST(the_last_of_several_counts)
{
    static const struct {
        const char *value, *essence, *charset;
    } cases[] = {
        {"text/plain;charset=gbk, text/html", "text/html", NULL},
        {"text/html;charset=gbk;a=b, text/html;x=y", "text/html", "GBK"},
        {"text/html;charset=gbk, x/x, text/html;x=y", "text/html", NULL},
        {"text/html, cannot-parse", "text/html", NULL},
        {"text/html, */*", "text/html", NULL},
        {"text/html, ", "text/html", NULL},
        {"text/html;charset=gbk, text/html;charset=big5", "text/html", "Big5"},
        {"text/html;charset=gbk, text/html;charset=big5, text/html", "text/html", "GBK"},
        {"text/html;charset=gbk, text/html;charset=nonsense", "text/html", NULL},
        {"text/html;charset=nonsense, text/html;x", "text/html", NULL},
        {"text/html;charset=gbk, junk,, */*, text/html", "text/html", "GBK"},
        {"text/html;a=\",image/png\";charset=gbk, text/html", "text/html", "GBK"},
        {"text/html;a=\"\\\",image/png\"", "text/html", NULL},
        {"text/html;a=\",image/png", "text/html", NULL},
        {"text/html;charset=\"gbk\\", "text/html", NULL},
        {"TEXT/HTML;charset=gbk,text/html", "text/html", "GBK"},
        {"junk", "", NULL},
        {",", "", NULL},
        {"", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len = strlen(cases[i].value);
        char *exact = malloc(len + 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, cases[i].value, len);
        struct weft_content_type t;
        weft_content_type_extract(exact, len, &t);
        free(exact);
        const char *name = t.charset ? weft_charset_name(t.charset) : "none";
        ck_assert_msg(!strcmp(t.essence, cases[i].essence) &&
                          !strcmp(name, cases[i].charset ? cases[i].charset : "none"),
                      "%s: %s, %s", cases[i].value, t.essence, name);
    }
    struct weft_content_type t;
    weft_content_type_extract(NULL, 0, &t);
    ck_assert_str_eq(t.essence, "");
}
END_TEST

START_TEST(a_long_type_is_none)
{
    char value[WEFT_ESSENCE_CAP + 20];
    for (size_t len = WEFT_ESSENCE_CAP - 2; len < sizeof value; len++) {
        memset(value, 'a', len);
        value[1] = '/';
        struct weft_content_type t;
        weft_content_type_parse(value, len, &t);
        ck_assert_uint_eq(strlen(t.essence), len < WEFT_ESSENCE_CAP ? len : 0);
    }
}
END_TEST

struct sniffing {
    const char *value, *body;
    size_t len; /* 0: strlen */
    const char *type;
};

static void sniff_all(const struct sniffing *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = cases[i].len ? cases[i].len : strlen(cases[i].body);
        char *exact = malloc(len + 1), got[WEFT_ESSENCE_CAP];
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, cases[i].body, len);
        const char *value = cases[i].value;
        weft_content_sniff(value, value ? strlen(value) : 0, exact, len, got);
        free(exact);
        ck_assert_msg(!strcmp(got, cases[i].type), "%zu: %s, not %s", i, got, cases[i].type);
    }
}

#define ALL(table) sniff_all(table, sizeof(table) / sizeof(table)[0])

/* 7, which rules apply to which supplied type */
START_TEST(supplied_types)
{
    static const struct sniffing cases[] = {
        {NULL, "<html>", 0, "text/html"},
        {"", "<html>", 0, "text/html"},
        {"junk", "<html>", 0, "text/html"},
        {"unknown/unknown", "<html>", 0, "text/html"},
        {"application/unknown; x", "<html>", 0, "text/html"},
        {"*/*", "<html>", 0, "text/html"},
        {"text/html", "GIF89a", 0, "text/html"},
        {"text/xml; charset=x", "<html>", 0, "text/xml"},
        {"application/XML", "<html>", 0, "application/xml"},
        {"image/svg+xml", "GIF89a", 0, "image/svg+xml"},
        {"text/plain", "<html>", 0, "text/plain"},
        {"text/plain", "a\1b", 3, "application/octet-stream"},
        {"text/plain; charset=UTF-8", "a\1b", 3, "application/octet-stream"},
        {"text/plain; charset=ISO-8859-1", "a\1b", 3, "application/octet-stream"},
        {"text/plain; charset=iso-8859-1", "\xFF\xFE\1b", 4, "text/plain"},
        {"text/plain; charset=iso-8859-1", "\xEF\xBB\xBF\1", 4, "text/plain"},
        {"text/plain;charset=UTF-8", "a\1b", 3, "text/plain"}, /* not letter by letter */
        {"text/plain; charset=utf-8", "a\1b", 3, "text/plain"},
        {"text/plain ", "a\1b", 3, "text/plain"},
        {"image/png", "GIF89a", 0, "image/gif"},
        {"image/png", "<html>", 0, "image/png"},
        {"audio/mpeg", "OggS\0", 5, "application/ogg"},
        {"application/ogg", "ID3", 0, "audio/mpeg"},
        {"video/x", "x", 0, "video/x"},
        {"application/json", "<html>", 0, "application/json"},
        {"application/octet-stream", "<html>", 0, "application/octet-stream"},
    };
    ALL(cases);
}
END_TEST

/* 7.1, identifying an unknown MIME type */
START_TEST(unknown_types)
{
    static const struct sniffing cases[] = {
        {NULL, "<!doctype html>", 0, "text/html"},
        {NULL, " \t\n\f\r<!DOCTYPE HTML x", 0, "text/html"},
        {NULL, "<!DOCTYPE  HTML>", 0, "text/plain"},
        {NULL, "<html", 0, "text/plain"}, /* nothing ends the tag */
        {NULL, "<html\n", 0, "text/plain"},
        {NULL, "<htmlx>", 0, "text/plain"},
        {NULL, "<Head>", 0, "text/html"},
        {NULL, "<script >", 0, "text/html"},
        {NULL, "<h1>", 0, "text/html"},
        {NULL, "<h2>", 0, "text/plain"},
        {NULL, "<a href>", 0, "text/html"},
        {NULL, "<!-- x", 0, "text/html"},
        {NULL, "<!--x", 0, "text/plain"},
        {NULL, "x<html>", 0, "text/plain"},
        {NULL, "\v<html>", 0, "application/octet-stream"},
        {NULL, "\n <?xml ", 0, "text/xml"},
        {NULL, "<?XML ", 0, "text/plain"},
        {NULL, "%PDF-1", 0, "application/pdf"},
        {NULL, " %PDF-1", 0, "text/plain"},
        {NULL, "%!PS-Adobe-3", 0, "application/postscript"},
        {NULL, "\xFE\xFF\0\1", 4, "text/plain"},
        {NULL, "\xFF\xFE\1\0", 4, "text/plain"},
        {NULL, "\xFF\xFE\1", 3, "application/octet-stream"}, /* the pattern has four bytes */
        {NULL, "\xEF\xBB\xBF\1", 4, "text/plain"},
        {NULL, "\0\0\1\0", 4, "image/x-icon"},
        {NULL, "\0\0\2\0", 4, "image/x-icon"},
        {NULL, "BMx", 0, "image/bmp"},
        {NULL, "GIF87a", 0, "image/gif"},
        {NULL, "RIFFxxxxWEBPVP8 ", 0, "image/webp"},
        {NULL, "\x89PNG\r\n\x1A\n", 0, "image/png"},
        {NULL, "\xFF\xD8\xFF", 0, "image/jpeg"},
        {NULL, "FORM\0\0\0\1AIFF", 12, "audio/aiff"},
        {NULL, "ID3", 0, "audio/mpeg"},
        {NULL, "MThd\0\0\0\6", 8, "audio/midi"},
        {NULL, "RIFF1234AVI ", 0, "video/avi"},
        {NULL, "RIFF1234WAVE", 0, "audio/wave"},
        {NULL, "\x1F\x8B\x08", 0, "application/x-gzip"},
        {NULL, "PK\3\4", 0, "application/zip"},
        {NULL, "Rar!\x1A\7\0", 7, "application/x-rar-compressed"},
        {NULL, "plain \t\n\f\r\x1B text \x80\xFF", 0, "text/plain"},
        {NULL, "a\x08", 0, "application/octet-stream"},
        {NULL, "a\x0E", 0, "application/octet-stream"},
        {NULL, "a\x1F", 0, "application/octet-stream"},
        {NULL, "\0", 1, "application/octet-stream"},
        {NULL, "", 0, "text/plain"},
    };
    ALL(cases);
}
END_TEST

/* 6.2.1 to 6.2.3 */
START_TEST(films_and_sounds)
{
    static const struct sniffing cases[] = {
        {NULL,
         "\0\0\0\x0C"
         "ftypmp41",
         12, "video/mp4"},
        {NULL,
         "\0\0\0\x14"
         "ftypisom\0\0\0\0mp42",
         20, "video/mp4"},
        {NULL,
         "\0\0\0\x14"
         "ftypisom\0\0\0\0avc1",
         20, "application/octet-stream"},
        {NULL,
         "\0\0\0\x18"
         "ftypisom\0\0\0\0mp42",
         20, "application/octet-stream"},
        {NULL,
         "\0\0\0\x0D"
         "ftypmp41x",
         13, "application/octet-stream"},
        {NULL,
         "\0\0\0\x0C"
         "ftypmp4",
         11, "application/octet-stream"},
        {NULL, "\x1A\x45\xDF\xA3\x9F\x42\x86\x81\1\x42\x82\x84webm", 16, "video/webm"},
        {NULL, "\x1A\x45\xDF\xA3\x9F\x42\x82\x40\x06\0\0webm", 15, "video/webm"},
        {NULL, "\x1A\x45\xDF\xA3\x9F\x42\x82\x84mka!", 12, "application/octet-stream"},
        {NULL, "\x1A\x45\xDF\xA3\x9F\x42\x82", 7, "application/octet-stream"},
    };
    ALL(cases);
    /* two frames of MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes each */
    char frames[1000] = {0};
    memcpy(frames, "\xFF\xFB\x90\x64", 4);
    memcpy(frames + 417, "\xFF\xFB\x90\x64", 4);
    struct sniffing two = {NULL, frames, 900, "audio/mpeg"}, one = {NULL, frames, 420, NULL};
    one.type = "application/octet-stream";
    sniff_all(&two, 1);
    sniff_all(&one, 1);
    /* MPEG-2: half the sampling rate, 64 kbit/s at 22.05 kHz: 208 bytes */
    memset(frames, 0, sizeof frames);
    memcpy(frames, "\xFF\xF3\x80\x64", 4);
    memcpy(frames + 208, "\xFF\xF3\x80\x64", 4);
    sniff_all(&two, 1);
}
END_TEST

START_TEST(only_the_header_is_looked_at)
{
    char body[2000];
    memset(body, 'x', sizeof body);
    body[1445] = '\0';
    struct sniffing behind = {NULL, body, sizeof body, "text/plain"};
    sniff_all(&behind, 1);
    body[1444] = '\0';
    behind.type = "application/octet-stream";
    sniff_all(&behind, 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("content type");
    tcase_add_test(tc, essence);
    tcase_add_test(tc, charset_parameter);
    tcase_add_test(tc, the_last_of_several_counts);
    tcase_add_test(tc, a_long_type_is_none);
    tcase_add_test(tc, supplied_types);
    tcase_add_test(tc, unknown_types);
    tcase_add_test(tc, films_and_sounds);
    tcase_add_test(tc, only_the_header_is_looked_at);
    return suite_run("text: content type", tc);
}
