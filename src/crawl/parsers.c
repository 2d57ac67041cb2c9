/* parsers.c -- see parsers.h. What is done goes onto a list under a lock; the future that the
 * executor makes of each job is not needed. */
#include "crawl/parsers.h"

#include "weft/executor.h"
#include <pthread.h>
#include <stdlib.h>

/* As a worker's that fetches: the parsers' stack is bounded. */
#define STACK_BYTES ((size_t)1 << 20)

struct weft_parsers {
    const struct weft_work *work;
    struct weft_executor *executor;
    struct weft_reader **readers; /* one a worker */
    unsigned n;
    void (*wake)(void *user);
    void *user;

    pthread_mutex_t lock;            /* guards the rest */
    struct weft_parse *done, **last; /* in the order in which they got done */
    struct weft_parse *taken;        /* the engine's own: no lock */
};

static int run_parse(struct weft_task *self, void *arg, void **value)
{
    struct weft_parse *parse = arg;
    struct weft_parsers *p = parse->parsers;
    (void)value;
    weft_reader_read(p->readers[weft_task_worker(self)], &parse->response, 0, parse->visit);
    parse->next = NULL;
    pthread_mutex_lock(&p->lock);
    bool first = !p->done; /* else the engine was woken for the one before, and has not looked */
    *p->last = parse;
    p->last = &parse->next;
    pthread_mutex_unlock(&p->lock);
    if (first) {
        p->wake(p->user);
    }
    return 0;
}

enum weft_status weft_parsers_submit(struct weft_parsers *p, struct weft_parse *parse)
{
    parse->parsers = p;
    return weft_executor_submit(p->executor, &(struct weft_job){.run = run_parse, .arg = parse},
                                WEFT_FOREVER, NULL);
}

struct weft_parse *weft_parsers_take(struct weft_parsers *p)
{
    if (!p->taken) {
        pthread_mutex_lock(&p->lock);
        p->taken = p->done;
        p->done = NULL;
        p->last = &p->done;
        pthread_mutex_unlock(&p->lock);
    }
    struct weft_parse *parse = p->taken;
    if (parse) {
        p->taken = parse->next;
    }
    return parse;
}

void weft_parsers_free(struct weft_parsers *p)
{
    if (!p) {
        return;
    }
    if (p->executor) {
        weft_executor_shutdown(p->executor, WEFT_CANCEL_PENDING, WEFT_FOREVER);
        weft_executor_free(p->executor);
    }
    for (unsigned i = 0; p->readers && i < p->n; i++) {
        weft_reader_free(p->readers[i]);
    }
    pthread_mutex_destroy(&p->lock);
    free(p->readers);
    free(p);
}

enum weft_status weft_parsers_new(struct weft_parsers **out, const struct weft_work *work,
                                  unsigned n, void (*wake)(void *user), void *user)
{
    struct weft_parsers *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p || pthread_mutex_init(&p->lock, NULL) != 0) {
        free(p);
        return WEFT_ENOMEM;
    }
    p->work = work;
    p->n = n;
    p->wake = wake;
    p->user = user;
    p->last = &p->done;
    p->readers = calloc(n, sizeof(struct weft_reader *));
    enum weft_status st = p->readers ? WEFT_OK : WEFT_ENOMEM;
    for (unsigned i = 0; i < n && st == WEFT_OK; i++) {
        st = weft_reader_new(&p->readers[i], work);
    }
    if (st == WEFT_OK) {
        st = weft_executor_new(&p->executor,
                               &(struct weft_executor_options){
                                   .max_workers = n, .stack_bytes = STACK_BYTES, .name = "parse"});
    }
    if (st != WEFT_OK) {
        weft_parsers_free(p);
        return st;
    }
    *out = p;
    return WEFT_OK;
}
