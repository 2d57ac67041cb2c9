/* state.c -- opening, locking, settings, transactions and closing of a state file. */
#include "store/state_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Claimed URLs stand in the order of their ids and are found by them alone, so that the table only
 * grows at its end: an index by fingerprint would be written all over. */
static const struct weft_sqlite_kind kind = {
    .application = WEFT_STATE_APPLICATION,
    .version = WEFT_STATE_VERSION,
    .tables =
        "CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE numbers(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE outputs(path TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE urls("
        " id INTEGER PRIMARY KEY, print INTEGER NOT NULL, kind INTEGER NOT NULL,"
        " seed INTEGER NOT NULL, depth INTEGER NOT NULL, place INTEGER NOT NULL,"
        " referrer INTEGER NOT NULL, url TEXT NOT NULL, round INTEGER NOT NULL DEFAULT 0,"
        " status INTEGER NOT NULL DEFAULT 0, reason TEXT, etag TEXT, last_modified TEXT,"
        " digest INTEGER NOT NULL DEFAULT 0);"
        "CREATE TABLE referrers(id INTEGER PRIMARY KEY, url TEXT NOT NULL);"
        "CREATE TABLE redirected(id INTEGER PRIMARY KEY, final_url TEXT NOT NULL,"
        " hops TEXT NOT NULL);"
        "CREATE TABLE parked(id INTEGER PRIMARY KEY, print INTEGER NOT NULL,"
        " depth INTEGER NOT NULL, referrer INTEGER NOT NULL, reject INTEGER NOT NULL,"
        " url TEXT NOT NULL);"
        "CREATE TABLE hosts(origin TEXT PRIMARY KEY, next_start INTEGER NOT NULL,"
        " hold_until INTEGER NOT NULL, backoff INTEGER NOT NULL) WITHOUT ROWID;"
        "CREATE TABLE places(url TEXT PRIMARY KEY) WITHOUT ROWID",
    .name = "a state file of this version",
};

/* Takes the lock that tells a second process that the file is in use. It is held on a descriptor of
 * its own, which is closed after SQLite's: closing it earlier would drop SQLite's locks too. */
static enum weft_status lock(struct weft_state *s, bool *empty)
{
    struct weft_failure *failure = s->file.failure;
    struct stat st;
    s->lock_fd = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (s->lock_fd < 0) {
        return weft_fail_errno(failure, "open", s->path, errno);
    }
    if (fstat(s->lock_fd, &st) != 0) {
        return weft_fail_errno(failure, "open", s->path, errno);
    }
    if (!S_ISREG(st.st_mode)) {
        return weft_fail(failure, WEFT_EIO, "can't use %s: it is no ordinary file", s->path);
    }
    if (flock(s->lock_fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return weft_fail(failure, WEFT_EIO, "can't use %s: another process is crawling with it",
                         s->path);
    }
    *empty = st.st_size == 0;
    return WEFT_OK;
}

static enum weft_status open_database(struct weft_state *s)
{
    bool empty = false;
    struct weft_failure *failure = s->file.failure;
    enum weft_status st = lock(s, &empty);
    if (st != WEFT_OK) {
        return st;
    }
    st = weft_sqlite_open_as(&s->file, &kind, s->path, empty ? WEFT_OUTPUT_NEW : WEFT_OUTPUT_APPEND,
                             failure);
    s->file.created = empty;
    if (st == WEFT_EINVAL) {
        st = weft_fail(failure, WEFT_EIO, "can't use %s: it is not %s", s->path, kind.name);
    }
    /* Those that were in memory when the last process died wait again. */
    if (st == WEFT_OK) {
        st = weft_sqlite_exec(&s->file, "BEGIN IMMEDIATE;"
                                        "UPDATE urls SET place = 0 WHERE place = 1");
    }
    sqlite3_int64 settings = 0;
    if (st == WEFT_OK) {
        st = weft_sqlite_ask(&s->file, "SELECT count(*) FROM settings", &settings);
    }
    s->is_new = settings == 0; /* whoever made the file may have died before it said what for */
    return st == WEFT_OK ? weft_state_prepare(s) : st;
}

enum weft_status weft_state_open(struct weft_state **out, const char *path,
                                 struct weft_failure *failure)
{
    struct weft_state *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s) {
        return weft_fail(failure, WEFT_ENOMEM, "%s", weft_strerror(WEFT_ENOMEM));
    }
    s->path = path;
    s->lock_fd = -1;
    s->file.failure = failure;
    enum weft_status st = open_database(s);
    if (st != WEFT_OK) {
        struct weft_failure first = *failure;
        weft_state_abandon(s);
        *failure = first;
        return st;
    }
    *out = s;
    return WEFT_OK;
}

static void finalize(struct weft_state *s)
{
    for (size_t i = 0; i < WEFT_NNOTES; i++) {
        sqlite3_finalize(s->change[i]);
    }
    sqlite3_finalize(s->begin);
    sqlite3_finalize(s->commit);
    sqlite3_finalize(s->set_position);
}

static void unlock(struct weft_state *s)
{
    if (s->lock_fd >= 0) {
        close(s->lock_fd);
    }
    free(s);
}

void weft_state_abandon(struct weft_state *s)
{
    if (!s) {
        return;
    }
    finalize(s);
    weft_sqlite_discard(&s->file); /* closing rolls back */
    unlock(s);
}

static enum weft_status commit(struct weft_state *s)
{
    enum weft_status st = weft_sqlite_check_place(&s->file);
    return st == WEFT_OK ? weft_sqlite_step(&s->file, s->commit) : st;
}

enum weft_status weft_state_close(struct weft_state *s)
{
    enum weft_status st = commit(s);
    struct weft_failure *failure = s->file.failure, first = *failure;
    finalize(s);
    enum weft_status closed = weft_sqlite_close(&s->file);
    unlock(s);
    if (st != WEFT_OK) {
        *failure = first;
    }
    return st == WEFT_OK ? closed : st;
}

void weft_state_report_to(struct weft_state *s, struct weft_failure *failure)
{
    s->file.failure = failure;
}

const char *weft_state_path(const struct weft_state *s)
{
    return s->path;
}

struct weft_sqlite_file *weft_state_file(struct weft_state *s)
{
    return &s->file;
}

bool weft_state_is_new(const struct weft_state *s)
{
    return s->is_new;
}

enum weft_status weft_state_commit(struct weft_state *s)
{
    enum weft_status st = commit(s);
    s->file.created = s->file.created && st != WEFT_OK; /* it holds something now: never removed */
    return st == WEFT_OK ? weft_sqlite_step(&s->file, s->begin) : st;
}

enum weft_status weft_state_rollback(struct weft_state *s)
{
    if (!sqlite3_get_autocommit(s->file.db)) { /* an error may have rolled it back already */
        enum weft_status st = weft_sqlite_exec(&s->file, "ROLLBACK");
        if (st != WEFT_OK) {
            return st;
        }
    }
    return weft_sqlite_step(&s->file, s->begin);
}

/* One setting: kept in a new file, else compared. */
static enum weft_status compare(struct weft_state *s, sqlite3_stmt *q,
                                const struct weft_state_setting *setting)
{
    enum weft_status st = WEFT_OK;
    sqlite3_bind_text(q, 1, setting->name, -1, SQLITE_STATIC);
    if (s->is_new) {
        sqlite3_bind_text(q, 2, setting->value, -1, SQLITE_STATIC);
        return weft_sqlite_step(&s->file, q);
    }
    int code = sqlite3_step(q);
    const char *was = code == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : "";
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        st = weft_sqlite_bound(&s->file, code);
    } else if (!was || strcmp(was, setting->value) != 0) {
        st = weft_fail(s->file.failure, WEFT_EINVAL,
                       "%s was begun with %s%s%s; going on with %s%s%s would mix two crawls: give "
                       "the same, or another --state",
                       s->path, was && *was ? setting->name : "no ",
                       was && *was ? " " : setting->name, was ? was : "",
                       *setting->value ? setting->name : "no ",
                       *setting->value ? " " : setting->name, setting->value);
    }
    sqlite3_reset(q);
    return st;
}

enum weft_status weft_state_compare(struct weft_state *s, const struct weft_state_setting *settings,
                                    size_t n)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(&s->file,
                                              s->is_new
                                                  ? "INSERT INTO settings(name, value) VALUES(?, ?)"
                                                  : "SELECT value FROM settings WHERE name = ?",
                                              &q);
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        st = compare(s, q, &settings[i]);
    }
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_is_done(struct weft_state *s, bool *done)
{
    sqlite3_int64 waiting;
    enum weft_status st = weft_sqlite_ask(&s->file,
                                          "SELECT EXISTS(SELECT 1 FROM urls WHERE place <> 2)"
                                          " OR EXISTS(SELECT 1 FROM parked)",
                                          &waiting);
    *done = st == WEFT_OK && waiting == 0;
    return st;
}

enum weft_status weft_state_begin_round(struct weft_state *s, uint64_t round)
{
    enum weft_status st = weft_state_set(s, "round", round);
    if (st != WEFT_OK) {
        return st;
    }
    /* What was dropped where it was found stays dropped: it would be again. Sitemaps are forgotten:
     * robots.txt, which is asked anew, names those to be read in this round. */
    return weft_sqlite_exec(&s->file,
                            "UPDATE urls SET place = 0 WHERE kind = 0 AND (status <> 0 OR"
                            " reason NOT IN ('scope', 'filter', 'depth', 'limit', 'bad_url'));"
                            "DELETE FROM urls WHERE kind = 1;"
                            "DELETE FROM redirected; DELETE FROM outputs");
}
