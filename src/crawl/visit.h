/* visit.h -- one URL on its way through the crawl, and what came back for it.
 *
 * A visit has one owner at any moment: coordinator, engine, coordinator; so there is no lock on it.
 * It stands for one request at a time; a redirect makes it ask again elsewhere, and each URL that
 * it claims on its way becomes a member with a record of its own. Knows URLs and answers; knows
 * nothing of engines, hosts' clocks or policy. */
#ifndef WEFT_CRAWL_VISIT_H
#define WEFT_CRAWL_VISIT_H

#include "crawl/url_queue.h"
#include "text/extract.h"
#include "weft/fetch.h"
#include "weft/record.h"
#include "weft/url.h"
#include <stddef.h>

struct weft_host;

enum weft_visit_kind { WEFT_VISIT_PAGE, WEFT_VISIT_ROBOTS, WEFT_VISIT_SITEMAP };

/* A link of a page, as the worker found it. */
struct weft_found {
    uint64_t print;       /* fingerprint of its key */
    const char *url;      /* resolved, without fragment; lies in the answer's block */
    const char *fragment; /* NULL: none */
    uint32_t len;
    enum weft_reason reject; /* NONE; BAD_URL or LIMIT: it can't be followed, url is as written */
    bool nofollow;
    uint32_t line;
};

/* What an engine brings back: one fetch, already read. Strings lie in block; NULL: absent. */
struct weft_answer {
    enum weft_fetch_end end;
    int status;
    const char *error, *content_type, *location, *retry_after, *cookies, *etag, *last_modified, *ip;
    const char *charset, *title;
    char *block;
    struct weft_found *links;
    size_t nlinks;    /* with the rejected ones */
    unsigned nfollow; /* distinct links of the page: the record's "links" */
    unsigned other_schemes, over_max;
    const char **anchors; /* nanchors of them, in the block; only when asked for */
    size_t nanchors;
    struct weft_extracted extracted; /* of --select; no rows: nothing */
    char *body;                      /* only when somebody wants it, or of robots.txt */
    size_t body_len;
    char *wire_request, *wire_answer;
    size_t wire_request_len, wire_answer_len;
    uint64_t bytes;
    uint64_t digest; /* of the body, where somebody wants it; 0: none */
    bool unwanted, stale, new_connection;
    bool is_index;  /* of sitemaps: the links are sitemaps */
    bool owns_urls; /* each link's url is a block of its own (sitemaps) */
    int64_t started_at;
    weft_time started, connected, first_byte, ended; /* as in struct weft_response */
    weft_time read_from, read_until;                 /* the answer was read, on whatever thread */
    unsigned worker;
    unsigned lane; /* of a trace: what can't do two fetches at once */
};

/* A URL that the visit has claimed: its own, or the target of a redirect. */
struct weft_member {
    char *url;
    uint64_t print;
    struct weft_referrer *referrer;
    union {
        unsigned depth;
        uint32_t place; /* of a list: see url_queue.h */
    };
    bool seed;
    bool too_far;             /* ... whose redirects are too many: it leads nowhere any more */
    uint64_t id;              /* in the state file; 0: there is none */
    struct weft_known *known; /* owned; NULL: nothing */
    size_t first_hop;         /* index into hops: its own redirect, if it has one */
    unsigned attempts;
    int64_t started_at;
    double elapsed_ms;
};

/* A redirect that was followed. */
struct weft_hop {
    int status;
    char *url;                     /* where the redirect was answered */
    uint64_t print;                /* of url */
    uint64_t cookies;              /* fingerprint of the cookies that were sent */
    struct weft_exchange exchange; /* without url; what it points to is the hop's own */
};

struct weft_visit {
    enum weft_visit_kind kind;
    struct weft_member *members; /* the last one is the URL that is being asked, but for a return */
    size_t nmembers;
    struct weft_hop *hops;
    size_t nhops;
    char *at;                    /* the URL to ask now */
    struct weft_url url;         /* at, parsed */
    uint64_t print;              /* of its key */
    struct weft_host *host;      /* of at; counted there */
    struct weft_host *robots_of; /* for robots.txt: the host that waits for it */
    char *cookies;               /* to send; NULL: none */
    unsigned tries;              /* requests of the present URL, for the retry limit */
    bool counted;                /* the last of them is among its member's attempts */
    unsigned sitemap_depth;      /* nesting of sitemap indexes */
    bool stale_tried;            /* a stale connection was already forgiven */
    bool probe;                  /* only whether it is there is asked: HEAD, nothing followed */
    bool no_head;                /* ... and HEAD was refused: GET, without the body */
    bool noted;                  /* its answer, a redirect, is among the hops already */
    bool cut;                /* ... and may not be followed unless a link is found: see reach.h */
    weft_time waiting_since; /* came back last at; 0: it was never out */
    weft_time not_before;    /* a retry's or hop's earliest start */
    struct weft_visit *next; /* in a list of the engine's or the coordinator's */
    struct weft_visit *left, *right; /* in a host's heap of timed visits */
    uint64_t serial;   /* ... where of two for the same time the first one goes first */
    weft_time flew_at; /* when the engine got it; the coordinator's alone */
    struct weft_visit *prev_flying, *next_flying; /* the coordinator's list of what is in flight */
    struct weft_answer answer;
};

/* A visit for a URL (copied) with its first member; takes a count of referrer (may be NULL) and
 * what is known. NULL: no memory, or not a URL of http or https; then nothing was taken. */
struct weft_visit *weft_visit_new(enum weft_visit_kind kind, const struct weft_queued *entry);
/* NULL is fine. */
void weft_visit_free(struct weft_visit *v);

/* Makes the visit ask url next (copied and parsed). WEFT_OK, WEFT_ENOMEM; on failure unchanged. */
enum weft_status weft_visit_go(struct weft_visit *v, const char *url, size_t len,
                               uint64_t print) WEFT_MUST_USE;
/* Notes that the present URL answered with a redirect; what went over the wire for it moves from
 * the answer to the hop. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_visit_add_hop(struct weft_visit *v, int status,
                                    uint64_t cookies) WEFT_MUST_USE;
/* Adds the present URL as a member; its referrer is the member before it. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_visit_add_member(struct weft_visit *v) WEFT_MUST_USE;

void weft_answer_release(struct weft_answer *a);

#endif
