/* check_console.c -- what may reach a terminal as it is, and what must not. */
#include "cli/console.h"

#include "support/suite.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *text, *shown;
} cases[] = {
    {"http://a.example/x?y=1#z", "http://a.example/x?y=1#z"},
    {"caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x95\xb7", "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x95\xb7"},
    {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
    {"a\r\nb\tc\x7f", "a\\x0d\\x0ab\\x09c\\x7f"},
    {"\xc2\x9b"
     "31m",
     "\\u{9b}31m"}, /* C1's CSI */
    {"a\xe2\x80\xae"
     "gpj",
     "a\\u{202e}gpj"}, /* right-to-left override */
    {"\xe2\x81\xa6x\xe2\x81\xa9", "\\u{2066}x\\u{2069}"},
    {"a\xe2\x80\x8b"
     "b",
     "a\\u{200b}b"}, /* zero width space */
    {"\xef\xbb\xbf"
     "a",
     "\\u{feff}a"},
    {"\xe2\x80\xa8", "\\u{2028}"},
    {"\xf3\xa0\x81\xa1", "\\u{e0061}"}, /* a tag character */
    {"\xff\xfe", "\\xff\\xfe"},
    {"\xc0\xaf", "\\xc0\\xaf"},                   /* overlong */
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* a surrogate */
    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
    {"a\xe6\x97", "a\\xe6\\x97"},                 /* cut off */
    {"\x9b"
     "1m",
     "\\x9b1m"}, /* a raw C1 byte */
    {"", ""},
};

START_TEST(escapes)
{
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    ck_assert_int_eq(cli_escape(&b, cases[_i].text, strlen(cases[_i].text)), WEFT_OK);
    ck_assert_str_eq(b.data ? b.data : "", cases[_i].shown);
    weft_buf_release(&b);
}
END_TEST

/* Whether a terminal could obey one of these bytes: a control character, or a C1 byte that is not
 * inside a character. */
static bool obeyed(const struct weft_buf *b)
{
    for (size_t i = 0; i < b->len; i++) {
        unsigned char c = (unsigned char)b->data[i];
        if (c < 0x20 || c == 0x7f) {
            return true;
        }
        if (c >= 0x80 && c <= 0x9f && (i == 0 || (unsigned char)b->data[i - 1] < 0xc2)) {
            return true;
        }
    }
    return false;
}

START_TEST(no_two_bytes_give_anything_to_obey)
{
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    int bad = 0; /* asserting each would take longer than testing it */
    for (unsigned i = 0; i < 65536; i++) {
        char text[2] = {(char)(i >> 8), (char)i};
        weft_buf_clear(&b);
        bad += cli_escape(&b, text, 2) != WEFT_OK || obeyed(&b);
    }
    ck_assert_int_eq(bad, 0);
    weft_buf_release(&b);
}
END_TEST

START_TEST(a_limit_is_kept)
{
    struct weft_buf b;
    weft_buf_init(&b, 6);
    ck_assert_int_eq(cli_escape(&b, "\x01\x02", 2), WEFT_ELIMIT);
    ck_assert_uint_le(b.len, 6);
    weft_buf_release(&b);
}
END_TEST

static void *read_all(void *pipe)
{
    char bytes[512];
    ssize_t n;
    size_t *sum = calloc(1, sizeof *sum);
    while ((n = read(*(int *)pipe, bytes, sizeof bytes)) > 0) {
        *sum += (size_t)n;
    }
    return sum;
}

/* Who shares the pipe may have made it non-blocking; that it is full is no failure. */
START_TEST(a_full_pipe_is_waited_for)
{
    static char text[1 << 20];
    int ends[2], out = dup(STDOUT_FILENO);
    pthread_t reader;
    void *sum;
    memset(text, 'x', sizeof text);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    ck_assert_int_ge(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);
    ck_assert_int_ge(dup2(ends[1], STDOUT_FILENO), 0);
    close(ends[1]);
    ck_assert_int_eq(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
    enum weft_status st = cli_put(text, sizeof text);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0); /* the pipe ends */
    ck_assert_int_eq(pthread_join(reader, &sum), 0);
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_uint_eq(*(size_t *)sum, sizeof text);
    free(sum);
    close(out);
    close(ends[0]);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("console");
    tcase_add_loop_test(tc, escapes, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tc, no_two_bytes_give_anything_to_obey);
    tcase_add_test(tc, a_limit_is_kept);
    tcase_add_test(tc, a_full_pipe_is_waited_for);
    return suite_run("cli: console", tc);
}
