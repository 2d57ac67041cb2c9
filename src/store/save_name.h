/* save_name.h -- under which name a page's body is saved. Pure.
 *
 * Knows the form of a URL; touches no files. Names are those of wget -r, made so that two URLs get
 * one name only where noted: "host[:port]/folder/file?query", with '#', which no URL has before its
 * fragment, as the mark of every name that could not be taken as it is. */
#ifndef WEFT_STORE_SAVE_NAME_H
#define WEFT_STORE_SAVE_NAME_H

#include "base/buf.h"

/* Writes the path for an http or https URL into out, without a leading slash: segments of at most
 * 200 bytes, none of them "", "." or "..", no control characters; at most WEFT_MAX_PATH_DEPTH of
 * them. Two URLs get one name if they differ in their scheme, credentials or fragment alone, or in
 * "index.html" at the end of the path. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. Threads: any. */
enum weft_status weft_save_name(struct weft_buf *out, const char *url) WEFT_MUST_USE;

#endif
