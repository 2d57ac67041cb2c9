/* sqlite_file.h -- a results database: opening, schema, and SQLite's errors as sentences.
 *
 * Knows SQLite and the schema; knows no records. Internal to store. Threads: one at a time. */
#ifndef WEFT_STORE_SQLITE_FILE_H
#define WEFT_STORE_SQLITE_FILE_H

#include "store/output.h"
#include <sqlite3.h>

struct weft_sqlite_file {
    sqlite3 *db;
    const char *path;             /* borrowed */
    struct weft_failure *failure; /* borrowed */
    bool created;                 /* by us: nothing stood there, or it was removed */
};

/* Opens or creates the database and its tables. A database that is not weft's is refused for
 * appending. Fills f, which weft_sqlite_close ends, also after a failure. WEFT_OK, WEFT_EINVAL (it
 * can't be appended to; two selected names that SQLite takes for one), WEFT_EIO, WEFT_ENOMEM. */
enum weft_status weft_sqlite_open(struct weft_sqlite_file *f,
                                  const struct weft_output_options *options) WEFT_MUST_USE;

/* Closes. All zero is fine. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_close(struct weft_sqlite_file *f) WEFT_MUST_USE;
/* The same when opening came to nothing: also removes what it created. */
void weft_sqlite_discard(struct weft_sqlite_file *f);

/* Prepares one statement, NULL on failure. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_prepare(struct weft_sqlite_file *f, const char *sql,
                                     sqlite3_stmt **statement) WEFT_MUST_USE;
/* The insertion into `records`: page, row, then the selected values. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_prepare_row(struct weft_sqlite_file *f, const char *const *names,
                                         size_t n, sqlite3_stmt **statement) WEFT_MUST_USE;

/* Runs a statement that gives no rows, and makes it ready to run again. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_step(struct weft_sqlite_file *f,
                                  sqlite3_stmt *statement) WEFT_MUST_USE;
/* What sqlite3_bind_* said, as a status. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_bound(struct weft_sqlite_file *f, int code) WEFT_MUST_USE;
/* Runs statements. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_exec(struct weft_sqlite_file *f, const char *sql) WEFT_MUST_USE;

#endif
