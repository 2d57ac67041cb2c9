/* future.h -- a result that may not exist yet.
 *
 * A future is PENDING, then RUNNING, then FINISHED; or CANCELLED instead of finished. There is no
 * way back. An executor makes one for each job (executor.h); a promise is one that you finish
 * yourself (promise.h). You may ask whether it is done, wait for it, read its result, cancel it,
 * be called when it is done, and give it back.
 *
 * If you know Python: this is concurrent.futures.Future, with these differences.
 *   - A cancelled future is done at once, for everyone; there is no "cancelled, not yet notified".
 *   - What became of the wait and what became of the job are two numbers: a job may fail with
 *     a time-out of its own without looking like your wait's.
 *   - Deadlines are absolute (clock.h), and a negative time-out cannot happen.
 *   - You hold a reference and give it back with weft_future_release().
 *
 * Unless a function says otherwise: any thread may call it, a worker and a callback too; it does
 * not block; no lock of weft is held while your code runs. No function here is safe in a signal
 * handler. In a forked child a future that was done can still be read, and what would change it
 * says so (WEFT_EDONE and the like); all else is WEFT_EFORKED. Knows threads. Knows nothing of
 * URLs, HTTP or the crawler. */
#ifndef WEFT_FUTURE_H
#define WEFT_FUTURE_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_future; /* opaque: src/exec/future.h */

/* What became of a job. */
struct weft_result {
    enum weft_status status; /* WEFT_OK: it ran to its end; WEFT_ECANCELED: it did not */
    int err;                 /* what the job returned: 0 is success; 0 when cancelled */
    void *value;             /* what the job stored, also when err != 0; NULL when cancelled */
};

/* Waits until f is done, then tells its result in *out (NULL is fine). The value is lent: it lives
 * as long as you hold a reference and nobody takes it.
 * Returns out->status: WEFT_OK or WEFT_ECANCELED; or WEFT_ETIMEDOUT; WEFT_EDEADLK if the caller is
 * the very job that f stands for; WEFT_ENOMEM; WEFT_EINVAL (f is NULL); WEFT_EFORKED. *out then
 * holds that status, and f is as it was.
 * Blocks until the deadline; a future that is done is read whatever the deadline. With WEFT_FOREVER
 * on a worker of f's own executor, a job that has not started is run here instead of waited for. */
enum weft_status weft_future_result(struct weft_future *f, weft_time deadline,
                                    struct weft_result *out);

/* Gives the value to the caller, once; NULL if f is not done, was cancelled, or has no value left.
 * What nobody takes is destroyed by the job's value_free with the last reference. */
void *weft_future_take(struct weft_future *f);

/* Finished or cancelled. */
bool weft_future_done(const struct weft_future *f);
/* Started, and not yet done. */
bool weft_future_running(const struct weft_future *f);
/* Cancelled: the job never ran, or ended because it was asked to stop. */
bool weft_future_cancelled(const struct weft_future *f);
/* The tag that was given with the job; NULL for a promise. */
void *weft_future_tag(const struct weft_future *f);

/* Cancels f if it has not started; asks it to stop if it runs (weft_stopping() in job.h).
 * WEFT_OK: cancelled, now or before: the job will never be called, waiters have been told, and
 * callbacks have run, on this thread. If another thread, or one further down this stack, is
 * cancelling it at this moment, that is said at once, and f is done when that one is through.
 * WEFT_EBUSY: it runs and has been asked to stop. WEFT_EDONE: it is finished. WEFT_EINVAL (f is
 * NULL), WEFT_EFORKED. */
enum weft_status weft_future_cancel(struct weft_future *f);

/* Called with the future, which is borrowed, and user. It must return: no longjmp, pthread_exit or
 * C++ exception. It may call anything of weft; but it delays the worker on which it runs. */
typedef void weft_done_fn(struct weft_future *f, void *user);

/* Has call made exactly once, when f is done. Callbacks of one future run in the order of their
 * registration, one at a time, never nested: on the thread that finished or cancelled f; or here,
 * before this returns, if f is done and none of its callbacks is being called.
 * Waiters may wake before callbacks have run. WEFT_OK, WEFT_ENOMEM (it will not be called),
 * WEFT_EINVAL, WEFT_EFORKED. Keep f alive yourself until the call, or let its executor do so. */
enum weft_status weft_future_add_done_callback(struct weft_future *f, weft_done_fn *call,
                                               void *user) WEFT_MUST_USE;

/* One more reference; returns f. */
struct weft_future *weft_future_retain(struct weft_future *f);
/* Gives one reference back; the last one destroys f, and its value with value_free. Never cancels.
 * NULL is fine. */
void weft_future_release(struct weft_future *f);

#ifdef __cplusplus
}
#endif
#endif
