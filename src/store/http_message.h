/* http_message.h -- the parts of HTTP/1 messages as they went over the wire (RFC 9112). Pure.
 *
 * Knows just enough to tell the header from the body and to undo chunks, for WARC's digests, and to
 * leave passwords out. */
#ifndef WEFT_STORE_HTTP_MESSAGE_H
#define WEFT_STORE_HTTP_MESSAGE_H

#include "base/buf.h"
#include <stdbool.h>
#include <stddef.h>

struct weft_http_message { /* all pointers lie in the bytes that were given */
    const char *start;     /* the final answer: interim ones (1xx) before it are skipped */
    size_t header_len;     /* with the empty line behind it */
    const char *body;
    size_t body_len;
    bool chunked;      /* body is in chunks */
    bool other_coding; /* body has a transfer coding besides or instead of chunks */
};

/* Splits bytes[0..len). False if there is no whole header of a final answer. Time linear. */
bool weft_http_split(struct weft_http_message *m, const char *bytes, size_t len);

/* The next piece of the body without its chunk framing, for a loop that starts with *at = 0: gives
 * *piece and *piece_len. False at the end; *whole is then whether the last chunk was seen, or the
 * body is not chunked. */
bool weft_http_next_piece(const struct weft_http_message *m, size_t *at, const char **piece,
                          size_t *piece_len, bool *whole);

/* Appends a request, which has no body, without the fields that hold passwords: Authorization and
 * Proxy-Authorization. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_http_withhold(struct weft_buf *out, const char *request,
                                    size_t len) WEFT_MUST_USE;

#endif
