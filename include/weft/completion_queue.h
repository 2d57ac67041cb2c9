/* completion_queue.h -- futures in the order in which they get done: Python's as_completed(), or
 * nearer, Java's ExecutorCompletionService.
 *
 * The first-completed primitive of a coordinator. Whoever finishes a future puts it at the end of
 * the queue, so add, completion and next are O(1) each, whatever is pending. A job can name its
 * queue when it is submitted (struct weft_job), which costs no allocation and cannot fail; other
 * futures are added. To wake a thread that sits in next, finish a promise that was added.
 * Any thread may call anything, several may sit in next. */
#ifndef WEFT_COMPLETION_QUEUE_H
#define WEFT_COMPLETION_QUEUE_H

#include "weft/future.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_completion_queue; /* opaque: src/exec/completion_queue.c */

/* Gives *out, empty. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_completion_queue_new(struct weft_completion_queue **out) WEFT_MUST_USE;

/* Has f come out of q once, when it is done; at once if it is. Takes a reference of its own. Adding
 * it twice makes it come out twice. tag is handed back with it.
 * WEFT_OK, WEFT_ENOMEM, WEFT_EINVAL, WEFT_EFORKED. */
enum weft_status weft_completion_queue_add(struct weft_completion_queue *q, struct weft_future *f,
                                           void *tag) WEFT_MUST_USE;

/* Gives the next future that is done, with a reference that is yours to release, and its tag (NULL
 * is fine). What is ready is handed out whatever the deadline; a future that is being finished by
 * another thread may be seen done a moment before it is ready here.
 * WEFT_OK; WEFT_END: nothing is outstanding, for every thread that waits here; WEFT_ETIMEDOUT,
 * nothing is lost; WEFT_EDEADLK: only the caller's own job is outstanding; WEFT_ENOMEM,
 * WEFT_EINVAL, WEFT_EFORKED. *f is NULL unless WEFT_OK.
 * Blocks until the deadline. With WEFT_FOREVER on a worker, a job of its own executor that has not
 * started, and for which no worker is idle, is run here instead of waited for: then this returns
 * when that one has ended, and if it would end only when the caller asks it to stop, never. Give a
 * deadline to such a wait, and no job is run here. */
enum weft_status weft_completion_queue_next(struct weft_completion_queue *q, weft_time deadline,
                                            struct weft_future **f, void **tag);

/* Cancels what is outstanding and has not started, and asks what runs to stop. It all still comes
 * out of next. Callbacks of what is cancelled run here. Does nothing in a forked child. */
void weft_completion_queue_cancel(struct weft_completion_queue *q);

/* How many were added or submitted and have not come out of next: a snapshot; 0 in a
 * forked child. */
size_t weft_completion_queue_outstanding(struct weft_completion_queue *q);

/* Lets go of what it holds; cancels nothing: what runs goes on. Nobody may be in a call on q, and
 * no job that names it may be on its way into an executor. NULL is fine. */
void weft_completion_queue_free(struct weft_completion_queue *q);

#ifdef __cplusplus
}
#endif
#endif
