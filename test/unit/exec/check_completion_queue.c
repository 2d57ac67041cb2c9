/* check_completion_queue.c -- futures as they complete. Section F of docs/futures.md. */
#include "jobs.h"

static void add(struct weft_completion_queue *q, struct weft_future *f, void *tag)
{
    ck_status(weft_completion_queue_add(q, f, tag), WEFT_OK);
}

static void finish(struct weft_future *f)
{
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_OK);
}

/* Asserts that f comes out next, by the deadline. */
static void assert_next_by(struct weft_completion_queue *q, weft_time deadline,
                           struct weft_future *f, void *tag)
{
    struct weft_future *out;
    void *out_tag;
    ck_status(weft_completion_queue_next(q, deadline, &out, &out_tag), WEFT_OK);
    ck_assert_ptr_eq(out, f);
    ck_assert_ptr_eq(out_tag, tag);
    weft_future_release(out);
}

static void assert_next(struct weft_completion_queue *q, struct weft_future *f, void *tag)
{
    assert_next_by(q, WEFT_POLL, f, tag);
}

static void assert_none(struct weft_completion_queue *q, enum weft_status status)
{
    struct weft_future *out = (struct weft_future *)q;
    void *tag = q;
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &out, &tag), status);
    ck_assert_ptr_null(out);
    ck_assert_ptr_null(tag);
}

#define N 5

static void make(struct weft_future *fs[N])
{
    for (int i = 0; i < N; i++) {
        fs[i] = new_promise(NULL);
    }
}

static void release(struct weft_future *fs[N])
{
    for (int i = 0; i < N; i++) {
        weft_future_release(fs[i]);
    }
}

START_TEST(S73_each_add_comes_out_once)
{
    int tags[3];
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f = new_promise(NULL);
    for (int i = 0; i < 3; i++) {
        add(q, f, &tags[i]);
    }
    ck_assert_uint_eq(weft_completion_queue_outstanding(q), 3);
    finish(f);
    for (int i = 0; i < 3; i++) {
        assert_next(q, f, &tags[i]);
    }
    assert_none(q, WEFT_END);
    weft_future_release(f);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S74_done_ones_first_in_order_of_add_then_in_order_of_completion)
{
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[N];
    make(fs);
    finish(fs[3]);
    finish(fs[1]);
    for (int i = 0; i < N; i++) {
        add(q, fs[i], &fs[i]);
    }
    finish(fs[4]);
    ck_status(weft_future_cancel(fs[0]), WEFT_OK);
    finish(fs[2]);
    const int order[N] = {1, 3, 4, 0, 2};
    for (int i = 0; i < N; i++) {
        assert_next(q, fs[order[i]], &fs[order[i]]);
    }
    release(fs);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S75_empty_queue_is_at_its_end)
{
    struct weft_future *f;
    struct weft_completion_queue *q = new_queue();
    assert_none(q, WEFT_END);
    ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_END);
    ck_assert_uint_eq(weft_completion_queue_outstanding(q), 0);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S76_cancelled_ones_come_out_at_cancel)
{
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    block_pool(&b);
    struct weft_future *f = submit_job(
        b.e, &(struct weft_job){.run = job_nothing, .queue = q, .tag = &b});
    assert_none(q, WEFT_ETIMEDOUT);
    ck_status(weft_future_cancel(f), WEFT_OK);
    ck_assert_ptr_eq(weft_future_tag(f), &b);
    assert_next(q, f, &b);
    weft_future_release(f);
    unblock_and_free(&b);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S77_time_out_and_how_many_are_outstanding)
{
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[N], *out;
    make(fs);
    for (int i = 0; i < N; i++) {
        add(q, fs[i], NULL);
    }
    finish(fs[0]);
    weft_time deadline = weft_in_ms(5); /* one deadline for the whole iteration */
    assert_next_by(q, deadline, fs[0], NULL);
    ck_status(weft_completion_queue_next(q, deadline, &out, NULL), WEFT_ETIMEDOUT);
    ck_assert_uint_eq(weft_completion_queue_outstanding(q), N - 1);
    finish(fs[1]); /* nothing is lost by a time-out */
    assert_next(q, fs[1], NULL);
    release(fs);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S78_poll_gives_what_is_done_then_times_out)
{
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[N];
    make(fs);
    for (int i = 0; i < N; i++) {
        add(q, fs[i], NULL);
    }
    finish(fs[1]);
    finish(fs[0]);
    assert_next(q, fs[1], NULL);
    assert_next(q, fs[0], NULL);
    assert_none(q, WEFT_ETIMEDOUT);
    release(fs);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S79_deadline_is_absolute)
{
    /* Python's clock starts at the first next; here it is the same deadline for each call. */
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f = new_promise(NULL), *out;
    add(q, f, NULL);
    weft_time deadline = weft_in_ms(3);
    ck_status(weft_completion_queue_next(q, deadline, &out, NULL), WEFT_ETIMEDOUT);
    ck_assert_int_ge(weft_now(), deadline);
    ck_status(weft_completion_queue_next(q, deadline, &out, NULL), WEFT_ETIMEDOUT);
    weft_future_release(f);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S80_what_was_done_at_the_start_comes_out_past_the_deadline)
{
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f = new_promise(NULL);
    finish(f);
    add(q, f, q);
    assert_next_by(q, weft_now() - WEFT_SECOND, f, q);
    weft_future_release(f);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S81_what_got_done_later_comes_out_past_the_deadline_too)
{
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f = new_promise(NULL), *out;
    add(q, f, q);
    ck_status(weft_completion_queue_next(q, -1, &out, NULL), WEFT_ETIMEDOUT);
    finish(f);
    assert_next_by(q, -1, f, q);
    weft_future_release(f);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S82_freeing_early_unhooks_and_cancels_nothing)
{
    atomic_int runs = 0;
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    block_pool(&b);
    struct weft_future *p = new_promise(NULL);
    struct weft_future *f = submit_job(
        b.e, &(struct weft_job){.run = job_count, .arg = &runs, .queue = q});
    add(q, f, NULL);
    add(q, p, NULL);
    weft_completion_queue_free(q);
    ck_assert(!weft_future_done(f) && !weft_future_done(p));
    finish(p);
    gate_open(&b.gate);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_int_eq(runs, 1);
    weft_future_release(f);
    weft_future_release(p);
    unblock_and_free(&b);
    weft_completion_queue_free(NULL);
}
END_TEST

START_TEST(S83_reference_moves_to_the_caller)
{
    atomic_int value = 0;
    struct weft_future *out;
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    /* Nobody but the queue has a reference: the job was submitted without asking for one. */
    struct weft_job job = {
        .run = job_echo, .arg = &value, .value_free = count_free, .queue = q, .tag = &value};
    ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(value, 0);
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &out, NULL), WEFT_OK);
    free_executor(e);
    weft_completion_queue_free(q);
    assert_result(out, WEFT_OK, 0, &value);
    ck_assert_int_eq(value, 0);
    weft_future_release(out);
    ck_assert_int_eq(value, 1);
}
END_TEST

/* Threads that take from one queue until its end. */
struct consumer {
    struct helper helper;
    struct weft_completion_queue *q;
    struct gate *gate;
    atomic_uint *taken;
    enum weft_status last;
};

static void consume(void *arg)
{
    struct consumer *c = arg;
    struct weft_future *f;
    gate_pass(c->gate);
    while ((c->last = weft_completion_queue_next(c->q, WEFT_FOREVER, &f, NULL)) == WEFT_OK) {
        atomic_fetch_add(c->taken, 1);
        weft_future_release(f);
    }
}

START_TEST(S84_end_reaches_every_blocked_consumer)
{
    enum { CONSUMERS = 8 };
    for (unsigned round = rounds(300, 10); round > 0; round--) {
        struct consumer cs[CONSUMERS];
        struct gate gate = GATE_CLOSED;
        atomic_uint taken = 0;
        struct weft_completion_queue *q = new_queue();
        struct weft_future *fs[N];
        make(fs);
        for (int i = 0; i < N; i++) {
            add(q, fs[i], NULL);
        }
        gate_open(&gate);
        for (int i = 0; i < CONSUMERS; i++) {
            cs[i] = (struct consumer){.q = q, .gate = &gate, .taken = &taken};
            helper_start(&cs[i].helper, consume, &cs[i]);
        }
        for (int i = 0; i < N; i++) {
            finish(fs[i]);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            helper_join(&cs[i].helper);
            ck_status(cs[i].last, WEFT_END);
        }
        ck_assert_uint_eq(taken, N);
        release(fs);
        weft_completion_queue_free(q);
    }
}
END_TEST

START_TEST(finishing_a_promise_wakes_a_coordinator)
{
    struct consumer c;
    struct gate gate = GATE_CLOSED;
    atomic_uint taken = 0;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *wake = new_promise(NULL);
    add(q, wake, NULL);
    c = (struct consumer){.q = q, .gate = &gate, .taken = &taken};
    helper_start(&c.helper, consume, &c);
    gate_await(&gate, 1);
    gate_open(&gate);
    finish(wake);
    helper_join(&c.helper);
    ck_assert_uint_eq(taken, 1);
    weft_future_release(wake);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(cancel_of_a_queue_cancels_and_asks_all_that_is_outstanding)
{
    enum { JOBS = 10 };
    struct gate inside[4] = {GATE_CLOSED, GATE_CLOSED, GATE_CLOSED, GATE_CLOSED};
    struct weft_executor *e = make_pool(4);
    struct weft_completion_queue *q = new_queue();
    struct weft_future *out, *p = new_promise(NULL);
    atomic_int runs = 0;
    add(q, p, NULL);
    for (int i = 0; i < 4; i++) {
        struct weft_job job = {.run = job_until_stopped, .arg = &inside[i], .queue = q};
        ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
        gate_await(&inside[i], 1);
    }
    for (int i = 0; i < JOBS; i++) {
        struct weft_job job = {.run = job_count, .arg = &runs, .queue = q};
        ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    }
    weft_completion_queue_cancel(q);
    for (int i = 0; i < JOBS + 4 + 1; i++) {
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL), WEFT_OK);
        ck_assert(weft_future_cancelled(out));
        weft_future_release(out);
    }
    assert_none(q, WEFT_END);
    ck_assert_int_eq(runs, 0);
    weft_completion_queue_cancel(q);
    weft_future_release(p);
    free_executor(e);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    struct weft_future *f = new_promise(NULL), *out;
    struct weft_completion_queue *q = new_queue();
    ck_status(weft_completion_queue_add(NULL, f, NULL), WEFT_EINVAL);
    ck_status(weft_completion_queue_add(q, NULL, NULL), WEFT_EINVAL);
    ck_status(weft_completion_queue_next(NULL, WEFT_POLL, &out, NULL), WEFT_EINVAL);
    ck_status(weft_completion_queue_next(q, WEFT_POLL, NULL, NULL), WEFT_EINVAL);
    weft_future_release(f);
    weft_completion_queue_free(q);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("completion queue");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, S73_each_add_comes_out_once);
    tcase_add_test(tc, S74_done_ones_first_in_order_of_add_then_in_order_of_completion);
    tcase_add_test(tc, S75_empty_queue_is_at_its_end);
    tcase_add_test(tc, S76_cancelled_ones_come_out_at_cancel);
    tcase_add_test(tc, S77_time_out_and_how_many_are_outstanding);
    tcase_add_test(tc, S78_poll_gives_what_is_done_then_times_out);
    tcase_add_test(tc, S79_deadline_is_absolute);
    tcase_add_test(tc, S80_what_was_done_at_the_start_comes_out_past_the_deadline);
    tcase_add_test(tc, S81_what_got_done_later_comes_out_past_the_deadline_too);
    tcase_add_test(tc, S82_freeing_early_unhooks_and_cancels_nothing);
    tcase_add_loop_test(tc, S83_reference_moves_to_the_caller, 0, KINDS);
    tcase_add_test(tc, S84_end_reaches_every_blocked_consumer);
    tcase_add_test(tc, finishing_a_promise_wakes_a_coordinator);
    tcase_add_test(tc, cancel_of_a_queue_cancels_and_asks_all_that_is_outstanding);
    tcase_add_test(tc, wrong_arguments_are_refused);
    return suite_run("exec: completion queue", tc);
}
