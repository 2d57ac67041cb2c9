/* host.h -- one host's clock: when its next request may start, and what waits for that.
 *
 * A host is a scheme, a name and a port. Every request to it takes this clock: pages, robots.txt,
 * sitemaps, redirect hops, retries. Time is given in, never read: tests need no waiting. Knows
 * policy for one host; knows nothing of HTTP, engines or other hosts. Threads: one. */
#ifndef WEFT_CRAWL_HOST_H
#define WEFT_CRAWL_HOST_H

#include "crawl/url_queue.h"
#include "text/robots.h"
#include "weft/clock.h"
#include "weft/record.h"

struct weft_visit;

enum weft_robots_state {
    WEFT_ROBOTS_UNKNOWN,
    WEFT_ROBOTS_ASKED, /* its robots.txt is on its way; nothing else may start */
    WEFT_ROBOTS_KNOWN, /* rules (NULL: all is allowed) */
    WEFT_ROBOTS_CLOSED /* no URL may be asked; closed_as and closed_why say why */
};

/* What holds for every host, from the options. */
struct weft_host_policy {
    weft_time delay;   /* least time between two starts */
    unsigned per_host; /* requests in flight */
    double rate;       /* tokens a second; 0: no bucket */
    double burst;      /* size of the bucket */
    weft_time retry_base;
    weft_time max_hold;    /* the longest back-off of the host's own */
    unsigned max_failures; /* in a row; 0: never given up */
    bool timed_only;       /* a budget is spent: nothing fresh starts any more */
};

struct weft_host {
    char *origin; /* "http://name:port", NUL-terminated */
    size_t origin_len;
    uint64_t print;          /* fingerprint of origin */
    struct weft_host *chain; /* in the table's bucket */

    const struct weft_host_policy *policy;
    weft_time delay;      /* policy's, or a longer Crawl-delay */
    weft_time next_start; /* no earlier start, by delay */
    weft_time hold_until; /* ... by back-off and Retry-After */
    double tokens;        /* in the bucket at tokens_at */
    weft_time tokens_at;
    unsigned in_flight;
    unsigned backoff;     /* refusals not yet eased by successes */
    weft_time pace;       /* between two starts, as far as its refusals tell; 0: they do not */
    weft_time refused_at; /* first start, then the last refusal outside of a hold, ... */
    unsigned answers;     /* ... and answers since then */
    unsigned failures;    /* in a row */

    enum weft_robots_state robots;
    struct weft_robots *rules;
    weft_time robots_at; /* when rules were learnt */
    enum weft_reason closed_as;
    char *closed_why;
    bool given_up; /* closed because of failures, not by robots.txt */

    struct weft_url_queue fresh; /* never asked yet */
    weft_time fresh_since;       /* since when something has been in it */
    struct weft_visit *timed;    /* heap of retries and hops, by not_before */
    struct weft_visit *asking;   /* heap of requests for robots.txt, its own or others' */
    uint64_t serial;             /* of what was put into these */
    size_t heap_index;           /* in the frontier's heap of hosts by due */
    weft_time due;               /* key in that heap */
    uint64_t served;             /* when it was last served, in hand-outs: round-robin among ties */
    struct weft_host *older, *newer; /* in the list of idle hosts */
    bool idle;
    bool promised; /* asked for its rules for the sake of a URL of the budget */
    bool shelved;  /* on the frontier's shelf: not to be asked for its rules yet */
    struct weft_host *next_shelved;

    uint64_t requests, fetched, failed, refusals, pages, connections;
};

/* Gives a host for an origin (copied) whose clock allows a start at once. NULL: no memory. */
struct weft_host *weft_host_new(const char *origin, size_t len, uint64_t print,
                                const struct weft_host_policy *policy);
/* Also frees what waits. NULL is fine. */
void weft_host_free(struct weft_host *h);

/* When the clock next allows a start, by delay, hold and bucket; in flight aside. */
weft_time weft_host_opens(const struct weft_host *h);
/* When something of this host may start: WEFT_FOREVER if nothing waits or its slots are full. */
weft_time weft_host_due(const struct weft_host *h);

/* A request starts now: takes a slot, a token, and sets the next start. */
void weft_host_started(struct weft_host *h, weft_time now);
/* A request has ended. */
void weft_host_finished(struct weft_host *h);

/* How the answer bears on the clock. */
void weft_host_succeeded(struct weft_host *h);
/* 429 or 503. retry_after: nanoseconds asked for, negative when nothing (usable) was. jitter in
 * [0.5, 1). The host holds until then, or for a back-off that doubles with each refusal. What it
 * answered since the refusal before tells how much it can take: starts are that far apart from then
 * on, a little less with every answer. So those that were held do not come back as a crowd. */
void weft_host_refused(struct weft_host *h, weft_time now, weft_time retry_after, double jitter);
/* A failure that counts towards giving the host up; true when it is given up by this one. */
bool weft_host_failed(struct weft_host *h);

/* Puts a visit among the timed ones, by its not_before (first come first among equals). */
void weft_host_put_timed(struct weft_host *h, struct weft_visit *v);
/* Takes the first timed visit that may start at now, or NULL. While robots.txt is not known only
 * requests for robots.txt may. */
struct weft_visit *weft_host_take_timed(struct weft_host *h, weft_time now);
/* Takes any timed visit, or NULL. */
struct weft_visit *weft_host_pop_timed(struct weft_host *h);
/* Whether nothing waits and nothing is in flight. */
bool weft_host_is_idle(const struct weft_host *h);

#endif
