/* url_queue.h -- URLs waiting their turn, first in, first out, packed.
 *
 * A million queued URLs cost their text and 20 bytes each: entries lie behind one another in
 * blocks that are freed as they are read. Knows nothing of hosts, time or HTTP. Threads: one. */
#ifndef WEFT_CRAWL_URL_QUEUE_H
#define WEFT_CRAWL_URL_QUEUE_H

#include "weft/record.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The URL of a page that has links waiting: one text for all of them, counted. */
struct weft_referrer {
    size_t count;
    char url[];
};

/* Gives a referrer that holds one count. NULL: no memory. */
struct weft_referrer *weft_referrer_new(const char *url);
/* NULL is fine. */
void weft_referrer_release(struct weft_referrer *r);

struct weft_queued {
    uint64_t print;                 /* fingerprint of its key */
    struct weft_referrer *referrer; /* NULL for seeds; the queue holds one count for each entry */
    union {
        uint32_t depth; /* links from a seed */
        uint32_t place; /* of a list: where in it, modulo 2^32 */
    };
    uint32_t len;
    const char *url; /* len bytes and a NUL */
    bool seed;
    enum weft_reason reject; /* why it can't be followed whatever the crawl's rules; NONE: it can */
};

struct weft_queue_block;
struct weft_url_queue {
    struct weft_queue_block *first, *last;
    size_t n;
};

void weft_url_queue_init(struct weft_url_queue *q);
/* Frees the entries and gives their referrers back. */
void weft_url_queue_release(struct weft_url_queue *q);
/* Copies the entry in and takes a count of its referrer. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_url_queue_push(struct weft_url_queue *q,
                                     const struct weft_queued *entry) WEFT_MUST_USE;
/* The oldest entry, lent until pop; false when the queue is empty. */
bool weft_url_queue_peek(const struct weft_url_queue *q, struct weft_queued *entry);
/* Drops the oldest entry; its referrer's count becomes the caller's. */
void weft_url_queue_pop(struct weft_url_queue *q);

#endif
