/* check_loop.c -- what the event loop alone does: many fetches at once, deadlines, waking,
 * cancelling, limits of each among many. */
#include "driver.h"
#include "resolver.h"
#include "server.h"

#include "support/suite.h"
#include "weft/loop.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static struct weft_net *net;
static struct weft_loop *l;

static void set_up(const struct weft_net_options *o)
{
    net = driver_net(o);
    ck_assert_int_eq(weft_loop_new(&l, net, 64), WEFT_OK);
}

static void tear_down(struct server *s)
{
    weft_loop_free(l);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    if (s) {
        server_stop(s);
    }
}

/* One of several fetches: the response is the tag. */
static void start(const char *url, struct weft_response *r)
{
    weft_response_init(r);
    ck_assert_int_eq(weft_loop_start(l, &(struct weft_request){.url = url}, r, r), WEFT_OK);
}

static struct weft_response *next(void)
{
    void *tag;
    ck_assert_int_eq(weft_loop_next(l, WEFT_FOREVER, &tag), WEFT_OK);
    ck_assert_ptr_nonnull(tag);
    return tag;
}

/* ---- many at once ---- */

#define MANY 1000

/* Accepts MANY connections, reads a request of each, and only then answers any: each with the
 * number that stands in its path. One thread, no order. */
static void *serve_many(void *arg)
{
    static int fds[MANY];
    static char paths[MANY][16];
    int listener = *(int *)arg;
    char buf[4096];
    for (int i = 0; i < MANY; i++) {
        fds[i] = accept(listener, NULL, NULL);
        ck_assert_int_ge(fds[i], 0);
    }
    for (int i = 0; i < MANY; i++) {
        size_t len = 0;
        do {
            ssize_t n = recv(fds[i], buf + len, sizeof buf - 1 - len, 0);
            ck_assert_int_gt(n, 0);
            len += (size_t)n;
            buf[len] = '\0';
        } while (!strstr(buf, "\r\n\r\n"));
        ck_assert_int_eq(sscanf(buf, "GET /%15[0-9]", paths[i]), 1);
    }
    for (int i = 0; i < MANY; i++) {
        int n = snprintf(buf, sizeof buf, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s",
                         strlen(paths[i]), paths[i]);
        ck_assert_int_eq(send(fds[i], buf, (size_t)n, MSG_NOSIGNAL), n);
    }
    for (int i = 0; i < MANY; i++) {
        while (recv(fds[i], buf, sizeof buf, 0) > 0) {
        }
        close(fds[i]);
    }
    return NULL;
}

START_TEST(a_thousand_at_once)
{
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);
    static struct weft_response r[MANY];
    static bool seen[MANY];
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&a, len), 0);
    ck_assert_int_eq(listen(listener, MANY), 0);
    getsockname(listener, (struct sockaddr *)&a, &len);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, serve_many, &listener), 0);
    set_up(&(struct weft_net_options){.timeout = 50 * WEFT_SECOND,
                                      .read_timeout = 50 * WEFT_SECOND,
                                      .connect_timeout = 50 * WEFT_SECOND});
    for (int i = 0; i < MANY; i++) {
        char url[64];
        snprintf(url, sizeof url, "http://127.0.0.1:%u/%d", ntohs(a.sin_port), i);
        start(url, &r[i]);
    }
    for (int i = 0; i < MANY; i++) {
        struct weft_response *done = next();
        ck_assert_msg(done->end == WEFT_FETCH_DONE, "%s", done->error);
        int number = (int)(done - r);
        ck_assert(!seen[number]); /* each comes out once */
        seen[number] = true;
        ck_assert_int_eq(atoi(done->body), number);
        weft_response_release(done);
    }
    void *tag;
    ck_assert_int_eq(weft_loop_next(l, WEFT_POLL, &tag), WEFT_ETIMEDOUT);
    ck_assert_ptr_null(tag);
    ck_assert_uint_eq(weft_loop_connections(l), MANY);
    tear_down(NULL);
    pthread_join(thread, NULL);
    close(listener);
}
END_TEST

static void play_keep(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK", "", p->path);
    }
}

/* 16 in flight over and over: the connections stay, whatever goes over which. */
START_TEST(connections_are_kept_among_many)
{
    struct server *s = server_start(play_keep, NULL);
    set_up(NULL);
    static struct weft_response r[16];
    char path[32];
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 16; i++) {
            snprintf(path, sizeof path, "/%d/%d", round, i);
            start(server_url(s, path), &r[i]);
        }
        for (int i = 0; i < 16; i++) {
            struct weft_response *done = next();
            ck_assert_msg(done->end == WEFT_FETCH_DONE, "%s", done->error);
            snprintf(path, sizeof path, "/%d/%d", round, (int)(done - r));
            ck_assert_str_eq(done->body, path);
            weft_response_release(done);
        }
    }
    ck_assert_uint_le(server_connections(s), 16);
    ck_assert_uint_eq(weft_loop_connections(l), server_connections(s));
    tear_down(s);
}
END_TEST

/* With many, the loop spreads them over several multi handles; still each finds its connection. */
START_TEST(connections_are_kept_among_very_many)
{
    struct server *s = server_start(play_keep, NULL);
    net = driver_net(NULL);
    ck_assert_int_eq(weft_loop_new(&l, net, 150), WEFT_OK);
    static struct weft_response r[150];
    for (int i = 0; i < 150; i++) {
        start(server_url(s, "/"), &r[i]);
    }
    for (int i = 0; i < 1500; i++) {
        struct weft_response *done = next();
        ck_assert_msg(done->end == WEFT_FETCH_DONE, "%s", done->error);
        if (i < 1350) {
            ck_assert_int_eq(
                weft_loop_start(l, &(struct weft_request){.url = server_url(s, "/")}, done, done),
                WEFT_OK);
        }
    }
    ck_assert_uint_le(server_connections(s), 150);
    for (int i = 0; i < 150; i++) {
        weft_response_release(&r[i]);
    }
    tear_down(s);
}
END_TEST

/* ---- limits of each ---- */

static void play_by_path(struct peer *p)
{
    while (peer_read(p)) {
        if (!strcmp(p->path, "/hang")) {
            peer_reached(p, 0);
            peer_read_to_end(p);
            return;
        }
        if (!strcmp(p->path, "/wait")) {
            peer_reached(p, 1);
            peer_gate(p, 1);
        }
        peer_answer(p, "200 OK", "", "answer");
    }
}

START_TEST(each_has_its_own_limits)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(&(struct weft_net_options){.read_timeout = 200 * WEFT_MS});
    static struct weft_response r[21];
    for (int i = 0; i < 20; i++) {
        start(server_url(s, "/hang"), &r[i]);
    }
    start(server_url(s, "/ok"), &r[20]);
    ck_assert_ptr_eq(next(), &r[20]); /* the answer comes before anybody's limit */
    for (int i = 0; i < 20; i++) {
        struct weft_response *done = next();
        ck_assert_int_eq(done->end, WEFT_FETCH_TIMEOUT);
        ck_assert_str_eq(done->error, "read timeout after 0.2 s");
        ck_assert_int_ge(done->ended - done->connected, 200 * WEFT_MS);
        weft_response_release(done);
    }
    weft_response_release(&r[20]);
    tear_down(s);
}
END_TEST

START_TEST(a_name_that_hangs_holds_nobody_up)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(&(struct weft_net_options){.connect_timeout = 300 * WEFT_MS});
    static struct weft_response slow, fast;
    start("http://hang.test/", &slow);
    for (int i = 0; i < 10; i++) {
        start(server_url(s, "/ok"), &fast);
        ck_assert_ptr_eq(next(), &fast);
        ck_assert_int_eq(fast.end, WEFT_FETCH_DONE);
        weft_response_release(&fast);
    }
    ck_assert_ptr_eq(next(), &slow);
    ck_assert_int_eq(slow.end, WEFT_FETCH_TIMEOUT);
    weft_response_release(&slow);
    tear_down(s);
    resolver_release();
}
END_TEST

/* ---- waiting, waking, cancelling ---- */

START_TEST(a_deadline_is_kept)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(NULL);
    void *tag;
    for (int in_flight = 0; in_flight < 2; in_flight++) {
        static struct weft_response r;
        if (in_flight) {
            start(server_url(s, "/hang"), &r);
        }
        weft_time until = weft_in_ms(60);
        ck_assert_int_eq(weft_loop_next(l, until, &tag), WEFT_ETIMEDOUT);
        ck_assert_int_ge(weft_now(), until);
        ck_assert_int_eq(weft_loop_next(l, WEFT_POLL, &tag), WEFT_ETIMEDOUT);
        weft_response_release(&r);
    }
    tear_down(s);
}
END_TEST

static void *wake(void *arg)
{
    if (arg) {
        server_await(arg, 0);
    }
    weft_loop_wake(l);
    return NULL;
}

/* The caller may be busy for a while between starting and waiting. */
START_TEST(a_request_is_sent_when_it_is_started)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(NULL);
    static struct weft_response r;
    start(server_url(s, "/ok"), &r);
    ck_assert_ptr_eq(next(), &r);
    weft_response_release(&r);
    start(server_url(s, "/hang"), &r);
    server_await(s, 0);
    tear_down(s);
    weft_response_release(&r);
}
END_TEST

START_TEST(a_wake_ends_the_wait_once)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(NULL);
    static struct weft_response r;
    void *tag;
    pthread_t thread;
    for (int in_flight = 0; in_flight < 2; in_flight++) {
        if (in_flight) {
            start(server_url(s, "/hang"), &r);
        }
        ck_assert_int_eq(pthread_create(&thread, NULL, wake, in_flight ? s : NULL), 0);
        ck_assert_int_eq(weft_loop_next(l, WEFT_FOREVER, &tag), WEFT_ECANCELED);
        pthread_join(thread, NULL);
        ck_assert_int_eq(weft_loop_next(l, WEFT_POLL, &tag), WEFT_ETIMEDOUT);
    }
    weft_loop_wake(l); /* before the wait, and twice: once */
    weft_loop_wake(l);
    ck_assert_int_eq(weft_loop_next(l, WEFT_FOREVER, &tag), WEFT_ECANCELED);
    ck_assert_int_eq(weft_loop_next(l, WEFT_POLL, &tag), WEFT_ETIMEDOUT);
    tear_down(s);
    weft_response_release(&r);
}
END_TEST

START_TEST(cancelling_gives_all_back)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(NULL);
    static struct weft_response r[12];
    start("http://hang.test/", &r[0]);
    for (int i = 1; i < 11; i++) {
        start(server_url(s, "/hang"), &r[i]);
    }
    start(server_url(s, "/ok"), &r[11]);
    ck_assert_ptr_eq(next(), &r[11]);
    weft_loop_cancel_all(l);
    weft_loop_cancel_all(l); /* nothing is left to cancel */
    for (int i = 0; i < 11; i++) {
        struct weft_response *done = next();
        ck_assert_int_eq(done->end, WEFT_FETCH_INTERRUPTED);
        weft_response_release(done);
    }
    /* and it goes on */
    weft_response_release(&r[11]);
    start(server_url(s, "/ok"), &r[11]);
    ck_assert_ptr_eq(next(), &r[11]);
    ck_assert_int_eq(r[11].end, WEFT_FETCH_DONE);
    weft_response_release(&r[11]);
    tear_down(s);
    resolver_release();
}
END_TEST

START_TEST(freeing_drops_what_is_in_flight)
{
    struct server *s = server_start(play_by_path, NULL);
    set_up(NULL);
    static struct weft_response r[3];
    start(server_url(s, "/hang"), &r[0]);
    start("http://hang.test/", &r[1]);
    start(server_url(s, "/ok"), &r[2]);
    void *tag;
    ck_assert_int_eq(weft_loop_next(l, WEFT_FOREVER, &tag), WEFT_OK);
    weft_loop_cancel_all(l); /* ended, not handed out */
    tear_down(s);
    for (int i = 0; i < 3; i++) {
        weft_response_release(&r[i]);
    }
    resolver_release();
}
END_TEST

START_TEST(a_bad_url_starts_nothing)
{
    set_up(NULL);
    struct weft_response r;
    void *tag;
    weft_response_init(&r);
    ck_assert_int_eq(weft_loop_start(l, &(struct weft_request){.url = "ftp://x/"}, &r, &r),
                     WEFT_EINVAL);
    ck_assert_int_eq(weft_loop_next(l, WEFT_POLL, &tag), WEFT_ETIMEDOUT);
    weft_response_release(&r);
    tear_down(NULL);
}
END_TEST

/* ---- a connection lost again and again ---- */

/* Answers once, then takes one more request and closes. */
static void play_once_then_close(struct peer *p)
{
    if (peer_read(p)) {
        peer_reached(p, 0);
        peer_gate(p, 0); /* until all the connections are there */
        peer_answer(p, "200 OK", "", "first");
        peer_read(p);
    }
}

/* libcurl sends a request that was lost on a kept connection again, on another kept one, five
 * times at most; what is left then is told as stale. */
START_TEST(kept_connections_that_all_are_lost_are_stale)
{
    struct server *s = server_start(play_once_then_close, NULL);
    set_up(NULL);
    static struct weft_response r[8];
    for (int i = 0; i < 8; i++) {
        start(server_url(s, "/"), &r[i]);
    }
    while (server_requests(s) < 8) {
        void *tag;
        ck_assert_int_eq(weft_loop_next(l, weft_in_ms(5), &tag), WEFT_ETIMEDOUT);
    }
    server_open(s, 0);
    for (int i = 0; i < 8; i++) {
        struct weft_response *done = next();
        ck_assert_int_eq(done->end, WEFT_FETCH_DONE);
        weft_response_release(done);
    }
    start(server_url(s, "/"), &r[0]);
    ck_assert_ptr_eq(next(), &r[0]);
    ck_assert_int_eq(r[0].end, WEFT_FETCH_CONNECTION);
    ck_assert(r[0].stale);
    ck_assert_int_eq(r[0].status, 0);
    weft_response_release(&r[0]);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *many = tcase_create("many");
    tcase_set_timeout(many, 60);
    tcase_add_test(many, a_thousand_at_once);
    tcase_add_test(many, connections_are_kept_among_many);
    tcase_add_test(many, connections_are_kept_among_very_many);
    tcase_add_test(many, each_has_its_own_limits);
    tcase_add_test(many, a_name_that_hangs_holds_nobody_up);
    tcase_add_test(many, kept_connections_that_all_are_lost_are_stale);
    TCase *wait = tcase_create("wait");
    tcase_set_timeout(wait, 60);
    tcase_add_test(wait, a_deadline_is_kept);
    tcase_add_test(wait, a_request_is_sent_when_it_is_started);
    tcase_add_test(wait, a_wake_ends_the_wait_once);
    tcase_add_test(wait, cancelling_gives_all_back);
    tcase_add_test(wait, freeing_drops_what_is_in_flight);
    tcase_add_test(wait, a_bad_url_starts_nothing);
    return suite_run("net: loop", many, wait);
}
