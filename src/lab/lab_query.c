/* lab_query.c -- see lab_query.h. */
#include "lab/lab_query.h"

#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool lab_query_decode(char *out, const char *path, size_t len)
{
    bool clean = true;
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        char c = path[i];
        if (c == '%' && i + 2 < len && hex_digit(path[i + 1]) >= 0 && hex_digit(path[i + 2]) >= 0) {
            c = (char)(hex_digit(path[i + 1]) * 16 + hex_digit(path[i + 2]));
            i += 2;
        }
        clean = clean && c != '\0';
        out[n++] = c;
    }
    out[n] = '\0';
    return clean;
}

const char *lab_query_find(const char *query, const char *name, size_t *len)
{
    size_t want = strlen(name);
    for (const char *p = query; *p; p += strcspn(p, "&"), p += *p == '&') {
        size_t whole = strcspn(p, "&");
        if (whole >= want && strncmp(p, name, want) == 0 && (whole == want || p[want] == '=')) {
            size_t skip = whole == want ? want : want + 1;
            *len = whole - skip;
            return p + skip;
        }
    }
    return NULL;
}

/* Digits of text[0..len) up to the first other character; *used: how many. -1: none, or more than
 * fit. */
static int64_t digits(const char *text, size_t len, size_t *used)
{
    int64_t n = 0;
    size_t i = 0;
    while (i < len && text[i] >= '0' && text[i] <= '9') {
        if (i == 15) {
            return -1;
        }
        n = 10 * n + (text[i++] - '0');
    }
    *used = i;
    return i ? n : -1;
}

bool lab_query_number(const char *query, const char *name, int64_t min, int64_t max, int64_t *out)
{
    size_t len, used = 0;
    const char *text = lab_query_find(query, name, &len);
    if (!text) {
        return true;
    }
    int64_t n = digits(text, len, &used);
    if (n < min || n > max || used != len) {
        return false;
    }
    *out = n;
    return true;
}

bool lab_query_size(const char *query, const char *name, int64_t max, int64_t *out)
{
    size_t len, used = 0;
    int64_t unit = 1;
    const char *text = lab_query_find(query, name, &len);
    if (!text) {
        return true;
    }
    int64_t n = digits(text, len, &used);
    if (n < 0) {
        return false;
    }
    if (used + 1 == len) {
        char c = text[used++];
        unit = c == 'K' ? 1 << 10 : c == 'M' ? 1 << 20 : c == 'G' ? 1 << 30 : 0;
    }
    if (used != len || unit == 0 || n > max / unit) {
        return false;
    }
    *out = n * unit;
    return true;
}

bool lab_query_ppm(const char *query, const char *name, int64_t *out)
{
    size_t len, used = 0, decimals = 0;
    const char *text = lab_query_find(query, name, &len);
    if (!text) {
        return true;
    }
    int64_t n = digits(text, len, &used);
    if (n < 0 || n > 1) {
        return false;
    }
    n *= 1000000;
    if (used < len && text[used] == '.') {
        text += used + 1;
        len -= used + 1;
        int64_t part = digits(text, len, &decimals);
        if (part < 0 || decimals > 6) {
            return false;
        }
        used = decimals;
        for (; decimals < 6; decimals++) {
            part *= 10;
        }
        n += part;
    }
    if (used != len || n > 1000000) {
        return false;
    }
    *out = n;
    return true;
}

/* Spreads each bit over all of them. */
static uint64_t spread(uint64_t h)
{
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

uint64_t lab_query_hash(const char *text, size_t len, uint64_t seed)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ spread(seed);
    for (size_t i = 0; i < len; i++) {
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return spread(h);
}

uint64_t lab_query_mix(uint64_t number, uint64_t seed)
{
    return spread(number + spread(seed + UINT64_C(0x9e3779b97f4a7c15)));
}
