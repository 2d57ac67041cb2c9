/* coordinator.h -- the state of one crawl, owned by the coordinator's thread.
 *
 * It alone owns the frontier and the set of URLs seen; workers only return what they found. The
 * parts of its work stand in files of their own: coordinator.c is the loop, absorb.c takes an
 * answer in, redirect.c follows redirects, robots_gate.c asks hosts for their rules, discover.c
 * takes links up, finish.c ends visits. All functions are the coordinator's thread's, but for what
 * crawl.h allows from any thread. A function that returns a status other than WEFT_OK has met
 * something that ends the crawl: no memory, or an output that failed. */
#ifndef WEFT_CRAWL_COORDINATOR_H
#define WEFT_CRAWL_COORDINATOR_H

#include "crawl/engine.h"
#include "crawl/frontier.h"
#include "crawl/joins.h"
#include "crawl/keep.h"
#include "crawl/levels.h"
#include "crawl/reach.h"
#include "crawl/recorder.h"
#include "crawl/scope.h"
#include "crawl/seen.h"
#include "crawl/trace.h"
#include "crawl/traps.h"
#include "crawl/work.h"
#include "weft/crawl.h"

/* What a crawl stands on: for tests, a clock and an engine of their own. */
struct weft_stage {
    weft_time (*now)(void *user);
    enum weft_status (*make_engine)(void *user, const struct weft_work *work,
                                    struct weft_engine **out); /* NULL: as the options say */
    void *user;
};

struct weft_crawl {
    struct weft_crawl_options options; /* defaults filled in */
    weft_time (*now)(void *user);
    void *now_user;
    char *robots_agent; /* the product token that robots.txt is matched by */
    struct weft_net *net;
    struct weft_work work;
    struct weft_engine *engine;
    struct weft_writer *writer;
    struct weft_extractor *extractor; /* of --select, for its names; workers have their own */
    struct weft_trace *trace;         /* NULL: none */

    struct weft_frontier frontier;
    struct weft_seen seen;
    struct weft_scope scope;
    struct weft_traps traps;
    struct weft_levels levels;
    struct weft_joins joins;
    struct weft_url_queue parked;   /* out of scope so far: a seed's redirect may still widen it */
    struct weft_seen parked_prints; /* of those, so that a URL is parked once */
    struct weft_visit *undecided;   /* ... and redirects that lead there */
    bool decide;                    /* a seed turned out to lead to one of those */
    struct weft_recorder recorder;
    struct weft_keep keep;
    struct weft_crawl_report report;

    weft_time
        loopback_backoff; /* with no retries, a host on this machine is left alone after a refusal
                             only if --retry-base was given: an experiment's clock is its own */
    uint64_t hash_seed;
    uint64_t jitter;           /* state of the random numbers for back-off */
    struct weft_visit *flying; /* what the engine has, newest first */
    unsigned in_flight;
    uint64_t requested;        /* URLs of -n */
    size_t seeds_left;         /* seeds that may still lead somewhere: not ended, not too far */
    struct weft_seen sitemaps; /* those asked: apart from pages, since a link to one must not hide
                                  what it names, whichever is found first */
    weft_time began, stop_by;  /* stop_by: when a gentle stop becomes a hard one */
    weft_time next_progress, next_watch;
    bool listing;    /* next_url may have more */
    bool list_full;  /* it was not asked to its end: there may be more at once */
    bool list_cut;   /* a budget ended the reading; URLs that nobody counts are left */
    bool cut_short;  /* an ending kept something from its retry, its next hop or its answer */
    uint32_t listed; /* URLs read from it, modulo 2^32 */
    bool stopping;   /* nothing new starts */
    bool cancelled;  /* the engine was told to hurry */

    atomic_uint stop_asked; /* 0, 1: gently, 2: now; set by any thread */
    atomic_bool inspect;    /* set by any thread */
    struct weft_stop stop;  /* what fetch functions look at */

    struct weft_crawl_host *hosts; /* of the report */
    size_t nhosts;
};

/* crawl.c: weft_crawl_new() on a stage of the caller's, borrowed for the call. */
enum weft_status weft_crawl_new_on(struct weft_crawl **out,
                                   const struct weft_crawl_options *options,
                                   const struct weft_stage *stage, char *error,
                                   size_t cap) WEFT_MUST_USE;

/* defaults.c */
/* Options that name something this version does not do, or that exclude each other, are refused
 * with a sentence, never ignored. WEFT_OK, WEFT_EINVAL. */
enum weft_status weft_crawl_check(const struct weft_crawl_options *o, char *error,
                                  size_t cap) WEFT_MUST_USE;
/* Puts the default where nothing was given. */
void weft_crawl_complete(struct weft_crawl_options *o);

/* coordinator.c */
enum weft_status weft_coordinate(struct weft_crawl *c) WEFT_MUST_USE;

/* absorb.c: takes back a visit that the engine is done with. */
enum weft_status weft_absorb(struct weft_crawl *c, struct weft_visit *v) WEFT_MUST_USE;
/* What end of a fetch is what reason. */
enum weft_reason weft_reason_of(enum weft_fetch_end end);
/* Whether the answer is one that may be better next time, and tries are left: if so the visit is
 * queued again (taken): true. */
bool weft_retry(struct weft_crawl *c, struct weft_visit *v);

/* list.c: reads URLs from next_url, as many as there is room for. */
enum weft_status weft_list_fill(struct weft_crawl *c) WEFT_MUST_USE;
/* A budget is spent: nothing more is read, and list_cut tells whether that leaves anything, as far
 * as the source can say so now. */
void weft_list_cut_off(struct weft_crawl *c);

/* redirect.c: the answer is a redirect. Takes v. */
enum weft_status weft_redirect(struct weft_crawl *c, struct weft_visit *v) WEFT_MUST_USE;
bool weft_is_redirect(int status);
/* A link, or another redirect from which `left` more may be followed, leads to a URL that is
 * known. */
enum weft_status weft_redirect_reach(struct weft_crawl *c, uint64_t print, int left) WEFT_MUST_USE;
/* Nothing else is left to do: ends the chains that are longer than --max-redirects. */
enum weft_status weft_redirect_end_cut(struct weft_crawl *c) WEFT_MUST_USE;
/* Follows or ends the redirects that had to wait until it was known where the seeds lead, and those
 * that may be followed now. */
enum weft_status weft_redirect_undecided(struct weft_crawl *c) WEFT_MUST_USE;

/* robots_gate.c */
/* A request for the rules of a host. NULL: no memory. */
struct weft_visit *weft_robots_visit(struct weft_crawl *c, struct weft_host *h);
/* The answer to it. Takes v. */
enum weft_status weft_robots_absorb(struct weft_crawl *c, struct weft_visit *v) WEFT_MUST_USE;
/* Forgets that the rules are known when they are older than a day. */
void weft_robots_refresh(struct weft_crawl *c, struct weft_host *h);
/* Whether a request for robots.txt came to an answer: of a file over the limit its beginning counts
 * (RFC 9309 2.5), of a header over it nothing. */
bool weft_robots_answered(enum weft_fetch_end end, int status);
/* Why the URLs of a host are not asked when it did not. */
enum weft_reason weft_robots_failure(enum weft_fetch_end end);
/* Whether the present URL of a visit may be asked; if not, why: *reason and *error (borrowed). */
bool weft_robots_permit(const struct weft_visit *v, enum weft_reason *reason, const char **error);
/* A request for robots.txt may not be sent, since the host that has it was given up. Takes v. */
enum weft_status weft_robots_refused(struct weft_crawl *c, struct weft_visit *v,
                                     enum weft_reason reason, const char *error) WEFT_MUST_USE;
/* No URL of this host will be asked any more. why is copied. */
enum weft_status weft_host_close(struct weft_crawl *c, struct weft_host *h, enum weft_reason as,
                                 const char *why) WEFT_MUST_USE;

/* sitemaps.c */
/* Queues the sitemaps that a robots.txt names. */
enum weft_status weft_sitemaps_ask(struct weft_crawl *c,
                                   const struct weft_robots *rules) WEFT_MUST_USE;
/* Queues one that was claimed. */
enum weft_status weft_sitemaps_queue(struct weft_crawl *c, const struct weft_queued *entry,
                                     unsigned nesting) WEFT_MUST_USE;
/* The answer to one. Takes v. */
enum weft_status weft_sitemaps_absorb(struct weft_crawl *c, struct weft_visit *v) WEFT_MUST_USE;

/* discover.c */
/* A URL was found; it is claimed and queued, held, parked, or skipped with a record. */
enum weft_status weft_discover(struct weft_crawl *c, const struct weft_queued *found) WEFT_MUST_USE;
/* All links of a page. */
enum weft_status weft_discover_links(struct weft_crawl *c,
                                     const struct weft_visit *v) WEFT_MUST_USE;
/* Of a crawl that checks links: whether the visit's present URL is only to be asked whether it is
 * there, as it is out of scope or too deep. */
bool weft_is_outside(const struct weft_crawl *c, const struct weft_visit *v);
/* What was held or parked and can go on now. */
enum weft_status weft_discover_released(struct weft_crawl *c) WEFT_MUST_USE;

/* finish.c */
/* How a visit ended. */
struct weft_finish {
    enum weft_reason reason; /* NONE: fetched */
    const char *error;
    int status; /* of the last answer; 0: none */
    const char *final_url;
    const struct weft_redirected *joined; /* where the URL that it joined went on to */
};
/* Records each member, ends it in the seen set, and then ends those who waited for it. Takes v. */
enum weft_status weft_finish(struct weft_crawl *c, struct weft_visit *v, enum weft_reason reason,
                             const char *error) WEFT_MUST_USE;
/* The redirect of v leads to a URL that has ended already. Takes v. */
enum weft_status weft_finish_joined(struct weft_crawl *c, struct weft_visit *v, uint64_t target,
                                    const char *target_url) WEFT_MUST_USE;
/* A URL that was claimed and never became a visit: skipped. */
enum weft_status weft_skip(struct weft_crawl *c, const struct weft_queued *entry,
                           enum weft_reason reason, const char *error) WEFT_MUST_USE;

/* ending.c */
/* What waits and was asked before gets its record, unless a state file keeps it for the next run.
 */
enum weft_status weft_ending_settle(struct weft_crawl *c) WEFT_MUST_USE;
/* URLs that were found and not asked. */
uint64_t weft_ending_left(const struct weft_crawl *c);
/* Why it ended: a budget that cut nothing off was just enough. */
enum weft_crawl_end weft_ending_why(struct weft_crawl *c);
/* The report's table of hosts; without memory for it there is none. */
void weft_ending_note_hosts(struct weft_crawl *c);

/* Writes a message for the caller's log. */
void weft_crawl_log(const struct weft_crawl *c, enum weft_log_level level, const char *fmt, ...)
    WEFT_PRINTF(3, 4);
/* A number in [0.5, 1) for back-off. */
double weft_crawl_jitter(struct weft_crawl *c);

#endif
