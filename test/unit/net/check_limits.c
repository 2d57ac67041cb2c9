/* check_limits.c -- nothing is waited for longer, and nothing grows larger, than was asked. Limits
 * of time are small here and must be met; how much later than due they are met is not asserted,
 * for a loaded machine is not wrong. */
#include "fixture.h"
#include "resolver.h"

#include "base/limits.h"
#include "support/suite.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* ---- time ---- */

static void play_silence(struct peer *p)
{
    peer_read(p);
    peer_read_to_end(p);
}

static void play_half(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    peer_read_to_end(p);
}

static void play_half_header(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nContent-");
    peer_read_to_end(p);
}

START_TEST(silence_ends_at_the_read_limit)
{
    server_play_fn *const plays[] = {play_silence, play_half, play_half_header};
    struct server *s = server_start(plays[_i / DRIVERS], NULL);
    set_up(_i % DRIVERS, &(struct weft_net_options){.read_timeout = 200 * WEFT_MS});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TIMEOUT);
    ck_assert_str_eq(r.error, "read timeout after 0.2 s");
    ck_assert_int_ge(r.ended - r.connected, 200 * WEFT_MS);
    ck_assert_str_eq(r.body, plays[_i / DRIVERS] == play_half ? "half" : "");
    tear_down(s);
}
END_TEST

/* Bytes that make no line whole, a hundred in the time of the read limit. */
static void play_drip(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nX-Long: ");
    do {
        peer_pause(p, 10);
    } while (peer_puts(p, "x"));
}

START_TEST(a_byte_now_and_then_is_no_silence_but_the_whole_limit_holds)
{
    struct server *s = server_start(play_drip, NULL);
    set_up(_i, &(struct weft_net_options){.read_timeout = WEFT_SECOND, .timeout = 1300 * WEFT_MS});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TIMEOUT);
    ck_assert_str_eq(r.error, "request timeout after 1.3 s");
    ck_assert_int_ge(r.ended - r.started, 1300 * WEFT_MS);
    tear_down(s);
}
END_TEST

START_TEST(a_look_up_that_hangs_ends_at_the_connect_limit)
{
    set_up(_i, &(struct weft_net_options){.connect_timeout = 150 * WEFT_MS});
    driver_fetch(d, &(struct weft_request){.url = "http://hang.test/"}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TIMEOUT);
    ck_assert_str_eq(r.error, "connect timeout after 0.150 s");
    ck_assert_int_ge(r.ended - r.started, 150 * WEFT_MS);
    ck_assert_int_eq(r.connected, 0);
    tear_down(NULL);
    resolver_release();
}
END_TEST

START_TEST(a_handshake_that_hangs_ends_at_the_connect_limit)
{
    struct server *s = server_start(peer_read_to_end, NULL);
    set_up(_i, &(struct weft_net_options){.connect_timeout = 200 * WEFT_MS});
    char url[64];
    snprintf(url, sizeof url, "https://127.0.0.1:%u/", server_port(s));
    driver_fetch(d, &(struct weft_request){.url = url}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TIMEOUT);
    ck_assert_str_eq(r.error, "connect timeout after 0.2 s");
    tear_down(s);
}
END_TEST

/* ---- interrupt ---- */

struct phase {
    const char *url;
    struct server *server;
};

static void play_phases(struct peer *p)
{
    peer_reached(p, 0); /* connected */
    if (!peer_read(p)) {
        return; /* a handshake that stays without an answer */
    }
    if (strcmp(p->path, "/body") == 0) {
        peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    }
    peer_reached(p, 1);
    peer_read_to_end(p);
}

static void *interrupt_when(void *arg)
{
    const struct phase *phase = arg;
    if (!phase->server) {
        resolver_await();
    } else {
        server_await(phase->server, strncmp(phase->url, "https", 5) == 0 ? 0 : 1);
    }
    driver_interrupt(d);
    return NULL;
}

START_TEST(an_interrupt_ends_the_fetch_in_each_phase)
{
    struct server *s = server_start(play_phases, NULL);
    char tls[64];
    snprintf(tls, sizeof tls, "https://127.0.0.1:%u/", server_port(s));
    const struct phase phases[] = {{"http://hang.test/", NULL},
                                   {tls, s},
                                   {server_url(s, "/header"), s},
                                   {server_url(s, "/body"), s}};
    const struct phase *phase = &phases[_i / DRIVERS];
    /* limits far away: a fetch that misses the interrupt runs into the test's own limit */
    set_up(_i % DRIVERS, &(struct weft_net_options){.connect_timeout = 1000 * WEFT_SECOND,
                                                    .read_timeout = 1000 * WEFT_SECOND,
                                                    .timeout = 1000 * WEFT_SECOND});
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, interrupt_when, (void *)(uintptr_t)phase), 0);
    driver_fetch(d, &(struct weft_request){.url = phase->url}, &r);
    pthread_join(thread, NULL);
    ck_assert_int_eq(r.end, WEFT_FETCH_INTERRUPTED);
    ck_assert_str_eq(r.error, "interrupted");
    tear_down(s);
    resolver_release();
}
END_TEST

START_TEST(an_interrupted_client_stays_so_until_resumed)
{
    struct server *s = server_start(play_silence, NULL);
    struct weft_client *c;
    net = driver_net(NULL);
    weft_response_init(&r);
    ck_assert_int_eq(weft_client_new(&c, net), WEFT_OK);
    weft_client_interrupt(c);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(
            weft_client_fetch(c, &(struct weft_request){.url = server_url(s, "/")}, &r), WEFT_OK);
        ck_assert_int_eq(r.end, WEFT_FETCH_INTERRUPTED);
    }
    ck_assert_uint_eq(server_connections(s), 0);
    weft_client_resume(c);
    ck_assert_int_eq(weft_client_fetch(c, &(struct weft_request){.url = "http://no.test/"}, &r),
                     WEFT_OK);
    ck_assert_int_eq(r.end, WEFT_FETCH_DNS);
    weft_response_release(&r);
    weft_client_free(c);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    server_stop(s);
}
END_TEST

/* ---- sizes ---- */

static void play_endless(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n");
    peer_flood(p, 'z');
}

START_TEST(a_body_over_the_limit_is_cut)
{
    struct server *s = server_start(play_endless, NULL);
    set_up(_i, &(struct weft_net_options){.max_body = 100000});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TOO_LARGE);
    ck_assert_str_eq(r.error, "the body is over 100000 bytes");
    ck_assert_int_eq(r.status, 200);
    ck_assert_uint_eq(r.body_len, 100000);
    ck_assert_uint_le(r.body_cap, 200000);
    /* a request's own limit comes first */
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/"), .max_body = 10}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TOO_LARGE);
    ck_assert_str_eq(r.body, "zzzzzzzzzz");
    tear_down(s);
}
END_TEST

static void play_exact(struct peer *p)
{
    while (peer_read(p)) {
        peer_answer(p, "200 OK", "", "0123456789");
    }
}

START_TEST(a_body_of_just_the_limit_is_whole)
{
    struct server *s = server_start(play_exact, NULL);
    set_up(_i, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/"), .max_body = 10}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/"), .max_body = 9}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TOO_LARGE);
    ck_assert_str_eq(r.body, "012345678");
    tear_down(s);
}
END_TEST

/* 64 MiB of zeros, packed into some 64 KiB. */
static size_t make_bomb(unsigned char *to, size_t cap)
{
    static unsigned char zeros[1 << 20];
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = to;
    z.avail_out = (uInt)cap;
    for (int i = 0; i < 64; i++) {
        z.next_in = zeros;
        z.avail_in = sizeof zeros;
        ck_assert_int_eq(deflate(&z, i == 63 ? Z_FINISH : Z_NO_FLUSH),
                         i == 63 ? Z_STREAM_END : Z_OK);
    }
    deflateEnd(&z);
    return cap - z.avail_out;
}

static void play_bomb(struct peer *p)
{
    static unsigned char bomb[1 << 18];
    char header[128];
    size_t len = make_bomb(bomb, sizeof bomb);
    peer_read(p);
    snprintf(header, sizeof header,
             "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n", len);
    peer_puts(p, header);
    peer_send(p, bomb, len);
    peer_read_to_end(p);
}

START_TEST(a_bomb_stops_early)
{
    struct server *s = server_start(play_bomb, NULL);
    set_up(_i, &(struct weft_net_options){.max_body = 1 << 20});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_int_eq(r.end, WEFT_FETCH_TOO_LARGE);
    ck_assert_uint_eq(r.body_len, 1 << 20);
    ck_assert_uint_le(r.body_cap, 4 << 20);
    tear_down(s);
}
END_TEST

static void play_header_flood(struct peer *p)
{
    char line[1000];
    memset(line, 'a', sizeof line);
    memcpy(line, "X-Many: ", 8);
    memcpy(line + sizeof line - 2, "\r\n", 2);
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\n");
    while (peer_send(p, line, sizeof line)) {
    }
}

static void play_header_line(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nX-Long: ");
    peer_flood(p, 'a');
}

static void play_interim_flood(struct peer *p)
{
    peer_read(p);
    while (peer_puts(p, "HTTP/1.1 103 Early Hints\r\nLink: </a-hint-that-never-ends>\r\n\r\n")) {
    }
}

START_TEST(a_header_without_end_is_too_large)
{
    server_play_fn *const plays[] = {play_header_flood, play_header_line, play_interim_flood};
    struct server *s = server_start(plays[_i / DRIVERS], NULL);
    set_up(_i % DRIVERS, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_msg(r.end == WEFT_FETCH_TOO_LARGE, "%d %s", r.end, r.error);
    if (plays[_i / DRIVERS] != play_header_line) { /* one line is libcurl's to limit */
        ck_assert_str_eq(r.error, "the header is over 262144 bytes");
    }
    ck_assert_uint_eq(r.body_len, 0);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *time = tcase_create("time");
    tcase_set_timeout(time, 60);
    tcase_add_loop_test(time, silence_ends_at_the_read_limit, 0, 3 * DRIVERS);
    tcase_add_loop_test(time, a_byte_now_and_then_is_no_silence_but_the_whole_limit_holds, 0,
                        DRIVERS);
    tcase_add_loop_test(time, a_look_up_that_hangs_ends_at_the_connect_limit, 0, DRIVERS);
    tcase_add_loop_test(time, a_handshake_that_hangs_ends_at_the_connect_limit, 0, DRIVERS);
    TCase *interrupt = tcase_create("interrupt");
    tcase_set_timeout(interrupt, 60);
    tcase_add_loop_test(interrupt, an_interrupt_ends_the_fetch_in_each_phase, 0, 4 * DRIVERS);
    tcase_add_test(interrupt, an_interrupted_client_stays_so_until_resumed);
    TCase *size = tcase_create("size");
    tcase_set_timeout(size, 60);
    tcase_add_loop_test(size, a_body_over_the_limit_is_cut, 0, DRIVERS);
    tcase_add_loop_test(size, a_body_of_just_the_limit_is_whole, 0, DRIVERS);
    tcase_add_loop_test(size, a_bomb_stops_early, 0, DRIVERS);
    tcase_add_loop_test(size, a_header_without_end_is_too_large, 0, 3 * DRIVERS);
    return suite_run("net: limits", time, interrupt, size);
}
