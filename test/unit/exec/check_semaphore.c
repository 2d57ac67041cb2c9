/* check_semaphore.c -- bounded semaphore and bulkhead. Section J of docs/futures.md, S139 to S146,
 * and the bugs 32 to 34. */
#include "jobs.h"

#include "weft/semaphore.h"

static struct weft_semaphore *make(size_t permits, size_t max_waiters)
{
    struct weft_semaphore *s;
    ck_status(weft_semaphore_new(&s, permits, max_waiters), WEFT_OK);
    return s;
}

/* One whose permits are all out. */
static struct weft_semaphore *make_taken(size_t permits, size_t max_waiters)
{
    struct weft_semaphore *s = make(permits, max_waiters);
    for (size_t i = 0; i < permits; i++) {
        ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
    }
    return s;
}

static void give_back(struct weft_semaphore *s)
{
    ck_status(weft_semaphore_release(s), WEFT_OK);
}

static void free_semaphore(struct weft_semaphore *s)
{
    ck_status(weft_semaphore_free(s), WEFT_OK);
}

/* A thread that wants a permit. */
struct wanter {
    struct helper helper;
    struct weft_semaphore *s;
    weft_time deadline;
    enum weft_status status;
};

static void want(void *arg)
{
    struct wanter *w = arg;
    w->status = weft_semaphore_acquire(w->s, w->deadline);
}

struct line {
    struct weft_semaphore *s;
    size_t length;
};

static bool line_is_as_long(void *arg)
{
    struct line *line = arg;
    return weft_semaphore_waiting(line->s) == line->length;
}

static void await_line(struct weft_semaphore *s, size_t length)
{
    ck_assert(eventually(line_is_as_long, &(struct line){s, length}, weft_in_ms(10000)));
}

/* Starts a thread that wants a permit until the deadline. */
static void start_wanting_until(struct wanter *w, struct weft_semaphore *s, weft_time deadline)
{
    *w = (struct wanter){.s = s, .deadline = deadline};
    helper_start(&w->helper, want, w);
}

/* Starts one that waits for ever, and returns when it is number place in the line, from 1. */
static void start_wanting(struct wanter *w, struct weft_semaphore *s, size_t place)
{
    start_wanting_until(w, s, WEFT_FOREVER);
    await_line(s, place);
}

static void assert_got(struct wanter *w, enum weft_status status)
{
    helper_join(&w->helper);
    ck_status(w->status, status);
}

START_TEST(S139_release_above_the_permits_is_an_error_and_changes_nothing)
{
    struct weft_semaphore *s = make(2, WEFT_NO_CAP);
    ck_status(weft_semaphore_release(s), WEFT_EOVER);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
    give_back(s);
    ck_status(weft_semaphore_release(s), WEFT_EOVER);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_ETIMEDOUT); /* still two */
    ck_status(weft_semaphore_free(s), WEFT_EBUSY);
    give_back(s);
    give_back(s);
    free_semaphore(s);
    ck_status(weft_semaphore_free(NULL), WEFT_OK);
}
END_TEST

START_TEST(S140_first_come_first_served)
{
    enum { N = 6 };
    struct wanter ws[N];
    struct weft_semaphore *s = make_taken(1, WEFT_NO_CAP);
    for (size_t i = 0; i < N; i++) {
        start_wanting(&ws[i], s, i + 1);
    }
    for (size_t i = 0; i < N; i++) {
        give_back(s);
        assert_got(&ws[i], WEFT_OK); /* it was its turn; had another got it, this would hang */
    }
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(S140_nobody_barges_in)
{
    struct wanter w;
    struct weft_semaphore *s = make_taken(1, WEFT_NO_CAP);
    start_wanting(&w, s, 1);
    give_back(s);
    /* The permit is the waiter's from that moment on, whether it has woken or not. */
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_ETIMEDOUT);
    assert_got(&w, WEFT_OK);
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(S141_granted_beats_timed_out)
{
    /* Whatever comes first, deadline or permit: the two ends agree on who has it. */
    struct weft_semaphore *s = make_taken(1, WEFT_NO_CAP);
    for (unsigned i = rounds(2000, 20); i > 0; i--) {
        struct wanter w;
        start_wanting_until(&w, s, weft_now() + (i % 10) * 20000);
        sched_yield();
        give_back(s);
        helper_join(&w.helper);
        if (w.status == WEFT_ETIMEDOUT) {
            ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
        } else {
            ck_status(w.status, WEFT_OK);
            ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_ETIMEDOUT);
        }
    }
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(S142_waiter_that_times_out_leaves_the_line)
{
    struct wanter first, second;
    struct weft_semaphore *s = make_taken(1, WEFT_NO_CAP);
    start_wanting_until(&first, s, weft_in_ms(20)); /* most likely in front of the other */
    start_wanting_until(&second, s, WEFT_FOREVER);
    assert_got(&first, WEFT_ETIMEDOUT);
    await_line(s, 1);
    give_back(s);
    assert_got(&second, WEFT_OK);
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(S143_zero_permits_are_refused)
{
    struct weft_semaphore *s = (struct weft_semaphore *)&s;
    ck_status(weft_semaphore_new(&s, 0, WEFT_NO_CAP), WEFT_EINVAL);
    ck_assert_ptr_null(s);
    ck_status(weft_semaphore_acquire(NULL, WEFT_POLL), WEFT_EINVAL);
    ck_status(weft_semaphore_release(NULL), WEFT_EINVAL);
}
END_TEST

START_TEST(S144_bulkhead_refuses_without_waiting)
{
    struct wanter ws[2];
    struct weft_semaphore *none = make_taken(1, 0), *s = make_taken(1, 2);
    ck_status(weft_semaphore_acquire(none, WEFT_FOREVER), WEFT_EFULL);
    start_wanting(&ws[0], s, 1);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_ETIMEDOUT); /* there is a place in line */
    start_wanting(&ws[1], s, 2);
    ck_status(weft_semaphore_acquire(s, WEFT_FOREVER), WEFT_EFULL);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_EFULL);
    for (int i = 0; i < 2; i++) {
        give_back(s);
        assert_got(&ws[i], WEFT_OK);
    }
    give_back(s);
    give_back(none);
    free_semaphore(s);
    free_semaphore(none);
}
END_TEST

START_TEST(S145_waiter_waits_until_its_deadline)
{
    struct weft_semaphore *s = make_taken(1, 1);
    weft_time deadline = weft_in_ms(5);
    ck_status(weft_semaphore_acquire(s, deadline), WEFT_ETIMEDOUT);
    ck_assert_int_ge(weft_now(), deadline);
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(S146_timed_out_waiters_cost_no_capacity)
{
    struct wanter w;
    struct weft_semaphore *s = make_taken(1, 1);
    for (int i = 0; i < 20; i++) {
        ck_status(weft_semaphore_acquire(s, weft_in_ms(1)), WEFT_ETIMEDOUT); /* never EFULL */
    }
    start_wanting(&w, s, 1);
    give_back(s);
    /* The one who was served has left its place, though it may not have woken yet. */
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_ETIMEDOUT);
    assert_got(&w, WEFT_OK);
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(bug32_front_waiter_gives_up_and_those_behind_wake)
{
    struct wanter ws[3];
    struct weft_semaphore *s = make_taken(2, WEFT_NO_CAP);
    for (size_t i = 0; i < 3; i++) {
        start_wanting_until(&ws[i], s, i == 0 ? weft_in_ms(20) : WEFT_FOREVER);
    }
    assert_got(&ws[0], WEFT_ETIMEDOUT);
    await_line(s, 2);
    give_back(s);
    give_back(s);
    assert_got(&ws[1], WEFT_OK);
    assert_got(&ws[2], WEFT_OK);
    give_back(s);
    give_back(s);
    free_semaphore(s);
}
END_TEST

START_TEST(bug33_timed_out_waiters_are_not_handed_the_permit)
{
    struct wanter ws[8];
    struct weft_semaphore *s = make_taken(1, WEFT_NO_CAP);
    weft_time deadline = weft_in_ms(20);
    for (size_t i = 0; i < 8; i++) {
        start_wanting_until(&ws[i], s, deadline);
    }
    for (size_t i = 0; i < 8; i++) {
        assert_got(&ws[i], WEFT_ETIMEDOUT);
    }
    give_back(s);
    ck_status(weft_semaphore_acquire(s, WEFT_POLL), WEFT_OK);
    give_back(s);
    free_semaphore(s);
}
END_TEST

/* Many threads, few permits: never more inside than there are. */
struct crowd {
    struct weft_semaphore *s;
    struct peak peak;
    unsigned rounds;
};

static void come_and_go(void *arg)
{
    struct crowd *c = arg;
    for (unsigned i = 0; i < c->rounds; i++) {
        weft_time deadline = i % 4 ? WEFT_FOREVER : weft_now() + 10000;
        if (weft_semaphore_acquire(c->s, deadline) == WEFT_OK) {
            peak_enter(&c->peak);
            sched_yield();
            peak_leave(&c->peak);
            give_back(c->s);
        }
    }
}

START_TEST(bug34_never_more_inside_than_permits)
{
    struct helper hs[8];
    struct crowd c = {.s = make(3, WEFT_NO_CAP), .rounds = rounds(20000, 20)};
    for (int i = 0; i < 8; i++) {
        helper_start(&hs[i], come_and_go, &c);
    }
    for (int i = 0; i < 8; i++) {
        helper_join(&hs[i]);
    }
    ck_assert_uint_le(c.peak.most, 3);
    ck_status(weft_semaphore_release(c.s), WEFT_EOVER);
    free_semaphore(c.s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("semaphore");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, S139_release_above_the_permits_is_an_error_and_changes_nothing);
    tcase_add_test(tc, S140_first_come_first_served);
    tcase_add_test(tc, S140_nobody_barges_in);
    tcase_add_test(tc, S141_granted_beats_timed_out);
    tcase_add_test(tc, S142_waiter_that_times_out_leaves_the_line);
    tcase_add_test(tc, S143_zero_permits_are_refused);
    tcase_add_test(tc, S144_bulkhead_refuses_without_waiting);
    tcase_add_test(tc, S145_waiter_waits_until_its_deadline);
    tcase_add_test(tc, S146_timed_out_waiters_cost_no_capacity);
    tcase_add_test(tc, bug32_front_waiter_gives_up_and_those_behind_wake);
    tcase_add_test(tc, bug33_timed_out_waiters_are_not_handed_the_permit);
    tcase_add_test(tc, bug34_never_more_inside_than_permits);
    return suite_run("exec: semaphore", tc);
}
