/* gather.c -- a set of jobs, so many at once, all results; nothing of it is left when it returns.
 */
#include "weft/gather.h"

#include "exec/completion_queue.h"

#include <stdatomic.h>
#include <stdlib.h>

struct gathering {
    struct weft_executor *executor;
    const struct weft_job *jobs;
    struct weft_result *out;
    size_t n, limit;
    size_t submitted, done;
    bool stop_on_error, cancelled; /* cancelled: a job was, by someone else */
    enum weft_status status;       /* once not WEFT_OK: nothing more is submitted */
    struct weft_completion_queue *queue;
    struct weft_waiter waiter; /* got beforehand, so that waiting can't fail */
    struct stopper *stoppers;  /* one a job, if the first failure stops the rest; else NULL */
    _Atomic(struct weft_future *) failed; /* the first of them that has, compared and no more: it
                                             stops the others, and nobody asks it to stop, too, or
                                             it might count as cancelled */
};

/* A job whose failure stops the rest. */
struct stopper {
    struct gathering *gathering;
    const struct weft_job *job;
};

/* The job that fails itself stops the others: the thread that gathers may be a worker that runs one
 * of them meanwhile, and would never come to it if that one ends only when it is asked to. */
static int run_stopper(struct weft_task *self, void *arg, void **value)
{
    struct stopper *s = arg;
    int err = s->job->run(self, s->job->arg, value);
    struct weft_future *none = NULL, *me = weft_task_future(self);
    if (err != 0 && atomic_compare_exchange_strong(&s->gathering->failed, &none, me)) {
        weft_completion_queue_cancel_others(s->gathering->queue, me);
    }
    return err;
}

static void free_stopper(void *arg)
{
    const struct weft_job *job = ((struct stopper *)arg)->job;
    if (job->arg_free) {
        job->arg_free(job->arg);
    }
}

static void stop(struct gathering *g, enum weft_status why)
{
    if (g->status == WEFT_OK) {
        g->status = why;
        weft_completion_queue_cancel_others(g->queue, atomic_load(&g->failed));
    }
}

/* Keeps what became of a job. */
static void keep(struct gathering *g, struct weft_future *f, struct weft_result *out)
{
    weft_future_result(f, WEFT_POLL, out);
    out->value = weft_future_take(f);
    weft_future_release(f);
    g->done++;
    g->cancelled = g->cancelled || out->status != WEFT_OK;
    if (g->stop_on_error && (out->err != 0 || out->status != WEFT_OK)) {
        stop(g, WEFT_ECANCELED);
    }
}

/* Waits for one job. */
static void collect(struct gathering *g, weft_time deadline)
{
    struct weft_future *f;
    void *slot;
    enum weft_status st = weft_completion_queue_next_by(
        g->queue, &g->waiter, g->status == WEFT_OK ? deadline : WEFT_FOREVER, &f, &slot);
    if (st == WEFT_OK) {
        keep(g, f, slot);
    } else if (st == WEFT_EFORKED) { /* a job has forked, and this is the child: none will come */
        g->status = st;
        g->done = g->submitted;
    } else {
        stop(g, st); /* the deadline; the next round waits for what was asked to stop */
    }
}

/* Keeps what is done already: on the inline executor each job is when it has been submitted. */
static void collect_ready(struct gathering *g)
{
    struct weft_future *f;
    void *slot;
    while (weft_completion_queue_next_by(g->queue, NULL, WEFT_POLL, &f, &slot) == WEFT_OK) {
        keep(g, f, slot);
    }
}

static enum weft_status submit_one(struct gathering *g, weft_time deadline)
{
    struct weft_job job = g->jobs[g->submitted];
    job.queue = g->queue;
    job.tag = &g->out[g->submitted];
    if (g->stoppers) {
        struct stopper *s = &g->stoppers[g->submitted];
        *s = (struct stopper){g, &g->jobs[g->submitted]};
        job.run = run_stopper;
        job.arg = s;
        job.arg_free = free_stopper;
    }
    enum weft_status st = weft_executor_submit(g->executor, &job, deadline, NULL);
    g->submitted += st == WEFT_OK;
    return st;
}

/* Submits up to the limit. Waits for room in the executor only if nothing is in flight: else what
 * is in flight will make room. */
static void submit(struct gathering *g, weft_time deadline)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && g->status == WEFT_OK && !atomic_load(&g->failed) &&
           g->submitted < g->n && g->submitted - g->done < g->limit) {
        bool idle = g->submitted == g->done;
        if (g->submitted > 0 && deadline <= weft_now()) {
            stop(g, WEFT_ETIMEDOUT);
            break;
        }
        st = submit_one(g, idle ? deadline : WEFT_POLL);
        struct weft_future *failed = atomic_load(&g->failed);
        if (failed) { /* it may not have seen the one submitted last */
            weft_completion_queue_cancel_others(g->queue, failed);
        }
        if (st == WEFT_OK) {
            collect_ready(g);
        } else if (st != WEFT_EFULL || idle) {
            stop(g, st);
        }
    }
}

/* Whatever was not submitted never will be: its argument goes. */
static void drop_the_rest(struct gathering *g)
{
    for (size_t i = g->submitted; i < g->n; i++) {
        if (g->jobs[i].arg_free) {
            g->jobs[i].arg_free(g->jobs[i].arg);
        }
    }
}

static bool valid(const struct weft_executor *e, const struct weft_job jobs[], size_t n,
                  unsigned flags, const struct weft_result out[])
{
    if (!e || (flags & ~WEFT_STOP_ON_ERROR) || (n > 0 && (!jobs || !out))) {
        return false;
    }
    size_t i = 0;
    while (i < n && jobs[i].run && !jobs[i].queue) {
        i++;
    }
    return i == n;
}

static enum weft_status prepare(struct gathering *g)
{
    enum weft_status st = WEFT_ENOMEM;
    if (g->stop_on_error && g->n > 0 && !(g->stoppers = calloc(g->n, sizeof *g->stoppers))) {
        return st;
    }
    st = weft_completion_queue_new(&g->queue);
    if (st != WEFT_OK) {
        goto no_queue;
    }
    st = weft_waiter_init(&g->waiter);
    if (st != WEFT_OK) {
        goto no_waiter;
    }
    return WEFT_OK;
no_waiter:
    weft_completion_queue_free(g->queue);
no_queue:
    free(g->stoppers);
    return st;
}

enum weft_status weft_gather(struct weft_executor *e, const struct weft_job jobs[], size_t n,
                             size_t limit, unsigned flags, weft_time deadline,
                             struct weft_result out[])
{
    if (!valid(e, jobs, n, flags, out)) {
        return WEFT_EINVAL;
    }
    struct gathering g = {
        .executor = e,
        .jobs = jobs,
        .out = out,
        .n = n,
        .limit = limit ? limit : n,
        .stop_on_error = flags & WEFT_STOP_ON_ERROR,
    };
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct weft_result){.status = WEFT_ECANCELED}; /* until it says otherwise */
    }
    atomic_init(&g.failed, NULL);
    g.status = prepare(&g);
    if (g.status == WEFT_OK) {
        submit(&g, deadline);
        while (g.done < g.submitted) {
            collect(&g, deadline);
            submit(&g, deadline);
        }
        weft_waiter_destroy(&g.waiter);
        weft_completion_queue_free(g.queue);
        free(g.stoppers);
    }
    drop_the_rest(&g);
    return g.status == WEFT_OK && g.cancelled ? WEFT_ECANCELED : g.status;
}
