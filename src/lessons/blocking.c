/* blocking.c -- lesson: what blocks the loop blocks every fetch; hand it to the executor.
 *
 * Each page is "parsed" for a while. On the loop's own thread, nothing else is looked at meanwhile.
 * On a worker, the loop goes on, and is woken when the page is done. */
#include "lesson.h"
#include "weft/executor.h"
#include "weft/loop.h"
#include <stdio.h>
#include <time.h>

#define SLOTS 4

static long requests = 16, delay = 30, parse = 40;
static const struct lesson_knob knobs[] = {
    {"requests", &requests, 1, 500, "pages to fetch"},
    {"delay", &delay, 0, 5000, "milliseconds for a page"},
    {"parse", &parse, 0, 5000, "milliseconds to parse a page"},
    {0},
};

struct slot {
    unsigned lane;
    char mark, url[LESSON_URL];
    weft_time from;
    struct weft_response response;
};

static struct weft_loop *loop;
static long started, on_loop, on_workers;

static void work(unsigned lane)
{
    weft_time from = weft_now();
    struct timespec t = {parse / 1000, parse % 1000 * 1000000};
    nanosleep(&t, NULL);
    lesson_span(lane, '#', from, weft_now());
}

static int work_job(struct weft_task *self, void *arg, void **value)
{
    (void)arg, (void)value;
    work(SLOTS + weft_task_worker(self));
    return 0;
}

/* Not from the job itself: there the loop could look before the job counts as done, and sleep on.
 */
static void wake(struct weft_future *f, void *user)
{
    (void)f, (void)user;
    weft_loop_wake(loop); /* the one call that another thread may make */
}

static void start(struct slot *s)
{
    s->mark = lesson_mark(started);
    s->from = weft_now();
    lesson_url(s->url, "/slow?ms=%ld&n=%ld", delay, started++);
    struct weft_request request = {.url = s->url};
    lesson_need(weft_loop_start(loop, &request, &s->response, s), "weft_loop_start");
}

static void parse_page(struct weft_executor *pool, struct weft_completion_queue *parsed)
{
    if (pool) {
        struct weft_job job = {.run = work_job, .queue = parsed};
        struct weft_future *f;
        lesson_need(weft_executor_submit(pool, &job, WEFT_POLL, &f), "submit");
        lesson_need(weft_future_add_done_callback(f, wake, NULL), "add_done_callback");
        weft_future_release(f);
    } else {
        work(SLOTS);
        on_loop++;
    }
}

/* Takes what the workers have finished; never waits. */
static void collect(struct weft_completion_queue *parsed)
{
    struct weft_future *f;
    while (weft_completion_queue_next(parsed, WEFT_POLL, &f, NULL) == WEFT_OK) {
        weft_future_release(f);
        on_workers++;
    }
}

static void run(const char *name, struct weft_executor *pool)
{
    static struct slot slots[SLOTS];
    struct weft_completion_queue *parsed;
    long ended = 0;
    weft_time deaf = 0, last;
    started = on_loop = on_workers = 0;
    lesson_need(weft_completion_queue_new(&parsed), "weft_completion_queue_new");
    for (unsigned i = 0; i < SLOTS; i++) {
        slots[i].lane = i;
        weft_response_init(&slots[i].response);
        if (started < requests) {
            start(&slots[i]);
        }
    }
    while (ended < requests || on_loop + on_workers < requests) {
        void *tag;
        enum weft_status st = weft_loop_next(loop, WEFT_FOREVER, &tag);
        last = weft_now();
        if (st == WEFT_OK) {
            struct slot *s = tag;
            lesson_span(s->lane, s->mark, s->from, weft_now());
            ended++;
            if (started < requests) {
                start(s);
            }
            parse_page(pool, parsed);
        }
        collect(parsed);
        deaf = weft_now() - last > deaf ? weft_now() - last : deaf;
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        weft_response_release(&slots[i].response);
    }
    weft_completion_queue_free(parsed);
    lesson_draw("place");
    printf("%s: parsed %ld on the loop and %ld on workers; the loop was deaf for up to %lld ms\n\n",
           name, on_loop, on_workers, (long long)(deaf / WEFT_MS));
}

int main(int argc, char **argv)
{
    struct weft_net *net;
    struct weft_executor *pool;
    lesson_begin(argc, argv, "Blocking the loop: letters are fetches, # is parsing.", knobs, NULL);
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_loop_new(&loop, net, SLOTS), "weft_loop_new");
    lesson_need(weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = 3}),
                "weft_executor_new");
    run("blocked", NULL);
    run("handed over", pool);
    lesson_need(weft_executor_free(pool), "weft_executor_free"); /* before the loop they wake */
    weft_loop_free(loop);
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}
