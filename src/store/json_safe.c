/* json_safe.c -- see json_safe.h. */
#include "store/json_safe.h"

/* The first of those characters at or behind at; NULL: there is none. */
static const char *harmful(const char *at, const char *end, unsigned *c, size_t *len)
{
    for (; at < end; at++) {
        const unsigned char *p = (const unsigned char *)at;
        if (p[0] == 0x7f) {
            *c = p[0];
            *len = 1;
            return at;
        }
        if (p[0] == 0xc2 && end - at >= 2 && p[1] <= 0x9f) {
            *c = p[1];
            *len = 2;
            return at;
        }
        if (p[0] == 0xe2 && end - at >= 3 && p[1] == 0x80 && (p[2] == 0xa8 || p[2] == 0xa9)) {
            *c = 0x2000u + (p[2] & 0x3fu);
            *len = 3;
            return at;
        }
    }
    return NULL;
}

static enum weft_status put_escape(struct weft_buf *b, unsigned c)
{
    static const char digit[] = "0123456789abcdef";
    const char text[] = {'\\',         'u', digit[c >> 12], digit[c >> 8 & 15], digit[c >> 4 & 15],
                         digit[c & 15]};
    return weft_buf_append(b, text, sizeof text);
}

bool weft_json_is_safe(const char *text, size_t len)
{
    unsigned c;
    size_t n;
    return !harmful(text, text + len, &c, &n);
}

enum weft_status weft_json_put_safe(struct weft_buf *b, const char *text, size_t len)
{
    enum weft_status st = WEFT_OK;
    const char *end = text + len, *hit;
    unsigned c;
    size_t n;
    while (st == WEFT_OK && (hit = harmful(text, end, &c, &n))) {
        st = weft_buf_append(b, text, (size_t)(hit - text));
        st = st == WEFT_OK ? put_escape(b, c) : st;
        text = hit + n;
    }
    return st == WEFT_OK ? weft_buf_append(b, text, (size_t)(end - text)) : st;
}
