/* gather.c -- a set of jobs, so many at once, all results; nothing of it is left when it returns.
 */
#include "weft/gather.h"

#include "exec/completion_queue.h"

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
};

static void stop(struct gathering *g, enum weft_status why)
{
    if (g->status == WEFT_OK) {
        g->status = why;
        weft_completion_queue_cancel(g->queue);
    }
}

/* Submits up to the limit. Waits for room in the executor only if nothing is in flight: else what
 * is in flight will make room. */
static void submit(struct gathering *g, weft_time deadline)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && g->status == WEFT_OK && g->submitted < g->n &&
           g->submitted - g->done < g->limit) {
        struct weft_job job = g->jobs[g->submitted];
        job.queue = g->queue;
        job.tag = &g->out[g->submitted];
        bool idle = g->submitted == g->done;
        st = weft_executor_submit(g->executor, &job, idle ? deadline : WEFT_POLL, NULL);
        if (st == WEFT_OK) {
            g->submitted++;
        } else if (st != WEFT_EFULL || idle) {
            stop(g, st);
        }
    }
}

/* Waits for one job and keeps what became of it. */
static void collect(struct gathering *g, weft_time deadline)
{
    struct weft_future *f;
    void *slot;
    enum weft_status st = weft_completion_queue_next_by(
        g->queue, &g->waiter, g->status == WEFT_OK ? deadline : WEFT_FOREVER, &f, &slot);
    if (st == WEFT_EFORKED) { /* a job has forked, and this is the child: nothing will ever come */
        g->status = st;
        g->done = g->submitted;
        return;
    }
    if (st != WEFT_OK) {
        stop(g, st); /* the deadline; the next round waits for what was asked to stop */
        return;
    }
    struct weft_result *out = slot;
    weft_future_result(f, WEFT_POLL, out);
    out->value = weft_future_take(f);
    weft_future_release(f);
    g->done++;
    g->cancelled = g->cancelled || out->status != WEFT_OK;
    if (g->stop_on_error && (out->err != 0 || out->status != WEFT_OK)) {
        stop(g, WEFT_ECANCELED);
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
    g.status = weft_completion_queue_new(&g.queue);
    if (g.status == WEFT_OK && (g.status = weft_waiter_init(&g.waiter)) != WEFT_OK) {
        weft_completion_queue_free(g.queue);
    }
    if (g.status == WEFT_OK) {
        submit(&g, deadline);
        while (g.done < g.submitted) {
            collect(&g, deadline);
            submit(&g, deadline);
        }
        weft_waiter_destroy(&g.waiter);
        weft_completion_queue_free(g.queue);
    }
    drop_the_rest(&g);
    return g.status == WEFT_OK && g.cancelled ? WEFT_ECANCELED : g.status;
}
