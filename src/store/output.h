/* output.h -- what the writer asks of a format. Internal to store.
 *
 * A format is a row of a table: suffixes, what it wants of a record, and five functions. All are
 * called by one thread at a time: open by whoever makes the writer, the others by its thread, on
 * which every signal is blocked. A failing function leaves its sentence in options.failure. */
#ifndef WEFT_STORE_OUTPUT_H
#define WEFT_STORE_OUTPUT_H

#include "store/failure.h"
#include "store/writer.h"
#include <stdbool.h>

struct weft_sqlite_file;

struct weft_output_options { /* everything is borrowed as long as the output lives */
    const char *path;
    enum weft_output_mode mode;
    const char *software;            /* never NULL */
    const char *const *select_names; /* nselect of them */
    size_t nselect;
    bool rows;        /* a page may have any number of rows, not just one */
    bool bodies;      /* records hold bodies, where the format can */
    bool resume;      /* mode is APPEND, and what stands behind position goes */
    int64_t position; /* with resume: what `position` gave when it was last kept */
    const struct weft_sqlite_file *state; /* write into this database, whose transactions are
                                             somebody else's; NULL: a file of its own */
    struct weft_failure *failure;         /* where sentences go */
};

struct weft_output; /* made by open; each format has its own struct behind it */

struct weft_format {
    const char *const *suffixes; /* NULL-terminated; lower case, with the dot */
    unsigned wants;              /* of enum weft_output_wants */
    /* Whether open would fail for something beyond the file itself, changing nothing; called for
     * all outputs before the first is opened. NULL: nothing to ask. WEFT_OK, WEFT_EIO, WEFT_EINVAL.
     */
    enum weft_status (*probe)(const struct weft_output_options *options);
    /* Opens or creates the file and checks it; adds nothing to it yet. Gives *out. WEFT_OK,
     * WEFT_EIO, WEFT_EDONE, WEFT_EINVAL (it is not what could be appended to), WEFT_ENOMEM. */
    enum weft_status (*open)(struct weft_output **out, const struct weft_output_options *options);
    /* Writes what stands before the first record. NULL: nothing does. WEFT_OK, WEFT_EIO. */
    enum weft_status (*begin)(struct weft_output *o);
    /* Writes one record. WEFT_OK, WEFT_EIO. */
    enum weft_status (*write)(struct weft_output *o, const struct weft_record *record);
    /* Makes what was written visible and lasting; called about once a second while records come.
     * NULL: write does. WEFT_OK, WEFT_EIO. */
    enum weft_status (*flush)(struct weft_output *o);
    /* How far it has come, in its own count: what resume leads back to. Asked after flush; -1: it
     * can't be led back (a pipe). NULL: the same. */
    int64_t (*position)(struct weft_output *o);
    /* With resume, once after open for each page that was recorded before, in order. NULL: it needs
     * none. WEFT_OK, WEFT_EIO. */
    enum weft_status (*recall)(struct weft_output *o, const char *url);
    /* Writes what stands behind the last record, unless one of the calls before failed (complete is
     * false then), closes the file and frees o, whatever it returns. summary may be NULL. */
    enum weft_status (*finish)(struct weft_output *o, bool complete,
                               const struct weft_run_summary *summary);
};

extern const struct weft_format weft_format_jsonl;
extern const struct weft_format weft_format_csv;
extern const struct weft_format weft_format_sqlite;
extern const struct weft_format weft_format_warc;
extern const struct weft_format weft_format_dot;
extern const struct weft_format weft_format_graphml;
extern const struct weft_format weft_format_changes; /* by --changes, not by a name */
extern const struct weft_format weft_format_save;    /* by --save, not by a name */

/* The format for a path: by its suffix, case ignored; "-", and devices and pipes without a known
 * suffix, are JSON Lines. NULL: none. May look at the file system. Threads: any. */
const struct weft_format *weft_format_for(const char *path);

/* Writes the known suffixes into out[0..cap), ".jsonl, .csv and - (standard output)". */
void weft_format_list(char *out, size_t cap);

#endif
