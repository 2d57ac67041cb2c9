/* check_race_gather.c -- several jobs, one result or all. Section J of docs/futures.md, S147 to
 * S151. */
#include "jobs.h"

#include "weft/gather.h"
#include "weft/race.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 5

/* A racer, or one of a gathering. */
struct runner {
    int err;           /* what it returns... */
    struct gate *gate; /* ...after this gate, if it has one, */
    bool stoppable;    /* or when it is asked to stop */
    struct peak *peak;
    atomic_int *ends; /* counts the ends of runs */
    atomic_int *frees;
};

static int job_run(struct weft_task *self, void *arg, void **value)
{
    struct runner *r = arg;
    if (r->peak) {
        peak_enter(r->peak);
        sched_yield();
        peak_leave(r->peak);
    }
    if (r->gate) {
        gate_pass(r->gate);
    }
    int err = r->stoppable ? (int)weft_pause(self, WEFT_FOREVER) : r->err;
    *value = r->frees;
    if (r->ends) {
        atomic_fetch_add(r->ends, 1);
    }
    return err;
}

static void free_runner(void *arg)
{
    struct runner *r = arg;
    atomic_fetch_add(r->frees, 1);
    free(r);
}

/* Jobs that own their runners, copied from rs; their values point to the counter and are counted
 * there when destroyed. */
static void make_jobs(struct weft_job jobs[], const struct runner rs[], size_t n, atomic_int *frees)
{
    for (size_t i = 0; i < n; i++) {
        struct runner *r = malloc(sizeof *r);
        ck_assert_ptr_nonnull(r);
        *r = rs[i];
        r->frees = frees;
        jobs[i] = (struct weft_job){.run = job_run, .arg = r, .arg_free = free_runner};
    }
}

START_TEST(S147_first_success_wins_and_losers_are_asked_to_stop)
{
    atomic_int frees = 0;
    size_t winner = 99;
    struct weft_job jobs[N];
    struct weft_result out[N];
    struct gate gate = GATE_CLOSED;
    gate_open(&gate);
    const struct runner rs[N] = {
        {.stoppable = true}, {.err = 7}, {.gate = &gate}, {.stoppable = true}, {.stoppable = true}};
    struct weft_executor *e = make_pool(N);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_race(e, jobs, N, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_uint_eq(winner, 2);
    ck_status(out[2].status, WEFT_OK);
    ck_assert_ptr_eq(out[2].value, &frees);
    ck_status(out[0].status, WEFT_ECANCELED);
    free_executor(e); /* would hang if a loser had not been asked to stop */
    ck_assert_int_eq(frees, N);
}
END_TEST

START_TEST(S147_all_failing_gives_every_error_in_input_order)
{
    atomic_int frees = 0;
    size_t winner = 99;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.err = 1}, {.err = 2}, {.err = -3}, {.err = 4}, {.err = 5}};
    struct weft_executor *e = make_executor(_i);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_race(e, jobs, N, WEFT_FOREVER, &winner, out), WEFT_EALL);
    for (size_t i = 0; i < N; i++) {
        ck_status(out[i].status, WEFT_OK);
        ck_assert_int_eq(out[i].err, rs[i].err);
        ck_assert_ptr_eq(out[i].value, &frees); /* an error may carry a value */
    }
    free_executor(e);
    ck_assert_int_eq(frees, N);
}
END_TEST

START_TEST(race_inline_runs_no_more_than_it_needs)
{
    atomic_int frees = 0, ends = 0;
    size_t winner;
    struct weft_job jobs[3];
    struct weft_result out[3];
    const struct runner rs[3] = {{.err = 1, .ends = &ends}, {.ends = &ends}, {.ends = &ends}};
    struct weft_executor *e = make_executor(INLINE);
    make_jobs(jobs, rs, 3, &frees);
    ck_status(weft_race(e, jobs, 3, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_uint_eq(winner, 1);
    ck_assert_int_eq(ends, 2);
    ck_assert_int_eq(out[0].err, 1);
    ck_status(out[2].status, WEFT_ECANCELED);
    ck_assert_int_eq(frees, 3);
    free_executor(e);
}
END_TEST

START_TEST(S148_losers_are_not_waited_for)
{
    atomic_int frees = 0, ends = 0;
    size_t winner;
    struct weft_job jobs[2];
    struct weft_result out[2];
    struct gate gate = GATE_CLOSED;
    const struct runner rs[2] = {{.gate = &gate, .ends = &ends}, {.err = 0}};
    struct weft_executor *e = make_pool(2);
    make_jobs(jobs, rs, 2, &frees);
    ck_status(weft_race(e, jobs, 2, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_uint_eq(winner, 1);
    ck_assert_int_eq(ends, 0); /* the loser is still at its gate */
    gate_open(&gate);
    free_executor(e);
    ck_assert_int_eq(ends, 1);
    ck_assert_int_eq(frees, 2);
}
END_TEST

START_TEST(race_past_the_deadline_asks_all_to_stop)
{
    atomic_int frees = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.stoppable = true},
                                 {.stoppable = true},
                                 {.stoppable = true},
                                 {.stoppable = true},
                                 {.err = 3}};
    struct weft_executor *e = make_pool(2);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_race(e, jobs, N, weft_in_ms(5), NULL, out), WEFT_ETIMEDOUT);
    for (int i = 0; i < N; i++) {
        ck_status(out[i].status, WEFT_ECANCELED);
    }
    free_executor(e);
    ck_assert_int_eq(frees, N);
}
END_TEST

START_TEST(race_with_a_bounded_queue_starts_all)
{
    atomic_int frees = 0;
    size_t winner;
    struct weft_job jobs[N];
    struct weft_result out[N];
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = N, .queue_max = 1};
    const struct runner rs[N] = {{.stoppable = true},
                                 {.stoppable = true},
                                 {.stoppable = true},
                                 {.stoppable = true},
                                 {.err = 0}};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_race(e, jobs, N, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_uint_eq(winner, N - 1);
    free_executor(e);
    ck_assert_int_eq(frees, N);
}
END_TEST

START_TEST(S149_race_of_none_is_an_error)
{
    atomic_int frees = 0;
    size_t winner;
    struct weft_result out[1];
    struct weft_job job = {.run = job_nothing, .arg = &frees, .arg_free = count_free};
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    ck_status(weft_race(e, &job, 0, WEFT_FOREVER, &winner, out), WEFT_EINVAL);
    ck_status(weft_race(NULL, &job, 1, WEFT_FOREVER, &winner, out), WEFT_EINVAL);
    ck_status(weft_race(e, NULL, 1, WEFT_FOREVER, &winner, out), WEFT_EINVAL);
    job.queue = q; /* the race needs the job's queue for itself */
    ck_status(weft_race(e, &job, 1, WEFT_FOREVER, &winner, out), WEFT_EINVAL);
    job = (struct weft_job){.arg = &frees, .arg_free = count_free};
    ck_status(weft_race(e, &job, 1, WEFT_FOREVER, &winner, out), WEFT_EINVAL);
    ck_assert_int_eq(frees, 0);
    weft_completion_queue_free(q);
    free_executor(e);
}
END_TEST

START_TEST(race_on_a_closed_executor_destroys_the_arguments)
{
    atomic_int frees = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{0}};
    struct weft_executor *e = make_executor(_i);
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_race(e, jobs, N, WEFT_FOREVER, NULL, out), WEFT_ECLOSED);
    ck_assert_int_eq(frees, N);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 2, 0, WEFT_FOREVER, out), WEFT_ECLOSED);
    ck_assert_int_eq(frees, 2 * N);
    ck_status(out[0].status, WEFT_ECANCELED);
    free_executor(e);
}
END_TEST

START_TEST(gather_gives_every_result_in_input_order)
{
    atomic_int frees = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.err = 0}, {.err = 2}, {.err = 0}, {.err = -4}, {.err = 0}};
    struct weft_executor *e = make_executor(_i / 3);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, (size_t)(_i % 3), 0, WEFT_FOREVER, out), WEFT_OK);
    for (size_t i = 0; i < N; i++) {
        ck_status(out[i].status, WEFT_OK);
        ck_assert_int_eq(out[i].err, rs[i].err);
        ck_assert_ptr_eq(out[i].value, &frees);
    }
    ck_assert_int_eq(frees, N);
    ck_status(weft_gather(e, NULL, 0, 0, 0, WEFT_FOREVER, NULL), WEFT_OK);
    free_executor(e);
}
END_TEST

START_TEST(S150_gather_returns_with_nothing_running)
{
    /* A failure alone stops nothing: all run to their end. */
    atomic_int frees = 0, ends = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.err = 9, .ends = &ends},
                                 {.ends = &ends},
                                 {.ends = &ends},
                                 {.ends = &ends},
                                 {.ends = &ends}};
    struct weft_executor *e = make_executor(_i);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 0, 0, WEFT_FOREVER, out), WEFT_OK);
    ck_assert_int_eq(ends, N);
    ck_assert_int_eq(frees, N);
    free_executor(e);
}
END_TEST

START_TEST(S150_stop_on_error_cancels_the_rest_and_waits)
{
    atomic_int frees = 0, ends = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.stoppable = true, .ends = &ends},
                                 {.err = 6, .ends = &ends},
                                 {.stoppable = true, .ends = &ends},
                                 {.stoppable = true, .ends = &ends},
                                 {.stoppable = true, .ends = &ends}};
    struct weft_executor *e = make_pool(2);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 3, WEFT_STOP_ON_ERROR, WEFT_FOREVER, out), WEFT_ECANCELED);
    int ended = ends; /* nothing of it runs any more */
    ck_assert_int_eq(frees, N);
    ck_assert_int_eq(out[1].err, 6);
    for (int i = 0; i < N; i++) {
        ck_status(out[i].status, i == 1 ? WEFT_OK : WEFT_ECANCELED);
    }
    free_executor(e);
    ck_assert_int_eq(ends, ended);
    ck_assert_int_le(ended, 3);
}
END_TEST

START_TEST(S150_stop_on_error_runs_no_more_than_it_needs_without_threads)
{
    atomic_int frees = 0, ends = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.ends = &ends},
                                 {.err = _i ? WEFT_ECANCELED : 6, .ends = &ends},
                                 {.ends = &ends},
                                 {.ends = &ends},
                                 {.ends = &ends}};
    struct weft_executor *e = make_executor(INLINE);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 0, WEFT_STOP_ON_ERROR, WEFT_FOREVER, out), WEFT_ECANCELED);
    ck_assert_int_eq(ends, 2);
    ck_assert_int_eq(frees, N);
    ck_status(out[0].status, WEFT_OK);
    ck_status(out[1].status, WEFT_OK);
    ck_assert_int_eq(out[1].err, rs[1].err); /* it failed: nobody had asked it to stop */
    ck_assert_ptr_eq(out[1].value, &frees);
    for (int i = 2; i < N; i++) {
        ck_status(out[i].status, WEFT_ECANCELED);
    }
    free_executor(e);
}
END_TEST

START_TEST(gather_past_the_deadline_starts_no_more)
{
    atomic_int frees = 0, ends = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {
        {.ends = &ends}, {.ends = &ends}, {.ends = &ends}, {.ends = &ends}, {.ends = &ends}};
    struct weft_executor *e = make_executor(INLINE);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 0, 0, WEFT_POLL, out), WEFT_ETIMEDOUT);
    ck_assert_int_eq(ends, 1); /* what has been submitted has run */
    ck_assert_int_eq(frees, N);
    ck_status(out[0].status, WEFT_OK);
    ck_status(out[1].status, WEFT_ECANCELED);
    free_executor(e);
}
END_TEST

/* Each job waits for the others of its group: so as many as the limit must be under way at once. */
static int meet(struct weft_task *self, void *arg, void **value)
{
    struct gate *g = arg;
    (void)self, (void)value;
    pthread_mutex_lock(&g->lock);
    unsigned whole = (g->arrived++ / 3 + 1) * 3;
    pthread_cond_broadcast(&g->changed);
    while (g->arrived < whole) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    pthread_mutex_unlock(&g->lock);
    return 0;
}

START_TEST(S151_the_next_starts_when_one_ends)
{
    enum { MANY = 60 };
    static struct weft_job jobs[MANY];
    static struct weft_result out[MANY];
    struct gate g = GATE_CLOSED;
    struct weft_executor *e = make_pool(4);
    for (size_t i = 0; i < MANY; i++) {
        jobs[i] = (struct weft_job){.run = meet, .arg = &g};
    }
    ck_status(weft_gather(e, jobs, MANY, 3, 0, WEFT_FOREVER, out), WEFT_OK);
    ck_assert_uint_eq(g.arrived, MANY);
    free_executor(e);
}
END_TEST

START_TEST(gather_past_the_deadline_stops_and_waits)
{
    atomic_int frees = 0, ends = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    const struct runner rs[N] = {{.err = 1, .ends = &ends},
                                 {.stoppable = true, .ends = &ends},
                                 {.stoppable = true, .ends = &ends},
                                 {.stoppable = true, .ends = &ends},
                                 {.stoppable = true, .ends = &ends}};
    struct weft_executor *e = make_pool(3);
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 3, 0, weft_in_ms(20), out), WEFT_ETIMEDOUT);
    int ended = ends;
    ck_assert_int_eq(frees, N);
    for (int i = 1; i < N; i++) {
        ck_status(out[i].status, WEFT_ECANCELED);
    }
    free_executor(e);
    ck_assert_int_eq(ends, ended);
    ck_status(weft_gather(NULL, jobs, N, 1, 0, WEFT_POLL, out), WEFT_EINVAL);
}
END_TEST

START_TEST(S151_at_most_limit_at_once)
{
    enum { MANY = 60 }; /* each yields: far from free on a busy machine */
    static struct weft_job jobs[MANY];
    static struct weft_result out[MANY];
    struct peak peak = {0};
    atomic_int frees = 0;
    struct weft_executor *e = make_executor(_i / 3);
    size_t limit = (size_t)(_i % 3) + 1;
    for (size_t i = 0; i < MANY; i++) {
        make_jobs(&jobs[i], &(struct runner){.peak = &peak}, 1, &frees);
    }
    ck_status(weft_gather(e, jobs, MANY, limit, 0, WEFT_FOREVER, out), WEFT_OK);
    ck_assert_uint_le(peak.most, limit);
    ck_assert_int_eq(frees, MANY);
    free_executor(e);
}
END_TEST

START_TEST(gather_with_a_bounded_queue)
{
    enum { MANY = 100 };
    static struct weft_job jobs[MANY];
    static struct weft_result out[MANY];
    atomic_int frees = 0;
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = 2, .queue_max = 1};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    for (size_t i = 0; i < MANY; i++) {
        make_jobs(&jobs[i], &(struct runner){0}, 1, &frees);
    }
    ck_status(weft_gather(e, jobs, MANY, 0, 0, WEFT_FOREVER, out), WEFT_OK);
    ck_assert_int_eq(frees, MANY);
    free_executor(e);
}
END_TEST

/* A job that gathers and races on its own executor. */
static int gather_inside(struct weft_task *self, void *e, void **value)
{
    atomic_int frees = 0;
    struct weft_job jobs[N];
    struct weft_result out[N];
    size_t winner;
    const struct runner rs[N] = {{0}};
    (void)self, (void)value;
    make_jobs(jobs, rs, N, &frees);
    ck_status(weft_gather(e, jobs, N, 2, 0, WEFT_FOREVER, out), WEFT_OK);
    ck_assert_int_eq(frees, N);
    make_jobs(jobs, rs, 1, &frees);
    ck_status(weft_race(e, jobs, 1, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_int_eq(frees, N + 1);
    return 0;
}

START_TEST(gather_and_race_inside_a_job_of_the_same_pool)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit(e, gather_inside, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

static int fork_once(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    *(pid_t *)arg = fork();
    return 0;
}

START_TEST(gather_ends_in_a_child_that_a_job_forked)
{
    pid_t child = -1;
    int status;
    struct weft_result out[2];
    struct weft_executor *e = make_executor(INLINE);
    struct weft_job jobs[] = {{.run = fork_once, .arg = &child}, {.run = job_nothing}};
    fflush(NULL);
    enum weft_status st = weft_gather(e, jobs, 2, 1, 0, WEFT_FOREVER, out);
    if (child == 0) {
        _exit(st == WEFT_EFORKED ? 0 : 1);
    }
    ck_status(st, WEFT_OK);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free_executor(e);
}
END_TEST

int main(void)
{
    TCase *race = tcase_create("race"), *gather = tcase_create("gather");
    tcase_add_test(race, S147_first_success_wins_and_losers_are_asked_to_stop);
    tcase_add_loop_test(race, S147_all_failing_gives_every_error_in_input_order, 0, KINDS);
    tcase_add_test(race, race_inline_runs_no_more_than_it_needs);
    tcase_add_test(race, S148_losers_are_not_waited_for);
    tcase_add_test(race, race_past_the_deadline_asks_all_to_stop);
    tcase_add_test(race, race_with_a_bounded_queue_starts_all);
    tcase_add_loop_test(race, S149_race_of_none_is_an_error, 0, KINDS);
    tcase_add_loop_test(race, race_on_a_closed_executor_destroys_the_arguments, 0, KINDS);
    tcase_add_loop_test(gather, gather_gives_every_result_in_input_order, 0, 3 * KINDS);
    tcase_add_loop_test(gather, S150_gather_returns_with_nothing_running, 0, KINDS);
    tcase_add_test(gather, S150_stop_on_error_cancels_the_rest_and_waits);
    tcase_add_loop_test(gather, S150_stop_on_error_runs_no_more_than_it_needs_without_threads, 0,
                        2);
    tcase_add_test(gather, gather_past_the_deadline_starts_no_more);
    tcase_add_test(gather, gather_past_the_deadline_stops_and_waits);
    tcase_add_loop_test(gather, S151_at_most_limit_at_once, 0, 3 * KINDS);
    tcase_add_test(gather, S151_the_next_starts_when_one_ends);
    tcase_add_test(gather, gather_with_a_bounded_queue);
    tcase_add_loop_test(gather, gather_and_race_inside_a_job_of_the_same_pool, 0, KINDS);
    tcase_add_test(gather, gather_ends_in_a_child_that_a_job_forked);
    return suite_run("exec: race and gather", race, gather);
}
