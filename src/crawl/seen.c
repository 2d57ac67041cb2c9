/* seen.c -- the fingerprint set: an open-addressing table, doubled at three quarters full. */
#include "crawl/seen.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_CAP 1024

/* A packed end: one bit "ended", five of reason, ten of status. */
#define ENDED 0x8000u

uint64_t weft_fingerprint(const void *bytes, size_t len, uint64_t seed)
{
    uint64_t print = XXH3_64bits_withSeed(bytes, len, seed);
    return print ? print : 1;
}

void weft_seen_init(struct weft_seen *s)
{
    *s = (struct weft_seen){0};
}

void weft_seen_release(struct weft_seen *s)
{
    free(s->prints);
    free(s->ends);
    weft_seen_init(s);
}

/* The slot of a print, or the empty slot where it would go. The table is never full. */
static size_t slot_of(const uint64_t *prints, size_t cap, uint64_t print)
{
    size_t i = print & (cap - 1);
    while (prints[i] && prints[i] != print) {
        i = (i + 1) & (cap - 1);
    }
    return i;
}

static enum weft_status grow(struct weft_seen *s)
{
    size_t cap = s->cap ? s->cap * 2 : FIRST_CAP;
    uint64_t *prints = calloc(cap, sizeof *prints);
    uint16_t *ends = calloc(cap, sizeof *ends);
    if (!prints || !ends) {
        free(prints);
        free(ends);
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < s->cap; i++) {
        if (s->prints[i]) {
            size_t to = slot_of(prints, cap, s->prints[i]);
            prints[to] = s->prints[i];
            ends[to] = s->ends[i];
        }
    }
    free(s->prints);
    free(s->ends);
    s->prints = prints;
    s->ends = ends;
    s->cap = cap;
    return WEFT_OK;
}

enum weft_status weft_seen_claim(struct weft_seen *s, uint64_t print, bool *fresh)
{
    *fresh = false;
    if (s->n + 1 > s->cap / 4 * 3) {
        enum weft_status st = grow(s);
        if (st != WEFT_OK) {
            return st;
        }
    }
    size_t i = slot_of(s->prints, s->cap, print);
    if (!s->prints[i]) {
        s->prints[i] = print;
        s->n++;
        *fresh = true;
    }
    return WEFT_OK;
}

bool weft_seen_has(const struct weft_seen *s, uint64_t print)
{
    return s->cap && s->prints[slot_of(s->prints, s->cap, print)];
}

void weft_seen_finish(struct weft_seen *s, uint64_t print, struct weft_end end)
{
    if (!s->cap) {
        return;
    }
    size_t i = slot_of(s->prints, s->cap, print);
    if (s->prints[i]) {
        s->ends[i] = (uint16_t)(ENDED | ((unsigned)end.reason & 0x1f) << 10 |
                                ((unsigned)end.status & 0x3ff));
    }
}

bool weft_seen_ended(const struct weft_seen *s, uint64_t print, struct weft_end *end)
{
    *end = (struct weft_end){WEFT_REASON_NONE, 0};
    if (!s->cap) {
        return false;
    }
    uint16_t packed = s->ends[slot_of(s->prints, s->cap, print)];
    end->reason = (enum weft_reason)(packed >> 10 & 0x1f);
    end->status = packed & 0x3ff;
    return packed & ENDED;
}

enum weft_outcome weft_outcome_of(enum weft_reason reason)
{
    switch (reason) {
    case WEFT_REASON_NONE:
        return WEFT_FETCHED;
    case WEFT_REASON_ROBOTS:
    case WEFT_REASON_SCOPE:
    case WEFT_REASON_FILTER:
    case WEFT_REASON_DEPTH:
    case WEFT_REASON_PRIVATE:
    case WEFT_REASON_BAD_URL:
    case WEFT_REASON_LIMIT:
        return WEFT_SKIPPED;
    default:
        return WEFT_FAILED;
    }
}
