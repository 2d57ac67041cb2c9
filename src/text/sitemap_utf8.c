/* sitemap_utf8.c -- makes well-formed UTF-8 of UTF-16, and of UTF-8 that may not be, a chunk at a
 * time. What is ill-formed becomes U+FFFD. Knows bytes only. */
#include "text/sitemap_parts.h"
#include "text/utf8.h"

#include <string.h>

static enum weft_status replacement(sitemap_sink *sink, void *user)
{
    return sink(user, "\xEF\xBF\xBD", 3);
}

/* Goes on with the character that the last chunk began. *used gets the bytes taken, 0 or 1. */
static enum weft_status go_on(struct sitemap_utf8 *u, uint8_t byte, size_t *used,
                              sitemap_sink *sink, void *user)
{
    uint32_t c;
    u->part[u->nparts++] = byte;
    size_t n = weft_utf8_next(u->part, u->nparts, &c);
    *used = 1;
    if (n < u->nparts) { /* this byte does not belong to it */
        *used = 0;
        u->nparts = 0;
        return replacement(sink, user);
    }
    if (c == WEFT_REPLACEMENT_CHARACTER && (u->nparts < 3 || u->part[0] >= 0xf0)) {
        return WEFT_OK; /* still not whole */
    }
    n = u->nparts;
    u->nparts = 0;
    return sink(user, (const char *)u->part, n);
}

enum weft_status weft_sitemap_utf8_feed(struct sitemap_utf8 *u, const char *bytes, size_t len,
                                        sitemap_sink *sink, void *user)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0, n; st == WEFT_OK && i < len; i += n) {
        const uint8_t *p = (const uint8_t *)bytes + i;
        uint32_t c;
        if (u->nparts > 0) {
            st = go_on(u, *p, &n, sink, user);
            continue;
        }
        n = weft_utf8_span(p, len - i);
        if (n > 0) {
            st = sink(user, (const char *)p, n);
            continue;
        }
        n = weft_utf8_next(p, len - i, &c);
        if (n == len - i) { /* the end of the chunk, perhaps not of the character */
            memcpy(u->part, p, n);
            u->nparts = n;
        } else {
            st = replacement(sink, user);
        }
    }
    return st;
}

/* One unit of UTF-16; writes up to two characters into out[0..8). */
static size_t unit(struct sitemap_utf8 *u, uint32_t c, char out[8])
{
    size_t n = 0;
    if (u->high && c >= 0xdc00 && c <= 0xdfff) {
        n = weft_utf8_put(out, 0x10000 + ((u->high - 0xd800) << 10) + (c - 0xdc00));
        u->high = 0;
        return n;
    }
    if (u->high) {
        n = weft_utf8_put(out, WEFT_REPLACEMENT_CHARACTER);
        u->high = 0;
    }
    if (c >= 0xd800 && c <= 0xdbff) {
        u->high = c;
        return n;
    }
    bool lone = c >= 0xdc00 && c <= 0xdfff;
    return n + weft_utf8_put(out + n, lone ? WEFT_REPLACEMENT_CHARACTER : c);
}

enum weft_status weft_sitemap_utf16_feed(struct sitemap_utf8 *u, bool big_endian, const char *bytes,
                                         size_t len, sitemap_sink *sink, void *user)
{
    char out[1024];
    size_t n = 0;
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < len; i++) {
        u->part[u->nparts++] = (uint8_t)bytes[i];
        if (u->nparts < 2) {
            continue;
        }
        u->nparts = 0;
        n += unit(u, (uint32_t)(u->part[!big_endian] << 8 | u->part[big_endian]), out + n);
        if (n > sizeof out - 8) {
            st = sink(user, out, n);
            n = 0;
        }
    }
    return st == WEFT_OK && n > 0 ? sink(user, out, n) : st;
}
