/* loopback.c -- see loopback.h. */
#include "crawl/loopback.h"

#include <string.h>

static bool ends_with(const char *host, size_t len, const char *end)
{
    size_t n = strlen(end);
    return len >= n && memcmp(host + len - n, end, n) == 0;
}

bool weft_is_loopback(const struct weft_url *url)
{
    const char *host = url->href + url->host_at;
    size_t len = url->host_end - url->host_at;
    if (len > 0 && host[len - 1] == '.') {
        len--; /* a rooted name is the same name */
    }
    if ((len == 9 && memcmp(host, "localhost", 9) == 0) || ends_with(host, len, ".localhost")) {
        return true;
    }
    if (len == 5 && memcmp(host, "[::1]", 5) == 0) {
        return true;
    }
    /* The parser has brought IPv4 addresses to dotted decimal; a name like "127.example" ends in a
     * letter, an address in a digit. */
    return len > 4 && memcmp(host, "127.", 4) == 0 && host[len - 1] >= '0' && host[len - 1] <= '9';
}
