/* check_helping_faults.c -- a worker that waits for jobs of its own pool is held between two locks,
 * and finds another world when it goes on. D9 of docs/futures.md.
 *
 * At which lock it is held follows from the code: that it was held at all is asserted. */
#include "jobs.h"

#include "exec/executor.h" /* for the number of idle workers */
#include "support/faults/faults.h"
#include "weft/completion_queue.h"
#include "weft/gather.h"

#define ROUNDS 20

/* ---- the job ends after the look at it, and before the sleep ---- */

struct look {
    struct weft_executor *e;
    struct weft_future *job;
    unsigned looks_on;  /* the worker that waits */
    atomic_uint rounds; /* begun */
    atomic_uint held;   /* how often that worker was */
};

static bool other_is_idle(void *arg)
{
    struct look *l = arg;
    pthread_mutex_lock(&l->e->lock);
    bool idle = l->e->idle == 1;
    pthread_mutex_unlock(&l->e->lock);
    return idle;
}

static void hold_until_over(void *arg)
{
    struct look *l = arg;
    atomic_fetch_add(&l->held, 1);
    while (!weft_future_done(l->job)) {
        sched_yield();
    }
    fault_check(eventually(other_is_idle, l, weft_in_ms(30000))); /* it has counted it off */
}

static bool has_looked(void *arg)
{
    struct look *l = arg;
    return atomic_load(&l->held) == atomic_load(&l->rounds);
}

/* The other worker comes when it is called, but only after the look. */
static void hold_until_looked(void *arg)
{
    fault_check(eventually(has_looked, arg, weft_in_ms(30000)));
}

static int hold_me_next_time(struct weft_task *self, void *arg, void **value)
{
    struct look *l = arg;
    (void)value;
    if (weft_task_worker(self) != l->looks_on) {
        faults_after_wait(hold_until_looked, l);
    }
    return 0;
}

static int look_at_one(struct weft_task *self, void *arg, void **value)
{
    struct look *l = arg;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f;
    (void)value;
    l->looks_on = weft_task_worker(self);
    /* With a deadline nobody helps: so it is the other worker that will be held from now on. */
    l->job = submit_job(l->e, &(struct weft_job){.run = hold_me_next_time, .arg = l});
    ck_status(weft_future_result(l->job, weft_in_ms(30000), NULL), WEFT_OK);
    weft_future_release(l->job);
    for (int round = 0; round < ROUNDS; round++) {
        ck_assert(eventually(other_is_idle, l, weft_in_ms(30000)));
        atomic_fetch_add(&l->rounds, 1);
        struct weft_job job = {.run = hold_me_next_time, .arg = l, .queue = q};
        l->job = submit_job(l->e, &job);
        /* next looks twice, without and with a waiter; each time it locks the queue, the executor,
         * and the queue again */
        faults_before_lock(6, hold_until_over, l);
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_OK);
        faults_before_lock(0, NULL, NULL);
        ck_assert_ptr_eq(f, l->job);
        weft_future_release(f);
        weft_future_release(l->job);
    }
    weft_completion_queue_free(q);
    return 0;
}

START_TEST(bug39_job_that_ends_while_a_worker_looks_at_it_is_not_missed)
{
    struct look l = {.e = make_pool(2)};
    struct weft_future *f = submit(l.e, look_at_one, &l);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_uint_eq(l.held, ROUNDS);
    weft_future_release(f);
    atomic_store(&l.rounds, l.held); /* nobody is held any more */
    free_executor(l.e);
}
END_TEST

/* ---- a job is submitted after the failure that stops all, and before that is collected ---- */

struct late {
    struct weft_executor *e;
    atomic_uint failed;  /* jobs that have failed and stopped the others */
    atomic_uint started; /* late ones that run after all */
    atomic_uint dropped; /* late ones whose argument is gone */
    atomic_uint held;    /* how often the thread that gathers was */
};

static bool has_failed(void *arg)
{
    struct late *l = arg;
    return atomic_load(&l->failed) == atomic_load(&l->held);
}

static void hold_until_failed(void *arg)
{
    struct late *l = arg;
    atomic_fetch_add(&l->held, 1);
    fault_check(eventually(has_failed, l, weft_in_ms(30000)));
}

static bool late_one_is_there(void *arg)
{
    struct late *l = arg;
    return weft_executor_queued(l->e) > 0 || atomic_load(&l->started) > 0 ||
           atomic_load(&l->dropped) == atomic_load(&l->failed);
}

/* The argument of the job that fails, which is not done before this returns. */
static void linger(void *arg)
{
    struct late *l = arg;
    atomic_fetch_add(&l->failed, 1);
    fault_check(eventually(late_one_is_there, l, weft_in_ms(30000)));
}

static bool is_held(void *arg)
{
    struct late *l = arg;
    return atomic_load(&l->held) > atomic_load(&l->failed);
}

static int fail_when_held(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    fault_check(eventually(is_held, arg, weft_in_ms(30000)));
    return 6;
}

static int run_late(struct weft_task *self, void *arg, void **value)
{
    struct late *l = arg;
    (void)value;
    atomic_fetch_add(&l->started, 1);
    return (int)weft_pause(self, WEFT_FOREVER);
}

static void drop_late(void *arg)
{
    struct late *l = arg;
    atomic_fetch_add(&l->dropped, 1);
}

static int gather_late(struct weft_task *self, void *arg, void **value)
{
    struct late *l = arg;
    struct weft_result out[2];
    const struct weft_job jobs[2] = {{.run = fail_when_held, .arg = l, .arg_free = linger},
                                     {.run = run_late, .arg = l, .arg_free = drop_late}};
    (void)self, (void)value;
    for (int round = 0; round < ROUNDS; round++) {
        /* the first job takes the executor's lock and the queue's, the look at what is ready the
         * queue's, and then comes the second job */
        faults_before_lock(4, hold_until_failed, l);
        ck_status(weft_gather(l->e, jobs, 2, 0, WEFT_STOP_ON_ERROR, WEFT_FOREVER, out),
                  WEFT_ECANCELED);
        faults_before_lock(0, NULL, NULL);
        ck_status(out[0].status, WEFT_OK);
        ck_assert_int_eq(out[0].err, 6);
        ck_status(out[1].status, WEFT_ECANCELED);
    }
    return 0;
}

START_TEST(S150_job_submitted_after_the_failure_is_stopped)
{
    struct late l = {.e = make_pool(2)};
    struct weft_future *f = submit(l.e, gather_late, &l);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_uint_eq(l.held, ROUNDS);
    weft_future_release(f);
    free_executor(l.e);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("helping, held");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, bug39_job_that_ends_while_a_worker_looks_at_it_is_not_missed);
    tcase_add_test(tc, S150_job_submitted_after_the_failure_is_stopped);
    return suite_run("exec: helping, held", tc);
}
