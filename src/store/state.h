/* state.h -- the state file: all that a crawl must know to go on after its process died.
 *
 * One SQLite database, with the tables of results (docs/formats.md) and those of the crawl
 * (docs/state.md). Whatever is written is one transaction after another; a transaction holds whole
 * changes, the records that belong to them, and how far each other output had come. One process at
 * a time has it open. Knows SQLite and the schema; knows nothing of frontiers, hosts or HTTP.
 * Internal to crawl and store. Threads: one at a time: whoever opens it, then the writer's. */
#ifndef WEFT_STORE_STATE_H
#define WEFT_STORE_STATE_H

#include "store/failure.h"
#include "store/journal.h"
#include <stdbool.h>
#include <stddef.h>

struct weft_state;
struct weft_sqlite_file;

enum weft_state_url_kind { WEFT_STATE_PAGE, WEFT_STATE_SITEMAP };
/* Where a claimed URL is. */
enum weft_state_place {
    WEFT_STATE_ON_DISK,   /* it waits, and nobody has it in memory */
    WEFT_STATE_IN_MEMORY, /* it waits or is in flight; on disk again once the process is gone */
    WEFT_STATE_ENDED
};

/* An option that changes what a crawl means; the value as text. */
struct weft_state_setting {
    const char *name;
    char *value; /* owned by whoever made the list */
};

/* A row of what is remembered. Texts are lent for the time of the call; NULL: absent. */
struct weft_state_url {
    uint64_t id, print, digest, round; /* round: in which it ended last; 0: it never has */
    enum weft_state_url_kind kind;
    enum weft_state_place place;
    bool seed;
    unsigned depth, nesting; /* nesting: of a sitemap */
    int status, reject;      /* reject: of a parked link, an enum weft_reason */
    const char *reason, *url, *referrer, *etag, *last_modified;
    uint64_t referrer_id;
};

struct weft_state_host {
    const char *origin;
    int64_t next_start, hold_until; /* nanoseconds since 1970 */
    unsigned backoff;
};

struct weft_state_redirected {
    uint64_t print;
    const char *final_url, *hops; /* hops: "STATUS URL\n" for each */
};

/* Opens or creates the file at path (borrowed), locks it, begins a transaction. failure (borrowed)
 * gets the sentence. WEFT_OK; WEFT_EIO: can't be read or written, another process has it, no state
 * file; WEFT_ENOMEM. */
enum weft_status weft_state_open(struct weft_state **out, const char *path,
                                 struct weft_failure *failure) WEFT_MUST_USE;
/* Closes without committing what was not committed; a file that open created, and that was never
 * committed to, is removed. NULL is fine. */
void weft_state_abandon(struct weft_state *s);
/* Commits and closes. s is gone in any case. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_close(struct weft_state *s) WEFT_MUST_USE;
/* Sentences go there from now on. */
void weft_state_report_to(struct weft_state *s, struct weft_failure *failure);
const char *weft_state_path(const struct weft_state *s);
struct weft_sqlite_file *weft_state_file(struct weft_state *s);
/* Whether nothing was begun with it yet. */
bool weft_state_is_new(const struct weft_state *s);

/* Compares the settings with those that the file was begun with, or keeps them in a new file.
 * WEFT_OK; WEFT_EINVAL and a sentence that names the first that differs; WEFT_EIO. */
enum weft_status weft_state_compare(struct weft_state *s, const struct weft_state_setting *settings,
                                    size_t n) WEFT_MUST_USE;
/* Numbers that are kept by name. get: 0 when there is none. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_get(struct weft_state *s, const char *name,
                                uint64_t *value) WEFT_MUST_USE;
enum weft_status weft_state_set(struct weft_state *s, const char *name,
                                uint64_t value) WEFT_MUST_USE;
/* Whether nothing waits. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_is_done(struct weft_state *s, bool *done) WEFT_MUST_USE;
/* Makes every page that was once requested, or kept out by robots.txt or a failing host, one that
 * waits, and forgets the outputs. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_begin_round(struct weft_state *s, uint64_t round) WEFT_MUST_USE;

/* Carries out a journal. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_apply(struct weft_state *s,
                                  const struct weft_buf *journal) WEFT_MUST_USE;
/* Ends the transaction and begins the next. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_commit(struct weft_state *s) WEFT_MUST_USE;
/* Undoes what was not committed and begins anew. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_rollback(struct weft_state *s) WEFT_MUST_USE;

/* How far the output at path had come. *known: whether there is one. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_position(struct weft_state *s, const char *path, bool *known,
                                     int64_t *position) WEFT_MUST_USE;
enum weft_status weft_state_set_position(struct weft_state *s, const char *path,
                                         int64_t position) WEFT_MUST_USE;
/* Writes into other[0..cap) the path of a known output that is none of paths[0..n), "" if there is
 * none. WEFT_OK, WEFT_EIO. */
enum weft_status weft_state_other_output(struct weft_state *s, const char *const *paths, size_t n,
                                         char *other, size_t cap) WEFT_MUST_USE;

/* Reading, row by row in the order of ids. each returns a status other than OK to end it. Returns
 * that, WEFT_OK, or WEFT_EIO. */
typedef enum weft_status weft_state_url_fn(void *user, const struct weft_state_url *row);
/* All claimed URLs, without referrer, etag and last_modified. */
enum weft_status weft_state_scan(struct weft_state *s, weft_state_url_fn *each,
                                 void *user) WEFT_MUST_USE;
/* At most limit URLs of this kind that wait on disk, with ids above after. */
enum weft_status weft_state_load(struct weft_state *s, enum weft_state_url_kind kind,
                                 uint64_t after, size_t limit, weft_state_url_fn *each,
                                 void *user) WEFT_MUST_USE;
/* Links that are parked: found and not claimed. Only id, print, depth, reject, url and referrers.
 */
enum weft_status weft_state_parked(struct weft_state *s, weft_state_url_fn *each,
                                   void *user) WEFT_MUST_USE;
/* URLs that widened the scope. Only url. */
enum weft_status weft_state_places(struct weft_state *s, weft_state_url_fn *each,
                                   void *user) WEFT_MUST_USE;
/* Pages that were fetched with a body, in the order of their records. Only url. */
enum weft_status weft_state_fetched(struct weft_state *s, weft_state_url_fn *each,
                                    void *user) WEFT_MUST_USE;
enum weft_status weft_state_hosts(struct weft_state *s,
                                  enum weft_status (*each)(void *user,
                                                           const struct weft_state_host *row),
                                  void *user) WEFT_MUST_USE;
enum weft_status
weft_state_redirected(struct weft_state *s,
                      enum weft_status (*each)(void *user, const struct weft_state_redirected *row),
                      void *user) WEFT_MUST_USE;
/* The largest id of the table of URLs ('u'), parked links ('p') or referrers ('r'). */
enum weft_status weft_state_last_id(struct weft_state *s, char table, uint64_t *id) WEFT_MUST_USE;

#endif
