/* check_shutdown.c -- closing executors, process exit, fork. Section H of docs/futures.md. S114,
 * S115 and S118 are about Python's with-blocks, garbage collector and interpreter exit. */
#include "jobs.h"

#include "exec/executor.h" /* for its locks, in S119 */
#include "weft/semaphore.h"
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(S104_submit_after_shutdown_is_refused_and_the_argument_stays)
{
    atomic_int frees = 0;
    struct weft_future *f;
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    struct weft_job job = {.run = job_count, .arg = &frees, .arg_free = count_free, .queue = q};
    ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, &f), WEFT_ECLOSED);
    ck_assert_ptr_null(f);
    ck_assert_uint_eq(weft_completion_queue_outstanding(q), 0);
    free_executor(e);
    weft_completion_queue_free(q);
    ck_assert_int_eq(frees, 0);
}
END_TEST

START_TEST(S105_shutdown_may_be_called_again)
{
    struct weft_executor *e = make_executor(_i);
    weft_executor_shutdown(e, 0, WEFT_POLL); /* in time or not, it is closed */
    for (int i = 0; i < 3; i++) {
        ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    }
    ck_status(weft_executor_shutdown(e, 0, WEFT_POLL), WEFT_OK);
    ck_status(weft_executor_shutdown(e, 4, WEFT_POLL), WEFT_EINVAL);
    ck_status(weft_executor_shutdown(NULL, 0, WEFT_POLL), WEFT_EINVAL);
    free_executor(e);
    ck_status(weft_executor_free(NULL), WEFT_OK);
}
END_TEST

START_TEST(S106_shutdown_waits_for_queued_and_running_jobs_and_for_workers)
{
    enum { N = 40 };
    atomic_int runs = 0, exits = 0;
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = 3, .worker_exit = count_free, .user = &exits};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    for (int i = 0; i < N; i++) {
        weft_future_release(submit(e, job_count, &runs));
    }
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(runs, N);
    ck_assert_int_eq(exits, 3);
    free_executor(e);
}
END_TEST

static void pass_gate(void *gate)
{
    gate_pass(gate);
}

START_TEST(S106_shutdown_waits_for_the_workers_exit_hooks)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = 2, .worker_exit = pass_gate, .user = &gate};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    ck_status(weft_executor_shutdown(e, 0, WEFT_POLL), WEFT_ETIMEDOUT);
    gate_await(&gate, 2); /* both are in their hooks */
    ck_status(weft_executor_shutdown(e, 0, weft_in_ms(5)), WEFT_ETIMEDOUT);
    gate_open(&gate);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    free_executor(e);
}
END_TEST

START_TEST(S107_shutdown_without_waiting_lets_the_queue_be_worked_off)
{
    atomic_int runs = 0;
    struct blocked_pool b;
    block_pool(&b);
    for (int i = 0; i < 5; i++) {
        weft_future_release(submit(b.e, job_count, &runs));
    }
    ck_status(weft_executor_shutdown(b.e, 0, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert_int_eq(runs, 0);
    unblock_and_free(&b);
    ck_assert_int_eq(runs, 5);
}
END_TEST

START_TEST(S108_cancel_pending_cancels_what_has_not_started)
{
    atomic_int runs = 0, frees = 0;
    struct weft_future *fs[10];
    struct blocked_pool b;
    block_pool(&b);
    for (int i = 0; i < 10; i++) {
        fs[i] = submit_job(b.e, &(struct weft_job){.run = job_count, .arg = &runs});
    }
    weft_future_release(submit_job(
        b.e, &(struct weft_job){.run = job_nothing, .arg = &frees, .arg_free = count_free}));
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert_uint_eq(weft_executor_queued(b.e), 0);
    ck_assert_int_eq(frees, 1);
    for (int i = 0; i < 10; i++) {
        assert_result(fs[i], WEFT_ECANCELED, 0, NULL);
        weft_future_release(fs[i]);
    }
    gate_open(&b.gate);
    ck_status(weft_executor_shutdown(b.e, 0, WEFT_FOREVER), WEFT_OK);
    assert_result(b.blocker, WEFT_OK, 0, NULL); /* what ran has finished */
    ck_assert_int_eq(runs, 0);
    unblock_and_free(&b);
}
END_TEST

START_TEST(S109_waits_on_jobs_cancelled_by_shutdown_return)
{
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[2], *out;
    block_pool(&b);
    for (int i = 0; i < 2; i++) {
        fs[i] = submit_job(b.e, &(struct weft_job){.run = job_nothing, .queue = q});
    }
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), WEFT_OK);
    for (int i = 0; i < 2; i++) {
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL), WEFT_OK);
        ck_assert_ptr_eq(out, fs[i]);
        weft_future_release(out);
        weft_future_release(fs[i]);
    }
    unblock_and_free(&b);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(S110_second_shutdown_may_add_flags)
{
    struct gate inside = GATE_CLOSED;
    struct weft_executor *e = make_pool(1);
    struct weft_future *running = submit(e, job_until_stopped, &inside);
    struct weft_future *pending = submit(e, job_nothing, NULL);
    gate_await(&inside, 1);
    ck_status(weft_executor_shutdown(e, 0, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert(!weft_future_done(pending));
    ck_status(weft_executor_shutdown(e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert(weft_future_cancelled(pending));
    ck_status(weft_executor_shutdown(e, WEFT_CANCEL_RUNNING, WEFT_FOREVER), WEFT_OK);
    ck_assert(weft_future_cancelled(running));
    weft_future_release(running);
    weft_future_release(pending);
    free_executor(e);
}
END_TEST

START_TEST(cancelling_all_starts_nothing_that_waited)
{
    atomic_int runs = 0;
    for (unsigned i = rounds(500, 10); i > 0; i--) {
        struct gate inside = GATE_CLOSED;
        struct weft_executor *e = make_pool(1);
        weft_future_release(submit(e, job_until_stopped, &inside));
        weft_future_release(submit(e, job_count, &runs));
        gate_await(&inside, 1);
        unsigned all = WEFT_CANCEL_PENDING | WEFT_CANCEL_RUNNING;
        ck_status(weft_executor_shutdown(e, all, WEFT_FOREVER), WEFT_OK);
        free_executor(e);
    }
    ck_assert_int_eq(runs, 0);
}
END_TEST

struct late {
    struct weft_executor *e;
    struct gate gate;
};

static int submit_late(struct weft_task *self, void *arg, void **value)
{
    struct late *l = arg;
    (void)self, (void)value;
    gate_pass(&l->gate);
    return (int)weft_executor_submit(l->e, &(struct weft_job){.run = job_nothing}, WEFT_FOREVER,
                                     NULL);
}

static void shut_down(void *e)
{
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
}

START_TEST(S111_job_that_submits_while_shutdown_waits_is_refused)
{
    struct helper h;
    struct late late = {.e = make_pool(2), .gate = GATE_CLOSED};
    struct weft_future *f = submit(late.e, submit_late, &late);
    gate_await(&late.gate, 1);
    ck_status(weft_executor_shutdown(late.e, 0, WEFT_POLL), WEFT_ETIMEDOUT); /* closed now */
    helper_start(&h, shut_down, late.e);
    gate_open(&late.gate);
    helper_join(&h);
    assert_result(f, WEFT_OK, WEFT_ECLOSED, NULL);
    weft_future_release(f);
    free_executor(late.e);
}
END_TEST

static int shut_down_own(struct weft_task *self, void *e, void **value)
{
    (void)self, (void)value;
    ck_status(weft_executor_shutdown(e, 0, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_status(weft_executor_shutdown(e, 0, weft_in_ms(100000)), WEFT_EDEADLK);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_EDEADLK);
    return (int)weft_executor_submit(e, &(struct weft_job){.run = job_nothing}, WEFT_POLL, NULL);
}

START_TEST(S112_shutdown_from_a_job_is_told_and_closes)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, shut_down_own, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, WEFT_ECLOSED, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

static void shut_down_in_callback(struct weft_future *f, void *e)
{
    (void)f;
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_EDEADLK);
    ck_status(weft_executor_free(e), WEFT_EDEADLK);
}

START_TEST(S112_shutdown_from_a_callback_on_any_thread_is_told)
{
    struct blocked_pool b;
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_nothing, NULL);
    ck_status(weft_future_add_done_callback(f, shut_down_in_callback, b.e), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_OK); /* the callback runs here, not on a worker */
    weft_future_release(f);
    unblock_and_free(&b);
}
END_TEST

START_TEST(S113_futures_outlive_their_executor)
{
    atomic_int value = 0, calls = 0;
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    struct weft_future *out,
        *f = submit_job(
            e, &(struct weft_job){.run = job_echo, .arg = &value, .value_free = count_free});
    free_executor(e);
    assert_result(f, WEFT_OK, 0, &value);
    ck_status(weft_wait(&f, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), WEFT_OK);
    ck_status(weft_future_cancel(f), WEFT_EDONE);
    ck_status(weft_future_add_done_callback(f, count_call, &calls), WEFT_OK);
    ck_assert_int_eq(calls, 1);
    ck_status(weft_completion_queue_add(q, f, NULL), WEFT_OK);
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &out, NULL), WEFT_OK);
    weft_future_release(out);
    weft_completion_queue_free(q);
    weft_future_release(f);
    ck_assert_int_eq(value, 1);
}
END_TEST

START_TEST(S116_future_cancelled_just_before_shutdown_does_not_hang_it)
{
    struct weft_executor *e = make_pool(1);
    for (unsigned i = rounds(2000, 10); i > 0; i--) {
        struct weft_future *f = submit(e, job_nothing, NULL);
        weft_future_cancel(f);
        weft_future_release(f);
    }
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    free_executor(e);
}
END_TEST

/* Asserts that the child ends with status 0 by itself, before the alarm that it has set. */
static void assert_child_ends(pid_t child)
{
    int status;
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with status %x",
                  (unsigned)status);
}

START_TEST(S117_process_exit_waits_for_nothing)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(20); /* a child that hangs dies by this, and the test fails */
        struct blocked_pool b;
        block_pool(&b);
        for (int i = 0; i < 100; i++) {
            weft_future_release(submit(b.e, job_nothing, NULL));
        }
        fflush(NULL);
        exit(0);
    }
    assert_child_ends(child);
}
END_TEST

/* What a forked child finds. Returns 0 if all is as it should be; else the line. */
static int in_child(struct blocked_pool *b, struct weft_future *pending, struct weft_future *done,
                    struct weft_completion_queue *q, struct weft_semaphore *s)
{
#define EXPECT(x)                                                                                  \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            return __LINE__ % 250 + 1;                                                             \
        }                                                                                          \
    } while (0)
    struct weft_future *f;
    struct weft_result r;
    struct weft_job job = {.run = job_nothing};
    EXPECT(weft_executor_submit(b->e, &job, WEFT_POLL, &f) == WEFT_EFORKED && !f);
    struct weft_job into_queue = {.run = job_nothing, .queue = q};
    struct weft_executor *own;
    EXPECT(weft_executor_inline_new(&own) == WEFT_OK);
    EXPECT(weft_executor_submit(own, &into_queue, WEFT_POLL, NULL) == WEFT_EFORKED);
    EXPECT(weft_executor_free(own) == WEFT_OK);
    EXPECT(weft_executor_shutdown(b->e, WEFT_CANCEL_PENDING, WEFT_FOREVER) == WEFT_EFORKED);
    EXPECT(weft_executor_queued(b->e) == 0);
    EXPECT(weft_future_result(pending, WEFT_FOREVER, &r) == WEFT_EFORKED);
    EXPECT(weft_future_cancel(pending) == WEFT_EFORKED);
    EXPECT(weft_future_add_done_callback(pending, count_call, NULL) == WEFT_EFORKED);
    EXPECT(weft_wait(&pending, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL) == WEFT_EFORKED);
    EXPECT(weft_completion_queue_add(q, done, NULL) == WEFT_EFORKED);
    EXPECT(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL) == WEFT_EFORKED);
    EXPECT(weft_completion_queue_outstanding(q) == 0);
    EXPECT(weft_semaphore_acquire(s, WEFT_FOREVER) == WEFT_EFORKED);
    EXPECT(weft_semaphore_release(s) == WEFT_EFORKED && weft_semaphore_free(s) == WEFT_EFORKED);
    /* what was done can still be read */
    EXPECT(weft_future_result(done, WEFT_FOREVER, &r) == WEFT_OK && r.value == b);
    EXPECT(weft_wait(&done, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL) == WEFT_OK);
    EXPECT(weft_future_cancel(done) == WEFT_EDONE);
    EXPECT(weft_promise_finish(done, 0, NULL) == WEFT_EDONE);
    weft_future_release(pending);
    weft_future_retain(done); /* not the last: helgrind remembers the held lock of freed memory */
    weft_future_release(done);
    weft_completion_queue_free(q);
    EXPECT(weft_executor_free(b->e) == WEFT_EFORKED);
#ifndef __SANITIZE_THREAD__ /* which does not support threads in a forked child */
    /* and an executor of the child's own works */
    struct weft_executor *e = make_pool(2);
    EXPECT(weft_executor_submit(e, &job, WEFT_POLL, &f) == WEFT_OK);
    EXPECT(weft_future_result(f, WEFT_FOREVER, NULL) == WEFT_OK);
    weft_future_release(f);
    EXPECT(weft_executor_free(e) == WEFT_OK);
#endif
    return 0;
}

START_TEST(S119_forked_child_is_told)
{
    struct blocked_pool b;
    struct weft_semaphore *s;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *done = new_promise(NULL), *pending;
    ck_status(weft_semaphore_new(&s, 1, WEFT_NO_CAP), WEFT_OK);
    ck_status(weft_promise_finish(done, 0, &b), WEFT_OK);
    block_pool(&b);
    pending = submit_job(b.e, &(struct weft_job){.run = job_nothing, .queue = q});
    fflush(NULL);
    /* The worst moment: locks are held, and in the child they will be for ever. */
    pthread_mutex_lock(&b.e->lock);
    pthread_mutex_lock(&pending->lock);
    pthread_mutex_lock(&done->lock); /* by a thread that has finished it and tells who listens */
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(in_child(&b, pending, done, q, s));
    }
    pthread_mutex_unlock(&done->lock);
    pthread_mutex_unlock(&pending->lock);
    pthread_mutex_unlock(&b.e->lock);
    assert_child_ends(child);
    gate_open(&b.gate);
    ck_status(weft_future_result(pending, WEFT_FOREVER, NULL), WEFT_OK); /* the parent goes on */
    weft_future_release(pending);
    weft_future_release(done);
    unblock_and_free(&b);
    weft_completion_queue_free(q);
    ck_status(weft_semaphore_free(s), WEFT_OK);
}
END_TEST

/* A job that forks; its child looks at the executor, pauses, and exits. */
static int fork_and_exit(struct weft_task *self, void *arg, void **value)
{
    (void)value;
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        enum weft_status st = weft_executor_submit(arg, &(struct weft_job){.run = job_nothing},
                                                   WEFT_POLL, NULL);
        weft_executor_free(arg);
        bool paused = weft_pause(self, WEFT_FOREVER) != WEFT_EFORKED;
        _exit(st == WEFT_EFORKED && !paused ? 0 : 1);
    }
    assert_child_ends(child);
    return 0;
}

START_TEST(S120_fork_out_of_a_job_while_others_work)
{
    atomic_int runs = 0;
    struct weft_executor *e = make_pool(4);
    for (unsigned i = rounds(200, 20); i > 0; i--) {
        weft_future_release(submit(e, fork_and_exit, e));
        for (int k = 0; k < 20; k++) {
            weft_future_release(submit(e, job_count, &runs));
        }
    }
    free_executor(e);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("shutdown");
    tcase_set_timeout(tc, watchdog());
    tcase_add_loop_test(tc, S104_submit_after_shutdown_is_refused_and_the_argument_stays, 0, KINDS);
    tcase_add_loop_test(tc, S105_shutdown_may_be_called_again, 0, KINDS);
    tcase_add_test(tc, S106_shutdown_waits_for_queued_and_running_jobs_and_for_workers);
    tcase_add_test(tc, S106_shutdown_waits_for_the_workers_exit_hooks);
    tcase_add_test(tc, S107_shutdown_without_waiting_lets_the_queue_be_worked_off);
    tcase_add_test(tc, S108_cancel_pending_cancels_what_has_not_started);
    tcase_add_test(tc, S109_waits_on_jobs_cancelled_by_shutdown_return);
    tcase_add_test(tc, S110_second_shutdown_may_add_flags);
    tcase_add_test(tc, cancelling_all_starts_nothing_that_waited);
    tcase_add_test(tc, S111_job_that_submits_while_shutdown_waits_is_refused);
    tcase_add_loop_test(tc, S112_shutdown_from_a_job_is_told_and_closes, 0, KINDS);
    tcase_add_test(tc, S112_shutdown_from_a_callback_on_any_thread_is_told);
    tcase_add_loop_test(tc, S113_futures_outlive_their_executor, 0, KINDS);
    tcase_add_test(tc, S116_future_cancelled_just_before_shutdown_does_not_hang_it);
    tcase_add_test(tc, S117_process_exit_waits_for_nothing);
    tcase_add_test(tc, S119_forked_child_is_told);
    tcase_add_test(tc, S120_fork_out_of_a_job_while_others_work);
    return suite_run("exec: shutdown", tc);
}
