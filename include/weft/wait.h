/* wait.h -- waiting for several futures at once: Python's concurrent.futures.wait().
 *
 * For a handful, once. Each call costs O(n), so taking n futures one by one this way is O(n^2):
 * for many futures and one consumer use a completion queue (completion_queue.h). */
#ifndef WEFT_WAIT_H
#define WEFT_WAIT_H

#include "weft/future.h"

#ifdef __cplusplus
extern "C" {
#endif

enum weft_return_when {
    WEFT_FIRST_COMPLETED, /* one is done, cancelled or not */
    WEFT_FIRST_EXCEPTION, /* one failed (cancellation is no failure), or all are done */
    WEFT_ALL_COMPLETED
};

/* Waits for fs[0..n), which may come from different executors, repeat, and are borrowed. Then sets
 * *ndone (NULL is fine) to how many entries are done; ask the futures which. Cancels nothing,
 * consumes nothing, leaves nothing behind on them. n == 0 is WEFT_OK at once.
 * WEFT_OK; WEFT_ETIMEDOUT, with *ndone all the same; WEFT_EDEADLK: only the caller's own job could
 * end the wait; WEFT_ENOMEM, WEFT_EINVAL (a NULL future, an unknown mode), WEFT_EFORKED.
 * Threads: any. Blocks until the deadline. With WEFT_FOREVER on a worker, those of its own
 * executor that have not started are run here, on this stack, instead of waited for; if one is
 * enough, then only what no idle worker is about to run. A wait for the first returns when the one
 * that is run here has ended: if that would end only when the caller asks it to stop, never. Give a
 * deadline to such a wait, and no job is run here. */
enum weft_status weft_wait(struct weft_future *const *fs, size_t n, weft_time deadline,
                           enum weft_return_when until, size_t *ndone);

#ifdef __cplusplus
}
#endif
#endif
