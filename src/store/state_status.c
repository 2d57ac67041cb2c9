/* state_status.c -- see state_status.h: one query a section. */
#include "store/state_status.h"

#include "store/state_impl.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define BUSY_MS 10000

/* Each gives names and values. */
static const struct {
    const char *section, *sql;
} facts[] = {
    {"URLs", "SELECT CASE WHEN place <> 2 THEN 'waiting' WHEN reason IS NULL THEN 'fetched'"
             " WHEN reason IN ('robots', 'scope', 'filter', 'depth', 'private', 'bad_url', 'limit')"
             " THEN 'skipped, ' || reason ELSE 'failed, ' || reason END, count(*)"
             " FROM urls WHERE kind = 0 GROUP BY 1 ORDER BY 1"},
    {NULL, "SELECT 'found, and not yet decided on', count(*) FROM parked HAVING count(*) > 0"},
    {NULL, "SELECT 'sitemaps', count(*) FROM urls WHERE kind = 1 HAVING count(*) > 0"},
    {"Hosts",
     "SELECT 'known', count(DISTINCT substr(url, 1, instr(substr(url, 9) || '/', '/') + 8))"
     " FROM urls WHERE kind = 0"},
    {NULL, "SELECT 'not to be asked until', strftime('%Y-%m-%dT%H:%M:%SZ', hold_until / 1000000000,"
           " 'unixepoch') || ' ' || origin FROM hosts"
           " WHERE hold_until / 1000000000 > strftime('%s', 'now') ORDER BY 2"},
    {"Crawls", "SELECT 'rounds', value FROM numbers WHERE name = 'round'"},
    {NULL, "SELECT 'runs', count(*) FROM runs"},
    {NULL, "SELECT 'last command', command FROM runs WHERE id = (SELECT max(id) FROM runs)"
           " AND command IS NOT NULL"},
    {NULL, "SELECT 'last start', started_at FROM runs ORDER BY id DESC LIMIT 1"},
    {NULL, "SELECT 'last end', coalesce(ended_at || ' ' || ended, 'none: killed, or running')"
           " FROM runs ORDER BY id DESC LIMIT 1"},
    {"Outputs, and how far each had come", "SELECT path, position FROM outputs ORDER BY path"},
    {"Options that must stay the same",
     "SELECT name, value FROM settings WHERE value <> '' ORDER BY name"},
};

/* Whether a crawl has the file now. Asked before SQLite opens it: closing a descriptor later would
 * drop SQLite's locks. */
static enum weft_status look_at_lock(const char *path, bool *in_use, struct weft_failure *failure)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return weft_fail_errno(failure, "read", path, errno);
    }
    *in_use = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return WEFT_OK;
}

static enum weft_status check_kind(struct weft_sqlite_file *f)
{
    sqlite3_int64 application = 0, version = 0;
    enum weft_status st = weft_sqlite_ask(f, "PRAGMA application_id", &application);
    if (st == WEFT_OK) {
        st = weft_sqlite_ask(f, "PRAGMA user_version", &version);
    }
    if (st == WEFT_OK && (application != WEFT_STATE_APPLICATION || version != WEFT_STATE_VERSION)) {
        st = weft_fail(f->failure, WEFT_EIO, "%s is no state file of this version", f->path);
    }
    return st;
}

static enum weft_status tell_section(struct weft_sqlite_file *f, size_t i, weft_state_fact_fn *each,
                                     void *user)
{
    sqlite3_stmt *q;
    const char *section = facts[i].section;
    int code = SQLITE_DONE;
    enum weft_status st = weft_sqlite_prepare(f, facts[i].sql, &q);
    while (st == WEFT_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        const char *value = (const char *)sqlite3_column_text(q, 1);
        st = each(user, section, name ? name : "", value ? value : "");
        section = NULL;
    }
    st = st == WEFT_OK ? weft_sqlite_bound(f, code) : st;
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_tell(const char *path, weft_state_fact_fn *each, void *user,
                                 struct weft_failure *failure)
{
    struct weft_sqlite_file f = {.path = path, .failure = failure, .reads = true};
    bool in_use = false;
    enum weft_status st = look_at_lock(path, &in_use, failure);
    if (st != WEFT_OK) {
        return st;
    }
    /* Reading a write-ahead log means writing beside it; a folder that forbids that can be read if
     * the crawl was closed well. */
    int code = sqlite3_open_v2(path, &f.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) {
        sqlite3_close(f.db);
        code = sqlite3_open_v2(path, &f.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    }
    sqlite3_busy_timeout(f.db, BUSY_MS);
    st = weft_sqlite_bound(&f, code);
    st = st == WEFT_OK ? check_kind(&f) : st;
    st = st == WEFT_OK ? weft_sqlite_exec(&f, "BEGIN") : st; /* all facts of one moment */
    if (st == WEFT_OK && in_use) {
        st = each(user, "In use", "a crawl is using the file", "");
    }
    for (size_t i = 0; st == WEFT_OK && i < sizeof facts / sizeof facts[0]; i++) {
        st = tell_section(&f, i, each, user);
    }
    struct weft_failure first = *failure;
    (void)!weft_sqlite_close(&f);
    *failure = first;
    return st;
}
