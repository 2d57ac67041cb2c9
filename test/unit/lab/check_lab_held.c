/* check_lab_held.c -- held requests and what is counted of them: thousands at once, clients that
 * go away, a server that is stopped, one that is overloaded, mirrors, resets of the counters. */
#include "lab_client.h"

#include "support/suite.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define MANY 2000

static struct weft_lab_stats stats_of(struct weft_lab *l)
{
    struct weft_lab_stats s;
    weft_lab_get_stats(l, &s);
    return s;
}

static unsigned threads(void)
{
    unsigned n = 0;
    DIR *d = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(d);
    while (readdir(d)) {
        n++;
    }
    closedir(d);
    return n - 2; /* "." and ".." */
}

/* Opens n connections that each ask for target. */
static void ask(const struct weft_lab *l, int *fds, unsigned n, const char *target)
{
    char request[200];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", target);
    for (unsigned i = 0; i < n; i++) {
        fds[i] = dial(l);
        say(fds[i], request);
    }
}

static void hang_up(const int *fds, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        close(fds[i]);
    }
}

START_TEST(thousands_are_held_without_a_thread)
{
    static int fds[MANY];
    struct weft_lab *l = lab_with(NULL); /* raises the limit of open files */
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    unsigned n = limit.rlim_cur > 2 * MANY + 100 ? MANY : (unsigned)(limit.rlim_cur / 2 - 50);
    unsigned before = threads();
    ask(l, fds, n, "/hang");
    await_in_flight(l, n);
    ck_assert_uint_eq(threads(), before);
    struct weft_lab_stats s = stats_of(l);
    ck_assert_uint_eq(s.in_flight_peak, n);
    ck_assert_uint_eq(s.open_peak, n);
    ck_assert_uint_eq(s.requests, n);
    ck_assert_uint_eq(s.repeated, n - 1);
    ck_assert_uint_eq(s.answered, 0);
    /* Others are answered meanwhile. */
    ck_assert_int_eq(status_of(l, "/slow?ms=5"), 200);
    /* Clients that give up are noticed, one by one. */
    hang_up(fds, n / 2);
    await_in_flight(l, n - n / 2);
    ck_assert_uint_eq(stats_of(l).abandoned, n / 2);
    /* The others are left when the server stops. */
    weft_lab_stop(l);
    for (unsigned i = n / 2; i < n; i++) {
        char c;
        ck_assert_int_le(recv(fds[i], &c, 1, 0), 0);
    }
    hang_up(fds + n / 2, n - n / 2);
}
END_TEST

START_TEST(all_that_were_held_are_answered)
{
    int fds[300];
    struct weft_lab_options o = {.delay_ms = 30, .jitter_ms = 20};
    struct weft_lab *l = lab_with(&o);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 300; i++) {
            char request[200];
            snprintf(request, sizeof request,
                     "GET /gen/pages=300,size=6000/%u.html HTTP/1.1\r\nHost: localhost\r\n\r\n", i);
            fds[i] = round == 0 ? dial(l) : fds[i];
            say(fds[i], request);
        }
        for (unsigned i = 0; i < 300; i++) {
            struct answer a = hear_one(fds[i]);
            ck_assert_int_eq(a.status, 200);
            ck_assert_uint_eq(a.len, 6000);
            release(&a);
        }
    }
    hang_up(fds, 300);
    await_in_flight(l, 0);
    struct weft_lab_stats s = stats_of(l);
    ck_assert_uint_eq(s.answered, 900);
    ck_assert_uint_eq(s.by_class[2], 900);
    ck_assert_uint_eq(s.connections, 300);
    ck_assert_uint_le(s.in_flight_peak, 300);
    ck_assert_uint_eq(s.in_flight, 0);
    ck_assert_uint_eq(s.paths, 300);
    ck_assert_uint_eq(s.repeated, 600);
    ck_assert_int_ge(s.last_answer - s.first_request, 3 * 30 * WEFT_MS);
    weft_lab_stop(l);
}
END_TEST

START_TEST(jitter_is_the_same_for_the_same_path_and_seed)
{
    struct weft_lab_options o = {.jitter_ms = 60, .seed = 5};
    weft_time longest = 0;
    for (unsigned i = 0; i < 12; i++) {
        char target[32];
        struct weft_lab *l = lab_with(&o);
        snprintf(target, sizeof target, "/shop/?%u", i);
        weft_time before = weft_now();
        ck_assert_int_eq(status_of(l, target), 200);
        weft_time took = weft_now() - before;
        longest = took > longest ? took : longest;
        weft_lab_stop(l);
    }
    ck_assert_int_ge(longest, 30 * WEFT_MS); /* one of twelve targets has more than half */
}
END_TEST

START_TEST(the_clients_in_flight_are_counted_exactly)
{
    int fds[10];
    struct weft_lab *l = lab_with(NULL);
    ask(l, fds, 10, "/slow?ms=3");
    /* Ten connections, each with a request out at any time: never an eleventh is seen. */
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < 10; i++) {
            struct answer a = hear_one(fds[i]);
            ck_assert_int_eq(a.status, 200);
            release(&a);
            say(fds[i], "GET /slow?ms=3 HTTP/1.1\r\nHost: a.localhost\r\n\r\n");
        }
    }
    for (unsigned i = 0; i < 10; i++) {
        struct answer a = hear_one(fds[i]);
        release(&a);
    }
    hang_up(fds, 10);
    await_in_flight(l, 0); /* an answer is counted when it is out, which its reader may see first */
    struct weft_lab_stats s = stats_of(l);
    ck_assert_uint_le(s.in_flight_peak, 10);
    ck_assert_uint_eq(s.requests, 210);
    ck_assert_uint_eq(s.answered, 210);
    uint64_t requests;
    unsigned peak;
    ck_assert(weft_lab_host_requests(l, "a.LOCALHOST", &requests, &peak));
    ck_assert_uint_eq(requests, 200);
    ck_assert_uint_le(peak, 10);
    ck_assert(weft_lab_host_requests(l, "localhost", &requests, NULL));
    ck_assert_uint_eq(requests, 10);
    ck_assert(!weft_lab_host_requests(l, "b.localhost", &requests, &peak));
    ck_assert_uint_eq(requests, 0);
    ck_assert_uint_eq(peak, 0);
    ck_assert_uint_eq(s.hosts, 2);
    ck_assert_uint_eq(weft_lab_path_requests(l, "/slow?ms=3"), 210);
    ck_assert_uint_eq(weft_lab_path_requests(l, "/slow"), 0);
    weft_lab_stop(l);
}
END_TEST

START_TEST(reset_keeps_what_is_in_flight)
{
    int fds[3];
    struct weft_lab *l = lab_with(NULL);
    ck_assert_int_eq(status_of(l, "/status/404"), 404);
    ask(l, fds, 3, "/hang");
    await_in_flight(l, 3);
    ck_assert_int_eq(status_of(l, "/reset-stats"), 200);
    struct weft_lab_stats s = stats_of(l);
    ck_assert_uint_eq(s.requests, 0);
    ck_assert_uint_eq(s.by_class[4], 0);
    ck_assert_uint_eq(s.paths, 0);
    ck_assert_uint_eq(s.hosts, 0);
    ck_assert_int_eq(s.first_request, 0);
    ck_assert_uint_eq(s.in_flight, 3);
    ck_assert_uint_eq(s.in_flight_peak, 3);
    hang_up(fds, 3);
    await_in_flight(l, 0);
    ck_assert_int_eq(status_of(l, "/slow?ms=0"), 200);
    s = stats_of(l);
    ck_assert_uint_eq(s.requests, 1);
    ck_assert_uint_eq(s.hosts, 1);
    ck_assert_int_gt(s.first_request, 0);
    weft_lab_stop(l);
}
END_TEST

START_TEST(looking_at_the_counters_does_not_count)
{
    char type[32];
    struct weft_lab_options o = {.delay_ms = 600000};
    struct weft_lab *l = lab_with(&o);
    struct answer a = get(l, "/stats");
    ck_assert_int_eq(a.status, 200);
    ck_assert_str_eq(field(&a, "Content-Type", type, sizeof type), "application/json");
    ck_assert_ptr_nonnull(strstr(a.body, "\"in_flight_peak\": 0"));
    release(&a);
    a = get_with(l, "/stats", "Host: localhost\r\nAccept: text/html, */*\r\n");
    ck_assert_ptr_nonnull(strstr(a.body, "<table>"));
    release(&a);
    ck_assert_uint_eq(stats_of(l).requests, 0);
    weft_lab_stop(l);
}
END_TEST

START_TEST(more_than_a_server_takes_is_refused)
{
    char after[8];
    int fds[4];
    struct weft_lab_options o = {.max_in_flight = 4};
    struct weft_lab *l = lab_with(&o);
    ask(l, fds, 4, "/hang");
    await_in_flight(l, 4);
    struct answer a = get(l, "/slow?ms=0");
    ck_assert_int_eq(a.status, 503);
    ck_assert_str_eq(field(&a, "Retry-After", after, sizeof after), "1");
    release(&a);
    ck_assert_int_eq(status_of(l, "/stats"), 200);
    struct weft_lab_stats s = stats_of(l);
    ck_assert_uint_eq(s.refused, 1);
    ck_assert_uint_eq(s.in_flight_peak, 4);
    close(fds[0]);
    await_in_flight(l, 3);
    weft_time before = weft_now();
    ck_assert_int_eq(status_of(l, "/slow?ms=0"), 200);
    ck_assert_int_ge(weft_now() - before, 20 * WEFT_MS); /* the fourth of four: twice 10 ms */
    hang_up(fds + 1, 3);
    weft_lab_stop(l);
}
END_TEST

START_TEST(mirrors_differ_in_latency_and_one_is_broken)
{
    struct weft_lab_options o = {.nports = 3, .mirror_ms = 40, .broken_mirror = true};
    struct weft_lab *l = lab_with(&o);
    ck_assert_uint_ne(weft_lab_port(l, 0), weft_lab_port(l, 1));
    ck_assert_uint_eq(weft_lab_port(l, 3), 0);
    ck_assert_ptr_null(weft_lab_url(l, 3));
    for (unsigned k = 0; k < 3; k++) {
        int fd = dial_port(weft_lab_port(l, k));
        weft_time before = weft_now();
        say(fd, "GET /shop/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        struct answer a = hear(fd);
        ck_assert_int_eq(a.status, k < 2 ? 200 : 0);
        ck_assert_int_eq(a.reset, k == 2);
        if (k == 1) {
            ck_assert_int_ge(weft_now() - before, 40 * WEFT_MS);
        }
        release(&a);
        close(fd);
    }
    weft_lab_stop(l);
}
END_TEST

START_TEST(wrong_options_are_refused_in_words)
{
    static const struct {
        struct weft_lab_options o;
        enum weft_status status;
        const char *said;
    } cases[] = {
        {{.nports = 17}, WEFT_EINVAL, "16 ports"},
        {{.port = 65535, .nports = 2}, WEFT_EINVAL, "65535"},
        {{.delay_ms = -1}, WEFT_EINVAL, "delay"},
        {{.delay_ms = 600001}, WEFT_EINVAL, "delay"},
        {{.jitter_ms = 600001}, WEFT_EINVAL, "delay"},
        {{.mirror_ms = 600001}, WEFT_EINVAL, "delay"},
        {{.bind = "localhost"}, WEFT_EINVAL, "localhost"},
        {{.bind = "192.0.2.1"}, WEFT_EIO, ""},
        {{.dir = "/nowhere/at/all"}, WEFT_EIO, "/nowhere/at/all"},
        {{.max_connections = 1000001}, WEFT_EINVAL, "connections"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct weft_lab *l;
        char error[256] = "";
        ck_assert_int_eq(weft_lab_start(&l, &cases[i].o, error, sizeof error), cases[i].status);
        ck_assert_ptr_null(l);
        ck_assert_msg(*error && strstr(error, cases[i].said), "%s", error);
    }
}
END_TEST

START_TEST(a_port_in_use_is_named)
{
    struct weft_lab *l = lab_with(NULL), *second;
    char error[256] = "", port[8];
    struct weft_lab_options o = {.port = weft_lab_port(l, 0)};
    ck_assert_int_eq(weft_lab_start(&second, &o, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_null(second);
    snprintf(port, sizeof port, "%u", o.port);
    ck_assert_msg(strstr(error, port), "%s", error);
    weft_lab_stop(l);
    /* Now it is free, whatever connections were there before. */
    l = lab_with(&o);
    ck_assert_int_eq(status_of(l, "/shop/"), 200);
    weft_lab_stop(l);
}
END_TEST

START_TEST(other_addresses_are_served_when_asked_for)
{
    struct weft_lab_options o = {.bind = "0.0.0.0"};
    struct weft_lab *l = lab_with(&o);
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u", weft_lab_port(l, 0));
    ck_assert_str_eq(weft_lab_url(l, 0), url);
    struct answer a = get_with(l, "/shop/", "Host: any.example\r\n");
    ck_assert_int_eq(a.status, 200);
    release(&a);
    weft_lab_stop(l);
    int six = socket(AF_INET6, SOCK_STREAM, 0);
    if (six < 0) {
        return; /* a machine without IPv6 */
    }
    close(six);
    o.bind = "::1";
    char error[256];
    if (weft_lab_start(&l, &o, error, sizeof error) == WEFT_OK) {
        snprintf(url, sizeof url, "http://[::1]:%u", weft_lab_port(l, 0));
        ck_assert_str_eq(weft_lab_url(l, 0), url);
        weft_lab_stop(l);
    }
}
END_TEST

START_TEST(stop_needs_no_request_and_no_lab)
{
    for (int i = 0; i < 20; i++) {
        weft_lab_stop(lab_with(NULL));
    }
    weft_lab_stop(NULL);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("held");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, thousands_are_held_without_a_thread);
    tcase_add_test(tc, all_that_were_held_are_answered);
    tcase_add_test(tc, jitter_is_the_same_for_the_same_path_and_seed);
    tcase_add_test(tc, the_clients_in_flight_are_counted_exactly);
    tcase_add_test(tc, reset_keeps_what_is_in_flight);
    tcase_add_test(tc, looking_at_the_counters_does_not_count);
    tcase_add_test(tc, more_than_a_server_takes_is_refused);
    tcase_add_test(tc, mirrors_differ_in_latency_and_one_is_broken);
    tcase_add_test(tc, wrong_options_are_refused_in_words);
    tcase_add_test(tc, a_port_in_use_is_named);
    tcase_add_test(tc, other_addresses_are_served_when_asked_for);
    tcase_add_test(tc, stop_needs_no_request_and_no_lab);
    return suite_run("lab: held requests", tc);
}
