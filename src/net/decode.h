/* decode.h -- undoes the content codings of a body: gzip, deflate, br and zstd, also one over
 * another (RFC 9110 8.4), piece by piece as it comes.
 *
 * Not left to libcurl, which takes a body that ends in the middle of its coding for whole, and
 * several gzip members (RFC 1952 2.2) for damage. Knows zlib, brotli and zstd; knows nothing of
 * libcurl. What comes out is bounded by whoever takes it. Threads: one at a time. */
#ifndef WEFT_NET_DECODE_H
#define WEFT_NET_DECODE_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

/* What is asked for: all that can be undone. */
#define WEFT_DECODE_ACCEPT "gzip, deflate, br, zstd"

struct weft_decoder;

/* Takes decoded bytes; false: no more is wanted. */
typedef bool weft_decoded_fn(void *user, const char *bytes, size_t len);

/* A decoder for the value of Content-Encoding; *out is NULL if there is nothing to undo. WEFT_OK;
 * WEFT_ESYNTAX: a coding that nobody knows, or more than WEFT_MAX_CODINGS; WEFT_ENOMEM. */
enum weft_status weft_decoder_new(struct weft_decoder **out, const char *text,
                                  size_t len) WEFT_MUST_USE;
void weft_decoder_free(struct weft_decoder *d); /* NULL is fine */

/* Undoes the next bytes. WEFT_OK; WEFT_ESYNTAX: they are not in that coding, or stand behind its
 * end; WEFT_ELIMIT: more than WEFT_MAX_CODED between two codings; WEFT_ECANCELED: take() said so;
 * WEFT_ENOMEM. After any but WEFT_OK it is only to be freed. */
enum weft_status weft_decoder_feed(struct weft_decoder *d, const char *bytes, size_t len,
                                   weft_decoded_fn *take, void *user) WEFT_MUST_USE;
/* Whether the coding has come to its end; a body of no bytes at all has. */
bool weft_decoder_is_complete(const struct weft_decoder *d);

#endif
