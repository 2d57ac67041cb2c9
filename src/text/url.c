/* url.c -- the basic URL parser (URL Standard 4.4) for http and https: scheme and relative states.
 *
 * There is no state variable: each state is a function that knows which comes next. The result is
 * written straight into the caller's buffer as its serialisation (4.5), which for these schemes is
 * the parts in order. Knows which parts a relative reference takes from its base; the parts
 * themselves are the other url_*.c files'. */
#include "text/url_parts.h"

#include <string.h>

struct parser {
    struct weft_url url;
    struct url_out o;
    const char *p, *end; /* what is left of the input */
    const struct weft_url *base;
    const struct weft_charset *cs;
};

enum scheme { NO_SCHEME, HTTP, HTTPS, WEB_SOCKET_OR_FTP, FILE_SCHEME, ANOTHER };

static enum scheme scheme_named(const char *name, size_t len)
{
    static const struct {
        const char *name;
        enum scheme scheme;
    } known[] = {
        {"http", HTTP},
        {"https", HTTPS},
        {"ftp", WEB_SOCKET_OR_FTP},
        {"ws", WEB_SOCKET_OR_FTP},
        {"wss", WEB_SOCKET_OR_FTP},
        {"file", FILE_SCHEME},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0) {
            return known[i].scheme;
        }
    }
    return ANOTHER;
}

/* The same where tabs and newlines are to be removed. */
static enum scheme scheme_among_tabs(struct parser *u)
{
    char name[6]; /* longer than any that matters */
    size_t n = 0;
    for (const char *p = u->p; p < u->end; p++) {
        if (url_class(*p) & URL_SCHEME) {
            if (n < sizeof name) {
                name[n++] = url_lower(*p);
            }
        } else if (*p == ':') {
            u->p = p + 1;
            return scheme_named(name, n);
        } else if (!(url_class(*p) & URL_STRIP)) {
            break;
        }
    }
    return NO_SCHEME;
}

/* Scheme start state and scheme state; passes the scheme and its colon, if there is one. */
static enum scheme scheme_state(struct parser *u)
{
    const char *p = u->p;
    if (p == u->end || !(url_class(*p) & URL_ALPHA)) {
        return NO_SCHEME;
    }
    while (p < u->end && url_class(*p) & URL_SCHEME) {
        p++;
    }
    bool ended = p == u->end || !(*p == ':' || url_class(*p) & URL_STRIP);
    return ended ? NO_SCHEME : scheme_among_tabs(u); /* reads few bytes again */
}

/* Takes the first n bytes of the base; the offsets of its authority come along. */
static bool take_base(struct parser *u, uint32_t n)
{
    const struct weft_url *base = u->base;
    u->url.scheme_len = base->scheme_len;
    u->url.host_at = base->host_at;
    u->url.host_end = base->host_end;
    u->url.path_at = base->path_at;
    u->url.port = base->port;
    return weft_url_put_bytes(&u->o, base->href, n);
}

/* Special authority (ignore) slashes states, and what follows: slashes, authority, path. */
static enum weft_status authority(struct parser *u, enum scheme scheme)
{
    u->url.scheme_len = scheme == HTTPS ? 5 : 4;
    if (!weft_url_put_bytes(&u->o, scheme == HTTPS ? "https://" : "http://",
                            u->url.scheme_len + 3)) {
        return WEFT_ELIMIT;
    }
    while (u->p < u->end && url_class(*u->p) & (URL_SLASH | URL_STRIP)) {
        u->p++;
    }
    enum weft_status st = weft_url_authority(&u->url, &u->o, &u->p, u->end, true);
    if (st != WEFT_OK) {
        return st;
    }
    u->url.path_at = (uint32_t)u->o.len;
    if (u->p < u->end && url_class(*u->p) & URL_SLASH) { /* path start state */
        u->p++;
    }
    return weft_url_path(&u->url, &u->o, u->p, u->end, u->cs);
}

/* Relative slash state, behind the first slash. */
static enum weft_status relative_slash(struct parser *u)
{
    u->p = url_skip(u->p + 1, u->end);
    if (u->p < u->end && url_class(*u->p) & URL_SLASH) {
        return authority(u, u->base->scheme_len == 5 ? HTTPS : HTTP);
    }
    if (!take_base(u, u->base->path_at)) {
        return WEFT_ELIMIT;
    }
    return weft_url_path(&u->url, &u->o, u->p, u->end, u->cs);
}

/* Relative state. */
static enum weft_status relative(struct parser *u)
{
    const struct weft_url *base = u->base;
    u->p = url_skip(u->p, u->end);
    unsigned class = u->p < u->end ? url_class(*u->p) : 0;
    if (class & URL_SLASH) {
        return relative_slash(u);
    }
    if (class & URL_QMARK) {
        return take_base(u, base->query_at) ? weft_url_query(&u->url, &u->o, u->p, u->end, u->cs)
                                            : WEFT_ELIMIT;
    }
    if (u->p == u->end || class & URL_HASH) {
        u->url.query_at = base->query_at;
        return take_base(u, base->fragment_at) ? weft_url_fragment(&u->url, &u->o, u->p, u->end)
                                               : WEFT_ELIMIT;
    }
    /* The base's path without its last segment; the slash comes with the next one. */
    const char *path = base->href + base->path_at;
    const char *slash = memrchr(path, '/', base->query_at - base->path_at);
    if (!take_base(u, (uint32_t)((slash ? slash : path) - base->href))) {
        return WEFT_ELIMIT;
    }
    return weft_url_path(&u->url, &u->o, u->p, u->end, u->cs);
}

/* Special relative or authority state: the base has the same scheme. */
static enum weft_status special_relative_or_authority(struct parser *u, enum scheme scheme)
{
    const char *first = url_skip(u->p, u->end);
    const char *second = first < u->end ? url_skip(first + 1, u->end) : u->end;
    bool slashes = second < u->end && *first == '/' && *second == '/';
    return slashes ? authority(u, scheme) : relative(u);
}

static enum weft_status run(struct parser *u)
{
    enum scheme scheme = scheme_state(u);
    switch (scheme) {
    case NO_SCHEME: /* no scheme state */
        return u->base ? relative(u) : WEFT_ESYNTAX;
    case HTTP:
    case HTTPS:
        if (u->base && u->base->scheme_len == (scheme == HTTPS ? 5 : 4)) {
            return special_relative_or_authority(u, scheme);
        }
        return authority(u, scheme);
    case WEB_SOCKET_OR_FTP:
        return weft_url_other(URL_OTHER_SPECIAL, &u->o, u->p, u->end);
    case FILE_SCHEME:
        return weft_url_other(URL_OTHER_FILE, &u->o, u->p, u->end);
    case ANOTHER:
        break;
    }
    return weft_url_other(URL_OTHER_GENERIC, &u->o, u->p, u->end);
}

enum weft_status weft_url_parse(struct weft_url *out, char *buf, size_t cap,
                                const struct weft_url *base, const char *text, size_t len,
                                const struct weft_charset *query_charset)
{
    struct parser u = {.p = text, .end = text + len, .base = base, .cs = query_charset};
    *out = (struct weft_url){0};
    if (cap == 0) {
        return WEFT_ELIMIT;
    }
    u.o = (struct url_out){.buf = buf, .cap = cap - 1 < UINT32_MAX ? cap - 1 : UINT32_MAX};
    while (u.p < u.end && (unsigned char)*u.p <= ' ') { /* C0 control or space */
        u.p++;
    }
    while (u.p < u.end && (unsigned char)u.end[-1] <= ' ') {
        u.end--;
    }
    enum weft_status st = run(&u);
    if (st != WEFT_OK) {
        return st;
    }
    buf[u.o.len] = '\0';
    u.url.href = buf;
    u.url.len = (uint32_t)u.o.len;
    *out = u.url;
    return WEFT_OK;
}
