/* lab_host.c -- see lab_host.h. What isn't written in the plainest form is refused: no browser
 * sends 0x7f.1 or 127.1 in a Host field, it sends what they mean. */
#include "lab/lab_host.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

/* Whether text[0..len) is a port with its colon, or nothing. */
static bool is_port(const char *text, size_t len)
{
    if (len == 0) {
        return true;
    }
    return text[0] == ':' && len <= 6 && strspn(text + 1, "0123456789") >= len - 1;
}

static bool is_loopback_address(int family, const char *text, size_t len)
{
    char copy[INET6_ADDRSTRLEN];
    struct in_addr v4;
    struct in6_addr v6;
    if (len == 0 || len >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (family == AF_INET) {
        return inet_pton(AF_INET, copy, &v4) == 1 && ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    return inet_pton(AF_INET6, copy, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

static bool is_local_name(const char *name, size_t len)
{
    static const char local[] = "localhost";
    const size_t n = sizeof local - 1;
    if (len > 1 && name[len - 1] == '.') {
        len--; /* the root's dot */
    }
    if (len < n || strncasecmp(name + len - n, local, n) != 0) {
        return false;
    }
    return len == n || (len > n + 1 && name[len - n - 1] == '.');
}

bool lab_host_is_loopback(const char *host, size_t len)
{
    char copy[300]; /* a DNS name has at most 253 characters, a port six more */
    if (len == 0 || len >= sizeof copy || memchr(host, '\0', len)) {
        return false;
    }
    memcpy(copy, host, len);
    copy[len] = '\0';
    if (copy[0] == '[') {
        const char *end = strchr(copy, ']');
        return end && is_port(end + 1, strlen(end + 1)) &&
               is_loopback_address(AF_INET6, copy + 1, (size_t)(end - copy) - 1);
    }
    size_t name = strcspn(copy, ":");
    return is_port(copy + name, len - name) &&
           (is_local_name(copy, name) || is_loopback_address(AF_INET, copy, name));
}
