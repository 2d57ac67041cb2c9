/* jobs.h -- what the tests of this layer share: executors to run them on, jobs that do one thing,
 * and counters of what was called. */
#ifndef WEFT_TEST_JOBS_H
#define WEFT_TEST_JOBS_H

#include "weft/executor.h"
#include "weft/promise.h"

#include "support/eventually.h"
#include "support/gate.h"
#include "support/suite.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Asserts on statuses say the name of what came instead. */
#define ck_status(call, expected)                                                                  \
    do {                                                                                           \
        enum weft_status st_ = (call);                                                             \
        ck_assert_msg(st_ == (expected), "%s: %s, not %s", #call, weft_strerror(st_),              \
                      weft_strerror(expected));                                                    \
    } while (0)

/* Tests that hold for every executor are loop tests over these kinds. */
enum kind { INLINE, POOL_OF_1, POOL_OF_4, KINDS };

/* A new executor of that kind; never NULL. */
struct weft_executor *make_executor(int kind);
struct weft_executor *make_pool(unsigned workers);
/* Shuts it down and frees it, and asserts that this works. */
void free_executor(struct weft_executor *e);

/* How many threads of pools without a name there are in this process. */
unsigned count_workers(void);
/* Asserts that they are gone; a thread that was joined may take a moment to disappear. */
void assert_no_workers(void);

/* Submits and asserts that it was taken; gives the future. */
struct weft_future *submit(struct weft_executor *e, weft_job_fn *run, void *arg);
struct weft_future *submit_job(struct weft_executor *e, const struct weft_job *job);
/* A pool of one worker, which is held at a gate: whatever is submitted stays PENDING. */
struct blocked_pool {
    struct weft_executor *e;
    struct weft_future *blocker;
    struct gate gate;
};
void block_pool(struct blocked_pool *b);
/* Lets the worker go, waits for everything, frees the pool. */
void unblock_and_free(struct blocked_pool *b);

struct weft_future *new_promise(void (*value_free)(void *));
struct weft_completion_queue *new_queue(void);

/* Jobs. */
weft_job_fn job_nothing;       /* returns 0 */
weft_job_fn job_count;         /* arg: atomic_int, which it increments */
weft_job_fn job_fail;          /* returns the number that arg is (a pointer made of a number) */
weft_job_fn job_echo;          /* gives arg as its value */
weft_job_fn job_gate;          /* arg: a gate, which it passes */
weft_job_fn job_until_stopped; /* arg: a gate, where it arrives; then pauses until asked to stop,
                                  and returns WEFT_ECANCELED */

/* Destructors that count how often they were called; the argument is an atomic_int. */
void count_free(void *counter);
/* A callback that increments user, an atomic_int. */
void count_call(struct weft_future *f, void *user);

/* Whether f is done by now; asserts what the result is. */
void assert_result(struct weft_future *f, enum weft_status status, int err, const void *value);

/* Rounds for a loop that looks for a race: n/divisor; with WEFT_ROUNDS=full, in a soak, n; with
 * WEFT_ROUNDS=10 a tenth of the short form. */
unsigned rounds(unsigned n, unsigned divisor);
/* After how many seconds a test of such loops is taken to hang. */
double watchdog(void);

/* Runs call(arg) on a thread of its own. */
struct helper {
    pthread_t thread;
    void (*call)(void *arg);
    void *arg;
};
void helper_start(struct helper *h, void (*call)(void *arg), void *arg);
void helper_join(struct helper *h);

#endif
