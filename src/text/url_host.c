/* url_host.c -- host parser (URL Standard 3.5) for special schemes.
 *
 * Hosts come percent-decoded and without tabs; only what is not ASCII then goes through IDNA.
 * Knows nothing of ports. */
#include "base/limits.h"
#include "text/charset.h"
#include "text/url_parts.h"

/* The next byte of the percent-decoding, tabs and newlines removed; -1 at the end. */
static int next_byte(const char **p, const char *end)
{
    const char *s = url_skip(*p, end);
    *p = s;
    if (s == end) {
        return -1;
    }
    *p = s + 1;
    if (*s == '%') {
        const char *high = url_skip(s + 1, end);
        const char *low = high < end ? url_skip(high + 1, end) : end;
        if (low < end && url_class(*high) & URL_HEX && url_class(*low) & URL_HEX) {
            *p = low + 1;
            return (int)(url_hex(*high) << 4 | url_hex(*low));
        }
    }
    return (unsigned char)*s;
}

/* Whether the percent-decoding is ASCII. */
static bool decodes_to_ascii(const char *p, const char *end)
{
    int b;
    while ((b = next_byte(&p, end)) >= 0 && b < 0x80) {
    }
    return b < 0;
}

/* 3.3, domain parser for an ASCII domain: lowercased, whatever IDNA would say to it. */
static enum weft_status ascii_domain(struct url_out *o, const char *p, const char *end)
{
    for (int b; (b = next_byte(&p, end)) >= 0;) {
        if (url_class((char)b) & URL_DOMAIN) {
            return WEFT_ESYNTAX;
        }
        if (!url_put(o, url_lower((char)b))) {
            return WEFT_ELIMIT;
        }
    }
    return WEFT_OK;
}

/* 3.3, domain parser for any other. Ill-formed bytes would become U+FFFD, which no domain may hold;
 * those of the text and those that only percent-decoding shows are two questions. */
static enum weft_status unicode_domain(struct url_out *o, const char *p, const char *end)
{
    char decoded[WEFT_MAX_IDN];
    size_t n = 0, at = o->len;
    if (!weft_utf8_valid(p, (size_t)(end - p))) {
        return WEFT_ESYNTAX;
    }
    for (int b; (b = next_byte(&p, end)) >= 0;) {
        if (n == sizeof decoded) {
            return WEFT_ELIMIT;
        }
        decoded[n++] = (char)b;
    }
    if (!weft_utf8_valid(decoded, n)) {
        return WEFT_ESYNTAX;
    }
    enum weft_status st = weft_url_idna(o, decoded, n);
    for (size_t i = at; st == WEFT_OK && i < o->len; i++) {
        if (url_class(o->buf[i]) & URL_DOMAIN) {
            st = WEFT_ESYNTAX;
        }
    }
    return st;
}

enum weft_status weft_url_host(struct url_out *o, const char *p, const char *end)
{
    size_t at = o->len;
    if (p < end && *p == '[') {
        return weft_url_ipv6(o, p, end);
    }
    enum weft_status st = decodes_to_ascii(p, end) ? ascii_domain(o, p, end)
                                                   : unicode_domain(o, p, end);
    if (st == WEFT_OK && o->len == at) {
        st = WEFT_ESYNTAX;
    }
    return st == WEFT_OK ? weft_url_ipv4(o, at) : st;
}
