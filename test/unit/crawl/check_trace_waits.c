/* check_trace_waits.c -- the table of what waits since when, against a plain array. */
#include "crawl/trace_waits.h"
#include "support/suite.h"

#include <string.h>

#define PRINTS 1000u

START_TEST(puts_and_takes_like_an_array)
{
    static weft_time expected[PRINTS];
    struct weft_waits w = {0};
    uint64_t random = 1;
    ck_assert_int_eq(weft_waits_take(&w, 7), 0);
    for (weft_time step = 1; step < 200000; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        /* Low bits collide, so that what was moved up is looked for too. */
        uint64_t k = (random >> 33) % PRINTS, print = k << 4 | k >> 7;
        if (random >> 63) {
            weft_waits_put(&w, print, step);
            expected[k] = step;
        } else {
            ck_assert_int_eq(weft_waits_take(&w, print), expected[k]);
            expected[k] = 0;
        }
    }
    size_t left = 0;
    for (uint64_t k = 0; k < PRINTS; k++) {
        left += expected[k] != 0;
    }
    ck_assert_uint_eq(w.n, left);
    for (uint64_t k = 0; k < PRINTS; k++) {
        ck_assert_int_eq(weft_waits_take(&w, k << 4 | k >> 7), expected[k]);
    }
    ck_assert_uint_eq(w.n, 0);
    weft_waits_release(&w);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("waits");
    tcase_add_test(t, puts_and_takes_like_an_array);
    return suite_run("trace_waits", t);
}
