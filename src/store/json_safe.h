/* json_safe.h -- JSON that can be shown: what generators leave raw in strings and is better not.
 *
 * DEL and C1 (U+0080 to U+009F), which a terminal may obey, and U+2028 and U+2029, which like
 * U+0085 are line ends to Python's splitlines() and to old JavaScript. JSON may hold them only in
 * strings, where an escape means the same. C0 is left to the generator: it must escape it. */
#ifndef WEFT_STORE_JSON_SAFE_H
#define WEFT_STORE_JSON_SAFE_H

#include "base/buf.h"
#include <stdbool.h>

/* Whether JSON text, well-formed and UTF-8, holds none of them. Threads: any. */
bool weft_json_is_safe(const char *text, size_t len);

/* Appends such text with all of them escaped. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_json_put_safe(struct weft_buf *b, const char *text, size_t len) WEFT_MUST_USE;

#endif
