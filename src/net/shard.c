/* shard.c -- see shard.h: a multi handle's callbacks, and the handles' sockets. */
#include "net/shard.h"

#include "base/heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* ---- what libcurl calls ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *socket)
{
    struct weft_shard *h = user;
    (void)socket;
    if (what == CURL_POLL_REMOVE) {
        weft_watches_drop(h->watches, fd);
        return 0;
    }
    struct weft_slot *s = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &s);
    uint32_t events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    enum weft_status st = weft_watches_want(h->watches, fd, h, s, events);
    if (st != WEFT_OK) {
        weft_transfer_decide(&s->transfer, WEFT_FETCH_FAILED, "can't wait for a socket: %s",
                             weft_strerror(st));
    }
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *user)
{
    struct weft_shard *h = user;
    (void)multi;
    h->timer = ms < 0 ? WEFT_FOREVER : ms == 0 ? WEFT_POLL : weft_now() + ms * WEFT_MS;
    return 0;
}

static curl_socket_t on_open(void *user, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct weft_slot *s = user;
    curl_socket_t fd = weft_transfer_open_socket(&s->transfer, purpose, address);
    if (fd >= 0 && weft_watches_opened(s->watches, fd) != WEFT_OK) {
        close(fd);
        weft_transfer_decide(&s->transfer, WEFT_FETCH_FAILED, "out of memory");
        return CURL_SOCKET_BAD;
    }
    return fd;
}

static int on_close(void *user, curl_socket_t fd)
{
    weft_watches_closed(user, fd);
    return close(fd);
}

/* ---- slots ---- */

enum weft_status weft_slot_new(struct weft_slot **out, struct weft_net *net,
                               struct weft_watches *watches)
{
    *out = NULL;
    struct weft_slot *s = calloc(1, sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->watches = watches;
    s->place = WEFT_HEAP_OUT;
    enum weft_status st = weft_transfer_init(&s->transfer, net);
    if (st != WEFT_OK) {
        free(s);
        return st;
    }
    CURL *e = s->transfer.easy;
    if (curl_easy_setopt(e, CURLOPT_PRIVATE, s) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_open) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, s) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_CLOSESOCKETFUNCTION, on_close) != CURLE_OK ||
        curl_easy_setopt(e, CURLOPT_CLOSESOCKETDATA, watches) != CURLE_OK) {
        weft_slot_free(s);
        return WEFT_ENOMEM;
    }
    *out = s;
    return WEFT_OK;
}

void weft_slot_free(struct weft_slot *s)
{
    weft_transfer_release(&s->transfer);
    free(s);
}

void weft_slot_push(struct weft_slot **list, struct weft_slot *s)
{
    s->prev = NULL;
    s->next = *list;
    if (s->next) {
        s->next->prev = s;
    }
    *list = s;
}

void weft_slot_unlink(struct weft_slot **list, struct weft_slot *s)
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

void weft_slot_free_all(struct weft_slot *s)
{
    while (s) {
        struct weft_slot *next = s->next;
        weft_slot_free(s);
        s = next;
    }
}

/* ---- shards ---- */

enum weft_status weft_shard_init(struct weft_shard *h, struct weft_watches *watches, unsigned keep)
{
    *h = (struct weft_shard){.watches = watches, .timer = WEFT_FOREVER};
    h->multi = curl_multi_init();
    if (!h->multi || curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_socket) != CURLM_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h) != CURLM_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, on_timer) != CURLM_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h) != CURLM_OK ||
        curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, (long)keep) != CURLM_OK) {
        weft_shard_release(h);
        return WEFT_ENOMEM;
    }
    return WEFT_OK;
}

void weft_shard_release(struct weft_shard *h)
{
    curl_multi_cleanup(h->multi);
    *h = (struct weft_shard){.timer = WEFT_FOREVER};
}

enum weft_status weft_shard_add(struct weft_shard *h, struct weft_slot *s)
{
    if (curl_multi_add_handle(h->multi, s->transfer.easy) != CURLM_OK) {
        return WEFT_ENOMEM;
    }
    s->shard = h;
    h->running++;
    return WEFT_OK;
}

void weft_shard_remove(struct weft_slot *s)
{
    curl_multi_remove_handle(s->shard->multi, s->transfer.easy);
    s->shard->running--;
    s->shard = NULL;
}

void weft_shard_act(struct weft_shard *h, curl_socket_t fd, int events)
{
    int running = 0;
    curl_multi_socket_action(h->multi, fd, events, &running);
}

void weft_shard_act_on_time(struct weft_shard *h)
{
    h->timer = WEFT_FOREVER; /* libcurl sets it anew if it wants to */
    weft_shard_act(h, CURL_SOCKET_TIMEOUT, 0);
}

void weft_shard_nudge(struct weft_slot *s)
{
    /* There is no call for it; but to go on after a pause is to be called at once. */
    curl_easy_pause(s->transfer.easy, CURLPAUSE_RECV);
    curl_easy_pause(s->transfer.easy, CURLPAUSE_CONT);
}

struct weft_slot *weft_shard_ended(struct weft_shard *h, CURLcode *result)
{
    int left = 0;
    const CURLMsg *m = curl_multi_info_read(h->multi, &left);
    struct weft_slot *s = NULL;
    if (m) {
        *result = m->data.result;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &s);
    }
    return s;
}

/* A number that is the same for the same scheme, host and port. */
static unsigned hash_origin(const char *url)
{
    unsigned hash = 0;
    const char *host = strstr(url, "://") + 3;
    for (const char *p = host + strcspn(host, "/?#"); p > url; p--) {
        hash = hash * 31 + (unsigned char)p[-1];
    }
    return hash;
}

struct weft_shard *weft_shard_choose(struct weft_shard *shards, unsigned n, unsigned most,
                                     const char *url)
{
    struct weft_shard *least = &shards[0];
    if (n == 1) {
        return least;
    }
    unsigned hash = hash_origin(url);
    for (unsigned i = 0; i < n; i++) {
        struct weft_shard *h = &shards[(hash + i) % n];
        if (h->running < most) {
            return h;
        }
        least = h->running < least->running ? h : least;
    }
    return least;
}
