/* levels.c -- see levels.h. */
#include "crawl/levels.h"

#include <limits.h>
#include <stdlib.h>

void weft_levels_init(struct weft_levels *l, bool on, unsigned max_depth)
{
    *l = (struct weft_levels){.on = on, .max_depth = max_depth, .lowest = UINT_MAX};
    weft_url_queue_init(&l->held);
    weft_seen_init(&l->held_prints);
}

void weft_levels_release(struct weft_levels *l)
{
    free(l->unfinished);
    weft_url_queue_release(&l->held);
    weft_seen_release(&l->held_prints);
    weft_levels_init(l, false, 0);
}

enum weft_status weft_levels_enter(struct weft_levels *l, unsigned depth)
{
    if (!l->on) {
        return WEFT_OK;
    }
    if (depth >= l->n) {
        size_t n = l->n ? l->n : 16;
        while (n <= depth) {
            n *= 2;
        }
        size_t *unfinished = realloc(l->unfinished, n * sizeof *unfinished);
        if (!unfinished) {
            return WEFT_ENOMEM;
        }
        for (size_t i = l->n; i < n; i++) {
            unfinished[i] = 0;
        }
        l->unfinished = unfinished;
        l->n = n;
    }
    l->unfinished[depth]++;
    if (depth < l->lowest) {
        l->lowest = depth;
    }
    return WEFT_OK;
}

void weft_levels_leave(struct weft_levels *l, unsigned depth)
{
    if (!l->on) {
        return;
    }
    l->unfinished[depth]--;
    while (l->lowest < l->n && l->unfinished[l->lowest] == 0) {
        l->lowest++;
    }
    if (l->lowest >= l->n) {
        l->lowest = UINT_MAX;
    }
}

bool weft_levels_open(const struct weft_levels *l, unsigned depth)
{
    return !l->on || l->lowest >= depth;
}

enum weft_status weft_levels_hold(struct weft_levels *l, const struct weft_queued *entry)
{
    bool fresh;
    enum weft_status st = weft_seen_claim(&l->held_prints, entry->print, &fresh);
    return st == WEFT_OK && fresh ? weft_url_queue_push(&l->held, entry) : st;
}

bool weft_levels_next(struct weft_levels *l, struct weft_queued *entry)
{
    if (!weft_url_queue_peek(&l->held, entry)) {
        weft_seen_release(&l->held_prints);
        return false;
    }
    if (!weft_levels_open(l, entry->depth)) {
        return false;
    }
    weft_url_queue_pop(&l->held);
    return true;
}
