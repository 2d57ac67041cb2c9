/* cancellation.c -- lesson: what cancel can do to a job that waits, that listens, and that does
 * not.
 *
 * Nobody can stop a thread from outside without breaking what it holds. So cancel takes a job out
 * of the queue, or else asks; the job has to look. And whoever cancels has to wait for the end. */
#include "lesson.h"
#include "weft/executor.h"
#include "weft/promise.h"
#include <stdatomic.h>
#include <stdio.h>

static long delay = 300;
static const struct lesson_knob knobs[] = {
    {"delay", &delay, 0, 10000, "milliseconds of the fetch that cannot be stopped"},
    {0},
};

static atomic_int ran;
static struct weft_future *started[2]; /* finished by the two jobs once they run */

static void tell_started(int i)
{
    ran++;
    lesson_need(weft_promise_finish(started[i], 0, NULL), "weft_promise_finish");
}

/* Listens: its sleep ends when somebody asks it to stop, and it says so. */
static int listens(struct weft_task *self, void *arg, void **value)
{
    (void)arg, (void)value;
    weft_time from = weft_now();
    tell_started(0);
    while (!weft_stopping(self)) {
        (void)weft_pause(self, weft_in_ms(3600 * 1000)); /* an hour; or less */
    }
    lesson_span(0, 'L', from, weft_now());
    return WEFT_ECANCELED;
}

/* Does not listen: a blocking call that knows nothing of futures. Its result is not lost. */
static int deaf(struct weft_task *self, void *arg, void **value)
{
    char url[LESSON_URL];
    (void)self, (void)arg, (void)value;
    tell_started(1);
    lesson_url(url, "/slow?ms=%ld", delay);
    return lesson_fetch(1, 'D', url) == 200 ? 0 : 1;
}

static int never(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)arg, (void)value;
    ran++;
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"listens", "deaf", "queued 1", "queued 2"};
    static weft_job_fn *const runs[] = {listens, deaf, never, never};
    struct weft_executor *pool;
    struct weft_future *f[4];
    lesson_begin(argc, argv, "Cancellation: two workers, four jobs.", knobs, NULL);
    lesson_need(weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = 2}),
                "weft_executor_new");
    for (int i = 0; i < 2; i++) {
        lesson_need(weft_promise_new(&started[i], NULL), "weft_promise_new");
    }
    for (int i = 0; i < 4; i++) {
        lesson_need(
            weft_executor_submit(pool, &(struct weft_job){.run = runs[i]}, WEFT_FOREVER, &f[i]),
            "submit");
    }
    lesson_need(weft_wait(started, 2, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), "weft_wait");

    /* The last first: a worker that stops takes the next job out of the queue. */
    for (int i = 3; i >= 0; i--) {
        enum weft_status st = weft_future_cancel(f[i]);
        printf("cancel %-9s %s\n", names[i],
               st == WEFT_OK      ? "cancelled: it will never run"
               : st == WEFT_EBUSY ? "it runs: asked to stop"
                                  : weft_strerror(st));
    }
    /* Await what was cancelled: until it has ended, it may still use what it was given. */
    lesson_need(weft_wait(f, 4, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), "weft_wait");
    printf("\n");
    for (int i = 0; i < 4; i++) {
        printf("ended: %-9s %s\n", names[i],
               weft_future_cancelled(f[i]) ? "cancelled" : "finished, with its result");
        weft_future_release(f[i]);
    }
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    for (int i = 0; i < 2; i++) {
        weft_future_release(started[i]);
    }
    printf("\n");
    lesson_draw("worker");
    printf("jobs that ran: %d of 4\n", (int)ran);
    return lesson_end();
}
