/* semaphore.c -- lesson: at most so many at once, and what that does not limit.
 *
 * Eight workers share three permits. A worker that gets none waits in line, as a thread that does
 * nothing; whoever gives a permit back hands it to the first in the line. */
#include "weft/semaphore.h"
#include "lesson.h"
#include "weft/executor.h"
#include <stdatomic.h>
#include <stdio.h>

#define MAX 200

static long requests = 16, workers = 8, permits = 3, delay = 50;
static const struct lesson_knob knobs[] = {
    {"requests", &requests, 1, MAX, "pages to fetch"},
    {"workers", &workers, 1, 60, "threads of the pool"},
    {"permits", &permits, 1, 60, "fetches at once"},
    {"delay", &delay, 0, 5000, "milliseconds for a page"},
    {0},
};

static struct weft_semaphore *gate;
static atomic_size_t longest_line;

static int fetch(struct weft_task *self, void *arg, void **value)
{
    char url[LESSON_URL];
    long i = (long)(intptr_t)arg;
    (void)value;
    lesson_url(url, "/slow?ms=%ld&n=%ld", delay, i);
    weft_time from = weft_now();
    lesson_need(weft_semaphore_acquire(gate, WEFT_FOREVER), "acquire");
    lesson_span(weft_task_worker(self), '.', from, weft_now());
    size_t line = weft_semaphore_waiting(gate), longest = longest_line;
    while (line > longest && !atomic_compare_exchange_weak(&longest_line, &longest, line)) {
    }
    int status = lesson_fetch(weft_task_worker(self), lesson_mark(i), url);
    weft_semaphore_release(gate); /* on every path: one way out of this function */
    return status == 200 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct weft_job jobs[MAX];
    struct weft_result results[MAX];
    struct weft_future *futures[MAX];
    struct weft_executor *pool;
    long fine = 0;
    lesson_begin(argc, argv, "A semaphore: dots wait in line, letters fetch.", knobs, NULL);
    lesson_need(weft_semaphore_new(&gate, (size_t)permits, WEFT_NO_CAP), "weft_semaphore_new");
    lesson_need(
        weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = (unsigned)workers}),
        "weft_executor_new");
    for (long i = 0; i < requests; i++) {
        jobs[i] = (struct weft_job){.run = fetch, .arg = (void *)(intptr_t)i};
        lesson_need(weft_executor_submit(pool, &jobs[i], WEFT_FOREVER, &futures[i]), "submit");
    }
    for (long i = 0; i < requests; i++) {
        lesson_need(weft_future_result(futures[i], WEFT_FOREVER, &results[i]), "result");
        fine += results[i].err == 0;
        weft_future_release(futures[i]);
    }
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    lesson_draw("worker");
    printf("fetched %ld, %ld workers, %ld permits\n", fine, workers, permits);
    printf("the server saw at most %ld at once\n", lesson_stat("in_flight_peak"));
    printf("as many as %zu workers stood in line: a semaphore does not limit threads\n",
           (size_t)longest_line);

    /* Bounded: giving back what nobody took is a mistake, and is told. */
    printf("release without acquire: %s\n", weft_strerror(weft_semaphore_release(gate)));
    lesson_need(weft_semaphore_free(gate), "weft_semaphore_free");

    /* A cap on the line makes it a bulkhead: it refuses at once instead of letting all wait. */
    lesson_need(weft_semaphore_new(&gate, 1, 0), "weft_semaphore_new");
    lesson_need(weft_semaphore_acquire(gate, WEFT_FOREVER), "the only permit");
    printf("acquire, with no room in the line: %s\n",
           weft_strerror(weft_semaphore_acquire(gate, WEFT_FOREVER)));
    weft_semaphore_release(gate);
    lesson_need(weft_semaphore_free(gate), "weft_semaphore_free");
    return lesson_end();
}
