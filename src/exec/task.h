/* task.h -- what this thread is doing for which executor: the jobs on its stack.
 *
 * A thread may be inside several jobs at once, one above the other: a worker that waits for a job
 * of its own pool runs it, an inline job submits another. Each has its task on the stack. From
 * this comes who would wait for itself. Callbacks have a task too, without a job. */
#ifndef WEFT_EXEC_TASK_H
#define WEFT_EXEC_TASK_H

#include "exec/future.h"
#include "weft/executor.h"

struct weft_task {
    struct weft_future *future;     /* whose job, or callbacks, run */
    struct weft_executor *executor; /* which counts on their end */
    unsigned worker;
    struct weft_task *outer; /* the one below on this thread, or NULL */
};

/* Puts task on top of this thread's; takes it off. */
void weft_task_enter(struct weft_task *task);
void weft_task_leave(struct weft_task *task);

/* Whether f's job is on this thread's stack: it can't get done while this thread waits. */
bool weft_task_is_inside(const struct weft_future *f);
/* Whether this thread works for e: is one of its workers, or runs a job or callback of it. */
bool weft_task_works_for(const struct weft_executor *e);

/* Makes this thread worker number n of e, for its lifetime. */
void weft_task_become_worker(struct weft_executor *e, unsigned n);
/* The pool that this thread is a worker of, or NULL; and its number there. */
struct weft_executor *weft_task_pool(void);
unsigned weft_task_number(void);

#endif
