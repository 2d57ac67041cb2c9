/* robots_pattern.c -- see robots_pattern.h.
 *
 * A pattern is literal segments with "*" between them. The first must stand at the start, each
 * further one is looked for behind the one before: the leftmost place is always as good as any
 * other, so nothing is ever tried twice. Segments are searched by Knuth, Morris and Pratt's
 * algorithm, which never goes back in the path: strlen(path) steps for a pattern, whatever it is.
 */
#include "text/robots_pattern.h"

#include <string.h>

static bool is_unreserved(unsigned char c) /* RFC 3986 2.3 */
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* What stays as it is: unreserved, reserved (RFC 3986 2.2) but for "*" and "$", and a "%" that
 * encodes nothing. */
static bool stays(unsigned char c)
{
    return is_unreserved(c) || (c != '\0' && strchr(":/?#[]@!&'()+,;=%", c));
}

static int hex(unsigned char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static size_t put_encoded(char *out, unsigned char c)
{
    static const char digits[] = "0123456789ABCDEF";
    out[0] = '%';
    out[1] = digits[c >> 4];
    out[2] = digits[c & 15];
    return 3;
}

size_t weft_robots_normalise(char *out, const char *text, size_t len, bool is_pattern)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '%' && len - i > 2 && hex((unsigned char)text[i + 1]) >= 0 &&
            hex((unsigned char)text[i + 2]) >= 0) {
            c = (unsigned char)(hex((unsigned char)text[i + 1]) << 4 |
                                hex((unsigned char)text[i + 2]));
            i += 2;
            if (is_unreserved(c)) {
                out[n++] = (char)c;
            } else {
                n += put_encoded(out + n, c);
            }
        } else if (stays(c) || (is_pattern && (c == '*' || (c == '$' && i + 1 == len)))) {
            out[n++] = (char)c;
        } else {
            n += put_encoded(out + n, c);
        }
    }
    return n;
}

bool weft_robots_has_wildcard(const char *pattern, size_t len)
{
    return memchr(pattern, '*', len) != NULL;
}

/* The length of the segment that starts here. */
static size_t segment(const char *pattern, size_t len)
{
    const char *star = memchr(pattern, '*', len);
    return star ? (size_t)(star - pattern) : len;
}

void weft_robots_prepare(const char *pattern, size_t len, uint32_t *fail)
{
    for (size_t at = 0; at < len;) {
        size_t n = segment(pattern + at, len - at);
        const char *s = pattern + at;
        uint32_t *f = fail + at;
        uint32_t k = 0; /* how long the longest proper border of s[0..i] is */
        f[0] = 0;       /* of a "*" when n is 0: never read */
        for (size_t i = 1; i < n; i++) {
            while (k && s[k] != s[i]) {
                k = f[k - 1];
            }
            k += s[k] == s[i];
            f[i] = k;
        }
        at += n + 1;
    }
}

/* Where s[0..n) ends in path[from..len), leftmost; 0 if nowhere. n > 0. */
static size_t find(const char *s, size_t n, const uint32_t *fail, const char *path, size_t from,
                   size_t len)
{
    size_t k = 0;
    for (size_t i = from; i < len; i++) {
        if (k == 0) { /* the common case, at memory speed */
            const char *first = memchr(path + i, s[0], len - i);
            if (!first) {
                return 0;
            }
            i = (size_t)(first - path);
        }
        while (k && s[k] != path[i]) {
            k = fail[k - 1];
        }
        k += s[k] == path[i];
        if (k == n) {
            return i + 1;
        }
    }
    return 0;
}

bool weft_robots_match(const char *pattern, size_t len, const uint32_t *fail, const char *path,
                       size_t path_len, uint64_t *work)
{
    bool anchored = len && pattern[len - 1] == '$';
    len -= anchored;
    size_t n = segment(pattern, len), at = n;
    *work += 1;
    if (n > path_len || memcmp(pattern, path, n) != 0) {
        return false;
    }
    *work += n;
    if (n == len) {
        return !anchored || n == path_len;
    }
    size_t here = n; /* how far the path is matched */
    while (at < len) {
        const char *s = pattern + ++at; /* behind the "*" */
        n = segment(s, len - at);
        if (n == 0) {
            continue;
        }
        if (at + n == len && anchored) { /* the last one must be the path's end */
            return n <= path_len - here && memcmp(s, path + path_len - n, n) == 0;
        }
        size_t end = find(s, n, fail + at, path, here, path_len);
        *work += (end ? end : path_len) - here;
        if (!end) {
            return false;
        }
        here = end;
        at += n;
    }
    return true;
}
