/* pool.c -- lesson: a pool of threads, and a coordinator that submits only to free slots.
 *
 * submit gives a future at once: a result that does not exist yet. The coordinator keeps as many
 * futures as there are slots, waits until the first is done, and refills its slot. */
#include "lesson.h"
#include "weft/executor.h"
#include <stdio.h>

#define MAX 500

static long requests = 12, slots = 3, delay = 100;
static const struct lesson_knob knobs[] = {
    {"requests", &requests, 1, MAX, "pages to fetch"},
    {"slots", &slots, 1, 60, "fetches at once"},
    {"delay", &delay, 0, 5000, "milliseconds for a page; every third takes three times that"},
    {0},
};

/* The job: runs on a worker. What it returns, and what it stores in *value, go to its future. */
static int fetch(struct weft_task *self, void *arg, void **value)
{
    const long *i = arg;
    char url[LESSON_URL];
    (void)value;
    lesson_url(url, "/slow?ms=%ld&n=%ld", *i % 3 ? delay : 3 * delay, *i);
    return lesson_fetch(weft_task_worker(self), lesson_mark(*i), url) == 200 ? 0 : 1;
}

/* Takes the futures that are done out of the slots; gives how many are left. */
static long collect(struct weft_future **running, long n, long *failed)
{
    for (long i = 0; i < n;) {
        if (!weft_future_done(running[i])) {
            i++;
            continue;
        }
        struct weft_result result;
        lesson_need(weft_future_result(running[i], WEFT_POLL, &result), "weft_future_result");
        *failed += result.err != 0;
        printf(" %c", lesson_mark(*(long *)weft_future_tag(running[i])));
        weft_future_release(running[i]);
        running[i] = running[--n];
    }
    return n;
}

int main(int argc, char **argv)
{
    static long numbers[MAX];
    struct weft_future *running[MAX];
    struct weft_executor *pool;
    long submitted = 0, in_slots = 0, most = 0, failed = 0;
    lesson_begin(argc, argv, "A pool of threads: submit to free slots, take what is done first.",
                 knobs, NULL);
    lesson_need(
        weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = (unsigned)slots}),
        "weft_executor_new");

    printf("done, in this order:");
    while (submitted < requests || in_slots > 0) {
        while (submitted < requests && in_slots < slots) { /* refill */
            numbers[submitted] = submitted;
            struct weft_job job = {
                .run = fetch, .arg = &numbers[submitted], .tag = &numbers[submitted]};
            lesson_need(weft_executor_submit(pool, &job, WEFT_POLL, &running[in_slots]), "submit");
            submitted++;
            in_slots++;
        }
        most = in_slots > most ? in_slots : most;
        lesson_need(weft_wait(running, (size_t)in_slots, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL),
                    "weft_wait");
        in_slots = collect(running, in_slots, &failed);
    }
    printf("\n\n");
    lesson_need(weft_executor_free(pool), "weft_executor_free"); /* joins the threads */

    lesson_draw("worker");
    printf("submitted %ld, failed %ld, never more than %ld unfinished\n", submitted, failed, most);
    printf("the server saw at most %ld at once\n", lesson_stat("in_flight_peak"));
    return lesson_end();
}
