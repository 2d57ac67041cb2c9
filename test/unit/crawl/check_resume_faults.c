/* check_resume_faults.c -- a crawl with a state file in which one allocation fails, and a second
 * run that goes on: together they record every page, each once, wherever the first one ended. */
#include "site.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define A(href) "<a href=\"" href "\">x</a>"

static const struct page pages[] = {
    {.url = "http://a.test/robots.txt",
     .content_type = "text/plain",
     .body = "User-agent: *\n"
             "Disallow: /no"},
    {.url = "http://a.test/",
     .body = "<title>t</title>" A("/1") A("/2") A("/r") A("/no") A("http://b.test/") A("/gone")},
    {.url = "http://a.test/1", .body = A("/3") A("/4")},
    {.url = "http://a.test/2", .body = A("/5")},
    {.url = "http://a.test/3"},
    {.url = "http://a.test/4", .body = A("/6")},
    {.url = "http://a.test/5"},
    {.url = "http://a.test/6"},
    {.url = "http://a.test/r", .status = 301, .location = "/3"},
    {0},
};
#define RECORDS 10 /* all but robots.txt, with /no and /gone */

static char folder[64], state[96];

static void fetch(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    (void)context;
    (void)stop;
    response->status = 404;
    for (const struct page *p = pages; p->url; p++) {
        if (strcmp(p->url, request->url) == 0) {
            const char *type = p->content_type ? p->content_type : "text/html";
            response->status = p->status ? p->status : 200;
            if (weft_response_set(response, &response->content_type, type, strlen(type)) !=
                    WEFT_OK ||
                (p->location && weft_response_set(response, &response->location, p->location,
                                                  strlen(p->location)) != WEFT_OK) ||
                (p->body && weft_response_append(response, p->body, strlen(p->body)) != WEFT_OK)) {
                response->end = WEFT_FETCH_FAILED;
            }
        }
    }
}

/* Nothing is asserted in here: faults may be on. */
static enum weft_status crawl(unsigned max_depth, size_t room)
{
    const struct weft_crawl_options o = {.engine = WEFT_ENGINE_SYNC,
                                         .has_delay = true,
                                         .retry_base = 1,
                                         .has_max_depth = max_depth > 0,
                                         .max_depth = max_depth,
                                         .fetch = fetch,
                                         .state_file = state,
                                         .commit_pages = 1};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    char error[256];
    enum weft_status st = weft_crawl_new(&c, &o, error, sizeof error);
    if (st == WEFT_OK) {
        c->keep.room = room ? room : c->keep.room;
        st = weft_crawl_add(c, "http://a.test/", 14);
    }
    if (st == WEFT_OK) {
        st = weft_crawl_run(c, &report);
    }
    weft_crawl_free(c);
    return st;
}

static int count(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    ck_assert_int_eq(sqlite3_open(state, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(q), SQLITE_ROW);
    int n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static void remove_state(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", state, ends[i]);
        unlink(path);
    }
}

static void every_end_is_gone_on_from(unsigned max_depth, size_t room)
{
    /* Memory, where there is such a folder: what a disk takes to sync is not what is tested. */
    snprintf(folder, sizeof folder, "%s/weft-faults-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(state, sizeof state, "%s/s.db", folder);
    bool hit = true;
    unsigned failed = 0;
    for (long n = 1; hit; n += 1 + n / 40) { /* every one at first, then thinner: it takes long */
        faults_alloc_at(n);
        enum weft_status st = crawl(max_depth, room);
        hit = faults_hit();
        faults_alloc_at(0);
        failed += st != WEFT_OK;
        st = crawl(max_depth, room);
        ck_assert_msg(st == WEFT_OK, "the run after fault %ld: %s", n, weft_strerror(st));
        ck_assert_int_eq(count("SELECT count(*) FROM urls WHERE place <> 2"), 0);
        ck_assert_msg(count("SELECT count(*) FROM pages") == RECORDS &&
                          count("SELECT count(DISTINCT url) FROM pages") == RECORDS,
                      "after fault %ld: %d records of %d URLs", n,
                      count("SELECT count(*) FROM pages"),
                      count("SELECT count(DISTINCT url) FROM pages"));
        remove_state();
    }
    ck_assert_uint_gt(failed, 20);
    rmdir(folder);
}

START_TEST(a_crawl)
{
    every_end_is_gone_on_from(0, 0);
}
END_TEST

START_TEST(a_crawl_by_depth)
{
    every_end_is_gone_on_from(9, 0);
}
END_TEST

START_TEST(a_frontier_on_disk)
{
    every_end_is_gone_on_from(0, 1);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("faults");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_crawl);
    tcase_add_test(t, a_crawl_by_depth);
    tcase_add_test(t, a_frontier_on_disk);
    return suite_run("crawl: going on after faults", t);
}
