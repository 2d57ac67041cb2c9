/* lab_timer.c -- a binary heap that knows where each of its timers lies, so that the timer of a
 * client that went away leaves at once. */
#include "lab/lab_timer.h"

#include <stdlib.h>

void lab_timers_init(struct lab_timers *t)
{
    *t = (struct lab_timers){0};
}

void lab_timers_release(struct lab_timers *t)
{
    free(t->heap);
    lab_timers_init(t);
}

static void put(struct lab_timers *t, size_t i, struct lab_timer *timer)
{
    t->heap[i] = timer;
    timer->at = i + 1;
}

static void rise(struct lab_timers *t, size_t i, struct lab_timer *timer)
{
    while (i > 0) {
        size_t parent = (i - 1) / 2;
        if (t->heap[parent]->due <= timer->due) {
            break;
        }
        put(t, i, t->heap[parent]);
        i = parent;
    }
    put(t, i, timer);
}

static void sink(struct lab_timers *t, size_t i, struct lab_timer *timer)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= t->n) {
            break;
        }
        if (child + 1 < t->n && t->heap[child + 1]->due < t->heap[child]->due) {
            child++;
        }
        if (t->heap[child]->due >= timer->due) {
            break;
        }
        put(t, i, t->heap[child]);
        i = child;
    }
    put(t, i, timer);
}

enum weft_status lab_timers_add(struct lab_timers *t, struct lab_timer *timer, weft_time due)
{
    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 64;
        struct lab_timer **heap = realloc(t->heap, cap * sizeof(struct lab_timer *));
        if (!heap) {
            return WEFT_ENOMEM;
        }
        t->heap = heap;
        t->cap = cap;
    }
    timer->due = due;
    rise(t, t->n++, timer);
    return WEFT_OK;
}

void lab_timers_remove(struct lab_timers *t, struct lab_timer *timer)
{
    if (timer->at == 0) {
        return;
    }
    size_t i = timer->at - 1;
    timer->at = 0;
    struct lab_timer *last = t->heap[--t->n];
    if (last == timer) {
        return;
    }
    if (i > 0 && t->heap[(i - 1) / 2]->due > last->due) {
        rise(t, i, last);
    } else {
        sink(t, i, last);
    }
}

weft_time lab_timers_next(const struct lab_timers *t)
{
    return t->n ? t->heap[0]->due : WEFT_FOREVER;
}

struct lab_timer *lab_timers_pop(struct lab_timers *t, weft_time now)
{
    if (t->n == 0 || t->heap[0]->due > now) {
        return NULL;
    }
    struct lab_timer *first = t->heap[0];
    lab_timers_remove(t, first);
    return first;
}
