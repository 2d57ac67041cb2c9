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
    bool reads;                   /* nothing is written: what is said of errors */
    bool created;                 /* by us: nothing stood there, or it was removed */
    bool logged;                  /* its journal is a write-ahead log now */
};

/* What marks a kind of database, and which tables it has beside those of results. */
struct weft_sqlite_kind {
    int application, version; /* in the file's application_id and user_version */
    const char *tables;       /* statements */
    const char *name;         /* "a results database of this version" */
};

/* Opens or creates a database of this kind, with the tables of results. One of another kind is
 * refused; so is one without any mark that has tables. Fills f, which weft_sqlite_close ends, also
 * after a failure. path and failure are borrowed. WEFT_OK, WEFT_EINVAL (another kind), WEFT_EIO. */
enum weft_status weft_sqlite_open_as(struct weft_sqlite_file *f,
                                     const struct weft_sqlite_kind *kind, const char *path,
                                     enum weft_output_mode mode,
                                     struct weft_failure *failure) WEFT_MUST_USE;
/* Refuses two selected names that SQLite takes for one; of f it needs path and failure. WEFT_OK,
 * WEFT_EINVAL. */
enum weft_status weft_sqlite_check_names(const struct weft_sqlite_file *f, const char *const *names,
                                         size_t n) WEFT_MUST_USE;
/* Gives `records` a column for each selected name that it lacks. WEFT_OK, WEFT_EINVAL (two names
 * that SQLite takes for one), WEFT_EIO. */
enum weft_status weft_sqlite_add_columns(struct weft_sqlite_file *f, const char *const *names,
                                         size_t n) WEFT_MUST_USE;

/* Opens or creates the database and its tables. A database that is not weft's is refused for
 * appending. Fills f, which weft_sqlite_close ends, also after a failure. WEFT_OK, WEFT_EINVAL (it
 * can't be appended to; two selected names that SQLite takes for one), WEFT_EIO, WEFT_ENOMEM. */
enum weft_status weft_sqlite_open(struct weft_sqlite_file *f,
                                  const struct weft_output_options *options) WEFT_MUST_USE;

/* Whether the database still is where it was opened: SQLite would write on into a file that nobody
 * finds. Asked before each commit. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_check_place(struct weft_sqlite_file *f) WEFT_MUST_USE;

/* Closes, as a single file unless somebody reads it at that moment. All zero is fine. WEFT_OK,
 * WEFT_EIO. */
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
/* The number that a query gives; 0 when it gives no row. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_ask(struct weft_sqlite_file *f, const char *sql,
                                 sqlite3_int64 *number) WEFT_MUST_USE;
/* Runs statements. WEFT_OK, WEFT_EIO. */
enum weft_status weft_sqlite_exec(struct weft_sqlite_file *f, const char *sql) WEFT_MUST_USE;

#endif
