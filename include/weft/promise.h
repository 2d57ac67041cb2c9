/* promise.h -- futures that no executor runs: you start and finish them yourself.
 *
 * For tests, for event loops, and to wake somebody who waits on a completion queue. A promise is
 * a future in every other respect. An executor's futures refuse these calls with WEFT_EINVAL: only
 * their own worker finishes them. Any thread; nothing blocks, but callbacks run in finish. */
#ifndef WEFT_PROMISE_H
#define WEFT_PROMISE_H

#include "weft/future.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives *out, one reference, PENDING. value_free destroys a value that nobody took; may be NULL.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_promise_new(struct weft_future **out,
                                  void (*value_free)(void *value)) WEFT_MUST_USE;

/* PENDING to RUNNING: from now on cancel only asks to stop.
 * WEFT_OK; WEFT_ECANCELED: it was cancelled, don't do the work; WEFT_EDONE: it runs or is finished;
 * WEFT_EINVAL, WEFT_EFORKED. */
enum weft_status weft_promise_start(struct weft_future *f) WEFT_MUST_USE;

/* Whether somebody asked the running promise to stop. */
bool weft_promise_stopping(const struct weft_future *f);

/* PENDING or RUNNING to FINISHED; takes value. Waiters are told, then callbacks run here. err is
 * 0 for success or your own code; WEFT_ECANCELED after a stop request makes f CANCELLED and
 * destroys value. You need a reference of your own for as long as the call lasts.
 * WEFT_OK; WEFT_EDONE, WEFT_ECANCELED, WEFT_EINVAL, WEFT_EFORKED: the value is still yours. */
enum weft_status weft_promise_finish(struct weft_future *f, int err, void *value);

#ifdef __cplusplus
}
#endif
#endif
