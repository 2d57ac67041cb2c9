/* check_extract_faults.c -- extraction when the n-th allocation of weft's own fails. */
#include "text/extract.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include "text/css.h"
#include <stdlib.h>
#include <string.h>

START_TEST(the_nth_allocation_fails)
{
    static const char html[] = "<p>1<b>2</b></p>\0<p>3</p>";
    bool hit = true;
    long n = 0;
    while (hit) {
        struct weft_extractor *x;
        struct weft_extracted e = {0};
        char error[256];
        faults_alloc_at(++n);
        enum weft_status st = weft_extractor_new(
            &x, "//p", (const char *const[]){"a=.", "b=css:b", NULL}, error, sizeof error);
        if (st == WEFT_OK) {
            st = weft_extractor_run(x, html, sizeof html - 1, &e);
        }
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        ck_assert_uint_eq(e.nrows, hit ? 0 : 2);
        weft_extracted_release(&e);
        weft_extractor_free(x);
    }
    ck_assert_int_gt(n, 8);
}
END_TEST

/* A selector with each kind of thing that is put together in memory. */
START_TEST(the_nth_allocation_of_a_selector_fails)
{
    static const char selector[] =
        "a\\:b > p.c:not(:is(b, #d) e)[f=\"'\\\"\"] + g::text, h::attr(i)";
    bool hit = true;
    long n = 0;
    while (hit) {
        char *xpath;
        struct weft_css_error error;
        faults_alloc_at(++n);
        enum weft_status st = weft_css_to_xpath(&xpath, selector, &error);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        ck_assert_int_eq(xpath == NULL, hit);
        free(xpath);
    }
    ck_assert_int_gt(n, 8);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_test(tc, the_nth_allocation_fails);
    tcase_add_test(tc, the_nth_allocation_of_a_selector_fails);
    return suite_run("text: extract faults", tc);
}
