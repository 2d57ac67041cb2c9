/* heap.c -- the binary heap: sift up, sift down. */
#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h>

static size_t *index_of(const struct weft_heap *h, void *item)
{
    return (size_t *)((char *)item + h->index_at);
}

static void put(struct weft_heap *h, size_t i, void *item)
{
    h->items[i] = item;
    *index_of(h, item) = i;
}

static void sift_up(struct weft_heap *h, size_t i)
{
    void *item = h->items[i];
    while (i > 0) {
        size_t parent = (i - 1) / 2;
        if (!h->before(item, h->items[parent])) {
            break;
        }
        put(h, i, h->items[parent]);
        i = parent;
    }
    put(h, i, item);
}

static void sift_down(struct weft_heap *h, size_t i)
{
    void *item = h->items[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->n) {
            break;
        }
        if (child + 1 < h->n && h->before(h->items[child + 1], h->items[child])) {
            child++;
        }
        if (!h->before(h->items[child], item)) {
            break;
        }
        put(h, i, h->items[child]);
        i = child;
    }
    put(h, i, item);
}

void weft_heap_init(struct weft_heap *h, bool (*before)(const void *a, const void *b),
                    size_t index_at)
{
    *h = (struct weft_heap){.before = before, .index_at = index_at};
}

void weft_heap_release(struct weft_heap *h)
{
    free(h->items);
    weft_heap_init(h, h->before, h->index_at);
}

enum weft_status weft_heap_reserve(struct weft_heap *h, size_t n)
{
    if (n <= h->cap) {
        return WEFT_OK;
    }
    size_t cap = h->cap ? h->cap : 16;
    while (cap < n) {
        cap *= 2;
    }
    if (cap > SIZE_MAX / sizeof *h->items) {
        return WEFT_ENOMEM;
    }
    void **items = realloc(h->items, cap * sizeof *items);
    if (!items) {
        return WEFT_ENOMEM;
    }
    h->items = items;
    h->cap = cap;
    return WEFT_OK;
}

enum weft_status weft_heap_push(struct weft_heap *h, void *item)
{
    enum weft_status st = weft_heap_reserve(h, h->n + 1);
    if (st != WEFT_OK) {
        return st;
    }
    h->items[h->n++] = item;
    sift_up(h, h->n - 1);
    return WEFT_OK;
}

void *weft_heap_top(const struct weft_heap *h)
{
    return h->n ? h->items[0] : NULL;
}

void weft_heap_remove(struct weft_heap *h, void *item)
{
    size_t i = *index_of(h, item);
    if (i == WEFT_HEAP_OUT) {
        return;
    }
    *index_of(h, item) = WEFT_HEAP_OUT;
    void *last = h->items[--h->n];
    if (last == item) {
        return;
    }
    put(h, i, last);
    sift_up(h, i);
    sift_down(h, *index_of(h, last));
}

void weft_heap_moved(struct weft_heap *h, void *item)
{
    size_t i = *index_of(h, item);
    if (i == WEFT_HEAP_OUT) {
        return;
    }
    sift_up(h, i);
    sift_down(h, *index_of(h, item));
}
