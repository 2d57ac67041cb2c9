/* url_parts.h -- what the files of the URL module share: classes of bytes, the output, and one
 * function for each algorithm of the URL Standard that more than one file needs.
 *
 *   url.c            4.4  the basic URL parser: schemes, and relative references
 *   url_authority.c  4.4  authority, host and port states
 *   url_path.c       4.4  path, query and fragment states
 *   url_other.c      4.4  whether a URL of another scheme is one
 *   url_host.c       3.5  host parser
 *   url_ip.c         3.5  IPv4 and IPv6: parsers, and serialisers of 3.6
 *   url_idna.c       3.3  domain parser for names that are not ASCII (ICU)
 *   url_encode.c     1.3  percent-encode sets, percent-encode after encoding
 *   url_key.c             the key for "already seen" (RFC 3986 6.2.2), same origin
 *
 * The Standard's parser works on code points and buffers; these work on bytes and write straight
 * into the serialisation, which is why they take the output and the input side by side. Text is
 * passed as [p, end). ASCII tab and newline, which the Standard removes beforehand, are skipped
 * where they stand. Private to src/text/url*.c; pure; nothing allocates unless it says so. */
#ifndef WEFT_TEXT_URL_PARTS_H
#define WEFT_TEXT_URL_PARTS_H

#include "weft/url.h"

enum url_class { /* bits of weft_url_classes[byte]; the sets are those of 1.3 and 3.2 */
                 URL_FRAGMENT = 1,     /* in the fragment percent-encode set */
                 URL_QUERY = 2,        /* in the special-query percent-encode set */
                 URL_PATH = 4,         /* in the path percent-encode set */
                 URL_USERINFO = 8,     /* in the userinfo percent-encode set */
                 URL_DOMAIN = 16,      /* forbidden domain code point, or not ASCII */
                 URL_STRIP = 32,       /* ASCII tab or newline */
                 URL_SLASH = 64,       /* / and, since http and https are special, \ */
                 URL_QMARK = 128,      /* ? */
                 URL_HASH = 256,       /* # */
                 URL_SCHEME = 512,     /* may stand in a scheme */
                 URL_ALPHA = 1024,     /* a-z A-Z */
                 URL_HEX = 2048,       /* 0-9 a-f A-F */
                 URL_UNRESERVED = 4096 /* RFC 3986 2.3 */
};
#define URL_PATH_END (URL_SLASH | URL_QMARK | URL_HASH)

extern const uint16_t weft_url_classes[256];

static inline unsigned url_class(char c)
{
    return weft_url_classes[(unsigned char)c];
}

static inline char url_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* The value of a byte of class URL_HEX. */
static inline unsigned url_hex(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 0x20) - 'a' + 10;
}

/* Where the serialisation grows; len <= cap, and buf has a byte more, for the NUL. */
struct url_out {
    char *buf;
    size_t len, cap;
};

static inline bool url_put(struct url_out *o, char c)
{
    if (o->len == o->cap) {
        return false;
    }
    o->buf[o->len++] = c;
    return true;
}

/* Appends n bytes; false if they don't fit. */
bool weft_url_put_bytes(struct url_out *o, const char *bytes, size_t n);

/* Passes tabs and newlines. */
static inline const char *url_skip(const char *p, const char *end)
{
    while (p < end && url_class(*p) & URL_STRIP) {
        p++;
    }
    return p;
}

/* 1.3, UTF-8 percent-encode: appends the text up to end, or to the first byte whose class is in
 * stop, with everything of the set encoded. Gives where it stopped; NULL if it does not fit. */
const char *weft_url_encode(struct url_out *o, const char *p, const char *end, unsigned set,
                            unsigned stop);
/* 1.3, percent-encode after encoding, special-query set; cs must not be NULL, and the text has no
 * '#'. Allocates for text that holds tabs. WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM, WEFT_EIO (the
 * charset's tables are missing). */
enum weft_status weft_url_encode_query(struct url_out *o, const char *p, const char *end,
                                       const struct weft_charset *cs) WEFT_MUST_USE;

/* 4.4, authority state to port state, from behind the slashes up to the path, query or fragment,
 * where *p is left. Sets host_at, host_end and port of url, whose scheme_len must be set (0: not
 * special). WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status weft_url_authority(struct weft_url *url, struct url_out *o, const char **p,
                                    const char *end, bool special) WEFT_MUST_USE;
/* 4.4, path start, path, query and fragment states: p is behind the first slash, if there was one.
 * url->path_at tells where the path begins in o, which may hold segments of a base already; sets
 * query_at and fragment_at. WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM, WEFT_EIO. */
enum weft_status weft_url_path(struct weft_url *url, struct url_out *o, const char *p,
                               const char *end, const struct weft_charset *cs) WEFT_MUST_USE;
/* The same from '?', from '#', or from the end of the input. */
enum weft_status weft_url_query(struct weft_url *url, struct url_out *o, const char *p,
                                const char *end, const struct weft_charset *cs) WEFT_MUST_USE;
enum weft_status weft_url_fragment(struct weft_url *url, struct url_out *o, const char *p,
                                   const char *end) WEFT_MUST_USE;

enum url_other { URL_OTHER_SPECIAL, URL_OTHER_FILE, URL_OTHER_GENERIC };
/* Whether a URL of another scheme is one; p is behind the scheme's colon, o is scratch.
 * WEFT_ESCHEME if it is (or was too long to tell), WEFT_ESYNTAX, WEFT_ENOMEM. */
enum weft_status weft_url_other(enum url_other kind, struct url_out *o, const char *p,
                                const char *end) WEFT_MUST_USE;

/* 3.5, host parser with isOpaque false: appends the host of [p, end).
 * WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status weft_url_host(struct url_out *o, const char *p, const char *end) WEFT_MUST_USE;
/* 3.5, an IPv6 address in its brackets. WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT. */
enum weft_status weft_url_ipv6(struct url_out *o, const char *p, const char *end) WEFT_MUST_USE;
/* 3.5, ends in a number checker, and then the IPv4 parser: if the domain that begins at o->buf[at]
 * is an address, it is written in its place. WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT. */
enum weft_status weft_url_ipv4(struct url_out *o, size_t at) WEFT_MUST_USE;
/* 3.3, domain parser ToASCII for well-formed UTF-8, which is overwritten. Allocates inside ICU; its
 * time grows with the square of len, hence WEFT_MAX_IDN.
 * WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status weft_url_idna(struct url_out *o, char *utf8, size_t len) WEFT_MUST_USE;

#endif
