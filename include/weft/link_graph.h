/* link_graph.h -- which links of a site lead nowhere, and where each of them stands.
 *
 * Fed with the records of a crawl whose options say `check`, in any order; what is known to be fine
 * is forgotten, so that memory goes with the links that are broken or not yet decided. Knows
 * records and URLs; knows nothing of how pages are fetched or results are shown. Threads: one at a
 * time. */
#ifndef WEFT_LINK_GRAPH_H
#define WEFT_LINK_GRAPH_H

#include "weft/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_link_graph;

enum weft_link_verdict {
    WEFT_LINK_BROKEN,    /* failed, or no URL at all */
    WEFT_LINK_FRAGMENT,  /* the page is there, the fragment names no element of it */
    WEFT_LINK_MOVED,     /* fine, by way of permanent redirects (301, 308): to be updated */
    WEFT_LINK_UNCHECKED, /* not asked: robots.txt, a rule, a limit, or the crawl was stopped */
    WEFT_LINK_FINE,
    WEFT_LINK_NVERDICTS
};

/* Statuses from first to last, both included. */
struct weft_link_statuses {
    int first, last;
};

struct weft_link_graph_options {
    unsigned fold;  /* of the crawl: which URLs are one */
    bool fragments; /* the crawl's option anchors is on: check fragments */
    const struct weft_link_statuses
        *accept;    /* these final statuses and no others are fine; copied */
    size_t naccept; /* 0: those below 400 */
    uint64_t seed;  /* of hashes; 0: random */
};

/* Where a link stands. */
struct weft_link_place {
    const char *page;
    unsigned line; /* 0: not known */
};

struct weft_link_result {
    enum weft_link_verdict verdict;
    const char *url;      /* what the links point at; of FRAGMENT without the fragment */
    const char *fragment; /* of FRAGMENT, without '#'; else NULL */
    int status;           /* the last one, 0: none; of MOVED the first redirect's */
    enum weft_reason reason;
    const char *error;                    /* NULL: none */
    const char *moved_to;                 /* of MOVED: what the links should say; else NULL */
    const struct weft_link_place *places; /* by page and line; none: a seed, or nobody said where */
    size_t nplaces;
};

/* Gives *out. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_link_graph_new(struct weft_link_graph **out,
                                     const struct weft_link_graph_options *options) WEFT_MUST_USE;
/* NULL is fine. */
void weft_link_graph_free(struct weft_link_graph *g);

/* Takes one record in (copies what it needs). WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_link_graph_add(struct weft_link_graph *g,
                                     const struct weft_record *record) WEFT_MUST_USE;

/* No more records: gives every result that is not FINE, by verdict and URL, and the numbers of all
 * in counts. With all also the FINE ones, without places. Lives in g. Once.
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_link_graph_finish(struct weft_link_graph *g, bool all,
                                        const struct weft_link_result **results, size_t *n,
                                        size_t counts[WEFT_LINK_NVERDICTS]) WEFT_MUST_USE;

#ifdef __cplusplus
}
#endif
#endif
