/* values.c -- numbers, durations and sizes as people type them, read strictly.
 *
 * strtod and its relatives are not used: they take blanks, signs, hexadecimal, "inf", and the
 * locale's comma. Durations and sizes are computed in whole units, so that 0.1 s is 100,000,000 ns
 * exactly. */
#include "cli/options.h"

#include <string.h>

/* A decimal number split at its point: whole + fraction / scale. */
struct decimal {
    uint64_t whole, fraction, scale;
    const char *rest; /* what follows the number */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits beyond the ninth decimal are read and dropped: nanoseconds is as fine as anything gets. */
static enum weft_status read_decimal(const char *text, struct decimal *d)
{
    *d = (struct decimal){.scale = 1};
    const char *p = text;
    bool any = false;
    for (; is_digit(*p); p++, any = true) {
        if (d->whole > (UINT64_MAX - 9) / 10) {
            return WEFT_ELIMIT;
        }
        d->whole = d->whole * 10 + (uint64_t)(*p - '0');
    }
    if (*p == '.' && (is_digit(p[1]) || any)) {
        for (p++; is_digit(*p); p++, any = true) {
            if (d->scale < 1000000000) {
                d->fraction = d->fraction * 10 + (uint64_t)(*p - '0');
                d->scale *= 10;
            }
        }
    }
    d->rest = p;
    return any ? WEFT_OK : WEFT_ESYNTAX;
}

enum weft_status cli_read_whole(const char *text, uint64_t *out)
{
    struct decimal d;
    *out = 0;
    enum weft_status st = read_decimal(text, &d);
    if (st != WEFT_OK) {
        return st;
    }
    if (*d.rest || d.scale != 1 || strchr(text, '.')) {
        return WEFT_ESYNTAX;
    }
    *out = d.whole;
    return WEFT_OK;
}

enum weft_status cli_read_number(const char *text, double *out)
{
    struct decimal d;
    *out = 0;
    enum weft_status st = read_decimal(text, &d);
    if (st != WEFT_OK) {
        return st;
    }
    if (*d.rest) {
        return WEFT_ESYNTAX;
    }
    *out = (double)d.whole + (double)d.fraction / (double)d.scale;
    return WEFT_OK;
}

/* whole and fraction in units of `unit`, rounded down. */
static enum weft_status scaled(const struct decimal *d, uint64_t unit, uint64_t max, uint64_t *out)
{
    if (d->whole > max / unit) {
        return WEFT_ELIMIT;
    }
    /* fraction < 1e9 and unit <= 3.6e12: the product may pass 2^64, so it is taken apart. */
    uint64_t part = d->fraction * (unit / d->scale) + d->fraction * (unit % d->scale) / d->scale;
    if (part > max - d->whole * unit) {
        return WEFT_ELIMIT;
    }
    *out = d->whole * unit + part;
    return WEFT_OK;
}

enum weft_status cli_read_duration(const char *text, weft_time *out)
{
    static const struct {
        const char *suffix;
        int64_t unit;
    } units[] = {{"", WEFT_SECOND},
                 {"ms", WEFT_MS},
                 {"s", WEFT_SECOND},
                 {"m", 60 * WEFT_SECOND},
                 {"h", 3600 * WEFT_SECOND}};
    struct decimal d;
    *out = 0;
    enum weft_status st = read_decimal(text, &d);
    if (st != WEFT_OK) {
        return st;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!strcmp(d.rest, units[i].suffix)) {
            uint64_t ns;
            st = scaled(&d, (uint64_t)units[i].unit, INT64_MAX - 1, &ns);
            *out = st == WEFT_OK ? (weft_time)ns : 0;
            return st;
        }
    }
    return WEFT_ESYNTAX;
}

enum weft_status cli_read_size(const char *text, uint64_t *out)
{
    static const char suffixes[] = "KMG";
    struct decimal d;
    *out = 0;
    enum weft_status st = read_decimal(text, &d);
    if (st != WEFT_OK) {
        return st;
    }
    uint64_t unit = 1;
    if (*d.rest) {
        char c = *d.rest >= 'a' && *d.rest <= 'z' ? (char)(*d.rest - 'a' + 'A') : *d.rest;
        const char *at = strchr(suffixes, c);
        if (!at || d.rest[1]) {
            return WEFT_ESYNTAX;
        }
        unit <<= 10 * (at - suffixes + 1);
    } else if (strchr(text, '.')) {
        return WEFT_ESYNTAX; /* there is no half a byte */
    }
    return scaled(&d, unit, UINT64_MAX / 2, out);
}
