/* graph_nodes.c -- see graph_nodes.h. */
#include "store/graph_nodes.h"

#include "store/sqlite_file.h"
#include <stdlib.h>

/* An empty name is a database in a temporary file of SQLite's own, gone when it is closed. There is
 * nothing to go back to in it: a failure ends the output. */
static const char set_up[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;"
    "CREATE TABLE nodes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " written INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE edges(source INTEGER, target INTEGER, PRIMARY KEY(source, target))"
    " WITHOUT ROWID;"
    "BEGIN";

enum { FIND, ADD, WRITTEN, EDGE, RECALL, NSTATEMENTS };

/* A name may be recalled twice, by the edge that mentioned it and by its node. */
static const char recall[] =
    "INSERT INTO nodes(id, name, written) VALUES(?1, ?2, ?3)"
    " ON CONFLICT(id) DO UPDATE SET written = max(written, excluded.written)"
    " WHERE name = excluded.name";

static const char *const statements[NSTATEMENTS] = {
    [FIND] = "SELECT id, written FROM nodes WHERE name = ?1",
    [ADD] = "INSERT INTO nodes(name) VALUES(?1)",
    [WRITTEN] = "UPDATE nodes SET written = 1 WHERE id = ?1",
    [EDGE] = "INSERT OR IGNORE INTO edges(source, target) VALUES(?1, ?2)",
    [RECALL] = recall,
};

struct weft_graph_nodes {
    struct weft_sqlite_file file;
    sqlite3_stmt *statement[NSTATEMENTS];
};

enum weft_status weft_graph_nodes_new(struct weft_graph_nodes **out, const char *path,
                                      struct weft_failure *failure)
{
    struct weft_graph_nodes *g = calloc(1, sizeof *g);
    *out = NULL;
    if (!g) {
        return WEFT_ENOMEM;
    }
    g->file = (struct weft_sqlite_file){.path = path, .failure = failure};
    enum weft_status st = weft_sqlite_bound(&g->file, sqlite3_open("", &g->file.db));
    if (st == WEFT_OK) {
        st = weft_sqlite_exec(&g->file, set_up);
    }
    for (size_t i = 0; st == WEFT_OK && i < NSTATEMENTS; i++) {
        st = weft_sqlite_prepare(&g->file, statements[i], &g->statement[i]);
    }
    if (st != WEFT_OK) {
        weft_graph_nodes_free(g);
        return st;
    }
    *out = g;
    return WEFT_OK;
}

void weft_graph_nodes_free(struct weft_graph_nodes *g)
{
    if (!g) {
        return;
    }
    for (size_t i = 0; i < NSTATEMENTS; i++) {
        sqlite3_finalize(g->statement[i]);
    }
    sqlite3_close(g->file.db);
    free(g);
}

enum weft_status weft_graph_nodes_find(struct weft_graph_nodes *g, const char *name, int64_t *id,
                                       enum weft_graph_known *known)
{
    sqlite3_stmt *q = g->statement[FIND];
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    int code = sqlite3_step(q);
    enum weft_status st = weft_sqlite_bound(&g->file, code);
    if (code == SQLITE_ROW) {
        *id = sqlite3_column_int64(q, 0);
        *known = sqlite3_column_int(q, 1) ? WEFT_GRAPH_WRITTEN : WEFT_GRAPH_MENTIONED;
    }
    sqlite3_reset(q);
    if (st == WEFT_OK && code == SQLITE_DONE) {
        sqlite3_bind_text(g->statement[ADD], 1, name, -1, SQLITE_STATIC);
        st = weft_sqlite_step(&g->file, g->statement[ADD]);
        *id = sqlite3_last_insert_rowid(g->file.db);
        *known = WEFT_GRAPH_NEW;
    }
    return st;
}

enum weft_status weft_graph_nodes_written(struct weft_graph_nodes *g, int64_t id)
{
    sqlite3_bind_int64(g->statement[WRITTEN], 1, id);
    return weft_sqlite_step(&g->file, g->statement[WRITTEN]);
}

enum weft_status weft_graph_nodes_edge(struct weft_graph_nodes *g, int64_t from, int64_t to,
                                       bool *is_new)
{
    sqlite3_bind_int64(g->statement[EDGE], 1, from);
    sqlite3_bind_int64(g->statement[EDGE], 2, to);
    enum weft_status st = weft_sqlite_step(&g->file, g->statement[EDGE]);
    *is_new = st == WEFT_OK && sqlite3_changes(g->file.db) > 0;
    return st;
}

enum weft_status weft_graph_nodes_recall(struct weft_graph_nodes *g, int64_t id, const char *name,
                                         bool written)
{
    sqlite3_stmt *q = g->statement[RECALL];
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_text(q, 2, name, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 3, written);
    int code = sqlite3_step(q);
    sqlite3_reset(q);
    if ((code & 0xff) == SQLITE_CONSTRAINT ||
        (code == SQLITE_DONE && sqlite3_changes(g->file.db) == 0)) {
        return WEFT_ESYNTAX;
    }
    return weft_sqlite_bound(&g->file, code);
}

enum weft_status weft_graph_nodes_lacking(struct weft_graph_nodes *g,
                                          enum weft_status (*each)(void *user, int64_t id,
                                                                   const char *name),
                                          void *user)
{
    sqlite3_stmt *q;
    int code = SQLITE_DONE;
    enum weft_status st = weft_sqlite_prepare(
        &g->file, "SELECT id, name FROM nodes WHERE NOT written ORDER BY id", &q);
    while (st == WEFT_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 1);
        st = name ? each(user, sqlite3_column_int64(q, 0), name) : WEFT_ENOMEM;
    }
    st = st == WEFT_OK ? weft_sqlite_bound(&g->file, code) : st;
    sqlite3_finalize(q);
    return st;
}
