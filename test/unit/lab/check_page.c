/* check_page.c -- the parts of the page's server that need no socket: what may be asked, who may
 * ask, and the log of a run with its readers. */
#include "lab/page_impl.h"

#include "support/suite.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- what a run may be ---- */

static const struct {
    const char *text, *says; /* NULL: it is fine */
    enum weft_page_engine engine;
    unsigned jobs, delay_ms;
} asks[] = {
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0}", NULL, WEFT_PAGE_SYNC, 1, 0},
    {"{\"engine\":\"threads\",\"jobs\":64,\"delay_ms\":1000}", NULL, WEFT_PAGE_THREADS, 64, 1000},
    {" { \"delay_ms\" : 7 , \"jobs\" : 3 , \"engine\" : \"events\" }\r\n", NULL, WEFT_PAGE_EVENTS,
     3, 7},
    {"{\"engine\":\"\\u0073ync\",\"jobs\":2,\"delay_ms\":-0}", NULL, WEFT_PAGE_SYNC, 2, 0},
    {"", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0}}", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0,}", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0,\"jobs\":1}", "twice", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":01,\"delay_ms\":0}", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sy\\u0000nc\",\"jobs\":1,\"delay_ms\":0}", "not JSON", 0, 0, 0},
    {"{\"engine\":\"\xff\",\"jobs\":1,\"delay_ms\":0}", "not JSON", 0, 0, 0},
    {"3", "not JSON", 0, 0, 0},
    {"[\"sync\",1,0]", "object", 0, 0, 0},
    {"{}", "engine", 0, 0, 0},
    {"{\"engine\":\"Sync\",\"jobs\":1,\"delay_ms\":0}", "engine", 0, 0, 0},
    {"{\"engine\":null,\"jobs\":1,\"delay_ms\":0}", "engine", 0, 0, 0},
    {"{\"engine\":[\"sync\"],\"jobs\":1,\"delay_ms\":0}", "engine", 0, 0, 0},
    {"{\"engine\":\"sync\",\"delay_ms\":0}", "jobs", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":0,\"delay_ms\":0}", "jobs", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":65,\"delay_ms\":0}", "from 1 to 64", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":4294967297,\"delay_ms\":0}", "jobs", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1e0,\"delay_ms\":0}", "jobs", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":99999999999999999999,\"delay_ms\":0}", "not JSON", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":1001}", "delay_ms", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":-1}", "delay_ms", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":true}", "delay_ms", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0,\"url\":\"http://a/\"}", "beside", 0, 0, 0},
    {"{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0,\"\":0}", "beside", 0, 0, 0},
};

START_TEST(a_run_is_what_was_asked_for_or_refused)
{
    const char *text = asks[_i].text;
    struct weft_page_ask ask = {WEFT_PAGE_EVENTS, 99, 99};
    char error[WEFT_MAX_ERROR] = "";
    enum weft_status st = weft_page_ask_read(text, strlen(text), &ask, error, sizeof error);
    if (asks[_i].says) {
        ck_assert_int_eq(st, WEFT_ESYNTAX);
        ck_assert_msg(strstr(error, asks[_i].says) != NULL, "%s: %s", text, error);
        ck_assert_uint_eq(ask.jobs, 99);
        return;
    }
    ck_assert_msg(st == WEFT_OK, "%s: %s", text, error);
    ck_assert_int_eq(ask.engine, asks[_i].engine);
    ck_assert_uint_eq(ask.jobs, asks[_i].jobs);
    ck_assert_uint_eq(ask.delay_ms, asks[_i].delay_ms);
}
END_TEST

START_TEST(a_body_is_its_bytes_and_not_more)
{
    static const char text[] = "{\"engine\":\"sync\",\"jobs\":1,\"delay_ms\":0}";
    struct weft_page_ask ask;
    char error[WEFT_MAX_ERROR];
    for (size_t len = 0; len < sizeof text - 1; len++) {
        char *bytes = malloc(len + 1); /* so that a read beyond them is noticed */
        memcpy(bytes, text, len);
        ck_assert_int_eq(weft_page_ask_read(bytes, len, &ask, error, sizeof error), WEFT_ESYNTAX);
        free(bytes);
    }
    ck_assert_int_eq(weft_page_ask_read(text, sizeof text, &ask, error, sizeof error),
                     WEFT_ESYNTAX); /* with its NUL */
}
END_TEST

/* ---- who may ask ---- */

static const struct {
    const char *host;
    uint16_t port;
    bool ours;
} hosts[] = {
    {"127.0.0.1:8080", 8080, true},
    {"localhost:8080", 8080, true},
    {"LocalHost:8080", 8080, true},
    {"[::1]:8080", 8080, true},
    {"127.0.0.1", 80, true},
    {"[::1]", 80, true},
    {"127.0.0.1:80", 80, true},
    {"127.0.0.1", 8080, false},
    {"127.0.0.1:", 80, false},
    {"127.0.0.1:808", 8080, false},
    {"127.0.0.1:80800", 8080, false},
    {"127.0.0.1:08080", 8080, false},
    {"127.0.0.1:8080:8080", 8080, false},
    {"127.0.0.1.:8080", 8080, false},
    {"127.0.0.2:8080", 8080, false},
    {"127.1:8080", 8080, false},
    {"::1:8080", 8080, false},
    {"[::2]:8080", 8080, false},
    {"[::1:8080", 8080, false},
    {"localhost.:8080", 8080, false},
    {"a.localhost:8080", 8080, false},
    {"localhost.a.example:8080", 8080, false},
    {"a@localhost:8080", 8080, false},
    {"localhost:8080 ", 8080, false},
    {":8080", 8080, false},
    {"", 80, false},
};

START_TEST(a_host_is_ours_or_not)
{
    const char *host = hosts[_i].host;
    ck_assert_msg(page_host_is_ours(host, strlen(host), hosts[_i].port) == hosts[_i].ours, "%s",
                  host);
}
END_TEST

START_TEST(a_host_is_its_bytes_and_not_more)
{
    ck_assert(page_host_is_ours("localhost:8080/x", 14, 8080));
    ck_assert(!page_host_is_ours("localhost:8080", 13, 8080));
    ck_assert(!page_host_is_ours("localhost:8080", 15, 8080)); /* a NUL in it */
}
END_TEST

START_TEST(an_origin_is_ours_or_not)
{
    const char *host = "127.0.0.1:8080";
    ck_assert(page_origin_is_ours("http://127.0.0.1:8080", host));
    static const char *const others[] = {"",
                                         "null",
                                         "127.0.0.1:8080",
                                         "http://127.0.0.1:8080/",
                                         "http://127.0.0.1:80",
                                         "http://127.0.0.1",
                                         "https://127.0.0.1:8080",
                                         "HTTP://127.0.0.1:8080",
                                         "http://localhost:8080",
                                         "http://127.0.0.1:8080.a.example",
                                         "http://a.example",
                                         "http://127.0.0.1:8080 http://a.example"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        ck_assert_msg(!page_origin_is_ours(others[i], host), "%s", others[i]);
    }
}
END_TEST

START_TEST(a_type_is_json_or_not)
{
    static const char *const yes[] = {"application/json", "Application/JSON",
                                      "application/json;charset=utf-8",
                                      "application/json \t; charset=utf-8"};
    static const char *const no[] = {"",
                                     "json",
                                     "application/jso",
                                     "application/json5",
                                     "application/json, text/plain",
                                     "text/plain;application/json",
                                     "application/ json"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        ck_assert_msg(page_type_is_json(yes[i]), "%s", yes[i]);
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        ck_assert_msg(!page_type_is_json(no[i]), "%s", no[i]);
    }
    ck_assert(!page_type_is_json(NULL));
}
END_TEST

static const struct {
    const char *path;
    unsigned number; /* 0: no run */
    bool events;
} runs[] = {
    {"/api/run/1", 1, false},
    {"/api/run/1/events", 1, true},
    {"/api/run/999999999", 999999999, false},
    {"/api/run/1000000000", 0, false},
    {"/api/run/0", 0, false},
    {"/api/run/01", 0, false},
    {"/api/run/+1", 0, false},
    {"/api/run/-1", 0, false},
    {"/api/run/ 1", 0, false},
    {"/api/run/1x", 0, false},
    {"/api/run/1/", 0, false},
    {"/api/run/1/event", 0, false},
    {"/api/run/1/events/", 0, false},
    {"/api/run/", 0, false},
    {"/api/run", 0, false},
    {"/api/runs/1", 0, false},
    {"", 0, false},
};

START_TEST(a_path_names_a_run_or_not)
{
    unsigned number = 0;
    bool events = false;
    bool is = page_read_run(runs[_i].path, &number, &events);
    ck_assert_msg(is == (runs[_i].number != 0), "%s", runs[_i].path);
    if (is) {
        ck_assert_uint_eq(number, runs[_i].number);
        ck_assert_int_eq(events, runs[_i].events);
    }
}
END_TEST

/* ---- the log ---- */

struct listener {
    struct weft_page_reader reader;
    unsigned sleeps, wakes;
};

static void on_sleep(void *user)
{
    ((struct listener *)user)->sleeps++;
}

static void on_wake(void *user)
{
    ((struct listener *)user)->wakes++;
}

static void listen_to(struct listener *l, struct weft_page_log *log)
{
    l->sleeps = l->wakes = 0;
    weft_page_reader_init(&l->reader, log, on_sleep, on_wake, l);
}

/* Asserts that exactly this is read at once. */
static void hears(struct listener *l, const char *text)
{
    char got[512];
    ssize_t n = weft_page_reader_read(&l->reader, got, sizeof got - 1);
    ck_assert_int_ge((int)n, 0);
    got[n] = '\0';
    ck_assert_str_eq(got, text);
}

START_TEST(each_reader_hears_all_from_the_beginning)
{
    struct weft_page_log *log;
    struct listener early, late;
    char byte;
    ck_assert_int_eq(weft_page_log_new(&log), WEFT_OK);
    listen_to(&early, log);
    hears(&early, "");
    ck_assert_uint_eq(early.sleeps, 1);
    ck_assert_int_eq(weft_page_log_put(log, "begin", "{\"id\":0}"), WEFT_OK);
    ck_assert_uint_eq(early.wakes, 1);
    ck_assert_int_eq(weft_page_log_put(log, "end", "{}"), WEFT_OK);
    ck_assert_uint_eq(early.wakes, 1); /* it does not sleep */
    hears(&early, "event: begin\ndata: {\"id\":0}\n\nevent: end\ndata: {}\n\n");
    hears(&early, "");
    listen_to(&late, log);
    ck_assert_int_eq((int)weft_page_reader_read(&late.reader, &byte, 1), 1);
    ck_assert_int_eq(byte, 'e');
    weft_page_log_end(log, "done", "{}");
    ck_assert_uint_eq(early.wakes, 2);
    hears(&early, "event: done\ndata: {}\n\n");
    ck_assert_int_eq((int)weft_page_reader_read(&early.reader, &byte, 1), -1);
    ck_assert_int_eq((int)weft_page_reader_read(&early.reader, &byte, 1), -1);
    hears(&late, "vent: begin\ndata: {\"id\":0}\n\nevent: end\ndata: {}\n\n"
                 "event: done\ndata: {}\n\n");
    ck_assert_int_eq((int)weft_page_reader_read(&late.reader, &byte, 1), -1);
    ck_assert_uint_eq(late.sleeps, 0);
    ck_assert_int_eq(weft_page_log_put(log, "end", "{}"), WEFT_EDONE);
    weft_page_log_release(log); /* the readers have it still */
    weft_page_reader_release(&early.reader);
    weft_page_reader_release(&late.reader);
}
END_TEST

START_TEST(who_left_is_not_woken)
{
    struct weft_page_log *log;
    struct listener l[3];
    ck_assert_int_eq(weft_page_log_new(&log), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        listen_to(&l[i], log);
        hears(&l[i], "");
    }
    weft_page_reader_release(&l[_i].reader);
    ck_assert_int_eq(weft_page_log_put(log, "end", "{}"), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(l[i].wakes, i != _i);
        if (i != _i) {
            hears(&l[i], "event: end\ndata: {}\n\n");
            weft_page_reader_release(&l[i].reader);
        }
    }
    weft_page_log_release(log);
}
END_TEST

START_TEST(a_log_is_bounded_and_still_tells_its_end)
{
    static char data[1000], rest[4096];
    struct weft_page_log *log;
    struct listener l;
    size_t all = 0;
    memset(data, 'x', sizeof data - 1);
    ck_assert_int_eq(weft_page_log_new(&log), WEFT_OK);
    enum weft_status st = WEFT_OK;
    for (unsigned i = 0; st == WEFT_OK && i < 2000; i++) {
        st = weft_page_log_put(log, "begin", data);
    }
    ck_assert_int_eq(st, WEFT_ELIMIT);
    ck_assert_int_eq(weft_page_log_put(log, "end", ""), WEFT_ELIMIT); /* small, but late */
    weft_page_log_end(log, "failed", data);
    listen_to(&l, log);
    ssize_t n;
    char tail[32] = "";
    while ((n = weft_page_reader_read(&l.reader, rest, sizeof rest)) > 0) {
        all += (size_t)n;
        if (n >= 5) {
            snprintf(tail, sizeof tail, "%.*s", 5, rest + n - 5);
        }
    }
    ck_assert_int_eq((int)n, -1);
    ck_assert_uint_le(all, WEFT_PAGE_MAX_EVENTS);
    ck_assert_uint_gt(all, WEFT_PAGE_MAX_EVENTS - 4096);
    ck_assert_str_eq(tail, "xxx\n\n");
    weft_page_reader_release(&l.reader);
    weft_page_log_release(log);
}
END_TEST

/* Readers on threads of their own, which sleep and are woken, hear the same as the writer says. */
struct thread_reader {
    struct weft_page_reader reader;
    pthread_mutex_t lock; /* guards asleep */
    pthread_cond_t wake;  /* signalled when asleep becomes false */
    bool asleep;
    size_t heard;
};

static void thread_sleep(void *user)
{
    struct thread_reader *t = user;
    pthread_mutex_lock(&t->lock);
    t->asleep = true;
    pthread_mutex_unlock(&t->lock);
}

static void thread_wake(void *user)
{
    struct thread_reader *t = user;
    pthread_mutex_lock(&t->lock);
    t->asleep = false;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

static void *read_all(void *user)
{
    struct thread_reader *t = user;
    char bytes[37];
    ssize_t n;
    while ((n = weft_page_reader_read(&t->reader, bytes, sizeof bytes)) >= 0) {
        t->heard += (size_t)n;
        pthread_mutex_lock(&t->lock);
        while (t->asleep) {
            pthread_cond_wait(&t->wake, &t->lock);
        }
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

START_TEST(no_wake_is_lost_between_threads)
{
    enum { READERS = 3, EVENTS = 3000 };
    static struct thread_reader t[READERS];
    pthread_t threads[READERS];
    struct weft_page_log *log;
    ck_assert_int_eq(weft_page_log_new(&log), WEFT_OK);
    for (int i = 0; i < READERS; i++) {
        pthread_mutex_init(&t[i].lock, NULL);
        pthread_cond_init(&t[i].wake, NULL);
        weft_page_reader_init(&t[i].reader, log, thread_sleep, thread_wake, &t[i]);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_all, &t[i]), 0);
    }
    for (int i = 0; i < EVENTS; i++) {
        ck_assert_int_eq(weft_page_log_put(log, "end", "{}"), WEFT_OK);
    }
    weft_page_log_end(log, "done", "{}");
    weft_page_log_release(log);
    const size_t all = EVENTS * strlen("event: end\ndata: {}\n\n") +
                       strlen("event: done\ndata: {}\n\n");
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(t[i].heard, all);
        weft_page_reader_release(&t[i].reader);
        pthread_cond_destroy(&t[i].wake);
        pthread_mutex_destroy(&t[i].lock);
    }
}
END_TEST

#define LOOP(tc, test, table) tcase_add_loop_test(tc, test, 0, sizeof(table) / sizeof *(table))

int main(void)
{
    TCase *tc = tcase_create("page");
    tcase_set_timeout(tc, 60);
    LOOP(tc, a_run_is_what_was_asked_for_or_refused, asks);
    tcase_add_test(tc, a_body_is_its_bytes_and_not_more);
    LOOP(tc, a_host_is_ours_or_not, hosts);
    tcase_add_test(tc, a_host_is_its_bytes_and_not_more);
    tcase_add_test(tc, an_origin_is_ours_or_not);
    tcase_add_test(tc, a_type_is_json_or_not);
    LOOP(tc, a_path_names_a_run_or_not, runs);
    tcase_add_test(tc, each_reader_hears_all_from_the_beginning);
    tcase_add_loop_test(tc, who_left_is_not_woken, 0, 3);
    tcase_add_test(tc, a_log_is_bounded_and_still_tells_its_end);
    tcase_add_test(tc, no_wake_is_lost_between_threads);
    return suite_run("lab: the page's parts", tc);
}
