/* due.h -- a heap of times: which of many is due first, in O(log n).
 *
 * An entry is embedded in what it belongs to. Its time may be earlier than the real one: whoever
 * finds it due looks, and moves it. So a transfer whose limit moves with every byte is not moved
 * in the heap with every byte. */
#ifndef WEFT_NET_DUE_H
#define WEFT_NET_DUE_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stddef.h>

struct weft_due {
    size_t place; /* in the heap, from 1; 0: not in it */
};

struct weft_dues {
    struct weft_due_node {
        weft_time at; /* beside the pointer: comparing does not touch the entries */
        struct weft_due *entry;
    } * heap;
    size_t n, cap;
};

void weft_dues_release(struct weft_dues *d);
/* Adds entry, which is not in the heap. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_dues_add(struct weft_dues *d, struct weft_due *entry,
                               weft_time when) WEFT_MUST_USE;
/* Changes the time of an entry that is in the heap. */
void weft_dues_move(struct weft_dues *d, struct weft_due *entry, weft_time when);
/* Takes entry out; nothing if it is not in the heap. */
void weft_dues_remove(struct weft_dues *d, struct weft_due *entry);
/* The earliest, and its time in *when (may be NULL). NULL and WEFT_FOREVER: there is none. */
struct weft_due *weft_dues_first(const struct weft_dues *d, weft_time *when);

#endif
