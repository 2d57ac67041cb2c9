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
    atomic_bool interrupted; /* set by any thread; curl_multi_wakeup() tells the waiting one */
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

/* Sleeps until a byte moves, a limit falls due, or somebody wakes us. */
static CURLMcode wait_for_bytes(struct weft_client *c, weft_time now)
{
    weft_time left = (weft_transfer_due(&c->transfer) - now + WEFT_MS - 1) / WEFT_MS;
    int ready = 0;
    CURLMcode code = curl_multi_poll(c->multi, NULL, 0, left > INT_MAX ? INT_MAX : (int)left,
                                     &ready);
    if (ready > 0) {
        c->transfer.active = weft_now();
    }
    return code;
}

/* How a running transfer stopped: by itself, or by one of ours. */
enum stop { ENDED, TIMED_OUT, INTERRUPTED, BROKEN };

/* Drives the transfer until it stops; libcurl's result for ENDED goes into *result. */
static enum stop drive(struct weft_client *c, CURLcode *result)
{
    for (;;) {
        int running = 0;
        if (curl_multi_perform(c->multi, &running) != CURLM_OK) {
            return BROKEN;
        }
        if (!running) {
            int left = 0;
            const CURLMsg *m = curl_multi_info_read(c->multi, &left);
            *result = m ? m->data.result : CURLE_FAILED_INIT;
            return ENDED;
        }
        if (weft_transfer_satisfied(&c->transfer)) {
            return ENDED;
        }
        if (atomic_load(&c->interrupted)) {
            return INTERRUPTED;
        }
        weft_time now = weft_now();
        if (now >= weft_transfer_due(&c->transfer)) {
            return TIMED_OUT;
        }
        if (wait_for_bytes(c, now) != CURLM_OK) {
            return BROKEN;
        }
    }
}

static enum stop run(struct weft_client *c, CURLcode *result)
{
    if (atomic_load(&c->interrupted)) {
        return INTERRUPTED;
    }
    if (curl_multi_add_handle(c->multi, c->transfer.easy) != CURLM_OK) {
        return BROKEN;
    }
    enum stop stop = drive(c, result);
    curl_multi_remove_handle(c->multi, c->transfer.easy);
    return stop;
}

enum weft_status weft_client_fetch(struct weft_client *c, const struct weft_request *request,
                                   struct weft_response *response)
{
    enum weft_status st = weft_transfer_begin(&c->transfer, request, response);
    if (st != WEFT_OK) {
        return st;
    }
    CURLcode result = CURLE_OK;
    switch (run(c, &result)) {
    case ENDED:
        weft_transfer_end(&c->transfer, result);
        break;
    case TIMED_OUT:
        weft_transfer_time_out(&c->transfer);
        break;
    case INTERRUPTED:
        weft_transfer_interrupt(&c->transfer);
        break;
    case BROKEN:
        weft_transfer_end(&c->transfer, CURLE_OUT_OF_MEMORY);
        break;
    }
    return WEFT_OK;
}
