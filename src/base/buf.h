/* buf.h -- a growing byte buffer with a hard limit.
 *
 * Whatever the network can make grow grows in one of these, so that "how large can it get" has
 * one answer: the limit given at init. Appending past it fails and leaves the buffer as it was.
 * Knows malloc and nothing above. Threads: one at a time. */
#ifndef WEFT_BASE_BUF_H
#define WEFT_BASE_BUF_H

#include "weft/status.h"
#include <stddef.h>

struct weft_buf {
    char *data;   /* len bytes, and always a NUL behind them once anything was appended */
    size_t len;   /* bytes in use */
    size_t cap;   /* bytes allocated, 0 while data is NULL */
    size_t limit; /* len never exceeds it */
};

/* Makes b empty; allocates nothing. Storage of the struct is the caller's. */
void weft_buf_init(struct weft_buf *b, size_t limit);
/* Frees the bytes; b is as after init. */
void weft_buf_release(struct weft_buf *b);
/* Forgets the bytes, keeps the memory for the next use. */
void weft_buf_clear(struct weft_buf *b);
/* Makes room for extra more bytes (and the NUL). WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status weft_buf_reserve(struct weft_buf *b, size_t extra) WEFT_MUST_USE;
/* Appends len bytes (copied). WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM; on failure b is unchanged. */
enum weft_status weft_buf_append(struct weft_buf *b, const void *bytes, size_t len) WEFT_MUST_USE;
/* Appends a C string. */
enum weft_status weft_buf_puts(struct weft_buf *b, const char *text) WEFT_MUST_USE;
/* Appends formatted text, for numbers and fixed words. */
enum weft_status weft_buf_printf(struct weft_buf *b, const char *fmt, ...) WEFT_MUST_USE
    WEFT_PRINTF(2, 3);
/* Gives the bytes to the caller, to free(); NUL-terminated; b is empty after it. NULL if no memory.
 */
char *weft_buf_take(struct weft_buf *b);

#endif
