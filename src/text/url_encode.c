/* url_encode.c -- percent-encode sets and percent-encoding (URL Standard 1.3).
 *
 * Knows bytes, UTF-8 and, for a query, the document's charset. Knows nothing of a URL's parts. */
#include "text/charset.h"
#include "text/url_parts.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* One row of eight bytes a line. The names are short so that a row stays one. */
#define F     URL_FRAGMENT
#define Q     URL_QUERY
#define P     URL_PATH
#define U     URL_USERINFO
#define D     URL_DOMAIN
#define S     URL_STRIP
#define ALL   (F | Q | P | U | D) /* C0 controls, space, DEL and what is not ASCII */
#define DIGIT (URL_SCHEME | URL_HEX | URL_UNRESERVED)
#define ALPHA (URL_SCHEME | URL_ALPHA | URL_UNRESERVED)
#define HALPH (ALPHA | URL_HEX)
#define MARK  (URL_SCHEME | URL_UNRESERVED) /* - and . */
#define PLAIN URL_UNRESERVED                /* _ and ~ */
#define ALL8  ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL
#define ALL32 ALL8, ALL8, ALL8, ALL8

const uint16_t weft_url_classes[256] = {
    /* clang-format off */
    /* 00 */ ALL8,
    /* 08 */ ALL, ALL | S, ALL | S, ALL, ALL, ALL | S, ALL, ALL,
    /* 10 */ ALL8, ALL8,
    /* 20   ! " # $ % & ' */
    ALL, 0, F | Q | P | U, Q | P | U | D | URL_HASH, 0, D, 0, Q,
    /* 28 ( ) * + , - . / */
    0, 0, 0, URL_SCHEME, 0, MARK, MARK, U | D | URL_SLASH,
    /* 30 0 ... 7 */
    DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT, DIGIT,
    /* 38 8 9 : ; < = > ? */
    DIGIT, DIGIT, U | D, U, ALL, U, ALL, P | U | D | URL_QMARK,
    /* 40 @ A ... G */
    U | D, HALPH, HALPH, HALPH, HALPH, HALPH, HALPH, ALPHA,
    /* 48 H ... W */
    ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA,
    ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA,
    /* 58 X Y Z [ \ ] ^ _ */
    ALPHA, ALPHA, ALPHA, U | D, U | D | URL_SLASH, U | D, P | U | D, PLAIN,
    /* 60 ` a ... g */
    F | P | U, HALPH, HALPH, HALPH, HALPH, HALPH, HALPH, ALPHA,
    /* 68 h ... w */
    ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA,
    ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA, ALPHA,
    /* 78 x y z { | } ~ DEL */
    ALPHA, ALPHA, ALPHA, P | U, U | D, P | U, PLAIN, ALL,
    /* 80 */ ALL32, ALL32, ALL32, ALL32
    /* clang-format on */
};

#undef F
#undef Q
#undef P
#undef U
#undef D
#undef S

bool weft_url_put_bytes(struct url_out *o, const char *bytes, size_t n)
{
    if (n > o->cap - o->len) {
        return false;
    }
    memcpy(o->buf + o->len, bytes, n);
    o->len += n;
    return true;
}

/* Appends %XX for each byte; a byte may be the one that is overwritten. */
static bool put_escaped(struct url_out *o, const char *bytes, size_t n)
{
    static const char digits[] = "0123456789ABCDEF";
    if (n > (o->cap - o->len) / 3) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        unsigned b = (unsigned char)bytes[i];
        o->buf[o->len++] = '%';
        o->buf[o->len++] = digits[b >> 4];
        o->buf[o->len++] = digits[b & 15];
    }
    return true;
}

/* Percent-encodes the one code point at *p and passes it. */
static bool put_code_point(struct url_out *o, const char **p, const char *end)
{
    char utf8[4];
    uint32_t c;
    *p += weft_utf8_next((const uint8_t *)*p, (size_t)(end - *p), &c);
    return put_escaped(o, utf8, weft_utf8_put(utf8, c));
}

static unsigned four_classes(const char *p)
{
    return url_class(p[0]) | url_class(p[1]) | url_class(p[2]) | url_class(p[3]);
}

const char *weft_url_encode(struct url_out *o, const char *p, const char *end, unsigned set,
                            unsigned stop)
{
    const unsigned special = set | stop | URL_STRIP;
    for (;;) {
        size_t room = o->cap - o->len, left = (size_t)(end - p);
        const char *limit = p + (left < room ? left : room);
        char *to = o->buf + o->len;
        while (limit - p >= 4 && !(four_classes(p) & special)) {
            memcpy(to, p, 4);
            to += 4;
            p += 4;
        }
        while (p < limit && !(url_class(*p) & special)) {
            *to++ = *p++;
        }
        o->len = (size_t)(to - o->buf);
        if (p == end || url_class(*p) & stop) {
            return p;
        }
        if (url_class(*p) & URL_STRIP) {
            p++;
        } else if (p == limit || !put_code_point(o, &p, end)) {
            return NULL;
        }
    }
}

/* The text without tabs and newlines, and with U+FFFD for what is ill-formed, lest the removal make
 * a character of two halves. *n gets its length. NULL: no memory. */
static char *without_tabs(const char *p, const char *end, size_t *n)
{
    struct url_out o = {.cap = 3 * (size_t)(end - p)};
    *n = 0;
    o.buf = malloc(o.cap + 1); /* a byte becomes three at most */
    if (!o.buf) {
        return NULL;
    }
    while ((p = url_skip(p, end)) < end) {
        uint32_t c;
        p += weft_utf8_next((const uint8_t *)p, (size_t)(end - p), &c);
        o.len += weft_utf8_put(o.buf + o.len, c);
    }
    *n = o.len;
    return o.buf;
}

/* Percent-encodes the n bytes that an encoder wrote behind o->len, in their place: they are moved
 * to the end of the room that the result takes, where writing never catches up with reading. */
static bool escape_encoded(struct url_out *o, size_t n)
{
    char *b = o->buf + o->len;
    size_t more = 0;
    for (size_t i = 0; i < n; i++) {
        more += url_class(b[i]) & URL_QUERY ? 2 : 0;
    }
    if (more > o->cap - o->len - n) {
        return false;
    }
    memmove(b + more, b, n);
    b += more;
    bool fits = true;
    for (size_t i = 0; i < n && fits; i++) {
        fits = url_class(b[i]) & URL_QUERY ? put_escaped(o, b + i, 1) : url_put(o, b[i]);
    }
    return fits;
}

enum weft_status weft_url_encode_query(struct url_out *o, const char *p, const char *end,
                                       const struct weft_charset *cs)
{
    char *own = NULL;
    size_t n = (size_t)(end - p), written;
    const char *tab = p;
    while (tab < end && !(url_class(*tab) & URL_STRIP)) {
        tab++;
    }
    if (tab < end) {
        own = without_tabs(p, end, &n);
        if (!own) {
            return WEFT_ENOMEM;
        }
        p = own;
    }
    enum weft_status st = weft_charset_encode(cs, p, n, o->buf + o->len, o->cap - o->len, &written);
    if (st == WEFT_OK && !escape_encoded(o, written)) {
        st = WEFT_ELIMIT;
    }
    free(own);
    return st;
}
