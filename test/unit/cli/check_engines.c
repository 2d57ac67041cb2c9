/* check_engines.c -- what every engine promises the coordinator (src/crawl/engine.h), asked of each
 * of them in the same words: all that is submitted comes out once, deadlines, wakes, cancelling. */
#include "crawl/engine.h"
#include "crawled.h"
#include "grim.h"
#include "lab/lab.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { JOBS = 8 };

/* An engine on its own, with a server to ask. */
struct bench {
    struct weft_crawl_options options;
    struct weft_work work;
    struct weft_stop stop;
    struct weft_net *net;
    struct weft_engine *engine;
    struct weft_lab *lab;
};

static void set_up(struct bench *b, int i)
{
    char error[256];
    *b = (struct bench){
        .options = {.engine = variants[i].engine,
                    .parse_jobs = variants[i].parse_jobs,
                    .net = {.read_timeout = 600 * WEFT_SECOND, .timeout = 600 * WEFT_SECOND}}};
    atomic_init(&b->stop.now, false);
    atomic_init(&b->stop.by, WEFT_FOREVER);
    ck_assert_int_eq(weft_net_new(&b->net, &b->options.net), WEFT_OK);
    b->work = (struct weft_work){.options = &b->options,
                                 .net = b->net,
                                 .page = {.max_links = 100, .max_url = 1000},
                                 .hash_seed = 7,
                                 .stop = &b->stop};
    enum weft_status st = b->options.engine == WEFT_ENGINE_SYNC
                              ? weft_engine_sync_new(&b->engine, &b->work)
                          : b->options.engine == WEFT_ENGINE_THREADS
                              ? weft_engine_threads_new(&b->engine, &b->work, JOBS)
                              : weft_engine_events_new(&b->engine, &b->work, JOBS);
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_int_eq(weft_lab_start(&b->lab, &(struct weft_lab_options){0}, error, sizeof error),
                     WEFT_OK);
}

static void tear_down(struct bench *b)
{
    b->engine->ops->free(b->engine);
    weft_net_free(b->net);
    weft_lab_stop(b->lab);
}

/* A visit is told from the others by its fingerprint. */
static void submit_to(struct bench *b, const char *server, const char *path, uint64_t print)
{
    char url[256];
    int len = snprintf(url, sizeof url, "%s%s", server, path);
    struct weft_visit *v = weft_visit_new(
        WEFT_VISIT_PAGE, &(struct weft_queued){.url = url, .len = (uint32_t)len, .print = print});
    ck_assert_ptr_nonnull(v);
    ck_assert_int_eq(b->engine->ops->submit(b->engine, v), WEFT_OK);
}

static void submit(struct bench *b, const char *path, uint64_t print)
{
    submit_to(b, weft_lab_url(b->lab, 0), path, print);
}

static enum weft_status wait_until(struct bench *b, weft_time deadline, struct weft_visit **v)
{
    return b->engine->ops->wait_any(b->engine, deadline, v);
}

static weft_time soon(void)
{
    return weft_in_ms(30);
}

START_TEST(each_visit_comes_out_once_with_its_page)
{
    struct bench b;
    unsigned seen[64] = {0};
    set_up(&b, _i);
    for (unsigned next = 0, out = 0; out < 64; out++) {
        for (; next < 64 && next - out < JOBS; next++) {
            char path[64];
            snprintf(path, sizeof path, "/gen/pages=64,size=2000,links=5/%u.html", next);
            submit(&b, path, next);
        }
        struct weft_visit *v;
        ck_assert_int_eq(wait_until(&b, WEFT_FOREVER, &v), WEFT_OK);
        ck_assert_ptr_nonnull(v);
        seen[v->print]++;
        ck_assert_int_eq(v->answer.end, WEFT_FETCH_DONE);
        ck_assert_int_eq(v->answer.status, 200);
        ck_assert_uint_eq(v->answer.bytes, 2000);
        ck_assert_uint_gt(v->answer.nfollow, 0);
        ck_assert_ptr_nonnull(v->answer.title);
        ck_assert(v->answer.started > 0 && v->answer.ended >= v->answer.started);
        weft_visit_free(v);
    }
    for (unsigned i = 0; i < 64; i++) {
        ck_assert_uint_eq(seen[i], 1);
    }
    tear_down(&b);
}
END_TEST

START_TEST(a_deadline_is_kept_with_and_without_work)
{
    struct bench b;
    struct weft_visit *v = NULL;
    set_up(&b, _i);
    for (int busy = 0; busy < 2; busy++) {
        for (int i = 0; i < 3; i++) {
            weft_time deadline = soon(), before = weft_now();
            ck_assert_int_eq(wait_until(&b, deadline, &v), WEFT_ETIMEDOUT);
            ck_assert_ptr_null(v);
            ck_assert_int_ge(weft_now(), deadline);
            ck_assert_int_lt(weft_now(), before + 20 * WEFT_SECOND);
            ck_assert_int_eq(wait_until(&b, WEFT_POLL, &v), WEFT_ETIMEDOUT); /* looks, no waiting */
        }
        for (unsigned i = 0; i < JOBS && !busy; i++) {
            submit(&b, "/hang", i);
        }
    }
    tear_down(&b); /* with all of it in flight */
}
END_TEST

START_TEST(what_outlasts_a_deadline_comes_out_later)
{
    struct bench b;
    struct grim server;
    struct weft_visit *v;
    set_up(&b, _i);
    grim_start(&server, GRIM_IS_SILENT, "HTTP/1.1 200 Fine\r\nContent-Length: 0\r\n\r\n");
    submit_to(&b, server.url, "/", 5);
    ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
    ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
    grim_answer(&server);
    ck_assert_int_eq(wait_until(&b, WEFT_FOREVER, &v), WEFT_OK);
    ck_assert_uint_eq(v->print, 5);
    ck_assert_int_eq(v->answer.status, 200);
    weft_visit_free(v);
    ck_assert_uint_eq(atomic_load(&server.requests), 1);
    tear_down(&b);
    grim_stop(&server);
}
END_TEST

START_TEST(a_wake_before_the_wait_counts_once)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b, _i);
    for (int busy = 0; busy < 2; busy++) {
        b.engine->ops->wake(b.engine, false);
        b.engine->ops->wake(b.engine, false);
        ck_assert_int_eq(wait_until(&b, WEFT_FOREVER, &v), WEFT_ECANCELED);
        ck_assert_ptr_null(v);
        ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
        submit(&b, "/hang", 1);
        ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
    }
    tear_down(&b);
}
END_TEST

static void *wake_later(void *user)
{
    struct bench *b = user;
    struct timespec pause = {.tv_nsec = 5000000}; /* so that the waiter mostly waits already */
    nanosleep(&pause, NULL);
    b->engine->ops->wake(b->engine, false);
    return NULL;
}

START_TEST(a_wake_from_another_thread_ends_the_wait)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b, _i);
    for (int round = 0; round < 20; round++) {
        pthread_t waker;
        ck_assert_int_eq(pthread_create(&waker, NULL, wake_later, &b), 0);
        ck_assert_int_eq(wait_until(&b, WEFT_FOREVER, &v), WEFT_ECANCELED);
        pthread_join(waker, NULL);
        if (round == 10) {
            submit(&b, "/hang", 1); /* from here on while a fetch runs */
        }
    }
    tear_down(&b);
}
END_TEST

START_TEST(cancelling_gives_everything_back_as_interrupted)
{
    struct bench b;
    unsigned seen = 0;
    set_up(&b, _i);
    for (unsigned i = 0; i < JOBS; i++) {
        submit(&b, "/hang", i);
    }
    struct weft_visit *v;
    ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
    b.engine->ops->cancel_all(b.engine);
    for (unsigned i = 0; i < JOBS; i++) {
        ck_assert_int_eq(wait_until(&b, weft_in_ms(20000), &v), WEFT_OK);
        ck_assert_int_eq(v->answer.end, WEFT_FETCH_INTERRUPTED);
        ck_assert_uint_eq(seen >> v->print & 1, 0);
        seen |= 1u << v->print;
        weft_visit_free(v);
    }
    ck_assert_uint_eq(seen, (1u << JOBS) - 1);
    ck_assert_int_eq(wait_until(&b, soon(), &v), WEFT_ETIMEDOUT);
    tear_down(&b);
}
END_TEST

START_TEST(what_is_done_is_handed_out_before_a_deadline_that_is_over)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b, _i);
    submit(&b, "/gen/pages=9/1.html", 3);
    enum weft_status st;
    unsigned polls = 0;
    while ((st = wait_until(&b, WEFT_POLL, &v)) == WEFT_ETIMEDOUT) {
        sched_yield(); /* each look lets the fetch go on a little */
        polls++;
    }
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert_uint_eq(v->print, 3);
    ck_assert_int_eq(v->answer.status, 200);
    weft_visit_free(v);
    tear_down(&b);
}
END_TEST

START_TEST(what_can_not_be_asked_comes_out_as_failed)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b, _i);
    b.options.net.timeout = 0;
    v = weft_visit_new(WEFT_VISIT_PAGE,
                       &(struct weft_queued){.url = "http://127.0.0.1:1/", .len = 19, .print = 9});
    ck_assert_ptr_nonnull(v);
    ck_assert_int_eq(b.engine->ops->submit(b.engine, v), WEFT_OK);
    ck_assert_int_eq(wait_until(&b, WEFT_FOREVER, &v), WEFT_OK);
    ck_assert_int_eq(v->answer.end, WEFT_FETCH_CONNECTION);
    ck_assert_int_gt((int)strlen(v->answer.error), 0);
    weft_visit_free(v);
    tear_down(&b);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("engines");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, each_visit_comes_out_once_with_its_page, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_deadline_is_kept_with_and_without_work, 0, NVARIANTS);
    tcase_add_loop_test(tc, what_outlasts_a_deadline_comes_out_later, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_wake_before_the_wait_counts_once, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_wake_from_another_thread_ends_the_wait, 0, NVARIANTS);
    tcase_add_loop_test(tc, cancelling_gives_everything_back_as_interrupted, 0, NVARIANTS);
    tcase_add_loop_test(tc, what_is_done_is_handed_out_before_a_deadline_that_is_over, 0,
                        NVARIANTS);
    tcase_add_loop_test(tc, what_can_not_be_asked_comes_out_as_failed, 0, NVARIANTS);
    return suite_run("cli: every engine keeps its promises", tc);
}
