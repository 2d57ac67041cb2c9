/* waiter.c -- see waiter.h. The only file that sleeps on a condition variable. */
#include "exec/waiter.h"

#include <errno.h>
#include <time.h>

int weft_busy_lock_init(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attr;
    int failed = pthread_mutexattr_init(&attr);
    if (failed) {
        return failed;
    }
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    failed = pthread_mutex_init(lock, &attr);
    pthread_mutexattr_destroy(&attr);
    return failed;
}

enum weft_status weft_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;
    if (pthread_condattr_init(&attr)) {
        return WEFT_ENOMEM;
    }
    /* Not the wall clock: that steps when somebody sets it, and waits would stretch with it. */
    int failed = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) ||
                 pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
    return failed ? WEFT_ENOMEM : WEFT_OK;
}

bool weft_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, weft_time deadline)
{
    if (deadline == WEFT_FOREVER) {
        pthread_cond_wait(cond, lock);
        return true;
    }
    if (deadline <= 0 || deadline <= weft_now()) {
        return false;
    }
    struct timespec until = {
        .tv_sec = (time_t)(deadline / WEFT_SECOND),
        .tv_nsec = (long)(deadline % WEFT_SECOND),
    };
    return pthread_cond_timedwait(cond, lock, &until) != ETIMEDOUT;
}

enum weft_status weft_waiter_init(struct weft_waiter *w)
{
    w->link = (struct weft_link){NULL, NULL};
    w->called = false;
    return weft_cond_init(&w->cond);
}

void weft_waiter_destroy(struct weft_waiter *w)
{
    pthread_cond_destroy(&w->cond);
}

bool weft_waiter_wait(struct weft_waiter *w, pthread_mutex_t *lock, weft_time deadline)
{
    /* A loop, because a condition variable may wake its waiter without having been signalled. */
    while (!w->called && weft_cond_wait(&w->cond, lock, deadline)) {
    }
    bool called = w->called;
    w->called = false;
    return called;
}

void weft_waiter_call(struct weft_waiter *w)
{
    w->called = true;
    pthread_cond_signal(&w->cond);
}

void weft_line_init(struct weft_line *line)
{
    weft_list_init(&line->waiters);
}

bool weft_line_empty(const struct weft_line *line)
{
    return weft_list_empty(&line->waiters);
}

bool weft_line_wait(struct weft_line *line, struct weft_waiter *w, pthread_mutex_t *lock,
                    weft_time deadline)
{
    weft_list_append(&line->waiters, &w->link);
    bool called = weft_waiter_wait(w, lock, deadline);
    if (!called) {
        weft_link_remove(&w->link); /* who calls a waiter takes it out of the line */
    }
    return called;
}

static void call(struct weft_link *link)
{
    if (link) {
        weft_link_remove(link);
        weft_waiter_call(weft_list_entry(link, struct weft_waiter, link));
    }
}

void weft_line_call_first(struct weft_line *line)
{
    call(weft_list_first(&line->waiters));
}

void weft_line_call_last(struct weft_line *line)
{
    call(weft_list_last(&line->waiters));
}

void weft_line_call_all(struct weft_line *line)
{
    while (!weft_line_empty(line)) {
        weft_line_call_first(line);
    }
}
