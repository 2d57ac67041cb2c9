/* retry.c -- lesson: what is worth another try, and how long to wait for it.
 *
 * Some failures pass (a busy server, a broken connection), others do not (no such page). Waiting
 * doubles each time, a random part keeps clients from coming back all at once, and a server that
 * says Retry-After knows best. */
#include "lesson.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long attempts = 3, base = 100, seed = 1;
static const struct lesson_knob knobs[] = {
    {"attempts", &attempts, 1, 10, "tries in all"},
    {"base", &base, 1, 10000, "the first wait, in milliseconds"},
    {"seed", &seed, 0, 1000000, "of the jitter"},
    {0},
};

/* Whether the same question may get a better answer later. */
static bool may_pass(const struct weft_response *r)
{
    switch (r->end) {
    case WEFT_FETCH_TIMEOUT:
    case WEFT_FETCH_CONNECTION:
    case WEFT_FETCH_TRUNCATED:
        return true;
    case WEFT_FETCH_DONE:
        return r->status == 429 || r->status == 502 || r->status == 503 || r->status == 504;
    default:
        return false;
    }
}

/* Milliseconds until the next try, after `tried` tries. */
static long back_off(const struct weft_response *r, long tried)
{
    if (r->retry_after) { /* seconds; a real crawler reads dates too, and sets an upper limit */
        return strtol(r->retry_after, NULL, 10) * 1000;
    }
    long whole = base << (tried - 1); /* base, 2 base, 4 base... */
    return whole / 2 + rand() % (whole / 2 + 1);
}

static void wait_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

static void fetch(struct weft_client *client, unsigned lane, const char *path)
{
    char url[LESSON_URL];
    struct weft_response response;
    long tried = 0, waited = 0;
    lesson_url(url, "%s", path);
    weft_response_init(&response);
    for (;;) {
        weft_time from = weft_now();
        lesson_need(weft_client_fetch(client, &(struct weft_request){.url = url}, &response), url);
        tried++;
        lesson_span(lane, response.status == 200 ? 'O' : 'X', from, weft_now());
        if (!may_pass(&response) || tried == attempts) {
            break;
        }
        long ms = back_off(&response, tried);
        from = weft_now();
        wait_ms(ms);
        waited += ms;
        lesson_span(lane, '.', from, weft_now());
        printf("  %u: try %ld failed (%d), waited %ld ms%s\n", lane, tried, response.status, ms,
               response.retry_after ? " as Retry-After says" : "");
    }
    printf("%u: %-28s %-9s after %ld tries, %ld ms of waiting\n", lane, path,
           response.status == 200 ? "fetched" : "gave up", tried, waited);
    weft_response_release(&response);
}

int main(int argc, char **argv)
{
    static const char *const paths[] = {"/slow?ms=1",  "/flaky?fail=2&key=lesson",
                                        "/status/404", "/status/503?retry-after=1",
                                        "/reset",      "/status/503"};
    struct weft_net *net;
    struct weft_client *client;
    lesson_begin(argc, argv, "Retries: X a failure, . a wait, O an answer.", knobs, NULL);
    srand((unsigned)seed);
    lesson_need(weft_net_new(&net, NULL), "weft_net_new");
    lesson_need(weft_client_new(&client, net), "weft_client_new");
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        fetch(client, i, paths[i]);
    }
    printf("\n");
    lesson_draw("page");
    weft_client_free(client);
    lesson_need(weft_net_free(net), "weft_net_free");
    return lesson_end();
}
