/* check_dot.c -- the link graph, read back with a strict reader of the lines that it is made of,
 * and by Graphviz where that is installed. */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER "strict digraph weft {\n"

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "out.dot");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

/* Skips a quoted string without escapes, which is all that is allowed; returns what follows. */
static const char *name(const char *at)
{
    ck_assert_int_eq(*at, '"');
    for (at++; *at != '"'; at++) {
        must((unsigned char)*at > 0x20 && *at != '\\' && *at != 0x7f, "bad byte in %s", at);
    }
    return at + 1;
}

/* Judges the whole file by the grammar that it is to keep; returns how many edges it has. */
static unsigned judge(void)
{
    char *text = fixture_read(path, NULL);
    unsigned edges = 0;
    ck_assert_int_eq(strncmp(text, HEADER, strlen(HEADER)), 0);
    const char *at = text + strlen(HEADER);
    while (*at == '"') {
        at = name(at);
        if (strncmp(at, " -> ", 4) == 0) {
            at = name(at + 4);
            edges++;
        }
        if (strncmp(at, " [", 2) == 0) {
            at += 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz_0123456789=, ");
            ck_assert_int_eq(*at++, ']');
        }
        ck_assert_int_eq(strncmp(at, ";\n", 2), 0);
        at += 2;
    }
    ck_assert_str_eq(at, "}\n");
    free(text);
    if (system("command -v dot >/dev/null 2>&1") == 0) {
        char *command = NULL;
        ck_assert_int_gt(asprintf(&command, "dot -Tcanon '%s' >/dev/null", path), 0);
        ck_assert_int_eq(system(command), 0);
        free(command);
    }
    return edges;
}

START_TEST(pages_are_nodes_and_links_are_edges)
{
    struct weft_record r[3] = {fixture_record("http://a.example/old"),
                               fixture_record("http://a.example/"),
                               {.url = "http://a.example/gone",
                                .outcome = WEFT_FAILED,
                                .reason = WEFT_REASON_HTTP_STATUS,
                                .status = 404}};
    r[1].final_url = NULL;
    r[1].nlinks = 1;
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 3);
    char *text = fixture_read(path, NULL);
    ck_assert_str_eq(text,
                     HEADER "\"http://a.example/old\" [outcome=fetched, status=200];\n"
                            "\"http://a.example/old\" -> \"http://a.example/new\" [style=dashed];\n"
                            "\"http://a.example/new\" -> \"http://a.example/one\";\n"
                            "\"http://a.example/new\" -> \"http://a.example/two\" [rel=nofollow];\n"
                            "\"http://a.example/\" [outcome=fetched, status=200];\n"
                            "\"http://a.example/\" -> \"http://a.example/one\";\n"
                            "\"http://a.example/gone\" [outcome=failed, status=404, "
                            "reason=http_status, color=red];\n"
                            "}\n");
    free(text);
    ck_assert_uint_eq(judge(), 4);
}
END_TEST

START_TEST(hostile_urls_stay_names)
{
    struct weft_record_link link = {.url = fixture_hostile[_i]};
    struct weft_record r = fixture_record(fixture_hostile[_i]);
    r.links = &link;
    r.nlinks = 1;
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    ck_assert_uint_eq(judge(), 2);
}
END_TEST

#define NODE "\"http://a.example/0\" [outcome=fetched];\n"

/* What appending leaves of what it finds: NULL refuses. */
static const struct {
    const char *before, *kept;
} tails[] = {
    {"", HEADER},
    {"strict dig", HEADER},
    {HEADER, HEADER},
    {HEADER "}\n", HEADER},
    {HEADER "}", HEADER},
    {HEADER NODE "}\n", HEADER NODE},
    {HEADER NODE, HEADER NODE},
    {HEADER NODE "\"http://a.example/torn", HEADER NODE},
    {HEADER NODE "}", HEADER NODE},
    {"digraph other { a -> b; }\n", NULL},
    {"}\n", NULL},
};

START_TEST(appending_mends_or_refuses)
{
    struct weft_record r = fixture_record("http://a.example/new");
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths, .mode = WEFT_OUTPUT_APPEND};
    struct weft_writer *w;
    char error[512] = "";
    fixture_write(path, tails[_i].before, strlen(tails[_i].before));
    if (!tails[_i].kept) {
        ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EINVAL);
        ck_assert_msg(strstr(error, "another kind of file") != NULL, "%s", error);
        char *text = fixture_read(path, NULL);
        ck_assert_str_eq(text, tails[_i].before);
        free(text);
        return;
    }
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1);
    char *text = fixture_read(path, NULL);
    size_t n = strlen(tails[_i].kept);
    ck_assert_uint_gt(strlen(text), n);
    ck_assert_mem_eq(text, tails[_i].kept, n);
    ck_assert_int_eq(strncmp(text + n, "\"http://a.example/new\" [", 24), 0);
    free(text);
    ck_assert_uint_eq(judge(), 2);
}
END_TEST

/* An output after it that can't be opened: the graph that was there is whole again. */
START_TEST(a_graph_is_whole_again_when_nothing_comes_of_it)
{
    struct weft_record r = fixture_record("http://a.example/");
    fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
    fixture_comes_to_nothing(dir, path);
}
END_TEST

/* Its lines name the page with each of its links: however many --max-links let in. */
START_TEST(a_long_url_with_many_links_is_written)
{
    enum { LINKS = 17000 };
    static struct weft_record_link links[LINKS];
    static char url[16001];
    struct weft_record r = fixture_record(url);
    char *null = fixture_path(dir, "null.dot");
    memset(url, 'x', sizeof url - 1);
    memcpy(url, "http://a.example/", 17);
    for (size_t i = 0; i < LINKS; i++) {
        links[i].url = "http://b.example/";
    }
    r.final_url = url;
    r.links = links;
    r.nlinks = LINKS;
    ck_assert_int_eq(symlink("/dev/null", null), 0);
    fixture_put_all(null, WEFT_OUTPUT_OVERWRITE, &r, 1);
    free(null);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("dot");
    int hostile = 0;
    while (fixture_hostile[hostile]) {
        hostile++;
    }
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, pages_are_nodes_and_links_are_edges);
    tcase_add_loop_test(tc, hostile_urls_stay_names, 0, hostile);
    tcase_add_loop_test(tc, appending_mends_or_refuses, 0, sizeof tails / sizeof *tails);
    tcase_add_test(tc, a_graph_is_whole_again_when_nothing_comes_of_it);
#ifndef __SANITIZE_THREAD__ /* about size, not threads, and minutes long there */
    tcase_add_test(tc, a_long_url_with_many_links_is_written);
#else
    (void)a_long_url_with_many_links_is_written;
#endif
    return suite_run("store: dot", tc);
}
