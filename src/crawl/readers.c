/* readers.c -- a stack under a lock: what was given back last is taken next. */
#include "crawl/readers.h"

#include <pthread.h>
#include <stdlib.h>

struct weft_readers {
    const struct weft_work *work;
    pthread_mutex_t lock; /* guards the rest */
    unsigned nidle;
    struct weft_reader *idle[]; /* room for one a worker */
};

enum weft_status weft_readers_new(struct weft_readers **out, const struct weft_work *work,
                                  unsigned n)
{
    struct weft_readers *p = malloc(sizeof *p + n * sizeof(struct weft_reader *));
    *out = NULL;
    if (!p || pthread_mutex_init(&p->lock, NULL) != 0) {
        free(p);
        return WEFT_ENOMEM;
    }
    p->work = work;
    p->nidle = 0;
    *out = p;
    return WEFT_OK;
}

void weft_readers_free(struct weft_readers *p)
{
    if (!p) {
        return;
    }
    while (p->nidle > 0) {
        weft_reader_free(p->idle[--p->nidle]);
    }
    pthread_mutex_destroy(&p->lock);
    free(p);
}

struct weft_reader *weft_readers_take(struct weft_readers *p)
{
    struct weft_reader *r = NULL;
    pthread_mutex_lock(&p->lock);
    if (p->nidle > 0) {
        r = p->idle[--p->nidle];
    }
    pthread_mutex_unlock(&p->lock);
    if (!r && weft_reader_new(&r, p->work) != WEFT_OK) {
        return NULL;
    }
    return r;
}

void weft_readers_give(struct weft_readers *p, struct weft_reader *r)
{
    if (r) {
        pthread_mutex_lock(&p->lock);
        p->idle[p->nidle++] = r;
        pthread_mutex_unlock(&p->lock);
    }
}
