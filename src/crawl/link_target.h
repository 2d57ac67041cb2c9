/* link_target.h -- what links point at, found by key, and the places where the links stand. Knows
 * URLs; nothing of what makes a link good or bad. Threads: one. */
#ifndef WEFT_CRAWL_LINK_TARGET_H
#define WEFT_CRAWL_LINK_TARGET_H

#include "weft/link_graph.h"

struct link_target;

/* One link. */
struct link_place {
    struct link_place *next;
    const struct link_target *page;
    unsigned line;
    char fragment[]; /* empty: none that counts */
};

struct link_target {
    char *url; /* as it was met first */
    uint64_t print;
    struct link_target *chain; /* in its bucket */
    struct link_place *places;
    size_t nplaces;
    bool settled; /* its record has come: the rest holds */
    bool given;   /* a seed, or a sitemap's: it counts without a link to it */
    bool has_anchors;
    enum weft_link_verdict verdict;
    enum weft_reason reason;
    int status;
    char *error, *moved_to, *final_url; /* NULL: none */
};

struct link_targets {
    struct link_target **all, **buckets;
    size_t n, cap, nbuckets;
    unsigned fold;
    uint64_t seed;
};

void link_targets_release(struct link_targets *targets);
/* The target of a URL, or of a text that is none; made if it is new. WEFT_OK, WEFT_ENOMEM. */
enum weft_status link_targets_find(struct link_targets *targets, const char *url,
                                   struct link_target **out) WEFT_MUST_USE;

/* The same, without making one: NULL if it is new. */
struct link_target *link_targets_get(const struct link_targets *targets, const char *url);

/* A link to t stands there; fragment may be NULL. WEFT_OK, WEFT_ENOMEM. */
enum weft_status link_target_add_place(struct link_target *t, const struct link_target *page,
                                       unsigned line, const char *fragment) WEFT_MUST_USE;
/* Forgets the links without a fragment. */
void link_target_forget(struct link_target *t);
/* Sorts the places by fragment. WEFT_OK, WEFT_ENOMEM. */
enum weft_status link_target_sort(struct link_target *t) WEFT_MUST_USE;

/* For qsort of weft_link_places: by page and line. */
int link_place_order(const void *a, const void *b);
/* Undoes the percent escapes of text into out (as large); gives the length. */
size_t link_unescape(const char *text, char *out);

#endif
