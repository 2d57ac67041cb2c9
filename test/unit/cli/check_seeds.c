/* check_seeds.c -- which texts are seeds, which become one, and which are refused. */
#include "cli/seeds.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *text, *url; /* url NULL: refused */
} cases[] = {
    {"http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"},
    {"https://example.com", "https://example.com/"},
    {"  http://example.com/  ", "http://example.com/"},
    {"example.com", "http://example.com/"},
    {"example.com/a?b#c", "http://example.com/a?b#c"},
    {"example.com:8080", "http://example.com:8080/"},
    {"localhost", "http://localhost/"},
    {"localhost:8080/x", "http://localhost:8080/x"},
    {"intranet:81", "http://intranet:81/"},
    {"127.0.0.1:1", "http://127.0.0.1:1/"},
    {"[::1]:8080/", "http://[::1]:8080/"},
    {"", NULL},
    {"   ", NULL},
    {"not a url", NULL},
    {"crawl", NULL},
    {"http://", NULL},
    {"ftp://127.0.0.1/", NULL},
    {"file:///etc/passwd", NULL},
    {"javascript:1", NULL},
    {"mailto:me@example.com", NULL},
    {"tel:12345", NULL},
    {"/etc/hosts.txt", NULL},
    {"./index.html", NULL},
    {"-q", NULL},
    {"user:pw@example.com", NULL},
};

START_TEST(one_seed)
{
    struct cli_seeds s = {0};
    char error[512] = "";
    enum weft_status st = cli_seeds_add(&s, cases[_i].text, strlen(cases[_i].text), "", error,
                                        sizeof error);
    if (cases[_i].url) {
        ck_assert_msg(st == WEFT_OK, "%s", error);
        ck_assert_uint_eq(s.count, 1);
        ck_assert_str_eq(s.urls[0], cases[_i].url);
    } else {
        ck_assert_msg(st == WEFT_EINVAL, "'%s'", cases[_i].text);
        ck_assert_msg(*error, "'%s': no sentence", cases[_i].text);
        ck_assert_uint_eq(s.count, 0);
    }
    cli_seeds_release(&s);
}
END_TEST

START_TEST(this_machine_and_abroad)
{
    static const struct {
        const char *url;
        bool abroad;
    } places[] = {{"http://localhost:1/", false},      {"http://a.localhost/", false},
                  {"http://127.9.9.9/", false},        {"http://[::1]/", false},
                  {"http://example.com/", true},       {"http://localhost.example/", true},
                  {"http://127.0.0.1.example/", true}, {"http://192.168.0.1/", true}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct cli_seeds s = {0};
        char error[512];
        ck_assert_int_eq(
            cli_seeds_add(&s, places[i].url, strlen(places[i].url), "", error, sizeof error),
            WEFT_OK);
        ck_assert_msg(s.abroad == places[i].abroad, "%s", places[i].url);
        cli_seeds_release(&s);
    }
}
END_TEST

START_TEST(hosts_are_distinct_and_have_ports)
{
    static const char *const urls[] = {"http://a.example/1", "http://a.example/2",
                                       "https://a.example/", "http://b.example:81/"};
    struct cli_seeds s = {0};
    char error[512];
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(cli_seeds_add(&s, urls[i], strlen(urls[i]), "", error, sizeof error),
                         WEFT_OK);
    }
    ck_assert_uint_eq(s.nhosts, 3);
    ck_assert_str_eq(s.hosts[0], "a.example:80");
    ck_assert_str_eq(s.hosts[1], "a.example:443");
    ck_assert_str_eq(s.hosts[2], "b.example:81");
    ck_assert_ptr_null(s.hosts[3]);
    cli_seeds_release(&s);
}
END_TEST

/* --- files ------------------------------------------------------------------------------------ */

static void write_file(char *path, const char *bytes, size_t len)
{
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
    close(fd);
}

START_TEST(a_file_of_seeds)
{
    static const char text[] = "\xef\xbb\xbf# a comment\r\n"
                               "http://a.example/\r\n"
                               "\r\n"
                               "   \n"
                               "  # another\n"
                               "b.example/x\n"
                               "http://c.example/#f"; /* no line end */
    char path[] = "/tmp/weft-seeds-XXXXXX";
    char error[512] = "";
    struct cli_seeds s = {0};
    write_file(path, text, sizeof text - 1);
    ck_assert_msg(cli_seeds_read(&s, path, error, sizeof error) == WEFT_OK, "%s", error);
    unlink(path);
    ck_assert_uint_eq(s.count, 3);
    ck_assert_str_eq(s.urls[0], "http://a.example/");
    ck_assert_str_eq(s.urls[1], "http://b.example/x");
    ck_assert_uint_eq(s.guessed, 1);
    ck_assert_str_eq(s.first_guess, "b.example/x");
    cli_seeds_release(&s);
}
END_TEST

START_TEST(a_bad_line_is_named)
{
    char path[] = "/tmp/weft-seeds-XXXXXX";
    char error[512] = "", place[64];
    struct cli_seeds s = {0};
    write_file(path, "http://a.example/\n\nftp://b/\n", 28);
    ck_assert_int_eq(cli_seeds_read(&s, path, error, sizeof error), WEFT_EINVAL);
    unlink(path);
    snprintf(place, sizeof place, "%s:3: 'ftp://b/'", path);
    ck_assert_msg(strstr(error, place), "%s", error);
    cli_seeds_release(&s);
}
END_TEST

START_TEST(hostile_files_are_refused)
{
    static char huge[1 << 20];
    memset(huge, 'a', sizeof huge);
    static const struct {
        const char *bytes;
        size_t len;
    } files[] = {{huge, sizeof huge}, {"http://a.example/\0b\n", 20}, {"\xff\xfeh\0t\0", 7}};
    char path[] = "/tmp/weft-seeds-XXXXXX";
    char error[512] = "";
    struct cli_seeds s = {0};
    write_file(path, files[_i].bytes, files[_i].len);
    ck_assert_int_eq(cli_seeds_read(&s, path, error, sizeof error), WEFT_EINVAL);
    ck_assert_ptr_nonnull(strstr(error, ":1: "));
    unlink(path);
    cli_seeds_release(&s);
}
END_TEST

START_TEST(a_long_comment_is_fine_and_a_missing_file_is_not)
{
    static char comment[1 << 16];
    memset(comment, '#', sizeof comment);
    memcpy(comment + sizeof comment - 11, "\nb.example\n", 11);
    char path[] = "/tmp/weft-seeds-XXXXXX";
    char error[512] = "";
    struct cli_seeds s = {0};
    write_file(path, comment, sizeof comment);
    ck_assert_msg(cli_seeds_read(&s, path, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_uint_eq(s.count, 1);
    unlink(path);
    ck_assert_int_eq(cli_seeds_read(&s, path, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_nonnull(strstr(error, "No such file"));
    ck_assert_int_eq(cli_seeds_read(&s, "/", error, sizeof error), WEFT_EIO);
    cli_seeds_release(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("seeds");
    tcase_add_loop_test(tc, one_seed, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tc, this_machine_and_abroad);
    tcase_add_test(tc, hosts_are_distinct_and_have_ports);
    tcase_add_test(tc, a_file_of_seeds);
    tcase_add_test(tc, a_bad_line_is_named);
    tcase_add_loop_test(tc, hostile_files_are_refused, 0, 3);
    tcase_add_test(tc, a_long_comment_is_fine_and_a_missing_file_is_not);
    return suite_run("cli: seeds", tc);
}
