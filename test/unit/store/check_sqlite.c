/* check_sqlite.c -- the database, asked through SQLite's own interface and by the documentation's
 * queries. */
#include "fixture.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "out.db");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

static sqlite3 *open_db(void)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000); /* the writer may be in a transaction of its own */
    return db;
}

/* The rows of a query as text: cells with '|' between them, rows with a newline behind; NULL is
 * "null". To free(). */
static char *ask(sqlite3 *db, const char *sql)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    sqlite3_stmt *s;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(db));
    int rc;
    while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const char *cell = (const char *)sqlite3_column_text(s, i);
            fprintf(out, "%s%s", i ? "|" : "", cell ? cell : "null");
        }
        fputc('\n', out);
    }
    ck_assert_msg(rc == SQLITE_DONE, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(s);
    fclose(out);
    return text;
}

static void expect(sqlite3 *db, const char *sql, const char *want)
{
    char *got = ask(db, sql);
    ck_assert_msg(strcmp(got, want) == 0, "%s\ngives\n%sand not\n%s", sql, got, want);
    free(got);
}

static void expect_sound(sqlite3 *db)
{
    expect(db, "PRAGMA integrity_check", "ok\n");
    expect(db, "PRAGMA foreign_key_check", "");
}

/* Writes with any options; returns what new or close said. */
static enum weft_status write_with(const char *const *names, enum weft_output_mode mode,
                                   const struct weft_record *r, size_t n,
                                   const struct weft_run_summary *summary, char *error, size_t cap)
{
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {
        .paths = paths, .mode = mode, .select_names = names, .software = "weft/9"};
    struct weft_writer *w;
    enum weft_status st = weft_writer_new(&w, &options, error, cap);
    bool took_all = true;
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        took_all &= weft_writer_put(w, fixture_item(&r[i], NULL)) == WEFT_OK;
    }
    if (st == WEFT_OK) {
        st = weft_writer_close(w, summary, error, cap);
        ck_assert(took_all || st == WEFT_EIO);
    }
    return st;
}

START_TEST(a_record_is_a_row_with_the_documented_columns)
{
    struct weft_record r = fixture_record("http://a.example/old");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    sqlite3 *db = open_db();
    expect_sound(db);
    expect(db, "SELECT * FROM pages",
           "1|1|http://a.example/old|fetched|null|null|200|http://a.example/new|"
           "[{\"status\":301,\"url\":\"http://a.example/old\"},"
           "{\"status\":302,\"url\":\"http://a.example/older\"}]|"
           "3|http://a.example/|2|text/html; charset=utf-8|utf-8|A title|22|null|2|"
           "2024-02-29T23:59:59.999Z|12.346|7\n");
    expect(db, "SELECT * FROM links",
           "1|0|http://a.example/one|null|0|3\n1|1|http://a.example/two|part|1|null\n");
    expect(db, "SELECT group_concat(name, ' ') FROM pragma_table_info('pages')",
           "id run url outcome reason error status final_url redirects depth referrer attempts "
           "content_type charset title bytes body links started_at elapsed_ms worker\n");
    expect(db, "SELECT count(*) FROM records", "0\n");
    expect(db, "SELECT typeof(status), typeof(elapsed_ms), typeof(title) FROM pages",
           "integer|real|text\n");
    sqlite3_close(db);
}
END_TEST

START_TEST(a_bare_record_has_its_nulls)
{
    struct weft_record r = {
        .url = "http://a.example/", .outcome = WEFT_SKIPPED, .reason = WEFT_REASON_ROBOTS};
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    sqlite3 *db = open_db();
    expect(db, "SELECT * FROM pages",
           "1|1|http://a.example/|skipped|robots|null|null|http://a.example/|[]|0|null|0|null|null|"
           "null|0|null|0|null|0.0|0\n");
    sqlite3_close(db);
}
END_TEST

START_TEST(hostile_bytes_come_back)
{
    const char *text = fixture_hostile[_i];
    struct weft_record_link link = {.url = text, .fragment = text};
    struct weft_record_field field = {"x", text};
    const char *names[] = {"x", NULL};
    char error[256];
    struct weft_record r = fixture_record(text);
    r.title = r.content_type = text;
    r.links = &link;
    r.nlinks = 1;
    r.fields = &field;
    r.nrows = r.nselect = 1;
    ck_assert_int_eq(write_with(names, WEFT_OUTPUT_NEW, &r, 1, NULL, error, sizeof error), WEFT_OK);
    sqlite3 *db = open_db();
    expect_sound(db);
    char *back = ask(db, "SELECT title FROM pages");
    json_t *is = json_string(back), *was = json_string(text);
    ck_assert_ptr_nonnull(is); /* UTF-8 */
    if (was) {
        ck_assert_uint_eq(strlen(back), strlen(text) + 1);
        ck_assert_mem_eq(back, text, strlen(text));
    }
    expect(db,
           "SELECT count(*) FROM pages p JOIN links l ON l.page = p.id JOIN records r ON r.page = "
           "p.id WHERE p.title = p.url AND p.title = l.url AND p.title = l.fragment AND p.title = "
           "r.x AND p.title = p.content_type",
           "1\n");
    json_decref(is);
    json_decref(was);
    free(back);
    sqlite3_close(db);
}
END_TEST

START_TEST(a_run_is_told_with_its_end)
{
    char error[256];
    struct weft_run_summary summary = {.command = "weft crawl http://a.example/",
                                       .started_at = INT64_C(1709251199999000000),
                                       .ended_at = INT64_C(1709251200001000000),
                                       .ended = "finished",
                                       .fetched = 1,
                                       .failed = 2,
                                       .skipped = 3,
                                       .bytes = 4,
                                       .left = 5};
    ck_assert_int_eq(write_with(NULL, WEFT_OUTPUT_NEW, NULL, 0, &summary, error, sizeof error),
                     WEFT_OK);
    fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0);
    sqlite3 *db = open_db();
    expect(db, "SELECT * FROM runs WHERE id = 1",
           "1|weft/9|weft crawl http://a.example/|2024-02-29T23:59:59.999Z|"
           "2024-03-01T00:00:00.001Z|finished|1|2|3|4|5\n");
    expect(db,
           "SELECT id, command, ended_at, ended, fetched, started_at > '2024' FROM runs WHERE "
           "id = 2",
           "2|null|null|null|null|1\n");
    sqlite3_close(db);
}
END_TEST

static const char *const names[] = {"title", "a \"quoted\" name", "page", "drop table", NULL};

START_TEST(selected_values_are_columns)
{
    const struct weft_record_field fields[] = {
        {names[0], "One"}, {names[1], "1"},  {names[2], NULL}, {names[3], "x"},
        {names[0], "Two"}, {names[1], NULL}, {names[2], "p"},  {names[3], "y"}};
    const char *const later[] = {"TITLE", "more", NULL};
    const struct weft_record_field more[] = {{"TITLE", "Three"}, {"more", "m"}};
    char error[256];
    struct weft_record r = fixture_record("http://a.example/1");
    r.fields = fields;
    r.nrows = 2;
    r.nselect = 4;
    ck_assert_int_eq(write_with(names, WEFT_OUTPUT_NEW, &r, 1, NULL, error, sizeof error), WEFT_OK);
    r.fields = more;
    r.nrows = 1;
    r.nselect = 2;
    ck_assert_int_eq(write_with(later, WEFT_OUTPUT_APPEND, &r, 1, NULL, error, sizeof error),
                     WEFT_OK);
    sqlite3 *db = open_db();
    expect_sound(db);
    expect(db,
           "SELECT page, row, title, \"a \"\"quoted\"\" name\", \"fields.page\", \"drop table\", "
           "more FROM records ORDER BY id",
           "1|0|One|1|null|x|null\n1|1|Two|null|p|y|null\n2|0|Three|null|null|null|m\n");
    sqlite3_close(db);
}
END_TEST

START_TEST(names_that_are_one_column_are_refused)
{
    const char *const twice[] = {"price", "Price", NULL};
    char error[256];
    ck_assert_int_eq(write_with(twice, WEFT_OUTPUT_NEW, NULL, 0, NULL, error, sizeof error),
                     WEFT_EINVAL);
    ck_assert_msg(strstr(error, "\"price\" and \"Price\" are one column") != NULL, "%s", error);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* More than one transaction's worth, read while the last is still open. */
START_TEST(many_records_in_several_transactions)
{
    enum { N = 2500 };
    char error[256];
    struct weft_record r = fixture_record("http://a.example/");
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, NULL)), WEFT_OK);
    }
    sqlite3 *db = open_db();
    char *part = ask(db, "SELECT count(*) FROM pages");
    ck_assert_int_le(atoi(part), N);
    free(part);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    expect(db, "SELECT count(*) FROM pages", "2500\n");
    expect(db, "SELECT count(*) FROM links", "5000\n");
    expect_sound(db);
    sqlite3_close(db);
}
END_TEST

/* It has a log while it is written, and is one file when it is finished; a reader keeps the log. */
START_TEST(a_finished_database_is_a_single_file)
{
    char error[256];
    char *log = fixture_path(dir, "out.db-wal");
    for (int reading = 0; reading < 2; reading++) {
        struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_OVERWRITE);
        sqlite3 *db = open_db();
        expect(db, "PRAGMA journal_mode", "wal\n");
        if (!reading) {
            sqlite3_close(db);
        }
        ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
        ck_assert_int_eq(access(log, F_OK) == 0, reading);
        if (reading) {
            expect(db, "SELECT count(*) FROM runs", "1\n");
            sqlite3_close(db);
        }
        db = open_db();
        expect(db, "PRAGMA journal_mode", reading ? "wal\n" : "delete\n");
        expect(db, "SELECT count(*) FROM runs", "1\n");
        sqlite3_close(db);
    }
    free(log);
}
END_TEST

/* Somebody else's transaction is waited for. */
START_TEST(a_lock_is_waited_for)
{
    char error[256];
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    sqlite3 *db = open_db();
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_APPEND);
    expect(db, "BEGIN IMMEDIATE", "");
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, NULL)), WEFT_OK);
    expect(db, "INSERT INTO runs(software) VALUES('another')", "");
    expect(db, "COMMIT", "");
    sqlite3_close(db);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    db = open_db();
    expect(db, "SELECT count(*) FROM pages", "2\n");
    expect(db, "SELECT count(*) FROM runs", "3\n");
    sqlite3_close(db);
}
END_TEST

/* ... but not for ever. */
START_TEST(a_lock_that_stays_is_told)
{
    char error[512] = "";
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    sqlite3 *db = open_db();
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_APPEND);
    expect(db, "BEGIN IMMEDIATE", "");
    while (weft_writer_put(w, fixture_item(&r, NULL)) == WEFT_OK) {
        usleep(10000); /* it fails when SQLite has waited long enough */
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "database is locked") != NULL, "%s", error);
    sqlite3_close(db);
}
END_TEST

/* A slow crawl's records are to be seen about a second later, without any that follow them. */
START_TEST(a_lone_record_is_committed_soon)
{
    char error[256];
    struct weft_record r = fixture_record("http://a.example/");
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, NULL)), WEFT_OK);
    sqlite3 *db = open_db();
    bool there = false;
    while (!there) { /* the test's time limit is what ends this when it fails */
        char *n = ask(db, "SELECT count(*) FROM pages");
        there = strcmp(n, "1\n") == 0;
        free(n);
        usleep(10000);
    }
    sqlite3_close(db);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
}
END_TEST

/* --- the documentation's queries --- */

static void make_site(void)
{
    static const struct weft_record_link to_missing[] = {
        {.url = "http://localhost:8080/missing.html"}, {.url = "http://localhost:8080/old"}};
    struct weft_record r[6];
    for (int i = 0; i < 6; i++) {
        r[i] = fixture_record("http://localhost:8080/");
        r[i].redirects = NULL;
        r[i].nredirects = 0;
        r[i].links = to_missing;
        r[i].elapsed_ms = i;
    }
    r[1].url = "http://localhost:8080/two";
    r[2].url = "http://localhost:8080/missing.html";
    r[2].outcome = WEFT_FAILED;
    r[2].reason = WEFT_REASON_HTTP_STATUS;
    r[2].status = 404;
    r[2].nlinks = 0;
    r[3] = fixture_record("http://localhost:8080/old");
    r[3].final_url = "http://localhost:8080/two";
    r[3].nlinks = 0;
    r[4].url = "http://localhost:8080/private/";
    r[4].outcome = WEFT_SKIPPED;
    r[4].reason = WEFT_REASON_ROBOTS;
    r[4].nlinks = 0;
    r[5].url = "http://localhost:8080/new";
    r[5].nlinks = 0;
    r[5].title = "Another";
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 5);
    fixture_put_all(path, WEFT_OUTPUT_APPEND, r + 5, 1);
}

static const char *const answers[] = {
    "404|http_status|http://localhost:8080/missing.html|http://localhost:8080/\n"
    "404|http_status|http://localhost:8080/missing.html|http://localhost:8080/two\n",
    "http://localhost:8080/\nhttp://localhost:8080/two\n",
    "http_status|404|1\n",
    "12.346|http://localhost:8080/old\n5.0|http://localhost:8080/new\n"
    "4.0|http://localhost:8080/private/\n2.0|http://localhost:8080/missing.html\n"
    "1.0|http://localhost:8080/two\n0.0|http://localhost:8080/\n",
    "text/html; charset=utf-8|4|88|22\n",
    "A title|3|http://localhost:8080/ http://localhost:8080/two http://localhost:8080/old\n",
    "http://localhost:8080/missing.html|2\nhttp://localhost:8080/old|2\n",
    "http://localhost:8080/|http://localhost:8080/old|http://localhost:8080/two\n"
    "http://localhost:8080/two|http://localhost:8080/old|http://localhost:8080/two\n",
    "robots|1|http://localhost:8080/private/\n",
    "http://localhost:8080/new\n",
};

/* Every query of the documentation gives what it says, and none scans `links` to find a page's. */
START_TEST(the_documented_queries_answer)
{
    enum { N = sizeof answers / sizeof *answers };
    make_site();
    sqlite3 *db = open_db();
    char *text = fixture_read("docs/formats.md", NULL);
    int n = 0;
    for (char *at = text; (at = strstr(at, "```sql\n")); n++) {
        at += strlen("```sql\n");
        char *end = strstr(at, "```");
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        ck_assert_int_lt(n, N);
        expect(db, at, answers[n]);
        at = end + 1;
    }
    ck_assert_int_eq(n, N);
    free(text);
    sqlite3_close(db);
}
END_TEST

START_TEST(broken_links_are_found_through_indexes)
{
    make_site();
    sqlite3 *db = open_db();
    char *plan = ask(db, "EXPLAIN QUERY PLAN SELECT b.url, p.url FROM pages b JOIN links l ON "
                         "l.url = b.url JOIN pages p ON p.id = l.page WHERE b.outcome = 'failed'");
    ck_assert_msg(strstr(plan, "USING INDEX pages_failed") != NULL, "%s", plan);
    ck_assert_msg(strstr(plan, "INDEX links_url (url=?)") != NULL, "%s", plan);
    ck_assert_msg(strstr(plan, "USING INTEGER PRIMARY KEY") != NULL, "%s", plan);
    free(plan);
    plan = ask(db, "EXPLAIN QUERY PLAN SELECT p.url FROM links l JOIN pages p ON p.id = l.page "
                   "WHERE l.url = 'http://a.example/'");
    ck_assert_msg(strstr(plan, "INDEX links_url (url=?)") != NULL, "%s", plan);
    ck_assert_msg(strstr(plan, "SCAN") == NULL, "%s", plan);
    free(plan);
    sqlite3_close(db);
}
END_TEST

/* --- files that are not as they should be --- */

static void expect_refusal(enum weft_output_mode mode, enum weft_status status, const char *says)
{
    char error[512] = "";
    ck_assert_int_eq(write_with(NULL, mode, NULL, 0, NULL, error, sizeof error), status);
    ck_assert_msg(strstr(error, says) != NULL, "%s", error);
    ck_assert_ptr_nonnull(strstr(error, path));
}

START_TEST(no_database_is_refused_for_appending)
{
    static const char text[] = "precious notes of another program, longer than a header: "
                               "0123456789012345678901234567890123456789";
    fixture_write(path, text, sizeof text);
    expect_refusal(WEFT_OUTPUT_APPEND, WEFT_EIO, "file is not a database");
    char *after = fixture_read(path, NULL);
    ck_assert_str_eq(after, text);
    free(after);
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_OVERWRITE, &r, 1);
    sqlite3 *db = open_db();
    expect_sound(db);
    sqlite3_close(db);
}
END_TEST

START_TEST(an_empty_file_becomes_a_database)
{
    fixture_write(path, "", 0);
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
    sqlite3 *db = open_db();
    expect(db, "SELECT count(*) FROM pages", "1\n");
    sqlite3_close(db);
}
END_TEST

START_TEST(another_database_is_refused_for_appending)
{
    sqlite3 *db;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    expect(db, "CREATE TABLE pages(x)", "");
    sqlite3_close(db);
    expect_refusal(WEFT_OUTPUT_APPEND, WEFT_EINVAL, "not a results database of this version");
}
END_TEST

START_TEST(overwriting_leaves_nothing_of_the_old_one)
{
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *wal = fixture_path(dir, "out.db-wal");
    fixture_write(wal, "an old log", 10); /* as a killed process leaves one */
    fixture_put_all(path, WEFT_OUTPUT_OVERWRITE, &r, 1);
    sqlite3 *db = open_db();
    expect(db, "SELECT count(*) FROM pages", "1\n");
    expect_sound(db);
    sqlite3_close(db);
    free(wal);
}
END_TEST

START_TEST(a_database_in_use_is_not_overwritten)
{
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    sqlite3 *db = open_db();
    expect(db, "BEGIN IMMEDIATE", "");
    expect_refusal(WEFT_OUTPUT_OVERWRITE, WEFT_EIO, "another process is using it");
    expect(db, "SELECT count(*) FROM pages", "1\n");
    sqlite3_close(db);
}
END_TEST

START_TEST(a_corrupt_database_is_told)
{
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    size_t len;
    char *bytes = fixture_read(path, &len);
    ck_assert_uint_gt(len, 8192);
    memset(bytes + 4096, 0xa5, len - 4096); /* the header and the schema stay */
    fixture_write(path, bytes, len);
    free(bytes);
    char error[512] = "";
    ck_assert_int_eq(write_with(NULL, WEFT_OUTPUT_APPEND, &r, 1, NULL, error, sizeof error),
                     WEFT_EIO);
    ck_assert_msg(strstr(error, "malformed") != NULL, "%s", error);
}
END_TEST

/* A disk that fills up: what was committed is whole and stays. */
START_TEST(a_full_disk_keeps_what_was_committed)
{
    enum { MOST = 1 << 20 };
    struct rlimit old, limit;
    char error[512] = "";
    struct weft_record r = fixture_record("http://a.example/");
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){MOST, old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int n = 0;
    while (weft_writer_put(w, fixture_item(&r, NULL)) == WEFT_OK) {
        n++;
    }
    enum weft_status st = weft_writer_close(w, NULL, error, sizeof error);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_int_eq(st, WEFT_EIO);
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    sqlite3 *db = open_db();
    expect_sound(db);
    char *kept = ask(db, "SELECT count(*) FROM pages");
    ck_assert_int_ge(atoi(kept), 1000);
    ck_assert_int_le(atoi(kept), n);
    free(kept);
    expect(db, "SELECT (SELECT count(*) FROM links) = 2 * (SELECT count(*) FROM pages)", "1\n");
    sqlite3_close(db);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sqlite");
    int hostile = 0;
    while (fixture_hostile[hostile]) {
        hostile++;
    }
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_record_is_a_row_with_the_documented_columns);
    tcase_add_test(tc, a_bare_record_has_its_nulls);
    tcase_add_loop_test(tc, hostile_bytes_come_back, 0, hostile);
    tcase_add_test(tc, a_run_is_told_with_its_end);
    tcase_add_test(tc, selected_values_are_columns);
    tcase_add_test(tc, names_that_are_one_column_are_refused);
    tcase_add_test(tc, many_records_in_several_transactions);
    tcase_add_test(tc, a_finished_database_is_a_single_file);
    tcase_add_test(tc, a_lock_is_waited_for);
    tcase_add_test(tc, a_lock_that_stays_is_told);
    tcase_add_test(tc, a_lone_record_is_committed_soon);
    tcase_add_test(tc, the_documented_queries_answer);
    tcase_add_test(tc, broken_links_are_found_through_indexes);
    tcase_add_test(tc, no_database_is_refused_for_appending);
    tcase_add_test(tc, an_empty_file_becomes_a_database);
    tcase_add_test(tc, another_database_is_refused_for_appending);
    tcase_add_test(tc, overwriting_leaves_nothing_of_the_old_one);
    tcase_add_test(tc, a_database_in_use_is_not_overwritten);
    tcase_add_test(tc, a_corrupt_database_is_told);
    tcase_add_test(tc, a_full_disk_keeps_what_was_committed);
    return suite_run("store: sqlite", tc);
}
