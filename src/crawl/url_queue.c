/* url_queue.c -- packed entries in a list of blocks. The first block is small, because there may be
 * a million hosts with one URL each; each next one is larger, up to a bound. */
#include "crawl/url_queue.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK 256u
#define LAST_BLOCK  65536u

struct weft_queue_block {
    struct weft_queue_block *next;
    uint32_t read_at, write_at, size;
    char bytes[];
};

/* What stands before each URL's text. Copied with memcpy: entries are not aligned. */
struct head {
    uint64_t print;
    struct weft_referrer *referrer;
    uint32_t depth;
    uint32_t len; /* its top bits: "seed", the reason for a reject, "in a state" */
};
#define SEED_BIT     0x80000000u
#define REJECT_SHIFT 26u
#define STATE_BIT    0x02000000u /* a struct in_state stands between head and text */
#define LEN_MASK     0x01ffffffu

struct in_state {
    uint64_t id;
    struct weft_known *known;
};

/* What stands before the text of an entry with this head. */
static size_t before_text(const struct head *head)
{
    return sizeof *head + (head->len & STATE_BIT ? sizeof(struct in_state) : 0);
}

static size_t room(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

struct weft_known *weft_known_new(uint64_t digest, int status, bool fetched, const char *etag,
                                  const char *last_modified)
{
    struct weft_known *k = malloc(sizeof *k + room(etag) + room(last_modified));
    if (!k) {
        return NULL;
    }
    char *at = (char *)(k + 1);
    *k = (struct weft_known){.digest = digest, .status = status, .fetched = fetched};
    if (etag) {
        k->etag = memcpy(at, etag, room(etag));
    }
    if (last_modified) {
        k->last_modified = memcpy(at + room(etag), last_modified, room(last_modified));
    }
    return k;
}

struct weft_referrer *weft_referrer_new(const char *url)
{
    size_t len = strlen(url);
    struct weft_referrer *r = malloc(sizeof *r + len + 1);
    if (r) {
        r->count = 1;
        r->id = 0;
        memcpy(r->url, url, len + 1);
    }
    return r;
}

void weft_referrer_release(struct weft_referrer *r)
{
    if (r && --r->count == 0) {
        free(r);
    }
}

void weft_url_queue_init(struct weft_url_queue *q)
{
    *q = (struct weft_url_queue){0};
}

void weft_url_queue_release(struct weft_url_queue *q)
{
    struct weft_queued entry;
    while (weft_url_queue_peek(q, &entry)) {
        weft_url_queue_pop(q);
        weft_referrer_release(entry.referrer);
        free(entry.known);
    }
    free(q->first);
    weft_url_queue_init(q);
}

static enum weft_status add_block(struct weft_url_queue *q, size_t need)
{
    size_t size = q->last ? (size_t)q->last->size * 2 : FIRST_BLOCK;
    if (size > LAST_BLOCK) {
        size = LAST_BLOCK;
    }
    if (size < need) {
        size = need;
    }
    struct weft_queue_block *b = malloc(sizeof *b + size);
    if (!b) {
        return WEFT_ENOMEM;
    }
    *b = (struct weft_queue_block){.size = (uint32_t)size};
    if (q->last) {
        q->last->next = b;
    } else {
        q->first = b;
    }
    q->last = b;
    return WEFT_OK;
}

enum weft_status weft_url_queue_push(struct weft_url_queue *q, const struct weft_queued *entry)
{
    struct in_state in_state = {entry->id, entry->known};
    struct head head = {entry->print, entry->referrer, entry->depth,
                        entry->len | (uint32_t)entry->reject << REJECT_SHIFT |
                            (entry->seed ? SEED_BIT : 0) |
                            (entry->id || entry->known ? STATE_BIT : 0)};
    size_t text_at = before_text(&head);
    size_t need = text_at + entry->len + 1;
    if (!q->last || q->last->size - q->last->write_at < need) {
        enum weft_status st = add_block(q, need);
        if (st != WEFT_OK) {
            return st;
        }
    }
    char *at = q->last->bytes + q->last->write_at;
    memcpy(at, &head, sizeof head);
    if (head.len & STATE_BIT) {
        memcpy(at + sizeof head, &in_state, sizeof in_state);
    }
    memcpy(at + text_at, entry->url, entry->len);
    at[text_at + entry->len] = '\0';
    q->last->write_at += (uint32_t)need;
    q->n++;
    if (entry->referrer) {
        entry->referrer->count++;
    }
    return WEFT_OK;
}

/* Drops blocks that have been read to their end; keeps the last one for the next push. */
static void drop_read(struct weft_url_queue *q)
{
    while (q->first && q->first->read_at == q->first->write_at && q->first != q->last) {
        struct weft_queue_block *b = q->first;
        q->first = b->next;
        free(b);
    }
    if (q->n == 0 && q->first) {
        free(q->first);
        q->first = q->last = NULL;
    }
}

bool weft_url_queue_peek(const struct weft_url_queue *q, struct weft_queued *entry)
{
    const struct weft_queue_block *b = q->first;
    while (b && b->read_at == b->write_at) {
        b = b->next;
    }
    if (!b) {
        return false;
    }
    struct head head;
    memcpy(&head, b->bytes + b->read_at, sizeof head);
    struct in_state in_state = {0};
    if (head.len & STATE_BIT) {
        memcpy(&in_state, b->bytes + b->read_at + sizeof head, sizeof in_state);
    }
    *entry = (struct weft_queued){.print = head.print,
                                  .referrer = head.referrer,
                                  .depth = head.depth,
                                  .len = head.len & LEN_MASK,
                                  .url = b->bytes + b->read_at + before_text(&head),
                                  .seed = (head.len & SEED_BIT) != 0,
                                  .reject = (enum weft_reason)(head.len >> REJECT_SHIFT & 0x1f),
                                  .id = in_state.id,
                                  .known = in_state.known};
    return true;
}

void weft_url_queue_pop(struct weft_url_queue *q)
{
    drop_read(q);
    struct weft_queue_block *b = q->first;
    if (!b || b->read_at == b->write_at) {
        return;
    }
    struct head head;
    memcpy(&head, b->bytes + b->read_at, sizeof head);
    b->read_at += (uint32_t)(before_text(&head) + (head.len & LEN_MASK) + 1);
    q->n--;
}
