/* state_read.c -- what is read from a state file when a crawl goes on, and while its frontier is
 * larger than memory. */
#include "store/state_impl.h"

static const char *text(sqlite3_stmt *q, int column)
{
    return (const char *)sqlite3_column_text(q, column);
}

static uint64_t number(sqlite3_stmt *q, int column)
{
    return (uint64_t)sqlite3_column_int64(q, column);
}

/* Steps through q, whose rows row() turns into what each() takes; finalizes q. */
static enum weft_status each_row(struct weft_state *s, sqlite3_stmt *q, enum weft_status st,
                                 void (*row)(sqlite3_stmt *q, struct weft_state_url *to),
                                 weft_state_url_fn *each, void *user)
{
    int code = SQLITE_DONE;
    while (st == WEFT_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct weft_state_url to = {0};
        row(q, &to);
        st = each(user, &to);
    }
    st = st == WEFT_OK ? weft_sqlite_bound(&s->file, code) : st;
    sqlite3_finalize(q);
    return st;
}

#define URL_COLUMNS                                                                                \
    "u.id, u.print, u.kind, u.seed, u.depth, u.place, u.round, u.status, u.digest, u.reason, "     \
    "u.url"

static void url_row(sqlite3_stmt *q, struct weft_state_url *to)
{
    to->id = number(q, 0);
    to->print = number(q, 1);
    to->kind = (enum weft_state_url_kind)sqlite3_column_int(q, 2);
    to->seed = sqlite3_column_int(q, 3) != 0;
    to->nesting = (unsigned)sqlite3_column_int(q, 3);
    to->depth = (unsigned)sqlite3_column_int(q, 4);
    to->place = (enum weft_state_place)sqlite3_column_int(q, 5);
    to->round = number(q, 6);
    to->status = sqlite3_column_int(q, 7);
    to->digest = number(q, 8);
    to->reason = text(q, 9);
    to->url = text(q, 10);
}

static void whole_row(sqlite3_stmt *q, struct weft_state_url *to)
{
    url_row(q, to);
    to->referrer_id = number(q, 11);
    to->referrer = text(q, 12);
    to->etag = text(q, 13);
    to->last_modified = text(q, 14);
}

enum weft_status weft_state_scan(struct weft_state *s, weft_state_url_fn *each, void *user)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(
        &s->file, "SELECT " URL_COLUMNS " FROM urls u ORDER BY u.id", &q);
    return each_row(s, q, st, url_row, each, user);
}

enum weft_status weft_state_load(struct weft_state *s, enum weft_state_url_kind kind,
                                 uint64_t after, size_t limit, weft_state_url_fn *each, void *user)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(
        &s->file,
        "SELECT " URL_COLUMNS ", u.referrer, r.url, u.etag, u.last_modified"
        " FROM urls u LEFT JOIN referrers r ON r.id = u.referrer"
        " WHERE u.id > ?1 AND u.place = 0 AND u.kind = ?2 ORDER BY u.id LIMIT ?3",
        &q);
    if (st == WEFT_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)after);
        sqlite3_bind_int(q, 2, (int)kind);
        sqlite3_bind_int64(q, 3, (sqlite3_int64)limit);
    }
    return each_row(s, q, st, whole_row, each, user);
}

static void parked_row(sqlite3_stmt *q, struct weft_state_url *to)
{
    to->id = number(q, 0);
    to->print = number(q, 1);
    to->depth = (unsigned)sqlite3_column_int(q, 2);
    to->url = text(q, 3);
    to->referrer_id = number(q, 4);
    to->reject = sqlite3_column_int(q, 6);
    to->referrer = text(q, 5);
}

enum weft_status weft_state_parked(struct weft_state *s, weft_state_url_fn *each, void *user)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(
        &s->file,
        "SELECT p.id, p.print, p.depth, p.url, p.referrer, r.url, p.reject"
        " FROM parked p LEFT JOIN referrers r ON r.id = p.referrer ORDER BY p.id",
        &q);
    return each_row(s, q, st, parked_row, each, user);
}

static void bare_row(sqlite3_stmt *q, struct weft_state_url *to)
{
    to->url = text(q, 0);
}

enum weft_status weft_state_places(struct weft_state *s, weft_state_url_fn *each, void *user)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(&s->file, "SELECT url FROM places", &q);
    return each_row(s, q, st, bare_row, each, user);
}

enum weft_status weft_state_fetched(struct weft_state *s, weft_state_url_fn *each, void *user)
{
    sqlite3_stmt *q;
    enum weft_status st = weft_sqlite_prepare(
        &s->file, "SELECT url FROM pages WHERE outcome = 'fetched' AND body IS NULL ORDER BY id",
        &q);
    return each_row(s, q, st, bare_row, each, user);
}

enum weft_status weft_state_hosts(struct weft_state *s,
                                  enum weft_status (*each)(void *user,
                                                           const struct weft_state_host *row),
                                  void *user)
{
    sqlite3_stmt *q;
    int code = SQLITE_DONE;
    enum weft_status st = weft_sqlite_prepare(
        &s->file, "SELECT origin, next_start, hold_until, backoff FROM hosts", &q);
    while (st == WEFT_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct weft_state_host row = {.origin = text(q, 0),
                                      .next_start = sqlite3_column_int64(q, 1),
                                      .hold_until = sqlite3_column_int64(q, 2),
                                      .backoff = (unsigned)sqlite3_column_int(q, 3)};
        st = each(user, &row);
    }
    st = st == WEFT_OK ? weft_sqlite_bound(&s->file, code) : st;
    sqlite3_finalize(q);
    return st;
}

enum weft_status
weft_state_redirected(struct weft_state *s,
                      enum weft_status (*each)(void *user, const struct weft_state_redirected *row),
                      void *user)
{
    sqlite3_stmt *q;
    int code = SQLITE_DONE;
    enum weft_status st = weft_sqlite_prepare(&s->file,
                                              "SELECT u.print, r.final_url, r.hops"
                                              " FROM redirected r JOIN urls u ON u.id = r.id",
                                              &q);
    while (st == WEFT_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        struct weft_state_redirected row = {
            .print = number(q, 0), .final_url = text(q, 1), .hops = text(q, 2)};
        st = each(user, &row);
    }
    st = st == WEFT_OK ? weft_sqlite_bound(&s->file, code) : st;
    sqlite3_finalize(q);
    return st;
}

enum weft_status weft_state_last_id(struct weft_state *s, char table, uint64_t *id)
{
    sqlite3_int64 last;
    enum weft_status st = weft_sqlite_ask(&s->file,
                                          table == 'u'   ? "SELECT max(id) FROM urls"
                                          : table == 'p' ? "SELECT max(id) FROM parked"
                                                         : "SELECT max(id) FROM referrers",
                                          &last);
    *id = (uint64_t)last;
    return st;
}
