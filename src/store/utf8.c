/* utf8.c -- see utf8.h. */
#include "store/utf8.h"

#include <stdbool.h>
#include <stdint.h>

/* What may follow a lead byte: how many trail bytes, and the range of the first of them. The other
 * trail bytes are 80..BF. A row that is not here is no lead byte. */
static bool lead(unsigned char c, unsigned *trail, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (c >= 0xc2 && c <= 0xdf) {
        *trail = 1;
    } else if (c >= 0xe0 && c <= 0xef) {
        *trail = 2;
        *low = c == 0xe0 ? 0xa0 : 0x80;  /* no overlong forms */
        *high = c == 0xed ? 0x9f : 0xbf; /* no surrogates */
    } else if (c >= 0xf0 && c <= 0xf4) {
        *trail = 3;
        *low = c == 0xf0 ? 0x90 : 0x80;
        *high = c == 0xf4 ? 0x8f : 0xbf; /* nothing above U+10FFFF */
    } else {
        return false;
    }
    return true;
}

/* The length of the character at text[0..len), len > 0; with *bad, of the maximal part that starts
 * no character. */
static size_t step(const unsigned char *text, size_t len, bool *bad)
{
    unsigned trail;
    unsigned char low, high;
    *bad = false;
    if (text[0] < 0x80) {
        return 1;
    }
    if (!lead(text[0], &trail, &low, &high)) {
        *bad = true;
        return 1;
    }
    size_t n = 1;
    while (n <= trail) {
        if (n >= len || text[n] < low || text[n] > high) {
            *bad = true;
            return n;
        }
        low = 0x80;
        high = 0xbf;
        n++;
    }
    return n;
}

/* How many bytes from the start are well-formed. */
static size_t valid_prefix(const unsigned char *text, size_t len)
{
    size_t at = 0;
    while (at < len) {
        bool bad;
        size_t n = step(text + at, len - at, &bad);
        if (bad) {
            return at;
        }
        at += n;
    }
    return at;
}

enum weft_status weft_utf8_clean(struct weft_buf *scratch, const char *text, size_t len,
                                 const char **clean, size_t *clean_len)
{
    *clean = NULL;
    *clean_len = 0;
    size_t at = valid_prefix((const unsigned char *)text, len);
    if (at == len) {
        *clean = text;
        *clean_len = len;
        return WEFT_OK;
    }
    weft_buf_clear(scratch);
    enum weft_status st = weft_buf_append(scratch, text, at);
    while (st == WEFT_OK && at < len) {
        bool bad;
        size_t n = step((const unsigned char *)text + at, len - at, &bad);
        st = bad ? weft_buf_append(scratch, "\xef\xbf\xbd", 3)
                 : weft_buf_append(scratch, text + at, n);
        at += n;
    }
    if (st == WEFT_OK) {
        *clean = scratch->data;
        *clean_len = scratch->len;
    }
    return st;
}
