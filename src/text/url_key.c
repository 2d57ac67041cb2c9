/* url_key.c -- the key for "already seen", and same origin.
 *
 * The key is the URL without its fragment, normalised after RFC 3986 6.2.2 as far as the URL
 * Standard has not done it: unreserved octets decoded, hex digits upper case. On top of it come the
 * folds that a user asked for. A key is itself a URL, and its own key. */
#include "text/url_parts.h"

#include <string.h>
#include <strings.h>

/* RFC 3986 6.2.2.1 and 6.2.2.2. Decoding must not make an escape that was none: in "%%34x", a "4"
 * would follow a bare percent sign. So a digit stays escaped within two bytes of one. */
static bool normalise(struct url_out *o, const char *p, const char *end)
{
    size_t bare = SIZE_MAX; /* where a percent sign that escapes nothing was written last */
    while (p < end) {
        const char *percent = memchr(p, '%', (size_t)(end - p));
        const char *stop = percent ? percent : end;
        if (!weft_url_put_bytes(o, p, (size_t)(stop - p))) {
            return false;
        }
        p = stop;
        if (p == end) {
            break;
        }
        if (end - p < 3 || !(url_class(p[1]) & url_class(p[2]) & URL_HEX)) {
            bare = o->len;
            if (!url_put(o, *p++)) {
                return false;
            }
            continue;
        }
        static const char digits[] = "0123456789ABCDEF";
        char byte = (char)(url_hex(p[1]) << 4 | url_hex(p[2]));
        bool near = bare != SIZE_MAX && o->len - bare <= 2 && url_class(byte) & URL_HEX;
        char escaped[3] = {'%', digits[url_hex(p[1])], digits[url_hex(p[2])]};
        if (!(url_class(byte) & URL_UNRESERVED && !near ? url_put(o, byte)
                                                        : weft_url_put_bytes(o, escaped, 3))) {
            return false;
        }
        p += 3;
    }
    return true;
}

/* A document that a server gives for its folder. */
static bool is_index(const char *name, size_t len)
{
    static const char *const names[] = {
        "index.html",   "index.htm",   "index.shtml",  "index.xhtml", "index.php",
        "index.asp",    "index.aspx",  "index.jsp",    "index.cgi",   "default.htm",
        "default.html", "default.asp", "default.aspx",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == len && strncasecmp(names[i], name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Folds the path that ends the output and begins at path_at; each fold until it changes nothing. */
static void fold_path(struct url_out *o, size_t path_at, unsigned fold)
{
    for (size_t before = 0; before != o->len;) {
        before = o->len;
        while (fold & WEFT_FOLD_SLASH && o->len > path_at + 1 && o->buf[o->len - 1] == '/') {
            o->len--;
        }
        const char *slash = memrchr(o->buf + path_at, '/', o->len - path_at);
        size_t name_at = slash ? (size_t)(slash + 1 - o->buf) : o->len;
        if (fold & WEFT_FOLD_INDEX && is_index(o->buf + name_at, o->len - name_at)) {
            o->len = name_at;
        }
    }
}

/* Scheme, credentials, host and port; the host without "www.", however often. */
static bool put_authority(struct url_out *o, const struct weft_url *url, unsigned fold)
{
    uint32_t host_at = url->host_at;
    while (fold & WEFT_FOLD_WWW && url->host_end - host_at > 4 &&
           memcmp(url->href + host_at, "www.", 4) == 0) {
        host_at += 4;
    }
    return normalise(o, url->href, url->href + url->host_at) &&
           weft_url_put_bytes(o, url->href + host_at, url->path_at - host_at);
}

enum weft_status weft_url_key(const struct weft_url *url, unsigned fold, char *buf, size_t cap,
                              size_t *key_len)
{
    struct url_out o = {.buf = buf, .cap = cap ? cap - 1 : 0};
    *key_len = 0;
    if (fold == 0 && url->fragment_at < cap && !memchr(url->href, '%', url->fragment_at)) {
        memcpy(buf, url->href, url->fragment_at); /* most links are their own key */
        buf[url->fragment_at] = '\0';
        *key_len = url->fragment_at;
        return WEFT_OK;
    }
    if (cap == 0 || !put_authority(&o, url, fold)) {
        return WEFT_ELIMIT;
    }
    size_t path_at = o.len;
    if (!normalise(&o, url->href + url->path_at, url->href + url->query_at)) {
        return WEFT_ELIMIT;
    }
    fold_path(&o, path_at, fold);
    if (!(fold & WEFT_FOLD_QUERY) &&
        !normalise(&o, url->href + url->query_at, url->href + url->fragment_at)) {
        return WEFT_ELIMIT;
    }
    buf[o.len] = '\0';
    *key_len = o.len;
    return WEFT_OK;
}

bool weft_url_same_origin(const struct weft_url *a, const struct weft_url *b)
{
    uint32_t n = a->host_end - a->host_at;
    return a->scheme_len == b->scheme_len && a->port == b->port && n == b->host_end - b->host_at &&
           memcmp(a->href + a->host_at, b->href + b->host_at, n) == 0;
}
