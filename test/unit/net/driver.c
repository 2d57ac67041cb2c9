/* driver.c -- see driver.h. */
#include "driver.h"

#include "weft/loop.h"
#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>

#define FAR (100 * WEFT_SECOND)

struct driver {
    struct weft_client *client; /* one of the two */
    struct weft_loop *loop;
    atomic_bool interrupted;
};

struct driver *driver_new(int kind, struct weft_net *net)
{
    struct driver *d = calloc(1, sizeof *d);
    ck_assert_ptr_nonnull(d);
    if (kind == 0) {
        ck_assert_int_eq(weft_client_new(&d->client, net), WEFT_OK);
    } else {
        ck_assert_int_eq(weft_loop_new(&d->loop, net, 16), WEFT_OK);
    }
    return d;
}

void driver_free(struct driver *d)
{
    weft_client_free(d->client);
    weft_loop_free(d->loop);
    free(d);
}

void driver_fetch(struct driver *d, const struct weft_request *request, struct weft_response *r)
{
    if (d->client) {
        ck_assert_int_eq(weft_client_fetch(d->client, request, r), WEFT_OK);
        return;
    }
    ck_assert_int_eq(weft_loop_start(d->loop, request, r, r), WEFT_OK);
    void *tag = NULL;
    enum weft_status st;
    while ((st = weft_loop_next(d->loop, WEFT_FOREVER, &tag)) == WEFT_ECANCELED) {
        if (atomic_load(&d->interrupted)) {
            weft_loop_cancel_all(d->loop);
        }
    }
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_ptr_eq(tag, r);
}

void driver_interrupt(struct driver *d)
{
    if (d->client) {
        weft_client_interrupt(d->client);
    } else {
        atomic_store(&d->interrupted, true);
        weft_loop_wake(d->loop);
    }
}

struct weft_net *driver_net(const struct weft_net_options *options)
{
    struct weft_net_options o = options ? *options : (struct weft_net_options){0};
    o.connect_timeout = o.connect_timeout ? o.connect_timeout : FAR;
    o.read_timeout = o.read_timeout ? o.read_timeout : FAR;
    o.timeout = o.timeout ? o.timeout : FAR;
    struct weft_net *net = NULL;
    ck_assert_int_eq(weft_net_new(&net, &o), WEFT_OK);
    return net;
}
