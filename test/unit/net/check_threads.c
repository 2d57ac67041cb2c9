/* check_threads.c -- several clients on one network, each in its thread: what they share (DNS
 * answers, cookies, the list of fields) bears it. For TSan. */
#include "server.h"

#include "support/suite.h"
#include "weft/fetch.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CLIENTS 8
#define FETCHES 40

static struct weft_net *net;
static struct server *s;
static pthread_barrier_t all_there;

static void play_cookies(struct peer *p)
{
    while (peer_read(p)) {
        char header[64];
        snprintf(header, sizeof header, "Set-Cookie: c%u=1\r\n", p->number);
        peer_answer(p, "200 OK", header, p->path);
    }
}

static void *fetch_many(void *arg)
{
    unsigned number = *(unsigned *)arg;
    struct weft_client *c;
    struct weft_response r;
    weft_response_init(&r);
    ck_assert_int_eq(weft_client_new(&c, net), WEFT_OK);
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < FETCHES; i++) {
        char url[64], path[32];
        snprintf(path, sizeof path, "/%u/%d", number, i);
        snprintf(url, sizeof url, "http://127-0-0-1.test:%u%s", server_port(s), path);
        ck_assert_int_eq(weft_client_fetch(c, &(struct weft_request){.url = url}, &r), WEFT_OK);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        ck_assert_str_eq(r.body, path);
    }
    weft_response_release(&r);
    weft_client_free(c);
    return NULL;
}

START_TEST(clients_share_a_network)
{
    s = server_start(play_cookies, NULL);
    const struct weft_net_options o = {.cookies = _i == 1, .timeout = 50 * WEFT_SECOND};
    ck_assert_int_eq(weft_net_new(&net, &o), WEFT_OK);
    pthread_barrier_init(&all_there, NULL, CLIENTS);
    pthread_t threads[CLIENTS];
    unsigned numbers[CLIENTS];
    for (unsigned i = 0; i < CLIENTS; i++) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fetch_many, &numbers[i]), 0);
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&all_there);
    ck_assert_uint_eq(server_requests(s), CLIENTS * FETCHES);
    ck_assert_uint_le(server_connections(s), CLIENTS);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    server_stop(s);
}
END_TEST

/* A client that is interrupted and resumed by another thread while it fetches. */
static struct weft_client *victim;
static bool over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_over(void)
{
    pthread_mutex_lock(&lock);
    bool yes = over;
    pthread_mutex_unlock(&lock);
    return yes;
}

static void *interrupt_often(void *arg)
{
    (void)arg;
    while (!is_over()) {
        weft_client_interrupt(victim);
        weft_client_resume(victim);
    }
    return NULL;
}

START_TEST(interrupts_at_any_moment)
{
    s = server_start(play_cookies, NULL);
    ck_assert_int_eq(weft_net_new(&net, NULL), WEFT_OK);
    ck_assert_int_eq(weft_client_new(&victim, net), WEFT_OK);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, interrupt_often, NULL), 0);
    struct weft_response r;
    weft_response_init(&r);
    for (int i = 0; i < 100; i++) {
        const struct weft_request q = {.url = server_url(s, "/")};
        ck_assert_int_eq(weft_client_fetch(victim, &q, &r), WEFT_OK);
        ck_assert_msg(r.end == WEFT_FETCH_DONE || r.end == WEFT_FETCH_INTERRUPTED, "%s", r.error);
    }
    pthread_mutex_lock(&lock);
    over = true;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    weft_response_release(&r);
    weft_client_free(victim);
    ck_assert_int_eq(weft_net_free(net), WEFT_OK);
    server_stop(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, clients_share_a_network, 0, 2);
    tcase_add_test(tc, interrupts_at_any_moment);
    return suite_run("net: threads", tc);
}
