/* ending.c -- what is left when a crawl ends: visits that wait get their records or are left to the
 * next run, the rest is counted, and the hosts go into the report. */
#include "crawl/coordinator.h"

#include <stdlib.h>
#include <string.h>

/* Takes a host's retries and hops off it. */
static void take_timed(void *user, struct weft_host *h)
{
    struct weft_crawl *c = user;
    struct weft_visit *v;
    while ((v = weft_host_pop_timed(h))) {
        c->frontier.timed--;
        v->next = c->undecided;
        c->undecided = v;
    }
}

/* What waits and was asked before gets its record, unless a state file says that it goes on; what
 * was never asked is counted as left. */
enum weft_status weft_ending_settle(struct weft_crawl *c)
{
    bool over = c->report.end == WEFT_END_MAX_PAGES && !c->keep.on;
    enum weft_reason reason = over ? WEFT_REASON_LIMIT : WEFT_REASON_INTERRUPTED;
    const char *why = weft_crawl_end_name(c->report.end);
    struct weft_visit *v;
    c->stopping = true;
    enum weft_status st = weft_redirect_end_cut(c);
    /* First taken, then ended: what ends may let URLs go on that are new to the table of hosts. */
    weft_frontier_each(&c->frontier, take_timed, c);
    while (st == WEFT_OK && (v = c->undecided)) {
        c->undecided = v->next;
        c->cut_short = true;
        if (v->kind == WEFT_VISIT_PAGE) {
            st = weft_finish(c, v, reason, why);
        } else {
            weft_visit_free(v);
        }
    }
    while (st == WEFT_OK && (v = weft_joins_take_any(&c->joins))) {
        c->cut_short = true;
        st = weft_finish(c, v, reason, why);
    }
    if (st == WEFT_OK) {
        st = weft_recorder_finish(&c->recorder);
    }
    return st == WEFT_OK ? weft_keep_flush(c) : st;
}

uint64_t weft_ending_left(const struct weft_crawl *c)
{
    return c->recorder.won ? 0
                           : c->frontier.queued + c->levels.held.n + c->parked.n + c->keep.on_disk +
                                 c->keep.left;
}

enum weft_crawl_end weft_ending_why(struct weft_crawl *c)
{
    enum weft_crawl_end end = c->report.end;
    if (end != WEFT_END_MAX_PAGES && end != WEFT_END_MAX_TIME && end != WEFT_END_MAX_BYTES) {
        return end;
    }
    if (c->listing) {
        weft_list_cut_off(c);
    }
    return weft_ending_left(c) > 0 || c->list_cut || c->cut_short ? end : WEFT_END_FINISHED;
}

static void note_host(void *user, struct weft_host *h)
{
    struct weft_crawl *c = user;
    if (h->requests == 0) {
        return;
    }
    c->hosts[c->nhosts++] = (struct weft_crawl_host){
        .origin = h->origin,
        .requests = h->requests,
        .fetched = h->fetched,
        .failed = h->failed,
        .refusals = h->refusals,
        .delay = (double)(h->pace > h->delay ? h->pace : h->delay) / (double)WEFT_SECOND};
}

static int by_requests(const void *a, const void *b)
{
    const struct weft_crawl_host *x = a, *y = b;
    if (x->requests != y->requests) {
        return x->requests > y->requests ? -1 : 1;
    }
    return strcmp(x->origin, y->origin);
}

void weft_ending_note_hosts(struct weft_crawl *c)
{
    c->hosts = calloc(c->frontier.nhosts + 1, sizeof *c->hosts);
    if (!c->hosts) {
        return;
    }
    weft_frontier_each(&c->frontier, note_host, c);
    qsort(c->hosts, c->nhosts, sizeof *c->hosts, by_requests);
    c->report.hosts = c->hosts;
    c->report.nhosts = c->nhosts;
}
