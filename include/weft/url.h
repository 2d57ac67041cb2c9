/* url.h -- http and https URLs after the WHATWG URL Standard: parse, resolve, serialise, key.
 *
 * A URL is what a browser would request for the same text: the Standard's serialisation, not the
 * text as written. Two URLs are the same page to a crawler when their keys are equal; the key is
 * for remembering, the URL is for requesting. Knows bytes and Unicode; no sockets, files, threads
 * or clock. Nothing here allocates memory for ASCII input; for the rest, ICU may. */
#ifndef WEFT_URL_H
#define WEFT_URL_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_charset; /* an encoding of the WHATWG Encoding Standard: src/text/charset.h */

/* A parsed URL: offsets into its serialisation, whose bytes belong to whoever gave the buffer.
 *   https://user:pw@host:8080/path?query#fragment
 *        ^scheme_len           ^host_end
 *                   ^host_at   (port) ^path_at ^query_at ^fragment_at
 * query_at is where '?' stands, or fragment_at if there is none; fragment_at is where '#' stands,
 * or len. host_at is behind "://", or behind '@' when there are credentials. */
struct weft_url {
    const char *href; /* len bytes and a NUL; borrowed */
    uint32_t len;
    uint32_t scheme_len; /* 4: http, 5: https */
    uint32_t host_at, host_end;
    uint32_t path_at, query_at, fragment_at;
    uint16_t port; /* the one in force: 80 or 443 when none is written */
};

/* Parses text against base (NULL: it must be absolute) and writes the serialisation with a NUL
 * into buf[0..cap). query_charset is the encoding of the document that the text stands in (NULL:
 * UTF-8); it decides how the query's non-ASCII characters are written. text is UTF-8; ill-formed
 * bytes count as U+FFFD. text must not lie inside buf; base may not either.
 * Returns WEFT_OK; WEFT_ESYNTAX: no URL; WEFT_ESCHEME: a URL that is not http(s); WEFT_ELIMIT: it
 * does not fit into buf, or its host is not ASCII and longer than any that exists; WEFT_ENOMEM, or
 * WEFT_EIO (ICU's data is missing): only if text is not ASCII. On failure *out is all zero and
 * buf's contents are undefined. A path grows in buf from left to right and ".." takes back: what is
 * taken back has to have fit, so "a/../a/../..." of any length is fine, "VERY-LONG/../a" is
 * WEFT_ELIMIT. Threads: any. Time linear in len. */
enum weft_status weft_url_parse(struct weft_url *out, char *buf, size_t cap,
                                const struct weft_url *base, const char *text, size_t len,
                                const struct weft_charset *query_charset) WEFT_MUST_USE;

/* What --fold may add to the key: see the command line's documentation. */
enum weft_fold {
    WEFT_FOLD_WWW = 1,   /* a leading "www." of the host does not count */
    WEFT_FOLD_SLASH = 2, /* a trailing slash of the path does not count */
    WEFT_FOLD_QUERY = 4, /* no query counts */
    WEFT_FOLD_INDEX = 8  /* a default document (index.html and the like) is its folder */
};

/* Writes the key for "already seen" into buf[0..cap) with a NUL and its length into *key_len: the
 * URL without fragment, unreserved octets decoded, hex digits upper case (RFC 3986 6.2.2), query
 * kept and not sorted, folded by fold (of enum weft_fold, 0: nothing).
 * Returns WEFT_OK, WEFT_ELIMIT; never the latter if cap > url->fragment_at. A key is a URL as it
 * stands, and key(key(x)) = key(x). Threads: any. */
enum weft_status weft_url_key(const struct weft_url *url, unsigned fold, char *buf, size_t cap,
                              size_t *key_len) WEFT_MUST_USE;

/* Whether two URLs have the same scheme, host and port (RFC 6454's origin). Threads: any. */
bool weft_url_same_origin(const struct weft_url *a, const struct weft_url *b);

#ifdef __cplusplus
}
#endif
#endif
