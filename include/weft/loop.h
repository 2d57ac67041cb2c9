/* loop.h -- many fetches at once on one thread: libcurl's multi socket interface over epoll.
 *
 * The same request and response as weft_client_fetch, the same limits; only the waiting differs.
 * Knows libcurl and epoll; knows nothing of visits, frontiers or pages. Threads: one, except
 * weft_loop_wake. */
#ifndef WEFT_LOOP_H
#define WEFT_LOOP_H

#include "weft/fetch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_loop; /* opaque: src/net/loop.c */

/* Gives *out, which borrows net. max_connections: connections kept alive at most.
 * WEFT_OK, WEFT_ENOMEM, WEFT_EIO (no epoll, no eventfd). */
enum weft_status weft_loop_new(struct weft_loop **out, struct weft_net *net,
                               unsigned max_connections) WEFT_MUST_USE;
/* Drops what is in flight. NULL is fine. */
void weft_loop_free(struct weft_loop *l);

/* Starts a fetch. request's strings and response (the caller's, init'ed) are borrowed until
 * weft_loop_next gives tag back.
 * WEFT_OK; on error (WEFT_ENOMEM, WEFT_EINVAL) nothing was started. Never blocks. */
enum weft_status weft_loop_start(struct weft_loop *l, const struct weft_request *request,
                                 struct weft_response *response, void *tag) WEFT_MUST_USE;

/* Waits until one fetch has ended and gives its tag. WEFT_OK; WEFT_ETIMEDOUT: the deadline passed
 * (with nothing in flight it just waits); WEFT_ECANCELED: weft_loop_wake was called. What has
 * ended is handed out before either. */
enum weft_status weft_loop_next(struct weft_loop *l, weft_time deadline, void **tag) WEFT_MUST_USE;

/* Ends everything in flight as INTERRUPTED at once; each still comes out of weft_loop_next. */
void weft_loop_cancel_all(struct weft_loop *l);

/* Makes the current or next weft_loop_next return early, once. Threads: any. */
void weft_loop_wake(struct weft_loop *l);

/* Connections opened so far. */
uint64_t weft_loop_connections(const struct weft_loop *l);

#ifdef __cplusplus
}
#endif
#endif
