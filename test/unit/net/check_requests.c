/* check_requests.c -- what is sent: header fields, conditions, cookies, credentials; and that what
 * is secret goes to its own host alone. */
#include "fixture.h"

#include "base/limits.h"
#include "net/net.h"
#include "support/suite.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The answer's body is the request. */
static void play_echo(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK", "", p->request);
    }
}

/* Fetches and asserts that the request has (or has not) each of the texts. */
static void expect_sent(const struct weft_request *q, const char *has, const char *has_not)
{
    driver_fetch(d, q, &r);
    ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s: %s", q->url, r.error);
    ck_assert_msg(!has || strstr(r.body, has), "'%s' is not in\n%s", has, r.body);
    ck_assert_msg(!has_not || !strstr(r.body, has_not), "'%s' is in\n%s", has_not, r.body);
}

START_TEST(the_usual_fields)
{
    struct server *s = server_start(play_echo, NULL);
    set_up(_i, NULL);
    const struct weft_request q = {.url = server_url(s, "/p")};
    expect_sent(&q, "GET /p HTTP/1.1\r\nHost: 127.0.0.1:", "Cookie");
    expect_sent(&q, "\r\nUser-Agent: weft/", "Referer");
    expect_sent(&q, "gzip", "If-");
    tear_down(s);
}
END_TEST

START_TEST(fields_of_ones_own)
{
    struct server *s = server_start(play_echo, NULL);
    const char *const headers[] = {"Accept-Language: de", "X-A: 1", "Accept:", "X-Empty;", NULL};
    set_up(_i, &(struct weft_net_options){.user_agent = "mine/2 (+x)", .headers = headers});
    const struct weft_request q = {.url = server_url(s, "/")};
    expect_sent(&q, "\r\nUser-Agent: mine/2 (+x)\r\n", "weft");
    expect_sent(&q, "\r\nAccept-Language: de\r\n", "\r\nAccept:");
    expect_sent(&q, "\r\nX-A: 1\r\n", NULL);
    expect_sent(&q, "\r\nX-Empty:", NULL);
    tear_down(s);
}
END_TEST

START_TEST(conditions_are_of_one_request)
{
    struct server *s = server_start(play_echo, NULL);
    const char *const headers[] = {"X-A: 1", NULL};
    set_up(_i, &(struct weft_net_options){.headers = headers});
    struct weft_request q = {.url = server_url(s, "/"), .if_none_match = "W/\"a b\""};
    expect_sent(&q, "\r\nIf-None-Match: W/\"a b\"\r\n", "If-Modified");
    expect_sent(&q, "\r\nX-A: 1\r\n", "Referer");
    q.if_none_match = NULL;
    q.if_modified_since = "Sat, 29 Oct 1994 19:43:31 GMT";
    q.referer = "http://other.example/page";
    expect_sent(&q, "\r\nIf-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n", "If-None");
    expect_sent(&q, "\r\nReferer: http://other.example/page\r\n", NULL);
    expect_sent(&q, "\r\nX-A: 1\r\n", NULL);
    q.if_modified_since = q.referer = NULL;
    expect_sent(&q, "\r\nX-A: 1\r\n", "If-");
    expect_sent(&q, NULL, "Referer");
    /* what could end the line is not sent at all */
    q.if_none_match = "\"a\"\r\nX-Injected: yes";
    q.referer = "http://x/\nX-Injected: yes";
    expect_sent(&q, NULL, "Injected");
    tear_down(s);
}
END_TEST

/* ---- the fields of the answer ---- */

static void play_fields(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 302 Found\r\ncontent-type:text/html \r\nLOCATION: \t/new\r\n"
                 "Location: /second\r\nRetry-After: 120\r\nX-Robots-Tag: noindex\r\n"
                 "X-Robots-Tag: googlebot:\r\n  nofollow\r\nContent-Type: text/plain\r\n"
                 "ETag: \"x\"\r\nLast-Modified: Sat, 29 Oct 1994 19:43:31 GMT\r\n"
                 "X-Location: /no\r\nContent-Length: 0\r\n\r\n");
}

START_TEST(fields_are_read)
{
    struct server *s = server_start(play_fields, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_int_eq(r.status, 302);
    ck_assert_str_eq(r.content_type, "text/html, text/plain"); /* a list has its commas */
    ck_assert_str_eq(r.location, "/new");
    ck_assert_str_eq(r.retry_after, "120");
    ck_assert_str_eq(r.x_robots_tag, "noindex\ngooglebot: nofollow");
    ck_assert_str_eq(r.etag, "\"x\"");
    ck_assert_str_eq(r.last_modified, "Sat, 29 Oct 1994 19:43:31 GMT");
    ck_assert_ptr_null(r.cookies);
    tear_down(s);
}
END_TEST

static void play_long_fields(struct peer *p)
{
    static char line[WEFT_MAX_HEADER_FIELD + 100];
    memset(line, 'x', sizeof line - 1);
    peer_read(p);
    peer_puts(p, "HTTP/1.1 302 Found\r\nLocation: ");
    peer_puts(p, line);
    peer_puts(p, "\r\nETag: ");
    line[WEFT_MAX_HEADER_FIELD] = '\0';
    peer_puts(p, line);
    peer_puts(p, "\r\nContent-Length: 0\r\n\r\n");
}

START_TEST(a_field_over_its_limit_is_absent)
{
    struct server *s = server_start(play_long_fields, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_ptr_null(r.location);
    ck_assert_uint_eq(strlen(r.etag), WEFT_MAX_HEADER_FIELD);
    tear_down(s);
}
END_TEST

/* ---- cookies ---- */

/* /set gives two cookies and redirects; everything else echoes. */
static void play_cookies(struct peer *p)
{
    while (peer_read(p)) {
        if (strncmp(p->path, "/set", 4) == 0) {
            peer_answer(p, "302 Found",
                        "Location: /wall\r\nSet-Cookie: pass=1; Path=/\r\n"
                        "Set-Cookie: only=here; Path=/deep; HttpOnly\r\n",
                        "");
        } else {
            peer_answer(p, "200 OK", "", p->request);
        }
    }
}

START_TEST(cookies_go_along_one_visit)
{
    struct server *s = server_start(play_cookies, NULL);
    struct server *other = server_start_on("127.0.0.2", play_echo, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/set")}, &r);
    ck_assert_int_eq(r.status, 302);
    ck_assert_ptr_nonnull(r.cookies);
    char *cookies = strdup(r.cookies);
    struct weft_request q = {.url = server_url(s, "/wall"), .cookies = cookies};
    expect_sent(&q, "\r\nCookie: pass=1\r\n", "only");
    ck_assert_str_eq(r.cookies, cookies); /* still in force for the next hop */
    q.url = server_url(s, "/deep/x");
    expect_sent(&q, "only=here", NULL);
    /* another host, another visit: nothing is sent */
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.2:%u/", server_port(other));
    q.url = url;
    expect_sent(&q, NULL, "Cookie");
    expect_sent(&(struct weft_request){.url = server_url(s, "/wall")}, NULL, "Cookie");
    ck_assert_ptr_null(r.cookies);
    free(cookies);
    tear_down(s);
    server_stop(other);
}
END_TEST

START_TEST(a_network_keeps_cookies)
{
    struct server *s = server_start(play_cookies, NULL);
    set_up(_i, &(struct weft_net_options){.cookies = true});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/set")}, &r);
    ck_assert_str_eq(r.cookies, "pass=1; Path=/\nonly=here; Path=/deep; HttpOnly");
    struct driver *other = driver_new(1 - _i, net); /* of both kinds, one store */
    driver_fetch(other, &(struct weft_request){.url = server_url(s, "/wall")}, &r);
    driver_free(other);
    ck_assert_ptr_nonnull(strstr(r.body, "\r\nCookie: pass=1\r\n"));
    ck_assert_ptr_null(r.cookies);
    tear_down(s);
}
END_TEST

static void play_many_cookies(struct peer *p)
{
    while (peer_read(p)) {
        peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n");
        for (int i = 0; i < 49; i++) {
            char line[4096];
            int n = snprintf(line, sizeof line, "Set-Cookie: c%d=", i);
            memset(line + n, 'v', 3000);
            memcpy(line + n + 3000, "\r\n", 3);
            peer_puts(p, line);
        }
        peer_puts(p, "\r\n");
    }
}

START_TEST(cookies_have_a_limit)
{
    struct server *s = server_start(play_many_cookies, NULL);
    set_up(_i % DRIVERS, &(struct weft_net_options){.cookies = _i >= DRIVERS});
    for (int i = 0; i < 3; i++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        ck_assert_uint_le(strlen(r.cookies), WEFT_MAX_COOKIES);
        ck_assert_uint_gt(strlen(r.cookies), WEFT_MAX_COOKIES / 2);
    }
    tear_down(s);
}
END_TEST

START_TEST(cookie_files)
{
    char dir[] = "/tmp/weft-cookies-XXXXXX", jar[64], line[256];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(jar, sizeof jar, "%s/jar", dir);
    struct server *s = server_start(play_cookies, NULL);
    set_up(_i, &(struct weft_net_options){.cookie_jar = jar});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/set")}, &r);
    weft_response_release(&r);
    driver_free(d);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    FILE *f = fopen(jar, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_str_eq(line, "# Netscape HTTP Cookie File\n");
    fclose(f);
    struct stat st;
    ck_assert_int_eq(stat(jar, &st), 0);
    ck_assert_uint_eq(st.st_mode & 077, 0); /* cookies are secrets */

    set_up(_i, &(struct weft_net_options){.cookie_file = jar});
    expect_sent(&(struct weft_request){.url = server_url(s, "/")}, "\r\nCookie: pass=1\r\n",
                "only");
    expect_sent(&(struct weft_request){.url = server_url(s, "/deep/")}, "only=here", NULL);
    tear_down(s);

    struct weft_net *n;
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.cookie_file = "/no/such"}),
                     WEFT_EIO);
    ck_assert_ptr_null(n);
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.cookie_jar = "/no/such/jar"}),
                     WEFT_OK);
    ck_assert_int_eq(weft_net_free(n), WEFT_EIO);
    unlink(jar);
    rmdir(dir);
}
END_TEST

/* A jar that is no file, like curl's -c /dev/null, is written into and stays what it is. */
START_TEST(a_jar_that_is_a_pipe)
{
    char dir[] = "/tmp/weft-cookies-XXXXXX", jar[64], text[256] = "";
    struct weft_net *n;
    struct stat st;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(jar, sizeof jar, "%s/jar", dir);
    ck_assert_int_eq(mkfifo(jar, 0600), 0);
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.cookie_jar = jar}), WEFT_OK);
    ck_assert_int_eq(weft_net_free(n), WEFT_EIO); /* nobody reads */
    int fd = open(jar, O_RDWR | O_NONBLOCK);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.cookie_jar = jar}), WEFT_OK);
    ck_assert_int_eq(weft_net_free(n), WEFT_OK);
    ck_assert_int_eq(stat(jar, &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
    ck_assert_int_gt(read(fd, text, sizeof text - 1), 0);
    ck_assert_str_eq(text, "# Netscape HTTP Cookie File\n\n");
    ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.cookie_jar = "/dev/full"}),
                     WEFT_OK);
    ck_assert_int_eq(weft_net_free(n), WEFT_EIO);
    close(fd);
    unlink(jar);
    rmdir(dir);
}
END_TEST

/* ---- secrets ---- */

START_TEST(secrets_go_to_their_own_hosts)
{
    struct server *s = server_start(play_echo, NULL);
    struct server *other = server_start(play_echo, NULL);
    char host[64];
    snprintf(host, sizeof host, "127.0.0.1:%u", server_port(s));
    const char *const hosts[] = {"other.example", host, NULL};
    const char *const headers[] = {"Authorization: Bearer t", "X-Public: 1", "cookie: h=1",
                                   "host: own.example", NULL};
    set_up(_i % DRIVERS,
           &(struct weft_net_options){.credentials = _i >= DRIVERS ? "user:pass" : NULL,
                                      .headers = _i >= DRIVERS ? NULL : headers,
                                      .cookie_file = _i >= DRIVERS ? "t=1; u=2" : NULL,
                                      .credential_hosts = hosts});
    const char *secret = _i >= DRIVERS ? "\r\nAuthorization: Basic dXNlcjpwYXNz\r\n"
                                       : "\r\nAuthorization: Bearer t\r\n";
    const char *cookie = _i >= DRIVERS ? "\r\nCookie: t=1; u=2\r\n" : "\r\ncookie: h=1\r\n";
    const struct weft_request own = {.url = server_url(s, "/")};
    const struct weft_request foreign = {.url = server_url(other, "/")};
    char localhost[64];
    snprintf(localhost, sizeof localhost, "http://localhost:%u/", server_port(s));
    const struct weft_request name = {.url = localhost};
    for (int i = 0; i < 2; i++) { /* there and back on one handle */
        expect_sent(&own, secret, NULL);
        expect_sent(&own, cookie, NULL);
        expect_sent(&own, _i >= DRIVERS ? NULL : "\r\nHost: own.example\r\n", NULL);
        expect_sent(&foreign, "\r\nHost: 127.0.0.1:", "own.example");
        expect_sent(&foreign, _i >= DRIVERS ? NULL : "\r\nX-Public: 1\r\n", "Authorization");
        expect_sent(&foreign, NULL, "ookie: ");
        expect_sent(&name, NULL, "Authorization");
        expect_sent(&(struct weft_request){.url = server_url(s, "/x"), .referer = "http://r/"},
                    secret, NULL);
        expect_sent(&(struct weft_request){.url = server_url(other, "/x"), .referer = "http://r/"},
                    NULL, "Authorization");
    }
    tear_down(s);
    server_stop(other);
}
END_TEST

/* A Host for some must not be the name under which libcurl looks for the cookies of others, nor
 * keeps theirs. Kinds: cookies of one visit, of the network, of a file. */
START_TEST(a_host_for_some_gives_nobody_the_cookies_of_others)
{
    enum { OF_VISIT, OF_NETWORK, OF_FILE, KINDS };
    char file[] = "/tmp/weft-cookies-XXXXXX", host[64], url[64], far_set[64];
    int fd = mkstemp(file), kind = _i % KINDS;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_gt(dprintf(fd, "virt.test\tFALSE\t/\tFALSE\t0\tpass\t1\n"), 0);
    close(fd);
    struct server *s = server_start(play_cookies, NULL);
    struct server *other = server_start(play_cookies, NULL);
    snprintf(host, sizeof host, "127.0.0.1:%u", server_port(s));
    snprintf(url, sizeof url, "http://localhost:%u/x", server_port(other));
    snprintf(far_set, sizeof far_set, "http://localhost:%u/set", server_port(other));
    const char *const hosts[] = {host, NULL};
    const char *const headers[] = {"Host: virt.test", NULL};
    const struct weft_net_options options = {.headers = headers,
                                             .credential_hosts = hosts,
                                             .cookies = kind == OF_NETWORK,
                                             .cookie_file = kind == OF_FILE ? file : NULL};
    set_up(_i / KINDS, &options);
    char *cookies = NULL;
    if (kind != OF_FILE) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/set")}, &r);
        cookies = kind == OF_VISIT ? strdup(r.cookies) : NULL;
    }
    const struct weft_request own = {.url = server_url(s, "/"), .cookies = cookies};
    const struct weft_request far = {.url = url, .cookies = cookies};
    for (int i = 0; i < 2; i++) { /* there and back on one handle */
        expect_sent(&own, "\r\nHost: virt.test\r\n", NULL);
        expect_sent(&own, "\r\nCookie: pass=1\r\n", NULL);
        expect_sent(&far, "\r\nHost: localhost:", "Cookie");
    }
    free(cookies);
    weft_response_release(&r);
    driver_free(d);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);

    set_up(_i / KINDS, &(struct weft_net_options){.headers = headers,
                                                  .credential_hosts = hosts,
                                                  .cookies = kind != OF_VISIT});
    expect_sent(&(struct weft_request){.url = server_url(s, "/")}, "virt.test", "Cookie");
    driver_fetch(d, &(struct weft_request){.url = far_set}, &r);
    cookies = kind == OF_VISIT ? strdup(r.cookies) : NULL;
    expect_sent(&(struct weft_request){.url = server_url(s, "/"), .cookies = cookies}, "virt.test",
                "Cookie");
    expect_sent(&(struct weft_request){.url = url, .cookies = cookies}, "\r\nCookie: pass=1\r\n",
                "virt.test");
    free(cookies);
    tear_down(s);
    server_stop(other);
    unlink(file);
}
END_TEST

/* "Host:" takes the field away, and then libcurl goes by the URL: it must not have been told of
 * another host before. */
START_TEST(no_host_for_some_gives_nobody_the_cookies_of_others)
{
    static const char *const lists[][3] = {
        {"Host:"}, {"Host;"}, {"Host: "}, {"Host:", "Host: virt.test"}, {"Host; x: virt.test"}};
    struct server *s = server_start(play_cookies, NULL);
    struct server *other = server_start(play_cookies, NULL);
    char host[64], far_set[64];
    snprintf(host, sizeof host, "127.0.0.1:%u", server_port(s));
    snprintf(far_set, sizeof far_set, "http://localhost:%u/set", server_port(other));
    const char *const hosts[] = {host, NULL};
    set_up(_i % DRIVERS, &(struct weft_net_options){.headers = lists[_i / DRIVERS],
                                                    .credential_hosts = hosts,
                                                    .cookies = true});
    driver_fetch(d, &(struct weft_request){.url = far_set}, &r);
    expect_sent(&(struct weft_request){.url = server_url(s, "/")}, NULL, "Cookie");
    tear_down(s);
    server_stop(other);
}
END_TEST

START_TEST(the_host_of_a_url)
{
    static const struct {
        const char *url, *host;
    } table[] = {
        {"http://a.example/", "a.example"},
        {"http://a.example", "a.example"},
        {"http://a.example:80/x", "a.example"},
        {"http://a.example:/x", "a.example"},
        {"http://a.example:443/", "a.example:443"},
        {"https://a.example:443/", "a.example"},
        {"HTTPS://a.example:80?q", "a.example:80"},
        {"http://user:pw@a.example:8080/", "a.example:8080"},
        {"http://a.example?@evil", "a.example"},
        {"http://[::1]/", "[::1]"},
        {"http://[::1]:80/", "[::1]"},
        {"https://u@[::1]:80/", "[::1]:80"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct weft_buf text;
        weft_buf_init(&text, 1000);
        ck_assert_int_eq(weft_net_own_host(&text, table[i].url), WEFT_OK);
        ck_assert_int_eq(strncmp(text.data, "Host: ", 6), 0);
        ck_assert_str_eq(text.data + 6, table[i].host);
        weft_buf_release(&text);
    }
}
END_TEST

START_TEST(options_with_secrets)
{
    static const struct {
        const char *header;
        bool secret;
    } table[] = {
        {"Authorization: x", true}, {"authorization:x", true},
        {"COOKIE: a=b", true},      {"Cookie ; a", true},
        {"Cookie;", true},          {"Proxy-Authorization: x", true},
        {"Host: a", true},          {"Cookies: a", false},
        {"X-Cookie: a", false},     {"Accept: Cookie: a", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *const headers[] = {"A: 1", table[i].header, NULL};
        ck_assert_msg(weft_net_has_secrets(&(struct weft_net_options){.headers = headers}) ==
                          table[i].secret,
                      "%s", table[i].header);
    }
    ck_assert(!weft_net_has_secrets(&(struct weft_net_options){.cookie_file = "jar"}));
    ck_assert(weft_net_has_secrets(&(struct weft_net_options){.cookie_file = "a=b"}));
    ck_assert(weft_net_has_secrets(&(struct weft_net_options){.credentials = "a:b"}));
    /* an empty list is an answer: nobody */
    const char *const nobody[] = {NULL};
    struct server *s = server_start(play_echo, NULL);
    set_up(0, &(struct weft_net_options){.credentials = "a:b", .credential_hosts = nobody});
    expect_sent(&(struct weft_request){.url = server_url(s, "/")}, NULL, "Authorization");
    tear_down(s);
}
END_TEST

START_TEST(credentials_in_a_url_are_of_that_url)
{
    struct server *s = server_start(play_echo, NULL);
    set_up(_i, NULL);
    char url[64];
    snprintf(url, sizeof url, "http://user:pass@127.0.0.1:%u/", server_port(s));
    expect_sent(&(struct weft_request){.url = url}, "\r\nAuthorization: Basic dXNlcjpwYXNz\r\n",
                NULL);
    expect_sent(&(struct weft_request){.url = server_url(s, "/")}, NULL, "Authorization");
    tear_down(s);
}
END_TEST

START_TEST(trusted_hosts)
{
    static const struct {
        const char *entry, *url;
        bool trusts;
    } table[] = {
        {"a.example", "http://a.example/", true},
        {"a.example", "https://a.example/x?y", true},
        {"a.example", "http://A.EXAMPLE", true},
        {"a.example", "http://a.example:80/", true},
        {"a.example", "https://a.example:443/", true},
        {"a.example", "http://a.example:443/", false},
        {"a.example", "http://a.example:8080/", false},
        {"a.example:8080", "http://a.example:8080/", true},
        {"a.example:8080", "http://a.example/", false},
        {"a.example:443", "https://a.example/", true},
        {"a.example:443", "http://a.example/", false},
        {"a.example", "http://b.a.example/", false},
        {"a.example", "http://a.example.evil/", false},
        {"a.example", "http://a.example@evil/", false},
        {"a.example", "http://evil/a.example", false},
        {"a.example", "http://evil/@a.example", false},
        {"a.example", "http://evil?@a.example", false},
        {"a.example", "http://evil#@a.example/", false},
        {"a.example", "http://user:pw@a.example/", true},
        {"a.example", "http://user:pw@evil@a.example/", true},
        {"[::1]", "http://[::1]/", true},
        {"[::1]:8080", "http://[::1]:8080/", true},
        {"[::1]:8080", "http://[::1]/", false},
        {"[::1]", "http://[::1]:8080/", false},
        {"10.0.0.1:81", "http://10.0.0.1:81/", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *const hosts[] = {table[i].entry, NULL};
        struct weft_net *n;
        ck_assert_int_eq(weft_net_new(&n, &(struct weft_net_options){.credential_hosts = hosts}),
                         WEFT_OK);
        ck_assert_msg(weft_net_trusts(n, table[i].url) == table[i].trusts, "%s and %s",
                      table[i].entry, table[i].url);
        ck_assert_int_eq(weft_net_free(n), WEFT_OK);
    }
}
END_TEST

START_TEST(wrong_options_are_refused)
{
    const char *const injected[] = {"X: 1\r\nY: 2", NULL}, *const nameless[] = {": 1", NULL},
                      *const bare[] = {"X", NULL},
                      *const secret[] = {"X: 1", "authorization:b", NULL};
    const struct weft_net_options bad[] = {
        {.headers = injected},
        {.headers = nameless},
        {.headers = bare},
        {.user_agent = "a\nb"},
        {.connect_timeout = -1},
        {.read_timeout = -1},
        {.timeout = -1},
        {.credentials = "a:b\r\n"},
        {.cookie_file = "a=b\r\nX: 1"},
        {.no_private = true, .proxy = "http://127.0.0.1:1"},
        {.credentials = "a:b"}, /* and no word of where they may go */
        {.headers = secret},
        {.cookie_file = "a=b"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct weft_net *n;
        ck_assert_msg(weft_net_new(&n, &bad[i]) == WEFT_EINVAL, "%zu", i);
        ck_assert_ptr_null(n);
    }
    ck_assert_int_eq(weft_net_free(NULL), WEFT_OK);
}
END_TEST

/* A proxy is asked with the whole URL. */
START_TEST(through_a_proxy)
{
    struct server *proxy = server_start(play_echo, NULL);
    set_up(_i, &(struct weft_net_options){.proxy = server_url(proxy, "")});
    expect_sent(&(struct weft_request){.url = "http://far.example/x"},
                "GET http://far.example/x HTTP/1.1\r\nHost: far.example\r\n", NULL);
    tear_down(proxy);
}
END_TEST

/* Agrees to a tunnel, or does not, and says nothing more. */
static void play_tunnel(struct peer *p)
{
    if (peer_read(p)) {
        const char *status = p->user;
        peer_answer(p, status, "Content-Type: text/html\r\nSet-Cookie: a=b\r\n", "");
    }
}

START_TEST(what_a_proxy_says_is_no_answer)
{
    static const struct {
        const char *status;
        enum weft_fetch_end end;
    } table[] = {{"200 Connection established", WEFT_FETCH_TLS},
                 {"403 Forbidden", WEFT_FETCH_CONNECTION},
                 {"503 Busy", WEFT_FETCH_CONNECTION}};
    struct server *proxy = server_start(play_tunnel, table[_i / DRIVERS].status);
    set_up(_i % DRIVERS,
           &(struct weft_net_options){.proxy = server_url(proxy, ""), .keep_wire = true});
    driver_fetch(d, &(struct weft_request){.url = "https://far.example/"}, &r);
    ck_assert_msg(r.end == table[_i / DRIVERS].end, "%d %s", r.end, r.error);
    ck_assert_int_eq(r.status, 0);
    ck_assert_int_eq(r.connected, 0);
    ck_assert_ptr_null(r.content_type);
    size_t len;
    char *sent = server_received(proxy, &len);
    ck_assert_int_eq(strncmp(sent, "CONNECT far.example:443 HTTP/1.1\r\n", 34), 0);
    free(sent);
    tear_down(proxy);
}
END_TEST

int main(void)
{
    TCase *fields = tcase_create("fields");
    tcase_add_loop_test(fields, the_usual_fields, 0, DRIVERS);
    tcase_add_loop_test(fields, fields_of_ones_own, 0, DRIVERS);
    tcase_add_loop_test(fields, conditions_are_of_one_request, 0, DRIVERS);
    tcase_add_loop_test(fields, fields_are_read, 0, DRIVERS);
    tcase_add_loop_test(fields, a_field_over_its_limit_is_absent, 0, DRIVERS);
    tcase_add_loop_test(fields, through_a_proxy, 0, DRIVERS);
    tcase_add_loop_test(fields, what_a_proxy_says_is_no_answer, 0, 3 * DRIVERS);
    tcase_add_test(fields, wrong_options_are_refused);
    TCase *cookies = tcase_create("cookies");
    tcase_add_loop_test(cookies, cookies_go_along_one_visit, 0, DRIVERS);
    tcase_add_loop_test(cookies, a_network_keeps_cookies, 0, DRIVERS);
    tcase_add_loop_test(cookies, cookies_have_a_limit, 0, 2 * DRIVERS);
    tcase_add_loop_test(cookies, cookie_files, 0, DRIVERS);
    tcase_add_test(cookies, a_jar_that_is_a_pipe);
    TCase *secrets = tcase_create("secrets");
    tcase_add_loop_test(secrets, secrets_go_to_their_own_hosts, 0, 2 * DRIVERS);
    tcase_add_loop_test(secrets, a_host_for_some_gives_nobody_the_cookies_of_others, 0,
                        3 * DRIVERS);
    tcase_add_loop_test(secrets, no_host_for_some_gives_nobody_the_cookies_of_others, 0,
                        5 * DRIVERS);
    tcase_add_test(secrets, the_host_of_a_url);
    tcase_add_loop_test(secrets, credentials_in_a_url_are_of_that_url, 0, DRIVERS);
    tcase_add_test(secrets, options_with_secrets);
    tcase_add_test(secrets, trusted_hosts);
    return suite_run("net: requests", fields, cookies, secrets);
}
