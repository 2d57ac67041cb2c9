/* url_authority.c -- authority, host and port states (URL Standard 4.4).
 *
 * The Standard reads the authority again whenever it meets an '@' or a ':'; here its end and its
 * last '@' are found first. Knows credentials and ports; hosts are url_host.c's. */
#include "text/url_parts.h"

#include <string.h>

/* 4.4, authority state, as far as credentials go, and the serialiser's part of 4.5. */
static enum weft_status credentials(struct url_out *o, const char *p, const char *at)
{
    size_t start = o->len;
    const char *colon = memchr(p, ':', (size_t)(at - p));
    if (!weft_url_encode(o, p, colon ? colon : at, URL_USERINFO, 0)) {
        return WEFT_ELIMIT;
    }
    if (colon && url_skip(colon + 1, at) < at &&
        (!url_put(o, ':') || !weft_url_encode(o, colon + 1, at, URL_USERINFO, 0))) {
        return WEFT_ELIMIT;
    }
    return o->len == start || url_put(o, '@') ? WEFT_OK : WEFT_ELIMIT;
}

/* 4.4, port state: digits up to end, tabs aside; none is no port. -1 is no port number. */
static long port_number(const char *p, const char *end, bool *none)
{
    long port = 0;
    *none = true;
    while ((p = url_skip(p, end)) < end) {
        if (*p < '0' || *p > '9') {
            return -1;
        }
        port = port * 10 + (*p++ - '0');
        if (port > UINT16_MAX) {
            return -1;
        }
        *none = false;
    }
    return port;
}

static enum weft_status put_port(struct weft_url *url, struct url_out *o, const char *colon,
                                 const char *end)
{
    bool none = true;
    long port = colon < end ? port_number(colon + 1, end, &none) : 0;
    long usual = url->scheme_len == 5 ? 443 : 80;
    if (port < 0) {
        return WEFT_ESYNTAX;
    }
    url->port = (uint16_t)(none ? usual : port);
    if (none || port == usual) {
        return WEFT_OK;
    }
    char text[6]; /* written from its end */
    size_t at = sizeof text;
    do {
        text[--at] = (char)('0' + port % 10);
        port /= 10;
    } while (port > 0);
    text[--at] = ':';
    return weft_url_put_bytes(o, text + at, sizeof text - at) ? WEFT_OK : WEFT_ELIMIT;
}

/* The first ':' outside of brackets (host state), or end. */
static const char *port_colon(const char *p, const char *end)
{
    bool inside = false;
    for (; p < end && (*p != ':' || inside); p++) {
        if (*p == '[' || *p == ']') {
            inside = *p == '[';
        }
    }
    return p;
}

/* 3.5, opaque-host parser, as far as it can fail; its result is not kept. */
static enum weft_status opaque_host(const char *p, const char *end)
{
    for (; p < end; p++) {
        bool tolerated = *p == '%' || (unsigned char)*p >= 0x7f || (*p > 0 && *p < ' ');
        if (url_class(*p) & URL_DOMAIN && !tolerated) {
            return WEFT_ESYNTAX;
        }
    }
    return WEFT_OK;
}

static enum weft_status host(struct url_out *o, const char *p, const char *end, bool special,
                             bool credentials_or_port)
{
    p = url_skip(p, end);
    if (p == end) {
        return special || credentials_or_port ? WEFT_ESYNTAX : WEFT_OK;
    }
    return special || *p == '[' ? weft_url_host(o, p, end) : opaque_host(p, end);
}

/* A plain name, no credentials, no port: as most authorities are. False: it is something else, and
 * nothing was written. */
static bool plain_host(struct url_out *o, const char **p, const char *end)
{
    const char *s = *p;
    size_t at = o->len;
    while (s < end && !(url_class(*s) & URL_DOMAIN) && url_put(o, url_lower(*s))) {
        s++;
    }
    if (s == *p || (s < end && !(url_class(*s) & URL_PATH_END))) {
        o->len = at;
        return false;
    }
    *p = s;
    return true;
}

enum weft_status weft_url_authority(struct weft_url *url, struct url_out *o, const char **p,
                                    const char *end, bool special)
{
    url->host_at = (uint32_t)o->len;
    if (special && plain_host(o, p, end)) {
        enum weft_status st = weft_url_ipv4(o, url->host_at);
        url->host_end = (uint32_t)o->len;
        url->port = url->scheme_len == 5 ? 443 : 80;
        return st;
    }
    const char *at = NULL, *stop = *p, *from = *p;
    for (; stop < end && !(url_class(*stop) & URL_PATH_END && (special || *stop != '\\')); stop++) {
        if (*stop == '@') {
            at = stop;
        }
    }
    *p = stop;
    enum weft_status st = WEFT_OK;
    if (at) {
        st = credentials(o, from, at);
        from = at + 1;
    }
    const char *colon = port_colon(from, stop);
    url->host_at = (uint32_t)o->len;
    if (st == WEFT_OK) {
        st = host(o, from, colon, special, at || colon < stop);
    }
    url->host_end = (uint32_t)o->len;
    return st == WEFT_OK ? put_port(url, o, colon, stop) : st;
}
