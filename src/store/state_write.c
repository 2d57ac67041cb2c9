/* state_write.c -- what is written into a state file while a crawl runs: changes, numbers, how far
 * the outputs have come. */
#include "store/state_impl.h"

#include <string.h>

static const char *const changes[WEFT_NNOTES] = {
    [WEFT_NOTE_CLAIM] = "INSERT INTO urls(id, print, kind, seed, depth, place, referrer, url)"
                        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [WEFT_NOTE_DEFER] = "UPDATE urls SET id = ?2 WHERE id = ?1",
    /* An answer 304 says nothing new of the page: what was known of it stays. */
    [WEFT_NOTE_END] = "UPDATE urls SET place = 2, status = ?2, round = ?4, reason = ?5,"
                      " digest = iif(?2 = 304, digest, ?3),"
                      " etag = iif(?2 = 304, coalesce(?6, etag), ?6),"
                      " last_modified = iif(?2 = 304, coalesce(?7, last_modified), ?7)"
                      " WHERE id = ?1",
    [WEFT_NOTE_REDIRECTED] = "INSERT OR REPLACE INTO redirected(id, final_url, hops)"
                             " VALUES(?1, ?2, ?3)",
    [WEFT_NOTE_REFERRER] = "INSERT INTO referrers(id, url) VALUES(?1, ?2)",
    [WEFT_NOTE_PARK] = "INSERT INTO parked(id, print, depth, referrer, reject, url)"
                       " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
    [WEFT_NOTE_UNPARK] = "DELETE FROM parked WHERE id = ?1",
    [WEFT_NOTE_HOST] = "INSERT OR REPLACE INTO hosts(next_start, hold_until, backoff, origin)"
                       " VALUES(?1, ?2, ?3, ?4)",
    [WEFT_NOTE_PLACE] = "INSERT OR IGNORE INTO places(url) VALUES(?1)",
};

enum weft_status weft_state_prepare(struct weft_state *s)
{
    enum weft_status st = weft_sqlite_prepare(&s->file, "BEGIN IMMEDIATE", &s->begin);
    if (st == WEFT_OK) {
        st = weft_sqlite_prepare(&s->file, "COMMIT", &s->commit);
    }
    if (st == WEFT_OK) {
        st = weft_sqlite_prepare(&s->file,
                                 "INSERT OR REPLACE INTO outputs(path, position) VALUES(?1, ?2)",
                                 &s->set_position);
    }
    for (size_t i = 0; st == WEFT_OK && i < WEFT_NNOTES; i++) {
        st = weft_sqlite_prepare(&s->file, changes[i], &s->change[i]);
    }
    return st;
}

static enum weft_status carry_out(struct weft_state *s, const struct weft_note *change)
{
    sqlite3_stmt *q = s->change[change->kind];
    unsigned numbers = weft_note_numbers(change->kind), texts = weft_note_texts(change->kind);
    int code = SQLITE_OK;
    for (unsigned i = 0; code == SQLITE_OK && i < numbers; i++) {
        code = sqlite3_bind_int64(q, (int)i + 1, (sqlite3_int64)change->numbers[i]);
    }
    for (unsigned i = 0; code == SQLITE_OK && i < texts; i++) {
        code = sqlite3_bind_text(q, (int)(numbers + i) + 1, change->texts[i].text,
                                 (int)change->texts[i].len, SQLITE_STATIC);
    }
    enum weft_status st = weft_sqlite_bound(&s->file, code);
    return st == WEFT_OK ? weft_sqlite_step(&s->file, q) : st;
}

enum weft_status weft_state_apply(struct weft_state *s, const struct weft_buf *journal)
{
    struct weft_note change;
    size_t at = 0;
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && weft_journal_next(journal, &at, &change)) {
        st = carry_out(s, &change);
    }
    return st;
}

enum weft_status weft_state_get(struct weft_state *s, const char *name, uint64_t *value)
{
    sqlite3_stmt *q;
    *value = 0;
    enum weft_status st = weft_sqlite_prepare(&s->file, "SELECT value FROM numbers WHERE name = ?",
                                              &q);
    if (st == WEFT_OK) {
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
        int code = sqlite3_step(q);
        st = weft_sqlite_bound(&s->file, code);
        *value = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(q, 0) : 0;
    }
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_set(struct weft_state *s, const char *name, uint64_t value)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(
        &s->file, "INSERT OR REPLACE INTO numbers(name, value) VALUES(?, ?)", &q);
    if (st == WEFT_OK) {
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)value);
        st = weft_sqlite_step(&s->file, q);
    }
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_position(struct weft_state *s, const char *path, bool *known,
                                     int64_t *position)
{
    sqlite3_stmt *q;
    *known = false;
    *position = 0;
    enum weft_status st = weft_sqlite_prepare(&s->file,
                                              "SELECT position FROM outputs WHERE path = ?", &q);
    if (st == WEFT_OK) {
        sqlite3_bind_text(q, 1, path, -1, SQLITE_STATIC);
        int code = sqlite3_step(q);
        st = weft_sqlite_bound(&s->file, code);
        *known = code == SQLITE_ROW;
        *position = *known ? sqlite3_column_int64(q, 0) : 0;
    }
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_set_position(struct weft_state *s, const char *path, int64_t position)
{
    sqlite3_bind_text(s->set_position, 1, path, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s->set_position, 2, position);
    return weft_sqlite_step(&s->file, s->set_position);
}

enum weft_status weft_state_other_output(struct weft_state *s, const char *const *paths, size_t n,
                                         char *other, size_t cap)
{
    sqlite3_stmt *q;
    int code = SQLITE_DONE;
    other[0] = '\0';
    enum weft_status st = weft_sqlite_prepare(&s->file, "SELECT path FROM outputs", &q);
    while (st == WEFT_OK && !other[0] && (code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *path = (const char *)sqlite3_column_text(q, 0);
        bool there = !path;
        for (size_t i = 0; !there && i < n; i++) {
            there = strcmp(path, paths[i]) == 0;
        }
        if (!there) {
            sqlite3_snprintf((int)cap, other, "%s", path);
        }
    }
    st = st == WEFT_OK ? weft_sqlite_bound(&s->file, code) : st;
    sqlite3_finalize(q);
    return st;
}
