/* check_bugs_life.c -- bugs that users of other pools really hit, 20 to 31: what is touched after
 * its end, what is mixed up, what leaks. The numbers are those of docs/futures.md. Run under ASan
 * and TSan these say more than what they assert. */
#include "jobs.h"

#include "exec/future.h" /* to see that no listener is left behind */
#include "weft/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Fills the stack below the caller with rubbish, and says what it put somewhere there. */
static int __attribute__((noinline)) scribble(unsigned where)
{
    unsigned char rubbish[4096];
    memset(rubbish, 0xa5, sizeof rubbish);
    return rubbish[where % sizeof rubbish];
}

START_TEST(bug20_completer_does_not_touch_what_it_has_published)
{
    /* The waiter's records lie on this stack, and its reference is the last but the worker's. */
    struct weft_executor *e = make_pool(2);
    for (unsigned round = rounds(1000000, 50); round > 0; round--) {
        struct weft_future *f = submit(e, job_nothing, NULL);
        if (round % 2) {
            ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        } else {
            struct weft_future *fs[] = {f, f};
            ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL), WEFT_OK);
        }
        weft_future_release(f);
        ck_assert_int_eq(scribble(round), 0xa5);
    }
    free_executor(e);
}
END_TEST

static int free_own(struct weft_task *self, void *e, void **value)
{
    (void)self, (void)value;
    return (int)weft_executor_free(e);
}

START_TEST(bug21_job_that_frees_its_own_executor_is_told_and_it_works_on)
{
    atomic_int runs = 0;
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, free_own, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, WEFT_EDEADLK, NULL);
    weft_future_release(f);
    f = submit(e, job_count, &runs); /* not even closed */
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_int_eq(runs, 1);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(bug22_queue_is_freed_while_workers_append_to_it)
{
    struct weft_executor *e = make_pool(4);
    for (unsigned round = rounds(12000, 10); round > 0; round--) {
        struct weft_future *f;
        struct weft_completion_queue *q = new_queue();
        struct weft_job job = {.run = job_nothing, .queue = q};
        for (int i = 0; i < 12; i++) {
            ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
        }
        for (int i = 0; i < 6; i++) {
            ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_OK);
            weft_future_release(f);
        }
        weft_completion_queue_free(q);
    }
    free_executor(e);
}
END_TEST

/* A value whose destructor looks at the very thing that is being freed. */
struct nosy {
    struct weft_completion_queue *q;
    struct weft_executor *e;
    atomic_int destroyed;
};

static void free_nosy(void *arg)
{
    struct nosy *n = arg;
    struct weft_future *f;
    n->destroyed++;
    weft_completion_queue_outstanding(n->q);
    if (weft_completion_queue_next(n->q, WEFT_POLL, &f, NULL) == WEFT_OK) {
        weft_future_release(f); /* destroys the next one, inside this one's destructor */
    }
    f = submit(n->e, job_nothing, NULL);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
}

START_TEST(bug23_destructor_uses_the_queue_that_is_being_freed)
{
    struct nosy nosy = {.q = new_queue(), .e = make_executor(_i)};
    struct weft_executor *maker = make_executor(_i);
    for (int i = 0; i < 10; i++) {
        struct weft_job job = {
            .run = job_echo, .arg = &nosy, .value_free = free_nosy, .queue = nosy.q};
        ck_status(weft_executor_submit(maker, &job, WEFT_FOREVER, NULL), WEFT_OK);
    }
    free_executor(maker); /* from now on the queue has the last reference to each */
    ck_assert_int_eq(nosy.destroyed, 0);
    weft_completion_queue_free(nosy.q);
    ck_assert_int_eq(nosy.destroyed, 10);
    free_executor(nosy.e);
}
END_TEST

static enum weft_status same_item(void *source, void **item)
{
    *item = source;
    return WEFT_OK;
}

static void free_in_map(void *arg)
{
    struct nosy *n = arg;
    n->destroyed++;
    struct weft_future *f = submit(n->e, job_nothing, NULL);
    weft_future_release(f);
}

START_TEST(bug23_destructor_uses_the_executor_while_a_map_closes)
{
    struct nosy nosy = {.e = make_executor(_i)};
    struct weft_map *m;
    struct weft_result r;
    struct weft_map_spec spec = {.next = same_item,
                                 .source = &nosy,
                                 .run = job_echo,
                                 .value_free = free_in_map,
                                 .limit = 4,
                                 .ordered = true};
    ck_status(weft_executor_map(&m, nosy.e, &spec), WEFT_OK);
    ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_OK);
    if (_i == POOL_OF_1) { /* let the other three finish, so that they have values */
        struct weft_future *f = submit(nosy.e, job_nothing, NULL);
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        weft_future_release(f);
    }
    weft_map_close(m);
    int destroyed = nosy.destroyed; /* what had a value, and was not handed out */
    ck_assert_int_le(destroyed, 3);
    ck_assert(_i == POOL_OF_4 || destroyed == 3);
    free_executor(nosy.e);
    ck_assert_int_eq(nosy.destroyed, destroyed); /* nothing of the map happens after close */
}
END_TEST

START_TEST(bug24_create_and_free_leave_every_lock_unlocked)
{
    /* What is wrong with a mutex is for helgrind to say: scripts/soak.d runs this under it. */
    for (unsigned i = rounds(100, 10); i > 0; i--) {
        struct weft_executor *e = make_pool(1 + i % 3);
        struct weft_completion_queue *q = new_queue();
        struct weft_future *f = submit_job(e, &(struct weft_job){.run = job_nothing, .queue = q});
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        weft_future_release(f);
        free_executor(e);
        weft_completion_queue_free(q);
    }
}
END_TEST

START_TEST(bug25_reused_address_does_not_mix_tags)
{
    /* Futures are freed and made again, most at the same address; each must come with its own tag
     * and value, also when an earlier one at that address was waited for a moment ago. */
    struct weft_completion_queue *q = new_queue();
    struct weft_executor *e = make_pool(2);
    struct weft_future *out;
    struct weft_result r;
    void *tag;
    for (uintptr_t round = rounds(200000, 40); round > 0; round--) {
        void *number = (void *)round;
        struct weft_job job = {.run = job_echo, .arg = number, .queue = q, .tag = number};
        struct weft_future *f = submit_job(e, &job);
        ck_status(weft_completion_queue_add(q, f, (void *)(round << 1)), WEFT_OK);
        ck_status(weft_wait(&f, 1, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL), WEFT_OK);
        weft_future_release(f);
        uintptr_t tags = 0; /* either comes once, in whatever order */
        for (int i = 0; i < 2; i++) {
            ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &out, &tag), WEFT_OK);
            ck_status(weft_future_result(out, WEFT_POLL, &r), WEFT_OK);
            ck_assert_ptr_eq(r.value, number);
            ck_assert(tag == number || tag == (void *)(round << 1));
            tags += (uintptr_t)tag;
            weft_future_release(out);
        }
        ck_assert_uint_eq(tags, 3 * round);
    }
    free_executor(e);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(bug26_outsider_does_not_complete_a_running_job)
{
    struct blocked_pool b;
    block_pool(&b);
    ck_status(weft_promise_finish(b.blocker, 5, NULL), WEFT_EINVAL);
    gate_open(&b.gate);
    ck_status(weft_future_result(b.blocker, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(b.blocker, WEFT_OK, 0, NULL);
    unblock_and_free(&b);
}
END_TEST

/* Counts what was made and what was destroyed. */
static atomic_int args_freed, values_made, values_freed;

static int make_value(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)arg;
    *value = malloc(16);
    atomic_fetch_add(&values_made, 1);
    return 0;
}

static void free_counted_arg(void *arg)
{
    free(arg);
    atomic_fetch_add(&args_freed, 1);
}

static void free_counted_value(void *value)
{
    free(value);
    atomic_fetch_add(&values_freed, 1);
}

START_TEST(bug27_what_is_dropped_is_destroyed_and_told)
{
    enum { N = 1000 };
    struct weft_executor *e = make_executor(_i);
    struct gate gate = GATE_CLOSED;
    unsigned busy = _i == INLINE ? 0 : weft_executor_workers(e);
    for (unsigned i = 0; i < busy; i++) {
        weft_future_release(submit(e, job_gate, &gate));
    }
    gate_await(&gate, busy);
    for (int i = 0; i < N; i++) {
        struct weft_job job = {.run = make_value,
                               .arg = malloc(16),
                               .arg_free = free_counted_arg,
                               .value_free = free_counted_value};
        ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    }
    weft_executor_shutdown(e, WEFT_CANCEL_PENDING, WEFT_POLL);
    ck_assert_int_eq(args_freed, N); /* none was left for the workers, which are at the gate */
    ck_assert_int_eq(values_made, busy ? 0 : N);
    gate_open(&gate);
    free_executor(e);
    ck_assert_int_eq(values_freed, values_made);
    args_freed = values_made = values_freed = 0;
}
END_TEST

static long resident_pages(void)
{
    long size, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%ld %ld", &size, &resident), 2);
    fclose(f);
    return resident;
}

START_TEST(bug28_racing_an_eternal_promise_piles_up_nothing_on_it)
{
    struct weft_future *eternal = new_promise(NULL);
    struct weft_executor *e = make_pool(1);
    long before = 0;
    unsigned n = rounds(1000000, 50);
    for (unsigned i = 0; i < n; i++) {
        if (i == n / 2) {
            before = resident_pages();
        }
        struct weft_future *fs[] = {eternal, submit(e, job_nothing, NULL)};
        ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL), WEFT_OK);
        ck_assert(weft_list_empty(&eternal->listeners));
        weft_future_release(fs[1]);
    }
    long grown = resident_pages() - before;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    grown = 0; /* a sanitizer's own: a quarantine keeps what is freed, shadow memory grows */
#endif
    ck_assert_int_le(grown, 256);
    free_executor(e);
    weft_future_release(eternal);
}
END_TEST

/* Three items: ok, failed, ok. */
static enum weft_status next_of_three(void *source, void **item)
{
    static int numbers[] = {0, 1, 2};
    int *next = source;
    if (*next == 3) {
        return WEFT_END;
    }
    *item = &numbers[(*next)++];
    return WEFT_OK;
}

static int fail_if_one(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    return *(int *)arg == 1 ? 17 : 0;
}

START_TEST(bug30_failing_item_does_not_lose_the_later_ones)
{
    int next = 0;
    struct weft_map *m;
    struct weft_result r;
    struct weft_executor *e = make_executor(_i);
    struct weft_map_spec spec = {
        .next = next_of_three, .source = &next, .run = fail_if_one, .ordered = true};
    ck_status(weft_executor_map(&m, e, &spec), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_OK);
        ck_assert_int_eq(r.err, i == 1 ? 17 : 0);
    }
    ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_END);
    weft_map_close(m);
    free_executor(e);
}
END_TEST

struct window {
    unsigned taken, received, most;
};

static enum weft_status count_taken(void *source, void **item)
{
    struct window *w = source;
    w->taken++;
    if (w->taken - w->received > w->most) {
        w->most = w->taken - w->received;
    }
    *item = w;
    return WEFT_OK;
}

START_TEST(bug31_map_keeps_its_limit_and_is_not_cut_short)
{
    struct window w = {0};
    struct weft_map *m;
    struct weft_result r;
    enum weft_status st;
    struct weft_executor *e = make_executor(_i);
    struct weft_map_spec spec = {
        .next = count_taken, .source = &w, .run = job_nothing, .limit = 7, .ordered = true};
    ck_status(weft_executor_map(&m, e, &spec), WEFT_OK);
    while (w.received < 1000) {
        ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_OK);
        w.received++;
    }
    weft_executor_shutdown(e, 0, WEFT_POLL);
    while ((st = weft_map_next(m, WEFT_FOREVER, NULL, &r)) == WEFT_OK) {
        w.received++;
    }
    ck_status(st, WEFT_ECLOSED);
    ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_END);
    ck_assert_uint_eq(w.received, 1006); /* the six that were in flight */
    ck_assert_uint_eq(w.most, 7);
    weft_map_close(m);
    free_executor(e);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("life");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, bug20_completer_does_not_touch_what_it_has_published);
    tcase_add_loop_test(tc, bug21_job_that_frees_its_own_executor_is_told_and_it_works_on, 0,
                        KINDS);
    tcase_add_test(tc, bug22_queue_is_freed_while_workers_append_to_it);
    tcase_add_loop_test(tc, bug23_destructor_uses_the_queue_that_is_being_freed, 0, KINDS);
    tcase_add_loop_test(tc, bug23_destructor_uses_the_executor_while_a_map_closes, 0, KINDS);
    tcase_add_test(tc, bug24_create_and_free_leave_every_lock_unlocked);
    tcase_add_test(tc, bug25_reused_address_does_not_mix_tags);
    tcase_add_test(tc, bug26_outsider_does_not_complete_a_running_job);
    tcase_add_loop_test(tc, bug27_what_is_dropped_is_destroyed_and_told, 0, KINDS);
    tcase_add_test(tc, bug28_racing_an_eternal_promise_piles_up_nothing_on_it);
    tcase_add_loop_test(tc, bug30_failing_item_does_not_lose_the_later_ones, 0, KINDS);
    tcase_add_loop_test(tc, bug31_map_keeps_its_limit_and_is_not_cut_short, 0, KINDS);
    return suite_run("exec: life and death", tc);
}
