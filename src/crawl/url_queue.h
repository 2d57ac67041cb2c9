/* url_queue.h -- URLs waiting their turn, first in, first out, packed.
 *
 * A million queued URLs cost their text and 24 bytes each, with a state file 16 more: entries lie
 * behind one another in blocks that are freed as they are read. Knows nothing of hosts, time or
 * HTTP. Threads: one. */
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
    uint64_t id; /* in the state file; 0: not there */
    char url[];
};

/* Gives a referrer that holds one count. NULL: no memory. */
struct weft_referrer *weft_referrer_new(const char *url);
/* NULL is fine. */
void weft_referrer_release(struct weft_referrer *r);

/* What an earlier crawl with the same state file saw of a page. */
struct weft_known {
    uint64_t digest; /* of the body; 0: none */
    int status;
    bool fetched;
    const char *etag, *last_modified; /* NULL: absent; they lie behind the struct */
};

/* Gives what is known, in one block for free(). NULL: no memory. */
struct weft_known *weft_known_new(uint64_t digest, int status, bool fetched, const char *etag,
                                  const char *last_modified);

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
    uint64_t id;             /* in the state file; 0: there is none */
    struct weft_known *known; /* NULL: nothing; the queue owns it */
};

struct weft_queue_block;
struct weft_url_queue {
    struct weft_queue_block *first, *last;
    size_t n;
};

void weft_url_queue_init(struct weft_url_queue *q);
/* Frees the entries and gives their referrers back. */
void weft_url_queue_release(struct weft_url_queue *q);
/* Copies the entry in, takes a count of its referrer, and takes what is known. WEFT_OK;
 * WEFT_ENOMEM: nothing was taken. */
enum weft_status weft_url_queue_push(struct weft_url_queue *q,
                                     const struct weft_queued *entry) WEFT_MUST_USE;
/* The oldest entry, lent until pop; false when the queue is empty. */
bool weft_url_queue_peek(const struct weft_url_queue *q, struct weft_queued *entry);
/* Drops the oldest entry; its referrer's count and what is known become the caller's. */
void weft_url_queue_pop(struct weft_url_queue *q);

#endif
