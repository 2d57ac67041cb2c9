/* lab.h -- the lab server: a site to crawl on one's own machine, with delays and faults on request,
 * and a count of what the server saw.
 *
 * It serves the files of one folder, a generated site, a shop, and pages that are slow, broken or
 * moody on purpose (sample_site/README.md lists them). One thread runs everything: a request that
 * is held costs a few kilobytes and no thread, so thousands can be held at once.
 * Knows libmicrohttpd and jansson. Knows nothing of the crawler, and none of its parsers, so that
 * it can't share their faults. */
#ifndef WEFT_LAB_LAB_H
#define WEFT_LAB_LAB_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_lab; /* a running server: src/lab/lab_server.h */

/* All zero is a sensible server: any free port on 127.0.0.1, no files, no delay. */
struct weft_lab_options {
    const char *dir;   /* the folder served, with its optional "routes" file; NULL: no files */
    const char *bind;  /* an IPv4 or IPv6 address as numbers; NULL: 127.0.0.1. On a loopback address
                          only requests for a loopback host are answered */
    uint16_t port;     /* of the first port; the k-th is port + k. 0: any free ones */
    unsigned nports;   /* 0 counts as 1; more are mirrors of the same paths. At most 16 */
    int64_t mirror_ms; /* the k-th port holds every answer k times so long in addition */
    bool broken_mirror; /* the last of several ports resets every connection */
    int64_t delay_ms;   /* every answer is held so long... */
    int64_t jitter_ms;  /* ...and up to so much longer, the same for the same path and seed */
    unsigned
        max_in_flight; /* above half of it answers slow down, above it they are 503; 0: never */
    unsigned max_connections; /* 0: the default limit; the open-files limit is raised for it */
    uint64_t seed;            /* of jitter */
    bool files_only;          /* nothing but the folder's files: no generated pages, no counters */
};

/* Starts a server on its own thread. Everything in o is copied. Gives *out, to be stopped; on
 * failure *out is NULL and error (of cap bytes) holds a sentence.
 * WEFT_EINVAL: an option or a line of "routes" is wrong; WEFT_EIO: the folder can't be read or the
 * port not be had; WEFT_ENOMEM; WEFT_EAGAIN: no thread. Blocks for a moment. Threads: any. */
enum weft_status weft_lab_start(struct weft_lab **out, const struct weft_lab_options *o,
                                char *error, size_t cap) WEFT_MUST_USE;

/* Ends every held request and every connection, joins the thread and frees l. NULL is fine.
 * Threads: any one, once. Blocks for milliseconds. */
void weft_lab_stop(struct weft_lab *l);

/* The port number of the k-th port, 0 if there is none. Threads: any. */
uint16_t weft_lab_port(const struct weft_lab *l, unsigned k);

/* The base address of the k-th port, as "http://127.0.0.1:8080" without a slash at the end; a bind
 * to all addresses is named by its loopback address. Borrowed, lives as long as l; NULL if there
 * is no such port. Threads: any. */
const char *weft_lab_url(const struct weft_lab *l, unsigned k);

/* What the server saw since its start or the last reset, over all ports. /stats and /reset-stats
 * themselves are not counted. A request counts from its last header's arrival; it is in flight
 * until its answer has been handed to the system, or its client is gone. */
struct weft_lab_stats {
    uint64_t requests;        /* in all */
    uint64_t answered;        /* answers that were sent whole */
    uint64_t abandoned;       /* the client went away first, or the server broke the connection */
    uint64_t by_class[6];     /* [2]: answers of 200..299, and so on */
    uint64_t too_many;        /* of them 429 */
    uint64_t refused;         /* 503 because of max_in_flight */
    uint64_t misdirected;     /* 421: a host that this server is not */
    uint64_t connections;     /* accepted */
    uint64_t repeated;        /* requests for a path and query asked for before */
    size_t paths;             /* distinct paths with query, as far as they were told apart... */
    uint64_t untracked;       /* ...and requests beyond that limit */
    size_t hosts;             /* distinct Host fields */
    unsigned open, open_peak; /* connections */
    unsigned in_flight, in_flight_peak;
    weft_time first_request; /* of a counted request; 0: there was none */
    weft_time last_answer;   /* when the last one was answered or lost; 0: none */
};

/* Copies the counters. Threads: any. */
void weft_lab_get_stats(struct weft_lab *l, struct weft_lab_stats *s);

/* Requests for one path with query, as on the wire ("/slow?ms=5"). Threads: any. */
uint64_t weft_lab_path_requests(struct weft_lab *l, const char *target);

/* What one Host field saw ("127.0.0.1:8080"; in lower case): requests in all, in flight at most at
 * once. false: never seen. Either pointer may be NULL. Threads: any. */
bool weft_lab_host_requests(struct weft_lab *l, const char *host, uint64_t *requests,
                            unsigned *in_flight_peak);

/* Sets the counters to zero and forgets what /flaky and /limited remember; requests in flight stay
 * counted as in flight. Threads: any. */
void weft_lab_reset_stats(struct weft_lab *l);

#endif
