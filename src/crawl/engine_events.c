/* engine_events.c -- many fetches at once on the coordinator's own thread: the event loop of
 * weft/loop.h. Nothing is shared, nothing is locked; reading a page stalls the others for as
 * long as it takes. With --parse-jobs pages are read elsewhere (parsers.h), and the loop is woken
 * when one is done. */
#include "crawl/engine.h"

#include "crawl/parsers.h"
#include "weft/loop.h"
#include <stdatomic.h>
#include <stdlib.h>

#define READ_HERE 1024u /* bytes: reading less costs less than handing it over */

struct slot { /* one fetch in flight; kept for the next one */
    struct slot *next;
    unsigned number;
    struct weft_request request;
    struct weft_parse parse; /* with the visit and its response */
};

struct events_engine {
    struct weft_engine base;
    const struct weft_work *work;
    struct weft_loop *loop;
    struct weft_reader *reader;
    struct weft_parsers *parsers; /* NULL: pages are read here */
    atomic_bool woken;            /* by wake(), not by the parsers */
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
        weft_response_init(&s->parse.response);
        s->number = (unsigned)e->nslots;
        e->slots[e->nslots++] = s;
    }
    return s;
}

static void give_slot(struct events_engine *e, struct slot *s)
{
    s->parse.visit = NULL;
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
    s->parse.visit = v;
    weft_work_request(e->work, v, &s->request);
    weft_work_tell(e->work, v, s->number, false);
    enum weft_status st = weft_loop_start(e->loop, &s->request, &s->parse.response, s);
    if (st != WEFT_OK) {
        give_slot(e, s);
    }
    return st;
}

static struct slot *slot_of(struct weft_parse *parse)
{
    return (struct slot *)((char *)parse - offsetof(struct slot, parse));
}

/* Gives back the visit of a slot whose answer has been read. */
static struct weft_visit *finish(struct events_engine *e, struct slot *s)
{
    struct weft_visit *v = s->parse.visit;
    v->answer.lane = s->number;
    weft_work_tell(e->work, v, s->number, true);
    give_slot(e, s);
    return v;
}

/* Has the answer read elsewhere, if that is wanted and worth it. */
static bool hand_over(struct events_engine *e, struct slot *s)
{
    return e->parsers && s->parse.response.body_len >= READ_HERE &&
           weft_parsers_submit(e->parsers, &s->parse) == WEFT_OK;
}

static enum weft_status events_wait_any(struct weft_engine *base, weft_time deadline,
                                        struct weft_visit **done)
{
    struct events_engine *e = (struct events_engine *)base;
    *done = NULL;
    for (;;) {
        void *tag;
        struct weft_parse *parse = e->parsers ? weft_parsers_take(e->parsers) : NULL;
        if (parse) {
            *done = finish(e, slot_of(parse));
            return WEFT_OK;
        }
        enum weft_status st = weft_loop_next(e->loop, deadline, &tag);
        if (st == WEFT_ECANCELED && e->parsers && !atomic_exchange(&e->woken, false)) {
            continue; /* a page has been read */
        }
        if (st != WEFT_OK) {
            return st;
        }
        struct slot *s = tag;
        if (!hand_over(e, s)) {
            weft_reader_read(e->reader, &s->parse.response, 0, s->parse.visit);
            *done = finish(e, s);
            return WEFT_OK;
        }
    }
}

static void events_cancel_all(struct weft_engine *base)
{
    weft_loop_cancel_all(((struct events_engine *)base)->loop);
}

static void events_wake(struct weft_engine *base, bool now)
{
    struct events_engine *e = (struct events_engine *)base;
    (void)now; /* the coordinator is never inside a fetch here: it will call cancel_all */
    atomic_store(&e->woken, true);
    weft_loop_wake(e->loop);
}

static void on_parsed(void *user)
{
    weft_loop_wake(((struct events_engine *)user)->loop);
}

static void events_free(struct weft_engine *base)
{
    struct events_engine *e = (struct events_engine *)base;
    weft_parsers_free(e->parsers);
    weft_loop_free(e->loop);
    for (size_t i = 0; i < e->nslots; i++) {
        weft_visit_free(e->slots[i]->parse.visit);
        weft_response_release(&e->slots[i]->parse.response);
        free(e->slots[i]);
    }
    weft_reader_free(e->reader);
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
    enum weft_status st = e->slots ? weft_reader_new(&e->reader, work) : WEFT_ENOMEM;
    if (st == WEFT_OK) {
        st = weft_loop_new(&e->loop, work->net, jobs);
    }
    if (st == WEFT_OK && work->options->parse_jobs) {
        st = weft_parsers_new(&e->parsers, work, work->options->parse_jobs, on_parsed, e);
    }
    if (st != WEFT_OK) {
        events_free(&e->base);
        return st;
    }
    *out = &e->base;
    return WEFT_OK;
}
