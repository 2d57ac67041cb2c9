/* utf8.h -- makes any bytes valid UTF-8. Knows the Unicode Standard's table 3-7 and nothing else.
 */
#ifndef WEFT_STORE_UTF8_H
#define WEFT_STORE_UTF8_H

#include "base/buf.h"

/* Gives *clean and *clean_len: text itself if it is well-formed UTF-8, else a copy in scratch with
 * U+FFFD for each maximal ill-formed part (Unicode 15, 3.9, as browsers do it). Lasts until scratch
 * is used again or text goes. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. Threads: any. Time linear. */
enum weft_status weft_utf8_clean(struct weft_buf *scratch, const char *text, size_t len,
                                 const char **clean, size_t *clean_len) WEFT_MUST_USE;

#endif
