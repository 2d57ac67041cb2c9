/* sqlite.c -- a database: tables runs, pages, links, records (docs/formats.md has the schema).
 *
 * Write-ahead log, so that the file can be read while a crawl writes it. Records are written in
 * transactions of many, each record within a savepoint: what was committed is whole records. */
#include "store/sqlite_file.h"

#include "base/limits.h"
#include "store/columns.h"
#include "store/json_record.h"
#include "store/utf8.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 1000 /* records in one transaction; the writer also flushes once a second */

struct sqlite {
    struct weft_sqlite_file file;
    sqlite3_stmt *begin, *commit, *mark, *release, *undo; /* transactions and savepoints */
    sqlite3_stmt *page, *link, *row;
    struct weft_json *json;  /* for the redirects, which are a list in a cell */
    struct weft_buf scratch; /* for cleaning a text */
    sqlite3_int64 run;       /* runs.id of this run */
    size_t nselect;
    const char *software;
    unsigned batched;        /* records in the open transaction */
    bool guest;              /* in a state file: its transactions are not ours */
    sqlite3_int64 last_page; /* pages.id */
};

static enum weft_status step(struct sqlite *o, sqlite3_stmt *statement)
{
    return weft_sqlite_step(&o->file, statement);
}

/* Binds a text, which must live until the statement has run; scratch does not. */
static enum weft_status bind_text(struct sqlite *o, sqlite3_stmt *s, int at, const char *text)
{
    const char *clean;
    size_t len;
    if (!text) {
        return weft_sqlite_bound(&o->file, sqlite3_bind_null(s, at));
    }
    enum weft_status st = weft_utf8_clean(&o->scratch, text, strlen(text), &clean, &len);
    if (st != WEFT_OK) {
        return weft_fail_status(o->file.failure, o->file.path, st);
    }
    return weft_sqlite_bound(&o->file,
                             sqlite3_bind_text(s, at, clean, (int)len,
                                               clean == text ? SQLITE_STATIC : SQLITE_TRANSIENT));
}

static enum weft_status bind_int(struct sqlite *o, sqlite3_stmt *s, int at, sqlite3_int64 value)
{
    return weft_sqlite_bound(&o->file, sqlite3_bind_int64(s, at, value));
}

static enum weft_status bind_redirects(struct sqlite *o, sqlite3_stmt *s, int at,
                                       const struct weft_record *record)
{
    const struct weft_buf *list;
    enum weft_status st = weft_json_redirects(o->json, record, &list);
    if (st != WEFT_OK) {
        return weft_fail_status(o->file.failure, o->file.path, st);
    }
    return weft_sqlite_bound(
        &o->file, sqlite3_bind_text(s, at, list->data, (int)list->len, SQLITE_TRANSIENT));
}

static enum weft_status bind_column(struct sqlite *o, sqlite3_stmt *s, int at,
                                    const struct weft_record *record, size_t i)
{
    struct weft_cell cell;
    weft_column_get(record, i, &cell);
    switch (cell.kind) {
    case WEFT_CELL_NULL:
        return bind_text(o, s, at, NULL);
    case WEFT_CELL_TEXT:
        if (cell.text == cell.room) {
            return weft_sqlite_bound(&o->file,
                                     sqlite3_bind_text(s, at, cell.text, -1, SQLITE_TRANSIENT));
        }
        return bind_text(o, s, at, cell.text);
    case WEFT_CELL_INTEGER:
        return bind_int(o, s, at, cell.integer);
    case WEFT_CELL_REAL:
        return weft_sqlite_bound(&o->file, sqlite3_bind_double(s, at, cell.real));
    case WEFT_CELL_REDIRECTS:
        return bind_redirects(o, s, at, record);
    }
    return WEFT_OK;
}

static enum weft_status put_page(struct sqlite *o, const struct weft_record *record,
                                 sqlite3_int64 *id)
{
    enum weft_status st = bind_int(o, o->page, 1, o->run);
    for (size_t i = 0; st == WEFT_OK && i < WEFT_NCOLUMNS; i++) {
        st = bind_column(o, o->page, (int)i + 2, record, i);
    }
    if (st == WEFT_OK) {
        st = step(o, o->page);
    }
    *id = sqlite3_last_insert_rowid(o->file.db);
    o->last_page = *id;
    return st;
}

static enum weft_status put_links(struct sqlite *o, const struct weft_record *record,
                                  sqlite3_int64 id)
{
    enum weft_status st = WEFT_OK;
    for (unsigned i = 0; st == WEFT_OK && record->links && i < record->nlinks; i++) {
        const struct weft_record_link *link = &record->links[i];
        if ((st = bind_int(o, o->link, 1, id)) == WEFT_OK &&
            (st = bind_int(o, o->link, 2, i)) == WEFT_OK &&
            (st = bind_text(o, o->link, 3, link->url)) == WEFT_OK &&
            (st = bind_text(o, o->link, 4, link->fragment)) == WEFT_OK &&
            (st = bind_int(o, o->link, 5, link->nofollow)) == WEFT_OK &&
            (st = link->line ? bind_int(o, o->link, 6, link->line)
                             : bind_text(o, o->link, 6, NULL)) == WEFT_OK) {
            st = step(o, o->link);
        }
    }
    return st;
}

static enum weft_status put_rows(struct sqlite *o, const struct weft_record *record,
                                 sqlite3_int64 id)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < record->nrows; i++) {
        st = bind_int(o, o->row, 1, id);
        if (st == WEFT_OK) {
            st = bind_int(o, o->row, 2, (sqlite3_int64)i);
        }
        for (size_t k = 0; st == WEFT_OK && k < o->nselect; k++) {
            bool there = k < record->nselect;
            st = bind_text(o, o->row, (int)k + 3,
                           there ? record->fields[i * record->nselect + k].value : NULL);
        }
        if (st == WEFT_OK) {
            st = step(o, o->row);
        }
    }
    return st;
}

static enum weft_status flush(struct weft_output *out)
{
    struct sqlite *o = (struct sqlite *)out;
    o->batched = 0;
    if (o->guest) {
        return WEFT_OK;
    }
    enum weft_status st = weft_sqlite_check_place(&o->file);
    return st != WEFT_OK || sqlite3_get_autocommit(o->file.db) ? st : step(o, o->commit);
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *record)
{
    struct sqlite *o = (struct sqlite *)out;
    sqlite3_int64 id;
    enum weft_status st = sqlite3_get_autocommit(o->file.db) ? step(o, o->begin) : WEFT_OK;
    if (st != WEFT_OK || (st = step(o, o->mark)) != WEFT_OK) {
        return st;
    }
    if ((st = put_page(o, record, &id)) == WEFT_OK && (st = put_links(o, record, id)) == WEFT_OK) {
        st = put_rows(o, record, id);
    }
    if (st != WEFT_OK) {
        /* So that finish can commit the records before this one. A full disk may have undone the
         * whole transaction already; then this fails too, and there is nothing to save. */
        struct weft_failure first = *o->file.failure;
        (void)!step(o, o->undo);
        *o->file.failure = first;
        return st;
    }
    if ((st = step(o, o->release)) != WEFT_OK) {
        return st;
    }
    return ++o->batched >= BATCH ? flush(out) : WEFT_OK;
}

static enum weft_status begin_run(struct weft_output *out)
{
    struct sqlite *o = (struct sqlite *)out;
    struct timespec now;
    char started[32];
    sqlite3_stmt *s;
    clock_gettime(CLOCK_REALTIME, &now);
    weft_rfc3339((int64_t)now.tv_sec * WEFT_SECOND + now.tv_nsec, started, sizeof started);
    enum weft_status st = weft_sqlite_prepare(
        &o->file, "INSERT INTO runs(software, started_at) VALUES(?1, ?2)", &s);
    if (st == WEFT_OK && (st = bind_text(o, s, 1, o->software)) == WEFT_OK &&
        (st = bind_text(o, s, 2, started)) == WEFT_OK) {
        st = step(o, s);
    }
    o->run = sqlite3_last_insert_rowid(o->file.db);
    sqlite3_finalize(s);
    return st;
}

static enum weft_status end_run(struct sqlite *o, const struct weft_run_summary *r)
{
    sqlite3_stmt *s;
    char started[32], ended[32];
    weft_rfc3339(r->started_at, started, sizeof started);
    weft_rfc3339(r->ended_at, ended, sizeof ended);
    enum weft_status st = weft_sqlite_prepare(
        &o->file,
        "UPDATE runs SET started_at = ?2, ended_at = ?3, ended = ?4, command = ?5, fetched = ?6, "
        "failed = ?7, skipped = ?8, bytes = ?9, left = ?10 WHERE id = ?1",
        &s);
    if (st == WEFT_OK && (st = bind_int(o, s, 1, o->run)) == WEFT_OK &&
        (st = bind_text(o, s, 2, started)) == WEFT_OK &&
        (st = bind_text(o, s, 3, ended)) == WEFT_OK &&
        (st = bind_text(o, s, 4, r->ended)) == WEFT_OK &&
        (st = bind_text(o, s, 5, r->command)) == WEFT_OK &&
        (st = bind_int(o, s, 6, (sqlite3_int64)r->fetched)) == WEFT_OK &&
        (st = bind_int(o, s, 7, (sqlite3_int64)r->failed)) == WEFT_OK &&
        (st = bind_int(o, s, 8, (sqlite3_int64)r->skipped)) == WEFT_OK &&
        (st = bind_int(o, s, 9, (sqlite3_int64)r->bytes)) == WEFT_OK &&
        (st = bind_int(o, s, 10, (sqlite3_int64)r->left)) == WEFT_OK) {
        st = step(o, s);
    }
    sqlite3_finalize(s);
    return st;
}

/* Ends everything but the database itself, which can't be closed before its statements. */
static void release(struct sqlite *o)
{
    sqlite3_stmt *const all[] = {o->begin, o->commit, o->mark, o->release,
                                 o->undo,  o->page,   o->link, o->row};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        sqlite3_finalize(all[i]);
    }
    weft_json_free(o->json);
    weft_buf_release(&o->scratch);
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* what was committed is whole records, whatever came after */
    struct sqlite *o = (struct sqlite *)out;
    enum weft_status st = flush(out);
    if (st == WEFT_OK && summary && o->run) {
        st = end_run(o, summary);
    }
    struct weft_failure first = *o->file.failure;
    release(o);
    enum weft_status closed = o->guest ? WEFT_OK : weft_sqlite_close(&o->file);
    if (st != WEFT_OK) {
        *o->file.failure = first;
    }
    free(o);
    return st == WEFT_OK ? closed : st;
}

static enum weft_status prepare_page(struct sqlite *o)
{
    struct weft_buf sql;
    weft_buf_init(&sql, WEFT_MAX_RECORD);
    enum weft_status st = weft_buf_puts(&sql, "INSERT INTO pages(run");
    for (size_t i = 0; st == WEFT_OK && i < WEFT_NCOLUMNS; i++) {
        st = weft_buf_printf(&sql, ", %s", weft_column_name(i));
    }
    st = st == WEFT_OK ? weft_buf_puts(&sql, ") VALUES(?") : st;
    for (size_t i = 0; st == WEFT_OK && i < WEFT_NCOLUMNS; i++) {
        st = weft_buf_puts(&sql, ", ?");
    }
    st = st == WEFT_OK ? weft_buf_puts(&sql, ")") : st;
    st = st == WEFT_OK ? weft_sqlite_prepare(&o->file, sql.data, &o->page)
                       : weft_fail_status(o->file.failure, o->file.path, st);
    weft_buf_release(&sql);
    return st;
}

static enum weft_status prepare(struct sqlite *o, const struct weft_output_options *options)
{
    const struct {
        const char *sql;
        sqlite3_stmt **statement;
    } all[] = {
        {"BEGIN IMMEDIATE", &o->begin},   {"COMMIT", &o->commit},
        {"SAVEPOINT record", &o->mark},   {"RELEASE record", &o->release},
        {"ROLLBACK TO record", &o->undo}, {"INSERT INTO links VALUES(?, ?, ?, ?, ?, ?)", &o->link},
    };
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < sizeof all / sizeof all[0]; i++) {
        st = weft_sqlite_prepare(&o->file, all[i].sql, all[i].statement);
    }
    if (st == WEFT_OK) {
        st = prepare_page(o);
    }
    if (st == WEFT_OK) {
        st = weft_sqlite_prepare_row(&o->file, options->select_names, options->nselect, &o->row);
    }
    return st;
}

static enum weft_status enter_state(struct sqlite *o, const struct weft_output_options *options)
{
    o->guest = true;
    o->file = *options->state;
    o->file.failure = options->failure;
    return weft_sqlite_add_columns(&o->file, options->select_names, options->nselect);
}

/* Finds the last page, and with resume removes what came behind the one that was the last. */
static enum weft_status find_last(struct sqlite *o, bool resume, int64_t position)
{
    enum weft_status st = weft_sqlite_ask(&o->file, "SELECT max(id) FROM pages", &o->last_page);
    if (st != WEFT_OK || !resume || o->last_page == position) {
        return st;
    }
    if (o->last_page < position) {
        return weft_fail(o->file.failure, WEFT_EIO,
                         "can't go on with %s: it holds %lld pages, and held %lld", o->file.path,
                         (long long)o->last_page, (long long)position);
    }
    char *sql = sqlite3_mprintf("BEGIN IMMEDIATE; DELETE FROM links WHERE page > %lld;"
                                "DELETE FROM records WHERE page > %lld;"
                                "DELETE FROM pages WHERE id > %lld; COMMIT",
                                (long long)position, (long long)position, (long long)position);
    st = sql ? weft_sqlite_exec(&o->file, sql)
             : weft_fail_status(o->file.failure, o->file.path, WEFT_ENOMEM);
    sqlite3_free(sql);
    o->last_page = position;
    return st;
}

static int64_t position(struct weft_output *out)
{
    return ((struct sqlite *)out)->last_page;
}

static enum weft_status probe(const struct weft_output_options *options)
{
    const struct weft_sqlite_file f = {.path = options->path, .failure = options->failure};
    return weft_sqlite_check_names(&f, options->select_names, options->nselect);
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct sqlite *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->nselect = options->nselect;
    o->software = options->software;
    weft_buf_init(&o->scratch, WEFT_MAX_RECORD);
    enum weft_status st = weft_json_new(&o->json);
    if (st == WEFT_OK) {
        st = options->state ? enter_state(o, options) : weft_sqlite_open(&o->file, options);
    }
    if (st == WEFT_OK) {
        st = find_last(o, options->resume, options->position);
    }
    if (st == WEFT_OK) {
        st = prepare(o, options);
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *options->failure; /* closing may have a sentence too */
        release(o);
        if (!o->guest) {
            weft_sqlite_discard(&o->file);
        }
        *options->failure = first;
        free(o);
        return st;
    }
    *out = (struct weft_output *)o;
    return WEFT_OK;
}

const struct weft_format weft_format_sqlite = {
    .suffixes = (const char *const[]){".db", ".sqlite", NULL},
    .wants = WEFT_WANTS_LINKS,
    .probe = probe,
    .open = open_file,
    .begin = begin_run,
    .write = write_record,
    .flush = flush,
    .position = position,
    .finish = finish,
};
