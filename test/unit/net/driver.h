/* driver.h -- the same fetch over the blocking client and over the event loop, so that every case
 * runs on both: driver 0 is the client, driver 1 the loop. */
#ifndef WEFT_TEST_NET_DRIVER_H
#define WEFT_TEST_NET_DRIVER_H

#include "weft/fetch.h"

#define DRIVERS 2

struct driver;

struct driver *driver_new(int kind, struct weft_net *net);
void driver_free(struct driver *d);
/* One fetch, waited for; asserts that it could be started. */
void driver_fetch(struct driver *d, const struct weft_request *request, struct weft_response *r);
/* From another thread: makes the fetch end as INTERRUPTED. */
void driver_interrupt(struct driver *d);

/* A network whose limits of time, where options have none, are so far away that only a hung test
 * meets them. */
struct weft_net *driver_net(const struct weft_net_options *options);

#endif
