/* refill.c -- the frontier beyond memory: URLs that wait on disk are loaded, in the order in which
 * they were claimed, when few are left. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <stdlib.h>
#include <string.h>

/* What is read, on the writer's thread, while the coordinator waits. */
struct batch {
    struct weft_url_queue queue;
    uint64_t after, last; /* ids */
    size_t limit;
    bool with_known;
    uint64_t referrer_id;
    struct weft_referrer *referrer; /* of the row before: often the same */
};

static enum weft_status take_row(void *user, const struct weft_state_url *row)
{
    struct batch *b = user;
    if (row->referrer && row->referrer_id != b->referrer_id) {
        weft_referrer_release(b->referrer);
        b->referrer = weft_referrer_new(row->referrer);
        b->referrer_id = row->referrer_id;
        if (!b->referrer) {
            return WEFT_ENOMEM;
        }
        b->referrer->id = row->referrer_id;
    }
    struct weft_queued entry = {.print = row->print,
                                .referrer = row->referrer ? b->referrer : NULL,
                                .depth = row->depth,
                                .len = (uint32_t)strlen(row->url),
                                .url = row->url,
                                .seed = row->seed,
                                .id = row->id};
    if (b->with_known && row->round > 0) {
        entry.known = weft_known_new(row->digest, row->status, row->reason == NULL, row->etag,
                                     row->last_modified);
        if (!entry.known) {
            return WEFT_ENOMEM;
        }
    }
    enum weft_status st = weft_url_queue_push(&b->queue, &entry);
    if (st != WEFT_OK) {
        free(entry.known);
    }
    b->last = row->id;
    return st;
}

static enum weft_status load(struct weft_state *state, void *user)
{
    struct batch *b = user;
    return weft_state_load(state, WEFT_STATE_PAGE, b->after, b->limit, take_row, b);
}

/* Puts one loaded URL into the frontier. It was counted as a page of its host when it was claimed.
 */
static enum weft_status add(struct weft_crawl *c, const struct weft_queued *entry)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    struct weft_host *h;
    weft_time now = c->now(c->now_user);
    enum weft_status st = weft_url_parse(&url, text, sizeof text, NULL, entry->url, entry->len,
                                         NULL);
    if (st == WEFT_OK) {
        st = weft_frontier_add(&c->frontier, &url, entry, now);
    }
    if (st == WEFT_OK && c->options.max_host_pages) {
        st = weft_frontier_host(&c->frontier, &url, now, &h);
        if (st == WEFT_OK) {
            h->pages--;
        }
    }
    return st;
}

static enum weft_status add_all(struct weft_crawl *c, struct weft_url_queue *queue)
{
    struct weft_queued entry;
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && weft_url_queue_peek(queue, &entry)) {
        weft_url_queue_pop(queue);
        st = add(c, &entry);
        weft_referrer_release(entry.referrer);
        if (st != WEFT_OK) {
            free(entry.known);
        }
        c->keep.on_disk--;
    }
    return st;
}

enum weft_status weft_keep_refill(struct weft_crawl *c)
{
    struct weft_keep *k = &c->keep;
    if (k->on_disk == 0 || c->stopping || c->frontier.policy.timed_only ||
        c->frontier.queued > k->room / 2) {
        return WEFT_OK;
    }
    enum weft_status st = weft_keep_flush(c); /* so that the rows are there */
    if (st != WEFT_OK) {
        return st;
    }
    struct batch b = {
        .after = k->cursor, .limit = k->room - c->frontier.queued, .with_known = k->round > 1};
    weft_url_queue_init(&b.queue);
    st = weft_writer_call(c->writer, load, &b);
    if (st == WEFT_OK && b.queue.n == 0) {
        k->on_disk = 0; /* can't be: the table was changed by somebody else */
    }
    if (st == WEFT_OK) {
        k->cursor = b.last;
        st = add_all(c, &b.queue);
    }
    weft_url_queue_release(&b.queue);
    weft_referrer_release(b.referrer);
    return st;
}
