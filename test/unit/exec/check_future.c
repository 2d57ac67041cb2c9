/* check_future.c -- states of a future, its result, references. Sections A and B of
 * docs/futures.md. Most need no thread: a promise goes through the same states as a job. */
#include "jobs.h"

#include <limits.h>

enum state { PENDING, RUNNING, FINISHED, CANCELLED, STATES };

/* A promise that has been brought to that state. */
static struct weft_future *promise_in(enum state state)
{
    struct weft_future *f = new_promise(NULL);
    if (state == RUNNING) {
        ck_status(weft_promise_start(f), WEFT_OK);
    } else if (state == FINISHED) {
        ck_status(weft_promise_finish(f, 7, f), WEFT_OK);
    } else if (state == CANCELLED) {
        ck_status(weft_future_cancel(f), WEFT_OK);
    }
    return f;
}

static void assert_state(const struct weft_future *f, enum state state)
{
    ck_assert_int_eq(weft_future_done(f), state == FINISHED || state == CANCELLED);
    ck_assert_int_eq(weft_future_running(f), state == RUNNING);
    ck_assert_int_eq(weft_future_cancelled(f), state == CANCELLED);
}

START_TEST(S1_new_future_is_pending)
{
    struct weft_future *f = new_promise(NULL);
    assert_state(f, PENDING);
    ck_assert_ptr_null(weft_future_take(f));
    ck_assert_ptr_null(weft_future_tag(f));
    weft_future_release(f);
}
END_TEST

/* Every call in every state: what it answers, and the state after it. */
static const struct {
    enum state before;
    char call; /* 's'tart, 'f'inish, 'c'ancel */
    enum weft_status answer;
    enum state after;
} moves[] = {
    {PENDING, 's', WEFT_OK, RUNNING},
    {PENDING, 'f', WEFT_OK, FINISHED},
    {PENDING, 'c', WEFT_OK, CANCELLED},
    {RUNNING, 's', WEFT_EDONE, RUNNING},
    {RUNNING, 'f', WEFT_OK, FINISHED},
    {RUNNING, 'c', WEFT_EBUSY, RUNNING},
    {FINISHED, 's', WEFT_EDONE, FINISHED},
    {FINISHED, 'f', WEFT_EDONE, FINISHED},
    {FINISHED, 'c', WEFT_EDONE, FINISHED},
    {CANCELLED, 's', WEFT_ECANCELED, CANCELLED},
    {CANCELLED, 'f', WEFT_ECANCELED, CANCELLED},
    {CANCELLED, 'c', WEFT_OK, CANCELLED},
};

static void assert_move(int i)
{
    struct weft_future *f = promise_in(moves[i].before);
    switch (moves[i].call) {
    case 's':
        ck_status(weft_promise_start(f), moves[i].answer);
        break;
    case 'f':
        ck_status(weft_promise_finish(f, 0, NULL), moves[i].answer);
        break;
    default:
        ck_status(weft_future_cancel(f), moves[i].answer);
    }
    assert_state(f, moves[i].after);
    weft_future_release(f);
}

START_TEST(S2_only_these_moves_exist)
{
    assert_move(_i);
}
END_TEST

START_TEST(S3_final_states_never_change_and_the_first_result_stays)
{
    int first, second;
    struct weft_future *f = new_promise(NULL);
    ck_status(weft_promise_finish(f, 1, &first), WEFT_OK);
    ck_status(weft_promise_finish(f, 2, &second), WEFT_EDONE);
    ck_status(weft_future_cancel(f), WEFT_EDONE);
    assert_result(f, WEFT_OK, 1, &first);
    weft_future_release(f);
    f = promise_in(CANCELLED);
    ck_status(weft_promise_finish(f, 2, &second), WEFT_ECANCELED);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    weft_future_release(f);
}
END_TEST

START_TEST(S4_start_of_pending_makes_it_running)
{
    struct weft_future *f = new_promise(NULL);
    ck_status(weft_promise_start(f), WEFT_OK);
    assert_state(f, RUNNING);
    weft_future_release(f);
}
END_TEST

START_TEST(S5_start_of_cancelled_is_refused_and_the_job_is_not_called)
{
    struct weft_future *p = promise_in(CANCELLED);
    ck_status(weft_promise_start(p), WEFT_ECANCELED);
    weft_future_release(p);

    atomic_int runs = 0;
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *blocker = submit(e, job_gate, &gate);
    struct weft_future *f = submit(e, job_count, &runs);
    ck_status(weft_future_cancel(f), WEFT_OK);
    gate_open(&gate);
    weft_future_release(blocker);
    weft_future_release(f);
    free_executor(e);
    ck_assert_int_eq(runs, 0);
}
END_TEST

START_TEST(S6_start_of_running_or_finished_is_an_error)
{
    struct weft_future *f = promise_in(RUNNING);
    ck_status(weft_promise_start(f), WEFT_EDONE);
    assert_state(f, RUNNING);
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_OK);
    ck_status(weft_promise_start(f), WEFT_EDONE);
    assert_state(f, FINISHED);
    weft_future_release(f);
}
END_TEST

START_TEST(S7_finish_of_finished_leaves_the_value_with_the_caller)
{
    atomic_int first = 0, offered = 0;
    struct weft_future *f = new_promise(count_free);
    ck_status(weft_promise_finish(f, 0, &first), WEFT_OK);
    ck_status(weft_promise_finish(f, 0, &offered), WEFT_EDONE);
    weft_future_release(f);
    ck_assert_int_eq(first, 1);
    ck_assert_int_eq(offered, 0);
}
END_TEST

START_TEST(S8_finish_of_cancelled_leaves_the_value_with_the_caller)
{
    atomic_int offered = 0;
    struct weft_future *f = new_promise(count_free);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_status(weft_promise_finish(f, 0, &offered), WEFT_ECANCELED);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    weft_future_release(f);
    ck_assert_int_eq(offered, 0);
}
END_TEST

START_TEST(S9_done_running_and_cancelled_in_every_state)
{
    struct weft_future *f = promise_in((enum state)_i);
    assert_state(f, (enum state)_i);
    weft_future_release(f);
}
END_TEST

START_TEST(S10_job_that_returns_the_cancelled_code_unasked_has_failed)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, job_fail, (void *)(intptr_t)WEFT_ECANCELED);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_state(f, FINISHED);
    assert_result(f, WEFT_OK, WEFT_ECANCELED, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* Gives a value although it was asked to stop and does. */
static int stop_with_value(struct weft_task *self, void *arg, void **value)
{
    *value = arg;
    ck_status(weft_future_cancel(weft_task_future(self)), WEFT_EBUSY);
    ck_assert(weft_stopping(self));
    return WEFT_ECANCELED;
}

START_TEST(S11_job_that_was_asked_to_stop_and_does_is_cancelled)
{
    atomic_int value = 0;
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit_job(
        e, &(struct weft_job){.run = stop_with_value, .arg = &value, .value_free = count_free});
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_ECANCELED);
    assert_state(f, CANCELLED);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    ck_assert_ptr_null(weft_future_take(f));
    free_executor(e);
    ck_assert_int_eq(value, 1);
    weft_future_release(f);
    ck_assert_int_eq(value, 1);
}
END_TEST

START_TEST(S12_err_0_is_success)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, job_fail, NULL);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 0, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

static const int errs[] = {1, -1, INT_MAX, INT_MIN, WEFT_ETIMEDOUT, 404};

START_TEST(S13_any_other_err_is_a_failure)
{
    struct weft_future *f = new_promise(NULL);
    size_t ndone;
    ck_status(weft_promise_finish(f, errs[_i], NULL), WEFT_OK);
    assert_result(f, WEFT_OK, errs[_i], NULL);
    struct weft_future *both[] = {f, new_promise(NULL)};
    ck_status(weft_wait(both, 2, WEFT_POLL, WEFT_FIRST_EXCEPTION, &ndone), WEFT_OK);
    weft_future_release(f);
    weft_future_release(both[1]);
}
END_TEST

/* ---- B: result */

static const weft_time deadlines[] = {WEFT_POLL, WEFT_FOREVER, -1, INT64_MIN, 1};

START_TEST(S14_finished_gives_the_value_at_once_whatever_the_deadline)
{
    struct weft_result r;
    struct weft_future *f = promise_in(FINISHED);
    ck_status(weft_future_result(f, deadlines[_i], &r), WEFT_OK);
    ck_assert_int_eq(r.err, 7);
    ck_assert_ptr_eq(r.value, f);
    weft_future_release(f);
}
END_TEST

START_TEST(S15_failed_gives_the_same_err_every_time)
{
    struct weft_future *f = promise_in(FINISHED);
    for (int i = 0; i < 3; i++) {
        assert_result(f, WEFT_OK, 7, f);
    }
    weft_future_release(f);
}
END_TEST

START_TEST(S16_cancelled_says_so_at_once)
{
    struct weft_future *f = promise_in(CANCELLED);
    ck_status(weft_future_result(f, deadlines[_i], NULL), WEFT_ECANCELED);
    weft_future_release(f);
}
END_TEST

START_TEST(S17_pending_or_running_times_out_at_once_on_poll)
{
    struct weft_future *f = new_promise(NULL);
    assert_result(f, WEFT_ETIMEDOUT, 0, NULL);
    ck_status(weft_promise_start(f), WEFT_OK);
    assert_result(f, WEFT_ETIMEDOUT, 0, NULL);
    weft_future_release(f);
}
END_TEST

START_TEST(S18_deadline_in_the_past_is_a_poll)
{
    struct weft_future *f = new_promise(NULL);
    ck_status(weft_future_result(f, -1, NULL), WEFT_ETIMEDOUT);
    ck_status(weft_future_result(f, INT64_MIN, NULL), WEFT_ETIMEDOUT);
    ck_status(weft_future_result(f, weft_now() - 1, NULL), WEFT_ETIMEDOUT);
    ck_assert_int_eq(weft_in_ms(-1), WEFT_POLL);
    weft_future_release(f);
}
END_TEST

/* A thread that asks for a result, for ever. */
struct asker {
    struct helper helper;
    struct weft_future *f;
    struct gate *before; /* arrives here first */
    struct weft_result result;
};

static void ask(void *arg)
{
    struct asker *a = arg;
    gate_pass(a->before);
    weft_future_result(a->f, WEFT_FOREVER, &a->result);
}

/* n askers of f, about to block or blocked. */
static void start_askers(struct asker *askers, unsigned n, struct weft_future *f, struct gate *gate)
{
    for (unsigned i = 0; i < n; i++) {
        askers[i] = (struct asker){.f = f, .before = gate};
        helper_start(&askers[i].helper, ask, &askers[i]);
    }
    gate_await(gate, n);
    gate_open(gate);
}

START_TEST(S19_without_deadline_it_blocks_until_final)
{
    struct gate gate = GATE_CLOSED;
    struct asker asker;
    struct weft_future *f = new_promise(NULL);
    start_askers(&asker, 1, f, &gate);
    ck_status(weft_promise_start(f), WEFT_OK);
    ck_status(weft_promise_finish(f, 3, f), WEFT_OK);
    helper_join(&asker.helper);
    ck_assert_int_eq(asker.result.err, 3);
    weft_future_release(f);
}
END_TEST

START_TEST(S20_blocked_caller_wakes_on_finish)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_gate, &gate);
    ck_status(weft_future_result(f, weft_in_ms(20), NULL), WEFT_ETIMEDOUT);
    gate_open(&gate);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S21_blocked_caller_wakes_at_cancel_before_any_worker_is_free)
{
    struct gate gate = GATE_CLOSED, before = GATE_CLOSED;
    struct asker asker;
    struct weft_executor *e = make_pool(1);
    struct weft_future *blocker = submit(e, job_gate, &gate), *f = submit(e, job_nothing, NULL);
    start_askers(&asker, 1, f, &before);
    ck_status(weft_future_cancel(f), WEFT_OK);
    helper_join(&asker.helper);
    ck_assert_int_eq(asker.result.status, WEFT_ECANCELED);
    gate_open(&gate);
    weft_future_release(f);
    weft_future_release(blocker);
    free_executor(e);
}
END_TEST

static void wait_for_one(void *arg)
{
    struct asker *a = arg;
    gate_pass(a->before);
    a->result.status = weft_wait(&a->f, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL);
}

START_TEST(S22_blocked_wait_wakes_at_cancel_too)
{
    struct gate gate = GATE_CLOSED;
    struct weft_future *f = new_promise(NULL);
    struct asker a = {.f = f, .before = &gate};
    helper_start(&a.helper, wait_for_one, &a);
    gate_await(&gate, 1);
    gate_open(&gate);
    ck_status(weft_future_cancel(f), WEFT_OK);
    helper_join(&a.helper);
    ck_assert_int_eq(a.result.status, WEFT_OK);
    weft_future_release(f);
}
END_TEST

START_TEST(S23_every_blocked_caller_wakes)
{
    enum { N = 16 };
    struct gate gate = GATE_CLOSED;
    struct asker askers[N];
    struct weft_future *f = new_promise(NULL);
    start_askers(askers, N, f, &gate);
    ck_status(weft_promise_finish(f, 0, f), WEFT_OK);
    for (int i = 0; i < N; i++) {
        helper_join(&askers[i].helper);
        ck_assert_int_eq(askers[i].result.status, WEFT_OK);
        ck_assert_ptr_eq(askers[i].result.value, f);
    }
    weft_future_release(f);
}
END_TEST

START_TEST(S24_timing_out_changes_nothing)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_gate, &gate);
    ck_status(weft_future_result(f, weft_in_ms(1), NULL), WEFT_ETIMEDOUT);
    gate_open(&gate);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S25_result_tells_failure_cancellation_and_time_out_apart)
{
    struct weft_future *f = promise_in(FINISHED);
    assert_result(f, WEFT_OK, 7, f); /* a failure may carry a value too */
    weft_future_release(f);
    f = promise_in(CANCELLED);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    weft_future_release(f);
    f = promise_in(RUNNING);
    assert_result(f, WEFT_ETIMEDOUT, 0, NULL);
    weft_future_release(f);
    ck_status(weft_future_result(NULL, WEFT_POLL, NULL), WEFT_EINVAL);
}
END_TEST

START_TEST(S26_jobs_own_time_out_is_not_the_waits)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, job_fail, (void *)(intptr_t)WEFT_ETIMEDOUT);
    struct weft_result r;
    ck_status(weft_future_result(f, WEFT_FOREVER, &r), WEFT_OK);
    ck_assert_int_eq(r.err, WEFT_ETIMEDOUT);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S28_result_is_read_by_many_and_taken_once)
{
    enum { N = 8 };
    struct gate gate = GATE_CLOSED;
    struct asker askers[N];
    atomic_int value = 0;
    struct weft_future *f = new_promise(count_free);
    start_askers(askers, N, f, &gate);
    ck_status(weft_promise_finish(f, 0, &value), WEFT_OK);
    for (int i = 0; i < N; i++) {
        helper_join(&askers[i].helper);
        ck_assert_ptr_eq(askers[i].result.value, &value);
    }
    ck_assert_ptr_eq(weft_future_take(f), &value);
    ck_assert_ptr_null(weft_future_take(f));
    assert_result(f, WEFT_OK, 0, NULL);
    weft_future_release(f);
    ck_assert_int_eq(value, 0); /* it was the taker's to destroy */
}
END_TEST

struct taker {
    struct helper helper;
    struct weft_future *f;
    struct gate *gate;
    void *value;
};

static void take_value(void *arg)
{
    struct taker *t = arg;
    gate_pass(t->gate);
    t->value = weft_future_take(t->f);
}

START_TEST(S28_of_many_takers_one_gets_the_value)
{
    enum { N = 4 };
    for (unsigned round = rounds(2000, 20); round > 0; round--) {
        struct gate gate = GATE_CLOSED;
        struct taker takers[N];
        int value, taken = 0;
        struct weft_future *f = new_promise(NULL);
        ck_status(weft_promise_finish(f, 0, &value), WEFT_OK);
        for (int i = 0; i < N; i++) {
            takers[i] = (struct taker){.f = f, .gate = &gate};
            helper_start(&takers[i].helper, take_value, &takers[i]);
        }
        gate_await(&gate, N);
        gate_open(&gate);
        for (int i = 0; i < N; i++) {
            helper_join(&takers[i].helper);
            taken += takers[i].value == &value;
        }
        ck_assert_int_eq(taken, 1);
        weft_future_release(f);
    }
}
END_TEST

START_TEST(value_nobody_took_is_destroyed_with_the_last_reference)
{
    atomic_int value = 0;
    struct weft_future *f = new_promise(count_free);
    ck_assert_ptr_eq(weft_future_retain(f), f);
    ck_status(weft_promise_finish(f, 0, &value), WEFT_OK);
    weft_future_release(f);
    ck_assert_int_eq(value, 0);
    weft_future_release(f);
    ck_assert_int_eq(value, 1);
    weft_future_release(NULL);
}
END_TEST

int main(void)
{
    TCase *a = tcase_create("states"), *b = tcase_create("result");
    tcase_add_test(a, S1_new_future_is_pending);
    tcase_add_loop_test(a, S2_only_these_moves_exist, 0, (int)(sizeof moves / sizeof moves[0]));
    tcase_add_test(a, S3_final_states_never_change_and_the_first_result_stays);
    tcase_add_test(a, S4_start_of_pending_makes_it_running);
    tcase_add_test(a, S5_start_of_cancelled_is_refused_and_the_job_is_not_called);
    tcase_add_test(a, S6_start_of_running_or_finished_is_an_error);
    tcase_add_test(a, S7_finish_of_finished_leaves_the_value_with_the_caller);
    tcase_add_test(a, S8_finish_of_cancelled_leaves_the_value_with_the_caller);
    tcase_add_loop_test(a, S9_done_running_and_cancelled_in_every_state, 0, STATES);
    tcase_add_loop_test(a, S10_job_that_returns_the_cancelled_code_unasked_has_failed, 0, KINDS);
    tcase_add_loop_test(a, S11_job_that_was_asked_to_stop_and_does_is_cancelled, 0, KINDS);
    tcase_add_loop_test(a, S12_err_0_is_success, 0, KINDS);
    tcase_add_loop_test(a, S13_any_other_err_is_a_failure, 0, (int)(sizeof errs / sizeof errs[0]));
    tcase_add_loop_test(b, S14_finished_gives_the_value_at_once_whatever_the_deadline, 0, 5);
    tcase_add_test(b, S15_failed_gives_the_same_err_every_time);
    tcase_add_loop_test(b, S16_cancelled_says_so_at_once, 0, 5);
    tcase_add_test(b, S17_pending_or_running_times_out_at_once_on_poll);
    tcase_add_test(b, S18_deadline_in_the_past_is_a_poll);
    tcase_add_test(b, S19_without_deadline_it_blocks_until_final);
    tcase_add_test(b, S20_blocked_caller_wakes_on_finish);
    tcase_add_test(b, S21_blocked_caller_wakes_at_cancel_before_any_worker_is_free);
    tcase_add_test(b, S22_blocked_wait_wakes_at_cancel_too);
    tcase_add_test(b, S23_every_blocked_caller_wakes);
    tcase_add_test(b, S24_timing_out_changes_nothing);
    tcase_add_test(b, S25_result_tells_failure_cancellation_and_time_out_apart);
    tcase_add_loop_test(b, S26_jobs_own_time_out_is_not_the_waits, 0, KINDS);
    tcase_add_test(b, S28_result_is_read_by_many_and_taken_once);
    tcase_add_test(b, S28_of_many_takers_one_gets_the_value);
    tcase_add_test(b, value_nobody_took_is_destroyed_with_the_last_reference);
    return suite_run("exec: future", a, b);
}
