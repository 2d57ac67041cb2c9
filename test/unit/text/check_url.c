/* check_url.c -- the basic URL parser (URL Standard 4.4): schemes, relative references, authority,
 * path, query, fragment. Hosts are check_url_host.c's. */
#include "url_case.h"

#include "support/suite.h"
#include <string.h>

#define check(cases) url_cases_check(cases, sizeof(cases) / sizeof(cases)[0])

/* The examples of 4.3 (URL writing): what parses, and to what. */
START_TEST(examples_of_the_standard)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("https:example.org"), "https://example.org/"},
        {NULL, TEXT("https://////example.com///"), "https://example.com///"},
        {NULL, TEXT("https://example.com/././foo"), "https://example.com/foo"},
        {"https://example.com", TEXT("hello:world"), OTHER},
        {"https://example.com", TEXT("https:example.org"), "https://example.com/example.org"},
        {"https://example.com", TEXT("\\example\\..\\demo/.\\"), "https://example.com/demo/"},
        {"https://example.com/demo", TEXT("example"), "https://example.com/example"},
        {NULL, TEXT("file:///C|/demo"), OTHER},
        {NULL, TEXT("https://user:password@example.org/"), "https://user:password@example.org/"},
        {NULL, TEXT("https://example.org/foo bar"), "https://example.org/foo%20bar"},
        {NULL, TEXT("https://EXAMPLE.com/../x"), "https://example.com/x"},
        {NULL, TEXT("https://ex ample.org/"), NULL},
        {NULL, TEXT("example"), NULL},
        {NULL, TEXT("https://example.com:demo"), NULL},
        {NULL, TEXT("http://[www.example.com]/"), NULL},
        {NULL, TEXT("https://example.org//"), "https://example.org//"},
        {NULL, TEXT("https://example.com/[]?[]#[]"), "https://example.com/[]?[]#[]"},
        {NULL, TEXT("https://example/%?%#%"), "https://example/%?%#%"},
        {NULL, TEXT("https://example/%25?%25#%25"), "https://example/%25?%25#%25"},
    };
    check(cases);
}
END_TEST

START_TEST(schemes)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("HtTpS://h"), "https://h/"},
        {NULL, TEXT("h\ttt\np\r:\t/\n/h\r/p"), "http://h/p"},
        {NULL, TEXT("http"), NULL},
        {NULL, TEXT(""), NULL},
        {NULL, TEXT("  \x01\x1f "), NULL},
        {NULL, TEXT("://h"), NULL},
        {NULL, TEXT("1http://h"), NULL},
        {NULL, TEXT("ht_tp://h"), NULL},
        {"http://b/c/d", TEXT("ht_tp://h"), "http://b/c/ht_tp://h"},
        {"http://b/c/d", TEXT("1:2"), "http://b/c/1:2"},
        /* a scheme of its own, however near */
        {"http://b/c/d", TEXT("httpss://h"), OTHER},
        {"http://b/c/d", TEXT("htt://h"), OTHER},
        {"http://b/c/d", TEXT("http+x:y"), OTHER},
        {"http://b/c/d", TEXT("mailto:a@b"), OTHER},
        {"http://b/c/d", TEXT("javascript:void(0)"), OTHER},
        {"http://b/c/d", TEXT("  JavaScript\t:alert(1)"), OTHER},
        {"http://b/c/d", TEXT("data:text/html,<p>"), OTHER},
        {"http://b/c/d", TEXT("x:"), OTHER},
        /* same scheme and no slashes: relative; another one: absolute */
        {"http://b/c/d", TEXT("http:"), "http://b/c/d"},
        {"http://b/c/d?q#f", TEXT("http:e"), "http://b/c/e"},
        {"http://b/c/d", TEXT("http:/e"), "http://b/e"},
        {"http://b/c/d", TEXT("http:?e"), "http://b/c/d?e"},
        {"http://b/c/d", TEXT("http:\\\\e"), "http://e/"},
        {"http://b/c/d", TEXT("https:e"), "https://e/"},
        {"http://b/c/d", TEXT("https:/e/f"), "https://e/f"},
        {"https://b/c/d", TEXT("http:e"), "http://e/"},
        {"http://b/c/d", TEXT("https:"), NULL},
    };
    check(cases);
}
END_TEST

START_TEST(other_schemes_are_told_from_failures)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("ftp://h/p"), OTHER},
        {NULL, TEXT("ftp:h"), OTHER},
        {NULL, TEXT("ws:\\\\h"), OTHER},
        {NULL, TEXT("wss://"), NULL},
        {NULL, TEXT("ftp://h:x/"), NULL},
        {NULL, TEXT("ftp://h o/"), NULL},
        {NULL, TEXT("ftp://user@/"), NULL},
        {NULL, TEXT("file:"), OTHER},
        {NULL, TEXT("file:p"), OTHER},
        {NULL, TEXT("file:/p"), OTHER},
        {NULL, TEXT("file:///p"), OTHER},
        {NULL, TEXT("file://h/p"), OTHER},
        {NULL, TEXT("file:\\\\h\\p"), OTHER},
        {NULL, TEXT("file://C:/p"), OTHER},
        {NULL, TEXT("file://C|"), OTHER},
        {NULL, TEXT("file://CD:/p"), NULL},
        {NULL, TEXT("file://h:80/p"), NULL},
        {NULL, TEXT("file://u@h/p"), NULL},
        {NULL, TEXT("file://h%2fp/"), NULL},
        {NULL, TEXT("x://"), OTHER},
        {NULL, TEXT("x:///p"), OTHER},
        {NULL, TEXT("x://h"), OTHER},
        {NULL, TEXT("x://h\x01%zz\xC3\xA9\x7f/"), OTHER},
        {NULL, TEXT("x://h:65535/"), OTHER},
        {NULL, TEXT("x://[::1]:1"), OTHER},
        {NULL, TEXT("x:\t/\n/h"), OTHER},
        {NULL, TEXT("x:/ /h o"), OTHER},
        {NULL, TEXT("x:h o:st"), OTHER},
        {NULL, TEXT("x://h o"), NULL},
        {NULL, TEXT("x://h\0"), OTHER}, /* a trailing control is removed first */
        {NULL, TEXT("x://h\0o"), NULL},
        {NULL, TEXT("x://h\\p"), NULL},
        {NULL, TEXT("x://h<"), NULL},
        {NULL, TEXT("x://h^"), NULL},
        {NULL, TEXT("x://h:65536"), NULL},
        {NULL, TEXT("x://:1"), NULL},
        {NULL, TEXT("x://u@"), NULL},
        {NULL, TEXT("x://u@/p"), NULL},
        {NULL, TEXT("x://[1]"), NULL},
    };
    check(cases);
}
END_TEST

START_TEST(relative_references)
{
    static const struct url_case cases[] = {
        {"http://u:p@b:8/c/d?q#f", TEXT(""), "http://u:p@b:8/c/d?q"},
        {"http://u:p@b:8/c/d?q#f", TEXT(" \t\n"), "http://u:p@b:8/c/d?q"},
        {"http://u:p@b:8/c/d?q#f", TEXT("#"), "http://u:p@b:8/c/d?q#"},
        {"http://u:p@b:8/c/d?q#f", TEXT("#g"), "http://u:p@b:8/c/d?q#g"},
        {"http://u:p@b:8/c/d?q#f", TEXT("?"), "http://u:p@b:8/c/d?"},
        {"http://u:p@b:8/c/d?q#f", TEXT("?r"), "http://u:p@b:8/c/d?r"},
        {"http://u:p@b:8/c/d?q#f", TEXT("?r#g"), "http://u:p@b:8/c/d?r#g"},
        {"http://u:p@b:8/c/d?q#f", TEXT("e"), "http://u:p@b:8/c/e"},
        {"http://u:p@b:8/c/d?q#f", TEXT("e/"), "http://u:p@b:8/c/e/"},
        {"http://u:p@b:8/c/d?q#f", TEXT("/e"), "http://u:p@b:8/e"},
        {"http://u:p@b:8/c/d?q#f", TEXT("\\e"), "http://u:p@b:8/e"},
        {"http://u:p@b:8/c/d?q#f", TEXT("\t/\te"), "http://u:p@b:8/e"},
        {"http://u:p@b:8/c/d?q#f", TEXT("//e"), "http://e/"},
        {"http://u:p@b:8/c/d?q#f", TEXT("/\\e/f"), "http://e/f"},
        {"http://u:p@b:8/c/d?q#f", TEXT("/\n/e"), "http://e/"},
        {"https://b/c/d", TEXT("//e:443"), "https://e/"},
        {"https://b/c/d", TEXT("////e"), "https://e/"},
        {"https://b/c/d", TEXT("//"), NULL},
        {"https://b/c/d", TEXT("///?q"), NULL},
        {"http://b/c/d/", TEXT("e"), "http://b/c/d/e"},
        {"http://b/c//d", TEXT("e"), "http://b/c//e"},
        {"http://b", TEXT("e"), "http://b/e"},
        {"http://b/?a/b", TEXT("e"), "http://b/e"},
        {"http://b/c/d", TEXT("."), "http://b/c/"},
        {"http://b/c/d", TEXT("./"), "http://b/c/"},
        {"http://b/c/d", TEXT(".."), "http://b/"},
        {"http://b/c/d", TEXT("../"), "http://b/"},
        {"http://b/c/d", TEXT("../../../e"), "http://b/e"},
        {"http://b/c/d", TEXT("..?q"), "http://b/?q"},
        {"http://b/c/d", TEXT(".#f"), "http://b/c/#f"},
        {"http://b/c/d", TEXT("e?../f"), "http://b/c/e?../f"},
        {"http://b/c/d", TEXT("?q?r/../#?#"), "http://b/c/d?q?r/../#?#"},
    };
    check(cases);
}
END_TEST

START_TEST(dot_segments)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("http://h/a/./b"), "http://h/a/b"},
        {NULL, TEXT("http://h/a/../b"), "http://h/b"},
        {NULL, TEXT("http://h/a/.."), "http://h/"},
        {NULL, TEXT("http://h/a/b/.."), "http://h/a/"},
        {NULL, TEXT("http://h/a/b/."), "http://h/a/b/"},
        {NULL, TEXT("http://h/.."), "http://h/"},
        {NULL, TEXT("http://h/../../"), "http://h/"},
        {NULL, TEXT("http://h/a//../b"), "http://h/a/b"},
        {NULL, TEXT("http://h/a//../../b"), "http://h/b"},
        {NULL, TEXT("http://h//.."), "http://h/"},
        {NULL, TEXT("http://h/.//a"), "http://h//a"},
        {NULL, TEXT("http://h/a\\..\\b\\.\\c"), "http://h/b/c"},
        {NULL, TEXT("http://h/a/%2e/b"), "http://h/a/b"},
        {NULL, TEXT("http://h/a/%2E%2e/b"), "http://h/b"},
        {NULL, TEXT("http://h/a/.%2E/b"), "http://h/b"},
        {NULL, TEXT("http://h/a/%2e."), "http://h/"},
        {NULL, TEXT("http://h/a/%2\te\n./b"), "http://h/b"},
        {NULL, TEXT("http://h/a/.\t./b"), "http://h/b"},
        {NULL, TEXT("http://h/a/\t../b"), "http://h/b"},
        /* no dot segments */
        {NULL, TEXT("http://h/a/.../b"), "http://h/a/.../b"},
        {NULL, TEXT("http://h/a/%2e%2e%2e/b"), "http://h/a/%2e%2e%2e/b"},
        {NULL, TEXT("http://h/a/..b/.b"), "http://h/a/..b/.b"},
        {NULL, TEXT("http://h/a/b../b."), "http://h/a/b../b."},
        {NULL, TEXT("http://h/a/.%2/b"), "http://h/a/.%2/b"},
        {NULL, TEXT("http://h/a/%252e/b"), "http://h/a/%252e/b"},
        {NULL, TEXT("http://h/a/%2f../b"), "http://h/a/%2f../b"},
        {NULL, TEXT("http://h/a/. /b"), "http://h/a/.%20/b"},
        {NULL, TEXT("http://h/a?/../b"), "http://h/a?/../b"},
        {NULL, TEXT("http://h/a#/../b"), "http://h/a#/../b"},
    };
    check(cases);
}
END_TEST

START_TEST(authority)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("http://h"), "http://h/"},
        {NULL, TEXT("http://h?q"), "http://h/?q"},
        {NULL, TEXT("http://h#f"), "http://h/#f"},
        {NULL, TEXT("http://h\\p"), "http://h/p"},
        {NULL, TEXT("http:\\/\\h"), "http://h/"},
        {NULL, TEXT("http:/\t/\n/h"), "http://h/"},
        {NULL, TEXT("http://u@h"), "http://u@h/"},
        {NULL, TEXT("http://u:@h"), "http://u@h/"},
        {NULL, TEXT("http://:p@h"), "http://:p@h/"},
        {NULL, TEXT("http://@h"), "http://h/"},
        {NULL, TEXT("http://:\t@h"), "http://h/"},
        {NULL, TEXT("http://a:b:c@h"), "http://a:b%3Ac@h/"},
        {NULL, TEXT("http://a@b@h"), "http://a%40b@h/"},
        {NULL, TEXT("http://a:b@c:d@h"), "http://a:b%40c%3Ad@h/"},
        {NULL, TEXT("http://u\t:\np@h"), "http://u:p@h/"},
        {NULL, TEXT("http://u;=[]^|{}`<>\" @h"),
         "http://u%3B%3D%5B%5D%5E%7C%7B%7D%60%3C%3E%22%20@h/"},
        {NULL, TEXT("http://u!$&'()*+,-._~%@h"), "http://u!$&'()*+,-._~%@h/"},
        {NULL, TEXT("http://\xC3\xA9:\xF0\x9F\x90\x88@h"), "http://%C3%A9:%F0%9F%90%88@h/"},
        {NULL, TEXT("http://h/u@i"), "http://h/u@i"},
        {NULL, TEXT("http://h?u@i"), "http://h/?u@i"},
        {NULL, TEXT("http://u/p@h"), "http://u/p@h"},
        {NULL, TEXT("http://"), NULL},
        {NULL, TEXT("http:///"), NULL},
        {NULL, TEXT("http://?q"), NULL},
        {NULL, TEXT("http://u@"), NULL},
        {NULL, TEXT("http://u@/p"), NULL},
        {NULL, TEXT("http://u@\t/p"), NULL},
        {NULL, TEXT("http://:80/"), NULL},
        {NULL, TEXT("http://u@:80/"), NULL},
    };
    check(cases);
}
END_TEST

START_TEST(ports)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("http://h:"), "http://h/"},
        {NULL, TEXT("http://h:/p"), "http://h/p"},
        {NULL, TEXT("http://h:80"), "http://h/"},
        {NULL, TEXT("https://h:443?q"), "https://h/?q"},
        {NULL, TEXT("http://h:443"), "http://h:443/"},
        {NULL, TEXT("https://h:80"), "https://h:80/"},
        {NULL, TEXT("http://h:0"), "http://h:0/"},
        {NULL, TEXT("http://h:00080"), "http://h/"},
        {NULL, TEXT("http://h:8\t0\n8\r0"), "http://h:8080/"},
        {NULL, TEXT("http://h:\t"), "http://h/"},
        {NULL, TEXT("http://h:000000000000000000000000000065535/"), "http://h:65535/"},
        {NULL, TEXT("http://h:65536"), NULL},
        {NULL, TEXT("http://h:99999999999999999999999"), NULL},
        {NULL, TEXT("http://h:-1"), NULL},
        {NULL, TEXT("http://h:+1"), NULL},
        {NULL, TEXT("http://h:1a"), NULL},
        {NULL, TEXT("http://h:1:2"), NULL},
        {NULL, TEXT("http://h: 1"), NULL},
        {NULL, TEXT("http://h:%38"), NULL},
        {NULL, TEXT("http://h:\xD9\xA1"), NULL},
    };
    check(cases);
}
END_TEST

START_TEST(control_characters)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("\x01 \t\x1fhttp://h/p\x02 \n"), "http://h/p"},
        {NULL, TEXT("\0http://h/p\0"), "http://h/p"},
        {NULL, TEXT("http://h/\0p?\0q#\0f"), "http://h/%00p?%00q#%00f"},
        {NULL, TEXT("http://h/p\x7f?\x7f#\x7f"), "http://h/p%7F?%7F#%7F"},
        {NULL, TEXT("http://h/\x1b?\x0e#\x0f!"), "http://h/%1B?%0E#%0F!"},
        {NULL, TEXT("ht\ttp://h\n/p\ra?\tq\n#\rf"), "http://h/pa?q#f"},
        {NULL, TEXT("http://h/a\x0b\x0c"), "http://h/a"},
        {NULL, TEXT("http://h/a\x0b b"), "http://h/a%0B%20b"},
    };
    check(cases);
}
END_TEST

/* Text that is no UTF-8 counts as U+FFFD, one for each maximal part of a sequence. */
START_TEST(unicode)
{
    static const struct url_case cases[] = {
        {NULL, TEXT("http://h/\u00e9?\u00e9#\u00e9"), "http://h/%C3%A9?%C3%A9#%C3%A9"},
        {NULL, TEXT("http://h/\u20ac\U0001F408"), "http://h/%E2%82%AC%F0%9F%90%88"},
        {NULL, TEXT("http://h/\uffff\U0010ffff"), "http://h/%EF%BF%BF%F4%8F%BF%BF"},
        {NULL, TEXT("http://h/\xff/a"), "http://h/%EF%BF%BD/a"},
        {NULL, TEXT("http://h/\xC3/a"), "http://h/%EF%BF%BD/a"},
        {NULL, TEXT("http://h/a\xC3"), "http://h/a%EF%BF%BD"},
        {NULL, TEXT("http://h/\xE2\x82/a"), "http://h/%EF%BF%BD/a"},
        {NULL, TEXT("http://h/\xF0\x9F\x90"), "http://h/%EF%BF%BD"},
        {NULL, TEXT("http://h/\xC0\xAF"), "http://h/%EF%BF%BD%EF%BF%BD"},
        {NULL, TEXT("http://h/\xE0\x80\xAF"), "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
        {NULL, TEXT("http://h/\xED\xA0\x80"), "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
        {NULL, TEXT("http://h/\xF4\x90\x80\x80"), "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
        {NULL, TEXT("http://h/\xC3\n\xA9"), "http://h/%EF%BF%BD%EF%BF%BD"},
        {NULL, TEXT("http://h/?\x80#\x80"), "http://h/?%EF%BF%BD#%EF%BF%BD"},
        {NULL, TEXT("http://h\xff/"), NULL},
    };
    check(cases);
}
END_TEST

START_TEST(offsets_name_the_parts)
{
    char buf[200];
    struct weft_url u;
    static const char text[] = "https://user:pw@host:8080/path?query#fragment";
    ck_assert_int_eq(weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), NULL), WEFT_OK);
    ck_assert_ptr_eq(u.href, buf);
    ck_assert_uint_eq(u.scheme_len, 5);
    ck_assert_mem_eq(buf + u.host_at, "host:", 5);
    ck_assert_mem_eq(buf + u.host_end, ":8080", 5);
    ck_assert_uint_eq(u.port, 8080);
    ck_assert_mem_eq(buf + u.path_at, "/path", 5);
    ck_assert_mem_eq(buf + u.query_at, "?query", 6);
    ck_assert_mem_eq(buf + u.fragment_at, "#fragment", 9);
    ck_assert_uint_eq(u.len, strlen(text));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url");
    tcase_add_test(tc, examples_of_the_standard);
    tcase_add_test(tc, schemes);
    tcase_add_test(tc, other_schemes_are_told_from_failures);
    tcase_add_test(tc, relative_references);
    tcase_add_test(tc, dot_segments);
    tcase_add_test(tc, authority);
    tcase_add_test(tc, ports);
    tcase_add_test(tc, control_characters);
    tcase_add_test(tc, unicode);
    tcase_add_test(tc, offsets_name_the_parts);
    return suite_run("text: url", tc);
}
