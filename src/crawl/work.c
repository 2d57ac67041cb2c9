/* work.c -- asking for a visit's URL: the request, which bodies are wanted, a worker's tools. */
#include "crawl/work.h"

#include "base/limits.h"
#include "crawl/readers.h"
#include "store/writer.h"
#include "text/content_type.h"
#include "text/sitemap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct weft_worker {
    const struct weft_work *work;
    struct weft_client *client; /* NULL with a fetch function of the caller's */
    void *context;              /* that function's, from fetch_open */
    struct weft_readers *readers;
    struct weft_response response;
    struct weft_visit *visit; /* begun and not ended */
    bool refused;             /* the client could not even begin it */
    unsigned id;
};

bool weft_crawl_stopping(const struct weft_stop *stop)
{
    if (!stop) {
        return false;
    }
    weft_time by = atomic_load(&stop->by);
    return atomic_load(&stop->now) || (by != WEFT_FOREVER && weft_now() >= by);
}

enum weft_status weft_worker_new(struct weft_worker **out, const struct weft_work *work,
                                 struct weft_readers *readers, unsigned id)
{
    const struct weft_crawl_options *o = work->options;
    struct weft_worker *w = calloc(1, sizeof *w);
    enum weft_status st = WEFT_OK;
    *out = NULL;
    if (!w) {
        return WEFT_ENOMEM;
    }
    w->work = work;
    w->id = id;
    weft_response_init(&w->response);
    w->readers = readers;
    if (work->net) {
        st = weft_client_new(&w->client, work->net);
    }
    if (st == WEFT_OK && o->fetch && o->fetch_open) {
        w->context = o->fetch_open(o->user, id);
        st = w->context ? WEFT_OK : WEFT_EINVAL;
    }
    if (st != WEFT_OK) {
        weft_worker_free(w);
        return st;
    }
    *out = w;
    return WEFT_OK;
}

void weft_worker_free(struct weft_worker *w)
{
    if (!w) {
        return;
    }
    if (w->context && w->work->options->fetch_close) {
        w->work->options->fetch_close(w->work->options->user, w->context);
    }
    weft_client_free(w->client);
    weft_response_release(&w->response);
    free(w);
}

void weft_worker_interrupt(struct weft_worker *w)
{
    if (w->client) {
        weft_client_interrupt(w->client);
    }
}

/* Whether anyone reads the body: a page does if it may be HTML, for its links. */
static bool page_is_wanted(void *user, const struct weft_response *so_far)
{
    (void)user;
    struct weft_content_type type;
    if (so_far->status < 200 || so_far->status >= 300) {
        return false;
    }
    if (!so_far->content_type) {
        return true; /* it takes a look at the body to tell */
    }
    weft_content_type_extract(so_far->content_type, strlen(so_far->content_type), &type);
    return type.is_html || !type.essence[0];
}

static bool nothing_is_wanted(void *user, const struct weft_response *so_far)
{
    (void)user;
    (void)so_far;
    return false;
}

static bool file_is_wanted(void *user, const struct weft_response *so_far)
{
    (void)user;
    return so_far->status >= 200 && so_far->status < 300;
}

void weft_work_request(const struct weft_work *work, const struct weft_visit *v,
                       struct weft_request *request)
{
    *request = (struct weft_request){
        .url = v->at, .cookies = v->cookies, .fresh_connection = v->stale_tried};
    switch (v->kind) {
    case WEFT_VISIT_ROBOTS:
        request->want_body = file_is_wanted;
        break;
    case WEFT_VISIT_SITEMAP:
        request->want_body = file_is_wanted;
        request->max_body = WEFT_MAX_SITEMAP;
        break;
    case WEFT_VISIT_PAGE:
        request->head = work->options->head || (v->probe && !v->no_head);
        if (v->members[0].known && v->nhops == 0) {
            request->if_none_match = v->members[0].known->etag;
            request->if_modified_since = v->members[0].known->last_modified;
        }
        if (v->probe) {
            request->want_body = nothing_is_wanted;
        } else if (!(work->wants & (WEFT_WANTS_BODY | WEFT_WANTS_WIRE))) {
            request->want_body = page_is_wanted;
        }
        break;
    }
}

void weft_work_tell(const struct weft_work *work, const struct weft_visit *v, unsigned lane,
                    bool ended)
{
    const struct weft_crawl_options *o = work->options;
    struct weft_crawl_fetching f = {.url = v->at, .lane = lane, .ended = ended};
    if (ended) {
        f.end = v->answer.end;
        f.status = v->answer.status;
        f.bytes = v->answer.bytes;
    }
    if (o->on_fetch) {
        o->on_fetch(o->user, &f);
    }
}

void weft_worker_begin(struct weft_worker *w, struct weft_visit *v)
{
    struct weft_request request;
    w->visit = v;
    weft_work_tell(w->work, v, w->id, false);
    if (w->client) {
        weft_work_request(w->work, v, &request);
        w->refused = weft_client_begin(w->client, &request, &w->response) != WEFT_OK;
    }
}

/* Lets the caller's own function fetch. */
static void ask_caller(struct weft_worker *w)
{
    const struct weft_crawl_options *o = w->work->options;
    struct weft_response *r = &w->response;
    struct weft_request request;
    struct timespec wall;
    weft_work_request(w->work, w->visit, &request);
    weft_response_reset(r);
    clock_gettime(CLOCK_REALTIME, &wall);
    r->started_at = (int64_t)wall.tv_sec * WEFT_SECOND + wall.tv_nsec;
    r->started = weft_now();
    r->body_max = request.max_body ? request.max_body : o->net.max_body;
    o->fetch(w->context, &request, r, w->work->stop);
    r->ended = weft_now();
    if (r->body_over) {
        r->end = WEFT_FETCH_TOO_LARGE;
        snprintf(r->error, sizeof r->error, "the body is over %zu bytes", r->body_max);
    }
}

static void read_with_any(struct weft_worker *w, struct weft_visit *v)
{
    struct weft_reader *reader = weft_readers_take(w->readers);
    if (reader) {
        weft_reader_read(reader, &w->response, w->id, v);
    } else {
        weft_answer_release(&v->answer);
        v->answer.end = WEFT_FETCH_FAILED;
    }
    weft_readers_give(w->readers, reader);
}

enum weft_status weft_worker_drive(struct weft_worker *w, weft_time deadline)
{
    enum weft_status st = WEFT_OK;
    if (!w->client) {
        ask_caller(w);
    } else if (w->refused) {
        w->response.end = WEFT_FETCH_FAILED;
    } else {
        st = weft_client_drive(w->client, deadline);
    }
    if (st == WEFT_OK) {
        struct weft_visit *v = w->visit;
        w->visit = NULL;
        read_with_any(w, v);
        weft_work_tell(w->work, v, w->id, true);
    }
    return st;
}

void weft_worker_visit(struct weft_worker *w, struct weft_visit *v)
{
    weft_worker_begin(w, v);
    while (weft_worker_drive(w, WEFT_FOREVER) != WEFT_OK) {
    }
}

void weft_worker_wake(struct weft_worker *w)
{
    if (w->client) {
        weft_client_wake(w->client);
    }
}

void weft_worker_forget_wake(struct weft_worker *w)
{
    if (w->client) {
        weft_client_woken(w->client);
    }
}
