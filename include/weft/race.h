/* race.h -- run a set of jobs, take the first that succeeds: Java's invokeAny, JavaScript's
 * Promise.any. For mirrors of one thing. */
#ifndef WEFT_RACE_H
#define WEFT_RACE_H

#include "weft/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs jobs[0..n) until one returns 0. *winner (NULL is fine) is its index and out[*winner] its
 * result, the value the caller's. The others are cancelled or asked to stop, and not waited for: so
 * never race jobs whose argument is on your stack. out[i] of one that failed before is its result,
 * of the rest {WEFT_ECANCELED, 0, NULL}. Takes the arguments of all jobs: arg_free is called once
 * for each, also if it never ran; but for WEFT_EINVAL, which does nothing. jobs are borrowed; their
 * queue must be NULL, their tag is not used.
 * WEFT_OK; WEFT_EALL: every job failed, and out holds all errors; WEFT_ETIMEDOUT: none succeeded by
 * the deadline; WEFT_ECLOSED, WEFT_EFULL, WEFT_ENOMEM, WEFT_EFORKED: not all could be submitted;
 * WEFT_EINVAL, also for n == 0. Whatever it is, what still runs has been asked to stop, or is
 * being asked by the thread of the winner.
 * Threads: any; on a worker of e without a deadline, jobs that have not started, and for which no
 * worker is idle, are run here. Callbacks of what is cancelled run on the winner's thread or here.
 * Blocks until the deadline, or until the winner and what is run here have ended; if the executor's
 * queue is bounded, also until there is room for each. */
enum weft_status weft_race(struct weft_executor *e, const struct weft_job jobs[], size_t n,
                           weft_time deadline, size_t *winner, struct weft_result out[]);

#ifdef __cplusplus
}
#endif
#endif
