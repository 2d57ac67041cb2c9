/* levels.h -- shortest ways under --max-depth, whatever finishes first.
 *
 * A link is a step, a redirect is none. So a URL of depth k may be claimed only when nothing
 * unfinished has a depth below k: then every shorter way to it has been seen, and which one was
 * first does not show. A link that comes too early is held. The price: a level waits for the last
 * page of the one above. Without --max-depth everything may be claimed at once. Knows numbers and
 * queues of URLs. Threads: one. */
#ifndef WEFT_CRAWL_LEVELS_H
#define WEFT_CRAWL_LEVELS_H

#include "crawl/seen.h"
#include "crawl/url_queue.h"

struct weft_levels {
    bool on;
    unsigned max_depth;
    size_t *unfinished; /* claimed and not ended, by depth */
    size_t n;           /* length of that array */
    unsigned lowest;    /* smallest depth with unfinished URLs; UINT_MAX: none */
    struct weft_url_queue held;
    struct weft_seen held_prints; /* so that a URL is held once: all that is held has one depth */
};

void weft_levels_init(struct weft_levels *l, bool on, unsigned max_depth);
void weft_levels_release(struct weft_levels *l);

/* A URL of this depth was claimed. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_levels_enter(struct weft_levels *l, unsigned depth) WEFT_MUST_USE;
/* It has ended. */
void weft_levels_leave(struct weft_levels *l, unsigned depth);
/* Whether a URL of this depth may be claimed now. */
bool weft_levels_open(const struct weft_levels *l, unsigned depth);
/* Keeps a link for later. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_levels_hold(struct weft_levels *l,
                                  const struct weft_queued *entry) WEFT_MUST_USE;
/* The next held link that may be claimed now, lent until the next call of a weft_levels function;
 * its referrer's count becomes the caller's. False: none. */
bool weft_levels_next(struct weft_levels *l, struct weft_queued *entry);

#endif
