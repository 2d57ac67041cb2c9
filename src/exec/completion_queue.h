/* completion_queue.h -- what the other files of this layer do with completion queues. */
#ifndef WEFT_EXEC_COMPLETION_QUEUE_H
#define WEFT_EXEC_COMPLETION_QUEUE_H

#include "exec/waiter.h"
#include "weft/completion_queue.h"

/* Enters the future of a job into the queue that the job names, if it names one. Can't fail. The
 * future is new: the executor's lock is held, and nobody else can reach it yet. */
void weft_completion_queue_enter(struct weft_future *f);

/* It belongs to the parent of this forked process: its lock must not be touched. */
bool weft_completion_queue_orphaned(const struct weft_completion_queue *q);

/* weft_completion_queue_cancel() for the job of `but` itself: all the others. */
void weft_completion_queue_cancel_others(struct weft_completion_queue *q,
                                         const struct weft_future *but);

/* weft_completion_queue_next() for a caller that has a waiter already: can't run out of memory. */
enum weft_status weft_completion_queue_next_by(struct weft_completion_queue *q,
                                               struct weft_waiter *w, weft_time deadline,
                                               struct weft_future **f, void **tag);

#endif
