/* waiter.h -- a thread that sleeps until somebody calls it, and lines of such threads.
 *
 * Each sleeping thread has a condition variable of its own, so a call has exactly one taker: no
 * herd wakes, no wake-up goes to a thread that has no use for it, and none is lost to a bystander.
 * Whoever calls holds the lock that the sleeper gave up, and signals before letting go of it: a
 * sleeper can't be gone while it is being called.
 * Knows pthreads and the monotonic clock; nothing of futures. */
#ifndef WEFT_EXEC_WAITER_H
#define WEFT_EXEC_WAITER_H

#include "exec/list.h"
#include "weft/clock.h"
#include "weft/status.h"
#include <pthread.h>

/* A lock for sections of a few instructions that several threads enter all the time: who finds it
 * taken looks again for a moment before going to sleep. 0, or what pthread_mutex_init() says. */
int weft_busy_lock_init(pthread_mutex_t *lock) WEFT_MUST_USE;

/* A condition variable whose deadlines are on the monotonic clock. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_cond_init(pthread_cond_t *cond) WEFT_MUST_USE;
/* Sleeps once, as pthread_cond_timedwait does: wakes for a signal, or for nothing. False if the
 * deadline has passed. The caller looks at its predicate again, whatever it says. */
bool weft_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, weft_time deadline);

struct weft_waiter {
    struct weft_link link; /* its place in a line, if it stands in one */
    pthread_cond_t cond;   /* signalled when called is set */
    bool called;           /* guarded by the lock that weft_waiter_wait() is given */
};

/* WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_waiter_init(struct weft_waiter *w) WEFT_MUST_USE;
void weft_waiter_destroy(struct weft_waiter *w);
/* Sleeps until it is called or the deadline has passed; says whether it was called, and forgets
 * that. A call beats the deadline. lock is held on entry and on return. */
bool weft_waiter_wait(struct weft_waiter *w, pthread_mutex_t *lock, weft_time deadline);
/* Wakes it. The lock that it waits with is held. */
void weft_waiter_call(struct weft_waiter *w);

/* Threads that wait in line; all under one lock, which is held during each of these calls. */
struct weft_line {
    struct weft_list waiters;
};

void weft_line_init(struct weft_line *line);
bool weft_line_empty(const struct weft_line *line);
/* Stands at the end of the line until called, or until the deadline; then w is out of the line. */
bool weft_line_wait(struct weft_line *line, struct weft_waiter *w, pthread_mutex_t *lock,
                    weft_time deadline);
/* Calls one: who has waited longest, or shortest. Nothing happens if nobody waits. */
void weft_line_call_first(struct weft_line *line);
void weft_line_call_last(struct weft_line *line);
void weft_line_call_all(struct weft_line *line);

#endif
