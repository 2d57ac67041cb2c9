/* check_save.c -- bodies as files: their names, and that no two URLs share one. */
#include "base/buf.h"
#include "base/limits.h"
#include "fixture.h"
#include "store/claims.h"
#include "store/save_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "site");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

/* --- names --- */

#define A10  "aaaaaaaaaa"
#define A50  A10 A10 A10 A10 A10
#define A200 A50 A50 A50 A50

static const struct {
    const char *url, *name;
} names[] = {
    {"http://a.example/", "a.example/index.html"},
    {"http://a.example", "a.example/index.html"},
    {"https://a.example/x", "a.example/x"},
    {"http://a.example:8080/x.html", "a.example:8080/x.html"},
    {"http://[::1]:80/x", "[::1]:80/x"},
    {"http://user:p%40ss@a.example/x", "a.example/x"},
    {"http://a.example/b/c/", "a.example/b/c/index.html"},
    {"http://a.example/b?q=1/2", "a.example/b?q=1%2F2"},
    {"http://a.example/?q", "a.example/index.html?q"},
    {"http://a.example?q", "a.example/index.html?q"},
    {"http://a.example/b?", "a.example/b?"},
    {"http://a.example/b#part?x/y", "a.example/b"},
    {"http://a.example/b?q#part", "a.example/b?q"},
    {"http://a.example//b///c", "a.example/#/b/#/#/c"},
    {"http://a.example/../b/./c/..", "a.example/#../b/#./c/#.."},
    {"http://../x", "#../x"},
    {"http:///x", "#/x"},
    {"http://a.example/%2e%2e/%2F%00", "a.example/%2e%2e/%2F%00"},
    {"http://a.example/sp ace\\\n\x7f\xc3\xa9", "a.example/sp%20ace%5C%0A%7F%C3%A9"},
    {"http://a.example/...", "a.example/..."},
    {"http://a.example/" A200, "a.example/" A200},
    {"http://a.example/" A200 "b",
     "a.example/" A50 A50 A50 "#5aeda696a4c9a55f416e817a75e22243bdf32a11"},
};

START_TEST(a_url_has_its_name)
{
    struct weft_buf name;
    weft_buf_init(&name, 10000);
    ck_assert_int_eq(weft_save_name(&name, names[_i].url), WEFT_OK);
    ck_assert_str_eq(name.data, names[_i].name);
    weft_buf_release(&name);
}
END_TEST

/* However long or deep a URL is, its name fits any file system, and differs from its neighbour's.
 */
START_TEST(long_urls_have_names_that_fit)
{
    static const char *const parts[] = {"a/", "/", "../", A200 A200 "/", A10};
    enum { N = sizeof parts / sizeof *parts };
    struct weft_buf url, name, other;
    weft_buf_init(&url, 1 << 20);
    weft_buf_init(&name, 1 << 20);
    weft_buf_init(&other, 1 << 20);
    for (int i = 0; i < N * 2; i++) {
        weft_buf_clear(&url);
        ck_assert_int_eq(weft_buf_puts(&url, "http://a.example/"), WEFT_OK);
        while (url.len < 8000) {
            ck_assert_int_eq(weft_buf_puts(&url, parts[i % N]), WEFT_OK);
        }
        if (i >= N) {
            ck_assert_int_eq(weft_buf_puts(&url, "?" A200 A200), WEFT_OK);
        }
        ck_assert_int_eq(weft_save_name(&name, url.data), WEFT_OK);
        ck_assert_int_eq(weft_buf_puts(&url, "x"), WEFT_OK);
        ck_assert_int_eq(weft_save_name(&other, url.data), WEFT_OK);
        ck_assert_str_ne(name.data, other.data);
        ck_assert_uint_lt(name.len, 4000);
        unsigned depth = 1;
        for (const char *at = name.data; at; depth++) {
            size_t n = strcspn(at, "/");
            ck_assert_uint_gt(n, 0);
            ck_assert_uint_le(n, 200);
            ck_assert(!(n == 1 && at[0] == '.') && !(n == 2 && at[0] == '.' && at[1] == '.'));
            at = at[n] ? at + n + 1 : NULL;
        }
        ck_assert_uint_le(depth, WEFT_MAX_PATH_DEPTH + 2);
    }
    weft_buf_release(&url);
    weft_buf_release(&name);
    weft_buf_release(&other);
}
END_TEST

START_TEST(a_name_is_claimed_once)
{
    struct weft_claims claims = {.slots = NULL};
    char name[32], url[32];
    bool granted;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++) {
            snprintf(name, sizeof name, "name %d", i);
            snprintf(url, sizeof url, "url %d", round == 1 ? -i - 1 : i);
            must(weft_claims_take(&claims, name, url, &granted) == WEFT_OK, "out of memory");
            must(granted == (round != 1), "%s for %s", name, url);
        }
    }
    ck_assert_uint_eq(claims.n, 5000);
    weft_claims_release(&claims);
}
END_TEST

/* --- files --- */

struct page {
    const char *url, *body;
};

static void save(const struct page *pages, size_t n)
{
    char error[512] = "";
    struct weft_writer *w;
    struct weft_writer_options options = {.save_dir = path};
    ck_assert_msg(weft_writer_new(&w, &options, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_uint_eq(weft_writer_wants(w), WEFT_WANTS_BODY);
    for (size_t i = 0; i < n; i++) {
        struct weft_record r = fixture_record(pages[i].url);
        r.body = pages[i].body;
        r.body_len = strlen(pages[i].body);
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r, NULL)), WEFT_OK);
    }
    ck_assert_msg(weft_writer_close(w, NULL, error, sizeof error) == WEFT_OK, "%s", error);
}

static void expect_file(const char *name, const char *body)
{
    char *full = fixture_path(path, name);
    char *text = fixture_read(full, NULL);
    ck_assert_str_eq(text, body);
    free(text);
    free(full);
}

/* How many files there are, and that none is left over from writing. */
static int count_files(void)
{
    char *command = NULL;
    int n;
    ck_assert_int_gt(
        asprintf(&command, "find '%s' -type f | wc -l; find '%s' -name '#weft*'", path, path), 0);
    FILE *p = popen(command, "r");
    ck_assert_int_eq(fscanf(p, "%d", &n), 1);
    ck_assert_int_eq(fscanf(p, "%*s"), EOF);
    pclose(p);
    free(command);
    return n;
}

START_TEST(bodies_become_files)
{
    const struct page pages[] = {{"http://a.example/", "root"},
                                 {"http://a.example/b/c.html", "c"},
                                 {"http://a.example/empty", ""},
                                 {"http://b.example:81/x?y=z", "x"}};
    save(pages, 4);
    expect_file("a.example/index.html", "root");
    expect_file("a.example/b/c.html", "c");
    expect_file("a.example/empty", "");
    expect_file("b.example:81/x?y=z", "x");
    ck_assert_int_eq(count_files(), 4);
}
END_TEST

START_TEST(no_two_urls_share_a_file)
{
    const struct page pages[] = {{"http://a.example/", "1"},
                                 {"http://a.example/index.html", "2"},
                                 {"https://a.example/", "3"},
                                 {"http://a.example/", "4"}};
    save(pages, 4);
    expect_file("a.example/index.html", "4");
    expect_file("a.example/index.html#2", "2");
    expect_file("a.example/index.html#3", "3");
    ck_assert_int_eq(count_files(), 3);
}
END_TEST

/* A page that is also a folder of others, in either order, and saved again. */
START_TEST(a_file_and_a_folder_of_one_name)
{
    static const struct page pages[] = {
        {"http://a.example/a", "a"},     {"http://a.example/a/b", "b"},
        {"http://a.example/a/b/c", "c"}, {"http://a.example/a/b/c", "c"},
        {"http://a.example/a/b", "b"},   {"http://a.example/a", "a"}};
    save(pages + _i, 3);
    save(pages, 6);
    expect_file("a.example/a#file", "a");
    expect_file("a.example/a/b#file", "b");
    expect_file("a.example/a/b/c", "c");
    ck_assert_int_eq(count_files(), 3);
}
END_TEST

START_TEST(nothing_is_written_outside)
{
    const struct page pages[] = {{"http://../../up", "1"},
                                 {"http://a.example/../../../up", "2"},
                                 {"http://a.example/link/up", "3"}};
    char *outside = fixture_path(dir, "outside");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(mkdir(outside, 0700), 0);
    char *host = fixture_path(path, "a.example");
    ck_assert_int_eq(mkdir(host, 0700), 0);
    char *link = fixture_path(host, "link");
    ck_assert_int_eq(symlink("../../outside", link), 0);
    save(pages, 3);
    expect_file("#../#../up", "1");
    expect_file("a.example/#../#../#../up", "2");
    expect_file("a.example/link/up", "3");
    ck_assert_int_eq(rmdir(outside), 0); /* still empty */
    free(link);
    free(host);
    free(outside);
}
END_TEST

START_TEST(only_what_was_fetched_is_saved)
{
    char error[256];
    struct weft_record r[4] = {
        fixture_record("http://a.example/failed"), fixture_record("http://a.example/skipped"),
        fixture_record("http://a.example/unwanted"), fixture_record("http://a.example/redirected")};
    r[0].outcome = WEFT_FAILED;
    r[0].reason = WEFT_REASON_TRUNCATED;
    r[1].outcome = WEFT_SKIPPED;
    r[2].unwanted = true;
    r[3].body = NULL;
    r[3].body_len = 0;
    struct weft_writer *w;
    struct weft_writer_options options = {.save_dir = path};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&r[i], NULL)), WEFT_OK);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(count_files(), 0);
}
END_TEST

/* The folder can't be, or is taken away in the middle. */
START_TEST(failures_are_told)
{
    char error[512] = "";
    struct weft_writer *w;
    char *missing = fixture_path(dir, "none/site");
    char *file = fixture_path(dir, "file");
    fixture_write(file, "x", 1);
    struct weft_writer_options options = {.save_dir = missing};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "none/site: No such file or directory") != NULL, "%s", error);
    options.save_dir = file;
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "file: Not a directory") != NULL, "%s", error);
    options.save_dir = path;
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(rmdir(path), 0);
    struct weft_record r = fixture_record("http://a.example/x");
    while (weft_writer_put(w, fixture_item(&r, NULL)) == WEFT_OK) {
        continue;
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "a.example/x: No such file or directory") != NULL, "%s", error);
    free(file);
    free(missing);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("save");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_url_has_its_name, 0, sizeof names / sizeof *names);
    tcase_add_test(tc, long_urls_have_names_that_fit);
    tcase_add_test(tc, a_name_is_claimed_once);
    tcase_add_test(tc, bodies_become_files);
    tcase_add_test(tc, no_two_urls_share_a_file);
    tcase_add_loop_test(tc, a_file_and_a_folder_of_one_name, 0, 4);
    tcase_add_test(tc, nothing_is_written_outside);
    tcase_add_test(tc, only_what_was_fetched_is_saved);
    tcase_add_test(tc, failures_are_told);
    return suite_run("store: save", tc);
}
