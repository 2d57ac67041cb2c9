/* semaphore.h -- at most so many at once: Python's asyncio.BoundedSemaphore, for threads; and the
 * bulkhead of resilience libraries, which is a semaphore with a cap on its line.
 *
 * First come, first served: a permit that is given back goes to whoever has waited longest, and
 * nobody barges in. Any thread may give back what another acquired. Knows nothing of futures. */
#ifndef WEFT_SEMAPHORE_H
#define WEFT_SEMAPHORE_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_NO_CAP SIZE_MAX /* any number may wait */

struct weft_semaphore; /* opaque: src/exec/semaphore.c */

/* Gives *out with so many permits, at least 1. max_waiters: how many may wait for one; more are
 * refused. WEFT_OK, WEFT_EINVAL (no permits), WEFT_ENOMEM. */
enum weft_status weft_semaphore_new(struct weft_semaphore **out, size_t permits,
                                    size_t max_waiters) WEFT_MUST_USE;

/* Takes a permit. WEFT_OK; WEFT_ETIMEDOUT: none came by the deadline, and the caller's place in the
 * line is given up; WEFT_EFULL, without waiting: the line is at its cap; WEFT_ENOMEM, WEFT_EINVAL,
 * WEFT_EFORKED. A permit that comes with the deadline counts. Threads: any. Blocks until the
 * deadline. */
enum weft_status weft_semaphore_acquire(struct weft_semaphore *s, weft_time deadline) WEFT_MUST_USE;

/* Gives a permit back. WEFT_OK; WEFT_EOVER: all are back already, nothing is changed; WEFT_EINVAL,
 * WEFT_EFORKED. Threads: any. Never blocks. */
enum weft_status weft_semaphore_release(struct weft_semaphore *s);

/* How many threads wait for a permit: a snapshot. Threads: any. */
size_t weft_semaphore_waiting(struct weft_semaphore *s);

/* NULL is fine. WEFT_OK; WEFT_EBUSY: a permit is out or somebody waits, nothing is freed;
 * WEFT_EFORKED: nothing is freed. */
enum weft_status weft_semaphore_free(struct weft_semaphore *s);

#ifdef __cplusplus
}
#endif
#endif
