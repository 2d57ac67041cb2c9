/* state_peek.c -- see state_peek.h. */
#include "store/state_peek.h"

#include "store/state_impl.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MS 2000 /* for a writer that is in the middle of something */

static const char question[] =
    "SELECT u.place, u.depth, u.status, u.reason, r.url FROM urls u"
    " LEFT JOIN referrers r ON r.id = u.referrer"
    " WHERE u.url IN (?1, ?2) AND u.kind = ?3 ORDER BY u.url = ?1 DESC LIMIT 1";

static enum weft_status read_row(sqlite3_stmt *ask, struct weft_state_peeked *out)
{
    const char *reason = (const char *)sqlite3_column_text(ask, 3);
    const char *referrer = (const char *)sqlite3_column_text(ask, 4);
    out->known = true;
    out->ended = sqlite3_column_int(ask, 0) == WEFT_STATE_ENDED;
    out->depth = (unsigned)sqlite3_column_int(ask, 1);
    out->status = sqlite3_column_int(ask, 2);
    snprintf(out->reason, sizeof out->reason, "%s", reason ? reason : "");
    out->referrer = referrer ? strdup(referrer) : NULL;
    return referrer && !out->referrer ? WEFT_ENOMEM : WEFT_OK;
}

/* Whether the file is one of ours, by the number in its header. */
static bool is_state(sqlite3 *db)
{
    sqlite3_stmt *ask = NULL;
    bool ours = sqlite3_prepare_v2(db, "PRAGMA application_id", -1, &ask, NULL) == SQLITE_OK &&
                sqlite3_step(ask) == SQLITE_ROW &&
                sqlite3_column_int(ask, 0) == WEFT_STATE_APPLICATION;
    sqlite3_finalize(ask);
    return ours;
}

enum weft_status weft_state_peek(const char *path, const char *url, const char *key,
                                 struct weft_state_peeked *out, char *error, size_t cap)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *ask = NULL;
    enum weft_status st = WEFT_EIO;
    *out = (struct weft_state_peeked){0};
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        snprintf(error, cap, "%s: %s", path, db ? sqlite3_errmsg(db) : "out of memory");
        goto out;
    }
    sqlite3_busy_timeout(db, WAIT_MS);
    if (!is_state(db)) {
        int code = sqlite3_errcode(db);
        bool read = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
        snprintf(error, cap, "%s: %s", path, read ? "no state file" : sqlite3_errmsg(db));
        goto out;
    }
    int code = sqlite3_prepare_v2(db, question, -1, &ask, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_text(ask, 1, url, -1, SQLITE_STATIC);
        sqlite3_bind_text(ask, 2, key, -1, SQLITE_STATIC);
        sqlite3_bind_int(ask, 3, WEFT_STATE_PAGE);
        code = sqlite3_step(ask);
    }
    if (code == SQLITE_ROW) {
        st = read_row(ask, out);
    } else if (code == SQLITE_DONE) {
        st = WEFT_OK;
    } else {
        snprintf(error, cap, "%s: %s", path, sqlite3_errmsg(db));
    }
out:
    sqlite3_finalize(ask);
    sqlite3_close(db);
    return st;
}
