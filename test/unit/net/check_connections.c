/* check_connections.c -- connections are kept, checked, given up and replaced as they should be;
 * bodies that nobody wants are not downloaded; HEAD. */
#include "fixture.h"
#include "resolver.h"

#include "support/suite.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void play_keep(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK", "Content-Type: text/html\r\n", "page");
    }
}

START_TEST(a_connection_is_kept)
{
    struct server *s = server_start(play_keep, NULL);
    set_up(_i, NULL);
    for (int i = 0; i < 20; i++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
        ck_assert_str_eq(r.body, "page");
        ck_assert_str_eq(r.content_type, "text/html");
        ck_assert(r.new_connection == (i == 0));
    }
    ck_assert_uint_eq(server_connections(s), 1);
    tear_down(s);
}
END_TEST

START_TEST(memory_is_kept)
{
    struct server *s = server_start(play_keep, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    const char *body = r.body, *text = r.text;
    for (int i = 0; i < 5; i++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_ptr_eq(r.body, body);
        ck_assert_ptr_eq(r.text, text);
    }
    tear_down(s);
}
END_TEST

/* Each connection answers once and is closed only when the test has seen the answer. */
static void play_once(struct peer *p)
{
    if (peer_read(p)) {
        peer_answer(p, "200 OK", "Connection: keep-alive\r\n", "once");
        peer_gate(p, p->number);
    }
}

START_TEST(a_connection_closed_while_idle_is_replaced)
{
    struct server *s = server_start(play_once, NULL);
    set_up(_i, NULL);
    for (unsigned i = 0; i < 4; i++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        ck_assert_str_eq(r.body, "once");
        server_open(s, i);
    }
    tear_down(s);
}
END_TEST

/* The first connection reads the second request and closes: too late for any check before it. */
static void play_close_on_second(struct peer *p)
{
    if (peer_read(p)) {
        peer_answer(p, "200 OK", "", "first");
        if (peer_read(p)) {
            if (p->number == 0) {
                if (p->user) {
                    peer_reset(p);
                }
                return;
            }
            peer_answer(p, "200 OK", "", "again");
        }
    }
}

START_TEST(a_request_lost_on_a_kept_connection_is_sent_again)
{
    struct server *s = server_start(play_close_on_second, _i / DRIVERS ? "reset" : NULL);
    set_up(_i % DRIVERS, NULL);
    for (int i = 0; i < 2; i++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        ck_assert_str_eq(r.body, "first");
        ck_assert(r.new_connection);
    }
    ck_assert_uint_eq(server_requests(s), 3);
    tear_down(s);
}
END_TEST

static void play_reset(struct peer *p)
{
    peer_read(p);
    peer_reset(p);
}

START_TEST(a_reset_is_a_lost_connection)
{
    struct server *s = server_start(play_reset, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_CONNECTION);
    ck_assert(!r.stale); /* it was a new connection */
    ck_assert_int_eq(r.status, 0);
    tear_down(s);
}
END_TEST

START_TEST(nobody_listens)
{
    struct server *s = server_start(play_keep, NULL);
    const char *url = server_url(s, "/");
    server_stop(s);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = url}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_CONNECTION);
    ck_assert_str_eq(r.error, "can't connect: Connection refused");
    ck_assert_int_eq(r.connected, 0);
    driver_fetch(d, &(struct weft_request){.url = "http://no.test/"}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DNS);
    ck_assert_str_eq(r.error, "Could not resolve host: no.test");
    driver_fetch(d, &(struct weft_request){.url = "http://a!b.test/"}, &r); /* no name for DNS */
    ck_assert_int_eq(r.end, WEFT_FETCH_DNS);
    ck_assert_str_ne(r.error, "");
    driver_fetch(d, &(struct weft_request){.url = "http://no.test/"}, &r); /* and as before */
    ck_assert_str_eq(r.error, "Could not resolve host: no.test");
    tear_down(NULL);
}
END_TEST

/* Listens on 127.0.0.2 and takes no connection: its queue is full, so that the next one hangs. */
static void hang_connections(unsigned port, int fds[4])
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, "127.0.0.2", &a.sin_addr);
    fds[0] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fds[0], (struct sockaddr *)&a, sizeof a), 0);
    ck_assert_int_eq(listen(fds[0], 0), 0);
    for (int i = 1; i < 4; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(fds[i], (struct sockaddr *)&a, sizeof a);
    }
}

/* libcurl gives each address of a name its share of the time to connect. */
START_TEST(an_address_that_does_not_answer_is_passed_over)
{
    struct server *s = server_start(play_keep, NULL);
    int fds[4];
    hang_connections(server_port(s), fds);
    set_up(_i, &(struct weft_net_options){.connect_timeout = 1600 * WEFT_MS});
    char url[64];
    snprintf(url, sizeof url, "http://127-0-0-2.127-0-0-1.test:%u/", server_port(s));
    driver_fetch(d, &(struct weft_request){.url = url}, &r);
    ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
    ck_assert_str_eq(r.ip, "127.0.0.1");
    for (int i = 0; i < 4; i++) {
        close(fds[i]);
    }
    tear_down(s);
}
END_TEST

START_TEST(no_descriptor_is_left)
{
    struct server *s = server_start(play_keep, NULL);
    set_up(_i, NULL);
    struct rlimit before, files;
    getrlimit(RLIMIT_NOFILE, &before);
    int next = dup(0);
    close(next);
    files = before;
    files.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &files);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    setrlimit(RLIMIT_NOFILE, &before);
    ck_assert_int_eq(r.end, WEFT_FETCH_FAILED);
    ck_assert_str_eq(r.error, "no socket: Too many open files");
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    tear_down(s);
}
END_TEST

/* ---- URLs ---- */

START_TEST(only_http_urls_are_taken)
{
    static const char *const bad[] = {
        "ftp://127.0.0.1/", "file:///etc/passwd",   "http:/127.0.0.1/",  "127.0.0.1", "",
        "javascript:1",     "dict://127.0.0.1:1/x", "httpx://127.0.0.1/"};
    set_up(0, NULL);
    struct weft_client *c;
    ck_assert_int_eq(weft_client_new(&c, net), WEFT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(weft_client_fetch(c, &(struct weft_request){.url = bad[i]}, &r),
                         WEFT_EINVAL);
    }
    weft_client_free(c);
    tear_down(NULL);
}
END_TEST

START_TEST(hosts_are_sent_and_found_as_written)
{
    struct server *s = server_start(play_keep, NULL);
    struct server *six = server_start_on("::1", play_keep, NULL);
    set_up(_i, NULL);
    char url[128], host[64];
    driver_fetch(d, &(struct weft_request){.url = server_url(six, "/a?b=c#not-sent")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_str_eq(r.ip, "::1");
    size_t len;
    char *got = server_received(six, &len);
    snprintf(host, sizeof host, "Host: [::1]:%u\r\n", server_port(six));
    ck_assert_ptr_nonnull(strstr(got, host));
    ck_assert_int_eq(strncmp(got, "GET /a?b=c HTTP/1.1\r\n", 21), 0);
    free(got);
    /* names below .localhost are this machine, whatever DNS says (RFC 6761 6.3) */
    const char *const names[] = {"localhost", "site.localhost", "a.b.localhost"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(url, sizeof url, "http://%s:%u/", names[i], server_port(s));
        driver_fetch(d, &(struct weft_request){.url = url}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s: %s", url, r.error);
        ck_assert_str_eq(r.ip, "127.0.0.1");
    }
    tear_down(s);
    server_stop(six);
}
END_TEST

START_TEST(resolve_answers_for_a_name)
{
    struct server *s = server_start(play_keep, NULL);
    char entry[64], url[64];
    snprintf(entry, sizeof entry, "www.example.com:%u:127.0.0.1", server_port(s));
    const char *const resolve[] = {entry, NULL};
    set_up(_i, &(struct weft_net_options){.resolve = resolve});
    snprintf(url, sizeof url, "http://www.example.com:%u/", server_port(s));
    driver_fetch(d, &(struct weft_request){.url = url}, &r);
    ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
    tear_down(s);
}
END_TEST

START_TEST(a_name_is_looked_up_once)
{
    struct server *s = server_start(play_once, NULL);
    set_up(_i, NULL);
    char url[64];
    snprintf(url, sizeof url, "http://127-0-0-1.test:%u/", server_port(s));
    for (unsigned i = 0; i < 3; i++) {
        driver_fetch(d, &(struct weft_request){.url = url}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        server_open(s, i);
    }
    struct driver *other = driver_new(_i, net); /* the answer is shared */
    driver_fetch(other, &(struct weft_request){.url = url}, &r);
    driver_free(other);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_uint_eq(resolver_count(), 1);
    tear_down(s);
}
END_TEST

/* ---- unwanted bodies, HEAD ---- */

static bool want_html(void *user, const struct weft_response *so_far)
{
    (*(int *)user)++;
    return so_far->content_type && strstr(so_far->content_type, "html") != NULL;
}

static void play_kinds(struct peer *p)
{
    while (peer_read(p)) {
        if (!strcmp(p->path, "/small")) {
            peer_answer(p, "200 OK", "Content-Type: image/png\r\n", "png");
        } else if (!strcmp(p->path, "/html")) {
            peer_answer(p, "200 OK", "Content-Type: text/html\r\n", "html");
        } else if (!strcmp(p->path, "/large")) {
            peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n"
                         "Content-Length: 10000000000\r\n\r\nmovie");
        } else if (!strcmp(p->path, "/flood")) {
            peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n");
            peer_flood(p, 'm');
        } else { /* no length, and the rest does not come */
            peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n"
                         "Transfer-Encoding: chunked\r\n\r\n5\r\nmovie\r\n");
        }
    }
}

START_TEST(an_unwanted_body_is_not_downloaded)
{
    struct server *s = server_start(play_kinds, NULL);
    set_up(_i, NULL);
    static const struct {
        const char *path;
        bool unwanted;
        unsigned connections; /* after it and one more fetch */
    } steps[] = {{"/small", true, 1},
                 {"/large", true, 2},
                 {"/chunks", true, 3},
                 {"/flood", true, 4},
                 {"/html", false, 4}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        int asked = 0;
        const struct weft_request q = {
            .url = server_url(s, steps[i].path), .want_body = want_html, .user = &asked};
        driver_fetch(d, &q, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s: %s", steps[i].path, r.error);
        ck_assert_int_eq(asked, 1);
        ck_assert_int_eq(r.status, 200);
        ck_assert(r.unwanted == steps[i].unwanted);
        ck_assert_str_eq(r.body, steps[i].unwanted ? "" : "html");
        ck_assert_str_eq(r.error, "");
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/html")}, &r);
        ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
        ck_assert(!r.unwanted);
        ck_assert_uint_eq(server_connections(s), steps[i].connections);
    }
    tear_down(s);
}
END_TEST

static void play_head(struct peer *p)
{
    while (peer_read(p)) {
        bool head = strncmp(p->request, "HEAD ", 5) == 0;
        peer_puts(p, head ? "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
                          : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nget");
    }
}

START_TEST(head_asks_for_the_header_alone)
{
    struct server *s = server_start(play_head, NULL);
    set_up(_i, NULL);
    for (int i = 0; i < 6; i++) {
        bool head = i % 3 != 2;
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/"), .head = head}, &r);
        ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
        ck_assert_str_eq(r.body, head ? "" : "get");
    }
    ck_assert_uint_eq(server_connections(s), 1);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *keep = tcase_create("keep");
    tcase_set_timeout(keep, 30);
    tcase_add_loop_test(keep, a_connection_is_kept, 0, DRIVERS);
    tcase_add_loop_test(keep, memory_is_kept, 0, DRIVERS);
    tcase_add_loop_test(keep, a_connection_closed_while_idle_is_replaced, 0, DRIVERS);
    tcase_add_loop_test(keep, a_request_lost_on_a_kept_connection_is_sent_again, 0, 2 * DRIVERS);
    tcase_add_loop_test(keep, a_reset_is_a_lost_connection, 0, DRIVERS);
    tcase_add_loop_test(keep, nobody_listens, 0, DRIVERS);
    tcase_add_loop_test(keep, an_address_that_does_not_answer_is_passed_over, 0, DRIVERS);
    tcase_add_loop_test(keep, no_descriptor_is_left, 0, DRIVERS);
    TCase *urls = tcase_create("urls");
    tcase_set_timeout(urls, 30);
    tcase_add_test(urls, only_http_urls_are_taken);
    tcase_add_loop_test(urls, hosts_are_sent_and_found_as_written, 0, DRIVERS);
    tcase_add_loop_test(urls, resolve_answers_for_a_name, 0, DRIVERS);
    tcase_add_loop_test(urls, a_name_is_looked_up_once, 0, DRIVERS);
    TCase *bodies = tcase_create("bodies");
    tcase_set_timeout(bodies, 30);
    tcase_add_loop_test(bodies, an_unwanted_body_is_not_downloaded, 0, DRIVERS);
    tcase_add_loop_test(bodies, head_asks_for_the_header_alone, 0, DRIVERS);
    return suite_run("net: connections", keep, urls, bodies);
}
