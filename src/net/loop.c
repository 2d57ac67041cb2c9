/* loop.c -- many fetches at once on the caller's thread: libcurl's socket interface over epoll.
 *
 * libcurl says which sockets it waits for and when it wants to be called again; the loop waits for
 * these, for our own time limits, and for a wake, in one epoll_wait. What a fetch is stands in
 * transfer.c; which socket belongs to whom in watch.c; the multi handles in shard.c. */
#include "weft/loop.h"

#include "base/heap.h"
#include "net/shard.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EVENTS 64         /* taken from the kernel at once */
#define WAKE   UINT64_MAX /* the data of the wake's event: no socket's */

struct weft_loop {
    struct weft_net *net; /* borrowed */
    int epoll, wake;      /* wake: an eventfd, readable after weft_loop_wake */
    struct weft_watches watches;
    struct weft_shard *shards;
    unsigned nshards, per_shard; /* per_shard: transfers on one, and connections that it keeps */
    struct weft_heap limits;     /* what is in flight, by look_at */
    struct weft_slot *in_flight; /* in no order */
    struct weft_slot *ended, *last_ended; /* in order; to be handed out */
    struct weft_slot *spare;              /* handles for later fetches */
    uint64_t connections;
    bool woken;
    struct epoll_event events[EVENTS]; /* taken, not all looked at */
    int nevents, next_event;
};

/* ---- life ---- */

static bool sooner(const void *a, const void *b)
{
    return ((const struct weft_slot *)a)->look_at < ((const struct weft_slot *)b)->look_at;
}

static enum weft_status set_up(struct weft_loop *l, unsigned max_connections)
{
    l->epoll = l->watches.epoll = epoll_create1(EPOLL_CLOEXEC);
    l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN, .data.u64 = WAKE};
    if (l->epoll < 0 || l->wake < 0 || epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->wake, &e) != 0) {
        return WEFT_EIO;
    }
    unsigned n = max_connections / WEFT_SHARD_SLOTS + (max_connections % WEFT_SHARD_SLOTS != 0);
    n = n ? n : 1;
    l->per_shard = (max_connections + n - 1) / n;
    l->shards = calloc(n, sizeof *l->shards);
    if (!l->shards) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = WEFT_OK;
    while (l->nshards < n && st == WEFT_OK) {
        st = weft_shard_init(&l->shards[l->nshards], &l->watches, l->per_shard);
        l->nshards += st == WEFT_OK;
    }
    return st;
}

enum weft_status weft_loop_new(struct weft_loop **out, struct weft_net *net,
                               unsigned max_connections)
{
    *out = NULL;
    struct weft_loop *l = calloc(1, sizeof *l);
    if (!l) {
        return WEFT_ENOMEM;
    }
    l->net = net;
    weft_heap_init(&l->limits, sooner, offsetof(struct weft_slot, place));
    enum weft_status st = set_up(l, max_connections);
    if (st != WEFT_OK) {
        weft_loop_free(l);
        return st;
    }
    *out = l;
    return WEFT_OK;
}

void weft_loop_free(struct weft_loop *l)
{
    if (!l) {
        return;
    }
    for (struct weft_slot *s = l->in_flight; s; s = s->next) {
        weft_shard_remove(s);
    }
    weft_slot_free_all(l->in_flight);
    weft_slot_free_all(l->ended);
    weft_slot_free_all(l->spare);
    for (unsigned i = 0; i < l->nshards; i++) {
        weft_shard_release(&l->shards[i]);
    }
    free(l->shards);
    weft_watches_release(&l->watches);
    weft_heap_release(&l->limits);
    if (l->epoll >= 0) {
        close(l->epoll);
    }
    if (l->wake >= 0) {
        close(l->wake);
    }
    free(l);
}

/* ---- ending and starting a fetch ---- */

/* Takes s out of flight; what remains is to fill its response. */
static void land(struct weft_loop *l, struct weft_slot *s)
{
    weft_shard_remove(s);
    weft_heap_remove(&l->limits, s);
    weft_slot_unlink(&l->in_flight, s);
    s->next = NULL;
    if (l->ended) {
        l->last_ended->next = s;
    } else {
        l->ended = s;
    }
    l->last_ended = s;
}

enum how { ENDED, TIMED_OUT, INTERRUPTED };

static void end(struct weft_loop *l, struct weft_slot *s, enum how how, CURLcode result)
{
    const struct weft_response *r = s->transfer.response;
    land(l, s);
    switch (how) {
    case ENDED:
        weft_transfer_end(&s->transfer, result);
        break;
    case TIMED_OUT:
        weft_transfer_time_out(&s->transfer);
        break;
    case INTERRUPTED:
        weft_transfer_interrupt(&s->transfer);
        break;
    }
    l->connections += r->new_connection;
}

/* After libcurl has acted on h, for s if it was for one: ends what has ended by itself, and s if
 * nothing more is wanted of it. */
static void collect(struct weft_loop *l, struct weft_shard *h, struct weft_slot *s)
{
    CURLcode result = CURLE_OK;
    struct weft_slot *done;
    while ((done = weft_shard_ended(h, &result))) {
        end(l, done, ENDED, result);
    }
    if (s && s->shard && weft_transfer_satisfied(&s->transfer)) {
        end(l, s, ENDED, CURLE_OK);
    }
}

static enum weft_status find_spare(struct weft_loop *l)
{
    if (l->spare) {
        return WEFT_OK;
    }
    struct weft_slot *s;
    enum weft_status st = weft_slot_new(&s, l->net, &l->watches);
    if (st == WEFT_OK) {
        weft_slot_push(&l->spare, s);
    }
    return st;
}

enum weft_status weft_loop_start(struct weft_loop *l, const struct weft_request *request,
                                 struct weft_response *response, void *tag)
{
    enum weft_status st = find_spare(l);
    if (st != WEFT_OK) {
        return st;
    }
    struct weft_slot *s = l->spare;
    if ((st = weft_transfer_begin(&s->transfer, request, response)) != WEFT_OK) {
        return st;
    }
    s->look_at = weft_transfer_due(&s->transfer);
    if ((st = weft_heap_push(&l->limits, s)) != WEFT_OK) {
        return st;
    }
    struct weft_shard *h = weft_shard_choose(l->shards, l->nshards, l->per_shard, request->url);
    if ((st = weft_shard_add(h, s)) != WEFT_OK) {
        weft_heap_remove(&l->limits, s);
        return st;
    }
    s->tag = tag;
    weft_slot_unlink(&l->spare, s);
    weft_slot_push(&l->in_flight, s);
    weft_shard_act_on_time(h); /* sends the request now, not when the caller next waits */
    collect(l, h, s);
    weft_time soonest = s->shard ? weft_transfer_soonest(&s->transfer, response->started)
                                 : WEFT_FOREVER;
    if (soonest < s->look_at) { /* it connects, or a short read limit has begun */
        s->look_at = soonest;
        weft_heap_moved(&l->limits, s);
    }
    return WEFT_OK;
}

void weft_loop_cancel_all(struct weft_loop *l)
{
    while (l->in_flight) {
        end(l, l->in_flight, INTERRUPTED, CURLE_OK);
    }
}

void weft_loop_wake(struct weft_loop *l)
{
    uint64_t one = 1;
    ssize_t n = write(l->wake, &one, sizeof one); /* fails only when it is readable already */
    (void)n;
}

uint64_t weft_loop_connections(const struct weft_loop *l)
{
    return l->connections;
}

/* ---- waiting ---- */

static weft_time run_timers(struct weft_loop *l)
{
    weft_time now = weft_now();
    for (unsigned i = 0; i < l->nshards; i++) {
        struct weft_shard *h = &l->shards[i];
        if (h->timer <= now) {
            weft_shard_act_on_time(h);
            collect(l, h, NULL);
        }
    }
    return now;
}

/* Ends what is over one of its limits, and puts back what was looked at too early. */
static void run_limits(struct weft_loop *l, weft_time now)
{
    struct weft_slot *s;
    while ((s = weft_heap_top(&l->limits)) && s->look_at <= now) {
        if (weft_transfer_satisfied(&s->transfer)) {
            end(l, s, ENDED, CURLE_OK);
        } else if (weft_transfer_due(&s->transfer) <= now) {
            end(l, s, TIMED_OUT, CURLE_OK);
        } else { /* it connects, or bytes moved since */
            if (!s->transfer.response->connected) {
                weft_shard_nudge(s);
            }
            s->look_at = weft_transfer_soonest(&s->transfer, now);
            weft_heap_moved(&l->limits, s);
        }
    }
}

/* One event that the kernel told of. */
static void look_at(struct weft_loop *l, const struct epoll_event *e)
{
    if (e->data.u64 == WAKE) {
        uint64_t count;
        l->woken = read(l->wake, &count, sizeof count) > 0;
        return;
    }
    int fd;
    const struct weft_watch *w = weft_watches_find(&l->watches, e->data.u64, &fd);
    if (!w) {
        return;
    }
    struct weft_shard *h = w->owner;
    /* With HTTP/2 a connection's bytes are not one transfer's, whoever took the socket up. */
    struct weft_slot *s = l->net->http2 ? NULL : w->user;
    if (s) {
        s->transfer.active = weft_now();
    }
    int events = (e->events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                 (e->events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                 (e->events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    weft_shard_act(h, fd, events);
    collect(l, h, s);
}

/* The time that epoll may sleep, in its milliseconds, rounded up. */
static int sleep_ms(const struct weft_loop *l, weft_time until)
{
    const struct weft_slot *first = weft_heap_top(&l->limits);
    until = first && first->look_at < until ? first->look_at : until;
    for (unsigned i = 0; i < l->nshards; i++) {
        until = l->shards[i].timer < until ? l->shards[i].timer : until;
    }
    if (until == WEFT_FOREVER) {
        return -1;
    }
    if (until <= WEFT_POLL) {
        return 0;
    }
    weft_time left = (until - weft_now() + WEFT_MS - 1) / WEFT_MS;
    return left < 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
}

/* Waits for events and looks at them, one by one, until a fetch has ended: the caller then starts
 * the next one before the rest is looked at. Events that are left over are looked at first. */
static void turn(struct weft_loop *l, weft_time deadline)
{
    if (l->next_event == l->nevents) {
        int n = epoll_wait(l->epoll, l->events, EVENTS, sleep_ms(l, deadline));
        l->nevents = n > 0 ? n : 0; /* interrupted by a signal: nothing came */
        l->next_event = 0;
    }
    while (l->next_event < l->nevents && !l->ended) {
        look_at(l, &l->events[l->next_event++]);
    }
    run_limits(l, run_timers(l));
}

enum weft_status weft_loop_next(struct weft_loop *l, weft_time deadline, void **tag)
{
    *tag = NULL;
    bool looked = false;
    for (;;) {
        struct weft_slot *s = l->ended;
        if (s) {
            l->ended = s->next;
            *tag = s->tag;
            weft_slot_push(&l->spare, s);
            return WEFT_OK;
        }
        if (l->woken) {
            l->woken = false;
            return WEFT_ECANCELED;
        }
        if (looked && deadline != WEFT_FOREVER && deadline <= weft_now()) {
            return WEFT_ETIMEDOUT;
        }
        turn(l, deadline);
        looked = true;
    }
}
