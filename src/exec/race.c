/* race.c -- a set of jobs, the first success; the losers are asked to stop and not waited for. */
#include "weft/race.h"

#include "exec/completion_queue.h"

#include <stdlib.h>

struct race {
    size_t failed;
    size_t winner; /* n: none yet */
    struct weft_result *out;
    struct weft_completion_queue *queue;
};

/* Waits for one racer and keeps what became of it. */
static enum weft_status collect(struct race *r, weft_time deadline)
{
    struct weft_future *f;
    void *slot;
    enum weft_status st = weft_completion_queue_next(r->queue, deadline, &f, &slot);
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

/* Submits until all run or one has won: on the inline executor the first may win before the second
 * is submitted. *submitted says how many were. */
static enum weft_status start(struct race *r, struct weft_executor *e, const struct weft_job jobs[],
                              size_t n, weft_time deadline, size_t *submitted)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && *submitted < n && r->winner == n) {
        struct weft_job job = jobs[*submitted];
        job.queue = r->queue;
        job.tag = &r->out[*submitted];
        st = weft_executor_submit(e, &job, deadline, NULL);
        *submitted += st == WEFT_OK;
        while (r->winner == n && collect(r, WEFT_POLL) == WEFT_OK) {
        }
    }
    return r->winner < n ? WEFT_OK : st;
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
    enum weft_status st = weft_completion_queue_new(&r.queue);
    if (st == WEFT_OK) {
        st = start(&r, e, jobs, n, deadline, &submitted);
        while (st == WEFT_OK && r.winner == n && r.failed < n) {
            st = collect(&r, deadline);
        }
        weft_completion_queue_cancel(r.queue);
        weft_completion_queue_free(r.queue);
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
