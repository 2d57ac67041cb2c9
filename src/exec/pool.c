/* pool.c -- the executor with threads: a queue, a lock, and workers that take turns at it.
 *
 *     submit --> [ queue ] --> worker 0: run, tell, count off, next
 *                          --> worker 1: ...
 *
 * All workers start in weft_executor_new(), or none. A worker with nothing to do stands in the line
 * of idle ones; a submit calls the one that came last, whose stack is still in the cache. */
#include "exec/completion_queue.h"
#include "exec/executor.h"
#include "exec/task.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE   16     /* what Linux gives a thread's name, with its NUL */
#define MAX_WORKERS 32768u /* more threads than that are a mistake */

struct worker {
    struct pool *pool;
    unsigned number;
    pthread_t thread;
    struct weft_waiter waiter; /* how it sleeps when idle */
};

struct pool {
    struct weft_executor base;
    int (*init)(void *user); /* set once, like the next three */
    void (*exit)(void *user);
    void *user;
    char name[NAME_SIZE];

    struct weft_line idle;      /* guarded by base.lock, like the rest: workers without a job */
    bool coming;                /* one was called and has not come yet; it will call the next */
    unsigned starting;          /* workers that have not reported yet */
    bool init_failed;           /* one reported that its init failed */
    struct weft_waiter creator; /* called when starting gets 0 */
    struct worker workers[];
};

/* There is a job: calls an idle worker, unless one is coming already. Whoever comes calls the next
 * if there is more to do; so a hundred quick jobs don't wake a hundred workers, of whom most would
 * find nothing left. The lock is held. */
static void call_worker(struct pool *p)
{
    if (!p->coming && !weft_line_empty(&p->idle)) {
        p->coming = true;
        weft_line_call_last(&p->idle);
    }
}

static bool is_full(const struct weft_executor *e)
{
    return e->queue_max > 0 && e->queued >= e->queue_max;
}

/* Waits for room in a bounded queue. The lock is held; w is how this thread sleeps; NULL: it must
 * not. */
static enum weft_status wait_for_room(struct weft_executor *e, struct weft_waiter *w,
                                      weft_time deadline)
{
    bool in_time = w != NULL;
    while (!e->closed && is_full(e) && in_time) {
        in_time = weft_line_wait(&e->room, w, &e->lock, deadline);
    }
    return e->closed ? WEFT_ECLOSED : is_full(e) ? WEFT_EFULL : WEFT_OK;
}

static enum weft_status accept(struct weft_executor *e, const struct weft_job *job,
                               weft_time deadline, struct weft_future **f)
{
    struct weft_waiter w;
    bool may_wait = e->queue_max > 0 && weft_task_pool() != e; /* a worker would wait for itself */
    enum weft_status st = may_wait ? weft_waiter_init(&w) : WEFT_OK;
    if (st != WEFT_OK) {
        return st;
    }
    pthread_mutex_lock(&e->lock);
    st = wait_for_room(e, may_wait ? &w : NULL, deadline);
    if (st == WEFT_OK && !*f) {
        st = weft_executor_reuse(e, job, f);
    }
    if (st == WEFT_OK) {
        (*f)->queued = true;
        e->queued++;
        weft_list_append(&e->queue, &(*f)->link);
        weft_completion_queue_enter(*f);
        call_worker((struct pool *)e);
    } else if (st == WEFT_ENOMEM) {
        weft_line_call_first(&e->room); /* there is room, and this thread may have been called */
    }
    pthread_mutex_unlock(&e->lock);
    if (may_wait) {
        weft_waiter_destroy(&w);
    }
    return st;
}

static void wake(struct weft_executor *e)
{
    weft_line_call_all(&((struct pool *)e)->idle);
}

/* "name-N" in 15 bytes: a long name is cut, N is not. */
static void name_this_thread(const struct worker *w)
{
    char number[12], name[NAME_SIZE];
    size_t digits = (size_t)snprintf(number, sizeof number, "-%u", w->number);
    size_t kept = strnlen(w->pool->name, NAME_SIZE - 1 - digits);
    memcpy(name, w->pool->name, kept);
    memcpy(name + kept, number, digits + 1);
    pthread_setname_np(pthread_self(), name); /* without a name it works as well */
}

/* Tells the creator how init went. The lock is held. */
static void report(struct pool *p, bool ready)
{
    p->init_failed = p->init_failed || !ready;
    if (--p->starting == 0) {
        weft_waiter_call(&p->creator);
    }
}

/* Runs jobs until the pool is closed and its queue is empty. The lock is held on entry and on
 * return. */
static void work(struct pool *p, struct worker *w)
{
    struct weft_executor *e = &p->base;
    struct weft_future *last = NULL; /* the job before, if its reference is still held */
    for (;;) {
        struct weft_future *f = weft_executor_take(e);
        if (!f && !last) {
            if (e->closed) {
                return;
            }
            e->idle++;
            weft_line_wait(&p->idle, &w->waiter, &e->lock, WEFT_FOREVER);
            e->idle--;
            p->coming = false;
            continue;
        }
        if (e->queued > 0) {
            call_worker(p);
        }
        pthread_mutex_unlock(&e->lock);
        weft_future_release(last); /* may destroy a value: under no lock, and before any sleep */
        if (f) {
            weft_executor_run(f, w->number);
        }
        pthread_mutex_lock(&e->lock);
        last = f ? weft_executor_count_off(e, f) : NULL;
    }
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct pool *p = w->pool;
    weft_task_become_worker(&p->base, w->number);
    name_this_thread(w);
    bool ready = !p->init || p->init(p->user) == 0;
    pthread_mutex_lock(&p->base.lock);
    report(p, ready);
    if (ready) {
        work(p, w);
    }
    pthread_mutex_unlock(&p->base.lock);
    if (ready && p->exit) {
        p->exit(p->user);
    }
    pthread_mutex_lock(&p->base.lock);
    weft_executor_thread_ends(&p->base);
    pthread_mutex_unlock(&p->base.lock);
    return NULL;
}

/* Creates the threads; *started says how many there are, also on failure. */
static enum weft_status create_threads(struct pool *p, const pthread_attr_t *attr,
                                       unsigned *started)
{
    /* Workers are born with every signal blocked but those that a fault of their own raises, and
     * the profiler's: a signal to the process is for the threads that know of it. Blocking SIGPIPE
     * also makes writing to a dead socket an error instead of an end. */
    static const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        sigdelset(&blocked, open[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    enum weft_status st = WEFT_OK;
    *started = 0;
    while (*started < p->base.workers && st == WEFT_OK) {
        struct worker *w = &p->workers[*started];
        if (pthread_create(&w->thread, attr, worker_main, w)) {
            st = WEFT_EAGAIN;
        } else {
            ++*started;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return st;
}

/* Stack sizes are whole pages, and not below what the system asks for. */
static size_t stack_size(size_t wanted)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    size_t size = wanted ? wanted : (size_t)8 << 20;
    if (size < least) {
        size = least;
    }
    return size > SIZE_MAX - page ? size / page * page : (size + page - 1) / page * page;
}

static void join(struct pool *p, unsigned started)
{
    for (unsigned i = 0; i < started; i++) {
        pthread_join(p->workers[i].thread, NULL);
    }
}

/* All workers up and initialised, or none left. */
static enum weft_status start(struct pool *p, size_t stack_bytes)
{
    pthread_attr_t attr;
    unsigned started;
    if (pthread_attr_init(&attr)) {
        return WEFT_ENOMEM;
    }
    pthread_attr_setstacksize(&attr, stack_size(stack_bytes));
    p->starting = p->base.threads = p->base.workers;
    enum weft_status st = create_threads(p, &attr, &started);
    pthread_attr_destroy(&attr);

    pthread_mutex_lock(&p->base.lock);
    if (st == WEFT_OK) {
        weft_waiter_wait(&p->creator, &p->base.lock, WEFT_FOREVER);
        st = p->init_failed ? WEFT_EINIT : WEFT_OK;
    }
    if (st != WEFT_OK) {
        p->base.closed = true;
        weft_line_call_all(&p->idle);
    }
    pthread_mutex_unlock(&p->base.lock);
    if (st != WEFT_OK) {
        join(p, started);
    }
    return st;
}

/* Frees a pool that has no threads; the first `waiters` workers have a waiter. */
static void release(struct pool *p, unsigned waiters)
{
    for (unsigned i = 0; i < waiters; i++) {
        weft_waiter_destroy(&p->workers[i].waiter);
    }
    weft_waiter_destroy(&p->creator);
    weft_executor_release(&p->base);
    free(p);
}

static void destroy(struct weft_executor *e)
{
    struct pool *p = (struct pool *)e;
    join(p, e->workers);
    release(p, e->workers);
}

static unsigned default_workers(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN); /* Python's rule: enough to wait in, not one per job */
    return n < 1 ? 5 : n > 28 ? 32 : (unsigned)n + 4;
}

/* The pool without its threads. */
static enum weft_status prepare(struct pool **out, const struct weft_executor_options *o)
{
    static const struct weft_executor_ops ops = {accept, wake, destroy};
    unsigned n = o->max_workers ? o->max_workers : default_workers(), waiters = 0;
    struct pool *p = calloc(1, sizeof *p + n * sizeof p->workers[0]);
    *out = NULL;
    if (!p) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_executor_init(&p->base, &ops, n);
    if (st != WEFT_OK) {
        free(p);
        return st;
    }
    st = weft_waiter_init(&p->creator);
    if (st != WEFT_OK) {
        weft_executor_release(&p->base);
        free(p);
        return st;
    }
    p->base.queue_max = o->queue_max;
    p->init = o->worker_init;
    p->exit = o->worker_exit;
    p->user = o->user;
    snprintf(p->name, sizeof p->name, "%s", o->name ? o->name : "weft");
    weft_line_init(&p->idle);
    for (; waiters < n && st == WEFT_OK; waiters += st == WEFT_OK) {
        struct worker *w = &p->workers[waiters];
        w->pool = p;
        w->number = waiters;
        st = weft_waiter_init(&w->waiter);
    }
    if (st != WEFT_OK) {
        release(p, waiters);
        return st;
    }
    *out = p;
    return WEFT_OK;
}

enum weft_status weft_executor_new(struct weft_executor **out,
                                   const struct weft_executor_options *options)
{
    static const struct weft_executor_options sensible;
    const struct weft_executor_options *o = options ? options : &sensible;
    struct pool *p;
    *out = NULL;
    if (o->max_workers > MAX_WORKERS) {
        return WEFT_EINVAL;
    }
    enum weft_status st = prepare(&p, o);
    if (st != WEFT_OK) {
        return st;
    }
    st = start(p, o->stack_bytes);
    if (st != WEFT_OK) {
        release(p, p->base.workers);
        return st;
    }
    *out = &p->base;
    return WEFT_OK;
}
