/* semaphore.c -- permits, and a line of threads that wait for one.
 *
 * While somebody waits no permit is free: one that comes back is handed to the first in line. Being
 * called is having the permit; so none is lost when a deadline passes at that very moment. */
#include "weft/semaphore.h"

#include "exec/fork.h"
#include "exec/waiter.h"

#include <stdlib.h>

struct weft_semaphore {
    unsigned born; /* set once, like the next two: fork generation */
    size_t permits;
    size_t max_waiters;

    pthread_mutex_t lock; /* guards the rest */
    size_t free;          /* permits that nobody has; 0 while somebody waits */
    size_t waiting;       /* threads in the line, which have no permit yet */
    struct weft_line line;
};

enum weft_status weft_semaphore_new(struct weft_semaphore **out, size_t permits, size_t max_waiters)
{
    *out = NULL;
    if (permits == 0) {
        return WEFT_EINVAL;
    }
    struct weft_semaphore *s = calloc(1, sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_fork_watch(&s->born);
    if (st == WEFT_OK && pthread_mutex_init(&s->lock, NULL)) {
        st = WEFT_ENOMEM;
    }
    if (st != WEFT_OK) {
        free(s);
        return st;
    }
    s->permits = s->free = permits;
    s->max_waiters = max_waiters;
    weft_line_init(&s->line);
    *out = s;
    return WEFT_OK;
}

/* Stands in line for a permit. The lock is held. */
static enum weft_status wait_for_permit(struct weft_semaphore *s, weft_time deadline)
{
    struct weft_waiter w;
    enum weft_status st = weft_waiter_init(&w);
    if (st != WEFT_OK) {
        return st;
    }
    s->waiting++;
    if (!weft_line_wait(&s->line, &w, &s->lock, deadline)) {
        s->waiting--; /* else whoever gave it the permit counted it off */
        st = WEFT_ETIMEDOUT;
    }
    weft_waiter_destroy(&w);
    return st;
}

enum weft_status weft_semaphore_acquire(struct weft_semaphore *s, weft_time deadline)
{
    enum weft_status st = WEFT_OK;
    if (!s) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(s->born)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&s->lock);
    if (s->free > 0) {
        s->free--;
    } else if (s->waiting >= s->max_waiters) {
        st = WEFT_EFULL;
    } else {
        st = wait_for_permit(s, deadline);
    }
    pthread_mutex_unlock(&s->lock);
    return st;
}

enum weft_status weft_semaphore_release(struct weft_semaphore *s)
{
    enum weft_status st = WEFT_OK;
    if (!s) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(s->born)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&s->lock);
    if (!weft_line_empty(&s->line)) {
        s->waiting--;
        weft_line_call_first(&s->line);
    } else if (s->free < s->permits) {
        s->free++;
    } else {
        st = WEFT_EOVER;
    }
    pthread_mutex_unlock(&s->lock);
    return st;
}

size_t weft_semaphore_waiting(struct weft_semaphore *s)
{
    if (weft_forked_since(s->born)) {
        return 0;
    }
    pthread_mutex_lock(&s->lock);
    size_t n = s->waiting;
    pthread_mutex_unlock(&s->lock);
    return n;
}

enum weft_status weft_semaphore_free(struct weft_semaphore *s)
{
    if (!s) {
        return WEFT_OK;
    }
    if (weft_forked_since(s->born)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&s->lock);
    bool busy = s->free < s->permits;
    pthread_mutex_unlock(&s->lock);
    if (busy) {
        return WEFT_EBUSY;
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
    return WEFT_OK;
}
