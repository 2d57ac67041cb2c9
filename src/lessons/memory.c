/* memory.c -- lesson: many fetchers, one slow writer, and a queue that is bounded.
 *
 * Who makes pages faster than they can be written piles them up. A bounded queue makes the makers
 * wait instead: memory is then a number that you chose. */
#include "lesson.h"
#include "weft/executor.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long pages = 60, fetchers = 4, room = 5, write_ms = 5;
static const struct lesson_knob knobs[] = {
    {"pages", &pages, 1, 3000, "pages to fetch"},
    {"fetchers", &fetchers, 1, 60, "threads that fetch"},
    {"room", &room, 1, 1000, "pages that fit into the bounded queue"},
    {"write-ms", &write_ms, 0, 1000, "milliseconds to write a page"},
    {0},
};

static struct weft_executor *writer; /* one thread: pages are written one after another */
static atomic_long held, peak, written;

static void hold(void)
{
    long now = ++held, most = peak;
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {
    }
}

static void let_go(void *page)
{
    free(page);
    held--;
}

/* The writer's job. It owns the page: arg_free lets go of it, whatever happens. */
static int write_page(struct weft_task *self, void *page, void **value)
{
    weft_time from = weft_now();
    struct timespec t = {write_ms / 1000, write_ms % 1000 * 1000000};
    (void)self, (void)value;
    nanosleep(&t, NULL);
    written++;
    lesson_span((unsigned)fetchers, *(char *)page, from, weft_now());
    return 0;
}

static int fetch(struct weft_task *self, void *arg, void **value)
{
    char url[LESSON_URL];
    long i = (long)(intptr_t)arg;
    unsigned me = weft_task_worker(self);
    char *page = malloc(64 << 10);
    (void)value;
    if (!page) {
        return 1;
    }
    hold();
    lesson_url(url, "/slow?ms=1&n=%ld", i);
    page[0] = lesson_mark(i);
    int status = lesson_fetch(me, page[0], url);
    struct weft_job job = {.run = write_page, .arg = page, .arg_free = let_go};
    weft_time from = weft_now();
    enum weft_status st = weft_executor_submit(writer, &job, WEFT_FOREVER, NULL);
    lesson_span(me, '.', from, weft_now()); /* a full queue: the fetcher waits */
    if (st != WEFT_OK) {                    /* then the page is still ours */
        let_go(page);
    }
    return st == WEFT_OK && status == 200 ? 0 : 1;
}

static void run(const char *name, size_t queue_max)
{
    struct weft_executor *pool;
    held = peak = written = 0;
    struct weft_executor_options one = {.max_workers = 1, .queue_max = queue_max};
    struct weft_executor_options many = {.max_workers = (unsigned)fetchers};
    lesson_need(weft_executor_new(&writer, &one), "weft_executor_new");
    lesson_need(weft_executor_new(&pool, &many), "weft_executor_new");
    for (long i = 0; i < pages; i++) {
        struct weft_job job = {.run = fetch, .arg = (void *)(intptr_t)i};
        lesson_need(weft_executor_submit(pool, &job, WEFT_FOREVER, NULL), "submit");
    }
    /* First who makes pages, then who writes them: every page gets through. */
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    lesson_need(weft_executor_free(writer), "weft_executor_free");
    lesson_draw("thread");
    printf("%s: wrote %ld, held up to %ld pages, holds %ld now\n\n", name, (long)written,
           (long)peak, (long)held);
}

int main(int argc, char **argv)
{
    lesson_begin(argc, argv, "Memory: fetchers, a queue, and (the last thread) one writer.", knobs,
                 NULL);
    run("unbounded", 0);
    run("bounded", (size_t)room);
    printf("bound: %ld in the queue, 1 at the writer, 1 at each fetcher: %ld\n", room,
           room + 1 + fetchers);
    return lesson_end();
}
