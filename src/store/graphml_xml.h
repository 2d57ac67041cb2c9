/* graphml_xml.h -- the elements of a GraphML file, by libxml2: written into memory, and read back
 * line by line. Knows XML; knows no files. Internal to store. Threads: one at a time for a writer.
 */
#ifndef WEFT_STORE_GRAPHML_XML_H
#define WEFT_STORE_GRAPHML_XML_H

#include "base/buf.h"
#include "weft/record.h"
#include <stdbool.h>
#include <stdint.h>

/* The comment before nodes that no record was written of: the file's end begins there. */
#define WEFT_GRAPHML_END " linked to, and not recorded "

struct weft_graphml_xml;

/* A writer that has begun a document: the head is its text. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_graphml_xml_new(struct weft_graphml_xml **out) WEFT_MUST_USE;
/* NULL is fine. */
void weft_graphml_xml_free(struct weft_graphml_xml *x);

/* Each of these adds a line. Texts are UTF-8; what XML has no place for becomes U+FFFD. WEFT_OK,
 * WEFT_ENOMEM, WEFT_ELIMIT. record NULL: of a page that none was written of. */
enum weft_status weft_graphml_xml_node(struct weft_graphml_xml *x, int64_t id, const char *name,
                                       const struct weft_record *record) WEFT_MUST_USE;
/* name: of the target, if it was never named before; else NULL. */
enum weft_status weft_graphml_xml_edge(struct weft_graphml_xml *x, int64_t from, int64_t to,
                                       const char *name, bool redirect,
                                       bool nofollow) WEFT_MUST_USE;
enum weft_status weft_graphml_xml_mark_end(struct weft_graphml_xml *x) WEFT_MUST_USE;
/* Closes what is open. */
enum weft_status weft_graphml_xml_end(struct weft_graphml_xml *x) WEFT_MUST_USE;

/* What was added since it was last taken; lent until the next call. NULL: no memory. */
const char *weft_graphml_xml_take(struct weft_graphml_xml *x, size_t *len);

/* A line read back. */
struct weft_graphml_line {
    bool is_edge;
    int64_t id, target; /* of an edge: from and to */
    char *name;         /* owned; of a node, or of a target that is named here first; NULL: none */
};
/* Reads one line of nodes or edges. WEFT_OK; WEFT_ESYNTAX: it is none that was written here;
 * WEFT_ENOMEM. */
enum weft_status weft_graphml_xml_read(const char *line, size_t len,
                                       struct weft_graphml_line *out) WEFT_MUST_USE;

#endif
