/* lab_floor.h -- the time that a crawl can't go below: that of a crawler which costs nothing, but
 * learns of a page only from a page that it has read.
 *
 * It has some slots, hands out pages in the order in which it learnt of them, and takes the links
 * of a page in when its answer is there. Simulated event by event, on numbers alone. Pure
 * functions. Threads: any. */
#ifndef WEFT_LAB_FLOOR_H
#define WEFT_LAB_FLOOR_H

#include "lab/lab_gen.h"
#include "weft/clock.h"
#include "weft/status.h"
#include <stddef.h>

#define LAB_NO_LINK SIZE_MAX

struct lab_floor {
    size_t pages;
    size_t seeds;  /* pages 0 .. seeds-1 are known from the start; at least 1 */
    unsigned jobs; /* slots; at least 1 */
    weft_time gap; /* least time between two starts */
    /* How long the answer of a page takes. */
    weft_time (*hold)(const void *user, size_t page);
    /* The k-th link of a page, below pages; LAB_NO_LINK: it has no more. NULL: there are none. */
    size_t (*link)(const void *user, size_t page, size_t k);
    const void *user;
};

/* From the first start to the last answer, in *floor. *reached (NULL is fine): pages that were.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status lab_floor(const struct lab_floor *f, weft_time *floor,
                           size_t *reached) WEFT_MUST_USE;

/* The same for a generated site, from its first page. */
enum weft_status lab_floor_gen(const struct lab_gen *g, unsigned jobs,
                               weft_time *floor) WEFT_MUST_USE;

#endif
