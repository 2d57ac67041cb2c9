/* claims.h -- which URL has which file name, so that no two get the same.
 *
 * A hash table of fingerprints, 16 bytes a name. Knows strings; touches no files. Threads: one at a
 * time. */
#ifndef WEFT_STORE_CLAIMS_H
#define WEFT_STORE_CLAIMS_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_claims {
    struct weft_claim *slots; /* size of them, a power of two; at most half are in use */
    size_t size, n;
};

/* Empty; allocates nothing. All zero is the same. */
void weft_claims_release(struct weft_claims *c);

/* Claims name for url, unless another URL has it. *granted: whether it has the name now, or had it
 * before. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_claims_take(struct weft_claims *c, const char *name, const char *url,
                                  bool *granted) WEFT_MUST_USE;

#endif
