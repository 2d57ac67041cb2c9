/* check_floor.c -- the floor of a crawl, against cases that can be told by hand. */
#include "lab/lab_floor.h"
#include "support/suite.h"

static weft_time same_hold(const void *user, size_t page)
{
    (void)user;
    (void)page;
    return 100;
}

static weft_time growing_hold(const void *user, size_t page)
{
    (void)user;
    return (weft_time)(page + 1) * 10;
}

static size_t chain(const void *user, size_t page, size_t k)
{
    size_t pages = *(const size_t *)user;
    return k == 0 && page + 1 < pages ? page + 1 : LAB_NO_LINK;
}

/* Page 0 links to all others. */
static size_t star(const void *user, size_t page, size_t k)
{
    size_t pages = *(const size_t *)user;
    return page == 0 && k + 1 < pages ? k + 1 : LAB_NO_LINK;
}

static const struct {
    const char *what;
    size_t pages, seeds;
    unsigned jobs;
    weft_time gap;
    weft_time (*hold)(const void *, size_t);
    size_t (*link)(const void *, size_t, size_t);
    weft_time floor;
    size_t reached;
} cases[] = {
    {"one page", 1, 1, 1, 0, same_hold, NULL, 100, 1},
    {"a list, one at a time", 60, 60, 1, 0, same_hold, NULL, 6000, 60},
    {"a list, 10 at once", 60, 60, 10, 0, same_hold, NULL, 600, 60},
    {"a list that does not divide evenly", 61, 61, 10, 0, same_hold, NULL, 700, 61},
    {"more slots than pages", 60, 60, 1000, 0, same_hold, NULL, 100, 60},
    {"a gap that limits", 20, 20, 100, 50, same_hold, NULL, 19 * 50 + 100, 20},
    {"a gap that does not", 20, 20, 1, 50, same_hold, NULL, 2000, 20},
    {"a gap and few slots: 25 apart, 2 at once", 4, 4, 2, 25, same_hold, NULL, 225, 4},
    {"a chain gains nothing from slots", 50, 1, 64, 0, same_hold, chain, 5000, 50},
    {"a star: one, then all", 50, 1, 64, 0, same_hold, star, 200, 50},
    {"a star in batches", 50, 1, 7, 0, same_hold, star, 100 + 700, 50},
    {"different times, one at a time", 4, 4, 1, 0, growing_hold, NULL, 100, 4},
    {"different times, two at once: 10+30 beside 20+40", 4, 4, 2, 0, growing_hold, NULL, 60, 4},
    {"what nobody links to is not reached", 9, 2, 4, 0, same_hold, NULL, 100, 2},
};

START_TEST(as_by_hand)
{
    struct lab_floor f = {.pages = cases[_i].pages,
                          .seeds = cases[_i].seeds,
                          .jobs = cases[_i].jobs,
                          .gap = cases[_i].gap,
                          .hold = cases[_i].hold,
                          .link = cases[_i].link,
                          .user = &cases[_i].pages};
    weft_time floor;
    size_t reached;
    ck_assert_int_eq(lab_floor(&f, &floor, &reached), WEFT_OK);
    ck_assert_msg(floor == cases[_i].floor, "%s: %ld, not %ld", cases[_i].what, (long)floor,
                  (long)cases[_i].floor);
    ck_assert_uint_eq(reached, cases[_i].reached);
}
END_TEST

START_TEST(generated_sites)
{
    struct lab_gen g;
    weft_time one, many, all;
    ck_assert(lab_gen_parse(&g, "pages=100,links=3,fan=3,ms=10", 29, ','));
    ck_assert_int_eq(lab_floor_gen(&g, 1, &one), WEFT_OK);
    ck_assert_int_eq(one, 100 * 10 * WEFT_MS);
    ck_assert_int_eq(lab_floor_gen(&g, 10, &many), WEFT_OK);
    ck_assert_int_ge(many, one / 10);
    ck_assert_int_lt(many, one / 5);
    /* A tree of three children each, whose links are its children alone: 1 + 3 + 9 + 27 + 60. */
    ck_assert_int_eq(lab_floor_gen(&g, 1000, &all), WEFT_OK);
    ck_assert_int_eq(all, 5 * 10 * WEFT_MS);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("floor");
    tcase_add_loop_test(t, as_by_hand, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, generated_sites);
    return suite_run("floor", t);
}
