/* engine_threads.c -- blocking fetches on an executor; the completion queue is the first-completed
 * primitive. wait_any is Python's "next(as_completed(pending))". */
#include "crawl/engine.h"

#include "crawl/readers.h"
#include "weft/executor.h"
#include "weft/promise.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A worker's thread runs curl and the parsers, whose stack is bounded; the default of 8 MiB would
 * be address space for nothing. */
#define STACK_BYTES ((size_t)1 << 20)

struct threads_engine {
    struct weft_engine base;
    const struct weft_work *work;
    struct weft_executor *executor;
    struct weft_completion_queue *done;
    struct weft_readers *readers;
    unsigned nworkers;
    _Atomic(struct weft_worker *) *workers; /* each made by its own thread, on its first visit */
    atomic_bool cancelled;

    pthread_mutex_t lock;     /* guards the next line */
    struct weft_future *wake; /* a promise in the queue; finishing it makes wait_any return */
};

struct errand { /* what a job needs */
    struct threads_engine *engine;
    struct weft_visit *visit;
};

/* The tools of the worker that runs this job. NULL: they can't be had. */
static struct weft_worker *worker_of(struct threads_engine *e, unsigned id)
{
    struct weft_worker *w = atomic_load(&e->workers[id]);
    if (!w && weft_worker_new(&w, e->work, e->readers, id) == WEFT_OK) {
        atomic_store(&e->workers[id], w);
        if (atomic_load(&e->cancelled)) {
            weft_worker_interrupt(w); /* cancel_all came before there was anything to interrupt */
        }
    }
    return w;
}

static int run_errand(struct weft_task *self, void *arg, void **value)
{
    struct errand *errand = arg;
    struct weft_worker *w = worker_of(errand->engine, weft_task_worker(self));
    *value = errand->visit;
    if (w) {
        weft_worker_visit(w, errand->visit);
    } else {
        errand->visit->answer.end = WEFT_FETCH_FAILED;
    }
    return 0;
}

static void free_visit(void *value)
{
    weft_visit_free(value);
}

static enum weft_status threads_submit(struct weft_engine *base, struct weft_visit *v)
{
    struct threads_engine *e = (struct threads_engine *)base;
    struct errand *errand = malloc(sizeof *errand);
    if (!errand) {
        return WEFT_ENOMEM;
    }
    *errand = (struct errand){e, v};
    enum weft_status st = weft_executor_submit(e->executor,
                                               &(struct weft_job){.run = run_errand,
                                                                  .arg = errand,
                                                                  .arg_free = free,
                                                                  .value_free = free_visit,
                                                                  .queue = e->done},
                                               WEFT_FOREVER, NULL);
    if (st != WEFT_OK) {
        free(errand); /* refused: still ours */
    }
    return st;
}

/* Puts a fresh promise into the queue for the next wake. */
static enum weft_status arm_wake(struct threads_engine *e)
{
    struct weft_future *promise;
    enum weft_status st = weft_promise_new(&promise, NULL);
    if (st != WEFT_OK) {
        return st;
    }
    st = weft_completion_queue_add(e->done, promise, e);
    if (st != WEFT_OK) {
        weft_future_release(promise);
        return st;
    }
    pthread_mutex_lock(&e->lock);
    struct weft_future *old = e->wake;
    e->wake = promise;
    pthread_mutex_unlock(&e->lock);
    weft_future_release(old);
    return WEFT_OK;
}

static enum weft_status threads_wait_any(struct weft_engine *base, weft_time deadline,
                                         struct weft_visit **done)
{
    struct threads_engine *e = (struct threads_engine *)base;
    struct weft_future *f;
    void *tag;
    *done = NULL;
    enum weft_status st = weft_completion_queue_next(e->done, deadline, &f, &tag);
    if (st != WEFT_OK) {
        return st;
    }
    if (tag == e) { /* the promise: somebody called wake */
        weft_future_release(f);
        st = arm_wake(e);
        return st == WEFT_OK ? WEFT_ECANCELED : st;
    }
    *done = weft_future_take(f);
    weft_future_release(f);
    return WEFT_OK;
}

static void threads_cancel_all(struct weft_engine *base)
{
    struct threads_engine *e = (struct threads_engine *)base;
    atomic_store(&e->cancelled, true);
    for (unsigned i = 0; i < e->nworkers; i++) {
        struct weft_worker *w = atomic_load(&e->workers[i]);
        if (w) {
            weft_worker_interrupt(w);
        }
    }
}

static void threads_wake(struct weft_engine *base, bool now)
{
    struct threads_engine *e = (struct threads_engine *)base;
    (void)now; /* the coordinator is never inside a fetch here: it will call cancel_all */
    pthread_mutex_lock(&e->lock);
    struct weft_future *promise = weft_future_retain(e->wake);
    pthread_mutex_unlock(&e->lock);
    weft_promise_finish(promise, 0, NULL); /* EDONE when it is finished already: as good */
    weft_future_release(promise);
}

static void threads_free(struct weft_engine *base)
{
    struct threads_engine *e = (struct threads_engine *)base;
    threads_cancel_all(base); /* or the executor would wait for what nobody will ask for */
    weft_executor_free(e->executor);
    weft_completion_queue_free(e->done);
    for (unsigned i = 0; i < e->nworkers; i++) {
        weft_worker_free(atomic_load(&e->workers[i]));
    }
    weft_readers_free(e->readers);
    weft_future_release(e->wake);
    pthread_mutex_destroy(&e->lock);
    free(e->workers);
    free(e);
}

static const struct weft_engine_ops threads_ops = {
    .name = "threads",
    .submit = threads_submit,
    .wait_any = threads_wait_any,
    .cancel_all = threads_cancel_all,
    .wake = threads_wake,
    .free = threads_free,
};

enum weft_status weft_engine_threads_new(struct weft_engine **out, const struct weft_work *work,
                                         unsigned jobs)
{
    struct threads_engine *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e) {
        return WEFT_ENOMEM;
    }
    e->base.ops = &threads_ops;
    e->work = work;
    e->nworkers = jobs;
    e->workers = calloc(jobs, sizeof *e->workers);
    if (!e->workers || pthread_mutex_init(&e->lock, NULL) != 0) {
        free(e->workers);
        free(e);
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_readers_new(&e->readers, work, jobs);
    if (st == WEFT_OK) {
        st = weft_completion_queue_new(&e->done);
    }
    if (st == WEFT_OK) {
        st = arm_wake(e);
    }
    if (st == WEFT_OK) {
        st = weft_executor_new(
            &e->executor, &(struct weft_executor_options){
                              .max_workers = jobs, .stack_bytes = STACK_BYTES, .name = "weft"});
    }
    if (st != WEFT_OK) {
        threads_free(&e->base);
        return st;
    }
    *out = &e->base;
    return WEFT_OK;
}
