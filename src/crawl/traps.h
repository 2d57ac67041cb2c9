/* traps.h -- caps that end endless sites: path depth, repeated segments, query variants of a path,
 * pages of a host. Each drop has a name. Knows URLs only. Threads: one. */
#ifndef WEFT_CRAWL_TRAPS_H
#define WEFT_CRAWL_TRAPS_H

#include "weft/status.h"
#include "weft/url.h"

struct weft_traps {
    unsigned max_url, max_path_depth, max_repeats;
    unsigned max_queries; /* variants of one path; 0: no cap */
    uint64_t hash_seed;
    struct weft_trap_count { /* hash table of paths with a query, only with max_queries */
        uint64_t print;
        unsigned n;
    } * counts;
    size_t ncounts, cap;
};

void weft_traps_release(struct weft_traps *t);

/* What keeps a URL from being asked whatever the other caps say: a name as of weft_traps_check().
 * Everything that the network names must pass it before it goes to the frontier. Pure. */
const char *weft_traps_too_long(const struct weft_traps *t, const struct weft_url *url);
/* The option whose cap the URL breaks ("--max-path-depth"), or what else is too much about it;
 * NULL: nothing. Pure. */
const char *weft_traps_check(const struct weft_traps *t, const struct weft_url *url);
/* Counts a query variant of a URL that is about to be claimed; *over: the cap is reached.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_traps_count_query(struct weft_traps *t, const struct weft_url *url,
                                        bool *over) WEFT_MUST_USE;

#endif
