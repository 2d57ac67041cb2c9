/* timeout.c -- lesson: four ways to wait too long, and a limit for each.
 *
 * A fetch can wait for a connection, for the next byte, and for its end; before all that it may
 * wait for its turn. Each is tried with a limit below and far above the delay. */
#include "lesson.h"
#include "weft/executor.h"
#include "weft/semaphore.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static long delay = 200, below = 50, above = 30000;
static const struct lesson_knob knobs[] = {
    {"delay", &delay, 100, 10000, "milliseconds that the server is silent"},
    {"below", &below, 1, 10000, "the limit that is too short, in milliseconds"},
    {"above", &above, 1, 600000, "the limit that is long enough"},
    {0},
};
static unsigned lane;

static void tell(const char *what, long limit, const char *became, const char *why, weft_time from)
{
    lesson_span(lane++, *what, from, weft_now());
    printf("%-8s limit %5ld ms: %-10s %s\n", what, limit, became, why);
}

static void fetch(const char *what, struct weft_net_options limits, long limit, const char *url)
{
    struct weft_net *net;
    struct weft_client *client;
    struct weft_response response;
    weft_time from = weft_now();
    lesson_need(weft_net_new(&net, &limits), "weft_net_new");
    lesson_need(weft_client_new(&client, net), "weft_client_new");
    weft_response_init(&response);
    lesson_need(weft_client_fetch(client, &(struct weft_request){.url = url}, &response), url);
    tell(what, limit,
         response.end == WEFT_FETCH_DONE      ? "answered"
         : response.end == WEFT_FETCH_TIMEOUT ? "timeout"
                                              : "failed",
         response.error, from);
    weft_response_release(&response);
    weft_client_free(client);
    lesson_need(weft_net_free(net), "weft_net_free");
}

/* A port whose queue of new connections is full: the kernel drops every further knock at it. */
static void connect_to_nobody(void)
{
    char url[LESSON_URL];
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fds[4], fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (void *)&a, len) != 0 || listen(fd, 0) != 0 ||
        getsockname(fd, (void *)&a, &len) != 0) {
        lesson_need(WEFT_EIO, "a port of its own");
    }
    for (int i = 0; i < 4; i++) { /* take the places in its queue, accept nobody */
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        (void)connect(fds[i], (void *)&a, len);
    }
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", ntohs(a.sin_port));
    fetch("connect", (struct weft_net_options){.connect_timeout = below * WEFT_MS}, below, url);
    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }
    close(fd);
}

/* Waits for a slot of a bulkhead, no longer than the limit. */
struct turn {
    struct weft_semaphore *bulkhead;
    long limit;
};

static int wait_for_slot(struct weft_task *self, void *arg, void **value)
{
    const struct turn *t = arg;
    (void)self, (void)value;
    enum weft_status st = weft_semaphore_acquire(t->bulkhead, weft_in_ms(t->limit));
    if (st == WEFT_OK) {
        weft_semaphore_release(t->bulkhead);
    }
    return (int)st;
}

static void slot(long limit, bool holder_leaves, struct weft_executor *pool)
{
    struct turn turn = {.limit = limit};
    struct weft_future *f;
    struct weft_result result;
    weft_time from = weft_now();
    lesson_need(weft_semaphore_new(&turn.bulkhead, 1, WEFT_NO_CAP), "weft_semaphore_new");
    lesson_need(weft_semaphore_acquire(turn.bulkhead, WEFT_FOREVER), "the only slot");
    struct weft_job job = {.run = wait_for_slot, .arg = &turn};
    lesson_need(weft_executor_submit(pool, &job, WEFT_POLL, &f), "submit");
    if (holder_leaves) {
        weft_semaphore_release(turn.bulkhead);
    }
    lesson_need(weft_future_result(f, WEFT_FOREVER, &result), "weft_future_result");
    tell("slot", limit, result.err == WEFT_OK ? "got it" : "timeout",
         result.err == WEFT_OK ? "" : "the one who held it did not leave", from);
    if (!holder_leaves) {
        weft_semaphore_release(turn.bulkhead);
    }
    weft_future_release(f);
    lesson_need(weft_semaphore_free(turn.bulkhead), "weft_semaphore_free");
}

int main(int argc, char **argv)
{
    char silent[LESSON_URL], drip[LESSON_URL];
    struct weft_executor *pool;
    lesson_begin(argc, argv, "Timeouts: connect, read, whole, and waiting for a slot.", knobs,
                 NULL);
    lesson_url(silent, "/slow?ms=%ld", delay);
    lesson_url(drip, "/drip?n=10&size=10&every=%ld", delay / 5); /* never silent for long */
    const long limits[] = {below, above};
    connect_to_nobody();
    for (int i = 0; i < 2; i++) {
        fetch("read", (struct weft_net_options){.read_timeout = limits[i] * WEFT_MS}, limits[i],
              silent);
    }
    fetch("read", (struct weft_net_options){.read_timeout = delay * 10 * WEFT_MS}, delay * 10,
          drip);
    for (int i = 0; i < 2; i++) {
        fetch("whole", (struct weft_net_options){.timeout = limits[i] * WEFT_MS}, limits[i], drip);
    }
    lesson_need(weft_executor_new(&pool, NULL), "weft_executor_new");
    slot(below, false, pool);
    slot(above, true, pool);
    lesson_need(weft_executor_free(pool), "weft_executor_free");
    printf("\n");
    lesson_draw("try");
    return lesson_end();
}
