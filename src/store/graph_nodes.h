/* graph_nodes.h -- which pages and links a graph has already: the number of every URL, whether its
 * node was written, and every edge. A private SQLite database that nobody else sees: what does not
 * fit its cache is in a temporary file, so millions of links are no memory. Knows SQLite; knows no
 * file format. Internal to store. Threads: one at a time. */
#ifndef WEFT_STORE_GRAPH_NODES_H
#define WEFT_STORE_GRAPH_NODES_H

#include "store/failure.h"
#include <stdbool.h>
#include <stdint.h>

struct weft_graph_nodes;

enum weft_graph_known {
    WEFT_GRAPH_NEW,       /* it was never named before */
    WEFT_GRAPH_MENTIONED, /* by an edge */
    WEFT_GRAPH_WRITTEN    /* its node is in the file */
};

/* path (for sentences) and failure are borrowed. WEFT_OK; WEFT_EIO with a sentence; WEFT_ENOMEM. */
enum weft_status weft_graph_nodes_new(struct weft_graph_nodes **out, const char *path,
                                      struct weft_failure *failure) WEFT_MUST_USE;
/* NULL is fine. */
void weft_graph_nodes_free(struct weft_graph_nodes *g);

/* The number of a name, from 1; one that is new is mentioned from now on. WEFT_OK, WEFT_EIO. */
enum weft_status weft_graph_nodes_find(struct weft_graph_nodes *g, const char *name, int64_t *id,
                                       enum weft_graph_known *known) WEFT_MUST_USE;
/* Its node is in the file from now on. WEFT_OK, WEFT_EIO. */
enum weft_status weft_graph_nodes_written(struct weft_graph_nodes *g, int64_t id) WEFT_MUST_USE;
/* Adds an edge; *is_new is false if it was there. WEFT_OK, WEFT_EIO. */
enum weft_status weft_graph_nodes_edge(struct weft_graph_nodes *g, int64_t from, int64_t to,
                                       bool *is_new) WEFT_MUST_USE;
/* A name with the number that it has in a file that is gone on with. WEFT_OK; WEFT_ESYNTAX: it has
 * another number, or the number another name; WEFT_EIO. */
enum weft_status weft_graph_nodes_recall(struct weft_graph_nodes *g, int64_t id, const char *name,
                                         bool written) WEFT_MUST_USE;
/* Each name that was mentioned and has no node, in the order of numbers. each returns a status
 * other than OK to end it. Returns that, WEFT_OK or WEFT_EIO. */
enum weft_status weft_graph_nodes_lacking(struct weft_graph_nodes *g,
                                          enum weft_status (*each)(void *user, int64_t id,
                                                                   const char *name),
                                          void *user) WEFT_MUST_USE;

#endif
