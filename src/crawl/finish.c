/* finish.c -- how a visit ends: a record for each URL that it claimed, and then the ends of those
 * visits whose redirects led here. */
#include "crawl/coordinator.h"

#include <stdlib.h>
#include <string.h>

/* The hops of a record: the visit's from a member's own on, and those of the URL that it joined; at
 * most so many, which is one more than may be followed. */
static struct weft_redirect *hops_of(const struct weft_visit *v, size_t first,
                                     const struct weft_redirected *joined, size_t most, size_t *n)
{
    size_t more = joined ? joined->nhops : 0;
    size_t all = v->nhops - first + more;
    struct weft_redirect *hops = calloc((all < most ? all : most) + 1, sizeof *hops);
    *n = 0;
    if (!hops) {
        return NULL;
    }
    for (size_t i = first; i < v->nhops && *n < most; i++) {
        hops[(*n)++] = (struct weft_redirect){v->hops[i].status, v->hops[i].url};
    }
    for (size_t i = 0; i < more && *n < most; i++) {
        hops[(*n)++] = joined->hops[i];
    }
    return hops;
}

/* The record of one member. What stands on the page is told only in the record of the URL where it
 * stands: holds says that this is the one. */
static void fill_record(const struct weft_crawl *c, const struct weft_visit *v,
                        const struct weft_member *m, const struct weft_finish *f, bool holds,
                        struct weft_record *r)
{
    const struct weft_answer *a = &v->answer;
    int status = m->attempts ? f->status : 0; /* a target that was never asked has none */
    if (m->attempts && !status && v->nhops > m->first_hop) {
        status =
            v->hops[v->nhops - 1].status; /* where it led gave none: the redirect's is the last */
    }
    *r = (struct weft_record){
        .url = m->url,
        .outcome = weft_outcome_of(f->reason),
        .reason = f->reason,
        .error = f->error,
        .status = status,
        .final_url = status ? f->final_url : NULL,
        .depth = c->options.next_url ? 0 : (int)m->depth,
        .referrer = m->referrer ? m->referrer->url : NULL,
        .attempts = m->attempts,
        .started_at = m->started_at,
        .elapsed_ms = m->elapsed_ms,
        .worker = a->worker,
        .seed = m->seed,
    };
    if (holds) {
        r->content_type = a->content_type;
        r->charset = a->charset;
        r->title = a->title;
        r->bytes = a->bytes;
        r->unwanted = a->unwanted;
        r->nlinks = a->nfollow;
        r->etag = a->etag;
        r->last_modified = a->last_modified;
        r->ip = a->ip;
        r->fields = a->extracted.fields;
        r->nrows = a->extracted.nrows;
        r->nselect = a->extracted.nselect;
    }
}

/* What went over the wire for a member's own redirects; each of the visit's is one member's. NULL
 * and *n 0 when nobody wants it. */
static enum weft_status exchanges_of(const struct weft_crawl *c, const struct weft_visit *v,
                                     const struct weft_member *m, struct weft_exchange **exchanges,
                                     size_t *n)
{
    const struct weft_member *next = m + 1;
    size_t end = next < v->members + v->nmembers ? next->first_hop : v->nhops;
    *exchanges = NULL;
    *n = 0;
    if (!(c->recorder.wants & WEFT_WANTS_WIRE) || end == m->first_hop) {
        return WEFT_OK;
    }
    *exchanges = malloc((end - m->first_hop) * sizeof **exchanges);
    if (!*exchanges) {
        return WEFT_ENOMEM;
    }
    for (size_t i = m->first_hop; i < end; i++) {
        if (v->hops[i].exchange.answer) {
            (*exchanges)[*n] = v->hops[i].exchange;
            (*exchanges)[(*n)++].url = v->hops[i].url;
        }
    }
    return WEFT_OK;
}

/* What the hops of a member, with those of the URL that it joined, mean for its end. */
static void judge_hops(const struct weft_crawl *c, const struct weft_redirect *hops, size_t nhops,
                       struct weft_finish *end)
{
    if (nhops > (size_t)c->options.max_redirects) {
        end->reason = WEFT_REASON_REDIRECT_LOOP;
        end->error = "more redirects than --max-redirects";
        end->final_url = hops[nhops - 1].url; /* the last that may be asked */
    }
    if (end->reason == WEFT_REASON_REDIRECT_LOOP && nhops > 0) {
        end->status =
            hops[0].status; /* a loop has no end, and where it was entered must not show */
    }
}

static enum weft_status finish_member(struct weft_crawl *c, struct weft_visit *v,
                                      const struct weft_member *m, const struct weft_finish *f)
{
    struct weft_record r;
    struct weft_finish end = *f;
    bool list = c->options.next_url != NULL; /* one record, for the URL and where it led */
    bool holds = (list || m->print == v->print) && !f->joined && m->attempts > 0;
    size_t nhops;
    struct weft_redirect *hops = hops_of(v, m->first_hop, f->joined,
                                         (size_t)c->options.max_redirects + 1, &nhops);
    if (!hops) {
        return WEFT_ENOMEM;
    }
    judge_hops(c, hops, nhops, &end);
    fill_record(c, v, m, &end, holds, &r);
    if (holds && v->answer.extracted.cut) {
        weft_crawl_log(c, WEFT_LOG_WARNING,
                       "%s: a limit on steps, rows or bytes was reached, values are missing",
                       v->at);
    }
    r.redirects = hops;
    r.nredirects = nhops;
    struct weft_exchange *exchanges;
    enum weft_status st = exchanges_of(c, v, m, &exchanges, &r.nhops);
    r.hops = exchanges;
    weft_seen_finish(&c->seen, m->print, (struct weft_end){end.reason, r.status});
    weft_levels_leave(&c->levels, m->depth);
    c->seeds_left -= m->seed && !m->too_far;
    if (st == WEFT_OK && nhops > 0 && !list) {
        st = weft_joins_remember(&c->joins, m->print, end.final_url, hops, nhops);
    }
    if (st == WEFT_OK) {
        r.change = weft_keep_change(c, m, &r, holds ? &v->answer : NULL);
        st = weft_keep_end(c, m, &r, holds ? &v->answer : NULL);
    }
    if (st == WEFT_OK) {
        st = weft_recorder_emit(&c->recorder, &r, holds ? &v->answer : NULL, m->place);
    }
    free(exchanges);
    free(hops);
    return st;
}

/* A list of visits whose members have been recorded, and whose waiters are still to be told. */
struct ended {
    struct weft_visit *first;
};

static void push(struct ended *list, struct weft_visit *v)
{
    v->next = list->first;
    list->first = v;
}

static enum weft_status record_all(struct weft_crawl *c, struct weft_visit *v,
                                   const struct weft_finish *f)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < v->nmembers && st == WEFT_OK; i++) {
        st = finish_member(c, v, &v->members[i], f);
    }
    return st;
}

/* What it means for v that the URL to which it was redirected has ended. */
static struct weft_finish end_of(const struct weft_crawl *c, const struct weft_visit *v,
                                 uint64_t target, const char *url)
{
    static const struct weft_redirected no_redirect = {0};
    struct weft_end end;
    weft_seen_ended(&c->seen, target, &end);
    const struct weft_redirected *r = weft_joins_find(&c->joins, target);
    struct weft_finish f = {.reason = end.reason,
                            .status = end.status ? end.status : v->answer.status,
                            .final_url = r ? r->final_url : url,
                            .joined = r ? r : &no_redirect};
    if (f.reason != WEFT_REASON_NONE) {
        f.error = "where the redirect leads: see its own record";
    }
    return f;
}

/* Ends v and, one after another, all who waited for it or for those. */
static enum weft_status finish_chain(struct weft_crawl *c, struct weft_visit *v,
                                     const struct weft_finish *f)
{
    struct ended list = {NULL};
    enum weft_status st = record_all(c, v, f);
    push(&list, v);
    while (list.first) {
        struct weft_visit *at = list.first;
        list.first = at->next;
        for (size_t i = 0; i < at->nmembers; i++) {
            struct weft_visit *waiter;
            while ((waiter = weft_joins_take(&c->joins, at->members[i].print))) {
                struct weft_finish end = end_of(c, waiter, at->members[i].print,
                                                at->members[i].url);
                /* a join makes the record tell the status, and which hops led there */
                static const struct weft_redirected nothing = {0};
                end.joined = end.joined ? end.joined : &nothing;
                if (st == WEFT_OK) {
                    st = record_all(c, waiter, &end);
                }
                push(&list, waiter);
            }
        }
        weft_visit_free(at);
    }
    return st != WEFT_OK ? st : weft_discover_released(c);
}

enum weft_status weft_finish(struct weft_crawl *c, struct weft_visit *v, enum weft_reason reason,
                             const char *error)
{
    if (weft_keep_leaves(c, v, reason)) {
        return WEFT_OK;
    }
    if (v->kind == WEFT_VISIT_SITEMAP) {
        enum weft_status st = weft_keep_end_sitemap(c, v);
        weft_levels_leave(&c->levels, v->members[0].depth);
        weft_visit_free(v);
        return st == WEFT_OK ? weft_discover_released(c) : st;
    }
    struct weft_finish f = {
        .reason = reason, .error = error, .status = v->answer.status, .final_url = v->at};
    return finish_chain(c, v, &f);
}

enum weft_status weft_finish_joined(struct weft_crawl *c, struct weft_visit *v, uint64_t target,
                                    const char *target_url)
{
    struct weft_finish f = end_of(c, v, target, target_url);
    return finish_chain(c, v, &f);
}

enum weft_status weft_skip(struct weft_crawl *c, const struct weft_queued *entry,
                           enum weft_reason reason, const char *error)
{
    struct weft_record r = {.url = entry->url,
                            .outcome = weft_outcome_of(reason),
                            .reason = reason,
                            .error = error,
                            .depth = c->options.next_url ? 0 : (int)entry->depth,
                            .referrer = entry->referrer ? entry->referrer->url : NULL,
                            .seed = entry->seed};
    weft_seen_finish(&c->seen, entry->print, (struct weft_end){reason, 0});
    enum weft_status st = weft_keep_skip(c, entry, &r);
    if (st == WEFT_OK) {
        st = weft_recorder_emit(&c->recorder, &r, NULL, entry->place);
    }
    c->seeds_left -= entry->seed && st == WEFT_OK; /* else it ends where it was added */
    return st;
}
