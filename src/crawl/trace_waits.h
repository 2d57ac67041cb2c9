/* trace_waits.h -- since when URLs wait, while they wait: what a trace needs to know and a crawl
 * without one does not keep. Knows fingerprints and times. Threads: one. */
#ifndef WEFT_CRAWL_TRACE_WAITS_H
#define WEFT_CRAWL_TRACE_WAITS_H

#include "weft/clock.h"
#include <stddef.h>
#include <stdint.h>

struct weft_wait {
    uint64_t print;
    weft_time since; /* 0: free */
};

struct weft_waits { /* all zero is an empty one; open addressing, cap is a power of two */
    struct weft_wait *at;
    size_t n, cap;
};

/* Remembers print (not 0 for since). Without memory, or beyond WEFT_MAX_TRACE_WAITS, it does not:
 * then a span is missing from the picture. */
void weft_waits_put(struct weft_waits *w, uint64_t print, weft_time since);
/* Gives since and forgets it; 0: not known. */
weft_time weft_waits_take(struct weft_waits *w, uint64_t print);
void weft_waits_release(struct weft_waits *w);

#endif
