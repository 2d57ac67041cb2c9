/* engine_sync.c -- one fetch at a time, inside wait_any: the order of submission is the order of
 * everything. The simplest engine, and the one to read first. A fetch that outlasts a wait_any goes
 * on in the next one, so that the coordinator can look around in between. */
#include "crawl/engine.h"

#include "crawl/readers.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct sync_engine {
    struct weft_engine base;
    struct weft_readers *readers; /* one will do */
    struct weft_worker *worker;
    struct weft_visit *going;         /* begun and not ended */
    struct weft_visit *first, **last; /* submitted, in order */
    pthread_mutex_t lock;             /* guards woken */
    bool woken;
    pthread_cond_t wake; /* signalled when woken becomes true */
};

static enum weft_status sync_submit(struct weft_engine *base, struct weft_visit *v)
{
    struct sync_engine *e = (struct sync_engine *)base;
    v->next = NULL;
    *e->last = v;
    e->last = &v->next;
    return WEFT_OK;
}

/* Whether wake was called since the last time; forgets it. */
static bool take_wake(struct sync_engine *e)
{
    pthread_mutex_lock(&e->lock);
    bool woken = e->woken;
    e->woken = false;
    pthread_mutex_unlock(&e->lock);
    return woken;
}

static enum weft_status sleep_until(struct sync_engine *e, weft_time deadline)
{
    struct timespec at = {.tv_sec = (time_t)(deadline / WEFT_SECOND),
                          .tv_nsec = (long)(deadline % WEFT_SECOND)};
    int rc = 0;
    pthread_mutex_lock(&e->lock);
    while (!e->woken && rc == 0) {
        rc = deadline == WEFT_FOREVER ? pthread_cond_wait(&e->wake, &e->lock)
                                      : pthread_cond_timedwait(&e->wake, &e->lock, &at);
    }
    bool woken = e->woken;
    e->woken = false;
    pthread_mutex_unlock(&e->lock);
    return woken ? WEFT_ECANCELED : WEFT_ETIMEDOUT;
}

/* Begins the fetch that was submitted first; false: there is none. */
static bool begin_next(struct sync_engine *e)
{
    struct weft_visit *v = e->first;
    if (!v) {
        return false;
    }
    e->first = v->next;
    if (!e->first) {
        e->last = &e->first;
    }
    v->next = NULL;
    e->going = v;
    weft_worker_begin(e->worker, v);
    return true;
}

static enum weft_status sync_wait_any(struct weft_engine *base, weft_time deadline,
                                      struct weft_visit **done)
{
    struct sync_engine *e = (struct sync_engine *)base;
    *done = NULL;
    /* In this order: a wake from now on is noticed by the one or the other. */
    weft_worker_forget_wake(e->worker);
    if (take_wake(e)) {
        return WEFT_ECANCELED;
    }
    if (!e->going && !begin_next(e)) {
        return sleep_until(e, deadline);
    }
    enum weft_status st = weft_worker_drive(e->worker, deadline);
    if (st == WEFT_OK) {
        *done = e->going;
        e->going = NULL;
    } else if (st == WEFT_ECANCELED) {
        take_wake(e);
    }
    return st;
}

static void sync_cancel_all(struct weft_engine *base)
{
    weft_worker_interrupt(((struct sync_engine *)base)->worker);
}

static void sync_wake(struct weft_engine *base, bool now)
{
    struct sync_engine *e = (struct sync_engine *)base;
    pthread_mutex_lock(&e->lock);
    e->woken = true;
    pthread_cond_signal(&e->wake);
    pthread_mutex_unlock(&e->lock);
    if (now) {
        weft_worker_interrupt(e->worker);
    } else {
        weft_worker_wake(e->worker);
    }
}

static void sync_free(struct weft_engine *base)
{
    struct sync_engine *e = (struct sync_engine *)base;
    while (e->first) {
        struct weft_visit *v = e->first;
        e->first = v->next;
        weft_visit_free(v);
    }
    weft_worker_free(e->worker);
    weft_readers_free(e->readers);
    weft_visit_free(e->going);
    pthread_cond_destroy(&e->wake);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

static const struct weft_engine_ops sync_ops = {
    .name = "sync",
    .submit = sync_submit,
    .wait_any = sync_wait_any,
    .cancel_all = sync_cancel_all,
    .wake = sync_wake,
    .free = sync_free,
};

enum weft_status weft_engine_sync_new(struct weft_engine **out, const struct weft_work *work)
{
    struct sync_engine *e = calloc(1, sizeof *e);
    pthread_condattr_t attr;
    *out = NULL;
    if (!e) {
        return WEFT_ENOMEM;
    }
    e->base.ops = &sync_ops;
    e->last = &e->first;
    enum weft_status st = weft_readers_new(&e->readers, work, 1);
    if (st == WEFT_OK) {
        st = weft_worker_new(&e->worker, work, e->readers, 0);
    }
    if (st != WEFT_OK) {
        goto no_worker;
    }
    st = WEFT_ENOMEM;
    if (pthread_mutex_init(&e->lock, NULL) != 0) {
        goto no_lock;
    }
    if (pthread_condattr_init(&attr) != 0) {
        goto no_cond;
    }
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    int rc = pthread_cond_init(&e->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (rc != 0) {
        goto no_cond;
    }
    *out = &e->base;
    return WEFT_OK;
no_cond:
    pthread_mutex_destroy(&e->lock);
no_lock:
    weft_worker_free(e->worker);
no_worker:
    weft_readers_free(e->readers);
    free(e);
    return st;
}
