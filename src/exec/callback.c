/* callback.c -- done-callbacks: each once, in order, one at a time, under no lock.
 *
 * One thread at a time calls the callbacks of a future, in a loop; what is added meanwhile, by a
 * callback or by another thread, goes to the end of that loop. So none overtakes and none nests. */
#include "exec/fork.h"
#include "exec/future.h"

#include <stdlib.h>

struct weft_callback {
    struct weft_callback *next;
    weft_done_fn *call;
    void *user;
};

/* The first that waits to be called, taken out; NULL if there is none, and calling ends. */
static struct weft_callback *next_callback(struct weft_future *f)
{
    pthread_mutex_lock(&f->lock);
    struct weft_callback *c = f->callbacks;
    if (c) {
        f->callbacks = c->next;
    }
    if (!f->callbacks) {
        f->callbacks_end = &f->callbacks;
    }
    f->calling = c != NULL;
    pthread_mutex_unlock(&f->lock);
    return c;
}

void weft_future_call_callbacks(struct weft_future *f)
{
    struct weft_callback *c;
    weft_future_retain(f); /* a callback may give back the last reference but this */
    while ((c = next_callback(f))) {
        c->call(f, c->user);
        free(c);
    }
    weft_future_release(f);
}

void weft_future_free_callbacks(struct weft_future *f)
{
    while (f->callbacks) {
        struct weft_callback *c = f->callbacks;
        f->callbacks = c->next;
        free(c);
    }
}

enum weft_status weft_future_add_done_callback(struct weft_future *f, weft_done_fn *call,
                                               void *user)
{
    if (!f || !call) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(f->born)) {
        return WEFT_EFORKED;
    }
    struct weft_callback *c = malloc(sizeof *c);
    if (!c) {
        return WEFT_ENOMEM;
    }
    *c = (struct weft_callback){NULL, call, user};
    pthread_mutex_lock(&f->lock);
    *f->callbacks_end = c;
    f->callbacks_end = &c->next;
    bool mine = weft_future_done(f) && !f->calling;
    if (mine) {
        f->calling = true;
    }
    pthread_mutex_unlock(&f->lock);
    if (mine) {
        weft_future_call_callbacks(f);
    }
    return WEFT_OK;
}
