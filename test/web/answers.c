/* answers.c -- what weft answers to each call on a future in each state, one line for each:
 *
 *     KIND STATE CALL ANSWER STATE-AFTER
 *
 * futures_weft.test.mjs holds the page's model of futures against it. Nothing depends on time: a
 * job that has to run waits for a promise, one that has to be pending stands behind such a job. */
#include "weft/executor.h"
#include "weft/promise.h"

#include <stdio.h>
#include <stdlib.h>

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "answers: %s\n", what);
        exit(1);
    }
}

/* A job that tells that it has started, and ends when it is let. */
struct plan {
    struct weft_future *started, *let;
    int err;
};

static char value[] = "value";

static int follow(struct weft_task *self, void *arg, void **out)
{
    const struct plan *p = arg;
    (void)self;
    need(weft_promise_finish(p->started, 0, NULL) == WEFT_OK, "started");
    need(weft_future_result(p->let, WEFT_FOREVER, NULL) == WEFT_OK, "let");
    *out = p->err == 0 ? value : NULL;
    return p->err;
}

static void plan_init(struct plan *p, int err)
{
    p->err = err;
    need(weft_promise_new(&p->started, NULL) == WEFT_OK, "promise");
    need(weft_promise_new(&p->let, NULL) == WEFT_OK, "promise");
}

static void plan_release(struct plan *p)
{
    weft_future_release(p->started);
    weft_future_release(p->let);
}

static struct weft_future *submit(struct weft_executor *pool, struct plan *p)
{
    struct weft_future *f;
    struct weft_job job = {.run = follow, .arg = p};
    need(weft_executor_submit(pool, &job, WEFT_FOREVER, &f) == WEFT_OK, "submit");
    return f;
}

/* The ways into a state: whether somebody starts the future, cancels it, ends it with err. */
struct way {
    const char *state;
    bool start, cancel, end;
    int err;
};
static const struct way ways[] = {
    {"pending", false, false, false, 0},
    {"running", true, false, false, 0},
    {"asked", true, true, false, 0},
    {"finished", true, false, true, 0},
    {"failed", true, false, true, 7},
    {"unasked", true, false, true, WEFT_ECANCELED},
    {"stopped", true, true, true, WEFT_ECANCELED},
    {"deaf", true, true, true, 0},
    {"cancelled", false, true, false, 0},
};

static const char *name_of(enum weft_status st)
{
    switch (st) {
    case WEFT_OK:
        return "WEFT_OK";
    case WEFT_ETIMEDOUT:
        return "WEFT_ETIMEDOUT";
    case WEFT_ECANCELED:
        return "WEFT_ECANCELED";
    case WEFT_EBUSY:
        return "WEFT_EBUSY";
    case WEFT_EDONE:
        return "WEFT_EDONE";
    case WEFT_EINVAL:
        return "WEFT_EINVAL";
    default:
        return "?";
    }
}

static const char *state_of(const struct weft_future *f)
{
    return weft_future_cancelled(f) ? "CANCELLED"
           : weft_future_done(f)    ? "FINISHED"
           : weft_future_running(f) ? "RUNNING"
                                    : "PENDING";
}

static const char *const calls[] = {"cancel", "result", "take",      "promiseStart",
                                    "finish", "wait",   "finishStop"};
enum { CALLS = sizeof calls / sizeof *calls };

static const char *make(int call, struct weft_future *f)
{
    switch (call) {
    case 0:
        return name_of(weft_future_cancel(f));
    case 1:
        return name_of(weft_future_result(f, WEFT_POLL, NULL));
    case 2:
        return weft_future_take(f) ? "value" : "NULL";
    case 3:
        return name_of(weft_promise_start(f));
    case 4:
        return name_of(weft_promise_finish(f, 0, value));
    case 5:
        return name_of(weft_wait(&f, 1, WEFT_POLL, WEFT_FIRST_COMPLETED, NULL));
    default:
        return name_of(weft_promise_finish(f, WEFT_ECANCELED, NULL));
    }
}

static void tell(const char *kind, const struct way *w, int call, struct weft_future *f)
{
    const char *answer = make(call, f);
    printf("%s %s %s %s %s\n", kind, w->state, calls[call], answer, state_of(f));
}

static void try_promise(const struct way *w, int call)
{
    struct weft_future *f;
    need(weft_promise_new(&f, NULL) == WEFT_OK, "promise");
    need(!w->start || weft_promise_start(f) == WEFT_OK, "start");
    if (w->cancel) {
        (void)weft_future_cancel(f);
    }
    need(!w->end || weft_promise_finish(f, w->err, w->err ? NULL : value) == WEFT_OK, "finish");
    tell("promise", w, call, f);
    weft_future_release(f);
}

static void try_job(const struct way *w, int call)
{
    struct weft_executor *pool;
    struct weft_executor_options one = {.max_workers = 1};
    struct plan ahead, plan;
    need(weft_executor_new(&pool, &one) == WEFT_OK, "pool");
    plan_init(&ahead, 0);
    plan_init(&plan, w->err);
    struct weft_future *first = submit(pool, &ahead), *f = submit(pool, &plan);
    need(weft_future_result(ahead.started, WEFT_FOREVER, NULL) == WEFT_OK, "the one ahead");
    if (w->start) {
        need(weft_promise_finish(ahead.let, 0, NULL) == WEFT_OK, "let go ahead");
        need(weft_future_result(plan.started, WEFT_FOREVER, NULL) == WEFT_OK, "start");
    }
    if (w->cancel) {
        (void)weft_future_cancel(f);
    }
    if (w->end) {
        need(weft_promise_finish(plan.let, 0, NULL) == WEFT_OK, "let");
        (void)weft_future_result(f, WEFT_FOREVER, NULL);
    }
    tell("job", w, call, f);
    (void)weft_promise_finish(ahead.let, 0, NULL); /* those that were let go say so */
    (void)weft_promise_finish(plan.let, 0, NULL);
    need(weft_executor_free(pool) == WEFT_OK, "free");
    weft_future_release(first);
    weft_future_release(f);
    plan_release(&ahead);
    plan_release(&plan);
}

int main(void)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int call = 0; call < CALLS; call++) {
            try_promise(&ways[i], call);
            try_job(&ways[i], call);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
