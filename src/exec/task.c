/* task.c -- see task.h; and the calls of job.h, by which a running job asks about itself. */
#include "exec/task.h"

#include "exec/fork.h"

static _Thread_local struct weft_task *top;
static _Thread_local struct weft_executor *pool;
static _Thread_local unsigned number;

void weft_task_enter(struct weft_task *task)
{
    task->outer = top;
    top = task;
}

void weft_task_leave(struct weft_task *task)
{
    top = task->outer;
}

bool weft_task_is_inside(const struct weft_future *f)
{
    const struct weft_task *t = top;
    while (t && t->future != f) {
        t = t->outer;
    }
    return t && !weft_future_done(f);
}

bool weft_task_works_for(const struct weft_executor *e)
{
    const struct weft_task *t = top;
    while (t && t->executor != e) {
        t = t->outer;
    }
    return t || pool == e;
}

void weft_task_become_worker(struct weft_executor *e, unsigned n)
{
    pool = e;
    number = n;
}

struct weft_executor *weft_task_pool(void)
{
    return pool;
}

unsigned weft_task_number(void)
{
    return number;
}

bool weft_stopping(const struct weft_task *self)
{
    return atomic_load_explicit(&self->future->stop, memory_order_acquire);
}

enum weft_status weft_pause(struct weft_task *self, weft_time until)
{
    struct weft_future *f = self->future;
    struct weft_waiter w;
    if (weft_forked_since(f->born)) {
        return WEFT_EFORKED;
    }
    enum weft_status st = weft_waiter_init(&w);
    if (st != WEFT_OK) {
        return st;
    }
    pthread_mutex_lock(&f->lock);
    if (!atomic_load(&f->stop)) {
        f->pausing = &w;
        weft_waiter_wait(&w, &f->lock, until);
        f->pausing = NULL;
    }
    bool stopped = atomic_load(&f->stop);
    pthread_mutex_unlock(&f->lock);
    weft_waiter_destroy(&w);
    return stopped ? WEFT_ECANCELED : WEFT_OK;
}

unsigned weft_task_worker(const struct weft_task *self)
{
    return self->worker;
}

struct weft_future *weft_task_future(const struct weft_task *self)
{
    return self->future;
}
