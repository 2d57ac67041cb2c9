/* watch.h -- the sockets of an event loop: who waits for which, and what the kernel was told.
 *
 * libcurl lets go of a socket after each answer and takes it up again for the next request on the
 * same connection. The kernel is not told of that: a kept connection stays registered, so that a
 * fetch on it costs no epoll_ctl. */
#ifndef WEFT_NET_WATCH_H
#define WEFT_NET_WATCH_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft_watch {
    void *owner;     /* who waits for it; NULL: nobody, an idle connection */
    void *user;      /* for the owner: on whose behalf */
    uint32_t told;   /* the events that epoll was asked for; 0: not registered */
    uint32_t life;   /* counts the sockets that had this number: an event may come late */
    bool connection; /* a connection, whose end weft_watches_closed() tells */
};

struct weft_watches {
    int epoll; /* borrowed */
    struct weft_watch *by_fd;
    size_t n;
};

/* Frees the memory; the sockets are not touched. */
void weft_watches_release(struct weft_watches *w);
/* A connection was opened. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_watches_opened(struct weft_watches *w, int fd) WEFT_MUST_USE;
/* fd is about to be closed. */
void weft_watches_closed(struct weft_watches *w, int fd);
/* owner waits for events on fd, on behalf of user. WEFT_OK, WEFT_ENOMEM, WEFT_EIO. */
enum weft_status weft_watches_want(struct weft_watches *w, int fd, void *owner, void *user,
                                   uint32_t events) WEFT_MUST_USE;
/* Nobody waits for fd any more. */
void weft_watches_drop(struct weft_watches *w, int fd);
/* An event has come, with this epoll data: the watch that it is for, and its descriptor in *fd.
 * NULL: nobody waits for it (then it is taken off epoll), or it was for a socket that is closed by
 * now. The watch is the table's, until the next call. */
const struct weft_watch *weft_watches_find(struct weft_watches *w, uint64_t data, int *fd);

#endif
