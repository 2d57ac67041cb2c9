/* seen.h -- which URLs are known, and how each ended.
 *
 * A set of 64-bit fingerprints of keys (url.h), seeded so that nobody outside can make them
 * collide on purpose, with two bytes each for how the URL ended: about 20 bytes a URL. Two
 * different keys with one fingerprint would make the second look known; at a million URLs the odds
 * are 1 in 37 million. Knows hashes; knows nothing of frontiers or HTTP. Threads: one, except
 * weft_fingerprint. */
#ifndef WEFT_CRAWL_SEEN_H
#define WEFT_CRAWL_SEEN_H

#include "weft/record.h"
#include <stdint.h>

struct weft_seen {
    uint64_t *prints; /* open addressing, linear probing; 0 is an empty slot */
    uint16_t *ends;   /* beside each: 0 while unfinished, else the packed end */
    size_t n, cap;    /* cap is a power of two, or 0 */
};

/* How a URL ended, as far as a redirect that leads to it wants to know. */
struct weft_end {
    enum weft_reason reason; /* NONE: fetched */
    int status;
};

/* The fingerprint of bytes under a seed; never 0. Threads: any. */
uint64_t weft_fingerprint(const void *bytes, size_t len, uint64_t seed);

void weft_seen_init(struct weft_seen *s);
void weft_seen_release(struct weft_seen *s);
/* Test and set: *fresh tells whether the fingerprint was not there before. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_seen_claim(struct weft_seen *s, uint64_t print, bool *fresh) WEFT_MUST_USE;
bool weft_seen_has(const struct weft_seen *s, uint64_t print);
/* Notes how a claimed URL ended. */
void weft_seen_finish(struct weft_seen *s, uint64_t print, struct weft_end end);
/* Whether the URL has ended; *end tells how. */
bool weft_seen_ended(const struct weft_seen *s, uint64_t print, struct weft_end *end);

/* What a reason makes of a URL: fetched, failed or skipped. Threads: any. */
enum weft_outcome weft_outcome_of(enum weft_reason reason);

#endif
