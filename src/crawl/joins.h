/* joins.h -- visits whose redirect leads to a URL that another visit has claimed.
 *
 * No URL is asked twice: such a visit waits until the other one has ended, and its record then says
 * the same end. Whether A's redirect or a link to B comes first must not show in the records, so
 * what stands on B is told in B's own record alone. Also remembers where URLs that redirect led,
 * for those who join them later. Knows fingerprints and visits. Threads: one. */
#ifndef WEFT_CRAWL_JOINS_H
#define WEFT_CRAWL_JOINS_H

#include "crawl/seen.h"
#include "crawl/visit.h"

/* Where a URL that redirected ended: its own redirects and the URL of the final answer. */
struct weft_redirected {
    struct weft_redirected *chain;
    uint64_t print;
    char *final_url;
    size_t nhops;
    struct weft_redirect hops[]; /* their urls are owned */
};

struct weft_wait;
struct weft_wait_member;

struct weft_joins {
    struct weft_wait **by_target;        /* hash tables of the visits that wait: by what for, */
    struct weft_wait_member **by_member; /* ... and by each URL that they have claimed */
    size_t nslots, nmembers, nwaiting;
    size_t ncut;                         /* of those that wait */
    struct weft_seen reach, led;         /* of reach.h */
    struct weft_redirected **redirected; /* hash table */
    size_t nbuckets, nredirected;
};

void weft_joins_init(struct weft_joins *j);
/* Frees the visits that still wait. */
void weft_joins_release(struct weft_joins *j);

/* Whether waiting for target would be waiting for v itself, a redirect loop, or for more than most
 * visits one behind the other. */
bool weft_joins_would_loop(const struct weft_joins *j, const struct weft_visit *v, uint64_t target,
                           unsigned most);
/* Takes v, which waits for target from now on. WEFT_OK; WEFT_ENOMEM: v is still the caller's. */
enum weft_status weft_joins_wait(struct weft_joins *j, struct weft_visit *v,
                                 uint64_t target) WEFT_MUST_USE;
/* A visit that waits for target, given back to the caller; NULL: none (more). */
struct weft_visit *weft_joins_take(struct weft_joins *j, uint64_t target);
/* The visit that has claimed this URL and waits, and what for; NULL: there is none. */
const struct weft_visit *weft_joins_holder(const struct weft_joins *j, uint64_t print,
                                           uint64_t *target);
/* The same, given back to the caller; there is one. */
struct weft_visit *weft_joins_take_holder(struct weft_joins *j, uint64_t print);
/* No seed leads to where v leads now: marks those of its members, and of the visits that wait for
 * it, in turn, that are seeds, and gives how many were not marked before. */
size_t weft_joins_let_go(struct weft_joins *j, struct weft_visit *v);
/* Whether v, which is to wait for target, waits by that for a chain that was cut. */
bool weft_joins_meets_cut(const struct weft_joins *j, uint64_t target);
/* All cut chains whose target nobody but they themselves has claimed, as a list by `next`, given
 * back to the caller. NULL: none. */
struct weft_visit *weft_joins_take_cut(struct weft_joins *j, const struct weft_seen *claimed);
/* Any visit that waits, for the end of the crawl. */
struct weft_visit *weft_joins_take_any(struct weft_joins *j);

/* Remembers where a member of a visit was redirected: hops from its own on, and those of the URL
 * that it joined (NULL: none). WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_joins_remember(struct weft_joins *j, uint64_t print, const char *final_url,
                                     const struct weft_redirect *hops, size_t nhops) WEFT_MUST_USE;
/* NULL: it did not redirect, or has not ended. */
const struct weft_redirected *weft_joins_find(const struct weft_joins *j, uint64_t print);

#endif
