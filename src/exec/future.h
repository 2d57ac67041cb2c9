/* future.h -- what a future is made of, and its state machine, for the files of this layer.
 *
 *     PENDING --start--> RUNNING --finish--> FINISHED
 *        |                  `-----finish---> CANCELLED  (it was asked to stop, and did)
 *        |--drop----> DROPPING --finish---> CANCELLED   (a job, cancelled)
 *        |--cancel--> CANCELLED                         (a promise, cancelled)
 *        `--finish--> FINISHED                          (a promise that is never started)
 *
 * When a job's future is done, its argument has been destroyed, and it has left the queue. While it
 * is PENDING it is in the queue, for whoever holds its executor's lock.
 *
 * Lock order in this layer: executor, then future, then the waiter or completion queue that
 * listens to it. Jobs, callbacks and destructors run under none.
 *
 * References: an executor holds one until the job's callbacks are over, a completion queue one for
 * each entry, the user those that were given out. Knows who runs a job only as `home`. */
#ifndef WEFT_EXEC_FUTURE_H
#define WEFT_EXEC_FUTURE_H

#include "exec/list.h"
#include "exec/waiter.h"
#include "weft/future.h"
#include "weft/job.h"
#include <stdatomic.h>

enum weft_future_state {
    WEFT_PENDING,
    WEFT_RUNNING,
    WEFT_DROPPING, /* a canceller has it: it will never run, and is about to be CANCELLED */
    WEFT_FINISHED,
    WEFT_CANCELLED
};

/* Told once, when the future is done, under the future's lock: fire may take one more lock, and
 * must neither block nor allocate. */
struct weft_listener {
    struct weft_link link; /* guarded by the future's lock */
    void (*fire)(struct weft_listener *self, struct weft_future *f);
};

/* A future's place in a completion queue. */
struct weft_queue_entry {
    struct weft_listener listener;
    struct weft_link link; /* guarded by the queue's lock */
    struct weft_completion_queue *queue;
    struct weft_future *future; /* one reference */
    void *tag;
};

struct weft_callback; /* callback.c */

struct weft_future {
    atomic_uint refs;
    atomic_int state; /* enum weft_future_state. Out of PENDING by an exchange, the final states
                         under lock; read by anyone: what is done stays so, and then err and value
                         can be read without lock */
    atomic_bool stop; /* asked to stop; written under lock */
    int err;          /* written once, before the final state */
    _Atomic(void *) value; /* likewise; taken by an exchange */

    pthread_mutex_t lock;            /* guards the next five lines */
    struct weft_list listeners;      /* empty once the state is final */
    struct weft_waiter *pausing;     /* the job sleeps in weft_pause() */
    struct weft_callback *callbacks; /* not yet called, in order */
    struct weft_callback **callbacks_end;
    bool calling; /* a thread is calling them, and will call what is added */

    bool queued;           /* these two are guarded by home's lock: */
    struct weft_link link; /* in home's queue if queued, else among its active jobs */

    unsigned born;              /* from here on, set once at creation: fork generation */
    bool has_entry;             /* there is an entry at the end of this struct */
    struct weft_executor *home; /* NULL: a promise. Alive as long as it lists the future */
    weft_job_fn *run;
    void *arg;
    void (*arg_free)(void *arg);
    void (*value_free)(void *value);
    void *tag;
    struct weft_queue_entry entry[]; /* one, if the job names a completion queue; else none */
};

/* A PENDING future with refs references; job is copied. home is NULL for a promise.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_future_new(struct weft_future **out, struct weft_executor *home,
                                 const struct weft_job *job, unsigned born,
                                 unsigned refs) WEFT_MUST_USE;
/* Makes a future that is done, and that nobody refers to any more, a new one of the same home. Its
 * old job and the new one name no completion queue. */
void weft_future_renew(struct weft_future *f, const struct weft_job *job, unsigned refs);
/* Frees a future that nobody has seen, whatever its references. */
void weft_future_discard(struct weft_future *f);

static inline enum weft_future_state weft_future_state(const struct weft_future *f)
{
    return (enum weft_future_state)atomic_load_explicit(&f->state, memory_order_acquire);
}

/* Belongs to the parent process and was not done when it forked: its lock must not be touched. */
bool weft_future_orphaned(const struct weft_future *f);

/* PENDING to RUNNING. WEFT_OK, WEFT_ECANCELED, WEFT_EDONE. */
enum weft_status weft_future_start(struct weft_future *f) WEFT_MUST_USE;
/* PENDING to DROPPING. True: the caller owes it a weft_executor_drop(). */
bool weft_future_claim_drop(struct weft_future *f) WEFT_MUST_USE;
/* Any of the first three to FINISHED with err and value, which it takes; or to CANCELLED, with 0
 * and NULL. Tells the listeners, runs the callbacks. WEFT_OK; WEFT_ECANCELED, WEFT_EDONE: value is
 * still the caller's. The caller has a reference. */
enum weft_status weft_future_finish(struct weft_future *f, enum weft_future_state final, int err,
                                    void *value);
/* Raises the stop flag of a running job and ends its pause; nothing in another state. */
void weft_future_ask_stop(struct weft_future *f);

/* Has l fired when f is done, and returns true; or returns false: f is done, and l is not used. */
bool weft_future_listen(struct weft_future *f, struct weft_listener *l) WEFT_MUST_USE;
/* Takes l back. False: it has fired, and fire has returned. */
bool weft_future_unlisten(struct weft_future *f, struct weft_listener *l);

/* Calls the callbacks. The caller has set f->calling under the lock. callback.c */
void weft_future_call_callbacks(struct weft_future *f);
/* Frees the callbacks of a future that ends without having been done. callback.c */
void weft_future_free_callbacks(struct weft_future *f);

#endif
