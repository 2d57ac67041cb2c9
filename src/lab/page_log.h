/* page_log.h -- what has been told of a real run, as the text of an event stream: one writer side,
 * any number of readers, each at its own place.
 *
 * The log is kept whole, up to WEFT_PAGE_MAX_EVENTS bytes. So a reader always starts at the
 * beginning, and one that is slow or gone costs its place and nothing else: nobody ever waits for
 * it. Knows bytes and a lock; knows no socket. */
#ifndef WEFT_LAB_PAGE_LOG_H
#define WEFT_LAB_PAGE_LOG_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct weft_page_log; /* counted: src/lab/page_log.c */

/* Gives *out, empty, with one reference. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_page_log_new(struct weft_page_log **out) WEFT_MUST_USE;
/* One more reference, or one less; the last one frees. Threads: any. */
struct weft_page_log *weft_page_log_retain(struct weft_page_log *log);
void weft_page_log_release(struct weft_page_log *log); /* NULL is fine */

/* Appends an event and wakes the readers. name and data are one line each, without line ends.
 * WEFT_OK; WEFT_ELIMIT: there is no room for it (and none for later ones); WEFT_ENOMEM;
 * WEFT_EDONE: the log has ended. Threads: any. */
enum weft_status weft_page_log_put(struct weft_page_log *log, const char *name,
                                   const char *data) WEFT_MUST_USE;
/* Appends the last event, for which room is kept, and ends the log: readers get what is there and
 * then the end. Without memory the log ends without that event. Threads: any, once. */
void weft_page_log_end(struct weft_page_log *log, const char *name, const char *data);

/* One reader; storage is the caller's. */
struct weft_page_reader {
    struct weft_page_log *log; /* a reference of its own */
    size_t at;
    /* Both under the log's lock, so that no wake is lost: they must not block, nor call the log. */
    void (*sleep)(void *user); /* there is nothing: wake will be called, once */
    void (*wake)(void *user);  /* on the writer's thread */
    void *user;
    bool sleeping;
    struct weft_page_reader *next;
};

/* Makes *r a reader of log (retained) from its beginning. */
void weft_page_reader_init(struct weft_page_reader *r, struct weft_page_log *log,
                           void (*sleep)(void *user), void (*wake)(void *user), void *user);
/* Copies up to max bytes to out and returns how many; 0: there is nothing yet, and r sleeps; -1:
 * that was all. Threads: one at a time for one reader; not while it sleeps. Never blocks for
 * long. */
ssize_t weft_page_reader_read(struct weft_page_reader *r, char *out, size_t max);
/* Gives the log back; no wake comes any more. */
void weft_page_reader_release(struct weft_page_reader *r);

#endif
