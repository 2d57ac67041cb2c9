/* engine_events.c -- many fetches at once on the coordinator's own thread: the event loop of
 * src/net/loop.h. Nothing is shared, nothing is locked; reading a page stalls the others for as
 * long as it takes. */
#include "crawl/engine.h"

#include "net/loop.h"
#include <stdlib.h>

struct slot { /* one fetch in flight; kept for the next one */
    struct slot *next;
    unsigned number;
    struct weft_visit *visit;
    struct weft_request request;
    struct weft_response response;
};

struct events_engine {
    struct weft_engine base;
    const struct weft_work *work;
    struct weft_loop *loop;
    struct weft_page_reader *reader;
    struct slot *free_slots;
    struct slot **slots; /* all that were made, to be freed */
    size_t nslots, cap;
};

static struct slot *take_slot(struct events_engine *e)
{
    struct slot *s = e->free_slots;
    if (s) {
        e->free_slots = s->next;
        return s;
    }
    if (e->nslots == e->cap) {
        return NULL; /* more submitted than jobs: the coordinator does not do that */
    }
    s = calloc(1, sizeof *s);
    if (s) {
        weft_response_init(&s->response);
        s->number = (unsigned)e->nslots;
        e->slots[e->nslots++] = s;
    }
    return s;
}

static void give_slot(struct events_engine *e, struct slot *s)
{
    s->visit = NULL;
    s->next = e->free_slots;
    e->free_slots = s;
}

static enum weft_status events_submit(struct weft_engine *base, struct weft_visit *v)
{
    struct events_engine *e = (struct events_engine *)base;
    struct slot *s = take_slot(e);
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->visit = v;
    weft_work_request(e->work, v, &s->request);
    enum weft_status st = weft_loop_start(e->loop, &s->request, &s->response, s);
    if (st != WEFT_OK) {
        give_slot(e, s);
    }
    return st;
}

static enum weft_status events_wait_any(struct weft_engine *base, weft_time deadline,
                                        struct weft_visit **done)
{
    struct events_engine *e = (struct events_engine *)base;
    void *tag;
    *done = NULL;
    enum weft_status st = weft_loop_next(e->loop, deadline, &tag);
    if (st != WEFT_OK) {
        return st;
    }
    struct slot *s = tag;
    struct weft_visit *v = s->visit;
    weft_work_read(e->work, e->reader, &s->response, 0, v);
    v->answer.lane = s->number;
    give_slot(e, s);
    *done = v;
    return WEFT_OK;
}

static void events_cancel_all(struct weft_engine *base)
{
    weft_loop_cancel_all(((struct events_engine *)base)->loop);
}

static void events_wake(struct weft_engine *base, bool now)
{
    (void)now; /* the coordinator is never inside a fetch here: it will call cancel_all */
    weft_loop_wake(((struct events_engine *)base)->loop);
}

static void events_free(struct weft_engine *base)
{
    struct events_engine *e = (struct events_engine *)base;
    weft_loop_free(e->loop);
    for (size_t i = 0; i < e->nslots; i++) {
        weft_visit_free(e->slots[i]->visit);
        weft_response_release(&e->slots[i]->response);
        free(e->slots[i]);
    }
    weft_page_reader_free(e->reader);
    free(e->slots);
    free(e);
}

static const struct weft_engine_ops events_ops = {
    .name = "events",
    .submit = events_submit,
    .wait_any = events_wait_any,
    .cancel_all = events_cancel_all,
    .wake = events_wake,
    .free = events_free,
};

enum weft_status weft_engine_events_new(struct weft_engine **out, const struct weft_work *work,
                                        unsigned jobs)
{
    struct events_engine *e = calloc(1, sizeof *e);
    *out = NULL;
    if (!e) {
        return WEFT_ENOMEM;
    }
    e->base.ops = &events_ops;
    e->work = work;
    e->cap = jobs;
    e->slots = calloc(jobs, sizeof(struct slot *));
    enum weft_status st = e->slots ? weft_page_reader_new(&e->reader) : WEFT_ENOMEM;
    if (st == WEFT_OK) {
        st = weft_loop_new(&e->loop, work->net, jobs);
    }
    if (st != WEFT_OK) {
        events_free(&e->base);
        return st;
    }
    *out = &e->base;
    return WEFT_OK;
}
