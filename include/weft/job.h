/* job.h -- what an executor runs, and what the running job can ask.
 *
 * A job is a function, its argument, and who destroys what. It must return: no longjmp,
 * pthread_exit, pthread_cancel or C++ exception out of it. It may fork, but on a pool the child
 * must not return from it: there it is the only thread, and the pool is the parent's. */
#ifndef WEFT_JOB_H
#define WEFT_JOB_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_task; /* a job's view of itself; valid during its call only */
struct weft_future;
struct weft_completion_queue;

/* Returns 0 for success, or a code of the job's own. *value is NULL at first; what it stores there
 * goes to the future, whatever it returns. After a stop request, and only then, returning
 * WEFT_ECANCELED makes the future CANCELLED and destroys the value. */
typedef int weft_job_fn(struct weft_task *self, void *arg, void **value);

struct weft_job {
    weft_job_fn *run;                    /* required */
    void *arg;                           /* the job's, once submit has returned WEFT_OK */
    void (*arg_free)(void *arg);         /* called once, after run or instead of it, and before the
                                            future is done; may be NULL */
    void (*value_free)(void *value);     /* for a value that nobody took; may be NULL */
    struct weft_completion_queue *queue; /* also comes out there when done; may be NULL. It must
                                            live until then, or be freed, which lets go of it */
    void *tag;                           /* handed back by the queue and by weft_future_tag() */
};

/* Whether somebody asked the job to stop: cancel, or shutdown with WEFT_CANCEL_RUNNING. A job that
 * takes long polls this. Threads: any, while the job runs. Never blocks; a single load. */
bool weft_stopping(const struct weft_task *self);

/* Sleeps until the time given, or until somebody asks the job to stop.
 * WEFT_OK: the time has come; WEFT_ECANCELED: asked to stop; WEFT_ENOMEM; WEFT_EFORKED.
 * Threads: the job's own. Blocks; WEFT_FOREVER sleeps until it is asked to stop. */
enum weft_status weft_pause(struct weft_task *self, weft_time until);

/* Which worker runs the job: 0 to max_workers - 1; 0 on the inline executor. */
unsigned weft_task_worker(const struct weft_task *self);

/* The job's own future; borrowed. */
struct weft_future *weft_task_future(const struct weft_task *self);

#ifdef __cplusplus
}
#endif
#endif
