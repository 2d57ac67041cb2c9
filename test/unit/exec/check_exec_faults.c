/* check_exec_faults.c -- what happens when the system gives no memory, no thread, no lock, or wakes
 * a thread for nothing. Each scenario is run with the first allocation failing, then the second,
 * and so on until none is left to fail: it must say so, leak nothing, and leave nothing half done.
 */
#include "jobs.h"

#include "exec/executor.h" /* for the lists, to see that nothing is left in them */
#include "support/faults/faults.h"
#include "weft/gather.h"
#include "weft/map.h"
#include "weft/race.h"
#include "weft/semaphore.h"
#include <stdlib.h>

/* ---- scenarios: each returns WEFT_OK, or what failed, with everything cleaned up */

static enum weft_status make_and_free_pool(void)
{
    struct weft_executor *e;
    enum weft_status st = weft_executor_new(&e, &(struct weft_executor_options){.max_workers = 3});
    fault_check((st == WEFT_OK) == (e != NULL));
    fault_check(weft_executor_free(e) == WEFT_OK);
    return st;
}

static enum weft_status make_and_free_inline(void)
{
    struct weft_executor *e;
    enum weft_status st = weft_executor_inline_new(&e);
    fault_check((st == WEFT_OK) == (e != NULL));
    fault_check(weft_executor_free(e) == WEFT_OK);
    return st;
}

static enum weft_status make_and_free_semaphore(void)
{
    struct weft_semaphore *s;
    enum weft_status st = weft_semaphore_new(&s, 1, WEFT_NO_CAP);
    if (st != WEFT_OK) {
        fault_check(!s);
        return st;
    }
    fault_check(weft_semaphore_acquire(s, WEFT_POLL) == WEFT_OK);
    st = weft_semaphore_acquire(s, weft_in_ms(1));
    fault_check(weft_semaphore_waiting(s) == 0);
    fault_check(weft_semaphore_release(s) == WEFT_OK);
    fault_check(weft_semaphore_free(s) == WEFT_OK);
    return st == WEFT_ETIMEDOUT ? WEFT_OK : st;
}

/* An executor that was made before any fault, for the scenarios below. */
static struct weft_executor *shared;

static enum weft_status submit_and_read(void)
{
    atomic_int frees = 0;
    struct weft_future *f;
    struct weft_result r;
    struct weft_job job = {.run = job_nothing, .arg = &frees, .arg_free = count_free};
    enum weft_status st = weft_executor_submit(shared, &job, WEFT_FOREVER, &f);
    if (st != WEFT_OK) {
        fault_check(!f);
        fault_check(frees == 0); /* still the caller's */
        return st;
    }
    st = weft_future_result(f, WEFT_FOREVER, &r);
    fault_check(r.status == st);
    while (!weft_future_done(f)) { /* it could not be waited for, but it gets done */
        sched_yield();
    }
    fault_check(frees == 1);
    weft_future_release(f);
    return st;
}

static enum weft_status submit_to_queue(void)
{
    struct weft_future *f = NULL;
    struct weft_completion_queue *q;
    enum weft_status st = weft_completion_queue_new(&q);
    if (st != WEFT_OK) {
        fault_check(!q);
        return st;
    }
    st = weft_executor_submit(shared, &(struct weft_job){.run = job_nothing, .queue = q},
                              WEFT_FOREVER, NULL);
    fault_check(weft_completion_queue_outstanding(q) == (st == WEFT_OK));
    if (st == WEFT_OK) {
        st = weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL);
        fault_check((st == WEFT_OK) == (f != NULL));
        weft_future_release(f);
    }
    weft_completion_queue_free(q);
    return st;
}

/* Pauses for a moment; its result is what the pause said. */
static int job_pause(struct weft_task *self, void *arg, void **value)
{
    (void)arg, (void)value;
    return (int)weft_pause(self, weft_now() + 1000);
}

static enum weft_status pause_a_while(void)
{
    struct weft_future *f;
    struct weft_result r;
    enum weft_status st = weft_executor_submit(shared, &(struct weft_job){.run = job_pause},
                                               WEFT_FOREVER, &f);
    if (st != WEFT_OK) {
        return st;
    }
    while (!weft_future_done(f)) {
        sched_yield();
    }
    fault_check(weft_future_result(f, WEFT_POLL, &r) == WEFT_OK);
    weft_future_release(f);
    return (enum weft_status)r.err;
}

#define MANY 20 /* more than a wait keeps on its stack */

static enum weft_status wait_for_many(void)
{
    size_t made = 0, ndone;
    struct weft_future *fs[MANY];
    enum weft_status st = WEFT_OK;
    while (made < MANY && (st = weft_promise_new(&fs[made], NULL)) == WEFT_OK) {
        made++;
    }
    if (made == MANY) {
        fault_check(weft_promise_finish(fs[7], 0, NULL) == WEFT_OK);
        st = weft_wait(fs, made, weft_in_ms(1), WEFT_ALL_COMPLETED, &ndone);
        fault_check(ndone == 1);
        st = st == WEFT_ETIMEDOUT ? WEFT_OK : st;
    }
    for (size_t i = 0; i < made; i++) {
        fault_check(weft_list_empty(&fs[i]->listeners));
        weft_future_release(fs[i]);
    }
    return st;
}

static enum weft_status add_to_queue(void)
{
    struct weft_future *f = NULL, *out;
    struct weft_completion_queue *q;
    enum weft_status st = weft_completion_queue_new(&q);
    if (st == WEFT_OK && (st = weft_promise_new(&f, NULL)) == WEFT_OK) {
        st = weft_completion_queue_add(q, f, NULL);
        fault_check(weft_completion_queue_outstanding(q) == (st == WEFT_OK));
        fault_check(weft_list_empty(&f->listeners) == (st != WEFT_OK));
        fault_check(weft_promise_finish(f, 0, NULL) == WEFT_OK);
        if (st == WEFT_OK) { /* what is ready is handed out whatever happens */
            fault_check(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL) == WEFT_OK);
            weft_future_release(out);
        }
    }
    weft_future_release(f);
    weft_completion_queue_free(q);
    return st;
}

static enum weft_status add_callbacks(void)
{
    atomic_int calls = 0;
    int added = 0;
    struct weft_future *f;
    enum weft_status st = weft_promise_new(&f, NULL);
    if (st != WEFT_OK) {
        return st;
    }
    for (int i = 0; i < 3; i++) {
        enum weft_status add = weft_future_add_done_callback(f, count_call, &calls);
        added += add == WEFT_OK;
        st = add == WEFT_OK ? st : add;
    }
    fault_check(weft_promise_finish(f, 0, NULL) == WEFT_OK);
    fault_check(calls == added);
    weft_future_release(f);
    return st;
}

static enum weft_status next_of_ten(void *source, void **item)
{
    int *next = source;
    *item = next;
    return (*next)++ < 10 ? WEFT_OK : WEFT_END;
}

static enum weft_status map_in(bool ordered)
{
    int next = 0;
    size_t results = 0;
    struct weft_map *m;
    struct weft_result r;
    struct weft_map_spec spec = {
        .next = next_of_ten, .source = &next, .run = job_nothing, .limit = 3, .ordered = ordered};
    enum weft_status st = weft_executor_map(&m, shared, &spec);
    if (st != WEFT_OK) {
        fault_check(!m);
        return st;
    }
    while ((st = weft_map_next(m, WEFT_FOREVER, NULL, &r)) == WEFT_OK) {
        results++;
    }
    if (st == WEFT_END) {
        fault_check(results == 10);
        st = WEFT_OK;
    } else { /* what was in flight has been handed out before */
        fault_check(weft_map_next(m, WEFT_FOREVER, NULL, &r) == WEFT_END);
    }
    weft_map_close(m);
    return st;
}

static enum weft_status map_ordered(void)
{
    return map_in(true);
}

static enum weft_status map_unordered(void)
{
    return map_in(false);
}

#define FEW 4

static void make_jobs(struct weft_job jobs[FEW], atomic_int *frees)
{
    for (int i = 0; i < FEW; i++) {
        jobs[i] = (struct weft_job){.run = job_nothing, .arg = frees, .arg_free = count_free};
    }
}

static enum weft_status gather_some(void)
{
    atomic_int frees = 0;
    struct weft_job jobs[FEW];
    struct weft_result out[FEW];
    make_jobs(jobs, &frees);
    unsigned flags = WEFT_STOP_ON_ERROR; /* none fails: but it takes memory, too */
    enum weft_status st = weft_gather(shared, jobs, FEW, 2, flags, WEFT_FOREVER, out);
    fault_check(frees == FEW); /* whatever came of it */
    for (int i = 0; i < FEW; i++) {
        fault_check(st != WEFT_OK || out[i].status == WEFT_OK);
    }
    return st;
}

static enum weft_status race_some(void)
{
    static atomic_int frees; /* losers may free later: each round waits for that */
    struct weft_job jobs[FEW];
    struct weft_result out[FEW];
    size_t winner;
    frees = 0;
    make_jobs(jobs, &frees);
    enum weft_status st = weft_race(shared, jobs, FEW, WEFT_FOREVER, &winner, out);
    while (frees < FEW) {
        sched_yield();
    }
    return st;
}

/* ---- producers that wait for room: one that gets no memory must not keep the room to itself ----
 */

struct producer {
    pthread_t thread;
    struct weft_executor *e;
    enum weft_status st;
    atomic_uint *returned;
};

static void *produce(void *arg)
{
    struct producer *p = arg;
    p->st = weft_executor_submit(p->e, &(struct weft_job){.run = job_nothing}, WEFT_FOREVER, NULL);
    atomic_fetch_add(p->returned, 1);
    return NULL;
}

/* Whether each of the two producers stands in line, or has returned. */
static bool producers_are_there(void *arg)
{
    struct producer *p = arg;
    pthread_mutex_lock(&p->e->lock);
    unsigned there = atomic_load(p->returned);
    for (struct weft_link *l = weft_list_first(&p->e->room.waiters); l;
         l = weft_list_next(&p->e->room.waiters, l)) {
        there++;
    }
    pthread_mutex_unlock(&p->e->lock);
    return there == 2;
}

static enum weft_status let_two_wait_for_room(struct weft_executor *e, struct gate *gate)
{
    atomic_uint returned = 0;
    struct producer ps[2] = {{.e = e, .returned = &returned}, {.e = e, .returned = &returned}};
    fault_check(pthread_create(&ps[0].thread, NULL, produce, &ps[0]) == 0);
    fault_check(pthread_create(&ps[1].thread, NULL, produce, &ps[1]) == 0);
    fault_check(eventually(producers_are_there, &ps[0], weft_in_ms(30000)));
    gate_open(gate);
    pthread_join(ps[0].thread, NULL); /* hangs if the room was lost */
    pthread_join(ps[1].thread, NULL);
    return ps[0].st != WEFT_OK ? ps[0].st : ps[1].st;
}

static enum weft_status wait_for_room(void)
{
    struct gate gate = GATE_CLOSED;
    struct weft_future *running = NULL, *queued = NULL; /* held, so that neither is used again */
    struct weft_executor *e;
    struct weft_job job = {.run = job_gate, .arg = &gate};
    enum weft_status st = weft_executor_new(
        &e, &(struct weft_executor_options){.max_workers = 1, .queue_max = 1});
    if (st != WEFT_OK) {
        return st;
    }
    if ((st = weft_executor_submit(e, &job, WEFT_FOREVER, &running)) == WEFT_OK) {
        gate_await(&gate, 1);
        job = (struct weft_job){.run = job_nothing};
        st = weft_executor_submit(e, &job, WEFT_FOREVER, &queued);
    }
    if (st == WEFT_OK) {
        st = let_two_wait_for_room(e, &gate);
    }
    gate_open(&gate);
    fault_check(weft_executor_free(e) == WEFT_OK);
    weft_future_release(running);
    weft_future_release(queued);
    return st;
}

static const struct {
    const char *name;
    enum weft_status (*run)(void);
} scenarios[] = {
    {"pool", make_and_free_pool},
    {"inline", make_and_free_inline},
    {"semaphore", make_and_free_semaphore},
    {"submit", submit_and_read},
    {"queue", submit_to_queue},
    {"wait", wait_for_many},
    {"pause", pause_a_while},
    {"add", add_to_queue},
    {"callbacks", add_callbacks},
    {"ordered map", map_ordered},
    {"unordered map", map_unordered},
    {"gather", gather_some},
    {"race", race_some},
    {"room", wait_for_room},
};
#define SCENARIOS (int)(sizeof scenarios / sizeof scenarios[0])

/* Runs a scenario with the n-th thing failing, for every n until none fails. Returns how many
 * could. */
static long run_with(int i, void (*break_at)(long n))
{
    long n = 1;
    shared = make_pool(2);
    for (bool hit = true; hit; n++) {
        break_at(n);
        enum weft_status st = scenarios[i].run();
        hit = faults_hit();
        break_at(0);
        ck_assert_msg(hit || st == WEFT_OK, "%s: without a fault: %s", scenarios[i].name,
                      weft_strerror(st));
        ck_assert_msg(st == WEFT_OK || st == WEFT_ENOMEM || st == WEFT_EAGAIN, "%s: %s",
                      scenarios[i].name, weft_strerror(st));
        ck_assert_msg(n < 1000, "%s: the faults have no end", scenarios[i].name);
    }
    ck_status(scenarios[i].run(), WEFT_OK); /* and it works when all is well again */
    free_executor(shared);
    assert_no_workers();
    return n - 2;
}

START_TEST(every_allocation_may_fail)
{
    ck_assert_int_ge(run_with(_i, faults_alloc_at), 1);
}
END_TEST

START_TEST(every_allocation_from_the_nth_on_may_fail)
{
    ck_assert_int_ge(run_with(_i, faults_alloc_from), 1);
}
END_TEST

START_TEST(every_lock_and_condition_variable_may_fail)
{
    ck_assert_int_ge(run_with(_i, faults_init_at), 1);
}
END_TEST

START_TEST(S27_scenarios_work_when_waits_wake_for_nothing)
{
    shared = make_pool(2);
    faults_spurious(true);
    for (int n = 0; n < 20; n++) {
        ck_status(scenarios[_i].run(), WEFT_OK);
    }
    faults_spurious(false);
    free_executor(shared);
}
END_TEST

/* ---- S27: a wait that is woken for nothing goes on waiting */

struct waiting {
    struct helper helper;
    struct weft_future *f;
    struct weft_completion_queue *q;
    struct weft_semaphore *s;
    struct weft_executor *e;
    int how;
    atomic_bool told;  /* the event has happened */
    atomic_bool early; /* somebody returned before */
};

static int job_tell(struct weft_task *self, void *arg, void **value)
{
    struct waiting *w = arg;
    (void)value;
    enum weft_status st = weft_pause(self, WEFT_FOREVER);
    if (!atomic_load(&w->told)) {
        atomic_store(&w->early, true);
    }
    return (int)st;
}

enum { BY_RESULT, BY_WAIT, BY_NEXT, BY_ACQUIRE, BY_SHUTDOWN, WAYS };

static void wait_in_some_way(void *arg)
{
    struct waiting *w = arg;
    struct weft_future *f;
    switch (w->how) {
    case BY_RESULT:
        ck_status(weft_future_result(w->f, WEFT_FOREVER, NULL), WEFT_OK);
        break;
    case BY_WAIT:
        ck_status(weft_wait(&w->f, 1, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), WEFT_OK);
        break;
    case BY_NEXT:
        ck_status(weft_completion_queue_next(w->q, WEFT_FOREVER, &f, NULL), WEFT_OK);
        weft_future_release(f);
        break;
    case BY_ACQUIRE:
        ck_status(weft_semaphore_acquire(w->s, WEFT_FOREVER), WEFT_OK);
        break;
    default:
        ck_status(weft_executor_shutdown(w->e, 0, WEFT_FOREVER), WEFT_OK);
    }
    if (!atomic_load(&w->told)) {
        atomic_store(&w->early, true);
    }
}

START_TEST(S27_wait_that_wakes_for_nothing_goes_on_waiting)
{
    for (int round = 0; round < 50; round++) {
        struct waiting w = {.f = new_promise(NULL), .q = new_queue(), .e = make_pool(1)};
        w.how = _i;
        ck_status(weft_semaphore_new(&w.s, 1, WEFT_NO_CAP), WEFT_OK);
        ck_status(weft_semaphore_acquire(w.s, WEFT_POLL), WEFT_OK);
        ck_status(weft_completion_queue_add(w.q, w.f, NULL), WEFT_OK);
        faults_spurious(true);
        struct weft_future *job = submit(w.e, job_tell, &w);
        helper_start(&w.helper, wait_in_some_way, &w);
        for (int i = 0; i < 20; i++) {
            sched_yield(); /* time in which a wait that does not look again would come back */
        }
        atomic_store(&w.told, true);
        ck_status(weft_promise_finish(w.f, 0, NULL), WEFT_OK);
        ck_status(weft_semaphore_release(w.s), WEFT_OK);
        weft_future_cancel(job);
        helper_join(&w.helper);
        free_executor(w.e);
        faults_spurious(false);
        ck_assert(!w.early);
        if (w.how == BY_ACQUIRE) {
            ck_status(weft_semaphore_release(w.s), WEFT_OK);
        }
        ck_status(weft_semaphore_free(w.s), WEFT_OK);
        weft_completion_queue_free(w.q);
        weft_future_release(job);
        weft_future_release(w.f);
    }
}
END_TEST

/* ---- threads, and what costs no memory */

START_TEST(S98_bug29_every_thread_may_fail_to_start)
{
    enum { N = 5 };
    for (int k = 1; k <= N; k++) {
        struct weft_executor *e = (struct weft_executor *)&k;
        faults_thread_at(k);
        ck_status(weft_executor_new(&e, &(struct weft_executor_options){.max_workers = N}),
                  WEFT_EAGAIN);
        ck_assert(faults_hit());
        ck_assert_ptr_null(e);
        assert_no_workers();
    }
    faults_thread_at(N + 1);
    free_executor(make_pool(N));
    ck_assert(!faults_hit());
    faults_thread_at(0);
}
END_TEST

START_TEST(completing_allocates_nothing)
{
    enum { N = 50 };
    atomic_int calls = 0;
    struct blocked_pool b;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[N], *out;
    block_pool(&b);
    for (int i = 0; i < N; i++) {
        fs[i] = submit_job(b.e, &(struct weft_job){.run = job_nothing, .queue = q});
        ck_status(weft_completion_queue_add(q, fs[i], NULL), WEFT_OK);
        ck_status(weft_future_add_done_callback(fs[i], count_call, &calls), WEFT_OK);
    }
    faults_alloc_from(1); /* no memory any more */
    gate_open(&b.gate);
    for (int i = 0; i < 2 * N; i++) {
        fault_check(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL) == WEFT_OK);
        weft_future_release(out);
    }
    fault_check(weft_executor_shutdown(b.e, 0, WEFT_FOREVER) == WEFT_OK);
    fault_check(!faults_hit());
    faults_alloc_from(0);
    ck_assert_int_eq(calls, N);
    for (int i = 0; i < N; i++) {
        weft_future_release(fs[i]);
    }
    unblock_and_free(&b);
    weft_completion_queue_free(q);
}
END_TEST

START_TEST(future_without_waiters_costs_one_allocation)
{
    struct weft_future *f;
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    struct weft_job job = {.run = job_nothing, .queue = q};
    faults_alloc_at(2);
    fault_check(weft_executor_submit(e, &job, WEFT_FOREVER, &f) == WEFT_OK);
    fault_check(weft_future_result(f, WEFT_FOREVER, NULL) == WEFT_OK);
    weft_future_release(f);
    fault_check(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL) == WEFT_OK);
    weft_future_release(f);
    fault_check(!faults_hit());
    fault_check(weft_executor_submit(e, &job, WEFT_FOREVER, &f) == WEFT_ENOMEM);
    fault_check(faults_hit()); /* so it is one, not none */
    faults_alloc_at(0);
    weft_completion_queue_free(q);
    free_executor(e);
}
END_TEST

START_TEST(futures_are_as_large_as_the_documentation_says)
{
#ifdef __x86_64__
    ck_assert_uint_eq(sizeof(struct weft_future), 184);
    ck_assert_uint_eq(sizeof(struct weft_queue_entry), 64);
#endif
    ck_assert_uint_le(sizeof(struct weft_future), 256);
}
END_TEST

START_TEST(bug38_every_timed_wait_is_on_the_monotonic_clock)
{
    shared = make_pool(2);
    for (int i = 0; i < SCENARIOS; i++) {
        ck_status(scenarios[i].run(), WEFT_OK);
    }
    free_executor(shared);
    ck_assert_uint_eq(faults_wall_clock_conds(), 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, watchdog());
    tcase_add_loop_test(tc, every_allocation_may_fail, 0, SCENARIOS);
    tcase_add_loop_test(tc, every_allocation_from_the_nth_on_may_fail, 0, SCENARIOS);
    tcase_add_loop_test(tc, every_lock_and_condition_variable_may_fail, 0, SCENARIOS);
    tcase_add_loop_test(tc, S27_scenarios_work_when_waits_wake_for_nothing, 0, SCENARIOS);
    tcase_add_loop_test(tc, S27_wait_that_wakes_for_nothing_goes_on_waiting, 0, WAYS);
    tcase_add_test(tc, S98_bug29_every_thread_may_fail_to_start);
    tcase_add_test(tc, completing_allocates_nothing);
    tcase_add_loop_test(tc, future_without_waiters_costs_one_allocation, 0, KINDS);
    tcase_add_test(tc, futures_are_as_large_as_the_documentation_says);
    tcase_add_test(tc, bug38_every_timed_wait_is_on_the_monotonic_clock);
    return suite_run("exec: faults", tc);
}
