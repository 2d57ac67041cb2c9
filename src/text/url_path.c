/* url_path.c -- path start, path, query and fragment states (URL Standard 4.4).
 *
 * A path grows in the output as "/segment/segment"; a dot segment is taken back once it is whole,
 * so that "%2e" forms and tabs in between need no rule of their own. Every byte is written once
 * and taken back at most once: time is linear. What is taken back must have fit. Knows nothing of
 * hosts. */
#include "text/charset.h"
#include "text/url_parts.h"

#include <string.h>

/* 4.1: 1 for a single-dot URL path segment, 2 for a double-dot one, 0 for any other. */
static unsigned dot_segment(const char *s, size_t n)
{
    unsigned dots = 0;
    if (n == 0 || n > 6 || (*s != '.' && *s != '%')) {
        return 0;
    }
    for (const char *end = s + n; s < end; dots++) {
        if (*s == '.') {
            s++;
        } else if (end - s >= 3 && s[0] == '%' && s[1] == '2' && url_lower(s[2]) == 'e') {
            s += 3;
        } else {
            return 0;
        }
    }
    return dots <= 2 ? dots : 0;
}

/* 4.2, shorten a URL's path: takes back its last segment, if any. */
static void shorten(struct url_out *o, size_t path_at)
{
    const char *slash = memrchr(o->buf + path_at, '/', o->len - path_at);
    if (slash) {
        o->len = (size_t)(slash - o->buf);
    }
}

/* 4.4, path state. Gives where the path ended, NULL if it does not fit. */
static const char *path(const struct weft_url *url, struct url_out *o, const char *p,
                        const char *end)
{
    for (bool more = true; more;) {
        if (!url_put(o, '/')) {
            return NULL;
        }
        size_t at = o->len;
        p = weft_url_encode(o, p, end, URL_PATH, URL_PATH_END);
        if (!p) {
            return NULL;
        }
        more = p < end && url_class(*p) & URL_SLASH;
        p += more;
        unsigned dots = dot_segment(o->buf + at, o->len - at);
        if (dots) {
            o->len = at - 1;
            if (dots == 2) {
                shorten(o, url->path_at);
            }
            if (!more) {
                o->buf[o->len++] = '/'; /* there was room for it */
            }
        }
    }
    return p;
}

/* Whether the charset can make a difference: a byte that is not ASCII, or one that ISO-2022-JP's
 * encoder refuses. */
static bool needs_charset(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p < 0x80 && *p != 0x0e && *p != 0x0f && *p != 0x1b) {
        p++;
    }
    return p < end;
}

/* 4.4, fragment state. */
enum weft_status weft_url_fragment(struct weft_url *url, struct url_out *o, const char *p,
                                   const char *end)
{
    url->fragment_at = (uint32_t)o->len;
    if (p == end) {
        return WEFT_OK;
    }
    if (!url_put(o, '#') || !weft_url_encode(o, p + 1, end, URL_FRAGMENT, 0)) {
        return WEFT_ELIMIT;
    }
    return WEFT_OK;
}

/* 4.4, query state. */
enum weft_status weft_url_query(struct weft_url *url, struct url_out *o, const char *p,
                                const char *end, const struct weft_charset *cs)
{
    url->query_at = (uint32_t)o->len;
    if (p == end || *p == '#') {
        return weft_url_fragment(url, o, p, end);
    }
    if (!url_put(o, '?')) {
        return WEFT_ELIMIT;
    }
    p++;
    if (cs && cs != weft_charset_utf8()) {
        const char *hash = memchr(p, '#', (size_t)(end - p));
        const char *stop = hash ? hash : end;
        if (needs_charset(p, stop)) {
            enum weft_status st = weft_url_encode_query(o, p, stop, cs);
            return st != WEFT_OK ? st : weft_url_fragment(url, o, stop, end);
        }
    }
    p = weft_url_encode(o, p, end, URL_QUERY, URL_HASH);
    return p ? weft_url_fragment(url, o, p, end) : WEFT_ELIMIT;
}

enum weft_status weft_url_path(struct weft_url *url, struct url_out *o, const char *p,
                               const char *end, const struct weft_charset *cs)
{
    p = path(url, o, p, end);
    return p ? weft_url_query(url, o, p, end, cs) : WEFT_ELIMIT;
}
