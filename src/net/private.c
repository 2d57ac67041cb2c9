/* private.c -- which addresses are not of the public internet (the IANA special-purpose registries,
 * RFC 6890). Knows socket addresses and nothing else. */
#include "net/transfer.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

struct range {
    unsigned char prefix[16];
    unsigned bits;
};

static const struct range v4[] = {
    {{0}, 8},             /* "this network", RFC 791 */
    {{10}, 8},            /* private use, RFC 1918 */
    {{100, 64}, 10},      /* shared by carriers, RFC 6598 */
    {{127}, 8},           /* loopback */
    {{169, 254}, 16},     /* link-local, RFC 3927: cloud metadata services live here */
    {{172, 16}, 12},      /* private use */
    {{192, 0, 0}, 24},    /* protocol assignments, RFC 6890 */
    {{192, 0, 2}, 24},    /* documentation, RFC 5737 */
    {{192, 88, 99}, 24},  /* 6to4 relays, RFC 7526 */
    {{192, 168}, 16},     /* private use */
    {{198, 18}, 15},      /* benchmarks, RFC 2544 */
    {{198, 51, 100}, 24}, /* documentation */
    {{203, 0, 113}, 24},  /* documentation */
    {{224}, 4},           /* multicast */
    {{240}, 4},           /* reserved, and broadcast */
};

static const struct range v6[] = {
    {{0}, 128},                           /* unspecified */
    {{[15] = 1}, 128},                    /* loopback */
    {{0x00, 0x64, 0xff, 0x9b, 0, 1}, 48}, /* translation within a site, RFC 8215 */
    {{0x01, 0x00}, 64},                   /* discard, RFC 6666 */
    {{0x20, 0x01, 0x00}, 23},             /* protocol assignments: Teredo, ORCHID, ... */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* documentation */
    {{0x3f, 0xff}, 20},                   /* documentation, RFC 9637 */
    {{0x5f, 0x00}, 16},                   /* segment routing, RFC 9602 */
    {{0xfc}, 7},                          /* unique local, RFC 4193 */
    {{0xfe, 0x80}, 10},                   /* link-local */
    {{0xfe, 0xc0}, 10},                   /* site-local, RFC 3879 */
    {{0xff}, 8},                          /* multicast */
};

/* IPv6 addresses that carry an IPv4 address, which decides: mapped, compatible, NAT64, 6to4. */
static const struct {
    struct range range;
    unsigned at;
} carriers[] = {
    {{{[10] = 0xff, [11] = 0xff}, 96}, 12},
    {{{0}, 96}, 12},
    {{{0x00, 0x64, 0xff, 0x9b}, 96}, 12},
    {{{0x20, 0x02}, 16}, 2},
};

static bool inside(const unsigned char *address, const struct range *r)
{
    unsigned whole = r->bits / 8, rest = r->bits % 8;
    if (memcmp(address, r->prefix, whole) != 0) {
        return false;
    }
    return !rest || (address[whole] ^ r->prefix[whole]) >> (8 - rest) == 0;
}

static bool in_any(const unsigned char *address, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (inside(address, &ranges[i])) {
            return true;
        }
    }
    return false;
}

static bool v4_private(const unsigned char *address)
{
    return in_any(address, v4, sizeof v4 / sizeof v4[0]);
}

bool weft_address_is_private(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return v4_private((const unsigned char *)&in.sin_addr);
    }
    if (address->sa_family != AF_INET6) {
        return true; /* no internet address at all */
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    const unsigned char *bytes = in6.sin6_addr.s6_addr;
    if (in_any(bytes, v6, sizeof v6 / sizeof v6[0])) {
        return true;
    }
    for (size_t i = 0; i < sizeof carriers / sizeof carriers[0]; i++) {
        if (inside(bytes, &carriers[i].range)) {
            return v4_private(bytes + carriers[i].at);
        }
    }
    return false;
}
