/* executor.h -- what a pool and the inline executor have in common, and where they differ.
 *
 * An executor lists each job from submit until the job and its callbacks are over: first in its
 * queue, then among its active ones. Being listed is one reference to the future. Whoever makes a
 * future done, worker or canceller, also calls its callbacks and then counts it off; so when both
 * lists are empty, nothing of any job can still be going on.
 * Knows futures and threads; nothing of what the jobs do. */
#ifndef WEFT_EXEC_EXECUTOR_H
#define WEFT_EXEC_EXECUTOR_H

#include "exec/future.h"
#include "weft/executor.h"

#ifndef WEFT_MAX_SPARES
#define WEFT_MAX_SPARES 1024u /* futures that an executor keeps for jobs to come */
#endif

struct weft_executor_ops {
    /* Lists *f, the job's future, and sees to it that it runs; or refuses, as
     * weft_executor_submit() says. *f is NULL if nobody asks for the result; then
     * weft_executor_reuse() gives it. */
    enum weft_status (*accept)(struct weft_executor *e, const struct weft_job *job,
                               weft_time deadline, struct weft_future **f);
    /* The executor has been closed: wakes whoever waits for jobs. The lock is held. */
    void (*wake)(struct weft_executor *e);
    /* Nothing is listed any more: joins what threads there are, frees e. */
    void (*destroy)(struct weft_executor *e);
};

struct weft_executor {
    const struct weft_executor_ops *ops; /* set once, like the next three */
    unsigned born;                       /* fork generation */
    unsigned workers;                    /* how many jobs can run at once */
    size_t queue_max;                    /* 0: without limit */

    pthread_mutex_t lock;    /* guards the rest */
    struct weft_list queue;  /* accepted, not started; always empty on the inline executor */
    size_t queued;           /* how many those are */
    struct weft_line room;   /* called when a bounded queue gets shorter, and on closing */
    struct weft_list active; /* out of the queue, not yet counted off */
    struct weft_list spare;  /* futures that nobody refers to any more, for jobs to come */
    unsigned spares;         /* how many those are */
    unsigned threads;        /* workers that have not ended */
    unsigned idle;           /* of those: waiting for a job, or called and on their way to one */
    bool closed;             /* takes no more jobs */
    pthread_cond_t quiet;    /* broadcast when closed, and no job and no thread is left */
};

/* Initialises the common part. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_executor_init(struct weft_executor *e, const struct weft_executor_ops *ops,
                                    unsigned workers) WEFT_MUST_USE;
void weft_executor_release(struct weft_executor *e);

/* A future for a job whose result nobody asks for: a spare one, or a new one if there is none. The
 * lock is held. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_executor_reuse(struct weft_executor *e, const struct weft_job *job,
                                     struct weft_future **f) WEFT_MUST_USE;
/* Takes the first job that was not cancelled out of the queue and starts it; NULL if there is
 * none. The lock is held. */
struct weft_future *weft_executor_take(struct weft_executor *e);
/* Runs a job that was started, up to and including its callbacks. */
void weft_executor_run(struct weft_future *f, unsigned worker);
/* f and its callbacks are over: e no longer lists it. The lock is held; afterwards, without it, the
 * caller releases what this returns: f with the reference that came with being listed, or NULL if
 * there is no need to. */
struct weft_future *weft_executor_count_off(struct weft_executor *e,
                                            struct weft_future *f) WEFT_MUST_USE;
/* A worker ends. The lock is held. */
void weft_executor_thread_ends(struct weft_executor *e);

/* This thread has made f DROPPING: takes it out of the queue, destroys its argument, makes it
 * CANCELLED, calls its callbacks, counts it off. */
void weft_executor_drop(struct weft_future *f);

enum weft_help {
    WEFT_HELPED,
    WEFT_HELP_TAKEN, /* f has been started or cancelled by another thread */
    WEFT_HELP_NONE   /* not this thread's to run, or f needs no help */
};
/* If this thread is a worker of the pool in whose queue f is: runs it. needed says that this thread
 * can't go on without f; else f is left alone if there are idle workers for all that is queued. */
enum weft_help weft_executor_help(struct weft_future *f, bool needed);

#endif
