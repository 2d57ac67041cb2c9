/* site.h -- a made-up web for the tests of this layer: pages from a table, a fake clock, an engine
 * that finishes fetches in the order of their latencies, and everything that was asked and
 * recorded. No network, no threads, no real time. */
#ifndef WEFT_TEST_SITE_H
#define WEFT_TEST_SITE_H

#include "crawl/coordinator.h"
#include <pthread.h>

/* One page. The first `faults` requests of it get the fault instead. */
struct page {
    const char *url;
    int status;       /* 0: 200 */
    const char *body; /* HTML; NULL: empty */
    const char *location, *retry_after, *content_type;
    const char *sets_cookie;  /* given with the answer */
    const char *needs_cookie; /* without it, the answer is a redirect to itself that sets it */
    unsigned latency_ms;      /* 0: the site's */
    int head_status;          /* what HEAD is answered with; 0: as GET */
    unsigned faults;
    int fault_status;              /* 0: fault_end */
    enum weft_fetch_end fault_end; /* how it ends instead, or always when faults is 0 */
    const char *fault_retry_after;
};

struct asked {
    char url[256];
    weft_time at;
};

struct site {
    const struct page *pages; /* ends with url NULL; what is not there is a 404 */
    const char *robots;       /* the answer to every robots.txt not in pages; NULL: 404 */
    unsigned latency_ms;      /* 0: 10 */
    unsigned scatter;         /* not 0: latencies vary with this seed */
    unsigned limit;           /* answers a second and host; more are 429, Retry-After: 1; 0: any */
    double limit_tokens;      /* of that, full at first */
    weft_time limit_at;       /* ... as of then */
    bool depths;              /* records also tell depth, and depth of the referrer */
    size_t room;              /* URLs in memory with a state file; 0: the limit */
    weft_time now;
    pthread_mutex_t lock; /* guards the rest, for the threads engine */
    struct asked asked[4096];
    size_t nasked;
    unsigned in_flight, peak;
    unsigned heads; /* requests with HEAD; of the fake engine */
    /* what was recorded */
    char *records[4096];
    size_t nrecords;
    char log[8192];
    struct weft_crawl *crawl;                                  /* while it runs */
    void (*on_asked)(struct site *s, const char *url);         /* a hook for stops; NULL: none */
    void (*also)(struct site *s, const struct weft_record *r); /* for each record; NULL: nothing */
};

void site_init(struct site *s, const struct page *pages);
void site_release(struct site *s);
/* Crawls with the fake engine (fake time) from the seeds, a NULL-terminated list. */
struct weft_crawl_report site_crawl(struct site *s, struct weft_crawl_options *o,
                                    const char *const *seeds);
/* The same through the options' engine and a fetch function: real threads, no waiting. */
struct weft_crawl_report site_crawl_real(struct site *s, struct weft_crawl_options *o,
                                         const char *const *seeds);
/* The fake engine alone, on a site whose clock it moves. */
enum weft_status site_engine(struct site *s, const struct weft_work *work,
                             struct weft_engine **out);
/* How often a URL was asked. */
unsigned site_asked(const struct site *s, const char *url);
/* When it was asked for the n-th time (from 0), in ms of fake time; -1: never. */
long site_when(const struct site *s, const char *url, unsigned n);
/* The record of a URL as "outcome reason status links title final", NULL: none. */
const char *site_record(const struct site *s, const char *url);
/* All records sorted, one a line, to be freed. */
char *site_records(struct site *s);

#endif
