/* failures.c -- lesson: failures are values; one broken URL must not lose the batch.
 *
 * A job that fails returns a code of its own beside its value, and the future keeps both. Whoever
 * reads the results decides what a failure means: here first "go on", then "stop the rest". */
#include "lesson.h"
#include "weft/gather.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 8

static long workers = 2, delay = 50;
static const struct lesson_knob knobs[] = {
    {"workers", &workers, 1, N, "threads of the pool"},
    {"delay", &delay, 0, 5000, "milliseconds for a page that works"},
    {0},
};

static char urls[N][LESSON_URL];

/* Returns 0, or what the failure was. The value is told in either case: failing is no reason to
 * know less. */
static int fetch(struct weft_task *self, void *arg, void **value)
{
    long i = (long)(intptr_t)arg;
    int status = lesson_fetch(weft_task_worker(self), lesson_mark(i), urls[i]);
    char *text = malloc(80);
    if (text) {
        snprintf(text, 80, status ? "status %d" : "no answer", status);
    }
    *value = text;
    return status == 200 ? 0 : status ? status : -1;
}

/* Runs the batch; gives how many have succeeded. */
static int run(struct weft_executor *pool, unsigned flags)
{
    struct weft_job jobs[N];
    struct weft_result results[N];
    int fetched = 0, failed = 0, lost = 0;
    for (long i = 0; i < N; i++) {
        jobs[i] = (struct weft_job){.run = fetch, .arg = (void *)(intptr_t)i, .value_free = free};
    }
    (void)weft_gather(pool, jobs, N, 0, flags, WEFT_FOREVER, results); /* results say it all */
    for (int i = 0; i < N; i++) {
        const struct weft_result *r = &results[i];
        printf("  %c %-9s %-12s %s\n", lesson_mark(i),
               r->status != WEFT_OK ? "cancelled"
               : r->err == 0        ? "fetched"
                                    : "failed",
               r->value ? (char *)r->value : "", strrchr(urls[i], '/'));
        fetched += r->status == WEFT_OK && r->err == 0;
        failed += r->status == WEFT_OK && r->err != 0;
        lost += r->status != WEFT_OK;
        free(r->value);
    }
    printf("fetched %d, failed %d, lost %d\n\n", fetched, failed, lost);
    return fetched;
}

int main(int argc, char **argv)
{
    struct weft_executor *pool;
    lesson_begin(argc, argv, "Failures as values: one broken URL must not lose the batch.", knobs,
                 NULL);
    for (int i = 0; i < N; i++) {
        lesson_url(urls[i], "/slow?ms=%ld&n=%d", delay, i);
    }
    lesson_url(urls[0], "/status/500");
    lesson_url(urls[3], "/reset");
    lesson_need(
        weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = (unsigned)workers}),
        "weft_executor_new");
    printf("Each failure is a value:\n");
    int all = run(pool, 0);
    lesson_draw("worker");
    printf("The first failure stops the rest (an exception that nobody caught):\n");
    int some = run(pool, WEFT_STOP_ON_ERROR);
    lesson_draw("worker");
    printf("the first way kept %d pages, the second %s\n", all, some < all ? "fewer" : "as many");
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    return lesson_end();
}
