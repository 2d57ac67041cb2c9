/* check_source.c -- lists as they come: lines, files, pipes on which nothing or endlessly much
 * comes, and files that can't be read. */
#include "cli/source.h"

#include "support/suite.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool told;
static pthread_cond_t tell = PTHREAD_COND_INITIALIZER; /* signalled when told */

static void more(void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    told = true;
    pthread_cond_signal(&tell);
    pthread_mutex_unlock(&lock);
}

/* The next line, waiting for it; NULL at the end. */
static const char *next_line(struct cli_source *s, char *text, size_t cap)
{
    const char *url;
    size_t len;
    enum weft_status st;
    while ((st = cli_source_next(s, &url, &len)) == WEFT_EAGAIN) {
        pthread_mutex_lock(&lock);
        while (!told) {
            pthread_cond_wait(&tell, &lock);
        }
        told = false;
        pthread_mutex_unlock(&lock);
    }
    if (st == WEFT_END) {
        return NULL;
    }
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_uint_lt(len, cap);
    memcpy(text, url, len);
    text[len] = '\0';
    return text;
}

static char folder[] = "/tmp/weft-source-XXXXXX";
static char path[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/weft-source-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/list", folder);
}

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static void write_list(const char *text, size_t len)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, len, f), len);
    fclose(f);
}

static struct cli_source *open_list(struct cli_list *files, char *const *urls, size_t n)
{
    struct cli_source *s;
    char error[300];
    ck_assert_int_eq(cli_list_add(files, path), WEFT_OK);
    enum weft_status st = cli_source_new(&s, urls, n, files, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    ck_assert_int_eq(cli_source_start(s, more, NULL), WEFT_OK);
    return s;
}

static void expect(struct cli_source *s, const char *const *lines)
{
    char text[32768];
    for (size_t i = 0; lines[i]; i++) {
        const char *line = next_line(s, text, sizeof text);
        ck_assert_msg(line && !strcmp(line, lines[i]), "line %zu: %s, not %s", i, line, lines[i]);
    }
    ck_assert_ptr_null(next_line(s, text, sizeof text));
    ck_assert_ptr_null(next_line(s, text, sizeof text));
}

static const struct {
    const char *text, *lines[4];
} files_read[] = {
    {"", {NULL}},
    {"\n\r\n  \n# only\n", {NULL}},
    {"http://a/\nhttp://b/\n", {"http://a/", "http://b/"}},
    {"http://a/\r\nhttp://b/", {"http://a/", "http://b/"}},
    {"\xef\xbb\xbfhttp://a/\n\xef\xbb\xbfhttp://b/", {"http://a/", "\xef\xbb\xbfhttp://b/"}},
    {"\xef\xbb\xbf# comment\nhttp://a/", {"http://a/"}},
    {"a.example/x\nlocalhost:8080\nnonsense",
     {"http://a.example/x", "http://localhost:8080", "nonsense"}},
    {"  http://a/ \t\n", {"http://a/"}},
    {"http://a/\rhttp://b/\n", {"http://a/\rhttp://b/"}},
};

START_TEST(lines_of_files)
{
    struct cli_list files = {0};
    write_list(files_read[_i].text, strlen(files_read[_i].text));
    struct cli_source *s = open_list(&files, NULL, 0);
    expect(s, files_read[_i].lines);
    cli_source_free(s);
    cli_list_release(&files);
}
END_TEST

START_TEST(arguments_come_first_and_each_file_has_its_bom)
{
    struct cli_list files = {0};
    char one[] = "http://one/", two[] = "http://two/";
    char *const urls[] = {one, two};
    write_list("\xef\xbb\xbfhttp://a/", 12);
    ck_assert_int_eq(cli_list_add(&files, path), WEFT_OK);
    struct cli_source *s = open_list(&files, urls, 2);
    expect(s, (const char *const[]){one, two, "http://a/", "http://a/", NULL});
    ck_assert_ptr_null(cli_source_error(s));
    cli_source_free(s);
    cli_list_release(&files);
}
END_TEST

/* A line over every limit is one line, still too long to be taken for a URL. */
START_TEST(an_endless_line_is_cut)
{
    struct cli_list files = {0};
    size_t len = 1 << 20;
    char *text = malloc(len + 20), line[32768];
    memset(text, 'a', len);
    memcpy(text, "http://a/", 9);
    memcpy(text + len, "\nhttp://b/\n", 12);
    write_list(text, len + 11);
    struct cli_source *s = open_list(&files, NULL, 0);
    ck_assert_ptr_nonnull(next_line(s, line, sizeof line));
    ck_assert_uint_gt(strlen(line), 16384);
    expect(s, (const char *const[]){"http://b/", NULL});
    cli_source_free(s);
    cli_list_release(&files);
    free(text);
}
END_TEST

START_TEST(more_lines_than_the_buffer_holds_all_come)
{
    struct cli_list files = {0};
    FILE *f = fopen(path, "w");
    for (int i = 0; i < 50000; i++) {
        fprintf(f, "http://a.example/%d\n", i);
    }
    fclose(f);
    struct cli_source *s = open_list(&files, NULL, 0);
    char text[64], expected[64];
    for (int i = 0; i < 50000; i++) {
        snprintf(expected, sizeof expected, "http://a.example/%d", i);
        ck_assert_ptr_nonnull(next_line(s, text, sizeof text));
        ck_assert_str_eq(text, expected);
    }
    ck_assert_ptr_null(next_line(s, text, sizeof text));
    cli_source_free(s);
    cli_list_release(&files);
}
END_TEST

/* Nobody writes to the pipe, then somebody does, line by line; the rest never comes. */
START_TEST(a_pipe_gives_its_lines_as_they_come)
{
    struct cli_list files = {0};
    char text[64];
    const char *url;
    size_t len;
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    struct cli_source *s = open_list(&files, NULL, 0);
    ck_assert_int_eq(cli_source_next(s, &url, &len), WEFT_EAGAIN);
    int fd = open(path, O_WRONLY);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_gt(dprintf(fd, "http://%d/\nhttp://unfini", i), 0);
        ck_assert_ptr_nonnull(next_line(s, text, sizeof text));
        ck_assert_int_gt(dprintf(fd, "shed/\n"), 0);
        ck_assert_str_eq(next_line(s, text, sizeof text), "http://unfinished/");
    }
    ck_assert_int_eq(cli_source_next(s, &url, &len), WEFT_EAGAIN);
    cli_source_stop(s); /* while it waits for more */
    close(fd);
    cli_source_free(s);
    cli_list_release(&files);
}
END_TEST

/* Somebody writes for ever; nobody asks any more. */
START_TEST(an_endless_pipe_can_be_left)
{
    struct cli_list files = {0};
    char text[64];
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    struct cli_source *s = open_list(&files, NULL, 0);
    int fd = open(path, O_WRONLY);
    ck_assert_int_eq(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    size_t written = 0;
    while (written < 100000 && dprintf(fd, "http://a.example/\n") > 0) {
        written++;
    }
    ck_assert_ptr_nonnull(next_line(s, text, sizeof text));
    cli_source_free(s);
    close(fd);
    cli_list_release(&files);
}
END_TEST

START_TEST(what_cannot_be_opened_or_read_is_told)
{
    struct cli_list files = {0};
    struct cli_source *s;
    char error[300], text[64];
    ck_assert_int_eq(cli_list_add(&files, "/nowhere/list"), WEFT_OK);
    ck_assert_int_eq(cli_source_new(&s, NULL, 0, &files, error, sizeof error), WEFT_EINVAL);
    ck_assert_ptr_null(s);
    ck_assert_ptr_nonnull(strstr(error, "/nowhere/list"));
    files.items[0] = folder;
    ck_assert_int_eq(cli_source_new(&s, NULL, 0, &files, error, sizeof error), WEFT_EINVAL);
    ck_assert_ptr_null(s);
    ck_assert_ptr_nonnull(strstr(error, "directory"));
    files.items[0] = "/proc/self/mem"; /* opens, and at its beginning there is nothing to read */
    ck_assert_int_eq(cli_source_new(&s, NULL, 0, &files, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(cli_source_start(s, more, NULL), WEFT_OK);
    ck_assert_ptr_null(next_line(s, text, sizeof text));
    cli_source_stop(s);
    ck_assert_ptr_nonnull(strstr(cli_source_error(s), "/proc/self/mem: Input/output error"));
    cli_source_free(s);
    cli_list_release(&files);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("source");
    tcase_add_checked_fixture(tc, make_folder, remove_folder);
    tcase_add_loop_test(tc, lines_of_files, 0, (int)(sizeof files_read / sizeof *files_read));
    tcase_add_test(tc, arguments_come_first_and_each_file_has_its_bom);
    tcase_add_test(tc, an_endless_line_is_cut);
    tcase_add_test(tc, more_lines_than_the_buffer_holds_all_come);
    tcase_add_test(tc, a_pipe_gives_its_lines_as_they_come);
    tcase_add_test(tc, an_endless_pipe_can_be_left);
    tcase_add_test(tc, what_cannot_be_opened_or_read_is_told);
    return suite_run("cli: source", tc);
}
