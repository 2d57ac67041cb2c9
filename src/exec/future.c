/* future.c -- the states of a future, its references and its listeners. See future.h.
 *
 * Knows neither threads nor queues of jobs: start and finish are called by whoever runs the job. */
#include "exec/future.h"

#include "exec/executor.h"
#include "exec/fork.h"
#include <stdlib.h>

/* Sets what a job brings, and the state of a future that nobody has seen yet. */
static void set_up(struct weft_future *f, const struct weft_job *job, unsigned refs)
{
    atomic_init(&f->refs, refs);
    atomic_init(&f->state, WEFT_PENDING);
    atomic_init(&f->stop, false);
    atomic_init(&f->value, NULL);
    f->err = 0;
    f->run = job->run;
    f->arg = job->arg;
    f->arg_free = job->arg_free;
    f->value_free = job->value_free;
    f->tag = job->tag;
}

enum weft_status weft_future_new(struct weft_future **out, struct weft_executor *home,
                                 const struct weft_job *job, unsigned born, unsigned refs)
{
    struct weft_future *f = malloc(sizeof *f + (job->queue ? sizeof f->entry[0] : 0));
    *out = NULL;
    if (!f) {
        return WEFT_ENOMEM;
    }
    *f = (struct weft_future){.born = born, .has_entry = job->queue != NULL, .home = home};
    if (pthread_mutex_init(&f->lock, NULL)) {
        free(f);
        return WEFT_ENOMEM;
    }
    weft_list_init(&f->listeners);
    f->callbacks_end = &f->callbacks;
    set_up(f, job, refs);
    if (f->has_entry) {
        f->entry[0] = (struct weft_queue_entry){.queue = job->queue, .future = f, .tag = job->tag};
    }
    *out = f;
    return WEFT_OK;
}

void weft_future_renew(struct weft_future *f, const struct weft_job *job, unsigned refs)
{
    set_up(f, job, refs); /* it was done: so nobody listens, and all callbacks have been called */
}

void weft_future_discard(struct weft_future *f)
{
    if (!weft_forked_since(f->born)) { /* in a child it may be held, by a thread of the parent */
        pthread_mutex_destroy(&f->lock);
    }
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
    return f->tag;
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
    int state = WEFT_PENDING;
    if (atomic_compare_exchange_strong(&f->state, &state, WEFT_RUNNING)) {
        return WEFT_OK;
    }
    return state == WEFT_CANCELLED || state == WEFT_DROPPING ? WEFT_ECANCELED : WEFT_EDONE;
}

bool weft_future_claim_drop(struct weft_future *f)
{
    int state = WEFT_PENDING;
    return atomic_compare_exchange_strong(&f->state, &state, WEFT_DROPPING);
}

/* f has just got its final state: tells the listeners. The lock is held: so a listener is either
 * told here, or finds the future done when it registers, and one that leaves takes this lock and is
 * then out of reach. Returns whether there are callbacks: this thread has to call them, without the
 * lock. */
static bool tell(struct weft_future *f)
{
    struct weft_link *link;
    while ((link = weft_list_first(&f->listeners))) {
        struct weft_listener *l = weft_list_entry(link, struct weft_listener, link);
        weft_link_remove(link);
        l->fire(l, f);
    }
    f->calling = f->callbacks != NULL;
    return f->calling;
}

enum weft_status weft_future_finish(struct weft_future *f, enum weft_future_state final, int err,
                                    void *value)
{
    bool call = false;
    pthread_mutex_lock(&f->lock);
    enum weft_future_state state = weft_future_state(f);
    if (state < WEFT_FINISHED) {
        f->err = err;
        atomic_store_explicit(&f->value, value, memory_order_relaxed);
        atomic_store(&f->state, final);
        call = tell(f);
    }
    pthread_mutex_unlock(&f->lock);
    if (call) {
        weft_future_call_callbacks(f);
    }
    return state < WEFT_FINISHED ? WEFT_OK : state == WEFT_CANCELLED ? WEFT_ECANCELED : WEFT_EDONE;
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
    static const enum weft_status answer[] = {
        [WEFT_PENDING] = WEFT_OK,     [WEFT_RUNNING] = WEFT_EBUSY, [WEFT_DROPPING] = WEFT_OK,
        [WEFT_FINISHED] = WEFT_EDONE, [WEFT_CANCELLED] = WEFT_OK,
    };
    if (!f) {
        return WEFT_EINVAL;
    }
    if (weft_future_done(f)) {
        return answer[weft_future_state(f)]; /* in a forked child, too: without its lock */
    }
    if (weft_future_orphaned(f)) {
        return WEFT_EFORKED;
    }
    if (f->home && weft_future_claim_drop(f)) {
        weft_executor_drop(f);
        return WEFT_OK;
    }
    int state = WEFT_PENDING; /* what it was; only a promise can still be that */
    bool call = false;
    pthread_mutex_lock(&f->lock);
    if (atomic_compare_exchange_strong(&f->state, &state, WEFT_CANCELLED)) {
        call = tell(f);
    } else if (state == WEFT_RUNNING) {
        raise_stop(f);
    }
    pthread_mutex_unlock(&f->lock);
    if (call) {
        weft_future_call_callbacks(f);
    }
    return answer[state];
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
