/* check_lab.c -- each special page: its ordinary use and its failing one; hosts, methods, ports. */
#include "lab_client.h"

#include "base/limits.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct weft_lab *lab;

static void start(void)
{
    lab = lab_with(NULL);
}

static void stop(void)
{
    weft_lab_stop(lab);
}

/* ---- pages that answer the same each time ---- */

static const struct {
    const char *target;
    int status;
    const char *part; /* must stand in the body */
} pages[] = {
    {"/", 200, "/gen/pages="},
    {"/lab", 200, "/slow?ms="},
    {"/nothing", 404, "no such page"},
    {"/shop/", 200, "/shop/young-adult/"},
    {"/shop", 301, "/shop/"},
    {"/shop/poetry/", 200, "class=\"price\">£"},
    {"/shop/poetry", 404, ""},
    {"/shop/poetry/1", 404, ""},
    {"/shop/cars/", 404, ""},
    {"/slow?ms=0", 200, "Here it is"},
    {"/slow?ms=600001", 400, "ms"},
    {"/slow?ms=-1", 400, "ms"},
    {"/slow?ms=", 400, "ms"},
    {"/slow?ms=1x", 400, "ms"},
    {"/slowly?ms=0", 404, ""},
    {"/status/200", 200, ""},
    {"/status/418", 418, ""},
    {"/status/599", 599, ""},
    {"/status/600", 400, "200..599"},
    {"/status/101", 400, ""},
    {"/status/", 400, ""},
    {"/status/2x0", 400, ""},
    {"/status/0200", 200, ""},
    {"/redirect/0", 200, "end of the redirects"},
    {"/redirect/1001", 400, ""},
    {"/redirect/2?status=200", 400, "status"},
    {"/limited/1?rate=0", 429, ""},
    {"/limited?rate=x", 400, "rate"},
    {"/limited?burst=0", 400, "burst"},
    {"/flaky?fail=0", 200, ""},
    {"/flaky?fail=-2", 400, "fail"},
    {"/unreliable/1?rate=0", 200, ""},
    {"/unreliable/1?rate=1", 503, ""},
    {"/unreliable/1?rate=1.0", 503, ""},
    {"/unreliable/1?rate=1.01", 400, "rate"},
    {"/unreliable/1?rate=.5", 400, "rate"},
    {"/unreliable/1?rate=0.5&seed=a", 400, "seed"},
    {"/big?size=1K", 200, "A long page"},
    {"/big?size=1X", 400, "size"},
    {"/big?size=2000000G", 400, "size"},
    {"/big?chunked=2", 400, "chunked"},
    {"/drip?n=0", 400, "n"},
    {"/drip?size=0", 400, "size"},
    {"/drip?every=x", 400, "every"},
    {"/truncated?sent=x", 400, "sent"},
    {"/gen", 302, ""},
    {"/gen/pages=3/0.html", 200, "Page 0 of 3"},
    {"/gen/pages=3/3.html", 404, ""},
    {"/gen/pages=3/00.html", 404, ""},
    {"/gen/pages=3/-1.html", 404, ""},
    {"/gen/pages=3/0.htm", 404, ""},
    {"/gen/pages=3/0.html/", 404, ""},
    {"/gen/pages=0/0.html", 404, ""},
    {"/gen/pages=3,pages=4/0.html", 404, ""},
    {"/gen/colour=3/0.html", 404, ""},
    {"/gen/?pages=1000000000", 400, ""},
    {"/gen/?ms=5&size=9", 302, "/gen/pages=1000,size=9,links=40,fan=8,seed=1,ms=5/0.html"},
    {"/stats?paths=1001", 400, "paths"},
    {"/stats?format=html", 200, "<th scope=\"row\">requests</th>"},
    {"http://localhost/slow?ms=0", 200, "Here it is"},
    {"http://elsewhere.example/slow?ms=0", 421, ""},
    {"/%00", 404, ""},
    {"/slow%00?ms=0", 404, ""},
    {"/s%6cow?ms=0", 200, "Here it is"},
    {"/100%", 404, ""},
    {"//", 404, ""},
    {"*", 404, ""},
};

START_TEST(page)
{
    struct answer a = get(lab, pages[_i].target);
    ck_assert_msg(a.status == pages[_i].status, "%s: %d", pages[_i].target, a.status);
    ck_assert_msg(strstr(a.body, pages[_i].part), "%s: %s", pages[_i].target, a.body);
    release(&a);
}
END_TEST

/* ---- pages with a memory or a twist ---- */

START_TEST(slow_is_held_at_least_as_long_as_asked)
{
    weft_time before = weft_now();
    ck_assert_int_eq(status_of(lab, "/slow?ms=120"), 200);
    ck_assert_int_ge(weft_now() - before, 120 * WEFT_MS);
    before = weft_now();
    ck_assert_int_eq(status_of(lab, "/status/404?ms=60"), 404);
    ck_assert_int_ge(weft_now() - before, 60 * WEFT_MS);
    before = weft_now();
    ck_assert_int_eq(status_of(lab, "/gen/pages=2,ms=60/1.html"), 200);
    ck_assert_int_ge(weft_now() - before, 60 * WEFT_MS);
}
END_TEST

START_TEST(flaky_fails_so_often_for_each_target_and_is_fine_then)
{
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2"), 503);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2&key=b"), 503);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2"), 503);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2"), 200);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2"), 200);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2&key=b"), 503);
    weft_lab_reset_stats(lab);
    ck_assert_int_eq(status_of(lab, "/flaky?fail=2"), 503);
}
END_TEST

START_TEST(limited_has_one_bucket_for_all_below_it)
{
    char after[32];
    /* One token a second: even a slow machine asks three times within one. */
    ck_assert_int_eq(status_of(lab, "/limited/1?rate=1&burst=2"), 200);
    ck_assert_int_eq(status_of(lab, "/limited/2?rate=1&burst=2"), 200);
    struct answer a = get(lab, "/limited/3?rate=1&burst=2");
    ck_assert_int_eq(a.status, 429);
    ck_assert_str_eq(field(&a, "Retry-After", after, sizeof after), "1");
    release(&a);
    ck_assert_int_eq(status_of(lab, "/limited/3?rate=1&burst=2&key=other"), 200);
    struct weft_lab_stats s;
    weft_lab_get_stats(lab, &s);
    ck_assert_uint_eq(s.too_many, 1);
    weft_lab_reset_stats(lab);
    ck_assert_int_eq(status_of(lab, "/limited/3?rate=1&burst=2"), 200);
}
END_TEST

START_TEST(unreliable_depends_on_path_and_seed_alone)
{
    unsigned failed = 0, differ = 0;
    for (int i = 0; i < 400; i++) {
        char one[64], two[64];
        snprintf(one, sizeof one, "/unreliable/%d?rate=0.25&seed=7", i);
        snprintf(two, sizeof two, "/unreliable/%d?rate=0.25&seed=8", i);
        int status = status_of(lab, one);
        ck_assert_int_eq(status_of(lab, one), status);
        failed += status == 503;
        differ += status_of(lab, two) != status;
    }
    ck_assert_uint_ge(failed, 70);
    ck_assert_uint_le(failed, 130);
    ck_assert_uint_gt(differ, 0);
}
END_TEST

START_TEST(redirects_lead_down_to_zero)
{
    char location[64] = "/redirect/3?status=307";
    for (int i = 0; i < 3; i++) {
        struct answer a = get(lab, location);
        ck_assert_int_eq(a.status, 307);
        field(&a, "Location", location, sizeof location);
        release(&a);
    }
    ck_assert_str_eq(location, "/redirect/0?status=307");
    ck_assert_int_eq(status_of(lab, location), 200);
}
END_TEST

START_TEST(status_hands_out_retry_after)
{
    char after[64];
    struct answer a = get(lab, "/status/503?retry-after=Wed,%2021%20Oct%202065%2007:28:00%20GMT");
    ck_assert_int_eq(a.status, 503);
    ck_assert_str_eq(field(&a, "Retry-After", after, sizeof after),
                     "Wed, 21 Oct 2065 07:28:00 GMT");
    release(&a);
    /* A line break must not start a field of the client's choice. */
    a = get(lab, "/status/503?retry-after=1%0d%0aEvil:%20yes");
    ck_assert_str_eq(field(&a, "Evil", after, sizeof after), "");
    release(&a);
}
END_TEST

START_TEST(reset_is_a_reset)
{
    struct answer a = get(lab, "/reset");
    ck_assert_int_eq(a.status, 0);
    ck_assert(a.reset);
    release(&a);
}
END_TEST

START_TEST(truncated_stops_short)
{
    char length[32];
    struct answer a = get(lab, "/truncated?size=1000&sent=300");
    ck_assert_int_eq(a.status, 200);
    ck_assert_str_eq(field(&a, "Content-Length", length, sizeof length), "1000");
    ck_assert_uint_eq(a.len, 300);
    ck_assert(!a.reset);
    release(&a);
    a = get(lab, "/truncated?reset=1");
    ck_assert(a.reset);
    release(&a);
}
END_TEST

START_TEST(big_is_as_big_as_asked)
{
    struct answer a = get(lab, "/big?size=3000001");
    ck_assert_uint_eq(a.len, 3000001);
    ck_assert_ptr_eq(memchr(a.body, '\0', a.len), NULL);
    release(&a);
    a = get(lab, "/big?size=0");
    ck_assert_int_eq(a.status, 200);
    ck_assert_uint_eq(a.len, 0);
    release(&a);
}
END_TEST

START_TEST(drip_comes_in_pieces)
{
    weft_time before = weft_now();
    struct answer a = get(lab, "/drip?n=4&size=50&every=30");
    ck_assert_uint_eq(a.len, 200);
    ck_assert_int_ge(weft_now() - before, 90 * WEFT_MS);
    release(&a);
    a = get(lab, "/drip?n=3&size=50&every=10&chunked=1");
    ck_assert_ptr_nonnull(strstr(a.head, "chunked"));
    ck_assert_int_eq(strncmp(a.body, "32\r\n<!DOCTYPE html>", 19), 0);
    ck_assert_ptr_nonnull(strstr(a.body, "\r\n0\r\n"));
    release(&a);
}
END_TEST

START_TEST(drip_ends_when_its_client_goes)
{
    static const char *const targets[] = {"/drip?n=1000&every=600000",
                                          "/drip?n=1000&every=600000&chunked=1"};
    int fd = dial(lab);
    say(fd, "GET ");
    say(fd, targets[_i]);
    say(fd, " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await_in_flight(lab, 1);
    close(fd);
    await_open(lab, 0);
    struct weft_lab_stats s;
    weft_lab_get_stats(lab, &s);
    ck_assert_uint_eq(s.in_flight, 0);
    ck_assert_uint_eq(s.abandoned, 1);
    ck_assert_uint_eq(s.answered, 0);
}
END_TEST

/* ---- requests as such ---- */

START_TEST(head_has_no_body)
{
    char length[32];
    int fd = dial(lab);
    say(fd, "HEAD /gen/pages=1,size=5000/0.html HTTP/1.1\r\nHost: localhost\r\n"
            "Connection: close\r\n\r\n");
    struct answer a = hear(fd);
    ck_assert_int_eq(a.status, 200);
    ck_assert_str_eq(field(&a, "Content-Length", length, sizeof length), "5000");
    ck_assert_uint_eq(a.len, 0);
    release(&a);
    close(fd);
}
END_TEST

START_TEST(other_methods_are_refused_without_their_body)
{
    char allow[32];
    int fd = dial(lab);
    say(fd, "POST /slow?ms=0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\nabc");
    struct answer a = hear(fd);
    ck_assert_int_eq(a.status, 405);
    ck_assert_str_eq(field(&a, "Allow", allow, sizeof allow), "GET, HEAD");
    release(&a);
    close(fd);
}
END_TEST

START_TEST(a_connection_is_used_again)
{
    int fd = dial(lab);
    for (int i = 0; i < 5; i++) {
        say(fd, "GET /slow?ms=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        struct answer a = hear_one(fd);
        ck_assert_int_eq(a.status, 200);
        release(&a);
    }
    /* Two at once: the second waits in the socket while the first is held. */
    say(fd, "GET /slow?ms=20 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            "GET /status/404 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    struct answer a = hear(fd);
    ck_assert_int_eq(a.status, 200);
    ck_assert_ptr_nonnull(strstr(a.body, "HTTP/1.1 404"));
    release(&a);
    close(fd);
    struct weft_lab_stats s;
    weft_lab_get_stats(lab, &s);
    ck_assert_uint_eq(s.connections, 1);
    ck_assert_uint_eq(s.requests, 7);
}
END_TEST

START_TEST(a_url_of_the_longest_kind_is_read)
{
    char target[8100] = "/slow?ms=0&x=", expect[32];
    memset(target + strlen(target), 'a', 8000 - strlen(target));
    struct answer a = get(lab, target);
    ck_assert_int_eq(a.status, 200);
    ck_assert_str_eq(field(&a, "Content-Type", expect, sizeof expect), "text/html; charset=utf-8");
    ck_assert_uint_eq(weft_lab_path_requests(lab, target), 1);
    release(&a);
}
END_TEST

START_TEST(an_endless_header_is_cut_off)
{
    static char fields[18000] = "Host: localhost\r\nX: ";
    size_t n = strlen(fields);
    memset(fields + n, 'a', 17000);
    memcpy(fields + n + 17000, "\r\n", 3);
    struct answer a = get_with(lab, "/slow?ms=0", fields);
    ck_assert_int_ne(a.status, 200);
    release(&a);
    ck_assert_int_eq(status_of(lab, "/slow?ms=0"), 200);
}
END_TEST

static const struct {
    const char *fields;
    int status;
} hosts[] = {
    {"Host: localhost\r\n", 200},
    {"Host: LOCALHOST:80\r\n", 200},
    {"Host: a.b.localhost:8080\r\n", 200},
    {"Host: 127.0.0.1\r\n", 200},
    {"Host: 127.200.3.4:99\r\n", 200},
    {"Host: [::1]:99\r\n", 200},
    {"Host: evil.example\r\n", 421},
    {"Host: evil.example:80\r\n", 421},
    {"Host: localhost.evil.example\r\n", 421},
    {"Host: evillocalhost\r\n", 421},
    {"Host: 128.0.0.1\r\n", 421},
    {"Host: \r\n", 421},
};

START_TEST(only_this_machine_s_names_are_answered)
{
    struct answer a = get_with(lab, "/slow?ms=0", hosts[_i].fields);
    ck_assert_msg(a.status == hosts[_i].status, "%s%d", hosts[_i].fields, a.status);
    release(&a);
}
END_TEST

START_TEST(strangers_leave_no_name)
{
    char target[32], fields[64];
    for (int i = 0; i < 300; i++) { /* more than the names that are kept */
        snprintf(target, sizeof target, "/shop/?%d", i);
        snprintf(fields, sizeof fields, "Host: evil-%d.example\r\n", i);
        struct answer a = get_with(lab, target, fields);
        ck_assert_int_eq(a.status, 421);
        release(&a);
    }
    ck_assert_int_eq(status_of(lab, "/shop/"), 200);
    struct weft_lab_stats s;
    weft_lab_get_stats(lab, &s);
    ck_assert_uint_eq(s.misdirected, 300);
    ck_assert_uint_eq(s.hosts, 2); /* localhost, and all the others */
    ck_assert(weft_lab_host_requests(lab, "localhost", NULL, NULL));
    ck_assert(!weft_lab_host_requests(lab, "evil-1.example", NULL, NULL));
}
END_TEST

/* Names below .localhost are cheap: beyond the limit they are counted together. */
START_TEST(names_have_a_limit)
{
    char fields[64];
    for (unsigned i = 0; i < WEFT_LAB_MAX_NAMES + 20; i++) {
        snprintf(fields, sizeof fields, "Host: n%u.localhost\r\n", i);
        struct answer a = get_with(lab, "/shop/", fields);
        ck_assert_int_eq(a.status, 200);
        release(&a);
    }
    struct weft_lab_stats s;
    uint64_t requests;
    weft_lab_get_stats(lab, &s);
    ck_assert_uint_eq(s.hosts, WEFT_LAB_MAX_NAMES + 1);
    ck_assert(weft_lab_host_requests(lab, "n7.localhost", &requests, NULL));
    ck_assert_uint_eq(requests, 1);
    ck_assert_uint_eq(s.requests, WEFT_LAB_MAX_NAMES + 20);
}
END_TEST

START_TEST(a_body_that_nobody_asked_for_is_thrown_away)
{
    int fd = dial(lab);
    say(fd, "GET /shop/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
    struct answer a = hear_one(fd);
    ck_assert_int_eq(a.status, 200);
    release(&a);
    say(fd, "GET /status/404 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    a = hear_one(fd);
    ck_assert_int_eq(a.status, 404);
    release(&a);
    close(fd);
    /* But not any amount of it. */
    fd = dial(lab);
    say(fd, "GET /shop/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n");
    static char block[WEFT_LAB_MAX_SWALLOW / 4];
    int sent = 0;
    while (sent < 100 && send(fd, block, sizeof block, MSG_NOSIGNAL) > 0) {
        sent++;
    }
    a = hear(fd);
    ck_assert_int_eq(a.status, 0);
    release(&a);
    close(fd);
}
END_TEST

START_TEST(http_1_0_without_host_is_answered)
{
    int fd = dial(lab);
    say(fd, "GET /slow?ms=0 HTTP/1.0\r\n\r\n");
    struct answer a = hear(fd);
    ck_assert_int_eq(a.status, 200);
    release(&a);
    close(fd);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("lab");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, start, stop);
    tcase_add_loop_test(tc, page, 0, sizeof pages / sizeof *pages);
    tcase_add_test(tc, slow_is_held_at_least_as_long_as_asked);
    tcase_add_test(tc, flaky_fails_so_often_for_each_target_and_is_fine_then);
    tcase_add_test(tc, limited_has_one_bucket_for_all_below_it);
    tcase_add_test(tc, unreliable_depends_on_path_and_seed_alone);
    tcase_add_test(tc, redirects_lead_down_to_zero);
    tcase_add_test(tc, status_hands_out_retry_after);
    tcase_add_test(tc, reset_is_a_reset);
    tcase_add_test(tc, truncated_stops_short);
    tcase_add_test(tc, big_is_as_big_as_asked);
    tcase_add_test(tc, drip_comes_in_pieces);
    tcase_add_loop_test(tc, drip_ends_when_its_client_goes, 0, 2);
    tcase_add_test(tc, head_has_no_body);
    tcase_add_test(tc, other_methods_are_refused_without_their_body);
    tcase_add_test(tc, a_connection_is_used_again);
    tcase_add_test(tc, a_url_of_the_longest_kind_is_read);
    tcase_add_test(tc, an_endless_header_is_cut_off);
    tcase_add_loop_test(tc, only_this_machine_s_names_are_answered, 0,
                        sizeof hosts / sizeof *hosts);
    tcase_add_test(tc, strangers_leave_no_name);
    tcase_add_test(tc, names_have_a_limit);
    tcase_add_test(tc, a_body_that_nobody_asked_for_is_thrown_away);
    tcase_add_test(tc, http_1_0_without_host_is_answered);
    return suite_run("lab: the pages", tc);
}
