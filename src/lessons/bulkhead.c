/* bulkhead.c -- lesson: two limits that block each other, and a coordinator that knows the hosts.
 *
 * So many fetches at once in all, and fewer to one host. Host A is slow and its URLs come first.
 * If workers wait for a host's place, A's line takes all of them, and B, which is fast, starves. */
#include "lesson.h"
#include "weft/executor.h"
#include "weft/semaphore.h"
#include <stdatomic.h>
#include <stdio.h>

#define MAX 200

static long pages = 12, all = 4, per_host = 2, delay = 60;
static const struct lesson_knob knobs[] = {
    {"pages", &pages, 1, MAX, "pages on each of the two hosts"},
    {"all", &all, 2, 60, "fetches at once: workers of the pool"},
    {"per-host", &per_host, 1, 60, "fetches at once to one host"},
    {"delay", &delay, 0, 5000, "milliseconds for a page of host A; B takes a fifth"},
    {0},
};

static struct weft_semaphore *place[2];
static bool stand_in_line;
static atomic_long answered_a;  /* pages of A that are answered */
static atomic_long when_b = -1; /* ... when the first page of B was asked */

/* Job i: page i of host A for i < pages, else of host B. */
static int fetch(struct weft_task *self, void *arg, void **value)
{
    char url[LESSON_URL];
    long i = (long)(intptr_t)arg, none = -1;
    unsigned host = i >= pages, me = weft_task_worker(self);
    (void)value;
    weft_time from = weft_now();
    if (stand_in_line) {
        lesson_need(weft_semaphore_acquire(place[host], WEFT_FOREVER), "acquire");
        lesson_span(me, '.', from, weft_now());
    }
    if (host == 1) {
        atomic_compare_exchange_strong(&when_b, &none, answered_a);
    }
    lesson_mirror_url(url, host, "/slow?ms=%ld&n=%ld", host ? delay / 5 : delay, i);
    int status = lesson_fetch(me, host ? 'B' : 'A', url);
    answered_a += host == 0;
    if (stand_in_line) {
        weft_semaphore_release(place[host]);
    }
    return status == 200 ? 0 : 1;
}

static struct weft_job job(long i, struct weft_completion_queue *done)
{
    void *number = (void *)(intptr_t)i;
    return (struct weft_job){.run = fetch, .arg = number, .queue = done, .tag = number};
}

/* Takes one that is done; gives its host. */
static unsigned collect(struct weft_completion_queue *done)
{
    struct weft_future *f;
    void *tag;
    lesson_need(weft_completion_queue_next(done, WEFT_FOREVER, &f, &tag), "next");
    weft_future_release(f);
    return (intptr_t)tag >= pages;
}

/* All jobs at once, in the order of the list; the workers find out who has to wait. */
static void blindly(struct weft_executor *pool, struct weft_completion_queue *done)
{
    for (long i = 0; i < 2 * pages; i++) {
        struct weft_job j = job(i, done);
        lesson_need(weft_executor_submit(pool, &j, WEFT_FOREVER, NULL), "submit");
    }
    for (long i = 0; i < 2 * pages; i++) {
        collect(done);
    }
}

/* Only what can start: a worker never waits for a place. */
static void knowingly(struct weft_executor *pool, struct weft_completion_queue *done)
{
    long next[2] = {0, pages}, end[2] = {pages, 2 * pages}, running[2] = {0, 0};
    while (next[0] < end[0] || next[1] < end[1] || running[0] + running[1] > 0) {
        for (int h = 0; h < 2; h++) {
            while (next[h] < end[h] && running[h] < per_host && running[0] + running[1] < all) {
                struct weft_job j = job(next[h]++, done);
                lesson_need(weft_executor_submit(pool, &j, WEFT_FOREVER, NULL), "submit");
                running[h]++;
            }
        }
        running[collect(done)]--;
    }
}

static void run(const char *name, bool line)
{
    struct weft_executor *pool;
    struct weft_completion_queue *done;
    struct weft_executor_options options = {.max_workers = (unsigned)all};
    stand_in_line = line;
    answered_a = 0;
    when_b = -1;
    lesson_need(weft_executor_new(&pool, &options), "weft_executor_new");
    lesson_need(weft_completion_queue_new(&done), "weft_completion_queue_new");
    (line ? blindly : knowingly)(pool, done);
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    weft_completion_queue_free(done);
    lesson_draw("worker");
    printf("%s: the first page of B was asked when %ld of %ld of A were answered\n\n", name,
           (long)when_b, pages);
}

int main(int argc, char **argv)
{
    lesson_begin(argc, argv, "Two limits: dots are workers that stand in a host's line.", knobs,
                 (const char *const[]){"--mirrors", "2", NULL});
    for (int h = 0; h < 2; h++) {
        lesson_need(weft_semaphore_new(&place[h], (size_t)per_host, WEFT_NO_CAP), "semaphore");
    }
    run("blindly", true);
    run("knowingly", false);
    for (int h = 0; h < 2; h++) {
        lesson_need(weft_semaphore_free(place[h]), "weft_semaphore_free");
    }
    return lesson_end();
}
