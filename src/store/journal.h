/* journal.h -- changes of a crawl's state on their way to the state file.
 *
 * The coordinator notes them in the order in which it makes them; the writer's thread carries them
 * out, in one transaction with the records that belong to them. Knows bytes; knows no SQLite.
 * Internal to crawl and store. Threads: one at a time. */
#ifndef WEFT_STORE_JOURNAL_H
#define WEFT_STORE_JOURNAL_H

#include "base/buf.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stdint.h>

/* What a change is, with the numbers and the texts that it carries, in order. */
enum weft_change_kind {
    WEFT_CHANGE_CLAIM,      /* id, print, kind, seed, depth, place, referrer; url */
    WEFT_CHANGE_END,        /* id, status, digest, round; reason, etag, last_modified */
    WEFT_CHANGE_REDIRECTED, /* id; final_url, hops */
    WEFT_CHANGE_REFERRER,   /* id; url */
    WEFT_CHANGE_PARK,       /* id, print, depth, referrer, reject; url */
    WEFT_CHANGE_UNPARK,     /* id */
    WEFT_CHANGE_HOST,       /* next_start, hold_until, backoff; origin */
    WEFT_CHANGE_PLACE,      /* ; url */
    WEFT_NCHANGES
};

#define WEFT_CHANGE_NUMBERS 7 /* most that a change carries */
#define WEFT_CHANGE_TEXTS   3

struct weft_change {
    enum weft_change_kind kind;
    uint64_t numbers[WEFT_CHANGE_NUMBERS];
    struct weft_change_text {
        const char *text; /* NULL: absent */
        size_t len;
    } texts[WEFT_CHANGE_TEXTS];
};

/* How many numbers and texts a kind carries. Threads: any. */
unsigned weft_change_numbers(enum weft_change_kind kind);
unsigned weft_change_texts(enum weft_change_kind kind);

/* Appends a change (copied). WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_journal_add(struct weft_buf *journal,
                                  const struct weft_change *change) WEFT_MUST_USE;
/* Reads the change at *at and moves *at behind it; its texts lie in the journal. False at the end.
 */
bool weft_journal_next(const struct weft_buf *journal, size_t *at, struct weft_change *change);

#endif
