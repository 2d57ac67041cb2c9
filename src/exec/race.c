/* race.c -- a set of jobs, the first success; the losers are asked to stop and not waited for. */
#include "weft/race.h"

#include "exec/completion_queue.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct racer {
    struct racers *all;
    weft_job_fn *run;
    void *arg;
    void (*arg_free)(void *arg);
};

/* What outlives the race: its losers may run on. */
struct racers {
    atomic_uint refs; /* one a racer that has not ended, one the race */
    struct weft_completion_queue *queue;
    atomic_bool won; /* somebody has, and stops the others */
    struct racer racer[];
};

struct race {
    size_t failed;
    size_t winner; /* n: none yet */
    struct weft_result *out;
    struct racers *racers;
};

static void release(struct racers *all)
{
    if (atomic_fetch_sub(&all->refs, 1) == 1) {
        weft_completion_queue_free(all->queue);
        free(all);
    }
}

/* The winner itself stops the others: the thread that called weft_race() may be a worker that runs
 * one of them meanwhile, and would never come to it if that one ends only when it is asked to. */
static int run_racer(struct weft_task *self, void *arg, void **value)
{
    struct racer *r = arg;
    int err = r->run(self, r->arg, value);
    if (err == 0 && !atomic_exchange(&r->all->won, true)) {
        weft_completion_queue_cancel_others(r->all->queue, weft_task_future(self));
    }
    return err;
}

static void free_racer(void *arg)
{
    struct racer *r = arg;
    if (r->arg_free) {
        r->arg_free(r->arg);
    }
    release(r->all);
}

/* Makes room for n of them. */
static enum weft_status line_up(struct racers **out, size_t n)
{
    struct racers *all = NULL;
    if (n <= (SIZE_MAX - sizeof *all) / sizeof all->racer[0]) {
        all = malloc(sizeof *all + n * sizeof all->racer[0]);
    }
    *out = NULL;
    if (!all) {
        return WEFT_ENOMEM;
    }
    atomic_init(&all->refs, 1);
    atomic_init(&all->won, false);
    enum weft_status st = weft_completion_queue_new(&all->queue);
    if (st != WEFT_OK) {
        free(all);
        return st;
    }
    *out = all;
    return WEFT_OK;
}

/* Waits for one racer and keeps what became of it. */
static enum weft_status collect(struct race *r, weft_time deadline)
{
    struct weft_future *f;
    void *slot;
    enum weft_status st = weft_completion_queue_next(r->racers->queue, deadline, &f, &slot);
    if (st != WEFT_OK) {
        return st;
    }
    struct weft_result *out = slot;
    weft_future_result(f, WEFT_POLL, out);
    out->value = weft_future_take(f);
    weft_future_release(f);
    if (out->status == WEFT_OK && out->err == 0) {
        r->winner = (size_t)(out - r->out);
    } else {
        r->failed++;
    }
    return WEFT_OK;
}

static bool valid(const struct weft_executor *e, const struct weft_job jobs[], size_t n,
                  const struct weft_result out[])
{
    if (!e || n == 0 || !jobs || !out) {
        return false;
    }
    size_t i = 0;
    while (i < n && jobs[i].run && !jobs[i].queue) {
        i++;
    }
    return i == n;
}

static enum weft_status submit(struct race *r, struct weft_executor *e, const struct weft_job *job,
                               size_t i, weft_time deadline)
{
    struct racers *all = r->racers;
    struct weft_job racing = *job;
    all->racer[i] = (struct racer){all, job->run, job->arg, job->arg_free};
    racing.run = run_racer;
    racing.arg = &all->racer[i];
    racing.arg_free = free_racer;
    racing.queue = all->queue;
    racing.tag = &r->out[i];
    atomic_fetch_add(&all->refs, 1);
    enum weft_status st = weft_executor_submit(e, &racing, deadline, NULL);
    if (st != WEFT_OK) {
        atomic_fetch_sub(&all->refs, 1); /* not the last: the race has one */
    }
    return st;
}

/* Submits until all run or one has won: on the inline executor the first may win before the second
 * is submitted. *submitted says how many were. */
static enum weft_status start(struct race *r, struct weft_executor *e, const struct weft_job jobs[],
                              size_t n, weft_time deadline, size_t *submitted)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && *submitted < n && !atomic_load(&r->racers->won)) {
        st = submit(r, e, &jobs[*submitted], *submitted, deadline);
        *submitted += st == WEFT_OK;
        while (r->winner == n && collect(r, WEFT_POLL) == WEFT_OK) {
        }
    }
    if (atomic_load(&r->racers->won)) {
        weft_completion_queue_cancel(r->racers->queue); /* the winner may not have seen the last */
        st = WEFT_OK;
    }
    return st;
}

enum weft_status weft_race(struct weft_executor *e, const struct weft_job jobs[], size_t n,
                           weft_time deadline, size_t *winner, struct weft_result out[])
{
    size_t submitted = 0;
    if (!valid(e, jobs, n, out)) {
        return WEFT_EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct weft_result){.status = WEFT_ECANCELED};
    }
    struct race r = {.winner = n, .out = out};
    enum weft_status st = line_up(&r.racers, n);
    if (st == WEFT_OK) {
        st = start(&r, e, jobs, n, deadline, &submitted);
        while (st == WEFT_OK && r.winner == n && r.failed < n) {
            st = collect(&r, deadline);
        }
        weft_completion_queue_cancel(r.racers->queue);
        release(r.racers);
    }
    for (size_t i = submitted; i < n; i++) {
        if (jobs[i].arg_free) {
            jobs[i].arg_free(jobs[i].arg);
        }
    }
    if (st == WEFT_OK && r.winner == n) {
        st = WEFT_EALL;
    }
    if (winner) {
        *winner = st == WEFT_OK ? r.winner : 0;
    }
    return st;
}
