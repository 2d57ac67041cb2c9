/* race.c -- lesson: the same file on several mirrors; the first answer wins, the rest stops.
 *
 * weft_race() runs the jobs, takes the first that succeeds, and asks the others to stop. A mirror
 * that fails fast does not win: only success counts. */
#include "weft/race.h"
#include "lesson.h"
#include <stdio.h>
#include <string.h>

#define MIRRORS 4

static long delay = 100;
static const struct lesson_knob knobs[] = {
    {"delay", &delay, 0, 3000, "milliseconds that every mirror takes in any case"},
    {0},
};

/* Not on main's stack: the losers may still run when weft_race() has returned. */
static struct racer {
    char mark;
    unsigned mirror;
    const char *about;
} racers[MIRRORS] = {{'x', 3, "broken"}, {'c', 2, "slowest"}, {'b', 1, "slow"}, {'a', 0, "fast"}};

static struct weft_net *net;

/* A fetch that listens: it looks every now and then whether it is still wanted. */
static int fetch(struct weft_task *self, void *arg, void **value)
{
    const struct racer *r = arg;
    char url[LESSON_URL];
    struct weft_client *client;
    struct weft_response response;
    (void)value;
    lesson_mirror_url(url, r->mirror, "/slow?ms=%ld", delay);
    lesson_need(weft_client_new(&client, net), "weft_client_new");
    weft_response_init(&response);
    struct weft_request request = {.url = url};
    weft_time from = weft_now();
    lesson_need(weft_client_begin(client, &request, &response), "weft_client_begin");
    while (weft_client_drive(client, weft_in_ms(20)) != WEFT_OK) {
        if (weft_stopping(self)) {
            weft_client_interrupt(client); /* it ends soon, and then drive says so */
        }
    }
    lesson_span((unsigned)(r - racers), r->mark, from, weft_now());
    int err = response.end == WEFT_FETCH_INTERRUPTED ? WEFT_ECANCELED
              : response.status == 200               ? 0
                                                     : -1;
    weft_response_release(&response);
    weft_client_free(client);
    return err;
}

int main(int argc, char **argv)
{
    struct weft_job jobs[MIRRORS];
    struct weft_result results[MIRRORS];
    struct weft_executor *pool;
    size_t winner;
    lesson_begin(
        argc, argv, "A race of mirrors.", knobs,
        (const char *const[]){"--mirrors", "4", "--mirror-delay", "2s", "--broken-mirror", NULL});
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_executor_new(&pool, &(struct weft_executor_options){.max_workers = MIRRORS}),
                "weft_executor_new");
    for (unsigned i = 0; i < MIRRORS; i++) {
        jobs[i] = (struct weft_job){.run = fetch, .arg = &racers[i]};
    }
    enum weft_status st = weft_race(pool, jobs, MIRRORS, WEFT_FOREVER, &winner, results);
    printf("the race: %s\n", weft_strerror(st));
    for (unsigned i = 0; i < MIRRORS && st == WEFT_OK; i++) {
        printf("%-8s %s\n", racers[i].about,
               i == winner                    ? "won"
               : results[i].status != WEFT_OK ? "was asked to stop"
                                              : "failed before");
    }
    lesson_need(weft_executor_free(pool), "weft_executor_free"); /* waits for the losers */
    printf("\n");
    lesson_draw("mirror");
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}
