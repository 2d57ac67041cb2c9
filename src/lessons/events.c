/* events.c -- lesson: an event loop; many fetches at once on one thread.
 *
 * Starting a fetch only sends its question. Then the thread waits for whatever happens first on
 * any connection. No other thread exists, so nothing needs a lock. */
#include "lesson.h"
#include "weft/loop.h"
#include <stdio.h>

#define MAX 500

static long requests = 12, slots = 3, delay = 100;
static const struct lesson_knob knobs[] = {
    {"requests", &requests, 1, MAX, "pages to fetch"},
    {"slots", &slots, 1, 60, "fetches at once"},
    {"delay", &delay, 0, 5000, "milliseconds for a page; every third takes three times that"},
    {0},
};

/* What a thread would keep on its stack while it waits, a loop keeps here: one fetch's state. */
struct slot {
    unsigned lane;
    long number;
    weft_time from;
    char url[LESSON_URL];
    struct weft_response response;
};

static void start(struct weft_loop *loop, struct slot *s, long number)
{
    s->number = number;
    s->from = weft_now();
    lesson_url(s->url, "/slow?ms=%ld&n=%ld", number % 3 ? delay : 3 * delay, number);
    struct weft_request request = {.url = s->url};
    lesson_need(weft_loop_start(loop, &request, &s->response, s), "weft_loop_start");
}

int main(int argc, char **argv)
{
    static struct slot all[60];
    struct weft_net *net;
    struct weft_loop *loop;
    long started = 0, ended = 0, failed = 0, most = 0;
    lesson_begin(argc, argv, "An event loop: many fetches at once on one thread.", knobs, NULL);
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_loop_new(&loop, net, (unsigned)slots), "weft_loop_new");

    for (unsigned i = 0; i < slots; i++) {
        all[i].lane = i;
        weft_response_init(&all[i].response);
        if (started < requests) {
            start(loop, &all[i], started++);
        }
    }
    printf("done, in this order:");
    while (ended < started) {
        void *tag;
        most = started - ended > most ? started - ended : most;
        lesson_need(weft_loop_next(loop, WEFT_FOREVER, &tag), "weft_loop_next");
        struct slot *s = tag;
        lesson_span(s->lane, lesson_mark(s->number), s->from, weft_now());
        failed += s->response.status != 200;
        printf(" %c", lesson_mark(s->number));
        ended++;
        if (started < requests) { /* its slot is free: refill */
            start(loop, s, started++);
        }
    }
    printf("\n\n");
    lesson_draw("slot");
    printf("started %ld, failed %ld, never more than %ld unfinished\n", started, failed, most);
    printf("connections %llu, threads 1\n", (unsigned long long)weft_loop_connections(loop));
    printf("the server saw at most %ld at once\n", lesson_stat("in_flight_peak"));

    for (unsigned i = 0; i < slots; i++) {
        weft_response_release(&all[i].response);
    }
    weft_loop_free(loop);
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}
