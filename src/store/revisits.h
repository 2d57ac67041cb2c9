/* revisits.h -- which payloads a WARC file holds already, and in which record.
 *
 * A hash table by digest with a cap: what comes when it is full is not remembered, and a later copy
 * of it is written again. Knows digests; knows no files. Threads: one at a time. */
#ifndef WEFT_STORE_REVISITS_H
#define WEFT_STORE_REVISITS_H

#include "store/digest.h"
#include "weft/status.h"
#include <stddef.h>
#include <stdint.h>

struct weft_revisit {
    unsigned char digest[SHA1_DIGEST_SIZE]; /* of the payload */
    unsigned char id[16];                   /* the UUID of the record that holds it */
    int64_t at;                             /* its date, nanoseconds since 1970 */
    const char *url;                        /* its target; NULL marks a free slot */
};

struct weft_revisits {
    struct weft_revisit *slots; /* size of them, a power of two; at most half are in use */
    size_t size, n;
    uint64_t seed;
};

/* Empty; allocates nothing. seed keeps hostile payloads from being made to collide. */
void weft_revisits_init(struct weft_revisits *r, uint64_t seed);
void weft_revisits_release(struct weft_revisits *r);

/* The record that holds this payload, or NULL. Valid until the next add. */
const struct weft_revisit *weft_revisits_find(const struct weft_revisits *r,
                                              const unsigned char digest[SHA1_DIGEST_SIZE]);
/* Remembers a copy of what, whose digest is not yet there, unless the table is full. WEFT_OK,
 * WEFT_ENOMEM. */
enum weft_status weft_revisits_add(struct weft_revisits *r,
                                   const struct weft_revisit *what) WEFT_MUST_USE;

#endif
