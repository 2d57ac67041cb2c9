/* check_values.c -- numbers, durations and sizes: what is taken, exactly, and what is refused. */
#include "cli/options.h"

#include "support/suite.h"
#include <math.h>

struct value_case {
    const char *text;
    enum weft_status status;
    double value;
};

static const struct value_case wholes[] = {
    {"0", WEFT_OK, 0},
    {"16", WEFT_OK, 16},
    {"007", WEFT_OK, 7},
    {"18446744073709551615", WEFT_ELIMIT, 0}, /* the last digit could overflow: refused */
    {"1844674407370955161", WEFT_OK, 1844674407370955161.0},
    {"99999999999999999999999", WEFT_ELIMIT, 0},
    {"", WEFT_ESYNTAX, 0},
    {"-1", WEFT_ESYNTAX, 0},
    {"+1", WEFT_ESYNTAX, 0},
    {" 1", WEFT_ESYNTAX, 0},
    {"1 ", WEFT_ESYNTAX, 0},
    {"1.0", WEFT_ESYNTAX, 0},
    {"1.", WEFT_ESYNTAX, 0},
    {"1e3", WEFT_ESYNTAX, 0},
    {"0x10", WEFT_ESYNTAX, 0},
    {"abc", WEFT_ESYNTAX, 0},
    {"\xd9\xa1", WEFT_ESYNTAX, 0}, /* an Arabic digit */
};

START_TEST(whole_numbers)
{
    const struct value_case *c = &wholes[_i];
    uint64_t n = 1;
    ck_assert_msg(cli_read_whole(c->text, &n) == c->status, "'%s'", c->text);
    ck_assert_msg((double)n == c->value, "'%s'", c->text);
}
END_TEST

static const struct value_case numbers[] = {
    {"5", WEFT_OK, 5},       {"0.5", WEFT_OK, 0.5},      {".25", WEFT_OK, 0.25},
    {"2.", WEFT_OK, 2},      {"1.5x", WEFT_ESYNTAX, 0},  {"1,5", WEFT_ESYNTAX, 0},
    {".", WEFT_ESYNTAX, 0},  {"nan", WEFT_ESYNTAX, 0},   {"inf", WEFT_ESYNTAX, 0},
    {"-1", WEFT_ESYNTAX, 0}, {"1.2.3", WEFT_ESYNTAX, 0}, {"", WEFT_ESYNTAX, 0},
};

START_TEST(numbers_with_decimals)
{
    const struct value_case *c = &numbers[_i];
    double n = 1;
    ck_assert_msg(cli_read_number(c->text, &n) == c->status, "'%s'", c->text);
    ck_assert_msg(fabs(n - c->value) < 1e-12, "'%s'", c->text);
}
END_TEST

static const struct value_case durations[] = {
    {"0", WEFT_OK, 0},
    {"1", WEFT_OK, 1e9},
    {"0.1", WEFT_OK, 1e8},
    {"0.000000001", WEFT_OK, 1},
    {"0.0000000009", WEFT_OK, 0}, /* below a nanosecond there is nothing */
    {"250ms", WEFT_OK, 25e7},
    {"0.5ms", WEFT_OK, 5e5},
    {"2s", WEFT_OK, 2e9},
    {"1.5m", WEFT_OK, 9e10},
    {"1h", WEFT_OK, 36e11},
    {"0.999999999h", WEFT_OK, 3599999996400.0},
    {"9223372036", WEFT_OK, 9223372036e9},
    {"9223372037", WEFT_ELIMIT, 0},
    {"99999999999999h", WEFT_ELIMIT, 0},
    {"1d", WEFT_ESYNTAX, 0},
    {"1 s", WEFT_ESYNTAX, 0},
    {"1S", WEFT_ESYNTAX, 0},
    {"s", WEFT_ESYNTAX, 0},
    {"-0.5", WEFT_ESYNTAX, 0},
    {"1h30m", WEFT_ESYNTAX, 0},
};

START_TEST(durations_are_exact_nanoseconds)
{
    const struct value_case *c = &durations[_i];
    weft_time t = 1;
    ck_assert_msg(cli_read_duration(c->text, &t) == c->status, "'%s'", c->text);
    ck_assert_msg(t == (weft_time)c->value, "'%s' gave %lld", c->text, (long long)t);
}
END_TEST

static const struct value_case sizes[] = {
    {"0", WEFT_OK, 0},
    {"65536", WEFT_OK, 65536},
    {"64K", WEFT_OK, 65536},
    {"64k", WEFT_OK, 65536},
    {"8M", WEFT_OK, 8388608},
    {"1.5G", WEFT_OK, 1610612736},
    {"0.5K", WEFT_OK, 512},
    {"0.5", WEFT_ESYNTAX, 0},
    {"1T", WEFT_ESYNTAX, 0},
    {"1KB", WEFT_ESYNTAX, 0},
    {"-1", WEFT_ESYNTAX, 0},
    {"K", WEFT_ESYNTAX, 0},
    {"18000000000000000G", WEFT_ELIMIT, 0},
};

START_TEST(sizes_in_bytes)
{
    const struct value_case *c = &sizes[_i];
    uint64_t n = 1;
    ck_assert_msg(cli_read_size(c->text, &n) == c->status, "'%s'", c->text);
    ck_assert_msg((double)n == c->value, "'%s'", c->text);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tc = tcase_create("values");
    tcase_add_loop_test(tc, whole_numbers, 0, COUNT(wholes));
    tcase_add_loop_test(tc, numbers_with_decimals, 0, COUNT(numbers));
    tcase_add_loop_test(tc, durations_are_exact_nanoseconds, 0, COUNT(durations));
    tcase_add_loop_test(tc, sizes_in_bytes, 0, COUNT(sizes));
    return suite_run("cli: values", tc);
}
