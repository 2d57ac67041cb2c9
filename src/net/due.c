/* due.c -- see due.h: a binary heap in an array, children of i at 2i and 2i + 1, counted from 1. */
#include "net/due.h"

#include <stdlib.h>

void weft_dues_release(struct weft_dues *d)
{
    free(d->heap);
    *d = (struct weft_dues){0};
}

static struct weft_due_node *at(const struct weft_dues *d, size_t place)
{
    return &d->heap[place - 1];
}

static void put(struct weft_dues *d, size_t place, struct weft_due_node node)
{
    *at(d, place) = node;
    node.entry->place = place;
}

/* Puts node where it belongs between place and the top. */
static void rise(struct weft_dues *d, size_t place, struct weft_due_node node)
{
    while (place > 1 && at(d, place / 2)->at > node.at) {
        put(d, place, *at(d, place / 2));
        place /= 2;
    }
    put(d, place, node);
}

/* Puts node where it belongs between place and the leaves. */
static void sink(struct weft_dues *d, size_t place, struct weft_due_node node)
{
    size_t child;
    while ((child = 2 * place) <= d->n) {
        if (child < d->n && at(d, child + 1)->at < at(d, child)->at) {
            child++;
        }
        if (at(d, child)->at >= node.at) {
            break;
        }
        put(d, place, *at(d, child));
        place = child;
    }
    put(d, place, node);
}

/* Puts node into the hole at place. */
static void settle(struct weft_dues *d, size_t place, struct weft_due_node node)
{
    if (place > 1 && at(d, place / 2)->at > node.at) {
        rise(d, place, node);
    } else {
        sink(d, place, node);
    }
}

enum weft_status weft_dues_add(struct weft_dues *d, struct weft_due *entry, weft_time when)
{
    if (d->n == d->cap) {
        size_t cap = d->cap ? 2 * d->cap : 16;
        struct weft_due_node *heap = realloc(d->heap, cap * sizeof *heap);
        if (!heap) {
            return WEFT_ENOMEM;
        }
        d->heap = heap;
        d->cap = cap;
    }
    d->n++;
    rise(d, d->n, (struct weft_due_node){when, entry});
    return WEFT_OK;
}

void weft_dues_move(struct weft_dues *d, struct weft_due *entry, weft_time when)
{
    settle(d, entry->place, (struct weft_due_node){when, entry});
}

void weft_dues_remove(struct weft_dues *d, struct weft_due *entry)
{
    size_t hole = entry->place;
    if (!hole) {
        return;
    }
    entry->place = 0;
    struct weft_due_node last = *at(d, d->n);
    d->n--;
    if (hole <= d->n) {
        settle(d, hole, last);
    }
}

struct weft_due *weft_dues_first(const struct weft_dues *d, weft_time *when)
{
    if (when) {
        *when = d->n ? d->heap[0].at : WEFT_FOREVER;
    }
    return d->n ? d->heap[0].entry : NULL;
}
