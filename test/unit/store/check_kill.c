/* check_kill.c -- a writer that is killed in the middle: what it wrote is whole records but for the
 * last, and appending makes every output valid again with nothing lost. */
#include "csv_read.h"
#include "fixture.h"
#include "support/eventually.h"
#include "warc_read.h"

#include <jansson.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = 12 };

static char *dir;

static void setup(void)
{
    dir = fixture_dir();
}

static void teardown(void)
{
    fixture_remove(dir);
}

/* --- how many whole records an output has; fails the test if it is not valid --- */

static int count_jsonl(const char *path)
{
    int n = 0;
    char *text = fixture_read(path, NULL);
    for (char *at = text, *end; *at; at = end + 1, n++) {
        must((end = strchr(at, '\n')), "a torn line");
        json_t *line = json_loadb(at, (size_t)(end - at), 0, NULL);
        must(line, "a line that is no JSON");
        json_decref(line);
    }
    free(text);
    return n;
}

static int count_csv(const char *path)
{
    size_t len;
    char *text = fixture_read(path, &len);
    struct csv_table t = csv_read(text, len);
    int n = (int)t.rows - 1;
    csv_release(&t);
    free(text);
    return n;
}

static int count_db(const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(s, 0), "ok");
    sqlite3_finalize(s);
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT count(*), (SELECT count(*) FROM links) FROM pages",
                                        -1, &s, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    int n = sqlite3_column_int(s, 0);
    ck_assert_int_eq(sqlite3_column_int(s, 1), 2 * n); /* each page with all of its links */
    sqlite3_finalize(s);
    sqlite3_close(db);
    return n;
}

static int count_warc(const char *path)
{
    int n = 0;
    struct warc_file f = warc_read(path);
    for (size_t i = 0; i < f.n; i++) {
        char *type = warc_field(&f.records[i], "WARC-Type");
        n += strcmp(type, "request") == 0;
        free(type);
    }
    warc_release(&f);
    return n;
}

static int count_dot(const char *path)
{
    int n = 0;
    size_t len;
    char *text = fixture_read(path, &len);
    ck_assert_str_eq(text + len - 3, "\n}\n");
    for (char *at = text; (at = strstr(at, " [outcome=")); at++) {
        n++;
    }
    free(text);
    return n;
}

static const struct {
    const char *name;
    int (*count)(const char *path);
    int batch; /* records that may be lost: those of one transaction */
} outputs[] = {{"out.jsonl", count_jsonl, 0},
               {"out.csv", count_csv, 0},
               {"out.db", count_db, 1000},
               {"out.warc.gz", count_warc, 0},
               {"out.dot", count_dot, 0}};

static struct weft_record record_with_exchange(void)
{
    static const char request[] = "GET / HTTP/1.1\r\n\r\n";
    static const char answer[] = "HTTP/1.1 200 OK\r\n\r\nbody";
    struct weft_record r = fixture_record("http://a.example/");
    r.wire_request = request;
    r.wire_request_len = sizeof request - 1;
    r.wire_answer = answer;
    r.wire_answer_len = sizeof answer - 1;
    return r;
}

/* In a process of its own: writes until it is killed, at most some records more than those after
 * which that happens, and counts in *put what the writer has let go of. */
static void write_until_killed(const char *path, atomic_int *put, int most)
{
    char error[512];
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {
        .paths = paths, .mode = WEFT_OUTPUT_APPEND, .queue_max = 1};
    struct weft_writer *w;
    struct weft_record r = record_with_exchange();
    if (weft_writer_new(&w, &options, error, sizeof error) != WEFT_OK) {
        fprintf(stderr, "%s\n", error);
        _exit(1);
    }
    for (int i = 0; i < most; i++) {
        if (weft_writer_put(w, fixture_item(&r, put)) != WEFT_OK) {
            _exit(1);
        }
    }
    for (;;) {
        pause();
    }
}

struct target {
    atomic_int *put;
    int n;
};

static bool has_put(void *arg)
{
    struct target *t = arg;
    return atomic_load(t->put) >= t->n;
}

START_TEST(nothing_whole_is_lost)
{
    char *path = fixture_path(dir, outputs[_i].name);
    atomic_int *put = mmap(NULL, sizeof *put, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                           -1, 0);
    ck_assert_ptr_ne(put, MAP_FAILED);
    int before = 0;
    for (int i = 0; i < KILLS; i++) {
        struct target target = {put, 1 + 37 * i};
        atomic_store(put, 0);
        pid_t child = fork();
        if (child == 0) {
            write_until_killed(path, put, target.n + 300);
        }
        ck_assert(eventually(has_put, &target, weft_in_ms(60000)));
        kill(child, SIGKILL);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        int written = before + atomic_load(put);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0); /* mends */
        int now = outputs[_i].count(path);
        ck_assert_int_ge(now, written - outputs[_i].batch);
        ck_assert_int_ge(now, before);
        ck_assert_int_le(now, written + 1); /* one may be written and not yet counted */
        before = now;
    }
    munmap(put, sizeof *put);
    free(path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("kill");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, nothing_whole_is_lost, 0, sizeof outputs / sizeof *outputs);
    return suite_run("store: kill", tc);
}
