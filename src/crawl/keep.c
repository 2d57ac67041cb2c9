/* keep.c -- see keep.h. */
#include "crawl/keep.h"

#include "base/limits.h"
#include "crawl/coordinator.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGE_JOURNAL ((size_t)256 << 10)

static enum weft_status note(struct weft_crawl *c, const struct weft_note *change)
{
    return weft_journal_add(&c->keep.journal, change);
}

static struct weft_note_text text_of(const char *text)
{
    return (struct weft_note_text){text, text ? strlen(text) : 0};
}

/* The id of a referrer, which is written once for all links of a page. */
static enum weft_status referrer_id(struct weft_crawl *c, struct weft_referrer *r, uint64_t *id)
{
    *id = 0;
    if (!r) {
        return WEFT_OK;
    }
    enum weft_status st = WEFT_OK;
    if (!r->id) {
        r->id = ++c->keep.last_referrer;
        st = note(c, &(struct weft_note){.kind = WEFT_NOTE_REFERRER,
                                         .numbers = {r->id},
                                         .texts = {text_of(r->url)}});
    }
    *id = r->id;
    return st;
}

bool weft_keep_has_room(const struct weft_crawl *c)
{
    /* Once some wait on disk all do, until those have been loaded: so ids stay in order. */
    return !c->keep.on || (c->keep.on_disk == 0 && c->frontier.queued < c->keep.room);
}

/* of: whether it is a seed; of a sitemap, its nesting. */
static enum weft_status note_claim(struct weft_crawl *c, struct weft_queued *entry,
                                   enum weft_state_url_kind kind, unsigned of,
                                   enum weft_state_place place)
{
    uint64_t referrer;
    enum weft_status st = referrer_id(c, entry->referrer, &referrer);
    entry->id = ++c->keep.last_id;
    struct weft_note change = {
        .kind = WEFT_NOTE_CLAIM,
        .numbers = {entry->id, entry->print, kind, of, entry->depth, place, referrer},
        .texts = {{entry->url, entry->len}}};
    return st == WEFT_OK ? note(c, &change) : st;
}

enum weft_status weft_keep_claim(struct weft_crawl *c, struct weft_queued *entry, bool in_memory)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    enum weft_status st = note_claim(c, entry, WEFT_STATE_PAGE, entry->seed,
                                     in_memory ? WEFT_STATE_IN_MEMORY : WEFT_STATE_ON_DISK);
    if (st == WEFT_OK && !in_memory) {
        c->keep.cursor = c->keep.on_disk == 0 ? entry->id - 1 : c->keep.cursor;
        c->keep.on_disk++;
    }
    return st;
}

enum weft_status weft_keep_claim_sitemap(struct weft_crawl *c, struct weft_queued *entry,
                                         unsigned nesting)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    return note_claim(c, entry, WEFT_STATE_SITEMAP, nesting, WEFT_STATE_IN_MEMORY);
}

enum weft_status weft_keep_claim_member(struct weft_crawl *c, struct weft_member *m)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    struct weft_queued entry = {.print = m->print,
                                .referrer = m->referrer,
                                .depth = m->depth,
                                .len = (uint32_t)strlen(m->url),
                                .url = m->url};
    enum weft_status st = weft_keep_claim(c, &entry, true);
    m->id = entry.id;
    return st;
}

/* Where a URL that redirected went, for those who are redirected to it later. */
static enum weft_status note_redirects(struct weft_crawl *c, uint64_t id,
                                       const struct weft_record *r)
{
    struct weft_buf hops;
    weft_buf_init(&hops, WEFT_MAX_RECORD);
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < r->nredirects; i++) {
        st = weft_buf_printf(&hops, "%d %s\n", r->redirects[i].status, r->redirects[i].url);
    }
    if (st == WEFT_OK) {
        const char *final_url = r->final_url ? r->final_url : r->url;
        st = note(c, &(struct weft_note){.kind = WEFT_NOTE_REDIRECTED,
                                         .numbers = {id},
                                         .texts = {text_of(final_url), {hops.data, hops.len}}});
    }
    weft_buf_release(&hops);
    return st;
}

static enum weft_status note_end(struct weft_crawl *c, uint64_t id, const struct weft_record *r,
                                 uint64_t digest)
{
    struct weft_note change = {.kind = WEFT_NOTE_END,
                               .numbers = {id, (uint64_t)r->status, digest, c->keep.round}};
    if (r->reason != WEFT_REASON_NONE) {
        change.texts[0] = text_of(weft_reason_name(r->reason));
    }
    change.texts[1] = text_of(r->etag);
    change.texts[2] = text_of(r->last_modified);
    return note(c, &change);
}

enum weft_status weft_keep_end(struct weft_crawl *c, const struct weft_member *m,
                               const struct weft_record *r, const struct weft_answer *a)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    enum weft_status st = note_end(c, m->id, r, a ? a->digest : 0);
    return st == WEFT_OK && r->nredirects > 0 ? note_redirects(c, m->id, r) : st;
}

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

enum weft_change weft_keep_change(const struct weft_crawl *c, const struct weft_member *m,
                                  const struct weft_record *r, const struct weft_answer *a)
{
    const struct weft_known *was = m->known;
    if (!c->options.recrawl) {
        return WEFT_CHANGE_NONE;
    }
    if (r->reason != WEFT_REASON_NONE) {
        return was && was->fetched && (r->status == 404 || r->status == 410) ? WEFT_CHANGE_GONE
                                                                             : WEFT_CHANGE_NONE;
    }
    if (!was || !was->fetched) {
        return WEFT_CHANGE_NEW;
    }
    if (r->status == 304 || same(was->etag, r->etag)) {
        return WEFT_CHANGE_UNCHANGED;
    }
    if (was->digest && a && a->digest) { /* whatever the date says */
        return was->digest == a->digest ? WEFT_CHANGE_UNCHANGED : WEFT_CHANGE_CHANGED;
    }
    if (same(was->last_modified, r->last_modified) || (!a && !was->digest)) {
        return WEFT_CHANGE_UNCHANGED; /* the second: a redirect, then as now */
    }
    bool can_tell = was->etag || was->last_modified || was->digest || r->etag || r->last_modified;
    return can_tell ? WEFT_CHANGE_CHANGED : WEFT_CHANGE_NONE;
}

enum weft_status weft_keep_end_sitemap(struct weft_crawl *c, const struct weft_visit *v)
{
    struct weft_record r = {.status = v->answer.status};
    return c->keep.on ? note_end(c, v->members[0].id, &r, 0) : WEFT_OK;
}

enum weft_status weft_keep_skip(struct weft_crawl *c, const struct weft_queued *found,
                                const struct weft_record *r)
{
    /* What is out of scope is judged again when it is found again: the web beyond is large. */
    if (!c->keep.on || (r->reason == WEFT_REASON_SCOPE && !c->options.record_skipped)) {
        return WEFT_OK;
    }
    struct weft_queued entry = *found;
    enum weft_status st = note_claim(c, &entry, WEFT_STATE_PAGE, entry.seed, WEFT_STATE_ENDED);
    return st == WEFT_OK ? note_end(c, entry.id, r, 0) : st;
}

enum weft_status weft_keep_park(struct weft_crawl *c, struct weft_queued *entry)
{
    uint64_t referrer;
    if (!c->keep.on) {
        return WEFT_OK;
    }
    enum weft_status st = referrer_id(c, entry->referrer, &referrer);
    entry->id = ++c->keep.last_parked;
    struct weft_note change = {
        .kind = WEFT_NOTE_PARK,
        .numbers = {entry->id, entry->print, entry->depth, referrer, entry->reject},
        .texts = {{entry->url, entry->len}}};
    return st == WEFT_OK ? note(c, &change) : st;
}

enum weft_status weft_keep_unpark(struct weft_crawl *c, struct weft_queued *entry)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    struct weft_note change = {.kind = WEFT_NOTE_UNPARK, .numbers = {entry->id}};
    entry->id = 0;
    return note(c, &change);
}

enum weft_status weft_keep_host(struct weft_crawl *c, const struct weft_host *h, weft_time now)
{
    if (!c->keep.on || (h->next_start <= now && h->hold_until <= now)) {
        return WEFT_OK;
    }
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    int64_t wall = (int64_t)ts.tv_sec * WEFT_SECOND + ts.tv_nsec - now; /* of a time on our clock */
    return note(c, &(struct weft_note){.kind = WEFT_NOTE_HOST,
                                       .numbers = {(uint64_t)(h->next_start + wall),
                                                   (uint64_t)(h->hold_until + wall), h->backoff},
                                       .texts = {text_of(h->origin)}});
}

enum weft_status weft_keep_place(struct weft_crawl *c, const char *url)
{
    if (!c->keep.on) {
        return WEFT_OK;
    }
    return note(c, &(struct weft_note){.kind = WEFT_NOTE_PLACE, .texts = {text_of(url)}});
}

bool weft_keep_leaves(struct weft_crawl *c, struct weft_visit *v, enum weft_reason reason)
{
    bool interrupted = v->kind == WEFT_VISIT_PAGE ? reason == WEFT_REASON_INTERRUPTED
                                                  : v->answer.end == WEFT_FETCH_INTERRUPTED;
    if (!c->keep.on || !interrupted) {
        return false;
    }
    /* Behind the others, so that runs with small budgets don't do the same again and again: it may
     * wait for one of those. Without memory for that it keeps its place. */
    for (size_t i = 0; v->kind == WEFT_VISIT_PAGE && i < v->nmembers; i++) {
        struct weft_note defer = {.kind = WEFT_NOTE_DEFER,
                                  .numbers = {v->members[i].id, c->keep.last_id + 1}};
        c->keep.last_id += note(c, &defer) == WEFT_OK;
    }
    c->keep.left += v->nmembers;
    weft_visit_free(v);
    return true;
}

static void free_item(struct weft_item *item)
{
    weft_buf_release(&item->changes);
    free(item);
}

enum weft_status weft_keep_flush(struct weft_crawl *c)
{
    struct weft_buf *journal = &c->keep.journal;
    if (journal->len == 0 || !c->writer) {
        return WEFT_OK;
    }
    struct weft_item *item = calloc(1, sizeof *item);
    if (!item) {
        return WEFT_ENOMEM;
    }
    item->free = free_item;
    item->no_record = true;
    item->changes = *journal;
    weft_buf_init(journal, journal->limit);
    return weft_writer_put(c->writer, item);
}

enum weft_status weft_keep_flush_large(struct weft_crawl *c)
{
    return c->keep.journal.len > LARGE_JOURNAL ? weft_keep_flush(c) : WEFT_OK;
}
