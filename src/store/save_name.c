/* save_name.c -- see save_name.h. */
#include "store/save_name.h"

#include "base/limits.h"
#include <nettle/sha1.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST ((size_t)200)  /* of a segment; file systems take 255 bytes */
#define KEPT    ((size_t)150)  /* of a longer one, before the digest of all of it */
#define LONG    ((size_t)3000) /* of a whole path; PATH_MAX is 4096 */

/* The parts of a URL that make a name. */
struct parts {
    const char *host, *path, *query; /* query: behind '?', NULL if there is none */
    size_t host_len, path_len, query_len;
};

static struct parts split(const char *url)
{
    struct parts p = {.query = NULL};
    const char *scheme_end = strstr(url, "://");
    const char *at = scheme_end ? scheme_end + 3 : url;
    const char *authority_end = at + strcspn(at, "/?#");
    const char *credentials = memrchr(at, '@', (size_t)(authority_end - at));
    p.host = credentials ? credentials + 1 : at;
    p.host_len = (size_t)(authority_end - p.host);
    p.path = authority_end;
    p.path_len = strcspn(p.path, "?#");
    at = p.path + p.path_len;
    if (*at == '?') {
        p.query = at + 1;
        p.query_len = strcspn(p.query, "#");
    }
    return p;
}

static enum weft_status put_digest(struct weft_buf *out, const char *bytes, size_t len)
{
    struct sha1_ctx sha;
    unsigned char digest[SHA1_DIGEST_SIZE];
    sha1_init(&sha);
    sha1_update(&sha, len, (const unsigned char *)bytes);
    sha1_digest(&sha, sizeof digest, digest);
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < sizeof digest; i++) {
        st = weft_buf_printf(out, "%02x", digest[i]);
    }
    return st;
}

/* Appends bytes as they may stand in a name. */
static enum weft_status put_plain(struct weft_buf *out, const char *bytes, size_t len)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < len; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool plain = c > 0x20 && c < 0x7f && c != '/' && c != '#' && c != '\\';
        st = plain ? weft_buf_append(out, bytes + i, 1) : weft_buf_printf(out, "%%%02X", c);
    }
    return st;
}

/* Makes what stands in out from at on a segment that any file system takes. */
static enum weft_status fit(struct weft_buf *out, size_t at)
{
    const char *name = out->data + at;
    size_t len = out->len - at;
    if (len > LONGEST) {
        struct weft_buf cut;
        weft_buf_init(&cut, LONGEST);
        enum weft_status st = weft_buf_append(&cut, name, KEPT);
        if (st == WEFT_OK && (st = weft_buf_puts(&cut, "#")) == WEFT_OK &&
            (st = put_digest(&cut, name, len)) == WEFT_OK) {
            out->len = at;
            st = weft_buf_append(out, cut.data, cut.len);
        }
        weft_buf_release(&cut);
        return st;
    }
    if (len == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        char dots[4] = "#";
        memcpy(dots + 1, name, len);
        out->len = at;
        return weft_buf_append(out, dots, len + 1);
    }
    return WEFT_OK;
}

static enum weft_status put_segment(struct weft_buf *out, const char *bytes, size_t len)
{
    size_t at = out->len;
    enum weft_status st = weft_buf_reserve(out, 0); /* so that data is there for no bytes too */
    if (st == WEFT_OK && (st = put_plain(out, bytes, len)) == WEFT_OK) {
        st = fit(out, at);
    }
    return st;
}

/* The last segment: the file's own name, with the query. */
static enum weft_status put_file(struct weft_buf *out, const char *bytes, size_t len,
                                 const struct parts *p)
{
    size_t at = out->len;
    enum weft_status st = len == 0 ? weft_buf_puts(out, "index.html") : put_plain(out, bytes, len);
    if (st == WEFT_OK && p->query) {
        st = weft_buf_puts(out, "?");
    }
    if (st == WEFT_OK && p->query) {
        st = put_plain(out, p->query, p->query_len);
    }
    return st == WEFT_OK ? fit(out, at) : st;
}

enum weft_status weft_save_name(struct weft_buf *out, const char *url)
{
    struct parts p = split(url);
    const char *at = p.path, *end = p.path + p.path_len;
    unsigned depth = 1;
    weft_buf_clear(out);
    enum weft_status st = put_segment(out, p.host, p.host_len);
    size_t host_end = out->len;
    while (st == WEFT_OK && at < end) { /* at stands on a slash */
        at++;
        const char *slash = memchr(at, '/', (size_t)(end - at));
        if (!slash || ++depth >= WEFT_MAX_PATH_DEPTH || out->len > LONG) {
            break;
        }
        if ((st = weft_buf_puts(out, "/")) == WEFT_OK) {
            st = put_segment(out, at, (size_t)(slash - at));
        }
        at = slash;
    }
    if (st == WEFT_OK && at < end && memchr(at, '/', (size_t)(end - at))) { /* too deep or long */
        out->len = host_end;
        st = weft_buf_puts(out, "/#long/");
        return st == WEFT_OK ? put_digest(out, p.path, strcspn(p.path, "#")) : st;
    }
    if (st == WEFT_OK && (st = weft_buf_puts(out, "/")) == WEFT_OK) {
        st = put_file(out, at, (size_t)(end - at), &p);
    }
    return st;
}
