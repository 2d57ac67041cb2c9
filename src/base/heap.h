/* heap.h -- a binary heap of pointers, smallest first, whose items know their place.
 *
 * An item keeps its index in a size_t of its own (WEFT_HEAP_OUT while it is in no heap), so that a
 * changed item can be moved or removed in O(log n). Knows nothing of what the items are.
 * Threads: one at a time. */
#ifndef WEFT_BASE_HEAP_H
#define WEFT_BASE_HEAP_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

#define WEFT_HEAP_OUT ((size_t)-1)

struct weft_heap {
    void **items;
    size_t n, cap;
    bool (*before)(const void *a, const void *b); /* strict order */
    size_t index_at;                              /* offset of the size_t index in an item */
};

/* Allocates nothing. */
void weft_heap_init(struct weft_heap *h, bool (*before)(const void *a, const void *b),
                    size_t index_at);
/* Frees the array; the items are the caller's. */
void weft_heap_release(struct weft_heap *h);
/* Makes room for n items, so that as many pushes can't fail. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_heap_reserve(struct weft_heap *h, size_t n) WEFT_MUST_USE;
/* Adds an item that is in no heap. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_heap_push(struct weft_heap *h, void *item) WEFT_MUST_USE;
/* The smallest item, or NULL. It stays in the heap. */
void *weft_heap_top(const struct weft_heap *h);
/* Takes an item out; nothing happens if it is in no heap. */
void weft_heap_remove(struct weft_heap *h, void *item);
/* Restores the order after an item's key has changed. */
void weft_heap_moved(struct weft_heap *h, void *item);

#endif
