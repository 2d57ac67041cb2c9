/* queue.c -- lesson: a queue, workers, and join; why done must be told on every path.
 *
 * Python's queue.Queue in C: put, get, task_done, join. join waits until every item that was put
 * has been told done. A path that forgets to tell leaves join waiting for ever. */
#include "lesson.h"
#include "weft/executor.h"
#include <pthread.h>
#include <stdio.h>

#define ROOM 4

static long items = 12, workers = 3, delay = 20, patience = 200;
static const struct lesson_knob knobs[] = {
    {"items", &items, 1, 1000, "pages to fetch; every fourth is broken"},
    {"workers", &workers, 1, 60, "threads"},
    {"delay", &delay, 0, 5000, "milliseconds for a page"},
    {"patience", &patience, 1, 60000, "milliseconds that the second join waits"},
    {0},
};

/* One lock guards it all; each condition variable stands for the predicate beside it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_full;  /* count < ROOM */
    pthread_cond_t not_empty; /* count > 0 || closed */
    pthread_cond_t all_done;  /* unfinished == 0 */
    long ring[ROOM], first, count, unfinished;
    bool closed, forgetful;
} q = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void put(long item)
{
    pthread_mutex_lock(&q.lock);
    while (q.count == ROOM) { /* a while, not an if: another may have been faster */
        pthread_cond_wait(&q.not_full, &q.lock);
    }
    q.ring[(q.first + q.count++) % ROOM] = item;
    q.unfinished++;
    pthread_cond_signal(&q.not_empty);
    pthread_mutex_unlock(&q.lock);
}

static bool get(long *item)
{
    pthread_mutex_lock(&q.lock);
    while (q.count == 0 && !q.closed) {
        pthread_cond_wait(&q.not_empty, &q.lock);
    }
    bool got = q.count > 0;
    if (got) {
        *item = q.ring[q.first];
        q.first = (q.first + 1) % ROOM;
        q.count--;
        pthread_cond_signal(&q.not_full);
    }
    pthread_mutex_unlock(&q.lock);
    return got;
}

static void task_done(void)
{
    pthread_mutex_lock(&q.lock);
    if (--q.unfinished == 0) {
        pthread_cond_broadcast(&q.all_done);
    }
    pthread_mutex_unlock(&q.lock);
}

static bool join(weft_time deadline)
{
    struct timespec t = {deadline / WEFT_SECOND, deadline % WEFT_SECOND};
    int err = 0;
    pthread_mutex_lock(&q.lock);
    while (q.unfinished > 0 && err == 0) {
        err = pthread_cond_clockwait(&q.all_done, &q.lock, CLOCK_MONOTONIC, &t);
    }
    bool done = q.unfinished == 0;
    pthread_mutex_unlock(&q.lock);
    return done;
}

static int work(struct weft_task *self, void *arg, void **value)
{
    char url[LESSON_URL];
    long i;
    (void)arg, (void)value;
    while (get(&i)) {
        lesson_url(url, i % 4 == 3 ? "/status/500?ms=%ld&n=%ld" : "/slow?ms=%ld&n=%ld", delay, i);
        int status = lesson_fetch(weft_task_worker(self), lesson_mark(i), url);
        if (status != 200 && q.forgetful) {
            continue; /* the mistake: an early way out, and nobody is told */
        }
        task_done();
    }
    return 0;
}

static void run(bool forgetful)
{
    struct weft_executor *pool;
    q.closed = false;
    q.forgetful = forgetful; /* before any worker exists */
    struct weft_executor_options options = {.max_workers = (unsigned)workers};
    lesson_need(weft_executor_new(&pool, &options), "weft_executor_new");
    for (long i = 0; i < workers; i++) {
        struct weft_job job = {.run = work};
        lesson_need(weft_executor_submit(pool, &job, WEFT_FOREVER, NULL), "submit");
    }
    for (long i = 0; i < items; i++) {
        put(i);
    }
    bool done = join(forgetful ? weft_in_ms(patience) : weft_in_ms(3600 * 1000));
    pthread_mutex_lock(&q.lock);
    q.closed = true; /* the workers' sign to go home; all of them have to hear it */
    pthread_cond_broadcast(&q.not_empty);
    pthread_mutex_unlock(&q.lock);
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    lesson_draw("worker");
    printf("%s: join %s, %ld of %ld were never told done\n\n", forgetful ? "forgetful" : "careful",
           done ? "ended" : "gave up", q.unfinished, items);
}

int main(int argc, char **argv)
{
    lesson_begin(argc, argv, "A queue and its workers, careful and forgetful.", knobs, NULL);
    run(false);
    run(true);
    return lesson_end();
}
