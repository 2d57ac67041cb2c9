/* claims.c -- see claims.h. Open addressing with linear probing; nothing is ever removed. */
#include "store/claims.h"

#include <nettle/sha1.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 256

struct weft_claim {
    uint64_t name, url; /* fingerprints; name 0: free */
};

/* Of SHA-1, so that a site can't choose URLs that fall together. */
static uint64_t fingerprint(const char *text)
{
    struct sha1_ctx sha;
    unsigned char digest[SHA1_DIGEST_SIZE];
    uint64_t print;
    sha1_init(&sha);
    sha1_update(&sha, strlen(text), (const unsigned char *)text);
    sha1_digest(&sha, sizeof digest, digest);
    memcpy(&print, digest, sizeof print);
    return print ? print : 1;
}

void weft_claims_release(struct weft_claims *c)
{
    free(c->slots);
    *c = (struct weft_claims){.slots = NULL};
}

/* The slot that has the name, or the free one where it would go. There is one: half are free. */
static struct weft_claim *slot_of(const struct weft_claims *c, uint64_t name)
{
    size_t i = name & (c->size - 1);
    while (c->slots[i].name && c->slots[i].name != name) {
        i = (i + 1) & (c->size - 1);
    }
    return &c->slots[i];
}

static enum weft_status grow(struct weft_claims *c)
{
    struct weft_claims bigger = {.size = c->size ? 2 * c->size : FIRST_SIZE, .n = c->n};
    bigger.slots = calloc(bigger.size, sizeof *bigger.slots);
    if (!bigger.slots) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < c->size; i++) {
        if (c->slots[i].name) {
            *slot_of(&bigger, c->slots[i].name) = c->slots[i];
        }
    }
    free(c->slots);
    *c = bigger;
    return WEFT_OK;
}

enum weft_status weft_claims_take(struct weft_claims *c, const char *name, const char *url,
                                  bool *granted)
{
    struct weft_claim want = {.name = fingerprint(name), .url = fingerprint(url)};
    *granted = false;
    if (2 * (c->n + 1) > c->size) {
        enum weft_status st = grow(c);
        if (st != WEFT_OK) {
            return st;
        }
    }
    struct weft_claim *slot = slot_of(c, want.name);
    if (!slot->name) {
        *slot = want;
        c->n++;
    }
    *granted = slot->url == want.url;
    return WEFT_OK;
}
