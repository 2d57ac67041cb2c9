/* recorder.c -- counting, the callback, and the copy that goes to the writer. */
#include "crawl/recorder.h"

#include <stdlib.h>
#include <string.h>

/* A record on its way to the writer, with the memory behind it. */
struct owned {
    struct weft_item item;
    struct weft_answer answer; /* links' text, body, wire bytes: moved here, not copied */
    struct weft_record_link *links;
    struct weft_redirect *redirects;
    struct weft_exchange *hops; /* with their bytes behind them */
    char *block;                /* the other strings */
};

static void owned_free(struct weft_item *item)
{
    struct owned *o = (struct owned *)item;
    weft_answer_release(&o->answer);
    weft_buf_release(&o->item.changes);
    free(o->links);
    free(o->redirects);
    free(o->hops);
    free(o->block);
    free(o);
}

static void count(struct weft_crawl_report *report, const struct weft_record *r)
{
    switch (r->outcome) {
    case WEFT_FETCHED:
        report->fetched++;
        break;
    case WEFT_FAILED:
        report->failed[r->reason]++;
        break;
    case WEFT_SKIPPED:
        report->skipped[r->reason]++;
        break;
    }
    report->changes[r->change]++;
    report->bytes += r->bytes;
    report->seeds_failed += r->seed && r->outcome != WEFT_FETCHED;
}

/* The links as outputs read them; with all also those that lead nowhere. NULL: no memory. */
static struct weft_record_link *record_links(const struct weft_answer *a, bool all, unsigned *n)
{
    struct weft_record_link *links = malloc((a->nlinks + 1) * sizeof *links);
    *n = 0;
    for (size_t i = 0; links && i < a->nlinks; i++) {
        const struct weft_found *f = &a->links[i];
        if (all || f->reject == WEFT_REASON_NONE) {
            links[(*n)++] = (struct weft_record_link){
                .url = f->url, .fragment = f->fragment, .nofollow = f->nofollow, .line = f->line};
        }
    }
    return links;
}

static size_t room(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *pack(char **at, const char *text)
{
    if (!text) {
        return NULL;
    }
    size_t n = strlen(text) + 1;
    char *to = memcpy(*at, text, n);
    *at += n;
    return to;
}

/* Copies the strings of *r into o. */
static enum weft_status own_strings(struct owned *o, const struct weft_record *r)
{
    const char *const texts[] = {r->url,           r->error,   r->final_url, r->referrer,
                                 r->content_type,  r->charset, r->title,     r->etag,
                                 r->last_modified, r->ip};
    size_t size = 1;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size += room(texts[i]);
    }
    for (size_t i = 0; i < r->nredirects; i++) {
        size += room(r->redirects[i].url);
    }
    o->block = malloc(size);
    o->redirects = malloc((r->nredirects + 1) * sizeof *o->redirects);
    if (!o->block || !o->redirects) {
        return WEFT_ENOMEM;
    }
    struct weft_record *to = &o->item.record;
    char *at = o->block;
    *to = *r;
    to->url = pack(&at, r->url);
    to->error = pack(&at, r->error);
    to->final_url = pack(&at, r->final_url);
    to->referrer = pack(&at, r->referrer);
    to->content_type = pack(&at, r->content_type);
    to->charset = pack(&at, r->charset);
    to->title = pack(&at, r->title);
    to->etag = pack(&at, r->etag);
    to->last_modified = pack(&at, r->last_modified);
    to->ip = pack(&at, r->ip);
    for (size_t i = 0; i < r->nredirects; i++) {
        o->redirects[i] = (struct weft_redirect){r->redirects[i].status,
                                                 pack(&at, r->redirects[i].url)};
    }
    to->redirects = o->redirects;
    return WEFT_OK;
}

static const char *pack_bytes(char **at, const char *bytes, size_t len)
{
    char *to = *at;
    if (len > 0) {
        memcpy(to, bytes, len);
    }
    *at += len;
    return to;
}

/* Copies what went over the wire for the redirects: few bytes, as a rule. */
static enum weft_status own_hops(struct owned *o, const struct weft_record *r)
{
    size_t size = r->nhops * sizeof *o->hops;
    o->item.record.hops = NULL;
    if (r->nhops == 0) {
        return WEFT_OK;
    }
    for (size_t i = 0; i < r->nhops; i++) {
        const struct weft_exchange *e = &r->hops[i];
        size += room(e->url) + room(e->ip) + e->request_len + e->answer_len;
    }
    o->hops = malloc(size);
    if (!o->hops) {
        return WEFT_ENOMEM;
    }
    char *at = (char *)(o->hops + r->nhops);
    for (size_t i = 0; i < r->nhops; i++) {
        const struct weft_exchange *e = &r->hops[i];
        o->hops[i] = *e;
        o->hops[i].url = pack(&at, e->url);
        o->hops[i].ip = pack(&at, e->ip);
        o->hops[i].request = pack_bytes(&at, e->request, e->request_len);
        o->hops[i].answer = pack_bytes(&at, e->answer, e->answer_len);
    }
    o->item.record.hops = o->hops;
    return WEFT_OK;
}

/* A copy of the record that outlives the call, with what the answer holds for it. */
static enum weft_status own(const struct weft_recorder *rec, const struct weft_record *r,
                            struct weft_answer *answer, struct weft_item **item)
{
    struct owned *o = calloc(1, sizeof *o);
    *item = NULL;
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->item.free = owned_free;
    enum weft_status st = own_strings(o, r);
    if (st == WEFT_OK) {
        st = own_hops(o, r);
    }
    if (st == WEFT_OK && answer) {
        o->answer = *answer;
        *answer = (struct weft_answer){.end = o->answer.end, .status = o->answer.status};
        struct weft_record *to = &o->item.record;
        to->body = o->answer.body;
        to->body_len = o->answer.body_len;
        to->wire_request = o->answer.wire_request;
        to->wire_request_len = o->answer.wire_request_len;
        to->wire_answer = o->answer.wire_answer;
        to->wire_answer_len = o->answer.wire_answer_len;
        if ((rec->wants | rec->tells) & WEFT_WANTS_LINKS) {
            o->links = record_links(&o->answer, false, &to->nlinks);
            to->links = o->links;
            st = o->links ? WEFT_OK : WEFT_ENOMEM;
        }
    }
    if (st != WEFT_OK) {
        owned_free(&o->item);
        return st;
    }
    *item = &o->item;
    return WEFT_OK;
}

/* A record that waited has its turn. Takes item. */
static enum weft_status release(struct weft_recorder *rec, struct weft_item *item)
{
    count(rec->report, &item->record);
    if (rec->options->on_record) {
        rec->options->on_record(rec->options->user, &item->record);
    }
    if (rec->writer) {
        return weft_writer_put(rec->writer, item);
    }
    item->free(item);
    return WEFT_OK;
}

/* The record waits for its turn; then so many as have theirs. */
static enum weft_status wait_in_order(struct weft_recorder *rec, const struct weft_record *r,
                                      struct weft_answer *answer, uint32_t place)
{
    struct weft_item *item;
    enum weft_status st = own(rec, r, answer, &item);
    if (st != WEFT_OK) {
        return st;
    }
    weft_order_put(&rec->order, place, item);
    while (st == WEFT_OK && rec->keeps_order && (item = weft_order_take(&rec->order))) {
        st = release(rec, item);
    }
    return st;
}

/* The callback, with as much of the page as it wants; for a check everything that stands there. */
static enum weft_status tell(const struct weft_recorder *rec, const struct weft_record *r,
                             const struct weft_answer *answer)
{
    const struct weft_crawl_options *o = rec->options;
    struct weft_record full = *r;
    struct weft_record_link *links = NULL;
    if (!o->on_record) {
        return WEFT_OK;
    }
    if (answer && (rec->tells & WEFT_WANTS_BODY)) {
        full.body = answer->body;
        full.body_len = answer->body_len;
    }
    if (answer && (o->check || (rec->tells & WEFT_WANTS_LINKS))) {
        if (!(links = record_links(answer, o->check, &full.nlinks))) {
            return WEFT_ENOMEM;
        }
        full.links = links;
    }
    if (answer && o->check) {
        full.anchors = answer->anchors;
        full.nanchors = answer->nanchors;
    }
    o->on_record(o->user, &full);
    free(links);
    return WEFT_OK;
}

/* A body that only on_record wanted is not to wait for the outputs. */
static void drop_body(const struct weft_recorder *rec, struct weft_answer *answer)
{
    if (answer && !(rec->wants & WEFT_WANTS_BODY)) {
        free(answer->body);
        answer->body = NULL;
        answer->body_len = 0;
    }
}

enum weft_status weft_recorder_emit(struct weft_recorder *rec, struct weft_record *r,
                                    struct weft_answer *answer, uint32_t place)
{
    if (rec->won) {
        return WEFT_OK; /* the race is over */
    }
    bool loses = rec->options->race && r->outcome != WEFT_FETCHED;
    if (loses || rec->keeps_order) {
        return wait_in_order(rec, r, answer, place);
    }
    rec->won = rec->options->race;
    count(rec->report, r);
    if (r->reason == WEFT_REASON_SCOPE && !rec->options->record_skipped && r->status == 0) {
        return WEFT_OK; /* counted, not recorded: the web beyond the scope is large */
    }
    enum weft_status st = tell(rec, r, answer);
    if (st != WEFT_OK || !rec->writer) {
        return st;
    }
    struct weft_item *item;
    drop_body(rec, answer);
    st = own(rec, r, answer, &item);
    if (st == WEFT_OK && rec->journal) {
        item->changes = *rec->journal;
        weft_buf_init(rec->journal, rec->journal->limit);
    }
    return st == WEFT_OK ? weft_writer_put(rec->writer, item) : st;
}

enum weft_status weft_recorder_finish(struct weft_recorder *rec)
{
    enum weft_status st = WEFT_OK;
    struct weft_item *item;
    while (st == WEFT_OK && !rec->won && (item = weft_order_take_any(&rec->order))) {
        st = release(rec, item);
    }
    return st;
}
