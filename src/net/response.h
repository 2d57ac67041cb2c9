/* response.h -- what the net layer does to a response beyond the public functions. */
#ifndef WEFT_NET_RESPONSE_H
#define WEFT_NET_RESPONSE_H

#include "weft/fetch.h"

/* Makes room in the body for extra more bytes and a NUL. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_response_reserve(struct weft_response *r, size_t extra) WEFT_MUST_USE;

/* Appends text to a string field, after between; sets it if it is absent. text must not lie in the
 * response. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_response_extend(struct weft_response *r, const char **field,
                                      const char *between, const char *text,
                                      size_t len) WEFT_MUST_USE;

#endif
