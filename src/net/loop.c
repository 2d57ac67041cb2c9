/* loop.c -- many fetches at once on the caller's thread: libcurl's socket interface over epoll.
 *
 * libcurl says which sockets it waits for and when it wants to be called again; the loop waits for
 * these, for our own time limits, and for a wake, in one epoll_wait. What a fetch is stands in
 * transfer.c; which socket belongs to whom in watch.c. */
#include "net/loop.h"

#include "base/heap.h"
#include "net/transfer.h"
#include "net/watch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define EVENTS 64 /* taken from the kernel at once */

/* One fetch, or a handle that waits for the next one. */
struct slot {
    struct weft_transfer transfer;
    weft_time look_at; /* when its limits have to be looked at: never later than one falls due */
    size_t place;      /* in the heap of these times */
    struct weft_loop *loop;
    struct slot *prev, *next; /* in one of the loop's lists */
    void *tag;
};

struct weft_loop {
    struct weft_net *net; /* borrowed */
    CURLM *multi;
    int epoll, wake;         /* wake: an eventfd, readable after weft_loop_wake */
    weft_time timer;         /* when libcurl wants to be called; WEFT_FOREVER: never */
    struct weft_heap limits; /* what is in flight, by look_at */
    struct weft_watches watches;
    struct slot *in_flight;          /* in no order */
    struct slot *ended, *last_ended; /* in order; to be handed out */
    struct slot *spare;              /* handles for later fetches */
    uint64_t connections;
    bool woken;
    struct epoll_event events[EVENTS]; /* taken, not all looked at */
    int nevents, next_event;
};

/* ---- lists ---- */

static void push(struct slot **list, struct slot *s)
{
    s->prev = NULL;
    s->next = *list;
    if (s->next) {
        s->next->prev = s;
    }
    *list = s;
}

static void unlink_slot(struct slot **list, struct slot *s)
{
    if (s->prev) {
        s->prev->next = s->next;
    } else {
        *list = s->next;
    }
    if (s->next) {
        s->next->prev = s->prev;
    }
}

/* ---- what libcurl calls ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *socket)
{
    struct weft_loop *l = user;
    (void)socket;
    if (what == CURL_POLL_REMOVE) {
        weft_watches_drop(&l->watches, fd);
        return 0;
    }
    struct slot *s = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &s);
    uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    enum weft_status st = weft_watches_want(&l->watches, fd, s, events);
    if (st != WEFT_OK) {
        weft_transfer_decide(&s->transfer, WEFT_FETCH_FAILED, "can't wait for a socket: %s",
                             weft_strerror(st));
    }
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *user)
{
    struct weft_loop *l = user;
    (void)multi;
    l->timer = ms < 0 ? WEFT_FOREVER : ms == 0 ? WEFT_POLL : weft_now() + ms * WEFT_MS;
    return 0;
}

static curl_socket_t on_open(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct slot *s = user;
    curl_socket_t fd = weft_transfer_open_socket(&s->transfer, purpose, address);
    if (fd >= 0 && weft_watches_opened(&s->loop->watches, fd) != WEFT_OK) {
        close(fd);
        weft_transfer_decide(&s->transfer, WEFT_FETCH_FAILED, "out of memory");
        return CURL_SOCKET_BAD;
    }
    return fd;
}

static int on_close(void *user, curl_socket_t fd)
{
    struct weft_loop *l = user;
    weft_watches_closed(&l->watches, fd);
    return close(fd);
}

/* ---- life ---- */

static bool sooner(const void *a, const void *b)
{
    return ((const struct slot *)a)->look_at < ((const struct slot *)b)->look_at;
}

static bool set_up(struct weft_loop *l, unsigned max_connections)
{
    struct epoll_event e = {.events = EPOLLIN, .data.fd = l->wake};
    return epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->wake, &e) == 0 &&
           curl_multi_setopt(l->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK &&
           curl_multi_setopt(l->multi, CURLMOPT_SOCKETDATA, l) == CURLM_OK &&
           curl_multi_setopt(l->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK &&
           curl_multi_setopt(l->multi, CURLMOPT_TIMERDATA, l) == CURLM_OK &&
           curl_multi_setopt(l->multi, CURLMOPT_MAXCONNECTS, (long)max_connections) == CURLM_OK;
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
    l->timer = WEFT_FOREVER;
    weft_heap_init(&l->limits, sooner, offsetof(struct slot, place));
    l->epoll = l->watches.epoll = epoll_create1(EPOLL_CLOEXEC);
    l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    l->multi = curl_multi_init();
    if (!l->multi || l->epoll < 0 || l->wake < 0 || !set_up(l, max_connections)) {
        enum weft_status st = l->multi ? WEFT_EIO : WEFT_ENOMEM;
        weft_loop_free(l);
        return st;
    }
    *out = l;
    return WEFT_OK;
}

static void free_slots(struct slot *s)
{
    while (s) {
        struct slot *next = s->next;
        weft_transfer_release(&s->transfer);
        free(s);
        s = next;
    }
}

void weft_loop_free(struct weft_loop *l)
{
    if (!l) {
        return;
    }
    for (struct slot *s = l->in_flight; s; s = s->next) {
        curl_multi_remove_handle(l->multi, s->transfer.easy);
    }
    free_slots(l->in_flight);
    free_slots(l->ended);
    free_slots(l->spare);
    curl_multi_cleanup(l->multi); /* closes the connections, through on_close */
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

/* ---- starting and ending a fetch ---- */

static enum weft_status new_slot(struct weft_loop *l, struct slot **out)
{
    struct slot *s = calloc(1, sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->loop = l;
    s->place = WEFT_HEAP_OUT;
    enum weft_status st = weft_transfer_init(&s->transfer, l->net);
    if (st != WEFT_OK) {
        free(s);
        return st;
    }
    CURL *e = s->transfer.easy;
    if (curl_easy_setopt(e, CURLOPT_PRIVATE, s) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_open) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, s) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_CLOSESOCKETFUNCTION, on_close) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_CLOSESOCKETDATA, l) != CURLE_OK) {
        weft_transfer_release(&s->transfer);
        free(s);
        return WEFT_ENOMEM;
    }
    *out = s;
    return WEFT_OK;
}

/* Takes s out of flight; what remains is to fill its response. */
static void land(struct weft_loop *l, struct slot *s)
{
    curl_multi_remove_handle(l->multi, s->transfer.easy);
    weft_heap_remove(&l->limits, s);
    unlink_slot(&l->in_flight, s);
    s->next = NULL;
    if (l->ended) {
        l->last_ended->next = s;
    } else {
        l->ended = s;
    }
    l->last_ended = s;
}

enum how { ENDED, TIMED_OUT, INTERRUPTED };

static void end(struct weft_loop *l, struct slot *s, enum how how, CURLcode code)
{
    const struct weft_response *r = s->transfer.response;
    land(l, s);
    switch (how) {
    case ENDED:
        weft_transfer_end(&s->transfer, code);
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

/* Takes from libcurl what has ended by itself. */
static void collect(struct weft_loop *l)
{
    int left = 0;
    const CURLMsg *m;
    while ((m = curl_multi_info_read(l->multi, &left))) {
        struct slot *s = NULL;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &s);
        end(l, s, ENDED, m->data.result);
    }
}

/* Lets libcurl act on a socket, or on its timer. */
static void act(struct weft_loop *l, curl_socket_t fd, int events)
{
    int running = 0;
    curl_multi_socket_action(l->multi, fd, events, &running);
    collect(l);
}

static void run_timer(struct weft_loop *l)
{
    if (l->timer != WEFT_FOREVER && l->timer <= weft_now()) {
        l->timer = WEFT_FOREVER; /* libcurl sets it anew if it wants to */
        act(l, CURL_SOCKET_TIMEOUT, 0);
    }
}

static bool in_flight(const struct slot *s)
{
    return s->place != WEFT_HEAP_OUT;
}

enum weft_status weft_loop_start(struct weft_loop *l, const struct weft_request *request,
                                 struct weft_response *response, void *tag)
{
    if (!l->spare) {
        struct slot *made;
        enum weft_status st = new_slot(l, &made);
        if (st != WEFT_OK) {
            return st;
        }
        push(&l->spare, made);
    }
    struct slot *s = l->spare;
    enum weft_status st = weft_transfer_begin(&s->transfer, request, response);
    if (st != WEFT_OK) {
        return st;
    }
    s->look_at = weft_transfer_soonest(&s->transfer, response->started);
    if ((st = weft_heap_push(&l->limits, s)) != WEFT_OK) {
        return st;
    }
    if (curl_multi_add_handle(l->multi, s->transfer.easy) != CURLM_OK) {
        weft_heap_remove(&l->limits, s);
        return WEFT_ENOMEM;
    }
    s->tag = tag;
    unlink_slot(&l->spare, s);
    push(&l->in_flight, s);
    run_timer(l); /* sends the request now, not when the caller next waits */
    if (in_flight(s) && weft_transfer_satisfied(&s->transfer)) {
        end(l, s, ENDED, CURLE_OK);
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

/* Ends what is over one of its limits, and puts back what was looked at too early. */
static void run_limits(struct weft_loop *l)
{
    struct slot *s = weft_heap_top(&l->limits);
    weft_time now = s ? weft_now() : WEFT_POLL;
    for (; s && s->look_at <= now; s = weft_heap_top(&l->limits)) {
        if (weft_transfer_satisfied(&s->transfer)) {
            end(l, s, ENDED, CURLE_OK);
        } else if (weft_transfer_due(&s->transfer) <= now) {
            end(l, s, TIMED_OUT, CURLE_OK);
        } else { /* bytes moved since */
            s->look_at = weft_transfer_soonest(&s->transfer, now);
            weft_heap_moved(&l->limits, s);
        }
    }
}

/* One event that the kernel told of. */
static void look_at(struct weft_loop *l, const struct epoll_event *e)
{
    if (e->data.fd == l->wake) {
        uint64_t count;
        l->woken = read(l->wake, &count, sizeof count) > 0;
        return;
    }
    struct slot *s = weft_watches_owner(&l->watches, e->data.fd);
    if (!s) {
        return;
    }
    if (!l->net->http2) { /* else a connection's bytes are not one transfer's */
        s->transfer.active = weft_now();
    }
    int events = (e->events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                 (e->events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                 (e->events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
    act(l, e->data.fd, events);
    if (in_flight(s) && weft_transfer_satisfied(&s->transfer)) {
        end(l, s, ENDED, CURLE_OK);
    }
}

/* The time that epoll may sleep, in its milliseconds, rounded up. */
static int sleep_ms(const struct weft_loop *l, weft_time deadline)
{
    const struct slot *first = weft_heap_top(&l->limits);
    weft_time until = l->timer < deadline ? l->timer : deadline;
    until = first && first->look_at < until ? first->look_at : until;
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
    run_timer(l);
    run_limits(l);
}

enum weft_status weft_loop_next(struct weft_loop *l, weft_time deadline, void **tag)
{
    *tag = NULL;
    bool looked = false;
    for (;;) {
        struct slot *s = l->ended;
        if (s) {
            l->ended = s->next;
            *tag = s->tag;
            push(&l->spare, s);
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
