/* check_callback.c -- done-callbacks. Section D of docs/futures.md. S43, S44 and S45, what becomes
 * of a callback that raises, have no meaning in C: callbacks return void. */
#include "jobs.h"

/* What callbacks write down: their names, in the order of the calls. */
struct diary {
    pthread_mutex_t lock;
    char names[32];
    size_t len;
    pthread_t thread; /* of the last call */
};

#define EMPTY_DIARY                                                                                \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

struct note {
    struct diary *diary;
    char name;
};

static void write_down(struct weft_future *f, void *user)
{
    struct note *n = user;
    ck_assert(weft_future_done(f));
    pthread_mutex_lock(&n->diary->lock);
    n->diary->names[n->diary->len++] = n->name;
    n->diary->thread = pthread_self();
    pthread_mutex_unlock(&n->diary->lock);
}

static void add(struct weft_future *f, weft_done_fn *call, void *user)
{
    ck_status(weft_future_add_done_callback(f, call, user), WEFT_OK);
}

static const char ends[] = {'s', 'f', 'c'}; /* success, failure, cancel */

static void end(struct weft_future *f, char how)
{
    if (how == 'c') {
        ck_status(weft_future_cancel(f), WEFT_OK);
    } else {
        ck_status(weft_promise_finish(f, how == 'f', NULL), WEFT_OK);
    }
}

START_TEST(S38_called_once_on_success_failure_and_cancel)
{
    atomic_int calls = 0;
    struct weft_future *f = new_promise(NULL);
    add(f, count_call, &calls);
    ck_assert_int_eq(calls, 0);
    end(f, ends[_i]);
    ck_assert_int_eq(calls, 1);
    weft_future_cancel(f);
    weft_promise_finish(f, 0, NULL);
    ck_assert_int_eq(calls, 1);
    weft_future_release(f);
}
END_TEST

START_TEST(S39_called_in_order_of_registration)
{
    struct diary d = EMPTY_DIARY;
    struct note notes[] = {{&d, 'a'}, {&d, 'b'}, {&d, 'c'}, {&d, 'd'}};
    struct weft_future *f = new_promise(NULL);
    for (int i = 0; i < 4; i++) {
        add(f, write_down, &notes[i]);
    }
    end(f, ends[_i]);
    ck_assert_str_eq(d.names, "abcd");
    weft_future_release(f);
}
END_TEST

START_TEST(S40_registered_twice_is_called_twice)
{
    atomic_int calls = 0;
    struct weft_future *f = new_promise(NULL);
    add(f, count_call, &calls);
    add(f, count_call, &calls);
    end(f, 's');
    ck_assert_int_eq(calls, 2);
    weft_future_release(f);
}
END_TEST

/* A job that says which thread it is on, and then waits at a gate. */
struct located {
    pthread_t thread;
    struct gate gate;
};

static int locate(struct weft_task *self, void *arg, void **value)
{
    struct located *l = arg;
    (void)self, (void)value;
    l->thread = pthread_self();
    gate_pass(&l->gate);
    return 0;
}

START_TEST(S41_called_on_the_thread_that_completes)
{
    struct located job = {.gate = GATE_CLOSED};
    struct diary d = EMPTY_DIARY;
    struct note note = {&d, 'a'};
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, locate, &job);
    add(f, write_down, &note);
    gate_open(&job.gate);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    ck_assert(pthread_equal(d.thread, job.thread));
    ck_assert(!pthread_equal(d.thread, pthread_self()));
    weft_future_release(f);
    free_executor(e); /* for the canceller's thread see S29 */
}
END_TEST

START_TEST(S42_registered_late_is_called_before_add_returns)
{
    struct diary d = EMPTY_DIARY;
    struct note note = {&d, 'a'};
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, job_nothing, NULL);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    add(f, write_down, &note);
    ck_assert_str_eq(d.names, "a");
    ck_assert(pthread_equal(d.thread, pthread_self()));
    free_executor(e);
    add(f, write_down, &note); /* the executor is gone, the future is not */
    ck_assert_str_eq(d.names, "aa");
    weft_future_release(f);
}
END_TEST

static void look_inside(struct weft_future *f, void *user)
{
    struct weft_result r;
    size_t ndone;
    ck_assert(weft_future_done(f));
    ck_status(weft_future_result(f, WEFT_POLL, &r), WEFT_OK);
    ck_assert_ptr_eq(r.value, user);
    ck_status(weft_future_result(f, WEFT_FOREVER, &r), WEFT_OK);
    ck_status(weft_wait(&f, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, &ndone), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_EDONE);
}

START_TEST(S46_inside_a_callback_the_state_is_final)
{
    struct weft_future *f = new_promise(NULL);
    add(f, look_inside, f);
    ck_status(weft_promise_finish(f, 0, f), WEFT_OK);
    weft_future_release(f);
}
END_TEST

static void ask_result(void *arg)
{
    ck_status(weft_future_result(arg, WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(weft_future_cancel(arg), WEFT_EDONE);
}

static void ask_from_another_thread(struct weft_future *f, void *user)
{
    struct helper h;
    (void)user;
    helper_start(&h, ask_result, f);
    helper_join(&h); /* would hang if this thread held the future's lock */
}

START_TEST(S47_no_lock_is_held_during_a_callback)
{
    struct weft_future *f = new_promise(NULL);
    add(f, ask_from_another_thread, NULL);
    end(f, 's');
    weft_future_release(f);
}
END_TEST

/* A callback that uses its own executor in every way. */
struct meddler {
    struct weft_executor *e;
    struct weft_future *other;
    atomic_int calls;
};

static void meddle(struct weft_future *f, void *user)
{
    struct meddler *m = user;
    (void)f;
    enum weft_status st = weft_executor_submit(m->e, &(struct weft_job){.run = job_nothing},
                                               WEFT_POLL, NULL);
    ck_assert(st == WEFT_OK || st == WEFT_ECLOSED);
    weft_future_cancel(m->other);
    weft_executor_queued(m->e);
    ck_status(weft_executor_shutdown(m->e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    atomic_fetch_add(&m->calls, 1);
}

START_TEST(S48_callback_may_use_its_executor_during_a_cancelling_shutdown)
{
    struct blocked_pool b;
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_nothing, NULL);
    struct meddler m = {.e = b.e, .other = submit(b.e, job_nothing, NULL)};
    add(f, meddle, &m);
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert_int_eq(m.calls, 1);
    ck_assert(weft_future_cancelled(m.other));
    weft_future_release(f);
    weft_future_release(m.other);
    unblock_and_free(&b);
}
END_TEST

static void pass_gate(struct weft_future *f, void *user)
{
    (void)f;
    gate_pass(user);
}

START_TEST(S49_waiters_wake_before_callbacks_and_shutdown_after_them)
{
    struct gate job = GATE_CLOSED, callback = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_gate, &job);
    add(f, pass_gate, &callback);
    gate_open(&job);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    gate_await(&callback, 1); /* it is being called, and the result was there already */
    ck_status(weft_executor_shutdown(e, 0, weft_in_ms(10)), WEFT_ETIMEDOUT);
    gate_open(&callback);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* Writes 'a', registers 'c' meanwhile, and writes 'a' again. */
static void register_another(struct weft_future *f, void *user)
{
    struct note *notes = user;
    write_down(f, &notes[0]);
    add(f, write_down, &notes[2]);
    write_down(f, &notes[0]);
}

START_TEST(S50_registered_by_a_callback_is_called_after_the_others)
{
    struct diary d = EMPTY_DIARY;
    struct note notes[] = {{&d, 'a'}, {&d, 'b'}, {&d, 'c'}};
    struct weft_future *f = new_promise(NULL);
    add(f, register_another, notes);
    add(f, write_down, &notes[1]);
    end(f, ends[_i]);
    ck_assert_str_eq(d.names, "aabc");
    weft_future_release(f);
}
END_TEST

static void finish(void *arg)
{
    ck_status(weft_promise_finish(arg, 0, NULL), WEFT_OK);
}

START_TEST(S51_registered_while_callbacks_run_goes_to_the_thread_that_calls_them)
{
    struct diary d = EMPTY_DIARY;
    struct note notes[] = {{&d, 'a'}, {&d, 'b'}};
    struct gate gate = GATE_CLOSED;
    struct helper h;
    struct weft_future *f = new_promise(NULL);
    add(f, pass_gate, &gate);
    add(f, write_down, &notes[0]);
    helper_start(&h, finish, f);
    gate_await(&gate, 1); /* the first callback is being called on the other thread */
    add(f, write_down, &notes[1]);
    ck_assert_uint_eq(d.len, 0); /* it did not overtake */
    gate_open(&gate);
    pthread_t other = h.thread;
    helper_join(&h);
    ck_assert_str_eq(d.names, "ab");
    ck_assert(pthread_equal(d.thread, other));
    weft_future_release(f);
}
END_TEST

START_TEST(S52_slow_callback_delays_its_worker)
{
    struct gate job = GATE_CLOSED, callback = GATE_CLOSED;
    atomic_int runs = 0;
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, job_gate, &job);
    struct weft_future *next = submit(e, job_count, &runs);
    add(f, pass_gate, &callback);
    gate_open(&job);
    gate_await(&callback, 1);
    ck_assert_int_eq(runs, 0);
    ck_assert(!weft_future_running(next));
    gate_open(&callback);
    ck_status(weft_future_result(next, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    weft_future_release(next);
    free_executor(e);
}
END_TEST

static void submit_more(struct weft_future *f, void *user)
{
    struct meddler *m = user;
    (void)f;
    m->other = submit(m->e, job_count, &m->calls);
}

/* A job that has submit_more() called when it is done, on the executor that it runs on. */
static int add_to_self(struct weft_task *self, void *arg, void **value)
{
    (void)value;
    add(weft_task_future(self), submit_more, arg);
    return 0;
}

START_TEST(S53_callback_may_submit_to_its_executor)
{
    struct meddler m = {.e = make_executor(_i)};
    struct gate gate = GATE_CLOSED;
    struct weft_future *f = submit(m.e, add_to_self, &m);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    gate_open(&gate);
    add(f, pass_gate, &gate); /* called after submit_more, here or on the worker */
    gate_await(&gate, 1);
    ck_status(weft_executor_shutdown(m.e, 0, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(m.calls, 1);
    assert_result(m.other, WEFT_OK, 0, NULL);
    weft_future_release(m.other);
    weft_future_release(f);
    free_executor(m.e);
}
END_TEST

static void let_go(struct weft_future *f, void *user)
{
    (void)user;
    weft_future_release(f);
}

START_TEST(callback_may_give_back_the_last_reference)
{
    atomic_int value = 0, calls = 0;
    struct weft_future *f = new_promise(count_free);
    weft_future_retain(f);
    add(f, let_go, NULL);
    add(f, let_go, NULL);
    add(f, count_call, &calls);
    ck_status(weft_promise_finish(f, 0, &value), WEFT_OK);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(value, 1);
}
END_TEST

START_TEST(callback_of_a_promise_that_is_dropped_is_not_called)
{
    atomic_int calls = 0;
    struct weft_future *f = new_promise(NULL);
    add(f, count_call, &calls);
    weft_future_release(f);
    ck_assert_int_eq(calls, 0);
    ck_status(weft_future_add_done_callback(NULL, count_call, &calls), WEFT_EINVAL);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("callbacks");
    tcase_add_loop_test(tc, S38_called_once_on_success_failure_and_cancel, 0, 3);
    tcase_add_loop_test(tc, S39_called_in_order_of_registration, 0, 3);
    tcase_add_test(tc, S40_registered_twice_is_called_twice);
    tcase_add_test(tc, S41_called_on_the_thread_that_completes);
    tcase_add_loop_test(tc, S42_registered_late_is_called_before_add_returns, 0, KINDS);
    tcase_add_test(tc, S46_inside_a_callback_the_state_is_final);
    tcase_add_test(tc, S47_no_lock_is_held_during_a_callback);
    tcase_add_test(tc, S48_callback_may_use_its_executor_during_a_cancelling_shutdown);
    tcase_add_test(tc, S49_waiters_wake_before_callbacks_and_shutdown_after_them);
    tcase_add_loop_test(tc, S50_registered_by_a_callback_is_called_after_the_others, 0, 3);
    tcase_add_test(tc, S51_registered_while_callbacks_run_goes_to_the_thread_that_calls_them);
    tcase_add_test(tc, S52_slow_callback_delays_its_worker);
    tcase_add_loop_test(tc, S53_callback_may_submit_to_its_executor, 0, KINDS);
    tcase_add_test(tc, callback_may_give_back_the_last_reference);
    tcase_add_test(tc, callback_of_a_promise_that_is_dropped_is_not_called);
    return suite_run("exec: callbacks", tc);
}
