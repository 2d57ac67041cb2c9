/* future.c -- the states of a future, its references and its listeners. See future.h.
 *
 * Knows neither threads nor queues of jobs: start and finish are called by whoever runs the job. */
#include "exec/future.h"

#include "exec/executor.h"
#include "exec/fork.h"
#include <stdlib.h>

enum weft_status weft_future_new(struct weft_future **out, struct weft_executor *home,
                                 const struct weft_job *job, unsigned born, unsigned refs)
{
    struct weft_future *f = calloc(1, sizeof *f);
    *out = NULL;
    if (!f) {
        return WEFT_ENOMEM;
    }
    if (pthread_mutex_init(&f->lock, NULL)) {
        free(f);
        return WEFT_ENOMEM;
    }
    atomic_init(&f->refs, refs);
    atomic_init(&f->state, WEFT_PENDING);
    weft_list_init(&f->listeners);
    f->callbacks_end = &f->callbacks;
    f->born = born;
    f->home = home;
    if (job) {
        f->run = job->run;
        f->arg = job->arg;
        f->arg_free = job->arg_free;
        f->value_free = job->value_free;
        f->entry.queue = job->queue;
        f->entry.tag = job->tag;
    }
    *out = f;
    return WEFT_OK;
}

void weft_future_discard(struct weft_future *f)
{
    pthread_mutex_destroy(&f->lock);
    free(f);
}

struct weft_future *weft_future_retain(struct weft_future *f)
{
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    return f;
}

void weft_future_release(struct weft_future *f)
{
    /* Release: what this thread did with f comes before its end. Acquire: the end comes after what
     * every other thread did with it. */
    if (!f || atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1) {
        return;
    }
    void *value = weft_future_take(f);
    if (value && f->value_free) {
        f->value_free(value);
    }
    weft_future_free_callbacks(f);
    weft_future_discard(f);
}

bool weft_future_done(const struct weft_future *f)
{
    return weft_future_state(f) >= WEFT_FINISHED;
}

bool weft_future_running(const struct weft_future *f)
{
    return weft_future_state(f) == WEFT_RUNNING;
}

bool weft_future_cancelled(const struct weft_future *f)
{
    return weft_future_state(f) == WEFT_CANCELLED;
}

void *weft_future_tag(const struct weft_future *f)
{
    return f->entry.tag;
}

void *weft_future_take(struct weft_future *f)
{
    return weft_future_done(f) ? atomic_exchange(&f->value, NULL) : NULL;
}

bool weft_future_orphaned(const struct weft_future *f)
{
    return weft_forked_since(f->born) && !weft_future_done(f);
}

enum weft_status weft_future_start(struct weft_future *f)
{
    static const enum weft_status answer[] = {
        [WEFT_PENDING] = WEFT_OK,
        [WEFT_RUNNING] = WEFT_EDONE,
        [WEFT_FINISHED] = WEFT_EDONE,
        [WEFT_CANCELLED] = WEFT_ECANCELED,
    };
    pthread_mutex_lock(&f->lock);
    enum weft_status st = answer[weft_future_state(f)];
    if (st == WEFT_OK) {
        atomic_store_explicit(&f->state, WEFT_RUNNING, memory_order_release);
    }
    pthread_mutex_unlock(&f->lock);
    return st;
}

/* The only way to a final state. The lock is held: so a listener is either told here, or finds the
 * future done when it registers, and one that leaves takes this lock and is then out of reach.
 * Returns whether there are callbacks: this thread has then to call them, without the lock. */
static bool settle(struct weft_future *f, enum weft_future_state state, int err, void *value)
{
    f->err = err;
    atomic_store_explicit(&f->value, value, memory_order_relaxed);
    atomic_store_explicit(&f->state, state, memory_order_release);
    struct weft_link *link;
    while ((link = weft_list_first(&f->listeners))) {
        struct weft_listener *l = weft_list_entry(link, struct weft_listener, link);
        weft_link_remove(link);
        l->fire(l, f);
    }
    f->calling = f->callbacks != NULL;
    return f->calling;
}

enum weft_status weft_future_finish(struct weft_future *f, int err, void *value)
{
    static const enum weft_status answer[] = {
        [WEFT_PENDING] = WEFT_OK,
        [WEFT_RUNNING] = WEFT_OK,
        [WEFT_FINISHED] = WEFT_EDONE,
        [WEFT_CANCELLED] = WEFT_ECANCELED,
    };
    pthread_mutex_lock(&f->lock);
    enum weft_status st = answer[weft_future_state(f)];
    bool stopped = err == WEFT_ECANCELED && atomic_load(&f->stop), call = false;
    if (st == WEFT_OK && stopped) {
        call = settle(f, WEFT_CANCELLED, 0, NULL);
    } else if (st == WEFT_OK) {
        call = settle(f, WEFT_FINISHED, err, value);
    }
    pthread_mutex_unlock(&f->lock);
    if (st != WEFT_OK) {
        return st;
    }
    if (stopped && value && f->value_free) {
        f->value_free(value);
    }
    if (call) {
        weft_future_call_callbacks(f);
    }
    return WEFT_OK;
}

/* The lock is held. */
static void raise_stop(struct weft_future *f)
{
    atomic_store(&f->stop, true);
    if (f->pausing) {
        weft_waiter_call(f->pausing);
    }
}

void weft_future_ask_stop(struct weft_future *f)
{
    pthread_mutex_lock(&f->lock);
    if (weft_future_state(f) == WEFT_RUNNING) {
        raise_stop(f);
    }
    pthread_mutex_unlock(&f->lock);
}

enum weft_status weft_future_cancel(struct weft_future *f)
{
    enum weft_status st = WEFT_OK;
    bool cancelled = false, call = false;
    if (!f) {
        return WEFT_EINVAL;
    }
    if (weft_future_orphaned(f)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&f->lock);
    switch (weft_future_state(f)) {
    case WEFT_PENDING:
        call = settle(f, WEFT_CANCELLED, 0, NULL);
        cancelled = true;
        break;
    case WEFT_RUNNING:
        raise_stop(f);
        st = WEFT_EBUSY;
        break;
    case WEFT_FINISHED:
        st = WEFT_EDONE;
        break;
    case WEFT_CANCELLED:
        break;
    }
    pthread_mutex_unlock(&f->lock);
    if (cancelled && f->home) {
        weft_executor_drop(f, call);
    } else if (call) {
        weft_future_call_callbacks(f);
    }
    return st;
}

bool weft_future_listen(struct weft_future *f, struct weft_listener *l)
{
    if (weft_future_done(f)) {
        return false;
    }
    pthread_mutex_lock(&f->lock);
    bool pending = !weft_future_done(f);
    if (pending) {
        weft_list_append(&f->listeners, &l->link);
    }
    pthread_mutex_unlock(&f->lock);
    return pending;
}

bool weft_future_unlisten(struct weft_future *f, struct weft_listener *l)
{
    pthread_mutex_lock(&f->lock);
    bool listed = weft_link_listed(&l->link);
    if (listed) {
        weft_link_remove(&l->link);
    }
    pthread_mutex_unlock(&f->lock);
    return listed;
}
