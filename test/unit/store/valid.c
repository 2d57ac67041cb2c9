/* valid.c -- see valid.h. */
#include "valid.h"
#include "csv_read.h"
#include "fixture.h"
#include "warc_read.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

int valid_jsonl(const char *path)
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

int valid_csv(const char *path)
{
    size_t len;
    char *text = fixture_read(path, &len);
    struct csv_table t = csv_read(text, len);
    int n = (int)t.rows - 1;
    csv_release(&t);
    free(text);
    return n;
}

int valid_db(const char *path)
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

int valid_warc(const char *path)
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

int valid_dot(const char *path)
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

const struct valid_output valid_outputs[VALID_OUTPUTS] = {{"out.jsonl", valid_jsonl, 0},
                                                          {"out.csv", valid_csv, 0},
                                                          {"out.db", valid_db, 1000},
                                                          {"out.warc.gz", valid_warc, 0},
                                                          {"out.dot", valid_dot, 0}};

struct weft_record valid_record(void)
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
