/* order.c -- see order.h. */
#include "crawl/order.h"

#include <stdlib.h>

enum weft_status weft_order_init(struct weft_order *o, uint32_t window)
{
    *o = (struct weft_order){.window = window};
    o->ring = calloc(window, sizeof(struct weft_item *));
    return o->ring ? WEFT_OK : WEFT_ENOMEM;
}

void weft_order_release(struct weft_order *o)
{
    struct weft_item *item;
    while ((item = weft_order_take_any(o))) {
        item->free(item);
    }
    free(o->ring);
    *o = (struct weft_order){0};
}

static size_t weight(const struct weft_item *item)
{
    const struct weft_record *r = &item->record;
    return r->body_len + r->wire_request_len + r->wire_answer_len;
}

void weft_order_put(struct weft_order *o, uint32_t place, struct weft_item *item)
{
    o->ring[place % o->window] = item;
    o->held++;
    o->bytes += weight(item);
}

struct weft_item *weft_order_take(struct weft_order *o)
{
    struct weft_item **at = &o->ring[o->next % o->window];
    struct weft_item *item = *at;
    if (item) {
        *at = NULL;
        o->next++;
        o->held--;
        o->bytes -= weight(item);
    }
    return item;
}

struct weft_item *weft_order_take_any(struct weft_order *o)
{
    struct weft_item *item = NULL;
    while (o->held > 0 && !(item = weft_order_take(o))) {
        o->next++;
    }
    return item;
}
