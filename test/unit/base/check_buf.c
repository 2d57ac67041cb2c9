/* check_buf.c -- the bounded buffer keeps its limit and its bytes. */
#include "base/buf.h"

#include "support/suite.h"
#include <stdlib.h>
#include <string.h>

START_TEST(append_keeps_bytes_and_a_nul)
{
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    ck_assert_int_eq(weft_buf_append(&b, "a\0b", 3), WEFT_OK);
    ck_assert_int_eq(weft_buf_puts(&b, "cd"), WEFT_OK);
    ck_assert_int_eq(weft_buf_printf(&b, "%d", 42), WEFT_OK);
    ck_assert_uint_eq(b.len, 7);
    ck_assert_mem_eq(b.data, "a\0bcd42", 8);
    weft_buf_release(&b);
}
END_TEST

START_TEST(limit_is_never_exceeded_and_failure_changes_nothing)
{
    struct weft_buf b;
    weft_buf_init(&b, 5);
    ck_assert_int_eq(weft_buf_puts(&b, "12345"), WEFT_OK);
    ck_assert_int_eq(weft_buf_puts(&b, "6"), WEFT_ELIMIT);
    ck_assert_int_eq(weft_buf_printf(&b, "%s", "6"), WEFT_ELIMIT);
    ck_assert_int_eq(weft_buf_puts(&b, ""), WEFT_OK);
    ck_assert_str_eq(b.data, "12345");
    weft_buf_release(&b);
}
END_TEST

START_TEST(take_gives_the_bytes_away)
{
    struct weft_buf b;
    weft_buf_init(&b, 100);
    char *empty = weft_buf_take(&b);
    ck_assert_str_eq(empty, "");
    free(empty);
    ck_assert_int_eq(weft_buf_puts(&b, "x"), WEFT_OK);
    char *text = weft_buf_take(&b);
    ck_assert_str_eq(text, "x");
    ck_assert_uint_eq(b.len, 0);
    free(text);
}
END_TEST

START_TEST(clear_keeps_memory)
{
    struct weft_buf b;
    weft_buf_init(&b, 1 << 20);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(weft_buf_puts(&b, "0123456789"), WEFT_OK);
    }
    size_t cap = b.cap;
    weft_buf_clear(&b);
    ck_assert_uint_eq(b.len, 0);
    ck_assert_uint_eq(b.cap, cap);
    weft_buf_release(&b);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("buf");
    tcase_add_test(tc, append_keeps_bytes_and_a_nul);
    tcase_add_test(tc, limit_is_never_exceeded_and_failure_changes_nothing);
    tcase_add_test(tc, take_gives_the_bytes_away);
    tcase_add_test(tc, clear_keeps_memory);
    return suite_run("base: buf", tc);
}
