/* executor.h -- runs jobs: on a pool of threads, or inline.
 *
 * A pool is a fixed number of threads around one queue: submit puts a job in and gives a future,
 * workers take jobs out, first in, first out. The inline executor has the same interface and runs
 * the job before submit returns, on the caller's thread: the same program without threads.
 *
 *   Python                                  weft
 *   --------------------------------------  -------------------------------------------------
 *   ThreadPoolExecutor(max_workers, ...)    weft_executor_new(&e, &options)
 *   executor.submit(fn, arg)                weft_executor_submit(e, &job, deadline, &future)
 *   executor.map(fn, items, buffersize=n)   weft_executor_map(&map, e, &spec)         map.h
 *   executor.shutdown(wait=True)            weft_executor_shutdown(e, 0, WEFT_FOREVER)
 *   executor.shutdown(wait=False)           weft_executor_shutdown(e, 0, WEFT_POLL)
 *   executor.shutdown(cancel_futures=True)  weft_executor_shutdown(e, WEFT_CANCEL_PENDING, ...)
 *   future.result(timeout)                  weft_future_result(f, deadline, &result)  future.h
 *   future.exception(timeout)               result.err of the same call
 *   future.cancel()                         weft_future_cancel(f)
 *   future.done() running() cancelled()     weft_future_done(f) _running(f) _cancelled(f)
 *   future.add_done_callback(fn)            weft_future_add_done_callback(f, fn, user)
 *   Future() set_running... set_result      weft_promise_new, _start, _finish         promise.h
 *   wait(fs, timeout, return_when)          weft_wait(fs, n, deadline, until, &ndone) wait.h
 *   as_completed(fs, timeout)               weft_completion_queue_new, _add, _next    *_queue.h
 *   asyncio.BoundedSemaphore(n)             weft_semaphore_new(&s, n, WEFT_NO_CAP)    semaphore.h
 *   asyncio.gather(...)                     weft_gather(e, jobs, n, limit, ...)       gather.h
 *   (none: staggered race, Java invokeAny)  weft_race(e, jobs, n, ...)                race.h
 *
 * Unlike Python's, a pool starts all its threads at once or none; a worker that waits for a job of
 * its own pool runs that job; process exit waits for nothing; a forked child's pool says so.
 * Unless a function says otherwise: any thread may call it, a worker and a callback too, and no
 * lock of weft is held while your code runs. No function here is safe in a signal handler: block
 * signals in threads that use an executor, or handle them with sigwait. Workers block every signal
 * that is not a fault. Knows pthreads; nothing of URLs, HTTP or the crawler. */
#ifndef WEFT_EXECUTOR_H
#define WEFT_EXECUTOR_H

#include "weft/completion_queue.h"
#include "weft/future.h"
#include "weft/job.h"
#include "weft/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_executor; /* opaque: src/exec/executor.h */

struct weft_executor_options {      /* all zero is sensible */
    unsigned max_workers;           /* threads; 0 = min(32, processors + 4) */
    size_t queue_max;               /* jobs that wait to start; 0 = without limit. Of those
                                       who wait for room the first is called first; somebody who
                                       comes just then may be quicker */
    size_t stack_bytes;             /* of each worker; 0 = 8 MiB (of address space) */
    const char *name;               /* copied; threads are "name-0", "name-1"...; NULL = "weft" */
    int (*worker_init)(void *user); /* on each worker before any job; not 0 fails new; NULL: none */
    void (*worker_exit)(void *user); /* on each worker that initialised, at its end; NULL: none */
    void *user;
};

/* Gives *out with all its threads running, or none. options are copied; NULL is all zero.
 * WEFT_OK, WEFT_ENOMEM, WEFT_EAGAIN (no thread to be had), WEFT_EINIT (a worker_init failed),
 * WEFT_EINVAL (too many workers).
 * Blocks until every worker_init has returned. */
enum weft_status weft_executor_new(struct weft_executor **out,
                                   const struct weft_executor_options *options) WEFT_MUST_USE;

/* Gives *out, an executor without threads: submit runs the job before it returns.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_executor_inline_new(struct weft_executor **out) WEFT_MUST_USE;

/* Takes the job, which is copied, and gives its future in *out, one reference; out may be NULL:
 * then nobody asks, or the job's completion queue holds it. On failure nothing has happened and
 * the argument is still the caller's: arg_free was not called.
 * WEFT_OK; WEFT_ECLOSED after shutdown; WEFT_EFULL: a bounded queue had no room by the deadline, or
 * at once on a worker of this pool, which must not wait for itself; WEFT_ENOMEM; WEFT_EINVAL (no
 * run); WEFT_EFORKED. Blocks only for room in a bounded queue; inline, while the job runs. */
enum weft_status weft_executor_submit(struct weft_executor *e, const struct weft_job *job,
                                      weft_time deadline, struct weft_future **out) WEFT_MUST_USE;

/* How many jobs have been submitted and not started: a snapshot; 0 in a forked child. */
size_t weft_executor_queued(struct weft_executor *e);
/* How many jobs can run at once: the number of threads; 1 for the inline executor. */
unsigned weft_executor_workers(const struct weft_executor *e);

#define WEFT_CANCEL_PENDING 1u /* what has not started never will */
#define WEFT_CANCEL_RUNNING 2u /* ask what runs to stop */

/* Closes the executor: submit is refused from now on. Cancels as flags say. Then waits until every
 * job and its callbacks are done and every worker has ended. May be called again, with more flags,
 * by several threads.
 * WEFT_OK; WEFT_ETIMEDOUT: closed, but not all is done; WEFT_EDEADLK: closed, but called by a job
 * or a callback of this executor, which cannot wait for itself; WEFT_EINVAL, WEFT_EFORKED.
 * Blocks until the deadline; WEFT_POLL does not. */
enum weft_status weft_executor_shutdown(struct weft_executor *e, unsigned flags,
                                        weft_time deadline);

/* Shuts down, waits without limit, frees; futures outlive it. NULL is fine. Nobody else may be in
 * a call on e. WEFT_OK; WEFT_EDEADLK from a job or a callback of e: nothing has happened;
 * WEFT_EFORKED: nothing is freed, as the parent's locks may be held for ever. */
enum weft_status weft_executor_free(struct weft_executor *e);

#ifdef __cplusplus
}
#endif
#endif
