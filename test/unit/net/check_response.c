/* check_response.c -- the memory of an answer, as filled by a fetch function of one's own. */
#include "net/response.h"

#include "base/limits.h"
#include "support/suite.h"
#include <string.h>

START_TEST(strings_stay_when_the_text_grows)
{
    struct weft_response r;
    weft_response_init(&r);
    ck_assert_int_eq(weft_response_set(&r, &r.content_type, "text/html; x", 9), WEFT_OK);
    ck_assert_int_eq(weft_response_set(&r, &r.ip, "::1", 3), WEFT_OK);
    for (int i = 0; i < 2000; i++) {
        ck_assert_int_eq(weft_response_extend(&r, &r.location, i ? "/" : "", "abc", 3), WEFT_OK);
    }
    ck_assert_str_eq(r.content_type, "text/html");
    ck_assert_str_eq(r.ip, "::1");
    ck_assert_uint_eq(strlen(r.location), 2000 * 4 - 1);
    ck_assert_int_eq(weft_response_extend(&r, &r.ip, ", ", "::2", 3), WEFT_OK);
    ck_assert_str_eq(r.ip, "::1, ::2");
    ck_assert_int_eq(weft_response_extend(&r, &r.location, "", "d", 1), WEFT_OK);
    ck_assert_str_eq(r.location + 2000 * 4 - 4, "abcd");
    weft_response_reset(&r);
    ck_assert_ptr_null(r.content_type);
    ck_assert_ptr_null(r.location);
    ck_assert_ptr_nonnull(r.text);
    ck_assert_int_eq(weft_response_set(&r, &r.etag, "", 0), WEFT_OK);
    ck_assert_str_eq(r.etag, "");
    weft_response_release(&r);
    ck_assert_ptr_null(r.text);
}
END_TEST

START_TEST(strings_have_limits)
{
    struct weft_response r;
    const char *not_a_field = "x";
    static char longer[WEFT_MAX_COOKIES + 1];
    weft_response_init(&r);
    ck_assert_int_eq(weft_response_set(&r, &not_a_field, "x", 1), WEFT_EINVAL);
    ck_assert_int_eq(weft_response_set(&r, &r.location, longer, WEFT_MAX_HEADER_FIELD + 1),
                     WEFT_ELIMIT);
    ck_assert_ptr_null(r.location);
    ck_assert_int_eq(weft_response_set(&r, &r.cookies, longer, WEFT_MAX_COOKIES + 1), WEFT_ELIMIT);
    ck_assert_int_eq(weft_response_set(&r, &r.cookies, longer, WEFT_MAX_COOKIES), WEFT_OK);
    enum weft_status st;
    unsigned n = 0; /* setting one field for ever ends, too */
    while ((st = weft_response_set(&r, &r.etag, longer, 1000)) == WEFT_OK) {
        ck_assert_uint_lt(n++, 1000);
    }
    ck_assert_int_eq(st, WEFT_ELIMIT);
    ck_assert_uint_le(r.text_cap, 2 * (WEFT_MAX_HEADER + WEFT_MAX_COOKIES));
    weft_response_release(&r);
}
END_TEST

START_TEST(a_body_grows_and_is_kept_unless_it_is_large)
{
    struct weft_response r;
    static char block[10000];
    weft_response_init(&r);
    ck_assert_int_eq(weft_response_append(&r, "", 0), WEFT_OK);
    ck_assert_str_eq(r.body, "");
    ck_assert_int_eq(weft_response_append(&r, "a\0b", 3), WEFT_OK);
    ck_assert_int_eq(weft_response_append(&r, "c", 1), WEFT_OK);
    ck_assert_mem_eq(r.body, "a\0bc", 5);
    ck_assert_uint_eq(r.body_len, 4);
    const char *body = r.body;
    r.status = 200;
    r.end = WEFT_FETCH_TLS;
    strcpy(r.error, "x");
    weft_response_reset(&r);
    ck_assert_ptr_eq(r.body, body);
    ck_assert_str_eq(r.body, "");
    ck_assert_uint_eq(r.body_len, 0);
    ck_assert_int_eq(r.status, 0);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_str_eq(r.error, "");
    for (int i = 0; i < 100; i++) {
        ck_assert_int_eq(weft_response_append(&r, block, sizeof block), WEFT_OK);
    }
    ck_assert_int_eq(weft_response_append(&r, block, SIZE_MAX - 5), WEFT_ELIMIT);
    ck_assert_uint_eq(r.body_len, 1000000);
    weft_response_reset(&r);
    ck_assert_ptr_null(r.body); /* a large one is given back */
    /* one that was taken by the caller is made anew */
    ck_assert_int_eq(weft_response_append(&r, "again", 5), WEFT_OK);
    free(r.body);
    r.body = NULL;
    r.body_cap = r.body_len = 0;
    weft_response_reset(&r);
    ck_assert_int_eq(weft_response_append(&r, "more", 4), WEFT_OK);
    ck_assert_str_eq(r.body, "more");
    weft_response_release(&r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("response");
    tcase_add_test(tc, strings_stay_when_the_text_grows);
    tcase_add_test(tc, strings_have_limits);
    tcase_add_test(tc, a_body_grows_and_is_kept_unless_it_is_large);
    return suite_run("net: response", tc);
}
