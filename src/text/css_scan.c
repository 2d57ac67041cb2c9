/* css_scan.c -- see css_scan.h. */
#include "text/css_scan.h"

#include "text/utf8.h"
#include <string.h>

#define LARGEST 1000000000L /* larger numbers are taken for it: no page has so many elements */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_newline(char c)
{
    return c == '\n' || c == '\r' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
    char low = (char)(c | 0x20);
    return is_digit(c) ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

static bool starts_name(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Whether an escape stands at p (4.3.8); one before the end of the text is none. */
static bool is_escape(const char *p)
{
    return p[0] == '\\' && p[1] && !is_newline(p[1]);
}

enum weft_status weft_css_refuse(struct weft_css_scan *s, const char *p, const char *wrong)
{
    s->at = p;
    s->wrong = wrong;
    return WEFT_ESYNTAX;
}

enum weft_status weft_css_space(struct weft_css_scan *s, bool *space)
{
    *space = false;
    for (;;) {
        if (is_space(*s->at)) {
            *space = true;
            s->at++;
        } else if (s->at[0] == '/' && s->at[1] == '*') {
            const char *end = strstr(s->at + 2, "*/");
            if (!end) {
                return weft_css_refuse(s, s->at, "a comment without its end");
            }
            s->at = end + 2;
        } else {
            return WEFT_OK;
        }
    }
}

bool weft_css_at_name(const struct weft_css_scan *s)
{
    const char *p = s->at;
    if (*p == '-') {
        return starts_name(p[1]) || p[1] == '-' || is_escape(p + 1);
    }
    return starts_name(*p) || is_escape(p);
}

/* Reads the escape at `at` (4.3.7): up to six hexadecimal digits and one space behind them, or the
 * character itself. */
static enum weft_status escaped(struct weft_css_scan *s, struct weft_buf *out)
{
    uint32_t c = 0;
    int digits = 0;
    char bytes[4];
    s->at++;
    for (; digits < 6 && hex_value(*s->at) >= 0; digits++) {
        c = c * 16 + (uint32_t)hex_value(*s->at++);
    }
    if (digits == 0) {
        size_t n = weft_utf8_next((const uint8_t *)s->at, strlen(s->at), &c);
        const char *from = s->at;
        s->at += n;
        return weft_buf_append(out, from, n);
    }
    if (is_space(*s->at)) {
        s->at += s->at[0] == '\r' && s->at[1] == '\n' ? 2 : 1;
    }
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        c = WEFT_REPLACEMENT_CHARACTER;
    }
    return weft_buf_append(out, bytes, weft_utf8_put(bytes, c));
}

enum weft_status weft_css_name(struct weft_css_scan *s, struct weft_buf *out, const char *missing)
{
    enum weft_status st = WEFT_OK;
    weft_buf_clear(out);
    if (!weft_css_at_name(s)) {
        return weft_css_refuse(s, s->at, missing);
    }
    while (st == WEFT_OK) {
        if (is_escape(s->at)) {
            st = escaped(s, out);
        } else if (starts_name(*s->at) || is_digit(*s->at) || *s->at == '-') {
            st = weft_buf_append(out, s->at++, 1);
        } else {
            break;
        }
    }
    return st;
}

enum weft_status weft_css_string(struct weft_css_scan *s, struct weft_buf *out)
{
    const char *open = s->at++;
    enum weft_status st = WEFT_OK;
    weft_buf_clear(out);
    while (st == WEFT_OK && *s->at != *open) {
        if (!*s->at || is_newline(*s->at) || (s->at[0] == '\\' && !s->at[1])) {
            return weft_css_refuse(s, open, "a string without its end");
        }
        if (is_escape(s->at)) {
            st = escaped(s, out);
        } else if (*s->at == '\\') { /* before a line's end: the string goes on */
            s->at += s->at[1] == '\r' && s->at[2] == '\n' ? 3 : 2;
        } else {
            st = weft_buf_append(out, s->at++, 1);
        }
    }
    s->at += st == WEFT_OK;
    return st;
}

static long read_number(struct weft_css_scan *s)
{
    long n = 0;
    for (; is_digit(*s->at); s->at++) {
        n = n >= LARGEST / 10 ? LARGEST : n * 10 + (*s->at - '0');
    }
    return n;
}

/* Whether a word stands here, in letters of either size; passes it. */
static bool take_word(struct weft_css_scan *s, const char *word)
{
    size_t n = 0;
    for (; word[n]; n++) {
        if ((s->at[n] | 0x20) != word[n]) {
            return false;
        }
    }
    s->at += n;
    return true;
}

/* What may stand behind the n: "+ 1". */
static enum weft_status read_offset(struct weft_css_scan *s, long *b)
{
    bool space;
    enum weft_status st = weft_css_space(s, &space);
    if (st != WEFT_OK || (*s->at != '+' && *s->at != '-')) {
        return st;
    }
    long sign = *s->at++ == '-' ? -1 : 1;
    st = weft_css_space(s, &space);
    if (st == WEFT_OK && !is_digit(*s->at)) {
        return weft_css_refuse(s, s->at, "a number is missing");
    }
    *b = st == WEFT_OK ? sign * read_number(s) : 0;
    return st;
}

enum weft_status weft_css_an_plus_b(struct weft_css_scan *s, long *a, long *b)
{
    const char *start = s->at;
    *a = *b = 0;
    if (take_word(s, "odd") || take_word(s, "even")) {
        *a = 2;
        *b = s->at - start == 3;
        return WEFT_OK;
    }
    long sign = 1;
    if (*s->at == '+' || *s->at == '-') {
        sign = *s->at++ == '-' ? -1 : 1;
    }
    bool digits = is_digit(*s->at);
    long n = digits ? read_number(s) : 1;
    if (take_word(s, "n")) {
        *a = sign * n;
        return read_offset(s, b);
    }
    *b = sign * n;
    return digits ? WEFT_OK : weft_css_refuse(s, start, "neither a number nor of the form An+B");
}

void weft_css_lower(struct weft_buf *b)
{
    for (size_t i = 0; i < b->len; i++) {
        if (b->data[i] >= 'A' && b->data[i] <= 'Z') {
            b->data[i] = (char)(b->data[i] | 0x20);
        }
    }
}
