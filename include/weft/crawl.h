/* crawl.h -- a whole crawl: seeds in, records out.
 *
 * weft_crawl_run() is the coordinator: it owns the frontier and the set of URLs seen, hands URLs to
 * an engine, and takes what comes back. The engine decides only how fetches run: one after another,
 * on a pool of threads, or on an event loop; the pages and records are the same. Callbacks run on
 * the thread that called weft_crawl_run(), unless they say otherwise, under no lock. */
#ifndef WEFT_CRAWL_H
#define WEFT_CRAWL_H

#include "weft/fetch.h"
#include "weft/record.h"

#ifdef __cplusplus
extern "C" {
#endif

enum weft_engine_kind { WEFT_ENGINE_THREADS, WEFT_ENGINE_SYNC, WEFT_ENGINE_EVENTS };
enum weft_scope_kind { WEFT_SCOPE_HOST, WEFT_SCOPE_DOMAIN, WEFT_SCOPE_PREFIX, WEFT_SCOPE_ANY };

/* Why a crawl ended. */
enum weft_crawl_end {
    WEFT_END_FINISHED,
    WEFT_END_MAX_PAGES,
    WEFT_END_MAX_TIME,
    WEFT_END_MAX_BYTES,
    WEFT_END_INTERRUPTED, /* weft_crawl_stop */
    WEFT_END_OUTPUT,      /* an output or the state file failed */
    WEFT_END_FAILED       /* out of memory, no threads */
};
const char *weft_crawl_end_name(enum weft_crawl_end e); /* "finished", "max_pages", ... */

/* A rule of --include or --exclude, in the order given. */
struct weft_crawl_rule {
    bool include;
    const char *pattern; /* POSIX extended regular expression */
};

struct weft_crawl_progress {
    uint64_t fetched, failed, skipped, retries, bytes;
    uint64_t queued; /* known and not yet requested */
    unsigned in_flight, hosts;
    weft_time elapsed;
};

/* One row of the per-host table. */
struct weft_crawl_host {
    const char *origin;                           /* "http://host:port" */
    uint64_t requests, fetched, failed, refusals; /* refusals: 429 and 503 */
    double delay;                                 /* seconds between starts in force at the end */
};

enum weft_log_level { WEFT_LOG_NOTICE, WEFT_LOG_WARNING, WEFT_LOG_DEBUG };

struct weft_stop; /* to be asked with weft_crawl_stopping */

/* A fetch function of the caller's own: fills *response (weft_response_set, _append, end, status),
 * may block, is called on the workers' threads, several at once. context is what fetch_open gave
 * for this worker. It should give up soon once weft_crawl_stopping(stop) is true. What it may
 * honour of the request and set in the response: docs/drop-in.md. */
typedef void weft_crawl_fetch_fn(void *context, const struct weft_request *request,
                                 struct weft_response *response, const struct weft_stop *stop);
/* Whether the crawl wants a running fetch to end: for use inside a weft_crawl_fetch_fn. */
bool weft_crawl_stopping(const struct weft_stop *stop);

/* Gives the next URL of a list, lent until the next call, on the thread of weft_crawl_run().
 * WEFT_OK; WEFT_END: that was all; WEFT_EAGAIN: none is there yet, and weft_crawl_more() will tell
 * when one is. Must not block for long: nothing else happens meanwhile. */
typedef enum weft_status weft_crawl_next_fn(void *user, const char **url, size_t *len);

/* One request as it begins, and again as it ends. robots.txt, a redirect's next hop and a retry are
 * requests of their own. */
struct weft_crawl_fetching {
    const char *url; /* lent for the call */
    unsigned lane;   /* who does it, below `jobs`: a worker's number (threads), a place in the loop
                        (events), 0 (sync). A lane has one request at a time, and then another */
    bool ended;      /* false: it begins, and what follows is not known yet */
    enum weft_fetch_end end;
    int status; /* 0: none came */
    uint64_t bytes;
};

/* All zero and NULL is a crawl with the documented defaults. "-1" beside a field: a negative number
 * means none. Durations are nanoseconds. Strings are borrowed until weft_crawl_free. */
struct weft_crawl_options {
    enum weft_engine_kind engine;
    unsigned jobs;       /* fetches at once; 0: 16 */
    unsigned parse_jobs; /* events only: parse on so many workers */
    unsigned per_host;   /* 0: 4, or jobs for hosts on loopback */
    bool has_delay;
    weft_time delay; /* between starts on one host; unless has_delay: 0.5 s, 0 on loopback */
    double rate;     /* requests a second and host, 0: off */
    unsigned burst;  /* 0: 1 */
    bool has_max_depth;
    unsigned max_depth;
    uint64_t max_pages; /* 0: none */
    weft_time max_time; /* 0: none */
    uint64_t max_bytes; /* 0: none */
    enum weft_scope_kind scope;
    const struct weft_crawl_rule *rules;
    size_t nrules;
    unsigned fold; /* of enum weft_fold */
    bool ignore_robots;
    const char *robots_agent;  /* NULL: the first product token of net.user_agent */
    bool follow_nofollow;      /* also follow links that say nofollow */
    weft_time max_crawl_delay; /* 0: 60 s */
    bool sitemaps;
    int retries;                                              /* 0: 2; -1 none */
    weft_time retry_base;                                     /* 0: 1 s */
    weft_time max_retry_after;                                /* 0: 60 s */
    int host_failures;                                        /* 0: 20; -1 never */
    int max_redirects;                                        /* 0: 10; -1 none */
    unsigned max_url, max_path_depth, max_repeats, max_links; /* 0: the default limits */
    unsigned max_queries, max_host_pages;                     /* 0: unlimited */
    bool record_skipped;                                      /* also record what is out of scope */
    bool head;                                                /* ask with HEAD, follow nothing */
    bool check;   /* links are to be checked: what is out of scope, or one link beyond max_depth, is
                     asked once too, with HEAD or, where that is refused, GET, and not followed; of
                     the rules only excludes hold for it; nofollow does not count, images, scripts
                     and the like do; on_record gets every link with its line */
    bool anchors; /* ... and the anchors of each page */
    weft_time grace; /* how long a gentle stop waits for what is in flight; 0: 10 s */
    uint64_t seed;   /* of hashes and jitter; 0: random */
    struct weft_net_options net;

    /* A list instead of a crawl: its URLs come from next_url as there is room for them, and have
     * one record each, with the facts of the page where redirects ended. Nothing is followed; a URL
     * may come again; scope, rules and traps do not apply. Nothing may be added by weft_crawl_add.
     */
    weft_crawl_next_fn *next_url; /* NULL: a crawl */
    unsigned ahead; /* URLs read and not yet requested, so that a list sorted by host does not keep
                       one host's pace; 0: 10000 */
    bool ordered;   /* records in the order of the list; it is read at most `ahead` URLs beyond the
                       first that has not ended, or 4 * jobs if an output or want_body wants bodies */
    bool race; /* the URLs (the first `ahead`) are mirrors: the first that is fetched is recorded
                  and ends the rest; the failures are only if all fail */

    const char *const *outputs; /* files, NULL-terminated; NULL: none */
    bool append, overwrite;
    bool bodies;                /* JSON Lines hold the bodies too */
    const char *save_dir;       /* bodies as files below this folder; NULL: none */
    const char *state_file;     /* NULL: none */
    bool recrawl;               /* with it, once all is done: ask for every known page again */
    const char *changes_file;   /* with recrawl: JSON Lines of what changed; NULL: none */
    unsigned commit_pages;      /* with it: pages of one transaction; 0: 1000 */
    weft_time commit_every;     /* ... and its longest time; 0: 1 s */
    const char *trace_file;     /* NULL: none */
    const char *row;            /* --row: XPath or css:SELECTOR; NULL: one row a page */
    const char *const *selects; /* "NAME=XPATH" or "NAME=css:SELECTOR", NULL-terminated */
    const char *command;        /* for the record of the run */

    void *user;
    void (*on_record)(void *user, const struct weft_record *record);
    bool want_body;  /* its records hold the body: every body that comes is downloaded then, images
                        and archives too, where else only HTML is; net.max_body limits each */
    bool want_links; /* its records hold the page's links */
    void (*on_progress)(void *user,
                        const struct weft_crawl_progress *progress); /* about 5 times a second */
    void (*on_log)(void *user, enum weft_log_level level, const char *message);
    /* On the thread that fetches: with the threads engine the workers', several at once. It should
     * not block. Each that began is told again as ended, when its answer has been read, unless the
     * run failed (WEFT_END_FAILED). */
    void (*on_fetch)(void *user, const struct weft_crawl_fetching *fetching);

    /* The drop-in: the caller's blocking fetch instead of weft's; sync and threads engines. */
    weft_crawl_fetch_fn *fetch;
    void *(*fetch_open)(void *user, unsigned worker); /* a worker's context; NULL is a failure */
    void (*fetch_close)(void *user, void *context);
};

struct weft_crawl_report {
    enum weft_crawl_end end;
    uint64_t fetched, failed[WEFT_NREASONS], skipped[WEFT_NREASONS];
    uint64_t seeds_failed;   /* seeds that were not fetched, for whatever reason */
    uint64_t fetched_before; /* pages that earlier runs with the same state file fetched */
    uint64_t bytes, requests, retries, left;
    bool list_left;                  /* it ended before its list was read to the end */
    uint64_t dropped_scheme;         /* links not followed: of other schemes, */
    uint64_t dropped_links;          /* ... beyond max_links of a page, */
    uint64_t dropped_nofollow;       /* ... that said nofollow */
    uint64_t changes[WEFT_NCHANGES]; /* of a re-crawl */
    unsigned peak_in_flight;
    uint64_t connections;
    weft_time elapsed;
    char error[512];                     /* a sentence when end is OUTPUT or FAILED */
    const struct weft_crawl_host *hosts; /* lives in the crawl, until its end */
    size_t nhosts;
};

struct weft_crawl;

/* Checks every option and opens outputs and state; nothing is requested. Gives *out. On failure
 * error[0..cap) says in a sentence what is wrong. WEFT_OK, WEFT_EINVAL, WEFT_ESYNTAX (a pattern or
 * an XPath), WEFT_EIO and WEFT_EDONE (an output), WEFT_ENOMEM, WEFT_EAGAIN. */
enum weft_status weft_crawl_new(struct weft_crawl **out, const struct weft_crawl_options *options,
                                char *error, size_t cap) WEFT_MUST_USE;

/* Adds a seed before the run. WEFT_OK (also for one that was added before), WEFT_ESYNTAX,
 * WEFT_ESCHEME, WEFT_ELIMIT, WEFT_ENOMEM; WEFT_EINVAL: there is a next_url. */
enum weft_status weft_crawl_add(struct weft_crawl *c, const char *url, size_t len) WEFT_MUST_USE;

/* Runs to the end, on this thread, once. Fills *report. WEFT_OK; WEFT_EIO when an output failed;
 * WEFT_ENOMEM, WEFT_EAGAIN. What was finished has been recorded in any case. */
enum weft_status weft_crawl_run(struct weft_crawl *c,
                                struct weft_crawl_report *report) WEFT_MUST_USE;

/* Asks the run to end. First call: nothing new starts, what is in flight may finish within the
 * grace time; with now, or on a second call: everything in flight is cancelled. Threads: any; not
 * async-signal-safe. */
void weft_crawl_stop(struct weft_crawl *c, bool now);

/* Tells the run that next_url, which said WEFT_EAGAIN, has something again. Threads: any. */
void weft_crawl_more(struct weft_crawl *c);

/* Makes the run log each fetch in flight with its age (level NOTICE). Threads: any. */
void weft_crawl_inspect(struct weft_crawl *c);

/* Not while it runs. NULL is fine. */
void weft_crawl_free(struct weft_crawl *c);

#ifdef __cplusplus
}
#endif
#endif
