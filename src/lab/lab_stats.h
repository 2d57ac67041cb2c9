/* lab_stats.h -- the counters of what the server saw.
 *
 * The lab's thread counts, any thread reads or resets. Knows requests as text and numbers; nothing
 * of sockets. */
#ifndef WEFT_LAB_STATS_H
#define WEFT_LAB_STATS_H

#include "base/limits.h"
#include "lab/lab.h"
#include "lab/lab_paths.h"
#include <jansson.h>
#include <pthread.h>

#define LAB_NO_HOST   "(none)"
#define LAB_HOST_NAME 128u /* a longer Host field is counted with "(others)" */

struct lab_host_count {
    char name[LAB_HOST_NAME]; /* in lower case */
    uint64_t requests;
    unsigned in_flight, in_flight_peak;
};

struct lab_stats {
    pthread_mutex_t lock; /* guards all that follows */
    struct weft_lab_stats n;
    struct lab_paths paths;
    struct lab_host_count hosts[WEFT_LAB_MAX_NAMES + 1]; /* [0]: the others */
    size_t nhosts;                                       /* in use, [0] included */
};

/* Sets up counters at zero. WEFT_ENOMEM: no lock could be had, and nothing is to be released. */
enum weft_status lab_stats_init(struct lab_stats *s, uint64_t seed) WEFT_MUST_USE;
void lab_stats_release(struct lab_stats *s);

/* A connection was accepted, or closed. Threads: any, as for all that follows. */
void lab_stats_open(struct lab_stats *s);
void lab_stats_close(struct lab_stats *s);
/* A request has arrived at now; in_flight is false for one that is refused at once. host: its Host
 * field, LAB_NO_HOST if it had none, NULL if it is not to be told apart (a host that this server is
 * not: strangers' words would fill the table). Gives the host's number, for lab_stats_leave. */
unsigned lab_stats_arrive(struct lab_stats *s, const char *target, const char *host, bool in_flight,
                          weft_time now);
/* That request has ended at now, with status; 0: it got no whole answer. */
void lab_stats_leave(struct lab_stats *s, unsigned host, bool in_flight, unsigned status,
                     weft_time now);
/* How many are in flight. */
unsigned lab_stats_in_flight(struct lab_stats *s);
/* One was refused because there were too many; or because it named another host. */
void lab_stats_refused(struct lab_stats *s);
void lab_stats_misdirected(struct lab_stats *s);

void lab_stats_get(struct lab_stats *s, struct weft_lab_stats *out);
uint64_t lab_stats_path(struct lab_stats *s, const char *target);
bool lab_stats_host(struct lab_stats *s, const char *host, uint64_t *requests, unsigned *peak);
void lab_stats_reset(struct lab_stats *s);

/* Gives all of it as a JSON object, to json_decref(), with the paths asked for most often; NULL:
 * no memory. */
json_t *lab_stats_json(struct lab_stats *s, size_t max_paths);

#endif
