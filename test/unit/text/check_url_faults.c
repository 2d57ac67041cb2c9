/* check_url_faults.c -- the one allocation of the URL module fails: a query with tabs, in a legacy
 * charset. (ICU's own memory is not in reach of the wrappers.) */
#include "weft/url.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include "text/charset.h"
#include <string.h>

START_TEST(no_memory_for_a_query_with_tabs)
{
    static const char text[] = "http://h/?\u00e9\t\u00e9";
    const struct weft_charset *cs = weft_charset_by_label("windows-1252", 12);
    char buf[64];
    struct weft_url u, zero = {0};
    unsigned failures = 0;
    bool hit = true;
    for (long n = 1; hit; n++) {
        faults_alloc_at(n);
        enum weft_status st = weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), cs);
        hit = faults_hit();
        faults_alloc_at(0);
        if (hit) {
            ck_assert_int_eq(st, WEFT_ENOMEM);
            ck_assert_mem_eq(&u, &zero, sizeof u);
            failures++;
        } else {
            ck_assert_int_eq(st, WEFT_OK);
            ck_assert_str_eq(u.href, "http://h/?%E9%E9");
        }
    }
    ck_assert_uint_ge(failures, 1);
}
END_TEST

START_TEST(ascii_needs_no_memory)
{
    static const char text[] = "HTTP://u:p@EXAMPLE.com:8080/a/../%41b c?q='\t\n#`f";
    char buf[100], key[100];
    struct weft_url u;
    size_t len;
    faults_alloc_from(1);
    enum weft_status st = weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text),
                                         weft_charset_by_label("shift_jis", 9));
    enum weft_status key_st = weft_url_key(&u, 15, key, sizeof key, &len);
    bool hit = faults_hit();
    faults_alloc_from(0);
    ck_assert(!hit);
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_str_eq(u.href, "http://u:p@example.com:8080/%41b%20c?q=%27#%60f");
    ck_assert_int_eq(key_st, WEFT_OK);
    ck_assert_str_eq(key, "http://u:p@example.com:8080/Ab%20c");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url_faults");
    tcase_add_test(tc, no_memory_for_a_query_with_tabs);
    tcase_add_test(tc, ascii_needs_no_memory);
    return suite_run("text: url without memory", tc);
}
