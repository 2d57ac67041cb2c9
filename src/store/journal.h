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
enum weft_note_kind {
    WEFT_NOTE_CLAIM,      /* id, print, kind, seed, depth, place, referrer; url */
    WEFT_NOTE_DEFER,      /* id, new id: it moves behind those that wait */
    WEFT_NOTE_END,        /* id, status, digest, round; reason, etag, last_modified */
    WEFT_NOTE_REDIRECTED, /* id; final_url, hops */
    WEFT_NOTE_REFERRER,   /* id; url */
    WEFT_NOTE_PARK,       /* id, print, depth, referrer, reject; url */
    WEFT_NOTE_UNPARK,     /* id */
    WEFT_NOTE_HOST,       /* next_start, hold_until, backoff; origin */
    WEFT_NOTE_PLACE,      /* ; url */
    WEFT_NNOTES
};

#define WEFT_NOTE_NUMBERS 7 /* most that a change carries */
#define WEFT_NOTE_TEXTS   3

struct weft_note {
    enum weft_note_kind kind;
    uint64_t numbers[WEFT_NOTE_NUMBERS];
    struct weft_note_text {
        const char *text; /* NULL: absent */
        size_t len;
    } texts[WEFT_NOTE_TEXTS];
};

/* How many numbers and texts a kind carries. Threads: any. */
unsigned weft_note_numbers(enum weft_note_kind kind);
unsigned weft_note_texts(enum weft_note_kind kind);

/* Appends a change (copied). WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_journal_add(struct weft_buf *journal,
                                  const struct weft_note *change) WEFT_MUST_USE;
/* Reads the change at *at and moves *at behind it; its texts lie in the journal. False at the end.
 */
bool weft_journal_next(const struct weft_buf *journal, size_t *at, struct weft_note *change);

#endif
