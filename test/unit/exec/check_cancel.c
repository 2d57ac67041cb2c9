/* check_cancel.c -- cancelling what waits, asking what runs to stop. Section C of docs/futures.md.
 */
#include "jobs.h"

#include <sched.h>

/* What a callback saw: on which thread, and in which state the future was. */
struct seen {
    pthread_t thread;
    bool cancelled;
    atomic_int calls;
};

static void look(struct weft_future *f, void *user)
{
    struct seen *s = user;
    s->thread = pthread_self();
    s->cancelled = weft_future_cancelled(f);
    atomic_fetch_add(&s->calls, 1);
}

START_TEST(S29_cancel_of_pending_runs_callbacks_before_it_returns)
{
    struct blocked_pool b;
    struct seen seen = {0};
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_nothing, NULL);
    ck_status(weft_future_add_done_callback(f, look, &seen), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_assert_int_eq(seen.calls, 1);
    ck_assert(seen.cancelled);
    ck_assert(pthread_equal(seen.thread, pthread_self()));
    ck_assert(weft_future_cancelled(f));
    weft_future_release(f);
    unblock_and_free(&b);
}
END_TEST

START_TEST(S30_cancel_of_running_asks_the_job_to_stop)
{
    struct gate inside = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_until_stopped, &inside);
    gate_await(&inside, 1);
    ck_status(weft_future_cancel(f), WEFT_EBUSY);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_ECANCELED);
    ck_assert(weft_future_cancelled(f));
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S30_job_that_ignores_the_request_finishes)
{
    struct blocked_pool b;
    block_pool(&b);
    ck_status(weft_future_cancel(b.blocker), WEFT_EBUSY);
    gate_open(&b.gate);
    ck_status(weft_future_result(b.blocker, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert(!weft_future_cancelled(b.blocker));
    unblock_and_free(&b);
}
END_TEST

START_TEST(S31_cancel_of_finished_is_refused)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, job_echo, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_EDONE);
    assert_result(f, WEFT_OK, 0, e);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S32_cancel_again_is_ok_and_calls_nobody_again)
{
    struct seen seen = {0};
    struct weft_future *f = new_promise(NULL);
    ck_status(weft_future_add_done_callback(f, look, &seen), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_assert_int_eq(seen.calls, 1);
    weft_future_release(f);
}
END_TEST

START_TEST(S33_cancelled_job_is_never_called)
{
    atomic_int runs = 0;
    struct blocked_pool b;
    block_pool(&b);
    for (int i = 0; i < 20; i++) {
        struct weft_future *f = submit(b.e, job_count, &runs);
        if (i % 2) {
            ck_status(weft_future_cancel(f), WEFT_OK);
        }
        weft_future_release(f);
    }
    unblock_and_free(&b);
    ck_assert_int_eq(runs, 10);
}
END_TEST

START_TEST(S34_cancelled_job_leaves_the_queue_at_once)
{
    enum { N = 100 };
    atomic_int frees = 0;
    struct weft_future *fs[N];
    struct blocked_pool b;
    block_pool(&b);
    for (int i = 0; i < N; i++) {
        fs[i] = submit_job(
            b.e, &(struct weft_job){.run = job_nothing, .arg = &frees, .arg_free = count_free});
    }
    ck_assert_uint_eq(weft_executor_queued(b.e), N);
    for (int i = 0; i < N; i++) { /* first from the middle, to the ends */
        ck_status(weft_future_cancel(fs[(i * 37 + 50) % N]), WEFT_OK);
        ck_assert_uint_eq(weft_executor_queued(b.e), (size_t)(N - 1 - i));
        ck_assert_int_eq(frees, i + 1);
    }
    for (int i = 0; i < N; i++) {
        weft_future_release(fs[i]);
    }
    unblock_and_free(&b);
    ck_assert_int_eq(frees, N);
}
END_TEST

START_TEST(S35_wait_and_completion_queue_see_a_cancelled_future_as_done)
{
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *out;
    size_t ndone;
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_nothing, NULL);
    ck_status(weft_completion_queue_add(q, f, &b), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_status(weft_wait(&f, 1, WEFT_POLL, WEFT_ALL_COMPLETED, &ndone), WEFT_OK);
    ck_assert_uint_eq(ndone, 1);
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &out, NULL), WEFT_OK);
    ck_assert_ptr_eq(out, f);
    weft_future_release(out);
    weft_future_release(f);
    unblock_and_free(&b);
    weft_completion_queue_free(q);
}
END_TEST

/* Cancels itself, and says what that answered and whether it was then asked to stop. */
static int cancel_self(struct weft_task *self, void *arg, void **value)
{
    (void)value;
    enum weft_status *answer = arg;
    *answer = weft_future_cancel(weft_task_future(self));
    return weft_stopping(self) ? 1 : 2;
}

START_TEST(S36_job_cannot_cancel_itself)
{
    enum weft_status answer = WEFT_OK;
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, cancel_self, &answer);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 1, NULL);
    ck_status(answer, WEFT_EBUSY);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* What a round of S37 counts: its job's calls, and its argument's destructions. */
struct raced {
    atomic_int runs, frees;
};

static int run_raced(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    atomic_fetch_add(&((struct raced *)arg)->runs, 1);
    return 0;
}

static void free_raced(void *arg)
{
    atomic_fetch_add(&((struct raced *)arg)->frees, 1);
}

START_TEST(S37_cancel_racing_a_starting_worker_has_one_winner)
{
    unsigned cancelled = 0, n = rounds(100000, 20);
    struct raced raced = {0};
    struct weft_executor *e = make_pool(2);
    for (unsigned i = 1; i <= n; i++) {
        struct weft_future *f = submit_job(
            e, &(struct weft_job){.run = run_raced, .arg = &raced, .arg_free = free_raced});
        if (i % 3) {
            sched_yield(); /* now and then, let the worker be nearer */
        }
        bool won = weft_future_cancel(f) == WEFT_OK;
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), won ? WEFT_ECANCELED : WEFT_OK);
        cancelled += won;
        ck_assert_uint_eq((unsigned)raced.runs + cancelled, i);
        ck_assert_uint_eq((unsigned)raced.frees, i);
        weft_future_release(f);
    }
    free_executor(e);
}
END_TEST

/* The argument of a job that is being cancelled, as a second canceller at that moment sees it. */
struct dropped {
    struct weft_future *f;
    enum weft_status again;
    bool running;
};

static void cancel_again(void *arg)
{
    struct dropped *d = arg;
    d->running = weft_future_running(d->f);
    d->again = weft_future_cancel(d->f);
}

START_TEST(S33_second_canceller_is_told_that_it_will_never_run)
{
    struct blocked_pool b;
    struct dropped d = {.again = WEFT_EINVAL};
    block_pool(&b);
    struct weft_job job = {.run = job_nothing, .arg = &d, .arg_free = cancel_again};
    d.f = submit_job(b.e, &job);
    if (_i) {
        ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    } else {
        ck_status(weft_future_cancel(d.f), WEFT_OK);
    }
    ck_status(d.again, WEFT_OK);
    ck_assert(!d.running);
    ck_assert(weft_future_cancelled(d.f));
    weft_future_release(d.f);
    unblock_and_free(&b);
}
END_TEST

START_TEST(pause_ends_at_its_time_or_at_a_stop_request)
{
    struct gate inside = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_until_stopped, &inside);
    gate_await(&inside, 1);
    ck_status(weft_executor_shutdown(e, WEFT_CANCEL_RUNNING, WEFT_FOREVER), WEFT_OK);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* Pauses until now, then asks itself to stop, and pauses again. */
static int pause_twice(struct weft_task *self, void *arg, void **value)
{
    (void)arg, (void)value;
    weft_time until = weft_in_ms(2);
    ck_status(weft_pause(self, WEFT_POLL), WEFT_OK);
    ck_status(weft_pause(self, until), WEFT_OK);
    ck_assert_int_ge(weft_now(), until);
    ck_assert(!weft_stopping(self));
    ck_status(weft_future_cancel(weft_task_future(self)), WEFT_EBUSY);
    return (int)weft_pause(self, WEFT_FOREVER);
}

START_TEST(pause_of_a_job_that_was_asked_to_stop_ends_at_once)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, pause_twice, NULL);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_ECANCELED);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(promise_hears_of_a_stop_request)
{
    atomic_int value = 0;
    struct weft_future *f = new_promise(count_free);
    ck_status(weft_promise_start(f), WEFT_OK);
    ck_assert(!weft_promise_stopping(f));
    ck_status(weft_future_cancel(f), WEFT_EBUSY);
    ck_assert(weft_promise_stopping(f));
    ck_status(weft_promise_finish(f, WEFT_ECANCELED, &value), WEFT_OK);
    assert_result(f, WEFT_ECANCELED, 0, NULL);
    ck_assert_int_eq(value, 1);
    weft_future_release(f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("cancel");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, S29_cancel_of_pending_runs_callbacks_before_it_returns);
    tcase_add_test(tc, S30_cancel_of_running_asks_the_job_to_stop);
    tcase_add_test(tc, S30_job_that_ignores_the_request_finishes);
    tcase_add_loop_test(tc, S31_cancel_of_finished_is_refused, 0, KINDS);
    tcase_add_test(tc, S32_cancel_again_is_ok_and_calls_nobody_again);
    tcase_add_test(tc, S33_cancelled_job_is_never_called);
    tcase_add_test(tc, S34_cancelled_job_leaves_the_queue_at_once);
    tcase_add_test(tc, S35_wait_and_completion_queue_see_a_cancelled_future_as_done);
    tcase_add_loop_test(tc, S36_job_cannot_cancel_itself, 0, KINDS);
    tcase_add_test(tc, S37_cancel_racing_a_starting_worker_has_one_winner);
    tcase_add_loop_test(tc, S33_second_canceller_is_told_that_it_will_never_run, 0, 2);
    tcase_add_test(tc, pause_ends_at_its_time_or_at_a_stop_request);
    tcase_add_loop_test(tc, pause_of_a_job_that_was_asked_to_stop_ends_at_once, 0, KINDS);
    tcase_add_test(tc, promise_hears_of_a_stop_request);
    return suite_run("exec: cancel", tc);
}
