/* frontier.h -- URLs still to visit, and when each may be.
 *
 * Hosts by due time in a heap; round-robin among those that are due. A URL is handed out only if
 * its host may be asked now, so that no worker ever waits for politeness and one slow host never
 * keeps a worker from another. Knows nothing of HTTP, threads or curl. Threads: one. */
#ifndef WEFT_CRAWL_FRONTIER_H
#define WEFT_CRAWL_FRONTIER_H

#include "base/heap.h"
#include "crawl/host.h"

struct weft_frontier {
    struct weft_host_policy policy, loopback; /* loopback: for hosts on one's own machine */
    bool no_robots;                           /* hosts start as known to allow all */
    size_t max_hosts;                         /* idle hosts beyond it are forgotten, */
    bool counts_pages;                        /* ... but not those of whose pages a count is kept */
    uint64_t hash_seed;
    struct weft_host **buckets; /* hash table of hosts by origin */
    size_t nbuckets, nhosts;
    struct weft_heap due;              /* hosts with something to start, by due time */
    struct weft_host *oldest, *newest; /* idle hosts, by when they became idle */
    /* Under a budget no more hosts are asked for their rules than it could still ask for a page:
     * those beyond wait on the shelf, first come first, until a promise is kept or can't be. */
    uint64_t budget;   /* fresh URLs that may still be asked */
    uint64_t promised; /* hosts asked for rules, and for no page yet */
    struct weft_host *shelf, **shelf_end;
    uint64_t serial; /* hand-outs so far */
    size_t queued;   /* fresh URLs over all hosts */
    size_t timed;    /* retries and hops over all hosts */
};

enum weft_pick {
    WEFT_PICK_NONE,   /* nothing may start now */
    WEFT_PICK_ROBOTS, /* the host's robots.txt must be asked first */
    WEFT_PICK_TIMED,  /* a retry or hop, in *visit */
    WEFT_PICK_FRESH   /* a URL that was never asked, in *entry; its referrer's count is the caller's
                       */
};

void weft_frontier_init(struct weft_frontier *f);
/* Frees hosts and everything that waits. */
void weft_frontier_release(struct weft_frontier *f);

/* The host of a URL, made if it is new. WEFT_OK, WEFT_ENOMEM; WEFT_ELIMIT: its origin is over
 * WEFT_MAX_ORIGIN. now: for forgetting idle ones. */
enum weft_status weft_frontier_host(struct weft_frontier *f, const struct weft_url *url,
                                    weft_time now, struct weft_host **host) WEFT_MUST_USE;
/* Queues a URL that was claimed. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_frontier_add(struct weft_frontier *f, const struct weft_url *url,
                                   const struct weft_queued *entry, weft_time now) WEFT_MUST_USE;
/* Queues a retry or hop at v->host for v->not_before. Takes v. Can't fail. */
void weft_frontier_put_back(struct weft_frontier *f, struct weft_visit *v);

/* What may start now. Does not charge the host's clock: the caller may decide against the URL, and
 * says weft_frontier_started() when it really asks. *entry's text is lent until the next call. */
enum weft_pick weft_frontier_next(struct weft_frontier *f, weft_time now, struct weft_host **host,
                                  struct weft_visit **visit, struct weft_queued *entry);
/* When the next URL may start; WEFT_FOREVER if none waits or all wait for what is in flight. */
weft_time weft_frontier_next_due(const struct weft_frontier *f);
/* Whether nothing waits, at any time. */
bool weft_frontier_empty(const struct weft_frontier *f);

void weft_frontier_started(struct weft_frontier *f, struct weft_host *h, weft_time now);
/* A fresh URL of this host is asked: one less of the budget, which closes the frontier at 0. */
void weft_frontier_charge(struct weft_frontier *f, struct weft_host *h);
void weft_frontier_finished(struct weft_frontier *f, struct weft_host *h);
/* To be called after anything else of a host has changed: its place is found anew. */
void weft_frontier_touch(struct weft_frontier *f, struct weft_host *h);

/* A budget is spent: from now on only retries and hops are handed out. */
void weft_frontier_close(struct weft_frontier *f);

/* Calls each() for every host in the table. */
void weft_frontier_each(struct weft_frontier *f, void (*each)(void *user, struct weft_host *h),
                        void *user);

#endif
