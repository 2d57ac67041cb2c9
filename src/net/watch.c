/* watch.c -- see watch.h. Knows epoll; knows nothing of libcurl. */
#include "net/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

void weft_watches_release(struct weft_watches *w)
{
    free(w->by_fd);
    w->by_fd = NULL;
    w->n = 0;
}

/* Descriptors are small numbers: a table is the fastest map, and the system bounds it. */
static struct weft_watch *find(struct weft_watches *w, int fd)
{
    return fd >= 0 && (size_t)fd < w->n ? &w->by_fd[fd] : NULL;
}

static struct weft_watch *find_or_add(struct weft_watches *w, int fd)
{
    if (fd < 0) {
        return NULL;
    }
    if ((size_t)fd >= w->n) {
        size_t n = w->n ? w->n : 64;
        while (n <= (size_t)fd) {
            n *= 2;
        }
        struct weft_watch *more = realloc(w->by_fd, n * sizeof *more);
        if (!more) {
            return NULL;
        }
        memset(more + w->n, 0, (n - w->n) * sizeof *more);
        w->by_fd = more;
        w->n = n;
    }
    return &w->by_fd[fd];
}

enum weft_status weft_watches_opened(struct weft_watches *w, int fd)
{
    struct weft_watch *watch = find_or_add(w, fd);
    if (!watch) {
        return WEFT_ENOMEM;
    }
    *watch = (struct weft_watch){.connection = true, .life = watch->life + 1};
    return WEFT_OK;
}

void weft_watches_closed(struct weft_watches *w, int fd)
{
    struct weft_watch *watch = find(w, fd);
    if (watch) { /* closing takes it off epoll */
        *watch = (struct weft_watch){.life = watch->life + 1};
    }
}

/* The data that comes with an event: the descriptor below, its life above. */
static uint64_t pack(int fd, uint32_t life)
{
    return (uint64_t)life << 32 | (uint32_t)fd;
}

enum weft_status weft_watches_want(struct weft_watches *w, int fd, void *owner, void *user,
                                   uint32_t events)
{
    struct weft_watch *watch = find_or_add(w, fd);
    if (!watch) {
        return WEFT_ENOMEM;
    }
    watch->owner = owner;
    watch->user = user;
    if (watch->told == events) {
        return WEFT_OK;
    }
    struct epoll_event e = {.events = events, .data.u64 = pack(fd, watch->life)};
    if (epoll_ctl(w->epoll, watch->told ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e) != 0) {
        return WEFT_EIO;
    }
    watch->told = events;
    return WEFT_OK;
}

static void forget(struct weft_watches *w, struct weft_watch *watch, int fd)
{
    if (watch->told) {
        epoll_ctl(w->epoll, EPOLL_CTL_DEL, fd, NULL);
        watch->told = 0;
        watch->life++;
    }
}

void weft_watches_drop(struct weft_watches *w, int fd)
{
    struct weft_watch *watch = find(w, fd);
    if (!watch) {
        return;
    }
    watch->owner = watch->user = NULL;
    if (!watch->connection) { /* one of libcurl's own, of whose end nobody tells */
        forget(w, watch, fd);
    }
}

const struct weft_watch *weft_watches_find(struct weft_watches *w, uint64_t data, int *fd)
{
    *fd = (int)(uint32_t)data;
    struct weft_watch *watch = find(w, *fd);
    if (!watch || data != pack(*fd, watch->life)) {
        return NULL;
    }
    if (!watch->owner) { /* an idle connection that the server closed: libcurl will find out */
        forget(w, watch, *fd);
        return NULL;
    }
    return watch;
}
