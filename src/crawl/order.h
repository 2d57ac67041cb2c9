/* order.h -- records that wait for those before them in the list.
 *
 * A ring of as many places as may be beyond the first that is missing; its user reads no further.
 * Knows items; knows nothing of lists or crawls. Threads: one. */
#ifndef WEFT_CRAWL_ORDER_H
#define WEFT_CRAWL_ORDER_H

#include "store/writer.h"

struct weft_order {
    struct weft_item **ring; /* by place, modulo window; NULL: not there yet */
    uint32_t window;
    uint32_t next; /* the place that is missing, modulo 2^32 */
    size_t held;   /* items in the ring */
    size_t bytes;  /* of their bodies and wire bytes */
};

/* A window of 1 to 2^31. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_order_init(struct weft_order *o, uint32_t window) WEFT_MUST_USE;
/* Frees what is held. All zero is fine. */
void weft_order_release(struct weft_order *o);
/* Takes the item of a place that is less than window beyond next and was not put before. */
void weft_order_put(struct weft_order *o, uint32_t place, struct weft_item *item);
/* Gives the item of the next place and moves on; NULL while that is missing. */
struct weft_item *weft_order_take(struct weft_order *o);
/* Gives the first item that is held, whatever is missing before it; NULL: none is. */
struct weft_item *weft_order_take_any(struct weft_order *o);

#endif
