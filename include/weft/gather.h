/* gather.h -- run a set of jobs, so many at once, and have all the results.
 *
 * What asyncio.gather() and a TaskGroup are for. When it returns, nothing of it runs any more: so
 * jobs may work on the caller's own variables. */
#ifndef WEFT_GATHER_H
#define WEFT_GATHER_H

#include "weft/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_STOP_ON_ERROR 1u /* the first failure cancels the rest */

/* Runs jobs[0..n), at most limit at once (0: as many as the executor does), and sets out[i] to what
 * became of jobs[i]; values are the caller's. Takes the arguments of all jobs: each arg_free has
 * been called when it returns, also for jobs that never ran; but for WEFT_EINVAL, which does
 * nothing. jobs are borrowed; their queue must be NULL, their tag is not used.
 * WEFT_OK: every job ran to its end. WEFT_ECANCELED: with WEFT_STOP_ON_ERROR, one failed; or one
 * was cancelled from elsewhere, by a shutdown say.
 * WEFT_ETIMEDOUT: the deadline passed. WEFT_ECLOSED, WEFT_EFULL, WEFT_ENOMEM, WEFT_EFORKED: not all
 * could be submitted. Whatever it is, what had not started was cancelled, what ran was asked to
 * stop and waited for, and out says which is which.
 * Threads: any; on a worker of e without a deadline, jobs that have not started, and for
 * which no worker is idle, are run here.
 * Blocks until the deadline, and then until the last job has stopped. What finds no room in a
 * bounded queue is submitted when another job has ended: an executor whose queue holds fewer than
 * limit jobs may run fewer at once. */
enum weft_status weft_gather(struct weft_executor *e, const struct weft_job jobs[], size_t n,
                             size_t limit, unsigned flags, weft_time deadline,
                             struct weft_result out[]);

#ifdef __cplusplus
}
#endif
#endif
