/* check_client.c -- the blocking client in steps: driven until a deadline, woken, given up. */
#include "server.h"

#include "support/suite.h"
#include "weft/fetch.h"
#include <pthread.h>
#include <string.h>

static struct weft_net *net;
static struct weft_client *c;
static struct weft_response r;

static void set_up(void)
{
    ck_assert_int_eq(weft_net_new(&net, NULL), WEFT_OK);
    ck_assert_int_eq(weft_client_new(&c, net), WEFT_OK);
    weft_response_init(&r);
}

static void tear_down(struct server *s)
{
    weft_client_free(c);
    weft_response_release(&r);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    server_stop(s);
}

static void play_gated(struct peer *p)
{
    while (peer_read(p)) {
        peer_reached(p, 0);
        peer_gate(p, 0);
        peer_answer(p, "200 OK", "", "at last");
    }
}

static void *wake_when_asked(void *arg)
{
    server_await(arg, 0);
    weft_client_wake(c);
    return NULL;
}

START_TEST(a_fetch_goes_on_after_a_deadline_and_a_wake)
{
    struct server *s = server_start(play_gated, NULL);
    set_up();
    const struct weft_request q = {.url = server_url(s, "/")};
    ck_assert_int_eq(weft_client_begin(c, &q, &r), WEFT_OK);
    weft_time until = weft_in_ms(30);
    ck_assert_int_eq(weft_client_drive(c, until), WEFT_ETIMEDOUT);
    ck_assert_int_ge(weft_now(), until);
    ck_assert_int_eq(weft_client_drive(c, WEFT_POLL), WEFT_ETIMEDOUT);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, wake_when_asked, s), 0);
    ck_assert_int_eq(weft_client_drive(c, WEFT_FOREVER), WEFT_ECANCELED);
    pthread_join(thread, NULL);
    ck_assert(!weft_client_woken(c)); /* it was taken */
    server_open(s, 0);
    ck_assert_int_eq(weft_client_drive(c, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    ck_assert_str_eq(r.body, "at last");
    ck_assert_int_eq(weft_client_drive(c, WEFT_FOREVER), WEFT_OK); /* nothing is left to drive */
    tear_down(s);
}
END_TEST

START_TEST(a_wake_without_a_fetch_is_kept)
{
    struct server *s = server_start(play_gated, NULL);
    set_up();
    ck_assert(!weft_client_woken(c));
    weft_client_wake(c);
    weft_client_wake(c);
    ck_assert(weft_client_woken(c));
    ck_assert(!weft_client_woken(c));
    /* the whole fetch in one is not disturbed by one */
    server_open(s, 0);
    weft_client_wake(c);
    ck_assert_int_eq(weft_client_fetch(c, &(struct weft_request){.url = server_url(s, "/")}, &r),
                     WEFT_OK);
    ck_assert_int_eq(r.end, WEFT_FETCH_DONE);
    tear_down(s);
}
END_TEST

START_TEST(a_fetch_may_be_given_up)
{
    struct server *s = server_start(play_gated, NULL);
    set_up();
    const struct weft_request q = {.url = server_url(s, "/")};
    ck_assert_int_eq(weft_client_begin(c, &q, &r), WEFT_OK);
    ck_assert_int_eq(weft_client_drive(c, weft_in_ms(20)), WEFT_ETIMEDOUT);
    tear_down(s);
}
END_TEST

START_TEST(an_interrupt_ends_the_step)
{
    struct server *s = server_start(play_gated, NULL);
    set_up();
    const struct weft_request q = {.url = server_url(s, "/")};
    ck_assert_int_eq(weft_client_begin(c, &q, &r), WEFT_OK);
    weft_client_interrupt(c);
    ck_assert_int_eq(weft_client_drive(c, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(r.end, WEFT_FETCH_INTERRUPTED);
    ck_assert_uint_eq(server_connections(s), 0);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("client");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_fetch_goes_on_after_a_deadline_and_a_wake);
    tcase_add_test(tc, a_wake_without_a_fetch_is_kept);
    tcase_add_test(tc, a_fetch_may_be_given_up);
    tcase_add_test(tc, an_interrupt_ends_the_step);
    return suite_run("net: client", tc);
}
