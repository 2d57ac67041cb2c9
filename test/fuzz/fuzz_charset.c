/* fuzz_charset.c -- any bytes as a document in any encoding, as a query to encode, as a
 * Content-Type: what is decoded is well-formed UTF-8 of bounded size, what is encoded fits, and a
 * type is what a type may be.
 *
 * Input: one byte that picks the encoding, a line that is the Content-Type, the body. */
#include "text/content_type.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const labels[] = {
    "utf-8",        "ibm866",       "iso-8859-2",   "iso-8859-3",     "iso-8859-4",
    "iso-8859-5",   "iso-8859-6",   "iso-8859-7",   "iso-8859-8",     "iso-8859-8-i",
    "iso-8859-10",  "iso-8859-13",  "iso-8859-14",  "iso-8859-15",    "iso-8859-16",
    "koi8-r",       "koi8-u",       "macintosh",    "windows-874",    "windows-1250",
    "windows-1251", "windows-1252", "windows-1253", "windows-1254",   "windows-1255",
    "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk",
    "gb18030",      "big5",         "euc-jp",       "iso-2022-jp",    "shift_jis",
    "euc-kr",       "replacement",  "utf-16be",     "utf-16le",       "x-user-defined",
};

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_decode(const struct weft_charset *cs, const char *body, size_t len)
{
    size_t bound = len * WEFT_CHARSET_GROWTH + 3;
    struct weft_buf out;
    weft_buf_init(&out, bound);
    must(weft_charset_decode(cs, body, len, &out) == WEFT_OK);
    must(weft_utf8_valid(out.data, out.len));
    if (out.len) { /* a limit that is met to the byte, and one that is not */
        struct weft_buf again;
        weft_buf_init(&again, out.len);
        must(weft_charset_decode(cs, body, len, &again) == WEFT_OK);
        must(again.len == out.len && memcmp(again.data, out.data, out.len) == 0);
        weft_buf_release(&again);
        weft_buf_init(&again, out.len - 1);
        must(weft_charset_decode(cs, body, len, &again) == WEFT_ELIMIT && again.len == 0);
        weft_buf_release(&again);
    }
    weft_buf_release(&out);
}

static void check_encode(const struct weft_charset *cs, const char *text, size_t len)
{
    size_t cap = len * 16 + 16, n, m;
    char *out = malloc(cap);
    must(out != NULL);
    must(weft_charset_encode(cs, text, len, out, cap, &n) == WEFT_OK && n <= cap);
    char *exact = malloc(n + 1);
    must(exact != NULL);
    must(weft_charset_encode(cs, text, len, exact, n, &m) == WEFT_OK && m == n);
    must(memcmp(out, exact, n) == 0);
    if (n) {
        must(weft_charset_encode(cs, text, len, exact, n - 1, &m) == WEFT_ELIMIT && m == 0);
    }
    free(exact);
    free(out);
}

static void check_type(const char *value, size_t value_len, const char *body, size_t len)
{
    struct weft_content_type type;
    char sniffed[WEFT_ESSENCE_CAP];
    weft_content_type_parse(value, value_len, &type);
    const char *slash = strchr(type.essence, '/');
    must(!*type.essence || (slash && slash > type.essence && slash[1] && !strchr(slash + 1, '/')));
    for (const char *c = type.essence; *c; c++) {
        must(*c > ' ' && *c < 0x7f && !(*c >= 'A' && *c <= 'Z'));
    }
    must(*type.essence || (!type.charset && !type.is_html));
    weft_content_type_extract(value, value_len, &type);
    must(*type.essence || (!type.charset && !type.is_html));
    weft_content_sniff(value, value_len, body, len, sniffed);
    must(strchr(sniffed, '/') != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *label = labels[data[0] % (sizeof labels / sizeof labels[0])];
    const struct weft_charset *cs = weft_charset_by_label(label, strlen(label));
    must(cs != NULL);
    const char *value = (const char *)data + 1;
    const char *end = memchr(value, '\n', size - 1);
    size_t value_len = end ? (size_t)(end - value) : 0;
    const char *body = end ? end + 1 : value;
    size_t len = size - 1 - (end ? value_len + 1 : 0), bom;
    check_decode(cs, body, len);
    check_encode(cs, body, len);
    check_type(end ? value : NULL, value_len, body, len);
    const struct weft_charset *found = weft_charset_of_html(body, len, end ? value : NULL,
                                                            value_len, &bom);
    must(found && bom <= 3 && bom <= len);
    const char *name = weft_charset_name(found);
    must(weft_charset_by_label(name, strlen(name)) == found);
    return 0;
}
