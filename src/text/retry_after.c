/* retry_after.c -- see retry_after.h. Dates are read letter by letter after the grammar of RFC 9110
 * 5.6.7 and counted by hand: strptime and timegm know locales, and take much that is no date. */
#include "text/retry_after.h"

#include <stdbool.h>
#include <string.h>

#define DAY         86400
#define LAST_SECOND INT64_C(253402300799) /* of the year 9999 */

/* A date as written; month from 0. */
struct date {
    int year, month, day, hour, minute, second;
};

struct cursor {
    const char *at, *end;
};

static bool literal(struct cursor *c, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n) != 0) {
        return false;
    }
    c->at += n;
    return true;
}

/* One of the names, case-sensitive; *which gets its number. */
static bool name_of(struct cursor *c, const char *const *names, int n, int *which)
{
    for (*which = 0; *which < n; ++*which) {
        if (literal(c, names[*which])) {
            return true;
        }
    }
    return false;
}

static bool number(struct cursor *c, int digits, int *value)
{
    *value = 0;
    for (; digits; digits--, c->at++) {
        if (c->at == c->end || *c->at < '0' || *c->at > '9') {
            return false;
        }
        *value = *value * 10 + (*c->at - '0');
    }
    return true;
}

static bool month(struct cursor *c, int *value)
{
    static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    return name_of(c, names, 12, value);
}

static bool day_name(struct cursor *c)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    int ignored; /* a wrong one does not change which instant is meant */
    return name_of(c, names, 7, &ignored);
}

static bool long_day_name(struct cursor *c)
{
    static const char *const names[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                        "Friday", "Saturday", "Sunday"};
    int ignored;
    return name_of(c, names, 7, &ignored);
}

static bool time_of_day(struct cursor *c, struct date *d)
{
    return number(c, 2, &d->hour) && literal(c, ":") && number(c, 2, &d->minute) &&
           literal(c, ":") && number(c, 2, &d->second);
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static bool imf_fixdate(struct cursor c, struct date *d)
{
    return day_name(&c) && literal(&c, ", ") && number(&c, 2, &d->day) && literal(&c, " ") &&
           month(&c, &d->month) && literal(&c, " ") && number(&c, 4, &d->year) &&
           literal(&c, " ") && time_of_day(&c, d) && literal(&c, " GMT") && c.at == c.end;
}

/* Sun Nov  6 08:49:37 1994 */
static bool asctime_date(struct cursor c, struct date *d)
{
    return day_name(&c) && literal(&c, " ") && month(&c, &d->month) && literal(&c, " ") &&
           (literal(&c, " ") ? number(&c, 1, &d->day) : number(&c, 2, &d->day)) &&
           literal(&c, " ") && time_of_day(&c, d) && literal(&c, " ") && number(&c, 4, &d->year) &&
           c.at == c.end;
}

/* Sunday, 06-Nov-94 08:49:37 GMT; the year has two digits. */
static bool rfc850_date(struct cursor c, struct date *d)
{
    return long_day_name(&c) && literal(&c, ", ") && number(&c, 2, &d->day) && literal(&c, "-") &&
           month(&c, &d->month) && literal(&c, "-") && number(&c, 2, &d->year) &&
           literal(&c, " ") && time_of_day(&c, d) && literal(&c, " GMT") && c.at == c.end;
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static bool exists(const struct date *d)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int last = days[d->month] + (d->month == 1 && is_leap(d->year));
    return d->day >= 1 && d->day <= last && d->hour <= 23 && d->minute <= 59 &&
           d->second <= 60; /* 60: a leap second, taken as the next one */
}

/* Seconds since 1970; the year may be 0 to 9999. Leap days before a year are those of the years
 * before it, all counted from the year 0 of the proleptic Gregorian calendar. */
static int64_t seconds_of(const struct date *d)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int y = d->year - 1;
    int64_t leap_days = d->year > 0 ? y / 4 - y / 100 + y / 400 + 1 : 0;
    int64_t days = (int64_t)d->year * 365 + leap_days + before[d->month] +
                   (d->month > 1 && is_leap(d->year)) + d->day - 1;
    const int64_t epoch = 719528; /* days from 0000-01-01 to 1970-01-01 */
    return (days - epoch) * DAY + d->hour * 3600 + d->minute * 60 + d->second;
}

/* The year of a time between 1970 and 9999; a day wrong at the turn, which does not matter here. */
static int year_of(int64_t now)
{
    return (int)(1970 + now / 31556952); /* seconds in a mean Gregorian year */
}

/* RFC 9110 5.6.7: a two-digit year that seems more than 50 years ahead is the past one with the
 * same last digits. "Ahead" is judged to the second. */
static int64_t seconds_of_rfc850(struct date d, int64_t now)
{
    int this_year = year_of(now);
    d.year += this_year - this_year % 100 + 100; /* the next century is certainly not too early */
    struct date earlier = d;
    for (earlier.year -= 50; seconds_of(&earlier) > now; earlier.year -= 100) {
        d.year -= 100;
    }
    return exists(&d) ? seconds_of(&d) : INT64_MIN;
}

static int64_t delta_seconds(struct cursor c)
{
    int64_t value = 0;
    for (; c.at < c.end; c.at++) {
        if (*c.at < '0' || *c.at > '9') {
            return -1;
        }
        int digit = *c.at - '0';
        value = value > (INT64_MAX - digit) / 10 ? INT64_MAX : value * 10 + digit;
    }
    return value;
}

int64_t weft_retry_after(const char *value, size_t len, int64_t now)
{
    struct cursor c = {value, value + len};
    now = now < 0 ? 0 : now > LAST_SECOND ? LAST_SECOND : now;
    while (c.at < c.end && (*c.at == ' ' || *c.at == '\t')) { /* OWS is not part of the value */
        c.at++;
    }
    while (c.at < c.end && (c.end[-1] == ' ' || c.end[-1] == '\t')) {
        c.end--;
    }
    if (c.at == c.end) {
        return -1;
    }
    if (*c.at >= '0' && *c.at <= '9') {
        return delta_seconds(c);
    }
    struct date d;
    int64_t then;
    if (imf_fixdate(c, &d) || asctime_date(c, &d)) {
        then = exists(&d) ? seconds_of(&d) : INT64_MIN;
    } else if (rfc850_date(c, &d)) {
        then = seconds_of_rfc850(d, now);
    } else {
        return -1;
    }
    if (then == INT64_MIN) {
        return -1;
    }
    return then <= now ? 0 : then - now;
}
