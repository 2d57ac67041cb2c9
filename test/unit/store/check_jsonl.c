/* check_jsonl.c -- JSON Lines, read back with another JSON library. */
#include "fixture.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir;

static void setup(void)
{
    dir = fixture_dir();
}

static void teardown(void)
{
    fixture_remove(dir);
}

/* Reads a whole file as a JSON array of its lines; fails the test unless every line ends in a
 * newline and is one JSON value. */
static json_t *read_lines(const char *path)
{
    size_t len;
    char *bytes = fixture_read(path, &len);
    json_t *lines = json_array();
    ck_assert(len == 0 || bytes[len - 1] == '\n');
    for (char *at = bytes, *end; (end = strchr(at, '\n')); at = end + 1) {
        json_error_t error;
        json_t *line = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES, &error);
        ck_assert_msg(line != NULL, "%s: %.*s", error.text, (int)(end - at), at);
        json_array_append_new(lines, line);
    }
    free(bytes);
    return lines;
}

static json_t *write_and_read(const struct weft_record *records, size_t n)
{
    char *path = fixture_path(dir, "out.jsonl");
    fixture_put_all(path, WEFT_OUTPUT_OVERWRITE, records, n);
    json_t *lines = read_lines(path);
    ck_assert_uint_eq(json_array_size(lines), n);
    free(path);
    return lines;
}

START_TEST(a_whole_record_has_the_documented_fields_in_order)
{
    struct weft_record r = fixture_record("http://a.example/old");
    const struct weft_record_field fields[] = {{"price", "12"}, {"none", NULL}};
    char *path = fixture_path(dir, "out.jsonl");
    r.fields = fields;
    r.nrows = 1;
    r.nselect = 2;
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(
        text,
        "{\"url\":\"http://a.example/old\",\"outcome\":\"fetched\",\"reason\":null,\"error\":null,"
        "\"status\":200,\"final_url\":\"http://a.example/new\",\"redirects\":[{\"status\":301,"
        "\"url\":\"http://a.example/old\"},{\"status\":302,\"url\":\"http://a.example/older\"}],"
        "\"depth\":3,\"referrer\":\"http://a.example/\",\"attempts\":2,"
        "\"content_type\":\"text/html; charset=utf-8\",\"charset\":\"utf-8\",\"title\":\"A title\","
        "\"bytes\":22,\"body\":null,\"links\":2,\"started_at\":\"2024-02-29T23:59:59.999Z\","
        "\"elapsed_ms\":12.346,\"worker\":7,\"fields\":{\"price\":\"12\",\"none\":null}}\n");
    free(text);
    free(path);
}
END_TEST

START_TEST(a_bare_record_has_every_field_with_its_type)
{
    struct weft_record r = {
        .url = "http://a.example/robbed", .outcome = WEFT_SKIPPED, .reason = WEFT_REASON_ROBOTS};
    char *path = fixture_path(dir, "out.jsonl");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(
        text,
        "{\"url\":\"http://a.example/robbed\",\"outcome\":\"skipped\",\"reason\":\"robots\","
        "\"error\":null,\"status\":null,\"final_url\":\"http://a.example/robbed\",\"redirects\":[],"
        "\"depth\":0,\"referrer\":null,\"attempts\":0,\"content_type\":null,\"charset\":null,"
        "\"title\":null,\"bytes\":0,\"body\":null,\"links\":0,\"started_at\":null,"
        "\"elapsed_ms\":0.000,\"worker\":0,\"fields\":{}}\n");
    free(text);
    free(path);
}
END_TEST

START_TEST(an_unwanted_body_is_told)
{
    struct weft_record r = fixture_record("http://a.example/p.png");
    r.unwanted = true;
    json_t *lines = write_and_read(&r, 1);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(lines, 0), "body")),
                     "unwanted");
    json_decref(lines);
}
END_TEST

/* Whatever the bytes, the line is one line, and valid text comes back as it was. */
START_TEST(hostile_bytes_come_back)
{
    const char *text = fixture_hostile[_i];
    struct weft_redirect hop = {301, text};
    struct weft_record_field field = {text, text};
    struct weft_record r = fixture_record(text);
    r.error = r.final_url = r.referrer = r.content_type = r.charset = r.title = text;
    r.redirects = &hop;
    r.nredirects = 1;
    r.fields = &field;
    r.nrows = r.nselect = 1;
    json_t *lines = write_and_read(&r, 1);
    json_t *line = json_array_get(lines, 0);
    json_t *valid = json_string(text); /* NULL unless it is UTF-8 */
    const char *names[] = {"url",          "error",   "final_url", "referrer",
                           "content_type", "charset", "title"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *back = json_string_value(json_object_get(line, names[i]));
        ck_assert_ptr_nonnull(back);
        if (valid) {
            ck_assert_str_eq(back, text);
        } else {
            ck_assert_ptr_nonnull(strstr(back, "\xef\xbf\xbd"));
        }
    }
    if (valid) {
        json_t *first = json_array_get(json_object_get(line, "redirects"), 0);
        ck_assert_str_eq(json_string_value(json_object_get(first, "url")), text);
        json_t *fields = json_object_get(line, "fields");
        ck_assert_str_eq(json_string_value(json_object_get(fields, text)), text);
    }
    json_decref(valid);
    json_decref(lines);
}
END_TEST

/* Some readers split lines where Unicode says that a line ends; terminals obey what is a control
 * character there. */
START_TEST(no_line_end_and_no_control_is_written_raw)
{
    struct weft_record r = fixture_record("http://a.example/");
    r.title =
        "a\xc2\x85\x62\xe2\x80\xa8\x63\xe2\x80\xa9\xe2\x80\xaa\xc2\x80\xc2\x9b\x7f\xc2\xa0\v\f";
    char *path = fixture_path(dir, "out.jsonl");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    char *text = fixture_read(path, NULL);
    ck_assert_ptr_nonnull(
        strstr(text, "\"a\\u0085b\\u2028c\\u2029\xe2\x80\xaa\\u0080\\u009b\\u007f\xc2\xa0"));
    ck_assert_ptr_null(strchr(text, '\v'));
    ck_assert_ptr_null(strchr(text, '\f'));
    free(text);
    json_t *lines = read_lines(path);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(lines, 0), "title")),
                     r.title);
    json_decref(lines);
    free(path);
}
END_TEST

START_TEST(numbers_keep_their_range)
{
    static const struct {
        double in, out;
    } times[] = {{0, 0},  {0.0004, 0},    {0.0005, 0.001},   {1.5, 1.5},   {1e9, 1e9},
                 {-1, 0}, {0.0 / 0.0, 0}, {1.0 / 0.0, 1e15}, {1e300, 1e15}};
    enum { N = sizeof times / sizeof *times };
    struct weft_record r[N];
    for (size_t i = 0; i < N; i++) {
        r[i] = fixture_record("http://a.example/");
        r[i].elapsed_ms = times[i].in;
        r[i].bytes = INT64_MAX;
    }
    json_t *lines = write_and_read(r, N);
    for (size_t i = 0; i < N; i++) {
        json_t *line = json_array_get(lines, i);
        ck_assert_double_eq(json_real_value(json_object_get(line, "elapsed_ms")), times[i].out);
        ck_assert_int_eq(json_integer_value(json_object_get(line, "bytes")), INT64_MAX);
    }
    json_decref(lines);
}
END_TEST

START_TEST(times_are_rfc_3339)
{
    static const struct {
        int64_t ns;
        const char *text;
    } times[] = {{1, "1970-01-01T00:00:00.000Z"},
                 {-1, "1969-12-31T23:59:59.999Z"},
                 {INT64_C(1709164800000000000), "2024-02-29T00:00:00.000Z"},
                 {INT64_MAX, "2262-04-11T23:47:16.854Z"}};
    enum { N = sizeof times / sizeof *times };
    struct weft_record r[N];
    for (size_t i = 0; i < N; i++) {
        r[i] = fixture_record("http://a.example/");
        r[i].started_at = times[i].ns;
    }
    json_t *lines = write_and_read(r, N);
    for (size_t i = 0; i < N; i++) {
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(lines, i), "started_at")),
                         times[i].text);
    }
    json_decref(lines);
}
END_TEST

START_TEST(rows_are_listed_when_there_may_be_several)
{
    const struct weft_record_field fields[] = {{"a", "1"}, {"b", NULL}, {"a", "2"}, {"b", "x"}};
    struct weft_record r = fixture_record("http://a.example/");
    char error[256];
    char *path = fixture_path(dir, "out.jsonl");
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths, .rows = true};
    struct weft_writer *w;
    r.fields = fields;
    r.nselect = 2;
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    for (r.nrows = 0; r.nrows < 3; r.nrows++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, NULL)), WEFT_OK);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    json_t *lines = read_lines(path);
    static const char *const want[] = {"[{},[]]",
                                       "[{\"a\":\"1\",\"b\":null},[{\"a\":\"1\",\"b\":null}]]",
                                       ("[{\"a\":\"1\",\"b\":null},[{\"a\":\"1\",\"b\":null},"
                                        "{\"a\":\"2\",\"b\":\"x\"}]]")};
    for (size_t i = 0; i < 3; i++) {
        json_t *line = json_array_get(lines, i);
        json_t *both = json_pack("[OO]", json_object_get(line, "fields"),
                                 json_object_get(line, "rows"));
        char *text = json_dumps(both, JSON_COMPACT);
        ck_assert_str_eq(text, want[i]);
        free(text);
        json_decref(both);
    }
    json_decref(lines);
    free(path);
}
END_TEST

#define LINE "{\"url\":\"http://a.example/0\"}\n"

/* What appending does to what it finds. */
static const struct {
    const char *before, *after;
} tails[] = {
    {"", ""},
    {LINE, LINE},
    {LINE LINE "{\"url\":\"http://a.exam", LINE LINE},
    {LINE "{", LINE},
    {"{\"url\":\"torn at once", ""},
    {LINE "{\"url\":\"http://a.example/1\"}", LINE "{\"url\":\"http://a.example/1\"}\n"},
    {"{\"no\":\"newline\"}", "{\"no\":\"newline\"}\n"},
    {LINE "{\"two\":1}{\"joined\":1}", LINE},
    {LINE "\xff", LINE},
};

START_TEST(appending_mends_the_last_line)
{
    struct weft_record r = fixture_record("http://a.example/new");
    char *path = fixture_path(dir, "out.jsonl");
    fixture_write(path, tails[_i].before, strlen(tails[_i].before));
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
    char *text = fixture_read(path, NULL);
    size_t n = strlen(tails[_i].after);
    ck_assert_uint_ge(strlen(text), n);
    ck_assert_mem_eq(text, tails[_i].after, n);
    ck_assert_int_eq(strncmp(text + n, "{\"url\":\"http://a.example/new\"", 28), 0);
    free(text);
    json_decref(read_lines(path));
    free(path);
}
END_TEST

/* A tail longer than the block that it is looked for in. */
START_TEST(appending_mends_a_long_line)
{
    size_t n = 300000;
    char *bytes = malloc(n + 64);
    ck_assert_ptr_nonnull(bytes);
    for (int whole = 0; whole < 2; whole++) {
        size_t len = (size_t)sprintf(bytes, "%s", LINE "{\"url\":\"");
        memset(bytes + len, 'x', n);
        len += n;
        len += (size_t)sprintf(bytes + len, "%s", whole ? "\"}" : "");
        struct weft_record r = fixture_record("http://a.example/new");
        char *path = fixture_path(dir, whole ? "whole.jsonl" : "torn.jsonl");
        fixture_write(path, bytes, len);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
        json_t *lines = read_lines(path);
        ck_assert_uint_eq(json_array_size(lines), whole ? 3 : 2);
        json_decref(lines);
        free(path);
    }
    free(bytes);
}
END_TEST

START_TEST(appending_to_nothing_creates)
{
    struct weft_record r[2] = {fixture_record("http://a.example/1"),
                               fixture_record("http://a.example/2")};
    char *path = fixture_path(dir, "out.jsonl");
    fixture_put_all(path, WEFT_OUTPUT_APPEND, r, 1);
    fixture_put_all(path, WEFT_OUTPUT_APPEND, r + 1, 1);
    json_t *lines = read_lines(path);
    ck_assert_uint_eq(json_array_size(lines), 2);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(lines, 1), "url")),
                     "http://a.example/2");
    json_decref(lines);
    free(path);
}
END_TEST

/* "-" goes to descriptor 1, here a file, and leaves it open. */
START_TEST(dash_is_standard_output)
{
    struct weft_record r = fixture_record("http://a.example/");
    char *path = fixture_path(dir, "stdout");
    fflush(stdout);
    int old = dup(STDOUT_FILENO);
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
    ck_assert_int_ge(dup2(fd, STDOUT_FILENO), 0);
    fixture_put_all("-", WEFT_OUTPUT_NEW, &r, 1);
    fixture_put_all("-", WEFT_OUTPUT_OVERWRITE, &r, 1);
    fixture_put_all("/dev/stdout", WEFT_OUTPUT_APPEND, &r, 1);
    dup2(old, STDOUT_FILENO);
    close(old);
    close(fd);
    json_t *lines = read_lines(path);
    ck_assert_uint_eq(json_array_size(lines), 3);
    json_decref(lines);
    free(path);
}
END_TEST

static const struct {
    const char *body;
    size_t len;
    bool unwanted;
    const char *member, *value; /* value NULL: null */
} bodies[] = {
    {"<p>a \"b\"\n</p>", 13, false, "content", "<p>a \"b\"\n</p>"},
    {"", 0, false, "content", ""},
    {"caf\xc3\xa9 \xe2\x80\xa8", 9, false, "content", "caf\xc3\xa9 \xe2\x80\xa8"},
    {"caf\xe9", 4, false, "content_base64", "Y2Fm6Q=="},
    {"a\0b", 3, false, "content_base64", "YQBi"},
    {"\xff\xd8\xff", 3, false, "content_base64", "/9j/"},
    {NULL, 0, false, "content", NULL},
    {"", 0, true, "content", NULL},
};

START_TEST(a_body_comes_back_to_the_byte)
{
    struct weft_record r = fixture_record("http://a.example/");
    char *path = fixture_path(dir, "out.jsonl"), error[300];
    const struct weft_writer_options options = {.paths = (const char *const[]){path, NULL},
                                                .bodies = true};
    struct weft_writer *w;
    atomic_int freed = 0;
    r.body = bodies[_i].body;
    r.body_len = bodies[_i].len;
    r.unwanted = bodies[_i].unwanted;
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    ck_assert_uint_eq(weft_writer_wants(w), WEFT_WANTS_BODY);
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, &freed)), WEFT_OK);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    json_t *lines = read_lines(path);
    const json_t *content = json_object_get(json_array_get(lines, 0), bodies[_i].member);
    ck_assert_ptr_nonnull(content);
    if (bodies[_i].value) {
        ck_assert_str_eq(json_string_value(content), bodies[_i].value);
    } else {
        ck_assert(json_is_null(content));
    }
    json_decref(lines);
    free(path);
}
END_TEST

/* However a body grows when it is written: it was within --max-body, and so ends no crawl. */
START_TEST(a_body_of_any_size_can_be_written)
{
    static char body[45 << 20];
    struct weft_record r = fixture_record("http://a.example/");
    char *path = fixture_path(dir, "null.jsonl"), error[300];
    const struct weft_writer_options options = {
        .paths = (const char *const[]){path, NULL}, .mode = WEFT_OUTPUT_OVERWRITE, .bodies = true};
    struct weft_writer *w;
    atomic_int freed = 0;
    memset(body, 1, sizeof body); /* each is six characters in JSON */
    r.body = body;
    r.body_len = sizeof body;
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, &freed)), WEFT_OK);
    ck_assert_msg(weft_writer_close(w, NULL, error, sizeof error) == WEFT_OK, "%s", error);
    free(path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("jsonl");
    int hostile = 0;
    while (fixture_hostile[hostile]) {
        hostile++;
    }
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_whole_record_has_the_documented_fields_in_order);
    tcase_add_test(tc, a_bare_record_has_every_field_with_its_type);
    tcase_add_test(tc, an_unwanted_body_is_told);
    tcase_add_loop_test(tc, hostile_bytes_come_back, 0, hostile);
    tcase_add_test(tc, no_line_end_and_no_control_is_written_raw);
    tcase_add_test(tc, numbers_keep_their_range);
    tcase_add_test(tc, times_are_rfc_3339);
    tcase_add_test(tc, rows_are_listed_when_there_may_be_several);
    tcase_add_loop_test(tc, a_body_comes_back_to_the_byte, 0, sizeof bodies / sizeof *bodies);
#ifndef __SANITIZE_THREAD__ /* about size, not threads, and minutes long there */
    tcase_add_test(tc, a_body_of_any_size_can_be_written);
#else
    (void)a_body_of_any_size_can_be_written;
#endif
    tcase_add_loop_test(tc, appending_mends_the_last_line, 0, sizeof tails / sizeof *tails);
    tcase_add_test(tc, appending_mends_a_long_line);
    tcase_add_test(tc, appending_to_nothing_creates);
    tcase_add_test(tc, dash_is_standard_output);
    tcase_set_timeout(tc, 60); /* a large body, under a sanitizer */
    return suite_run("store: jsonl", tc);
}
