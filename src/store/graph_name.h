/* graph_name.h -- a URL as the name of a node: no quote, backslash, space or control character and
 * nothing that XML has no place for. All of that is percent-encoded, which is the same URL. Knows
 * bytes. Internal to store. Threads: any. */
#ifndef WEFT_STORE_GRAPH_NAME_H
#define WEFT_STORE_GRAPH_NAME_H

#include "base/buf.h"

/* Appends the name to out; scratch is used on the way. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_graph_name(struct weft_buf *scratch, struct weft_buf *out,
                                 const char *url) WEFT_MUST_USE;

#endif
