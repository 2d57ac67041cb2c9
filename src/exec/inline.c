/* inline.c -- the executor without threads: submit runs the job before it returns.
 *
 * The same interface and the same rules as the pool: so a program, or a test, can be run without
 * threads. Jobs run on the thread that submits; several threads may submit at once. */
#include "exec/completion_queue.h"
#include "exec/executor.h"

#include <stdlib.h>

static enum weft_status accept(struct weft_executor *e, const struct weft_job *job,
                               weft_time deadline, struct weft_future **f)
{
    (void)deadline; /* there is no queue to wait for */
    pthread_mutex_lock(&e->lock);
    enum weft_status st = e->closed ? WEFT_ECLOSED : WEFT_OK;
    if (st == WEFT_OK && !*f) {
        st = weft_executor_reuse(e, job, f);
    }
    if (st == WEFT_OK) {
        st = weft_future_start(*f); /* before anybody can see it: nobody can have cancelled it */
    }
    if (st == WEFT_OK) {
        weft_list_append(&e->active, &(*f)->link);
        weft_completion_queue_enter(*f);
    }
    pthread_mutex_unlock(&e->lock);
    if (st != WEFT_OK) {
        return st;
    }
    weft_executor_run(*f, 0);
    pthread_mutex_lock(&e->lock);
    struct weft_future *last = weft_executor_count_off(e, *f);
    pthread_mutex_unlock(&e->lock);
    weft_future_release(last);
    return WEFT_OK;
}

static void wake(struct weft_executor *e)
{
    (void)e; /* nobody waits for jobs */
}

static void destroy(struct weft_executor *e)
{
    weft_executor_release(e);
    free(e);
}

enum weft_status weft_executor_inline_new(struct weft_executor **out)
{
    static const struct weft_executor_ops ops = {accept, wake, destroy};
    struct weft_executor *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_executor_init(e, &ops, 1);
    if (st != WEFT_OK) {
        free(e);
        return st;
    }
    *out = e;
    return WEFT_OK;
}
