/* wait.c -- waiting for one future or for some: weft_future_result() and weft_wait().
 *
 * Each future that is not done gets a listener, which counts it when it is; the waiting thread
 * sleeps until the counts are enough. Futures are locked one at a time: each is either counted or
 * listened to, which its own lock decides, so none falls in between. */
#include "exec/executor.h"
#include "exec/task.h"

#include <stdlib.h>

#define EARS_ON_STACK 8

/* What a wait is for, and how far it is. */
struct tally {
    size_t done, failed;
    size_t enough;          /* so many done end the wait; */
    bool failure_is_enough; /* or one that failed */
};

/* A thread that waits. */
struct wait {
    pthread_mutex_t lock; /* guards the rest; the last in the lock order */
    struct tally tally;
    struct weft_waiter sleeper; /* called when the tally is enough */
};

/* Its listener at one future. */
struct ear {
    struct weft_listener listener;
    struct wait *wait;
    bool used;
};

static bool failed(const struct weft_future *f)
{
    return weft_future_state(f) == WEFT_FINISHED && f->err != 0;
}

static void count(struct tally *t, const struct weft_future *f)
{
    t->done++;
    t->failed += failed(f);
}

static bool is_enough(const struct tally *t)
{
    return t->done >= t->enough || (t->failure_is_enough && t->failed > 0);
}

/* Counts what is done now. */
static struct tally look(struct weft_future *const *fs, size_t n, enum weft_return_when until)
{
    struct tally t = {
        .enough = until == WEFT_FIRST_COMPLETED && n > 0 ? 1 : n,
        .failure_is_enough = until == WEFT_FIRST_EXCEPTION,
    };
    for (size_t i = 0; i < n; i++) {
        if (weft_future_done(fs[i])) {
            count(&t, fs[i]);
        }
    }
    return t;
}

/* Runs, on a worker, those jobs of its own pool that have not started, as long as the wait needs
 * them. If it needs all of them this adds no deadlock that another worker running them would not
 * have had. If it needs only one, it might be the wrong one: so then none is run that an idle
 * worker is about to run. */
static void help(struct weft_future *const *fs, size_t n, enum weft_return_when until)
{
    bool enough = false, needs_all = until == WEFT_ALL_COMPLETED || n == 1;
    for (size_t i = 0; i < n && !enough; i++) {
        enough = weft_executor_help(fs[i], needs_all) == WEFT_HELPED &&
                 (until == WEFT_FIRST_COMPLETED ||
                  (until == WEFT_FIRST_EXCEPTION && failed(fs[i])));
    }
}

/* Whether only jobs that this thread is inside of could end the wait: they can't while it waits. */
static bool would_wait_for_itself(struct weft_future *const *fs, size_t n, const struct tally *t)
{
    size_t own = 0;
    for (size_t i = 0; i < n; i++) {
        own += weft_task_is_inside(fs[i]);
    }
    bool needs_all = t->enough == n && !t->failure_is_enough;
    return own > 0 && (needs_all || t->done + own == n);
}

/* Future f is done; its lock is held. */
static void hear(struct weft_listener *self, struct weft_future *f)
{
    struct wait *w = weft_list_entry(self, struct ear, listener)->wait;
    pthread_mutex_lock(&w->lock);
    count(&w->tally, f);
    if (is_enough(&w->tally)) {
        weft_waiter_call(&w->sleeper);
    }
    pthread_mutex_unlock(&w->lock);
}

/* Listens to all of fs, one ear each, sleeps until it is enough, stops listening. After that no
 * other thread knows of w or the ears. */
static void listen_and_sleep(struct weft_future *const *fs, size_t n, struct ear *ears,
                             struct wait *w, weft_time deadline)
{
    for (size_t i = 0; i < n; i++) {
        ears[i] = (struct ear){.listener = {.fire = hear}, .wait = w};
        ears[i].used = weft_future_listen(fs[i], &ears[i].listener);
        if (!ears[i].used) {
            pthread_mutex_lock(&w->lock);
            count(&w->tally, fs[i]);
            pthread_mutex_unlock(&w->lock);
        }
    }
    pthread_mutex_lock(&w->lock);
    if (!is_enough(&w->tally)) {
        weft_waiter_wait(&w->sleeper, &w->lock, deadline);
    }
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < n; i++) {
        if (ears[i].used) {
            weft_future_unlisten(fs[i], &ears[i].listener);
        }
    }
}

/* Waits; *t holds what the wait is for, and then what is done. */
static enum weft_status sleep_until_enough(struct weft_future *const *fs, size_t n, struct tally *t,
                                           weft_time deadline)
{
    struct ear few[EARS_ON_STACK], *ears = few;
    struct wait w = {.tally = *t};
    enum weft_status st = WEFT_ENOMEM;
    w.tally.done = w.tally.failed = 0;
    if (pthread_mutex_init(&w.lock, NULL)) {
        return st;
    }
    if (weft_waiter_init(&w.sleeper) != WEFT_OK) {
        goto no_sleeper;
    }
    if (n > EARS_ON_STACK && !(ears = calloc(n, sizeof *ears))) {
        goto no_ears;
    }
    listen_and_sleep(fs, n, ears, &w, deadline);
    *t = w.tally;
    st = is_enough(t) ? WEFT_OK : WEFT_ETIMEDOUT;
    if (ears != few) {
        free(ears);
    }
no_ears:
    weft_waiter_destroy(&w.sleeper);
no_sleeper:
    pthread_mutex_destroy(&w.lock);
    return st;
}

static enum weft_status check(struct weft_future *const *fs, size_t n, enum weft_return_when until)
{
    if ((n > 0 && !fs) || until < WEFT_FIRST_COMPLETED || until > WEFT_ALL_COMPLETED) {
        return WEFT_EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!fs[i]) {
            return WEFT_EINVAL;
        }
        if (weft_future_orphaned(fs[i])) {
            return WEFT_EFORKED;
        }
    }
    return WEFT_OK;
}

enum weft_status weft_wait(struct weft_future *const *fs, size_t n, weft_time deadline,
                           enum weft_return_when until, size_t *ndone)
{
    enum weft_status st = check(fs, n, until);
    struct tally t = {0};
    if (st == WEFT_OK) {
        t = look(fs, n, until);
        if (!is_enough(&t) && deadline == WEFT_FOREVER && weft_task_pool()) {
            help(fs, n, until);
            t = look(fs, n, until);
        }
        if (is_enough(&t)) {
            st = WEFT_OK;
        } else if (deadline <= weft_now()) {
            st = WEFT_ETIMEDOUT;
        } else if (would_wait_for_itself(fs, n, &t)) {
            st = WEFT_EDEADLK;
        } else {
            st = sleep_until_enough(fs, n, &t, deadline);
        }
    }
    if (ndone) {
        *ndone = t.done;
    }
    return st;
}

enum weft_status weft_future_result(struct weft_future *f, weft_time deadline,
                                    struct weft_result *out)
{
    enum weft_status st = weft_wait(&f, 1, deadline, WEFT_ALL_COMPLETED, NULL);
    struct weft_result r = {.status = st};
    if (st == WEFT_OK && weft_future_cancelled(f)) {
        r.status = WEFT_ECANCELED;
    } else if (st == WEFT_OK) {
        r.err = f->err;
        r.value = atomic_load(&f->value);
    }
    if (out) {
        *out = r;
    }
    return r.status;
}
