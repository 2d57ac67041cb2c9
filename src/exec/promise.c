/* promise.c -- futures without an executor: the state machine of future.c, open to the user. */
#include "weft/promise.h"

#include "exec/fork.h"
#include "exec/future.h"

enum weft_status weft_promise_new(struct weft_future **out, void (*value_free)(void *value))
{
    unsigned born;
    *out = NULL;
    enum weft_status st = weft_fork_watch(&born);
    if (st == WEFT_OK) {
        st = weft_future_new(out, NULL, &(struct weft_job){.value_free = value_free}, born, 1);
    }
    return st;
}

/* Whether f is a promise of this process. */
static enum weft_status check(const struct weft_future *f)
{
    if (!f || f->home) {
        return WEFT_EINVAL;
    }
    return weft_future_orphaned(f) ? WEFT_EFORKED : WEFT_OK;
}

enum weft_status weft_promise_start(struct weft_future *f)
{
    enum weft_status st = check(f);
    return st == WEFT_OK ? weft_future_start(f) : st;
}

bool weft_promise_stopping(const struct weft_future *f)
{
    return atomic_load(&f->stop);
}

enum weft_status weft_promise_finish(struct weft_future *f, int err, void *value)
{
    enum weft_status st = check(f);
    if (st != WEFT_OK) {
        return st;
    }
    if (weft_future_done(f)) { /* in a forked child, too: without its lock */
        return weft_future_cancelled(f) ? WEFT_ECANCELED : WEFT_EDONE;
    }
    if (err != WEFT_ECANCELED || !weft_promise_stopping(f)) {
        return weft_future_finish(f, WEFT_FINISHED, err, value);
    }
    st = weft_future_finish(f, WEFT_CANCELLED, 0, NULL); /* it was asked to stop, and did */
    if (st == WEFT_OK && value && f->value_free) {
        f->value_free(value);
    }
    return st;
}
