/* check_robots.c -- robots.txt: groups, lines, matching, limits, in the words of RFC 9309. */
#include "text/robots.h"
#include "text/robots_pattern.h"

#include "base/buf.h"
#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>

/* A URL of that path and query, parsed by hand: the URL parser is not what is tested here. */
struct test_url {
    struct weft_url url;
    char *href;
};

static struct test_url url_of(const char *path, size_t len)
{
    static const char origin[] = "http://example.com";
    struct test_url u = {.href = malloc(sizeof origin + len)};
    ck_assert_ptr_nonnull(u.href);
    memcpy(u.href, origin, sizeof origin - 1);
    memcpy(u.href + sizeof origin - 1, path, len);
    u.href[sizeof origin - 1 + len] = '\0';
    const char *query = memchr(path, '?', len);
    uint32_t at = sizeof origin - 1, end = at + (uint32_t)len;
    u.url = (struct weft_url){.href = u.href,
                              .len = end,
                              .scheme_len = 4,
                              .host_at = 7,
                              .host_end = at,
                              .path_at = at,
                              .query_at = query ? at + (uint32_t)(query - path) : end,
                              .fragment_at = end,
                              .port = 80};
    return u;
}

static bool allows_n(const struct weft_robots *r, const char *path, size_t len, unsigned *line)
{
    struct test_url u = url_of(path, len);
    bool allowed = weft_robots_allows(r, &u.url, line);
    free(u.href);
    return allowed;
}

static struct weft_robots *parse_n(const char *body, size_t len, const char *agent)
{
    char *exact = malloc(len + 1); /* heap, exact: a sanitizer sees a read past the end */
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, body, len);
    struct weft_robots *r;
    ck_assert_int_eq(weft_robots_parse(&r, exact, len, agent), WEFT_OK);
    free(exact);
    return r;
}

static bool ask(const char *body, const char *agent, const char *path)
{
    struct weft_robots *r = parse_n(body, strlen(body), agent);
    bool allowed = allows_n(r, path, strlen(path), NULL);
    weft_robots_free(r);
    return allowed;
}

/* 2.2.1: which group applies. Each group disallows a path of its own. */
START_TEST(groups)
{
    static const struct {
        const char *body, *agent, *disallowed, *why;
    } cases[] = {
        {"User-agent: a\nDisallow: /a\nUser-agent: *\nDisallow: /s", "a", "/a", "named"},
        {"User-agent: a\nDisallow: /a\nUser-agent: *\nDisallow: /s", "b", "/s", "* otherwise"},
        {"User-agent: a\nDisallow: /a\n", "b", "", "no group: everything is allowed"},
        {"User-agent: *\nDisallow: /s\nUser-agent: a\nDisallow: /a", "a", "/a", "order is nothing"},
        {"User-agent: A-b_C\nDisallow: /a\n", "a-B_c", "/a", "case of the token is nothing"},
        {"USER-AGENT: a\ndIsAllow: /a\n", "a", "/a", "case of the keys is nothing"},
        {"User-agent: abc\nDisallow: /a\n", "ab", "", "a token that begins alike is another"},
        {"User-agent: ab\nDisallow: /a\n", "abc", "", "the other way round too"},
        {"User-agent: a/1.0 (x)\nDisallow: /a\n", "a", "/a", "a version behind the token"},
        {"User-agent: a\nDisallow: /a\n", "a/1.0 (+http://x)", "/a", "and behind the agent's"},
        {"User-agent: a2\nDisallow: /a\n", "a", "", "a digit belongs to the token"},
        {"User-agent: *a\nDisallow: /s\n", "a", "", "* and more is not *"},
        {"User-agent: a\nUser-agent: b\nDisallow: /ab\n", "a", "/ab", "lines in a row share"},
        {"User-agent: a\nUser-agent: b\nDisallow: /ab\n", "b", "/ab", "lines in a row share"},
        {"User-agent: a\n\n# x\nUser-agent: b\n\nDisallow: /ab\n", "a", "/ab", "blank lines too"},
        {"User-agent: a\nSitemap: x\nFoo: y\nUser-agent: b\nDisallow: /ab\n", "a", "/ab",
         "2.2.4: other records end nothing"},
        {"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /ab\n", "a", "/ab", "nor this"},
        {"User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /b\n", "a", "", "an empty rule does"},
        {"Disallow: /x\nUser-agent: a\nDisallow: /a\n", "a", "/a", "rules before a group"},
        {"Disallow: /x\n", "a", "", "rules without a group"},
        {"User-agent:\nDisallow: /x\n", "a", "", "no name"},
        {"User-agent: a\nDisallow: /x\n", "", "", "no agent"},
        {"User-agent: *\nDisallow: /s\n", "", "/s", "no agent: still *"},
        {"User-agent: *\nDisallow: /s\nUser-agent: a\n", "a", "", "named without rules"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char *const paths[] = {"/a", "/b", "/ab", "/s", "/x"};
        for (size_t k = 0; k < 5; k++) {
            /* a path that begins with the disallowed one is disallowed too */
            bool expected = !(*cases[i].disallowed && strncmp(paths[k], cases[i].disallowed,
                                                              strlen(cases[i].disallowed)) == 0);
            ck_assert_msg(ask(cases[i].body, cases[i].agent, paths[k]) == expected, "%s: %s",
                          cases[i].why, paths[k]);
        }
    }
}
END_TEST

START_TEST(groups_of_one_agent_are_merged)
{
    static const char body[] = "User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /s\n\n"
                               "User-agent: b\nUser-agent: A\nAllow: /x/y\nDisallow: /z\n";
    ck_assert(!ask(body, "a", "/x"));
    ck_assert(ask(body, "a", "/x/y"));
    ck_assert(!ask(body, "a", "/z"));
    ck_assert(ask(body, "a", "/s"));
    ck_assert(ask(body, "b", "/x"));
    ck_assert(!ask(body, "b", "/z"));
}
END_TEST

/* 2.2.2 and 2.2.3: paths against one or two rules. */
START_TEST(matching)
{
    static const struct {
        const char *rules, *path;
        bool allowed;
        const char *why;
    } cases[] = {
        {"Disallow: /", "/", false, "everything"},
        {"Disallow:", "/", true, "an empty pattern matches nothing"},
        {"Disallow: /a", "/ab?c", false, "a prefix"},
        {"Disallow: /a", "/A", true, "case matters"},
        {"Disallow: /a", "/b/a", true, "from the start"},
        {"Disallow: a", "/a", true, "without a slash it can't match"},
        {"Disallow: /a?b", "/a?bc", false, "the query counts"},
        {"Disallow: /?", "/?", false, "an empty query"},
        {"Disallow: /a\nAllow: /a/b", "/a/bc", true, "the longer one wins"},
        {"Allow: /a\nDisallow: /a/b", "/a/bc", false, "the longer one wins"},
        {"Disallow: /a\nAllow: /a", "/a", true, "Allow wins a tie"},
        {"Allow: /a\nDisallow: /a", "/a", true, "Allow wins a tie"},
        {"Allow: /a\nDisallow: /*", "/a", true, "a tie by octets"},
        {"Allow: /a\nDisallow: /*a", "/a", false, "* counts as an octet"},
        {"Disallow: /a$\nAllow: /a", "/a", false, "$ counts as an octet"},
        {"Disallow: /*", "/x", false, "* takes anything"},
        {"Disallow: /*/b", "//b", false, "* takes nothing"},
        {"Disallow: /a*b*c", "/a--b--c--", false, "several"},
        {"Disallow: /a*b*c", "/a--c--b", true, "in order"},
        {"Disallow: *.gif$", "/x/y.gif", false, "* first, as in the RFC's example"},
        {"Disallow: /*.gif$", "/y.gif?x", true, "$ is the end"},
        {"Disallow: /a$", "/a", false, "$ is the end"},
        {"Disallow: /a$", "/ab", true, "$ is the end"},
        {"Disallow: /a*$", "/ab", false, "*$ is as nothing"},
        {"Disallow: /*ab$", "/abab", false, "the last segment, at the end"},
        {"Disallow: /a*a$", "/a", true, "segments don't overlap"},
        {"Disallow: /*ab*ba$", "/aba", true, "segments don't overlap"},
        {"Disallow: /a$b", "/a$b", false, "$ in the middle is a letter"},
        {"Disallow: /***a", "/a", false, "stars in a row"},
        {"Disallow: /*aab", "/aaab", false, "a start that fails half way"},
        {"Disallow: /*ababac", "/abababac", false, "a border is used"},
        {"Disallow: /%61%2f%7E", "/a%2F~", false, "unreserved decoded, hex upper case"},
        {"Disallow: /a%2Fb", "/a/b", true, "reserved and encoded differ"},
        {"Disallow: /%2A", "/*", false, "an encoded star is one"},
        {"Disallow: /%2A", "/x", true, "and no wildcard"},
        {"Disallow: /x%24", "/x$", false, "an encoded dollar is one"},
        {"Disallow: /x%24", "/x", true, "and no anchor"},
        {"Disallow: /\xC3\xA9", "/%C3%A9", false, "UTF-8 is encoded"},
        {"Disallow: /%c3%a9", "/%C3%A9", false, "hex digits are upper-cased"},
        {"Disallow: /\xE9", "/%E9", false, "any octet is"},
        {"Disallow: /a b", "/a%20b", false, "a space inside"},
        {"Disallow: /<\"", "/%3C%22", false, "what a URI can't hold is encoded"},
        {"Disallow: /%zz%4", "/%zz%4", false, "a % that encodes nothing"},
        {"Disallow: /%zz", "/%25zz", true, "is not an encoded %"},
        {"Disallow: /", "/robots.txt", true, "robots.txt itself: 2.2.2"},
        {"Disallow: /", "/robots.txt?x", false, "and only that"},
        {"Disallow: http://example.com/a", "/a", true, "a URL is no path"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[200];
        snprintf(body, sizeof body, "User-agent: *\n%s\n", cases[i].rules);
        ck_assert_msg(ask(body, "x", cases[i].path) == cases[i].allowed, "%s: %s for %s",
                      cases[i].why, cases[i].rules, cases[i].path);
    }
}
END_TEST

START_TEST(lines)
{
    static const struct {
        const char *body;
        size_t len; /* 0: strlen */
        unsigned line;
        const char *why;
    } cases[] = {
        {"User-agent: x\nDisallow: /p\n", 0, 2, "LF"},
        {"User-agent: x\rDisallow: /p\r", 0, 2, "CR"},
        {"User-agent: x\r\nDisallow: /p\r\n", 0, 2, "CRLF"},
        {"User-agent: x\n\rDisallow: /p", 0, 3, "LF CR: a blank line; no end at the end"},
        {"\xEF\xBB\xBFUser-agent: x\nDisallow: /p\n", 0, 2, "BOM"},
        {"User-agent: x # one\nDisallow: /p # two\n", 0, 2, "comments behind"},
        {"#one\nUser-agent: x#\nDisallow: /p#q\n", 0, 3, "comments without space"},
        {" \tUser-agent\t :\t x \t\n \t Disallow :/p\t \n", 0, 2, "white space"},
        {"no colon\n: no key\nUser-agent: x\n<html>\nDisallow: /p\n", 0, 5, "junk lines"},
        {"User-agent: x\nDisallow: /q\0r\nDisallow: /p\n", 41, 3, "NUL in another line"},
        {"\xFF\xFE\xFFjunk: \xC0\x80\nUser-agent: x\nDisallow: /p\n", 0, 3,
         "bytes that are no UTF-8"},
        {"User-agent: x\nAllow: /\nDisallow: /p\nDisallow: /p\n", 0, 3, "the first of equals"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t len = cases[i].len ? cases[i].len : strlen(cases[i].body);
        struct weft_robots *r = parse_n(cases[i].body, len, "x");
        unsigned line = 99;
        ck_assert_msg(!allows_n(r, "/p", 2, &line), "%s", cases[i].why);
        ck_assert_msg(line == cases[i].line, "%s: line %u", cases[i].why, line);
        bool root = allows_n(r, "/", 1, &line);
        ck_assert(root);
        weft_robots_free(r);
    }
}
END_TEST

START_TEST(fields)
{
    static const struct {
        const char *body;
        double delay;
        const char *group, *sitemaps; /* joined by a space */
    } cases[] = {
        {"", -1, NULL, ""},
        {"User-agent: *\nCrawl-delay: 2\n", 2, "*", ""},
        {"User-agent: x/1 y\nCrawl-delay: 0.25\n", 0.25, "x/1 y", ""},
        {"User-agent: x\nCrawl-delay: 5.\n", 5, "x", ""},
        {"User-agent: x\nCrawl-delay: .5\n", 0.5, "x", ""},
        {"User-agent: x\nCrawl-delay: 0\n", 0, "x", ""},
        {"User-agent: x\nCrawl-delay: .\n", -1, "x", ""},
        {"User-agent: x\nCrawl-delay: -1\n", -1, "x", ""},
        {"User-agent: x\nCrawl-delay: 1s\nCrawl-delay: inf\nCrawl-delay: 1e3\n", -1, "x", ""},
        {"User-agent: x\nCrawl-delay:\n", -1, "x", ""},
        {"User-agent: x\nCrawl-delay: 1\nCrawl-delay: 3\nCrawl-delay: 2\n", 3, "x", ""},
        {"User-agent: y\nCrawl-delay: 9\n", -1, NULL, ""},
        {"Crawl-delay: 9\nUser-agent: x\nDisallow: /\n", -1, "x", ""},
        {"User-agent: x\nCrawl-delay: 1\nUser-agent: y\nCrawl-delay: 2\nDisallow: /\n", 1, "x", ""},
        {"User-agent: y\nCrawl-delay: 2\nUser-agent: x\nDisallow: /\n", -1, "x", ""},
        {"User-agent: y\nUser-agent: x\nCrawl-delay: 2\n", 2, "x", ""},
        {"User-agent: x\nDisallow: /\nCrawl-delay: 2\n", 2, "x", ""},
        {"Sitemap: http://a/1\nUser-agent: y\nSITEMAP : /2 # c\nDisallow: /\nsitemap:3:4\n", -1,
         NULL, "http://a/1 /2 3:4"},
        {"Sitemap:\n", -1, NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weft_robots *r = parse_n(cases[i].body, strlen(cases[i].body), "x");
        double delay = weft_robots_crawl_delay(r);
        ck_assert_msg(cases[i].delay < 0 ? delay < 0 : delay == cases[i].delay, "%s: %g",
                      cases[i].body, delay);
        const char *group = weft_robots_group(r);
        ck_assert_msg(cases[i].group ? group && !strcmp(group, cases[i].group) : !group, "%s",
                      cases[i].body);
        char joined[100] = "";
        for (size_t k = 0; weft_robots_sitemap(r, k); k++) {
            snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", k ? " " : "",
                     weft_robots_sitemap(r, k));
        }
        ck_assert_str_eq(joined, cases[i].sitemaps);
        weft_robots_free(r);
    }
}
END_TEST

/* A file of n bytes that ends with the tail: padded by comments of 64 bytes and one shorter. */
static char *padded(const char *head, size_t n, const char *tail, size_t after)
{
    size_t tail_len = strlen(tail), at = strlen(head);
    char *body = malloc(n + after + 1);
    ck_assert_ptr_nonnull(body);
    memset(body, '#', n + after);
    memcpy(body, head, at);
    for (at += 64; at < n - tail_len; at += 64) {
        body[at - 1] = '\n';
    }
    body[n - tail_len - 1] = '\n';
    memcpy(body + n - tail_len, tail, tail_len);
    if (after) {
        body[n] = '\n';
    }
    return body;
}

START_TEST(what_is_behind_the_limit_is_ignored)
{
    static const char head[] = "User-agent: x\nAllow: /\n", tail[] = "Disallow: /p";
    for (int over = -1; over <= 1; over++) {
        size_t n = (size_t)((int)WEFT_MAX_ROBOTS + over);
        for (size_t after = 0; after < 1000; after += 999) {
            char *body = padded(head, n, tail, after);
            struct weft_robots *r = parse_n(body, n + after, "x");
            free(body);
            /* a rule that crosses the limit is dropped whole: cut, it would be "Disallow: /" */
            ck_assert_msg(allows_n(r, "/p", 2, NULL) == (over > 0), "%d %zu", over, after);
            ck_assert(allows_n(r, "/q", 2, NULL));
            weft_robots_free(r);
        }
    }
}
END_TEST

START_TEST(long_urls)
{
    struct weft_robots *r = parse_n("User-agent: *\nDisallow: /*z$\n", 28, "x");
    size_t len = 5 * (size_t)WEFT_MAX_URL;
    char *path = malloc(len);
    ck_assert_ptr_nonnull(path);
    memset(path, '*', len); /* grows threefold */
    path[0] = '/';
    ck_assert(allows_n(r, path, len, NULL));
    path[len - 1] = 'z';
    ck_assert(!allows_n(r, path, len, NULL));
    free(path);
    weft_robots_free(r);
}
END_TEST

/* A pattern that makes a backtracking matcher take for ever: here, as many steps as there are
 * octets, in the worst case of each kind. */
START_TEST(matching_is_linear)
{
    static const char *const units[] = {"*a", "*aa", "*a*", "*aab", "a*", "*ab"};
    char path[8000], pattern[6001];
    uint32_t fail[sizeof pattern];
    memset(path, 'a', sizeof path);
    path[0] = '/';
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        size_t n = strlen(units[k]), len = 1;
        pattern[0] = '/';
        for (; len + n < sizeof pattern; len += n) {
            memcpy(pattern + len, units[k], n);
        }
        pattern[len++] = 'b';
        weft_robots_prepare(pattern, len, fail);
        for (size_t at = sizeof path - 2; at < sizeof path; at++) {
            uint64_t work = 0;
            weft_robots_match(pattern, len, fail, path, sizeof path, &work);
            ck_assert_uint_le(work, len + sizeof path);
            path[at] = 'b';
        }
        path[sizeof path - 1] = path[sizeof path - 2] = 'a';
    }
}
END_TEST

/* A file full of rules that each read the whole URL: given up, and refused. */
START_TEST(steps_for_one_url_are_bounded)
{
    char path[8000];
    memset(path, 'a', sizeof path);
    path[0] = '/';
    struct weft_buf body;
    weft_buf_init(&body, WEFT_MAX_ROBOTS);
    ck_assert_int_eq(weft_buf_puts(&body, "User-agent: *\nAllow: /\n"), WEFT_OK);
    while (weft_buf_puts(&body, "Disallow: /*aaab\n") == WEFT_OK) {
    }
    struct weft_robots *r = parse_n(body.data, body.len, "x");
    unsigned line = 0;
    ck_assert(!allows_n(r, path, sizeof path, &line));
    ck_assert_uint_gt(line, 2);
    ck_assert(allows_n(r, path, 100, &line)); /* a URL of an ordinary length is judged */
    ck_assert_uint_eq(line, 2);
    weft_robots_free(r);
    weft_buf_release(&body);
}
END_TEST

/* A megabyte of any one line must simply be read. */
START_TEST(hostile_files_end)
{
    static const char *const shapes[] = {"\n",
                                         ":",
                                         ":\n",
                                         "#",
                                         "\r\n",
                                         "\xFF",
                                         "Disallow: /*a\n",
                                         "User-agent: x\n",
                                         "Sitemap: x\n",
                                         "User-agent: *\nDisallow: /*$\n",
                                         "Disallow: /",
                                         "*",
                                         "%",
                                         "Crawl-delay: 99999999\n"};
    static const char head[] = "User-agent: *\nDisallow: /";
    size_t len = 1 << 20;
    char *body = malloc(len);
    ck_assert_ptr_nonnull(body);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        size_t n = strlen(shapes[k]);
        memcpy(body, head, sizeof head - 1);
        for (size_t i = sizeof head - 1; i < len; i++) {
            body[i] = shapes[k][(i - sizeof head + 1) % n];
        }
        struct weft_robots *r = parse_n(body, len, "x");
        allows_n(r, "/a?b", 4, NULL);
        weft_robots_free(r);
    }
    free(body);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("robots");
    tcase_add_test(tc, groups);
    tcase_add_test(tc, groups_of_one_agent_are_merged);
    tcase_add_test(tc, matching);
    tcase_add_test(tc, lines);
    tcase_add_test(tc, fields);
    tcase_add_test(tc, what_is_behind_the_limit_is_ignored);
    tcase_add_test(tc, long_urls);
    tcase_add_test(tc, matching_is_linear);
    tcase_add_test(tc, steps_for_one_url_are_bounded);
    tcase_add_test(tc, hostile_files_end);
    tcase_set_timeout(tc, 60);
    return suite_run("text: robots", tc);
}
