/* writer.h -- where results go: one thread that writes, behind a bounded queue.
 *
 * When storage slows down, put() blocks and fetching slows down with it; memory does not grow.
 * Each output is one of a table of formats, chosen by the file's name. Knows records, files,
 * SQLite, zlib; knows nothing of how pages were fetched. */
#ifndef WEFT_STORE_WRITER_H
#define WEFT_STORE_WRITER_H

#include "base/buf.h"
#include "weft/clock.h"
#include "weft/record.h"

struct weft_state;

enum weft_output_mode {
    WEFT_OUTPUT_NEW,      /* an existing file is refused */
    WEFT_OUTPUT_APPEND,   /* added to; a torn last line is cut off first */
    WEFT_OUTPUT_OVERWRITE /* replaced */
};

/* What an output needs of a record beyond its row; asked before the crawl, so that nothing is kept
 * that nobody wants. */
enum weft_output_wants {
    WEFT_WANTS_LINKS = 1, /* record.links */
    WEFT_WANTS_BODY = 2,  /* record.body, also of pages that are not HTML */
    WEFT_WANTS_WIRE = 4   /* record.wire_request, wire_answer */
};

/* A record on its way to the outputs. Its maker embeds it in something larger and says in free()
 * how to get rid of that. */
struct weft_item {
    struct weft_record record;
    bool no_record;          /* changes alone */
    struct weft_buf changes; /* a journal (store/journal.h) for the state file, of one transaction
                                with the record; empty: none */
    void (*free)(struct weft_item *item); /* called once, on the writer's thread or in put/close */
    struct weft_item *next;               /* private to the writer */
};

struct weft_run_summary {         /* a row of `runs`, written by close */
    const char *command;          /* the command line or another description */
    int64_t started_at, ended_at; /* nanoseconds since 1970 */
    const char *ended;            /* "finished", "max_pages", ... */
    uint64_t fetched, failed, skipped, bytes, left;
};

struct weft_writer;

struct weft_writer_options {
    const char *const *paths; /* NULL-terminated; "-" is JSON Lines on standard output */
    enum weft_output_mode mode;
    size_t queue_max;         /* records in the queue, 0 = 256 */
    const char *software;     /* for WARC's warcinfo: "weft/0.1.0" */
    const char *changes;      /* JSON Lines of what a re-crawl found changed; NULL: none */
    const char *save_dir;     /* bodies as files below this folder, host/path; NULL: none */
    struct weft_state *state; /* taken on success; NULL: none. It tells how far outputs had come */
    bool fresh;               /* with state: the outputs begin now */
    unsigned commit_records;  /* with state: records of one transaction; 0: 1000 */
    weft_time commit_every;   /* ... and its longest time; 0: 1 s */
    const char *const
        *select_names; /* NULL-terminated --select names, for the table and CSV columns */
    bool rows;         /* --row was given: a page has any number of rows, not just one */
    bool bodies;       /* JSON Lines hold the bodies too */
};

/* Opens every output, starts the thread, gives *out. On failure no file was changed that was not
 * meant to be, and error[0..cap) says in a sentence what is wrong. WEFT_OK; WEFT_EINVAL: a name
 * with no known format; WEFT_EDONE: a file exists; WEFT_EIO; WEFT_ENOMEM; WEFT_EAGAIN. */
enum weft_status weft_writer_new(struct weft_writer **out,
                                 const struct weft_writer_options *options, char *error,
                                 size_t cap) WEFT_MUST_USE;

/* Bits of enum weft_output_wants over all outputs. Threads: any. */
unsigned weft_writer_wants(const struct weft_writer *w);

/* Takes item whatever it returns. Blocks while the queue is full. WEFT_OK; WEFT_EIO: an output
 * failed, now or earlier: nothing more is written (the item is freed). Threads: any. */
enum weft_status weft_writer_put(struct weft_writer *w, struct weft_item *item) WEFT_MUST_USE;

/* Runs call(state, user) on the writer's thread, behind all that was put before, and waits for it.
 * Gives what call returns; WEFT_EIO once an output has failed (call was not run then). Blocks.
 * Threads: any but the writer's. */
enum weft_status weft_writer_call(struct weft_writer *w,
                                  enum weft_status (*call)(struct weft_state *state, void *user),
                                  void *user) WEFT_MUST_USE;

/* WEFT_OK, or WEFT_EIO once an output has failed. Never blocks. Threads: any. */
enum weft_status weft_writer_status(struct weft_writer *w);

/* Writes what is queued, closes the outputs, frees w. summary may be NULL. WEFT_OK, or WEFT_EIO and
 * a sentence in error. NULL is fine. */
enum weft_status weft_writer_close(struct weft_writer *w, const struct weft_run_summary *summary,
                                   char *error, size_t cap);

#endif
