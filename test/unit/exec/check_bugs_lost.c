/* check_bugs_lost.c -- bugs that users of other pools really hit, 1 to 19: who is never told, whose
 * callback runs under a lock, whose wake-up is lost. The numbers are those of docs/futures.md;
 * races are loops, short here and long in a soak, and each test ends by its time-out if it hangs.
 */
#include "jobs.h"

#include <signal.h>
#include <unistd.h>

static void wait_for(struct weft_future *f)
{
    ck_status(weft_wait(&f, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), WEFT_OK);
}

START_TEST(bug1_wait_on_a_cancelled_future_returns)
{
    struct blocked_pool b;
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_nothing, NULL);
    ck_status(weft_future_cancel(f), WEFT_OK);
    wait_for(f);
    weft_future_release(f);
    unblock_and_free(&b);
}
END_TEST

START_TEST(bug2_futures_cancelled_by_shutdown_come_out_of_the_queue)
{
    enum { N = 100 };
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f;
    block_pool(&b);
    for (int i = 0; i < N; i++) {
        struct weft_job job = {.run = job_nothing, .queue = q};
        ck_status(weft_executor_submit(b.e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    }
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    for (int i = 0; i < N; i++) { /* while the worker is still busy */
        ck_status(weft_completion_queue_next(q, WEFT_POLL, &f, NULL), WEFT_OK);
        ck_assert(weft_future_cancelled(f));
        weft_future_release(f);
    }
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &f, NULL), WEFT_END);
    unblock_and_free(&b);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(bug3_cancelled_job_between_live_ones_does_not_stop_the_cancelling)
{
    struct blocked_pool b;
    struct weft_future *fs[3];
    block_pool(&b);
    for (int i = 0; i < 3; i++) {
        fs[i] = submit(b.e, job_nothing, NULL);
    }
    ck_status(weft_future_cancel(fs[1]), WEFT_OK);
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    for (int i = 0; i < 3; i++) {
        ck_assert(weft_future_cancelled(fs[i]));
        weft_future_release(fs[i]);
    }
    unblock_and_free(&b);
}
END_TEST

START_TEST(bug4_every_accepted_job_becomes_final_whatever_the_end)
{
    enum { N = 50 };
    unsigned flags = (unsigned)_i;
    struct weft_future *fs[N];
    struct weft_executor *e = make_pool(2);
    for (int i = 0; i < N; i++) {
        fs[i] = submit(e, job_nothing, NULL);
    }
    weft_executor_shutdown(e, flags, WEFT_POLL);
    free_executor(e);
    for (int i = 0; i < N; i++) {
        ck_assert(weft_future_done(fs[i]));
        weft_future_release(fs[i]);
    }
}
END_TEST

/* Threads that submit until they are refused. */
struct submitter {
    struct helper helper;
    struct weft_executor *e;
    struct gate *start;
    struct weft_future *last;
    unsigned attempts, accepted, refused;
    atomic_uint *runs;
};

static int job_run(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    atomic_fetch_add((atomic_uint *)arg, 1);
    return 0;
}

static void submit_until_refused(void *arg)
{
    struct submitter *s = arg;
    struct weft_job job = {.run = job_run, .arg = s->runs};
    gate_pass(s->start);
    while (s->refused == 0 && s->attempts < 50) {
        struct weft_future *f;
        enum weft_status st = weft_executor_submit(s->e, &job, WEFT_FOREVER, &f);
        s->attempts++;
        if (st == WEFT_OK) {
            s->accepted++;
            weft_future_release(s->last);
            s->last = f;
        } else {
            ck_status(st, WEFT_ECLOSED);
            s->refused++;
        }
    }
}

START_TEST(bug5_submit_racing_with_shutdown_is_run_or_refused)
{
    enum { SUBMITTERS = 8 };
    for (unsigned round = rounds(10000, 50); round > 0; round--) {
        struct submitter ss[SUBMITTERS];
        struct gate start = GATE_CLOSED;
        atomic_uint runs = 0;
        unsigned accepted = 0;
        struct weft_executor *e = make_pool(2);
        for (int i = 0; i < SUBMITTERS; i++) {
            ss[i] = (struct submitter){.e = e, .start = &start, .runs = &runs};
            helper_start(&ss[i].helper, submit_until_refused, &ss[i]);
        }
        gate_open(&start);
        ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
        for (int i = 0; i < SUBMITTERS; i++) {
            helper_join(&ss[i].helper);
            ck_assert_uint_eq(ss[i].accepted + ss[i].refused, ss[i].attempts);
            ck_assert(!ss[i].last || weft_future_done(ss[i].last));
            weft_future_release(ss[i].last);
            accepted += ss[i].accepted;
        }
        ck_assert_uint_eq(runs, accepted);
        free_executor(e);
    }
}
END_TEST

static int wait_for_promise(struct weft_task *self, void *promise, void **value)
{
    (void)self, (void)value;
    return (int)weft_future_result(promise, WEFT_FOREVER, NULL);
}

static bool runs(void *future)
{
    return weft_future_running(future);
}

START_TEST(bug6_shutdown_with_a_stuck_job_times_out_and_may_be_called_again)
{
    struct weft_executor *e = make_pool(1);
    struct weft_future *promise = new_promise(NULL);
    struct weft_future *f = submit(e, wait_for_promise, promise);
    ck_assert(eventually(runs, f, weft_in_ms(10000))); /* only what runs is asked to stop */
    ck_status(weft_executor_shutdown(e, WEFT_CANCEL_RUNNING, weft_in_ms(10)), WEFT_ETIMEDOUT);
    ck_status(weft_future_cancel(promise), WEFT_OK);
    ck_status(weft_executor_shutdown(e, WEFT_CANCEL_RUNNING, WEFT_FOREVER), WEFT_OK);
    assert_result(f, WEFT_ECANCELED, 0, NULL); /* it was asked to stop, and says that it did */
    weft_future_release(f);
    weft_future_release(promise);
    free_executor(e);
}
END_TEST

/* Things that a callback, or a destructor, may reach for. */
struct world {
    struct weft_executor *e;
    struct weft_completion_queue *q;
    struct weft_future *other, *done;
    atomic_int calls;
};

static void use_everything(struct world *w)
{
    struct weft_future *f;
    struct weft_job job = {.run = job_nothing};
    enum weft_status st = weft_executor_submit(w->e, &job, WEFT_POLL, NULL);
    ck_assert(st == WEFT_OK || st == WEFT_ECLOSED);
    weft_future_cancel(w->other);
    ck_status(weft_future_result(w->done, WEFT_FOREVER, NULL), WEFT_OK);
    if (weft_completion_queue_next(w->q, WEFT_POLL, &f, NULL) == WEFT_OK) {
        weft_future_release(f);
    }
    weft_executor_shutdown(w->e, WEFT_CANCEL_PENDING, WEFT_POLL);
    atomic_fetch_add(&w->calls, 1);
}

static void meddling_callback(struct weft_future *f, void *user)
{
    (void)f;
    use_everything(user);
}

static void meddling_free(void *world)
{
    use_everything(world);
}

static void make_world(struct world *w, struct weft_executor *e)
{
    *w = (struct world){.e = e, .q = new_queue(), .other = new_promise(NULL)};
    w->done = new_promise(NULL);
    ck_status(weft_promise_finish(w->done, 0, NULL), WEFT_OK);
    ck_status(weft_completion_queue_add(w->q, w->other, NULL), WEFT_OK);
}

static void free_world(struct world *w)
{
    weft_future_release(w->other);
    weft_future_release(w->done);
    weft_completion_queue_free(w->q);
}

START_TEST(bug7_callback_during_shutdown_may_use_its_executor)
{
    struct blocked_pool b;
    struct world w;
    block_pool(&b);
    make_world(&w, b.e);
    for (int i = 0; i < 3; i++) {
        struct weft_future *f = submit(b.e, job_nothing, NULL);
        ck_status(weft_future_add_done_callback(f, meddling_callback, &w), WEFT_OK);
        weft_future_release(f);
    }
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    ck_assert_int_eq(w.calls, 3);
    unblock_and_free(&b);
    free_world(&w);
}
END_TEST

static pthread_t main_thread;
static atomic_int signals, elsewhere;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
    if (!pthread_equal(pthread_self(), main_thread)) {
        atomic_fetch_add(&elsewhere, 1);
    }
}

static void storm(void *arg)
{
    atomic_bool *stop = arg;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    while (!atomic_load(stop)) {
        kill(getpid(), SIGUSR1);
        sched_yield();
    }
}

static bool it_storms(void *arg)
{
    (void)arg;
    return atomic_load(&signals) > 0;
}

START_TEST(bug8_signals_do_not_reach_workers_even_in_a_storm)
{
    struct helper h;
    atomic_bool stop = false;
    atomic_int runs = 0;
    unsigned n = rounds(2000, 10);
    main_thread = pthread_self();
    ck_assert_int_eq(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL), 0);
    helper_start(&h, storm, &stop);
    ck_assert(eventually(it_storms, NULL, weft_in_ms(10000)));
    for (unsigned i = 0; i < n; i++) {
        struct weft_executor *e = make_pool(3);
        for (int k = 0; k < 10; k++) {
            weft_future_release(submit(e, job_count, &runs));
        }
        free_executor(e);
    }
    atomic_store(&stop, true);
    helper_join(&h);
    ck_assert_uint_eq((unsigned)runs, 10 * n);
    ck_assert_int_eq(elsewhere, 0);
}
END_TEST

START_TEST(bug9_finishing_twice_calls_back_once)
{
    atomic_int calls = 0;
    struct weft_future *f = new_promise(NULL);
    ck_status(weft_future_add_done_callback(f, count_call, &calls), WEFT_OK);
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_OK);
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_EDONE);
    ck_status(weft_future_cancel(f), WEFT_EDONE);
    ck_assert_int_eq(calls, 1);
    weft_future_release(f);
}
END_TEST

START_TEST(bug10_shutdown_returns_after_all_callbacks)
{
    for (unsigned round = rounds(2000, 20); round > 0; round--) {
        enum { N = 20 };
        atomic_int calls = 0;
        struct weft_executor *e = make_pool(2);
        for (int i = 0; i < N; i++) {
            struct weft_future *f = submit(e, job_nothing, NULL);
            ck_status(weft_future_add_done_callback(f, count_call, &calls), WEFT_OK);
            if (i % 3 == 0) {
                weft_future_cancel(f);
            }
            weft_future_release(f);
        }
        ck_status(weft_executor_shutdown(e, WEFT_CANCEL_PENDING, WEFT_FOREVER), WEFT_OK);
        ck_assert_int_eq(calls, N);
        free_executor(e);
    }
}
END_TEST

START_TEST(bug11_destructors_may_use_everything)
{
    struct world w;
    struct weft_executor *e = make_executor(_i);
    make_world(&w, e);
    struct weft_job job = {
        .run = job_echo, .arg = &w, .arg_free = meddling_free, .value_free = meddling_free};
    ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    free_executor(e);
    ck_assert_int_eq(w.calls, 2);
    free_world(&w);
}
END_TEST

START_TEST(bug12_idle_workers_hear_of_the_end)
{
    for (unsigned round = rounds(20000, 40); round > 0; round--) {
        free_executor(make_pool(1 + round % 8));
    }
}
END_TEST

/* Threads of four kinds that all wait for one thing. */
struct sleeper {
    struct helper helper;
    int kind;
    struct gate *gate;
    struct weft_future *f;
    struct weft_completion_queue *q;
    struct weft_executor *e;
};

static void sleep_until_told(void *arg)
{
    struct sleeper *s = arg;
    struct weft_future *f;
    enum weft_status st;
    gate_pass(s->gate);
    switch (s->kind) {
    case 0:
        ck_status(weft_future_result(s->f, WEFT_FOREVER, NULL), WEFT_OK);
        break;
    case 1:
        wait_for(s->f);
        break;
    case 2:
        while ((st = weft_completion_queue_next(s->q, WEFT_FOREVER, &f, NULL)) == WEFT_OK) {
            weft_future_release(f);
        }
        ck_status(st, WEFT_END);
        break;
    default:
        ck_status(weft_executor_shutdown(s->e, 0, WEFT_FOREVER), WEFT_OK);
    }
}

START_TEST(bug13_everybody_who_waits_wakes)
{
    enum { N = 32 };
    for (unsigned round = rounds(500, 20); round > 0; round--) {
        struct sleeper ss[N];
        struct gate gate = GATE_CLOSED, job = GATE_CLOSED;
        struct weft_completion_queue *q = new_queue();
        struct weft_executor *e = make_pool(2);
        struct weft_future *f = submit(e, job_gate, &job);
        ck_status(weft_completion_queue_add(q, f, NULL), WEFT_OK);
        for (int i = 0; i < N; i++) {
            ss[i] = (struct sleeper){.kind = i % 4, .gate = &gate, .f = f, .q = q, .e = e};
            helper_start(&ss[i].helper, sleep_until_told, &ss[i]);
        }
        gate_await(&gate, N);
        gate_open(&gate);
        gate_open(&job);
        for (int i = 0; i < N; i++) {
            helper_join(&ss[i].helper);
        }
        weft_future_release(f);
        weft_completion_queue_free(q);
        free_executor(e);
    }
}
END_TEST

START_TEST(bug14_many_idle_workers_are_freed_soon)
{
    struct weft_executor *e = make_pool(256);
    weft_time before = weft_now();
    free_executor(e);
    ck_assert_int_lt(weft_now() - before, 10 * WEFT_SECOND); /* the bug took seconds for each */
}
END_TEST

/* Jobs that can only end together. */
static int job_meet(struct weft_task *self, void *arg, void **value)
{
    pthread_barrier_t *barrier = arg;
    (void)self, (void)value;
    pthread_barrier_wait(barrier);
    return 0;
}

/* Submits n jobs that meet, again and again: each time n workers have to come. */
static void meet(unsigned n, unsigned times)
{
    pthread_barrier_t barrier;
    struct weft_future *f;
    struct weft_completion_queue *q = new_queue();
    struct weft_executor *e = make_pool(n);
    ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, n), 0);
    for (unsigned i = 0; i < times; i++) {
        struct weft_job job = {.run = job_meet, .arg = &barrier, .queue = q};
        for (unsigned k = 0; k < n; k++) {
            ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
        }
        for (unsigned k = 0; k < n; k++) {
            ck_status(weft_completion_queue_next(q, weft_in_ms(30000), &f, NULL), WEFT_OK);
            weft_future_release(f);
        }
    }
    free_executor(e);
    weft_completion_queue_free(q);
    pthread_barrier_destroy(&barrier);
}

START_TEST(bug15_count_of_idle_workers_does_not_drift)
{
    meet(2, rounds(100000, 30));
}
END_TEST

START_TEST(bug16_several_submits_wake_several_workers)
{
    meet(8, rounds(10000, 40));
}
END_TEST

/* Jobs that go on submitting until they are refused. */
struct chain {
    struct weft_executor *e;
    atomic_int accepted, runs, frees;
};

static void free_link(void *arg)
{
    atomic_fetch_add(&((struct chain *)arg)->frees, 1);
}

static int job_chain(struct weft_task *self, void *arg, void **value)
{
    struct chain *c = arg;
    (void)self, (void)value;
    atomic_fetch_add(&c->runs, 1);
    struct weft_job next = {.run = job_chain, .arg = c, .arg_free = free_link};
    if (weft_executor_submit(c->e, &next, WEFT_FOREVER, NULL) == WEFT_OK) {
        atomic_fetch_add(&c->accepted, 1);
    }
    return 0;
}

START_TEST(bug17_jobs_that_submit_while_shutdown_drains)
{
    for (unsigned round = rounds(5000, 20); round > 0; round--) {
        struct chain c = {.e = make_pool(3)};
        struct weft_job first = {.run = job_chain, .arg = &c, .arg_free = free_link};
        for (int i = 0; i < 6; i++) {
            ck_status(weft_executor_submit(c.e, &first, WEFT_FOREVER, NULL), WEFT_OK);
        }
        ck_status(weft_executor_shutdown(c.e, 0, WEFT_FOREVER), WEFT_OK);
        free_executor(c.e);
        ck_assert_int_eq(c.runs, c.accepted + 6);
        ck_assert_int_eq(c.frees, c.accepted + 6);
    }
}
END_TEST

START_TEST(bug18_ping_pong_among_many_workers_loses_no_wake_up)
{
    enum { BALLS = 8 };
    struct weft_future *f;
    struct weft_completion_queue *q = new_queue();
    struct weft_executor *e = make_pool(16);
    struct weft_job ball = {.run = job_nothing, .queue = q};
    for (int i = 0; i < BALLS; i++) {
        ck_status(weft_executor_submit(e, &ball, WEFT_FOREVER, NULL), WEFT_OK);
    }
    for (unsigned i = rounds(3000000, 150); i > 0; i--) {
        ck_status(weft_completion_queue_next(q, weft_in_ms(30000), &f, NULL), WEFT_OK);
        weft_future_release(f);
        ck_status(weft_executor_submit(e, &ball, WEFT_FOREVER, NULL), WEFT_OK);
    }
    free_executor(e);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(bug19_submit_before_any_worker_waits)
{
    for (unsigned round = rounds(10000, 40); round > 0; round--) {
        atomic_int runs = 0;
        struct weft_executor *e = make_pool(4);
        struct weft_future *f = submit(e, job_count, &runs);
        ck_status(weft_future_result(f, weft_in_ms(30000), NULL), WEFT_OK);
        weft_future_release(f);
        free_executor(e);
    }
}
END_TEST

int main(void)
{
    TCase *told = tcase_create("told"), *calls = tcase_create("callbacks");
    TCase *wake = tcase_create("wake-ups");
    tcase_set_timeout(told, watchdog());
    tcase_set_timeout(calls, watchdog());
    tcase_set_timeout(wake, watchdog());
    tcase_add_test(told, bug1_wait_on_a_cancelled_future_returns);
    tcase_add_test(told, bug2_futures_cancelled_by_shutdown_come_out_of_the_queue);
    tcase_add_test(told, bug3_cancelled_job_between_live_ones_does_not_stop_the_cancelling);
    tcase_add_loop_test(told, bug4_every_accepted_job_becomes_final_whatever_the_end, 0, 4);
    tcase_add_test(told, bug5_submit_racing_with_shutdown_is_run_or_refused);
    tcase_add_test(told, bug6_shutdown_with_a_stuck_job_times_out_and_may_be_called_again);
    tcase_add_test(calls, bug7_callback_during_shutdown_may_use_its_executor);
    tcase_add_test(calls, bug8_signals_do_not_reach_workers_even_in_a_storm);
    tcase_add_test(calls, bug9_finishing_twice_calls_back_once);
    tcase_add_test(calls, bug10_shutdown_returns_after_all_callbacks);
    tcase_add_loop_test(calls, bug11_destructors_may_use_everything, 0, KINDS);
    tcase_add_test(wake, bug12_idle_workers_hear_of_the_end);
    tcase_add_test(wake, bug13_everybody_who_waits_wakes);
    tcase_add_test(wake, bug14_many_idle_workers_are_freed_soon);
    tcase_add_test(wake, bug15_count_of_idle_workers_does_not_drift);
    tcase_add_test(wake, bug16_several_submits_wake_several_workers);
    tcase_add_test(wake, bug17_jobs_that_submit_while_shutdown_drains);
    tcase_add_test(wake, bug18_ping_pong_among_many_workers_loses_no_wake_up);
    tcase_add_test(wake, bug19_submit_before_any_worker_waits);
    return suite_run("exec: lost and never told", told, calls, wake);
}
