/* explain.h -- what a crawl would do with a URL, and why.
 *
 * Asks the same parts that a crawl asks: parser, key, scope, rules, limits, the host's clock; with
 * one request more also robots.txt. Knows nothing of how it is shown. Threads: as for the crawl. */
#ifndef WEFT_EXPLAIN_H
#define WEFT_EXPLAIN_H

#include "weft/crawl.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_explanation {
    enum weft_status parsed; /* WEFT_OK, WEFT_ESYNTAX, WEFT_ESCHEME, WEFT_ELIMIT: then nothing else
                                but reason is set */
    char *url;               /* as it would be requested */
    char *key;               /* as it would be remembered: URLs with one key are one page */
    char *origin;            /* the host, whose clock it takes; NULL: over a limit */
    bool seed;               /* it was added as a seed: scope and rules do not apply */
    bool in_scope;           /* of the seeds; true if there are none */
    int rule;                /* index of the rule that decides, -1: none matches */
    bool taken;              /* by the rules */
    const char *limit;       /* the option or part whose limit it breaks; NULL: none. Static */
    bool loopback;           /* on this machine: no delay by default */
    double delay;            /* least seconds between two starts on the host, robots.txt aside */
    unsigned per_host;       /* requests at once to it */
    double rate;             /* requests a second, 0: no bucket; of burst tokens */
    double burst;
    enum weft_reason reason; /* why it would be skipped; NONE: it would be requested */
};

/* What a host's robots.txt says to a URL. */
struct weft_explained_robots {
    char *url;               /* where it was found at last */
    int status;              /* 0: no answer */
    char error[256];         /* for people, when there is no answer; else "" */
    char *agent;             /* the name that was looked up */
    char *group;             /* the group that applies; NULL: none, all is allowed */
    unsigned line;           /* the line that decides; 0: none does */
    char *text;              /* that line; NULL: none */
    bool allowed;            /* by the rules */
    double crawl_delay;      /* seconds; negative: none */
    enum weft_reason reason; /* why the URL would be skipped or fail; NONE: it may be requested */
};

/* Gives *out's contents, to be released in any case. Requests nothing. WEFT_OK (also for what is no
 * URL: see parsed), WEFT_ENOMEM. */
enum weft_status weft_crawl_explain(struct weft_crawl *c, const char *url, size_t len,
                                    struct weft_explanation *out) WEFT_MUST_USE;
void weft_explanation_release(struct weft_explanation *e);

/* Fetches the robots.txt of a URL that parses; not in a crawl with a fetch function of the caller's
 * (WEFT_EINVAL). Blocks at most the time limits for each of its redirects. Gives *out's contents,
 * to be released in any case. WEFT_OK (also when there is none), WEFT_ENOMEM, WEFT_EINVAL. */
enum weft_status weft_crawl_explain_robots(struct weft_crawl *c, const char *url, size_t len,
                                           struct weft_explained_robots *out) WEFT_MUST_USE;
void weft_explained_robots_release(struct weft_explained_robots *r);

#ifdef __cplusplus
}
#endif
#endif
