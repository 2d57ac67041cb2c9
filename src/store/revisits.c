/* revisits.c -- see revisits.h. Open addressing with linear probing; nothing is ever removed. */
#include "store/revisits.h"

#include "base/limits.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256

void weft_revisits_init(struct weft_revisits *r, uint64_t seed)
{
    *r = (struct weft_revisits){.seed = seed};
}

void weft_revisits_release(struct weft_revisits *r)
{
    for (size_t i = 0; i < r->size; i++) {
        free((void *)r->slots[i].url); /* ours: add copied it */
    }
    free(r->slots);
    weft_revisits_init(r, r->seed);
}

/* The slot that has the digest, or the free one where it would go. There is one: half are free. */
static struct weft_revisit *slot_of(const struct weft_revisits *r, const unsigned char *digest)
{
    uint64_t h;
    memcpy(&h, digest, sizeof h);
    h = (h ^ r->seed) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = (h ^ h >> 32) & (r->size - 1);; i = (i + 1) & (r->size - 1)) {
        struct weft_revisit *slot = &r->slots[i];
        if (!slot->url || memcmp(slot->digest, digest, SHA1_DIGEST_SIZE) == 0) {
            return slot;
        }
    }
}

const struct weft_revisit *weft_revisits_find(const struct weft_revisits *r,
                                              const unsigned char digest[SHA1_DIGEST_SIZE])
{
    const struct weft_revisit *slot = r->size ? slot_of(r, digest) : NULL;
    return slot && slot->url ? slot : NULL;
}

static enum weft_status grow(struct weft_revisits *r)
{
    struct weft_revisits bigger = {.size = r->size ? 2 * r->size : FIRST_SIZE, .seed = r->seed};
    bigger.slots = calloc(bigger.size, sizeof *bigger.slots);
    if (!bigger.slots) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < r->size; i++) {
        if (r->slots[i].url) {
            *slot_of(&bigger, r->slots[i].digest) = r->slots[i];
        }
    }
    bigger.n = r->n;
    free(r->slots);
    *r = bigger;
    return WEFT_OK;
}

enum weft_status weft_revisits_add(struct weft_revisits *r, const struct weft_revisit *what)
{
    if (r->n >= WEFT_MAX_REVISITS) {
        return WEFT_OK;
    }
    if (2 * (r->n + 1) > r->size) {
        enum weft_status st = grow(r);
        if (st != WEFT_OK) {
            return st;
        }
    }
    char *url = strdup(what->url);
    if (!url) {
        return WEFT_ENOMEM;
    }
    struct weft_revisit *slot = slot_of(r, what->digest);
    *slot = *what;
    slot->url = url;
    r->n++;
    return WEFT_OK;
}
