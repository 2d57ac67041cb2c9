/* check_due.c -- the heap of times gives the earliest, whatever was added, moved and removed. */
#include "net/due.h"

#include "support/suite.h"
#include <stdbool.h>
#include <stdint.h>

#define N 500

static uint32_t seed;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* A thousand random steps, each compared with a search through a plain array. */
START_TEST(first_is_the_earliest)
{
    static struct weft_due entries[N];
    static weft_time at[N];
    struct weft_dues d = {0};
    seed = (uint32_t)_i;
    for (int step = 0; step < 3000; step++) {
        unsigned i = draw() % N;
        weft_time when = draw() % 1000;
        if (!entries[i].place) {
            ck_assert_int_eq(weft_dues_add(&d, &entries[i], at[i] = when), WEFT_OK);
        } else if (draw() % 3) {
            weft_dues_move(&d, &entries[i], at[i] = when);
        } else {
            weft_dues_remove(&d, &entries[i]);
        }
        weft_time earliest = WEFT_FOREVER, first;
        for (unsigned k = 0; k < N; k++) {
            if (entries[k].place && at[k] < earliest) {
                earliest = at[k];
            }
        }
        const struct weft_due *e = weft_dues_first(&d, &first);
        ck_assert_int_eq(first, earliest);
        ck_assert(e ? at[e - entries] == earliest : earliest == WEFT_FOREVER);
    }
    for (unsigned k = 0; k < N; k++) {
        weft_dues_remove(&d, &entries[k]);
    }
    ck_assert_ptr_null(weft_dues_first(&d, NULL));
    weft_dues_release(&d);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("due");
    tcase_add_loop_test(tc, first_is_the_earliest, 0, 4);
    return suite_run("net: due", tc);
}
