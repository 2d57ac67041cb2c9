/* check_retry_after.c -- Retry-After in the words of RFC 9110: 10.2.3 and the dates of 5.6.7. */
#include "text/retry_after.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NOW INT64_C(784111717) /* Sun, 06 Nov 1994 08:48:37 GMT, a minute before the RFC's date */

struct reading {
    const char *value;
    int64_t now, seconds;
};

static void read_all(const struct reading *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(cases[i].value);
        char *exact = malloc(len + 1);
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, cases[i].value, len);
        int64_t got = weft_retry_after(exact, len, cases[i].now);
        free(exact);
        ck_assert_msg(got == cases[i].seconds, "\"%s\" is %lld, not %lld", cases[i].value,
                      (long long)got, (long long)cases[i].seconds);
    }
}

#define ALL(table) read_all(table, sizeof(table) / sizeof(table)[0])

START_TEST(delta_seconds)
{
    static const struct reading cases[] = {
        {"0", NOW, 0},
        {"120", NOW, 120},
        {"0000000000000000000000000000000000120", NOW, 120},
        {" \t120\t ", NOW, 120},
        {"9223372036854775807", NOW, INT64_MAX},
        {"9223372036854775808", NOW, INT64_MAX},
        {"99999999999999999999999999999999999999999999", NOW, INT64_MAX},
        {"", NOW, -1},
        {"  ", NOW, -1},
        {"-1", NOW, -1},
        {"+1", NOW, -1},
        {"1.5", NOW, -1},
        {"1e3", NOW, -1},
        {"0x10", NOW, -1},
        {"12 34", NOW, -1},
        {"120, 130", NOW, -1},
        {"120s", NOW, -1},
        {"\"120\"", NOW, -1},
        {"\xD9\xA1", NOW, -1},
    };
    ALL(cases);
    ck_assert_int_eq(weft_retry_after(NULL, 0, NOW), -1);
    ck_assert_int_eq(weft_retry_after("12\0", 3, NOW), -1);
}
END_TEST

START_TEST(three_forms_of_a_date)
{
    static const struct reading cases[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", NOW, 60},
        {"Sunday, 06-Nov-94 08:49:37 GMT", NOW, 60},
        {"Sun Nov  6 08:49:37 1994", NOW, 60},
        {"Wed Nov 16 08:49:37 1994", NOW, 864060},
        {" Sun, 06 Nov 1994 08:49:37 GMT\t", NOW, 60},
        {"Sun, 06 Nov 1994 08:48:37 GMT", NOW, 0},        /* now */
        {"Sun, 06 Nov 1994 08:48:36 GMT", NOW, 0},        /* past */
        {"Mon, 06 Nov 1994 08:49:37 GMT", NOW, 60},       /* the day's name says nothing */
        {"Sat, 31 Dec 2016 23:59:60 GMT", 1483228799, 1}, /* a leap second */
        {"Thu, 01 Jan 1970 00:00:01 GMT", 0, 1},
        {"Fri, 31 Dec 9999 23:59:59 GMT", 0, INT64_C(253402300799)},
        {"Sat, 01 Jan 0000 00:00:00 GMT", 0, 0},
        {"Tue, 19 Jan 2038 03:14:08 GMT", 2147483647, 1},
    };
    ALL(cases);
}
END_TEST

START_TEST(calendar)
{
    static const struct reading cases[] = {
        {"Thu, 29 Feb 2024 00:00:00 GMT", 1709164799, 1},
        {"Tue, 29 Feb 2000 00:00:00 GMT", 951782399, 1},
        {"Wed, 29 Feb 2023 00:00:00 GMT", NOW, -1},
        {"Mon, 29 Feb 2100 00:00:00 GMT", NOW, -1},
        {"Sun, 31 Apr 1995 00:00:00 GMT", NOW, -1},
        {"Sun, 31 May 1995 00:00:00 GMT", 801878399, 1},
        {"Sun, 00 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun, 32 Jan 1995 08:49:37 GMT", NOW, -1},
        {"Sun, 06 Nov 1994 24:00:00 GMT", NOW, -1},
        {"Sun, 06 Nov 1994 08:60:37 GMT", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:61 GMT", NOW, -1},
        {"Monday, 29-Feb-95 00:00:00 GMT", NOW, -1},
        {"Thu Feb 30 00:00:00 1995", NOW, -1},
    };
    ALL(cases);
}
END_TEST

/* Every day of four hundred years, against the C library. */
START_TEST(calendar_against_timegm)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (int64_t t = 12345; t < INT64_C(400) * 366 * 86400; t += 86400) {
        time_t when = (time_t)t;
        struct tm tm;
        ck_assert_ptr_nonnull(gmtime_r(&when, &tm));
        char text[40];
        int n = snprintf(text, sizeof text, "Mon, %02d %s %04d %02d:%02d:%02d GMT", tm.tm_mday,
                         months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
        ck_assert_int_eq(weft_retry_after(text, (size_t)n, 0), t);
    }
}
END_TEST

/* "a timestamp that appears to be more than 50 years in the future [is] the most recent year in
 * the past that had the same last two digits" */
START_TEST(two_digit_years)
{
    const int64_t y2026 = 1767225600; /* Thu, 01 Jan 2026 00:00:00 GMT */
    const int64_t y2076 = 3345062400; /* Wed, 01 Jan 2076 00:00:00 GMT */
    const int64_t y2090 = 3786912000; /* Sun, 01 Jan 2090 00:00:00 GMT */
    const struct reading cases[] = {
        {"Thursday, 01-Jan-26 00:00:10 GMT", y2026, 10},
        {"Friday, 01-Jan-27 00:00:00 GMT", y2026, 31536000},
        {"Wednesday, 01-Jan-76 00:00:00 GMT", y2026, y2076 - y2026}, /* 50 years to the second */
        {"Wednesday, 01-Jan-76 00:00:01 GMT", y2026, 0},             /* one more: 1976 */
        {"Friday, 31-Dec-99 00:00:00 GMT", y2026, 0},
        {"Sunday, 01-Jan-10 00:00:00 GMT", y2090, 631065600}, /* 2110, 20 years ahead */
        {"Thursday, 01-Jan-70 00:01:00 GMT", 0, 60},
        {"Thursday, 01-Jan-70 00:01:00 GMT", -5, 60}, /* a clock before 1970 counts as 1970 */
    };
    ALL(cases);
}
END_TEST

START_TEST(what_is_no_date)
{
    static const struct reading cases[] = {
        {"1994-11-06T08:49:37Z", NOW, -1},
        {"tomorrow", NOW, -1},
        {"Sun", NOW, -1},
        {"Sun, ", NOW, -1},
        {"Sun, 06 Nov 1994", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:37", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:37 UTC", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:37 +0000", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:37 GMT.", NOW, -1},
        {"Sun, 06 Nov 1994 08:49:37 GMT, x", NOW, -1},
        {"Sun, 6 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun,  06 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun,06 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun, 06 Nov 94 08:49:37 GMT", NOW, -1},
        {"Sun, 06 nov 1994 08:49:37 GMT", NOW, -1},
        {"SUN, 06 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sunday, 06 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sunday, 06-Nov-1994 08:49:37 GMT", NOW, -1},
        {"Sun, 06-Nov-94 08:49:37 GMT", NOW, -1},
        {"Sun Nov 6 08:49:37 1994", NOW, -1},
        {"Sun Nov 06 08:49:37 1994 GMT", NOW, -1},
        {"Sun Nov  16 08:49:37 1994", NOW, -1},
        {"06 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun, +6 Nov 1994 08:49:37 GMT", NOW, -1},
        {"Sun, 06 Nov -994 08:49:37 GMT", NOW, -1},
    };
    ALL(cases);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("retry-after");
    tcase_add_test(tc, delta_seconds);
    tcase_add_test(tc, three_forms_of_a_date);
    tcase_add_test(tc, calendar);
    tcase_add_test(tc, calendar_against_timegm);
    tcase_add_test(tc, two_digit_years);
    tcase_add_test(tc, what_is_no_date);
    return suite_run("text: retry-after", tc);
}
