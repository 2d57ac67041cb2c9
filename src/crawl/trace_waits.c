/* trace_waits.c -- a small hash table with linear probing; removal moves what follows up, so no
 * marks of what was removed pile up. */
#include "crawl/trace_waits.h"

#include "base/limits.h"
#include <stdbool.h>
#include <stdlib.h>

#define FIRST_CAP 256u

/* Where print stands, or would. */
static size_t find(const struct weft_waits *w, uint64_t print)
{
    size_t i = (size_t)print & (w->cap - 1);
    while (w->at[i].since && w->at[i].print != print) {
        i = (i + 1) & (w->cap - 1);
    }
    return i;
}

static bool grow(struct weft_waits *w)
{
    struct weft_waits bigger = {.cap = w->cap ? w->cap * 2 : FIRST_CAP, .n = w->n};
    if (bigger.cap > WEFT_MAX_TRACE_WAITS) {
        return false;
    }
    bigger.at = calloc(bigger.cap, sizeof *bigger.at);
    if (!bigger.at) {
        return false;
    }
    for (size_t i = 0; i < w->cap; i++) {
        if (w->at[i].since) {
            bigger.at[find(&bigger, w->at[i].print)] = w->at[i];
        }
    }
    free(w->at);
    *w = bigger;
    return true;
}

void weft_waits_put(struct weft_waits *w, uint64_t print, weft_time since)
{
    if (w->n >= w->cap / 4 * 3 && !grow(w)) {
        return;
    }
    size_t i = find(w, print);
    w->n += w->at[i].since == 0;
    w->at[i] = (struct weft_wait){print, since};
}

weft_time weft_waits_take(struct weft_waits *w, uint64_t print)
{
    if (w->n == 0) {
        return 0;
    }
    size_t mask = w->cap - 1, hole = find(w, print);
    weft_time since = w->at[hole].since;
    if (!since) {
        return 0;
    }
    /* Whoever would no longer be found across the hole moves into it. */
    for (size_t i = (hole + 1) & mask; w->at[i].since; i = (i + 1) & mask) {
        size_t home = (size_t)w->at[i].print & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            w->at[hole] = w->at[i];
            hole = i;
        }
    }
    w->at[hole].since = 0;
    w->n--;
    return since;
}

void weft_waits_release(struct weft_waits *w)
{
    free(w->at);
    *w = (struct weft_waits){0};
}
