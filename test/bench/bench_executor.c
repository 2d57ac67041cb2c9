/* bench_executor.c -- what submitting, handing over, completing and waiting cost.
 *
 * Prints tables. Beside weft stand GLib's GThreadPool and libuv's pool, if they were installed when
 * this was built, and CPython's concurrent.futures, if there is a python3. Each figure is measured
 * in a process of its own, because libuv's pool is one per process; of several runs the best
 * counts, as everything else that this machine does can only make one slower. Digits vary from
 * machine to machine and day to day: read ratios of one run, and slopes. */
#include "weft/executor.h"
#include "weft/promise.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_GLIB
#include <glib.h>
#endif
#ifdef HAVE_LIBUV
#include <uv.h>
#endif

#define RUNS 3

static void require(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench: %s failed\n", what);
        exit(1);
    }
}

/* Runs measure(n) in child processes, several times; the least result. */
static double best_of(double (*measure)(unsigned n), unsigned n)
{
    double least = 0;
    for (int i = 0; i < RUNS; i++) {
        int ends[2], status;
        double result = 0;
        require(pipe(ends) == 0, "pipe");
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            result = measure(n);
            require(write(ends[1], &result, sizeof result) == sizeof result, "write");
            _exit(0);
        }
        close(ends[1]);
        require(child > 0 && read(ends[0], &result, sizeof result) == sizeof result, "measuring");
        close(ends[0]);
        waitpid(child, &status, 0);
        least = i == 0 || result < least ? result : least;
    }
    return least;
}

/* ---- throughput: empty jobs in batches, nanoseconds for each. Batches, because what is measured
 * is the pool and not the memory of a long queue: each waits until the one before is done. */

#define BATCH   1000u
#define BATCHES 100u

static sem_t batch_done;
static atomic_uint left;

static void start_batch(void)
{
    sem_init(&batch_done, 0, 0);
    atomic_store(&left, BATCH);
}

static void job_done(void)
{
    if (atomic_fetch_sub(&left, 1) == 1) {
        sem_post(&batch_done);
    }
}

static double per(weft_time start, unsigned n)
{
    return (double)(weft_now() - start) / n;
}

static int weft_job(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)arg, (void)value;
    job_done();
    return 0;
}

static struct weft_executor *make_pool(unsigned workers)
{
    struct weft_executor *e;
    struct weft_executor_options options = {.max_workers = workers};
    require(weft_executor_new(&e, &options) == WEFT_OK, "weft_executor_new");
    return e;
}

/* Nobody asks for results. */
static double weft_jobs(unsigned workers)
{
    struct weft_executor *e = make_pool(workers);
    struct weft_job job = {.run = weft_job};
    weft_time start = weft_now();
    for (unsigned b = 0; b < BATCHES; b++) {
        start_batch();
        for (unsigned i = 0; i < BATCH; i++) {
            require(weft_executor_submit(e, &job, WEFT_FOREVER, NULL) == WEFT_OK, "submit");
        }
        sem_wait(&batch_done);
    }
    return per(start, BATCH * BATCHES);
}

/* Every result is picked up, in order of completion. */
static double weft_results(unsigned workers)
{
    struct weft_completion_queue *q;
    struct weft_future *f;
    struct weft_executor *e = make_pool(workers);
    require(weft_completion_queue_new(&q) == WEFT_OK, "weft_completion_queue_new");
    struct weft_job job = {.run = weft_job, .queue = q};
    weft_time start = weft_now();
    for (unsigned b = 0; b < BATCHES; b++) {
        for (unsigned i = 0; i < BATCH; i++) {
            require(weft_executor_submit(e, &job, WEFT_FOREVER, NULL) == WEFT_OK, "submit");
        }
        while (weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL) == WEFT_OK) {
            weft_future_release(f);
        }
    }
    return per(start, BATCH * BATCHES);
}

#ifdef HAVE_GLIB
static void glib_job(gpointer data, gpointer user)
{
    (void)data, (void)user;
    job_done();
}

static double glib_jobs(unsigned workers)
{
    static int item;
    GThreadPool *pool = g_thread_pool_new(glib_job, NULL, (gint)workers, TRUE, NULL);
    require(pool != NULL, "g_thread_pool_new");
    weft_time start = weft_now();
    for (unsigned b = 0; b < BATCHES; b++) {
        start_batch();
        for (unsigned i = 0; i < BATCH; i++) {
            g_thread_pool_push(pool, &item, NULL);
        }
        sem_wait(&batch_done);
    }
    return per(start, BATCH * BATCHES);
}
#endif

#ifdef HAVE_LIBUV
static void uv_job(uv_work_t *work)
{
    (void)work;
    job_done();
}

static void uv_done(uv_work_t *work, int status)
{
    (void)work, (void)status;
}

static void uv_size(unsigned workers)
{
    char number[16];
    snprintf(number, sizeof number, "%u", workers);
    setenv("UV_THREADPOOL_SIZE", number, 1);
}

/* libuv calls back on the loop's thread when a job is done; the requests are the user's memory, and
 * here they are used again for each batch. */
static double uv_jobs(unsigned workers)
{
    static uv_work_t works[BATCH];
    uv_loop_t loop;
    uv_size(workers);
    require(uv_loop_init(&loop) == 0, "uv_loop_init");
    weft_time start = weft_now();
    for (unsigned b = 0; b < BATCHES; b++) {
        for (unsigned i = 0; i < BATCH; i++) {
            require(uv_queue_work(&loop, &works[i], uv_job, uv_done) == 0, "uv_queue_work");
        }
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    return per(start, BATCH * BATCHES);
}
#endif

/* ---- hand-off: from submit to the first line of the job, on an idle pool, nanoseconds */

#define HANDOFFS 5000u

struct handoff {
    sem_t ran;
    weft_time start;
};

static int take_time(struct weft_task *self, void *arg, void **value)
{
    struct handoff *h = arg;
    (void)self, (void)value;
    h->start = weft_now();
    sem_post(&h->ran);
    return 0;
}

static int compare(const void *a, const void *b)
{
    weft_time x = *(const weft_time *)a, y = *(const weft_time *)b;
    return (x > y) - (x < y);
}

static double median(weft_time *times)
{
    qsort(times, HANDOFFS, sizeof times[0], compare);
    return (double)times[HANDOFFS / 2];
}

static weft_time times[HANDOFFS];

static double weft_handoff(unsigned workers)
{
    struct handoff h;
    struct weft_executor *e = make_pool(workers);
    sem_init(&h.ran, 0, 0);
    for (unsigned i = 0; i < HANDOFFS; i++) {
        struct weft_job job = {.run = take_time, .arg = &h};
        weft_time start = weft_now();
        require(weft_executor_submit(e, &job, WEFT_FOREVER, NULL) == WEFT_OK, "submit");
        sem_wait(&h.ran);
        times[i] = h.start - start;
    }
    weft_executor_free(e);
    return median(times);
}

#ifdef HAVE_GLIB
static void glib_take_time(gpointer data, gpointer user)
{
    (void)user;
    take_time(NULL, data, NULL);
}

static double glib_handoff(unsigned workers)
{
    struct handoff h;
    GThreadPool *pool = g_thread_pool_new(glib_take_time, NULL, (gint)workers, TRUE, NULL);
    require(pool != NULL, "g_thread_pool_new");
    sem_init(&h.ran, 0, 0);
    for (unsigned i = 0; i < HANDOFFS; i++) {
        weft_time start = weft_now();
        g_thread_pool_push(pool, &h, NULL);
        sem_wait(&h.ran);
        times[i] = h.start - start;
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    return median(times);
}
#endif

#ifdef HAVE_LIBUV
static void uv_take_time(uv_work_t *work)
{
    take_time(NULL, work->data, NULL);
}

static void uv_ignore(uv_work_t *work, int status)
{
    (void)work, (void)status;
}

static double uv_handoff(unsigned workers)
{
    struct handoff h;
    uv_loop_t loop;
    uv_work_t work = {.data = &h};
    uv_size(workers);
    require(uv_loop_init(&loop) == 0, "uv_loop_init");
    sem_init(&h.ran, 0, 0);
    for (unsigned i = 0; i < HANDOFFS; i++) {
        weft_time start = weft_now();
        require(uv_queue_work(&loop, &work, uv_take_time, uv_ignore) == 0, "uv_queue_work");
        sem_wait(&h.ran);
        times[i] = h.start - start;
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    return median(times);
}
#endif

/* ---- waiting: the cost of one completion while n are pending, nanoseconds */

static struct weft_future **make_pending(unsigned n)
{
    struct weft_future **fs = calloc(n, sizeof(void *));
    require(fs != NULL, "calloc");
    for (unsigned i = 0; i < n; i++) {
        require(weft_promise_new(&fs[i], NULL) == WEFT_OK, "weft_promise_new");
    }
    return fs;
}

/* Replaces the i-th, which is done, by a fresh one. */
static void renew(struct weft_future **fs, unsigned i)
{
    weft_future_release(fs[i]);
    require(weft_promise_new(&fs[i], NULL) == WEFT_OK, "weft_promise_new");
}

static double queue_completion(unsigned n)
{
    enum { TIMES = 100000 };
    struct weft_completion_queue *q;
    struct weft_future **fs = make_pending(n), *out;
    require(weft_completion_queue_new(&q) == WEFT_OK, "weft_completion_queue_new");
    for (unsigned i = 0; i < n; i++) {
        require(weft_completion_queue_add(q, fs[i], NULL) == WEFT_OK, "add");
    }
    weft_time start = weft_now();
    for (unsigned k = 0; k < TIMES; k++) {
        unsigned i = k % n; /* in order of memory: cache misses are not the queue's */
        weft_promise_finish(fs[i], 0, NULL);
        require(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL) == WEFT_OK, "next");
        weft_future_release(out);
        renew(fs, i);
        require(weft_completion_queue_add(q, fs[i], NULL) == WEFT_OK, "add");
    }
    return per(start, TIMES);
}

static double wait_first(unsigned n)
{
    /* The loop of somebody who has no queue: submit one, wait for the first of all. */
    unsigned calls = 200000 / n < 20 ? 20 : 200000 / n > 2000 ? 2000 : 200000 / n;
    struct weft_executor *e = make_pool(1);
    struct weft_future **fs = make_pending(n);
    weft_time start = weft_now();
    for (unsigned k = 0; k < calls; k++) {
        unsigned i = k * 7919u % n;
        struct weft_future *pending = fs[i];
        struct weft_job job = {.run = weft_job};
        require(weft_executor_submit(e, &job, WEFT_FOREVER, &fs[i]) == WEFT_OK, "submit");
        require(weft_wait(fs, n, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL) == WEFT_OK, "wait");
        weft_future_release(fs[i]);
        fs[i] = pending;
    }
    return per(start, calls);
}

/* ---- CPython's figures, from the script beside this file: "queue 1000 5200" for each line */

struct pythons {
    char what[16];
    unsigned n;
    double ns;
};

static size_t ask_python(struct pythons *rows, size_t max)
{
    size_t len = 0;
    FILE *f = popen("python3 test/bench/bench_executor.py 2>/dev/null", "r");
    while (f && len < max &&
           fscanf(f, "%15s %u %lf", rows[len].what, &rows[len].n, &rows[len].ns) == 3) {
        len++;
    }
    if (f) {
        pclose(f);
    }
    return len;
}

/* Prints what Python takes, or a dash. */
static void print_python(const struct pythons *rows, size_t len, const char *what, unsigned n)
{
    for (size_t i = 0; i < len; i++) {
        if (rows[i].n == n && strcmp(rows[i].what, what) == 0) {
            printf(" %12.0f", rows[i].ns);
            return;
        }
    }
    printf(" %12s", "-");
}

/* One column of a table; NULL: the library was not there. */
static void print_measured(double (*measure)(unsigned n), unsigned n)
{
    if (measure) {
        printf(" %12.0f", best_of(measure, n));
    } else {
        printf(" %12s", "-");
    }
    fflush(stdout);
}

int main(void)
{
    static const unsigned workers[] = {1, 2, 4, 16};
    static const unsigned pending[] = {10, 100, 1000, 10000, 100000};
    double (*glib[])(unsigned) = {NULL, NULL}, (*uv[])(unsigned) = {NULL, NULL};
    static struct pythons rows[64];
#ifdef HAVE_GLIB
    glib[0] = glib_jobs;
    glib[1] = glib_handoff;
#endif
#ifdef HAVE_LIBUV
    uv[0] = uv_jobs;
    uv[1] = uv_handoff;
#endif
    size_t len = ask_python(rows, sizeof rows / sizeof rows[0]);

    printf("Empty jobs in batches of %u, ns for each\n", BATCH);
    printf("%8s %12s %12s %12s %12s %12s\n", "workers", "weft", "GLib", "weft+queue", "libuv",
           "CPython");
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        printf("%8u", workers[i]);
        print_measured(weft_jobs, workers[i]);
        print_measured(glib[0], workers[i]);
        print_measured(weft_results, workers[i]);
        print_measured(uv[0], workers[i]);
        print_python(rows, len, "jobs", workers[i]);
        putchar('\n');
    }
    printf("\nHand-off: submit to the job's first line on an idle pool, median ns\n");
    printf("%8s %12s %12s %12s %12s\n", "workers", "weft", "GLib", "libuv", "CPython");
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        printf("%8u", workers[i]);
        print_measured(weft_handoff, workers[i]);
        print_measured(glib[1], workers[i]);
        print_measured(uv[1], workers[i]);
        print_python(rows, len, "handoff", workers[i]);
        putchar('\n');
    }
    printf("\nOne completion while n are pending, ns\n");
    printf("%8s %12s %12s %12s %12s\n", "n", "weft queue", "CPython", "weft_wait", "CPython");
    for (size_t i = 0; i < sizeof pending / sizeof pending[0]; i++) {
        printf("%8u", pending[i]);
        print_measured(queue_completion, pending[i]);
        print_python(rows, len, "queue", pending[i]);
        print_measured(wait_first, pending[i]);
        print_python(rows, len, "wait", pending[i]);
        putchar('\n');
    }
    return 0;
}
