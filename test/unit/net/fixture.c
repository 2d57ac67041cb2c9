/* fixture.c -- see fixture.h. */
#include "fixture.h"

#include <check.h>

struct weft_net *net;
struct driver *d;
struct weft_response r;

void set_up(int kind, const struct weft_net_options *options)
{
    net = driver_net(options);
    d = driver_new(kind, net);
    weft_response_init(&r);
}

void tear_down(struct server *server)
{
    weft_response_release(&r);
    driver_free(d);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    if (server) {
        server_stop(server);
    }
}
