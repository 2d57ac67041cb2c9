/* check_lab_files.c -- the served folder: what is in it, what routes say, and what can't be had. */
#include "lab_client.h"

#include "lab/lab_files.h"
#include "support/suite.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[64], dir[80]; /* dir is a folder in top, the one that is served */

static void put(const char *path, const char *text)
{
    char full[300];
    snprintf(full, sizeof full, "%s/%s", top, path);
    FILE *f = fopen(full, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

static void make_dir(const char *path)
{
    char full[300];
    snprintf(full, sizeof full, "%s/%s", top, path);
    ck_assert_int_eq(mkdir(full, 0755), 0);
}

static void link_to(const char *target, const char *path)
{
    char full[300];
    snprintf(full, sizeof full, "%s/%s", top, path);
    ck_assert_int_eq(symlink(target, full), 0);
}

static void set_up(void)
{
    strcpy(top, "/tmp/check_lab_files.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
    snprintf(dir, sizeof dir, "%s/site", top);
    put("secret.txt", "outside");
    make_dir("outside");
    put("outside/secret.txt", "outside");
    make_dir("site");
    put("site/index.html", "<title>Front</title>");
    put("site/plain.txt", "plain");
    put("site/no-ending", "?");
    put("site/UPPER.HTML", "upper");
    put("site/\xc3\xbc b.html", "umlaut");
    put("site/empty.html", "");
    put("site/.hidden", "hidden");
    make_dir("site/sub");
    put("site/sub/index.html", "<title>Sub</title>");
    put("site/sub/page.html", "page");
    make_dir("site/sub/bare");
    make_dir("site/.git");
    put("site/.git/config", "hidden");
    make_dir("site/odd");
    make_dir("site/odd/index.html");
    link_to("plain.txt", "site/inner.txt");
    link_to("../secret.txt", "site/outer.txt");
    link_to("/etc/passwd", "site/passwd.txt");
    link_to("../outside", "site/out");
    link_to("/proc/self/root", "site/root");
    link_to(".", "site/self");
    char fifo[300];
    snprintf(fifo, sizeof fifo, "%s/site/fifo", top);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
}

static void tear_down(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    ck_assert_int_eq(system(command), 0);
}

static struct weft_lab *serve(void)
{
    struct weft_lab_options o = {.dir = dir};
    return lab_with(&o);
}

static const struct {
    const char *target;
    int status;
    const char *type, *body;
} files[] = {
    {"/", 200, "text/html", "<title>Front</title>"},
    {"/index.html", 200, "text/html", "<title>Front</title>"},
    {"/?a=b", 200, "text/html", "<title>Front</title>"},
    {"/plain.txt", 200, "text/plain", "plain"},
    {"/plain.txt?x=../y", 200, "text/plain", "plain"},
    {"/%70lain.txt", 200, "text/plain", "plain"},
    {"/no-ending", 200, "application/octet-stream", "?"},
    {"/UPPER.HTML", 200, "text/html", "upper"},
    {"/%C3%BC%20b.html", 200, "text/html", "umlaut"},
    {"/empty.html", 200, "text/html", ""},
    {"/sub/", 200, "text/html", "<title>Sub</title>"},
    {"/sub/page.html", 200, "text/html", "page"},
    {"/inner.txt", 200, "text/plain", "plain"},
    {"/self/plain.txt", 200, "text/plain", "plain"},
    {"/upper.html", 404, NULL, NULL},
    {"/sub/bare/", 404, NULL, NULL},
    {"/odd/", 404, NULL, NULL},
    {"/plain.txt/", 404, NULL, NULL},
    {"/plain.txt/x", 404, NULL, NULL},
    {"/fifo", 404, NULL, NULL},
    /* out of the folder, in all the ways that have worked somewhere */
    {"/../secret.txt", 404, NULL, NULL},
    {"/..%2fsecret.txt", 404, NULL, NULL},
    {"/%2e%2e/secret.txt", 404, NULL, NULL},
    {"/%2E%2E%2Fsecret.txt", 404, NULL, NULL},
    {"/sub/../../secret.txt", 404, NULL, NULL},
    {"/sub/%2e%2e/%2e%2e/secret.txt", 404, NULL, NULL},
    {"/..", 404, NULL, NULL},
    {"/../", 404, NULL, NULL},
    {"/sub/..", 404, NULL, NULL},
    {"/./plain.txt", 404, NULL, NULL},
    {"//etc/passwd", 404, NULL, NULL},
    {"///etc/passwd", 404, NULL, NULL},
    {"/%2fetc/passwd", 404, NULL, NULL},
    {"/sub//page.html", 404, NULL, NULL},
    {"/..\\secret.txt", 404, NULL, NULL},
    {"/%5c..%5csecret.txt", 404, NULL, NULL},
    {"/plain.txt%00.html", 404, NULL, NULL},
    {"/%00", 404, NULL, NULL},
    {"/outer.txt", 404, NULL, NULL},
    {"/passwd.txt", 404, NULL, NULL},
    {"/out/secret.txt", 404, NULL, NULL},
    {"/root/etc/passwd", 404, NULL, NULL},
    {"/.hidden", 404, NULL, NULL},
    {"/%2ehidden", 404, NULL, NULL},
    {"/.git/config", 404, NULL, NULL},
    {"/sub/../.git/config", 404, NULL, NULL},
    {"../secret.txt", 404, NULL, NULL},
    {"plain.txt", 404, NULL, NULL},
};

/* One server for all: what one row does must not harm the next. */
START_TEST(files_of_the_folder_and_no_others)
{
    struct weft_lab *l = serve();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char type[64];
        struct answer a = get(l, files[i].target);
        /* MHD itself may refuse a request line, but it must not answer with a file. */
        bool refused = files[i].status == 404 && (a.status == 400 || a.status == 0);
        ck_assert_msg(a.status == files[i].status || refused, "%s: %d", files[i].target, a.status);
        ck_assert_ptr_null(strstr(a.body, "outside"));
        ck_assert_ptr_null(strstr(a.body, "root:"));
        if (files[i].body) {
            ck_assert_str_eq(a.body, files[i].body);
            ck_assert_str_eq(field(&a, "Content-Type", type, sizeof type), files[i].type);
        }
        release(&a);
    }
    weft_lab_stop(l);
}
END_TEST

START_TEST(a_folder_without_its_slash_is_elsewhere)
{
    char location[200];
    struct weft_lab *l = serve();
    struct answer a = get(l, "/sub?q=1");
    ck_assert_int_eq(a.status, 301);
    ck_assert_str_eq(field(&a, "Location", location, sizeof location), "/sub/?q=1");
    release(&a);
    weft_lab_stop(l);
}
END_TEST

START_TEST(unchanged_files_are_not_sent_again)
{
    char fields[300], etag[64], modified[64], again[64];
    struct weft_lab *l = serve();
    struct answer a = get(l, "/plain.txt");
    field(&a, "ETag", etag, sizeof etag);
    field(&a, "Last-Modified", modified, sizeof modified);
    ck_assert_str_ne(etag, "");
    ck_assert_str_ne(modified, "");
    release(&a);
    snprintf(fields, sizeof fields, "Host: localhost\r\nIf-None-Match: \"x\", W/%s\r\n", etag);
    a = get_with(l, "/plain.txt", fields);
    ck_assert_int_eq(a.status, 304);
    ck_assert_uint_eq(a.len, 0);
    ck_assert_str_eq(field(&a, "ETag", again, sizeof again), etag);
    release(&a);
    snprintf(fields, sizeof fields, "Host: localhost\r\nIf-Modified-Since: %s\r\n", modified);
    a = get_with(l, "/plain.txt", fields);
    ck_assert_int_eq(a.status, 304);
    release(&a);
    /* The tag decides where both are sent, RFC 9110 13.1.3. */
    snprintf(fields, sizeof fields,
             "Host: localhost\r\nIf-None-Match: \"x\"\r\nIf-Modified-Since: %s\r\n", modified);
    a = get_with(l, "/plain.txt", fields);
    ck_assert_int_eq(a.status, 200);
    release(&a);
    put("site/plain.txt", "changed");
    snprintf(fields, sizeof fields, "Host: localhost\r\nIf-None-Match: %s\r\n", etag);
    a = get_with(l, "/plain.txt", fields);
    ck_assert_int_eq(a.status, 200);
    ck_assert_str_eq(a.body, "changed");
    release(&a);
    weft_lab_stop(l);
}
END_TEST

START_TEST(a_large_file_comes_whole)
{
    char path[300];
    struct weft_lab *l = serve();
    snprintf(path, sizeof path, "%s/large.bin", dir);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 3000000; i++) {
        putc('a' + i % 23, f);
    }
    ck_assert_int_eq(fclose(f), 0);
    struct answer a = get(l, "/large.bin");
    ck_assert_uint_eq(a.len, 3000000);
    int same = 0;
    while (same < 3000000 && a.body[same] == 'a' + same % 23) {
        same++;
    }
    ck_assert_int_eq(same, 3000000);
    release(&a);
    weft_lab_stop(l);
}
END_TEST

START_TEST(routes_say_what_files_cannot)
{
    char value[64];
    put("site/routes", "/plain.txt type=text/x-plain;charset=utf-8\n"
                       "/sub/page.html status=203 delay=40\n"
                       "/\xc3\xbc location=/index.html\n"
                       "/back status=307 location=/sub/\n"
                       "/gone status=410\n"
                       "/later delay=20\n");
    struct weft_lab *l = serve();
    struct answer a = get(l, "/plain.txt");
    ck_assert_str_eq(field(&a, "Content-Type", value, sizeof value), "text/x-plain;charset=utf-8");
    release(&a);
    weft_time before = weft_now();
    a = get(l, "/sub/page.html");
    ck_assert_int_ge(weft_now() - before, 40 * WEFT_MS);
    ck_assert_int_eq(a.status, 203);
    ck_assert_str_eq(a.body, "page");
    release(&a);
    a = get(l, "/%C3%BC?q");
    ck_assert_int_eq(a.status, 302);
    ck_assert_str_eq(field(&a, "Location", value, sizeof value), "/index.html");
    release(&a);
    ck_assert_int_eq(status_of(l, "/back"), 307);
    ck_assert_int_eq(status_of(l, "/gone"), 410);
    ck_assert_int_eq(status_of(l, "/later"), 404);
    ck_assert_int_eq(status_of(l, "/routes"), 404);
    ck_assert_int_eq(status_of(l, "/%72outes"), 404);
    weft_lab_stop(l);
}
END_TEST

START_TEST(wrong_routes_stop_the_start)
{
    struct weft_lab *l;
    struct weft_lab_options o = {.dir = dir};
    char error[256] = "";
    put("site/routes", "/a delay=1\n/b colour=red\n");
    ck_assert_int_eq(weft_lab_start(&l, &o, error, sizeof error), WEFT_EINVAL);
    ck_assert_ptr_null(l);
    ck_assert_msg(strstr(error, "line 2"), "%s", error);
}
END_TEST

START_TEST(the_folder_s_own_names_win)
{
    make_dir("site/shop");
    put("site/shop/index.html", "my own shop");
    put("site/routes", "/slow/mine status=418\n");
    struct weft_lab *l = serve();
    struct answer a = get(l, "/shop/");
    ck_assert_str_eq(a.body, "my own shop");
    release(&a);
    ck_assert_int_eq(status_of(l, "/shop/poetry/"), 404);
    ck_assert_int_eq(status_of(l, "/slow/mine"), 418);
    ck_assert_int_eq(status_of(l, "/slow?ms=0"), 404);
    ck_assert_int_eq(status_of(l, "/status/418"), 418);
    weft_lab_stop(l);
}
END_TEST

START_TEST(files_only_is_files_only)
{
    struct weft_lab_options o = {.dir = dir, .files_only = true};
    struct weft_lab *l = lab_with(&o);
    ck_assert_int_eq(status_of(l, "/plain.txt"), 200);
    ck_assert_int_eq(status_of(l, "/shop/"), 404);
    ck_assert_int_eq(status_of(l, "/stats"), 404);
    weft_lab_stop(l);
}
END_TEST

START_TEST(a_file_is_no_folder_to_serve)
{
    struct weft_lab *l;
    char path[300], error[256] = "";
    snprintf(path, sizeof path, "%s/plain.txt", dir);
    struct weft_lab_options o = {.dir = path};
    ck_assert_int_eq(weft_lab_start(&l, &o, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_nonnull(strstr(error, "plain.txt"));
}
END_TEST

/* Where openat2 can't be had: the same, but that no link at all is followed. */
START_TEST(the_walk_without_openat2)
{
    static const struct {
        const char *path;
        bool found;
    } cases[] = {
        {"plain.txt", true},        {"sub/page.html", true},   {"sub", true},
        {"sub/nothing", false},     {"plain.txt/x", false},    {"inner.txt", false},
        {"outer.txt", false},       {"out/secret.txt", false}, {"self/plain.txt", false},
        {"root/etc/passwd", false},
    };
    int at = open(dir, O_RDONLY | O_DIRECTORY);
    ck_assert_int_ge(at, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = lab_files_walk(at, cases[i].path);
        ck_assert_msg((fd >= 0) == cases[i].found, "%s", cases[i].path);
        if (fd >= 0) {
            close(fd);
        }
    }
    close(at);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("files");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, files_of_the_folder_and_no_others);
    tcase_add_test(tc, a_folder_without_its_slash_is_elsewhere);
    tcase_add_test(tc, unchanged_files_are_not_sent_again);
    tcase_add_test(tc, a_large_file_comes_whole);
    tcase_add_test(tc, routes_say_what_files_cannot);
    tcase_add_test(tc, wrong_routes_stop_the_start);
    tcase_add_test(tc, the_folder_s_own_names_win);
    tcase_add_test(tc, files_only_is_files_only);
    tcase_add_test(tc, a_file_is_no_folder_to_serve);
    tcase_add_test(tc, the_walk_without_openat2);
    return suite_run("lab: files", tc);
}
