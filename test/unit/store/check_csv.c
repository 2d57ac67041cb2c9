/* check_csv.c -- CSV, read back with a strict reader of its own. */
#include "csv_read.h"
#include "fixture.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                     \
    "url,outcome,reason,error,status,final_url,redirects,depth,referrer,attempts,content_type,"    \
    "charset,title,bytes,body,links,started_at,elapsed_ms,worker"

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "out.csv");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

static struct csv_table read_table(void)
{
    size_t len;
    char *bytes = fixture_read(path, &len);
    struct csv_table t = csv_read(bytes, len);
    free(bytes);
    return t;
}

static enum weft_status write_with(const char *const *names, bool rows, enum weft_output_mode mode,
                                   const struct weft_record *r, size_t n, char *error, size_t cap)
{
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {
        .paths = paths, .mode = mode, .select_names = names, .rows = rows};
    struct weft_writer *w;
    enum weft_status st = weft_writer_new(&w, &options, error, cap);
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r[i], NULL)), WEFT_OK);
    }
    return st == WEFT_OK ? weft_writer_close(w, NULL, error, cap) : st;
}

START_TEST(a_record_is_a_line_under_the_documented_header)
{
    struct weft_record r = fixture_record("http://a.example/old");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(text,
                     HEADER "\r\n"
                            "http://a.example/old,fetched,,,200,http://a.example/new,"
                            "\"[{\"\"status\"\":301,\"\"url\"\":\"\"http://a.example/old\"\"},"
                            "{\"\"status\"\":302,\"\"url\"\":\"\"http://a.example/older\"\"}]\","
                            "3,http://a.example/,2,text/html; charset=utf-8,utf-8,A title,22,,2,"
                            "2024-02-29T23:59:59.999Z,12.346,7\r\n");
    free(text);
}
END_TEST

START_TEST(nothing_found_is_a_header_alone)
{
    fixture_put_all(path, WEFT_OUTPUT_NEW, NULL, 0);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(text, HEADER "\r\n");
    free(text);
}
END_TEST

START_TEST(an_empty_text_is_told_from_none)
{
    struct weft_record r = fixture_record("http://a.example/");
    r.title = "";
    r.charset = NULL;
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    struct csv_table t = read_table();
    ck_assert(csv_at(&t, 1, "title")->quoted);
    ck_assert_str_eq(csv_at(&t, 1, "title")->text, "");
    ck_assert(!csv_at(&t, 1, "charset")->quoted);
    ck_assert_str_eq(csv_at(&t, 1, "charset")->text, "");
    csv_release(&t);
}
END_TEST

START_TEST(hostile_bytes_come_back)
{
    const char *text = fixture_hostile[_i];
    struct weft_redirect hop = {301, text};
    struct weft_record r = fixture_record(text);
    r.title = r.error = r.content_type = text;
    r.redirects = &hop;
    r.nredirects = 1;
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    struct csv_table t = read_table();
    ck_assert_uint_eq(t.rows, 2);
    const char *back = csv_at(&t, 1, "title")->text;
    ck_assert_str_eq(csv_at(&t, 1, "url")->text, back);
    bool formula = text[0] && strchr("=+-@\t\r\n", text[0]);
    if (formula) {
        ck_assert_int_eq(back[0], '\'');
        back++;
    }
    json_t *valid = json_string(text); /* NULL unless it is UTF-8 */
    if (valid) {
        ck_assert_str_eq(back, text);
    } else {
        ck_assert_ptr_nonnull(strstr(back, "\xef\xbf\xbd"));
    }
    json_t *hops = json_loads(csv_at(&t, 1, "redirects")->text, 0, NULL);
    ck_assert_uint_eq(json_array_size(hops), 1);
    json_decref(hops);
    json_decref(valid);
    csv_release(&t);
}
END_TEST

START_TEST(full_width_formulas_are_defused)
{
    static const char *const cells[] = {"\xef\xbc\x9d"
                                        "1",
                                        "\xef\xbc\x8b"
                                        "1",
                                        "\xef\xbc\x8d"
                                        "1",
                                        "\xef\xbc\xa0"
                                        "1"};
    struct weft_record r = fixture_record("http://a.example/");
    r.title = cells[_i];
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    struct csv_table t = read_table();
    ck_assert_int_eq(csv_at(&t, 1, "title")->text[0], '\'');
    ck_assert_str_eq(csv_at(&t, 1, "title")->text + 1, cells[_i]);
    csv_release(&t);
}
END_TEST

static const char *const names[] = {"title", "price, net", "=x", NULL};
static const struct weft_record_field fields[] = {
    {"title", "One"}, {"price, net", "1"}, {"=x", NULL},
    {"title", "Two"}, {"price, net", "2"}, {"=x", "=2"},
};

START_TEST(selected_values_stand_behind_the_page)
{
    char error[256];
    struct weft_record r[2] = {fixture_record("http://a.example/1"),
                               fixture_record("http://a.example/2")};
    r[0].fields = fields;
    r[0].nrows = 1;
    r[0].nselect = 3;
    ck_assert_int_eq(write_with(names, false, WEFT_OUTPUT_NEW, r, 2, error, sizeof error), WEFT_OK);
    struct csv_table t = read_table();
    ck_assert_uint_eq(t.columns, 19 + 3);
    ck_assert_uint_eq(t.rows, 3);
    ck_assert_str_eq(csv_at(&t, 1, "title")->text, "A title");
    ck_assert_str_eq(csv_at(&t, 1, "fields.title")->text, "One");
    ck_assert_str_eq(csv_at(&t, 1, "price, net")->text, "1");
    ck_assert(!csv_at(&t, 1, "'=x")->quoted);
    ck_assert_str_eq(csv_at(&t, 2, "fields.title")->text, "");
    csv_release(&t);
}
END_TEST

START_TEST(a_row_is_a_line_when_pages_have_several)
{
    char error[256];
    struct weft_record r[3] = {fixture_record("http://a.example/1"),
                               fixture_record("http://a.example/none"),
                               fixture_record("http://a.example/3")};
    r[0].fields = r[2].fields = fields;
    r[0].nrows = 2;
    r[2].nrows = 1;
    r[0].nselect = r[1].nselect = r[2].nselect = 3;
    ck_assert_int_eq(write_with(names, true, WEFT_OUTPUT_NEW, r, 3, error, sizeof error), WEFT_OK);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(text, "url,title,\"price, net\",\"'=x\"\r\n"
                           "http://a.example/1,One,1,\r\n"
                           "http://a.example/1,Two,2,\"'=2\"\r\n"
                           "http://a.example/3,One,1,\r\n");
    free(text);
}
END_TEST

/* What appending does to what it finds: NULL refuses. */
static const struct {
    const char *before, *after;
} tails[] = {
    {"", HEADER "\r\n"},
    {HEADER "\r\n", HEADER "\r\n"},
    {HEADER, HEADER "\r\n"},
    {"url,out", HEADER "\r\n"},
    {HEADER "\r\na,b,\"c\r\nd\",e\r\n", HEADER "\r\na,b,\"c\r\nd\",e\r\n"},
    {HEADER "\r\na,b\r\ntorn,\"within\r\nquotes\r\n", HEADER "\r\na,b\r\n"},
    {HEADER "\r\na,b\r\ntorn,\"a quote \"\"", HEADER "\r\na,b\r\n"},
    {HEADER "\r\na,b\r\ntorn", HEADER "\r\na,b\r\n"},
    {HEADER "\r\na,b\r\ntorn\r", HEADER "\r\na,b\r\n"},
    {"url,status\r\nhttp://a.example/,200\r\n", NULL},
    {HEADER "\n", NULL},
    {HEADER ",more\r\n", NULL},
    {"precious notes of another program\n", NULL},
};

START_TEST(appending_mends_or_refuses)
{
    char error[512] = "";
    struct weft_record r = fixture_record("http://a.example/new");
    fixture_write(path, tails[_i].before, strlen(tails[_i].before));
    enum weft_status st = write_with(NULL, false, WEFT_OUTPUT_APPEND, &r, 1, error, sizeof error);
    char *text = fixture_read(path, NULL);
    if (!tails[_i].after) {
        ck_assert_int_eq(st, WEFT_EINVAL);
        ck_assert_msg(strstr(error, "other columns") != NULL, "%s", error);
        ck_assert_str_eq(text, tails[_i].before);
    } else {
        size_t n = strlen(tails[_i].after);
        ck_assert_int_eq(st, WEFT_OK);
        ck_assert_uint_gt(strlen(text), n);
        ck_assert_mem_eq(text, tails[_i].after, n);
        ck_assert_int_eq(strncmp(text + n, "http://a.example/new,fetched,", 29), 0);
        ck_assert_ptr_eq(strstr(text, HEADER), text);
        ck_assert_ptr_null(strstr(text + 1, HEADER));
    }
    free(text);
}
END_TEST

START_TEST(appending_twice_reads_as_one_table)
{
    struct weft_record r[100];
    for (int i = 0; i < 100; i++) {
        r[i] = fixture_record("http://a.example/");
        r[i].title = fixture_hostile[i % 20];
    }
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 100);
    for (int i = 0; i < 10; i++) {
        fixture_put_all(path, WEFT_OUTPUT_APPEND, r, 100);
    }
    struct csv_table t = read_table();
    ck_assert_uint_eq(t.rows, 1101);
    csv_release(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("csv");
    int hostile = 0;
    while (fixture_hostile[hostile]) {
        hostile++;
    }
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_record_is_a_line_under_the_documented_header);
    tcase_add_test(tc, nothing_found_is_a_header_alone);
    tcase_add_test(tc, an_empty_text_is_told_from_none);
    tcase_add_loop_test(tc, hostile_bytes_come_back, 0, hostile);
    tcase_add_loop_test(tc, full_width_formulas_are_defused, 0, 4);
    tcase_add_test(tc, selected_values_stand_behind_the_page);
    tcase_add_test(tc, a_row_is_a_line_when_pages_have_several);
    tcase_add_loop_test(tc, appending_mends_or_refuses, 0, sizeof tails / sizeof *tails);
    tcase_add_test(tc, appending_twice_reads_as_one_table);
    return suite_run("store: csv", tc);
}
