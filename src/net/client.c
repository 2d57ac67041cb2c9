/* client.c -- the blocking fetch: one transfer on a multi handle of its own, so that a limit or an
 * interrupt ends the wait at once, whatever libcurl is at. Knows how to wait; what a fetch is
 * stands in transfer.c. */
#include "net/transfer.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Connections that a client keeps alive. A worker meets many hosts, each connection is a
 * descriptor, and there may be hundreds of workers. */
#define KEEP_CONNECTIONS 8L

struct weft_client {
    atomic_bool interrupted; /* both set by any thread; */
    atomic_bool woken;       /* ... curl_multi_wakeup() tells the waiting one */
    bool running;            /* a transfer is in the multi handle */
    CURLM *multi;
    struct weft_transfer transfer;
};

enum weft_status weft_client_new(struct weft_client **out, struct weft_net *net)
{
    *out = NULL;
    struct weft_client *c = calloc(1, sizeof *c);
    if (!c) {
        return WEFT_ENOMEM;
    }
    atomic_init(&c->interrupted, false);
    atomic_init(&c->woken, false);
    enum weft_status st = weft_transfer_init(&c->transfer, net);
    if (st != WEFT_OK) {
        free(c);
        return st;
    }
    c->multi = curl_multi_init();
    if (!c->multi ||
        curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, KEEP_CONNECTIONS) != CURLM_OK) {
        weft_client_free(c);
        return WEFT_ENOMEM;
    }
    *out = c;
    return WEFT_OK;
}

void weft_client_free(struct weft_client *c)
{
    if (!c) {
        return;
    }
    if (c->running) {
        curl_multi_remove_handle(c->multi, c->transfer.easy);
    }
    weft_transfer_release(&c->transfer);
    curl_multi_cleanup(c->multi);
    free(c);
}

void weft_client_interrupt(struct weft_client *c)
{
    atomic_store(&c->interrupted, true);
    curl_multi_wakeup(c->multi); /* the one call that libcurl allows from another thread */
}

void weft_client_resume(struct weft_client *c)
{
    atomic_store(&c->interrupted, false);
}

void weft_client_wake(struct weft_client *c)
{
    atomic_store(&c->woken, true);
    curl_multi_wakeup(c->multi);
}

bool weft_client_woken(struct weft_client *c)
{
    return atomic_exchange(&c->woken, false);
}

/* Sleeps until a byte moves, a limit or the deadline may fall due, or somebody wakes us. */
static CURLMcode wait_for_bytes(struct weft_client *c, weft_time now, weft_time deadline)
{
    weft_time soonest = weft_transfer_soonest(&c->transfer, now);
    weft_time left = ((soonest < deadline ? soonest : deadline) - now + WEFT_MS - 1) / WEFT_MS;
    int ready = 0;
    int ms = left < 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX; /* it may be due by now */
    CURLMcode code = curl_multi_poll(c->multi, NULL, 0, ms, &ready);
    if (ready > 0) {
        c->transfer.active = weft_now();
    }
    return code;
}

/* How a running transfer stopped: by itself, or by one of ours; or not yet. */
enum stop { ENDED, TIMED_OUT, INTERRUPTED, BROKEN, RUNNING };

/* Lets libcurl do what can be done now. Its result for ENDED goes into *result. */
static enum stop step(struct weft_client *c, CURLcode *result)
{
    int running = 0;
    if (atomic_load(&c->interrupted)) {
        return INTERRUPTED;
    }
    if (curl_multi_perform(c->multi, &running) != CURLM_OK) {
        return BROKEN;
    }
    if (!running) {
        int left = 0;
        const CURLMsg *m = curl_multi_info_read(c->multi, &left);
        *result = m ? m->data.result : CURLE_FAILED_INIT;
        return ENDED;
    }
    return weft_transfer_satisfied(&c->transfer)           ? ENDED
           : weft_now() >= weft_transfer_due(&c->transfer) ? TIMED_OUT
                                                           : RUNNING;
}

static void end(struct weft_client *c, enum stop stop, CURLcode result)
{
    curl_multi_remove_handle(c->multi, c->transfer.easy);
    c->running = false;
    switch (stop) {
    case TIMED_OUT:
        weft_transfer_time_out(&c->transfer);
        break;
    case INTERRUPTED:
        weft_transfer_interrupt(&c->transfer);
        break;
    case BROKEN:
        weft_transfer_end(&c->transfer, CURLE_OUT_OF_MEMORY);
        break;
    default:
        weft_transfer_end(&c->transfer, result);
        break;
    }
}

enum weft_status weft_client_begin(struct weft_client *c, const struct weft_request *request,
                                   struct weft_response *response)
{
    enum weft_status st = weft_transfer_begin(&c->transfer, request, response);
    if (st != WEFT_OK) {
        return st;
    }
    if (curl_multi_add_handle(c->multi, c->transfer.easy) != CURLM_OK) {
        return WEFT_ENOMEM;
    }
    c->running = true;
    return WEFT_OK;
}

enum weft_status weft_client_drive(struct weft_client *c, weft_time deadline)
{
    while (c->running) {
        CURLcode result = CURLE_OK;
        enum stop stop = step(c, &result);
        if (stop == RUNNING) {
            weft_time now = weft_now();
            if (weft_client_woken(c)) {
                return WEFT_ECANCELED;
            }
            if (now >= deadline) {
                return WEFT_ETIMEDOUT;
            }
            stop = wait_for_bytes(c, now, deadline) == CURLM_OK ? RUNNING : BROKEN;
        }
        if (stop != RUNNING) {
            end(c, stop, result);
        }
    }
    return WEFT_OK;
}

enum weft_status weft_client_fetch(struct weft_client *c, const struct weft_request *request,
                                   struct weft_response *response)
{
    enum weft_status st = weft_client_begin(c, request, response);
    if (st != WEFT_OK) {
        return st;
    }
    do { /* a wake is not for this caller */
        st = weft_client_drive(c, WEFT_FOREVER);
    } while (st == WEFT_ECANCELED);
    return st;
}
