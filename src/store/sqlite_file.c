/* sqlite_file.c -- see sqlite_file.h. */
#include "store/sqlite_file.h"

#include "base/buf.h"
#include "base/limits.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define BUSY_MS 5000 /* how long another writer is waited for */

static const struct weft_sqlite_kind results = {
    .application = 0x77656674, /* "weft": what file(1) and we know the database by */
    .version = 1,
    .tables = "",
    .name = "a results database of this version",
};

static const char schema[] =
    "CREATE TABLE runs("
    " id INTEGER PRIMARY KEY, software TEXT, command TEXT, started_at TEXT, ended_at TEXT,"
    " ended TEXT, fetched INTEGER, failed INTEGER, skipped INTEGER, bytes INTEGER, left INTEGER);"
    "CREATE TABLE pages("
    " id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), url TEXT NOT NULL,"
    " outcome TEXT NOT NULL, reason TEXT, error TEXT, status INTEGER, final_url TEXT NOT NULL,"
    " redirects TEXT NOT NULL, depth INTEGER NOT NULL, referrer TEXT, attempts INTEGER NOT NULL,"
    " content_type TEXT, charset TEXT, title TEXT, bytes INTEGER NOT NULL, body TEXT,"
    " links INTEGER NOT NULL, started_at TEXT, elapsed_ms REAL NOT NULL, worker INTEGER NOT NULL);"
    "CREATE INDEX pages_url ON pages(url);"
    "CREATE INDEX pages_failed ON pages(reason, status) WHERE outcome = 'failed';"
    "CREATE TABLE links("
    " page INTEGER NOT NULL REFERENCES pages(id), position INTEGER NOT NULL, url TEXT NOT NULL,"
    " fragment TEXT, nofollow INTEGER NOT NULL, line INTEGER, PRIMARY KEY(page, position))"
    " WITHOUT ROWID;"
    "CREATE INDEX links_url ON links(url);"
    "CREATE TABLE records("
    " id INTEGER PRIMARY KEY, page INTEGER NOT NULL REFERENCES pages(id), row INTEGER NOT NULL);"
    "CREATE INDEX records_page ON records(page);";

static enum weft_status fail(struct weft_sqlite_file *f, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) {
        return WEFT_OK;
    }
    const char *words = f->db ? sqlite3_errmsg(f->db) : sqlite3_errstr(code);
    int error = f->db ? sqlite3_system_errno(f->db) : 0;
    const char *act = f->reads ? "read" : "write";
    bool system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
    if (system && error) {
        char more[128];
        return weft_fail(f->failure, WEFT_EIO, "can't %s %s: %s: %s", act, f->path, words,
                         strerror_r(error, more, sizeof more));
    }
    return weft_fail(f->failure, WEFT_EIO, "can't %s %s: %s", act, f->path, words);
}

enum weft_status weft_sqlite_bound(struct weft_sqlite_file *f, int code)
{
    return fail(f, code);
}

enum weft_status weft_sqlite_step(struct weft_sqlite_file *f, sqlite3_stmt *statement)
{
    enum weft_status st = fail(f, sqlite3_step(statement));
    sqlite3_reset(statement); /* repeats the error of step, if any */
    return st;
}

enum weft_status weft_sqlite_prepare(struct weft_sqlite_file *f, const char *sql,
                                     sqlite3_stmt **statement)
{
    return fail(f, sqlite3_prepare_v3(f->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL));
}

enum weft_status weft_sqlite_exec(struct weft_sqlite_file *f, const char *sql)
{
    return fail(f, sqlite3_exec(f->db, sql, NULL, NULL, NULL));
}

enum weft_status weft_sqlite_ask(struct weft_sqlite_file *f, const char *sql, sqlite3_int64 *number)
{
    sqlite3_stmt *s;
    *number = 0;
    enum weft_status st = weft_sqlite_prepare(f, sql, &s);
    if (st == WEFT_OK) {
        st = fail(f, sqlite3_step(s));
        *number = st == WEFT_OK ? sqlite3_column_int64(s, 0) : 0;
    }
    sqlite3_finalize(s);
    return st;
}

/* Removes a database with its companions, of which an old one must never meet a new database: its
 * contents would be taken over. */
static enum weft_status remove_database(const struct weft_sqlite_file *f, bool itself)
{
    static const char *const companions[] = {"-wal", "-shm", "-journal"};
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < sizeof companions / sizeof companions[0]; i++) {
        struct weft_buf name;
        weft_buf_init(&name, WEFT_MAX_RECORD);
        st = weft_buf_printf(&name, "%s%s", f->path, companions[i]);
        if (st == WEFT_OK && unlink(name.data) != 0 && errno != ENOENT) {
            st = weft_fail_errno(f->failure, "remove", name.data, errno);
        }
        weft_buf_release(&name);
    }
    if (st == WEFT_OK && itself && unlink(f->path) != 0 && errno != ENOENT) {
        st = weft_fail_errno(f->failure, "remove", f->path, errno);
    }
    return st;
}

/* A database that somebody is using is not pulled away from under them. What is no database at all
 * is replaced like any other file. */
static enum weft_status refuse_if_busy(struct weft_sqlite_file *f)
{
    sqlite3 *old = NULL;
    int code = sqlite3_open_v2(f->path, &old, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(old, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK", NULL,
                            NULL, NULL);
    }
    sqlite3_close(old);
    if (code == SQLITE_BUSY) {
        return weft_fail(f->failure, WEFT_EIO, "can't overwrite %s: another process is using it",
                         f->path);
    }
    return WEFT_OK;
}

static enum weft_status clear_way(struct weft_sqlite_file *f, enum weft_output_mode mode)
{
    bool there = access(f->path, F_OK) == 0;
    if (mode == WEFT_OUTPUT_APPEND && there) {
        return WEFT_OK;
    }
    enum weft_status st = there ? refuse_if_busy(f) : WEFT_OK;
    if (st == WEFT_OK) {
        st = remove_database(f, mode == WEFT_OUTPUT_OVERWRITE);
        f->created = st == WEFT_OK && (!there || mode == WEFT_OUTPUT_OVERWRITE);
    }
    return st;
}

static enum weft_status create(struct weft_sqlite_file *f, const struct weft_sqlite_kind *kind)
{
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             kind->application, kind->version);
    const char *const parts[] = {"BEGIN IMMEDIATE", schema, kind->tables, marks};
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < sizeof parts / sizeof parts[0]; i++) {
        st = weft_sqlite_exec(f, parts[i]);
    }
    return st;
}

/* Creates the tables, or makes sure that they are of this kind. */
static enum weft_status set_up(struct weft_sqlite_file *f, const struct weft_sqlite_kind *kind)
{
    sqlite3_int64 objects, application, version;
    enum weft_status st = weft_sqlite_ask(f, "SELECT count(*) FROM sqlite_schema", &objects);
    if (st == WEFT_OK && objects == 0) {
        return create(f, kind);
    }
    if (st == WEFT_OK) {
        st = weft_sqlite_ask(f, "PRAGMA application_id", &application);
    }
    if (st == WEFT_OK) {
        st = weft_sqlite_ask(f, "PRAGMA user_version", &version);
    }
    if (st == WEFT_OK && (application != kind->application || version != kind->version)) {
        st = weft_fail(f->failure, WEFT_EINVAL, "can't append to %s: it is not %s", f->path,
                       kind->name);
    }
    return st;
}

/* What stands before a selected name in `records`: our own columns keep their names. */
static const char *prefix_of(const char *name)
{
    static const char *const ours[] = {"id", "page", "row"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (strcasecmp(name, ours[i]) == 0) {
            return "fields.";
        }
    }
    return "";
}

static enum weft_status no_memory(struct weft_sqlite_file *f)
{
    return weft_fail_status(f->failure, f->path, WEFT_ENOMEM);
}

static enum weft_status add_column(struct weft_sqlite_file *f, const char *name)
{
    sqlite3_int64 n = 0;
    char *sql = sqlite3_mprintf(
        "SELECT count(*) FROM pragma_table_info('records') WHERE name = '%q%q' COLLATE NOCASE",
        prefix_of(name), name);
    enum weft_status st = sql ? weft_sqlite_ask(f, sql, &n) : no_memory(f);
    sqlite3_free(sql);
    if (st != WEFT_OK || n > 0) {
        return st;
    }
    sql = sqlite3_mprintf("ALTER TABLE records ADD COLUMN \"%w%w\" TEXT", prefix_of(name), name);
    st = sql ? weft_sqlite_exec(f, sql) : no_memory(f);
    sqlite3_free(sql);
    return st;
}

/* SQLite's column names do not tell capitals. */
enum weft_status weft_sqlite_check_names(const struct weft_sqlite_file *f, const char *const *names,
                                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcasecmp(names[i], names[k]) == 0) {
                return weft_fail(f->failure, WEFT_EINVAL,
                                 "can't write %s: \"%s\" and \"%s\" are one column in a database",
                                 f->path, names[k], names[i]);
            }
        }
    }
    return WEFT_OK;
}

enum weft_status weft_sqlite_open_as(struct weft_sqlite_file *f,
                                     const struct weft_sqlite_kind *kind, const char *path,
                                     enum weft_output_mode mode, struct weft_failure *failure)
{
    *f = (struct weft_sqlite_file){.path = path, .failure = failure};
    enum weft_status st = clear_way(f, mode);
    if (st != WEFT_OK) {
        return st;
    }
    /* The writer opens on one thread and writes on another, but never on two at once. */
    st = fail(f, sqlite3_open_v2(f->path, &f->db,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                                 NULL));
    if (st == WEFT_OK) {
        sqlite3_busy_timeout(f->db, BUSY_MS);
        st = set_up(f, kind);
    }
    if (st == WEFT_OK) {
        /* With NORMAL a power cut may lose the last commits, but never harms the database; the
         * death of the process loses none. Savepoints keep what they could undo in memory, not in a
         * file: half of the time of a record. The index of links is hit all over, so the log may
         * grow for a while before its pages are copied back. */
        st = weft_sqlite_exec(f, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                 "PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 10000;"
                                 "PRAGMA cache_size = -32768; PRAGMA foreign_keys = OFF");
        f->logged = st == WEFT_OK;
    }
    return st;
}

enum weft_status weft_sqlite_add_columns(struct weft_sqlite_file *f, const char *const *names,
                                         size_t n)
{
    enum weft_status st = weft_sqlite_check_names(f, names, n);
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        st = add_column(f, names[i]); /* those of earlier runs stay */
    }
    return st;
}

enum weft_status weft_sqlite_open(struct weft_sqlite_file *f,
                                  const struct weft_output_options *options)
{
    *f = (struct weft_sqlite_file){.path = options->path, .failure = options->failure};
    enum weft_status st = weft_sqlite_check_names(f, options->select_names, options->nselect);
    if (st == WEFT_OK) {
        st = weft_sqlite_open_as(f, &results, options->path, options->mode, options->failure);
    }
    return st == WEFT_OK ? weft_sqlite_add_columns(f, options->select_names, options->nselect) : st;
}

/* A database that is moved counts as lost too: its log would stay behind. */
enum weft_status weft_sqlite_check_place(struct weft_sqlite_file *f)
{
    int moved = 0;
    if (sqlite3_file_control(f->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved) {
        return weft_fail(f->failure, WEFT_EIO, "can't write %s: it was moved or removed", f->path);
    }
    return WEFT_OK;
}

enum weft_status weft_sqlite_close(struct weft_sqlite_file *f)
{
    if (!f->db) {
        return WEFT_OK;
    }
    if (f->logged) {
        /* A database with a log can't be read where its reader may not write: on read-only media,
         * in another's folder. What is finished needs none. If it is in use, the log stays. */
        sqlite3_busy_timeout(f->db, 0);
        sqlite3_exec(f->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    enum weft_status st = fail(f, sqlite3_close(f->db));
    f->db = NULL;
    f->logged = false;
    return st;
}

void weft_sqlite_discard(struct weft_sqlite_file *f)
{
    (void)!weft_sqlite_close(f);
    if (f->created) {
        (void)!remove_database(f, true);
    }
}

enum weft_status weft_sqlite_prepare_row(struct weft_sqlite_file *f, const char *const *names,
                                         size_t n, sqlite3_stmt **statement)
{
    struct weft_buf sql;
    *statement = NULL;
    weft_buf_init(&sql, WEFT_MAX_RECORD);
    enum weft_status st = weft_buf_puts(&sql, "INSERT INTO records(page, row");
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        char *column = sqlite3_mprintf(", \"%w%w\"", prefix_of(names[i]), names[i]);
        st = column ? weft_buf_puts(&sql, column) : WEFT_ENOMEM;
        sqlite3_free(column);
    }
    st = st == WEFT_OK ? weft_buf_puts(&sql, ") VALUES(?, ?") : st;
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        st = weft_buf_puts(&sql, ", ?");
    }
    st = st == WEFT_OK ? weft_buf_puts(&sql, ")") : st;
    st = st == WEFT_OK ? weft_sqlite_prepare(f, sql.data, statement)
                       : weft_fail_status(f->failure, f->path, st);
    weft_buf_release(&sql);
    return st;
}
