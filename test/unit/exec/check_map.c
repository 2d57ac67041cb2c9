/* check_map.c -- one function over many items. Section I of docs/futures.md. */
#include "jobs.h"

#include "weft/map.h"
#include <errno.h>
#include <stdlib.h>

/* A source that gives 0, 1, 2... as long as it is told, and counts what is under way. */
struct numbers {
    size_t next, end;      /* end SIZE_MAX: endless */
    enum weft_status last; /* what it answers at its end */
    size_t given_back;     /* results that the test has received */
    size_t most;           /* taken and not handed out, at most */
    atomic_int frees;      /* items destroyed */
    atomic_int values;     /* values destroyed */
    struct gate *gates;    /* one for each item, or NULL */
    struct weft_executor *e;
};

struct item {
    struct numbers *numbers;
    size_t number;
};

static enum weft_status next_number(void *source, void **out)
{
    struct numbers *n = source;
    if (n->next == n->end) {
        return n->last;
    }
    struct item *item = calloc(1, sizeof *item);
    ck_assert_ptr_nonnull(item);
    item->numbers = n;
    item->number = n->next++;
    if (n->next - n->given_back > n->most) {
        n->most = n->next - n->given_back;
    }
    *out = item;
    return WEFT_OK;
}

static void free_item(void *arg)
{
    struct item *item = arg;
    atomic_fetch_add(&item->numbers->frees, 1);
    free(item);
}

struct value {
    struct numbers *numbers;
    size_t square;
};

static void free_value(void *arg)
{
    struct value *v = arg;
    atomic_fetch_add(&v->numbers->values, 1);
    free(v);
}

/* Squares its item; item 3 fails. */
static int square(struct weft_task *self, void *arg, void **value)
{
    struct item *item = arg;
    struct value *v = calloc(1, sizeof *v);
    ck_assert_ptr_nonnull(v);
    v->numbers = item->numbers;
    v->square = item->number * item->number;
    *value = v;
    return weft_stopping(self) ? WEFT_ECANCELED : item->number == 3 ? ERANGE : 0;
}

static struct weft_map *open_map(struct weft_executor *e, struct numbers *n, size_t limit,
                                 bool ordered, weft_job_fn *run)
{
    struct weft_map *m;
    struct weft_map_spec spec = {.next = next_number,
                                 .source = n,
                                 .run = run,
                                 .item_free = free_item,
                                 .value_free = free_value,
                                 .limit = limit,
                                 .ordered = ordered};
    ck_status(weft_executor_map(&m, e, &spec), WEFT_OK);
    return m;
}

/* Receives one result by the deadline, asserts that it is what its item gives, returns its place.
 */
static size_t receive_by(struct weft_map *m, struct numbers *n, weft_time deadline)
{
    size_t i;
    struct weft_result r;
    ck_status(weft_map_next(m, deadline, &i, &r), WEFT_OK);
    n->given_back++;
    ck_status(r.status, WEFT_OK);
    ck_assert_int_eq(r.err, i == 3 ? ERANGE : 0);
    ck_assert_uint_eq(((struct value *)r.value)->square, i * i);
    free(r.value);
    return i;
}

static size_t receive(struct weft_map *m, struct numbers *n)
{
    return receive_by(m, n, WEFT_FOREVER);
}

static void assert_end(struct weft_map *m, enum weft_status status)
{
    struct weft_result r;
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), status);
    ck_assert_ptr_null(r.value);
}

/* Every item that was taken has been destroyed, and every value has been received or destroyed. */
static void assert_clean(const struct numbers *n, size_t values_made)
{
    ck_assert_uint_eq((size_t)n->frees, n->next);
    ck_assert_uint_eq((size_t)n->values + n->given_back, values_made);
}

START_TEST(S122_takes_nothing_before_it_is_asked)
{
    struct numbers n = {.end = 10, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 2, true, square);
    ck_assert_uint_eq(n.next, 0);
    weft_map_close(m);
    free_executor(e);
    ck_assert_uint_eq(n.next, 0);
}
END_TEST

/* Each item waits at its gate, so that the test decides who gets done first. */
static int wait_at_own_gate(struct weft_task *self, void *arg, void **value)
{
    struct item *item = arg;
    gate_pass(&item->numbers->gates[item->number]);
    return square(self, arg, value);
}

START_TEST(S123_results_come_in_input_order_whatever_the_order_of_completion)
{
    struct gate gates[] = {GATE_CLOSED, GATE_CLOSED, GATE_CLOSED, GATE_CLOSED};
    struct numbers n = {.end = 4, .last = WEFT_END, .gates = gates};
    struct weft_result r;
    struct weft_executor *e = make_pool(4);
    struct weft_map *m = open_map(e, &n, 4, true, wait_at_own_gate);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT);
    for (int i = 3; i >= 1; i--) {
        gate_await(&gates[i], 1);
        gate_open(&gates[i]);
        ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT); /* not 0's turn yet */
    }
    gate_open(&gates[0]);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(receive(m, &n), i);
    }
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 4);
}
END_TEST

START_TEST(unordered_results_come_as_they_complete)
{
    struct gate gates[] = {GATE_CLOSED, GATE_CLOSED, GATE_CLOSED, GATE_CLOSED};
    struct numbers n = {.end = 4, .last = WEFT_END, .gates = gates};
    struct weft_result r;
    struct weft_executor *e = make_pool(4);
    struct weft_map *m = open_map(e, &n, 4, false, wait_at_own_gate);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT);
    for (size_t i = 4; i-- > 0;) {
        gate_open(&gates[i]);
        ck_assert_uint_eq(receive(m, &n), i);
    }
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 4);
}
END_TEST

START_TEST(S124_ends_with_the_source)
{
    struct numbers n = {.end = (size_t)_i / 2, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i % 2 ? POOL_OF_4 : INLINE);
    struct weft_map *m = open_map(e, &n, 3, true, square);
    for (size_t i = 0; i < n.end; i++) {
        ck_assert_uint_eq(receive(m, &n), i);
    }
    assert_end(m, WEFT_END);
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, n.end);
}
END_TEST

START_TEST(S125_broken_source_is_told_after_what_is_in_flight)
{
    struct numbers n = {.end = 5, .last = WEFT_EIO};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 3, true, square);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(receive(m, &n), i);
    }
    assert_end(m, WEFT_EIO);
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 5);
}
END_TEST

START_TEST(S126_failed_item_does_not_end_the_map)
{
    struct numbers n = {.end = 8, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 2, true, square);
    for (size_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(receive(m, &n), i); /* 3 fails: receive() looks */
    }
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 8);
}
END_TEST

static int fail_with_time_out(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)arg, (void)value;
    return WEFT_ETIMEDOUT;
}

START_TEST(S127_time_out_of_an_item_is_not_the_maps_own)
{
    struct numbers n = {.end = 3, .last = WEFT_END};
    struct weft_result r;
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 2, true, fail_with_time_out);
    for (size_t i = 0; i < 3; i++) {
        ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_OK);
        ck_assert_int_eq(r.err, WEFT_ETIMEDOUT);
    }
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
}
END_TEST

START_TEST(S128_deadline_is_absolute_and_each_calls_own)
{
    struct gate gates[] = {GATE_CLOSED, GATE_CLOSED, GATE_CLOSED, GATE_CLOSED};
    struct numbers n = {.end = 4, .last = WEFT_END, .gates = gates};
    struct weft_result r;
    struct weft_executor *e = make_pool(2);
    struct weft_map *m = open_map(e, &n, 2, _i, wait_at_own_gate);
    weft_time deadline = weft_in_ms(3);
    ck_status(weft_map_next(m, deadline, NULL, &r), WEFT_ETIMEDOUT);
    ck_assert_int_ge(weft_now(), deadline);
    ck_status(weft_map_next(m, deadline, NULL, &r), WEFT_ETIMEDOUT);
    for (int i = 0; i < 4; i++) {
        gate_open(&gates[i]);
    }
    for (int i = 0; i < 4; i++) {
        receive(m, &n); /* S129: nothing was lost or cancelled */
    }
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 4);
}
END_TEST

START_TEST(S129_time_out_loses_nothing_and_close_cancels)
{
    struct blocked_pool b;
    struct numbers n = {.end = SIZE_MAX};
    struct weft_result r;
    block_pool(&b);
    struct weft_map *m = open_map(b.e, &n, 5, _i, square);
    for (int i = 0; i < 3; i++) {
        ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT);
        ck_assert_uint_eq(weft_executor_queued(b.e), 5);
    }
    weft_map_close(m); /* returns though the worker is busy: nothing had started */
    ck_assert_uint_eq(weft_executor_queued(b.e), 0);
    assert_clean(&n, 0);
    unblock_and_free(&b);
}
END_TEST

START_TEST(S130_ready_result_comes_past_the_deadline)
{
    struct numbers n = {.end = 4, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 4, true, square);
    receive(m, &n);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK); /* now all are ready */
    for (size_t i = 1; i < 4; i++) {
        ck_assert_uint_eq(receive_by(m, &n, -1), i);
    }
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 4);
}
END_TEST

START_TEST(S131_closing_before_the_first_next_runs_nothing)
{
    struct numbers n = {.end = 4, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i);
    weft_map_close(open_map(e, &n, 4, true, square));
    weft_map_close(NULL);
    free_executor(e);
    ck_assert_uint_eq(n.next, 0);
    ck_assert_int_eq(n.frees, 0);
}
END_TEST

static int square_when_stopped(struct weft_task *self, void *arg, void **value)
{
    struct item *item = arg;
    if (item->number > 0) {
        weft_pause(self, WEFT_FOREVER);
    }
    return square(self, arg, value);
}

START_TEST(S132_closing_later_cancels_the_rest_and_waits_for_what_runs)
{
    struct numbers n = {.end = SIZE_MAX};
    struct weft_executor *e = make_pool(4);
    struct weft_map *m = open_map(e, &n, 8, _i, square_when_stopped);
    ck_assert_uint_eq(receive(m, &n), 0);
    weft_map_close(m);
    ck_assert_uint_eq((size_t)n.frees, n.next); /* nothing runs any more, nothing is left */
    free_executor(e);
}
END_TEST

START_TEST(S133_keeps_nothing_of_what_it_gave_out)
{
    struct numbers n = {.end = 300, .last = WEFT_END};
    struct weft_executor *e = make_executor(_i / 2 ? POOL_OF_4 : INLINE);
    struct weft_map *m = open_map(e, &n, 3, _i % 2, square);
    for (size_t i = 0; i < n.end; i++) {
        receive(m, &n);
        ck_assert_uint_ge((size_t)n.frees, n.given_back);
    }
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, n.end);
    ck_assert_int_eq(n.values, 0);
}
END_TEST

START_TEST(S134_limit_0_is_the_number_of_workers)
{
    struct numbers n = {.end = SIZE_MAX};
    struct weft_executor *e = make_pool(3);
    struct weft_map *m = open_map(e, &n, 0, _i, square);
    for (int i = 0; i < 20; i++) {
        receive(m, &n);
    }
    ck_assert_uint_eq(n.most, 3);
    weft_map_close(m);
    struct weft_map_spec bad = {.next = next_number};
    ck_status(weft_executor_map(&m, e, &bad), WEFT_EINVAL);
    ck_assert_ptr_null(m);
    ck_status(weft_executor_map(&m, e, NULL), WEFT_EINVAL);
    ck_status(weft_executor_map(&m, NULL, &bad), WEFT_EINVAL);
    free_executor(e);
}
END_TEST

START_TEST(S135_first_next_takes_at_most_the_limit)
{
    struct numbers n = {.end = SIZE_MAX};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 6, true, square);
    receive(m, &n);
    ck_assert_uint_eq(n.next, 6);
    weft_map_close(m);
    free_executor(e);
}
END_TEST

START_TEST(S136_then_one_item_for_each_next_so_endless_input_works)
{
    struct numbers n = {.end = SIZE_MAX};
    struct weft_executor *e = make_executor(_i);
    struct weft_map *m = open_map(e, &n, 6, true, square);
    for (size_t i = 0; i < 200; i++) {
        receive(m, &n);
        ck_assert_uint_eq(n.next, 6 + i);
    }
    weft_map_close(m);
    free_executor(e);
    ck_assert_uint_eq((size_t)n.frees, n.next);
}
END_TEST

START_TEST(S137_limit_is_never_exceeded)
{
    struct numbers n = {.end = rounds(20000, 20), .last = WEFT_END};
    struct weft_executor *e = make_executor(_i / 2 ? POOL_OF_4 : POOL_OF_1);
    struct weft_map *m = open_map(e, &n, 5, _i % 2, square);
    for (size_t i = 0; i < n.end; i++) {
        receive(m, &n);
    }
    ck_assert_uint_eq(n.most, 5);
    weft_map_close(m);
    free_executor(e);
}
END_TEST

START_TEST(S138_shutdown_in_between_what_is_in_flight_then_closed_then_end)
{
    struct numbers n = {.end = SIZE_MAX};
    struct weft_executor *e = make_executor(_i / 2);
    struct weft_map *m = open_map(e, &n, 4, _i % 2, square);
    receive(m, &n);
    weft_executor_shutdown(e, 0, WEFT_POLL);
    for (size_t i = 1; i < 4; i++) {
        receive(m, &n);
    }
    assert_end(m, WEFT_ECLOSED);
    assert_end(m, WEFT_END);
    assert_end(m, WEFT_END);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 4);
}
END_TEST

START_TEST(S138_items_cancelled_by_shutdown_are_handed_out_as_such)
{
    struct blocked_pool b;
    struct numbers n = {.end = SIZE_MAX};
    struct weft_result r;
    block_pool(&b);
    struct weft_map *m = open_map(b.e, &n, 3, _i, square);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT);
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    for (int i = 0; i < 3; i++) {
        ck_status(weft_map_next(m, WEFT_FOREVER, NULL, &r), WEFT_OK);
        ck_status(r.status, WEFT_ECANCELED);
    }
    assert_end(m, WEFT_ECLOSED);
    assert_end(m, WEFT_END);
    weft_map_close(m);
    unblock_and_free(&b);
}
END_TEST

START_TEST(bounded_queue_smaller_than_the_limit_is_no_obstacle)
{
    struct numbers n = {.end = 500, .last = WEFT_END};
    struct weft_executor *e;
    ck_status(
        weft_executor_new(&e, &(struct weft_executor_options){.max_workers = 2, .queue_max = 1}),
        WEFT_OK);
    struct weft_map *m = open_map(e, &n, 10, _i, square);
    for (size_t i = 0; i < n.end; i++) {
        receive(m, &n);
    }
    assert_end(m, WEFT_END);
    ck_assert_uint_le(n.most, 10);
    weft_map_close(m);
    free_executor(e);
    assert_clean(&n, 500);
}
END_TEST

START_TEST(full_queue_is_told_and_the_item_is_kept)
{
    struct blocked_pool b = {.gate = GATE_CLOSED};
    struct numbers n = {.end = 3, .last = WEFT_END};
    struct weft_result r;
    ck_status(
        weft_executor_new(&b.e, &(struct weft_executor_options){.max_workers = 1, .queue_max = 1}),
        WEFT_OK);
    b.blocker = submit(b.e, job_gate, &b.gate);
    gate_await(&b.gate, 1);
    weft_future_release(submit(b.e, job_nothing, NULL)); /* the queue is full */
    struct weft_map *m = open_map(b.e, &n, 2, true, square);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_EFULL);
    ck_status(weft_map_next(m, weft_in_ms(1), NULL, &r), WEFT_EFULL);
    ck_assert_uint_eq(n.next, 1);
    gate_open(&b.gate);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(receive(m, &n), i);
    }
    weft_map_close(m);
    unblock_and_free(&b);
    assert_clean(&n, 3);
}
END_TEST

START_TEST(closing_destroys_the_item_that_waits_for_room)
{
    struct blocked_pool b = {.gate = GATE_CLOSED};
    struct numbers n = {.end = 3, .last = WEFT_END};
    struct weft_executor_options o = {.max_workers = 1, .queue_max = 1};
    struct weft_result r;
    ck_status(weft_executor_new(&b.e, &o), WEFT_OK);
    b.blocker = submit(b.e, job_gate, &b.gate);
    gate_await(&b.gate, 1);
    weft_future_release(submit(b.e, job_nothing, NULL)); /* the queue is full */
    struct weft_map *m = open_map(b.e, &n, 2, _i, square);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, &r), WEFT_EFULL);
    ck_status(weft_map_next(m, WEFT_POLL, NULL, NULL), WEFT_EINVAL);
    weft_map_close(m);
    ck_assert_uint_eq(n.next, 1);
    assert_clean(&n, 0);
    unblock_and_free(&b);
}
END_TEST

/* A job that maps over its own pool of one worker. */
static int map_inside(struct weft_task *self, void *arg, void **value)
{
    struct numbers *n = arg;
    struct weft_map *m = open_map(n->e, n, 4, true, square);
    (void)self, (void)value;
    for (size_t i = 0; i < n->end; i++) {
        ck_assert_uint_eq(receive(m, n), i);
    }
    weft_map_close(m);
    return 0;
}

START_TEST(map_inside_a_job_of_the_same_pool)
{
    struct weft_executor *e = make_executor(_i);
    struct numbers n = {.end = 20, .last = WEFT_END, .e = e};
    struct weft_future *f = submit(e, map_inside, &n);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
    assert_clean(&n, 20);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("map");
    tcase_set_timeout(tc, watchdog());
    tcase_add_loop_test(tc, S122_takes_nothing_before_it_is_asked, 0, KINDS);
    tcase_add_test(tc, S123_results_come_in_input_order_whatever_the_order_of_completion);
    tcase_add_test(tc, unordered_results_come_as_they_complete);
    tcase_add_loop_test(tc, S124_ends_with_the_source, 0, 14);
    tcase_add_loop_test(tc, S125_broken_source_is_told_after_what_is_in_flight, 0, KINDS);
    tcase_add_loop_test(tc, S126_failed_item_does_not_end_the_map, 0, KINDS);
    tcase_add_loop_test(tc, S127_time_out_of_an_item_is_not_the_maps_own, 0, KINDS);
    tcase_add_loop_test(tc, S128_deadline_is_absolute_and_each_calls_own, 0, 2);
    tcase_add_loop_test(tc, S129_time_out_loses_nothing_and_close_cancels, 0, 2);
    tcase_add_loop_test(tc, S130_ready_result_comes_past_the_deadline, 0, KINDS);
    tcase_add_loop_test(tc, S131_closing_before_the_first_next_runs_nothing, 0, KINDS);
    tcase_add_loop_test(tc, S132_closing_later_cancels_the_rest_and_waits_for_what_runs, 0, 2);
    tcase_add_loop_test(tc, S133_keeps_nothing_of_what_it_gave_out, 0, 4);
    tcase_add_loop_test(tc, S134_limit_0_is_the_number_of_workers, 0, 2);
    tcase_add_loop_test(tc, S135_first_next_takes_at_most_the_limit, 0, KINDS);
    tcase_add_loop_test(tc, S136_then_one_item_for_each_next_so_endless_input_works, 0, KINDS);
    tcase_add_loop_test(tc, S137_limit_is_never_exceeded, 0, 4);
    tcase_add_loop_test(tc, S138_shutdown_in_between_what_is_in_flight_then_closed_then_end, 0,
                        2 * KINDS);
    tcase_add_loop_test(tc, S138_items_cancelled_by_shutdown_are_handed_out_as_such, 0, 2);
    tcase_add_loop_test(tc, bounded_queue_smaller_than_the_limit_is_no_obstacle, 0, 2);
    tcase_add_test(tc, full_queue_is_told_and_the_item_is_kept);
    tcase_add_loop_test(tc, closing_destroys_the_item_that_waits_for_room, 0, 2);
    tcase_add_loop_test(tc, map_inside_a_job_of_the_same_pool, 0, KINDS);
    return suite_run("exec: map", tc);
}
