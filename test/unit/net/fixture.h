/* fixture.h -- what most tests of fetches begin and end with: one network, one driver, one
 * response. Not for check_loop.c and others that need several. */
#ifndef WEFT_TEST_NET_FIXTURE_H
#define WEFT_TEST_NET_FIXTURE_H

#include "driver.h"
#include "server.h"

extern struct weft_net *net;
extern struct driver *d;
extern struct weft_response r;

/* options NULL: all defaults, but limits of time that no test meets. */
void set_up(int kind, const struct weft_net_options *options);
/* server NULL: there is none. */
void tear_down(struct server *server);

#endif
