/* url_ip.c -- IPv4 and IPv6 addresses as hosts: parsers (URL Standard 3.5), serialisers (3.6). */
#include "text/url_parts.h"

#include <string.h>

#define TOO_LARGE (UINT64_C(1) << 32) /* what any larger number of an address counts as */

/* 3.5, IPv4 number parser; false is failure. */
static bool ipv4_number(const char *p, const char *end, uint64_t *number)
{
    unsigned radix = 10;
    if (p == end) {
        return false;
    }
    if (end - p >= 2 && *p == '0') {
        radix = url_lower(p[1]) == 'x' ? 16 : 8;
        p += radix == 16 ? 2 : 1;
    }
    for (*number = 0; p < end; p++) {
        if (!(url_class(*p) & URL_HEX) || url_hex(*p) >= radix) {
            return false;
        }
        *number = *number * radix + url_hex(*p);
        if (*number > TOO_LARGE) {
            *number = TOO_LARGE;
        }
    }
    return true;
}

/* 3.5, ends in a number checker, for a domain without a trailing dot. */
static bool ends_in_number(const char *domain, const char *end)
{
    uint64_t number;
    if (end == domain || (!(url_class(end[-1]) & URL_HEX) && end[-1] != 'x')) {
        return false; /* most names are done here */
    }
    const char *dot = memrchr(domain, '.', (size_t)(end - domain));
    const char *last = dot ? dot + 1 : domain, *p = last;
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p == end ? last < end : ipv4_number(last, end, &number);
}

/* 3.5, IPv4 parser. */
static bool ipv4_parse(const char *p, const char *end, uint32_t *address)
{
    uint64_t numbers[4];
    size_t n = 0;
    bool more;
    do {
        const char *dot = memchr(p, '.', (size_t)(end - p));
        if (n == 4 || !ipv4_number(p, dot ? dot : end, &numbers[n++])) {
            return false;
        }
        more = dot != NULL;
        p = more ? dot + 1 : end;
    } while (more);
    uint64_t sum = numbers[n - 1];
    if (sum >= UINT64_C(1) << 8 * (5 - n)) {
        return false;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        if (numbers[i] > 255) {
            return false;
        }
        sum += numbers[i] << 8 * (3 - i);
    }
    *address = (uint32_t)sum;
    return true;
}

static void put_decimal(char **to, unsigned n)
{
    if (n >= 100) {
        *(*to)++ = (char)('0' + n / 100);
    }
    if (n >= 10) {
        *(*to)++ = (char)('0' + n / 10 % 10);
    }
    *(*to)++ = (char)('0' + n % 10);
}

enum weft_status weft_url_ipv4(struct url_out *o, size_t at)
{
    const char *domain = o->buf + at, *end = o->buf + o->len;
    uint32_t address;
    if (end[-1] == '.') {
        end--;
    }
    if (!ends_in_number(domain, end)) {
        return WEFT_OK;
    }
    if (!ipv4_parse(domain, end, &address)) {
        return WEFT_ESYNTAX;
    }
    char text[16], *to = text;
    for (int shift = 24; shift >= 0; shift -= 8) {
        put_decimal(&to, address >> shift & 0xff);
        *to++ = '.';
    }
    o->len = at;
    return weft_url_put_bytes(o, text, (size_t)(to - text) - 1) ? WEFT_OK : WEFT_ELIMIT;
}

/* 3.5, IPv6 parser, where a '.' was met: the dotted address that ends it. */
static bool ipv4_in_ipv6(const char *p, const char *end, uint16_t pieces[2])
{
    for (int seen = 0; seen < 4; seen++) {
        if (seen > 0 && (p == end || *p++ != '.')) {
            return false;
        }
        const char *digits = p;
        unsigned n = 0;
        for (; p < end && *p >= '0' && *p <= '9'; p++) {
            n = n * 10 + (unsigned)(*p - '0');
            if (n > 255 || (p > digits && *digits == '0')) {
                return false;
            }
        }
        if (p == digits) {
            return false;
        }
        pieces[seen / 2] = (uint16_t)(pieces[seen / 2] << 8 | n);
    }
    return p == end;
}

/* 3.5, IPv6 parser, after the loop: the pieces behind "::" move to the end. */
static bool decompress(uint16_t pieces[8], int n, int compress)
{
    if (compress < 0) {
        return n == 8;
    }
    int behind = n - compress;
    memmove(pieces + 8 - behind, pieces + compress, (size_t)behind * sizeof *pieces);
    memset(pieces + compress, 0, (size_t)(8 - behind - compress) * sizeof *pieces);
    return true;
}

/* 3.5, IPv6 parser. compress counts pieces, where the Standard counts the "::" as one too. */
static bool ipv6_parse(const char *p, const char *end, uint16_t pieces[8])
{
    int n = 0, compress = -1;
    if (p < end && *p == ':') {
        if (end - p < 2 || p[1] != ':') {
            return false;
        }
        p += 2;
        compress = 0;
    }
    while (p < end) {
        if (n + (compress >= 0) >= 8) {
            return false;
        }
        if (*p == ':') {
            if (compress >= 0) {
                return false;
            }
            p++;
            compress = n;
            continue;
        }
        const char *piece = p;
        unsigned value = 0;
        for (; p < end && p - piece < 4 && url_class(*p) & URL_HEX; p++) {
            value = value << 4 | url_hex(*p);
        }
        if (p < end && *p == '.') {
            if (p == piece || n + (compress >= 0) > 6 || !ipv4_in_ipv6(piece, end, pieces + n)) {
                return false;
            }
            n += 2;
            break;
        }
        if (p < end && (*p != ':' || ++p == end)) {
            return false;
        }
        pieces[n++] = (uint16_t)value;
    }
    return decompress(pieces, n, compress);
}

/* 3.6, find the IPv6 address compressed piece index: the first longest run of more than one 0. */
static int longest_zeros(const uint16_t pieces[8], int *length)
{
    int best = -1;
    *length = 1;
    for (int i = 0, run = 0; i < 8; i++) {
        run = pieces[i] ? 0 : run + 1;
        if (run > *length) {
            *length = run;
            best = i + 1 - run;
        }
    }
    return best;
}

static void put_hex(char **to, unsigned n)
{
    static const char digits[] = "0123456789abcdef";
    for (int shift = n > 0xfff ? 12 : n > 0xff ? 8 : n > 0xf ? 4 : 0; shift >= 0; shift -= 4) {
        *(*to)++ = digits[n >> shift & 15];
    }
}

/* 3.6, IPv6 serializer, brackets included. */
static size_t ipv6_text(const uint16_t pieces[8], char text[48])
{
    int length, zeros = longest_zeros(pieces, &length);
    char *to = text;
    *to++ = '[';
    for (int i = 0; i < 8; i++) {
        if (i == zeros) {
            *to++ = ':';
            if (i == 0) {
                *to++ = ':';
            }
            i += length - 1;
            continue;
        }
        put_hex(&to, pieces[i]);
        if (i < 7) {
            *to++ = ':';
        }
    }
    *to++ = ']';
    return (size_t)(to - text);
}

enum weft_status weft_url_ipv6(struct url_out *o, const char *p, const char *end)
{
    char text[48]; /* no address is longer: 8 * 4 digits, 7 colons, or 45 with a dotted end */
    size_t n = 0;
    uint16_t pieces[8] = {0};
    while ((p = url_skip(p, end)) < end) {
        if (n == sizeof text) {
            return WEFT_ESYNTAX;
        }
        text[n++] = *p++;
    }
    if (n < 2 || text[n - 1] != ']' || !ipv6_parse(text + 1, text + n - 1, pieces)) {
        return WEFT_ESYNTAX;
    }
    n = ipv6_text(pieces, text);
    return weft_url_put_bytes(o, text, n) ? WEFT_OK : WEFT_ELIMIT;
}
