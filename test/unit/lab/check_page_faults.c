/* check_page_faults.c -- the page's server without memory: a start fails in words or works, one
 * request may be lost, and nothing hangs or leaks. The run is made up. */
#include "lab_client.h"

#include "lab/page.h"
#include "support/faults/faults.h"
#include "support/suite.h"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct weft_page_log *log_of_1; /* of the only run there is */
static unsigned stops;

static enum weft_status start(void *user, const struct weft_page_ask *ask, unsigned *number,
                              char *error, size_t cap)
{
    (void)user;
    *number = 1;
    if (ask->jobs == 2) {
        return WEFT_EAGAIN;
    }
    if (ask->jobs == 3) {
        snprintf(error, cap, "as the test \"wants\" it");
        return WEFT_EIO;
    }
    return WEFT_OK;
}

static struct weft_page_log *find_log(void *user, unsigned number)
{
    (void)user;
    return number == 1 ? weft_page_log_retain(log_of_1) : NULL;
}

static bool stop(void *user, unsigned number)
{
    (void)user;
    stops += number == 1;
    return number == 1;
}

static const struct weft_page_runs runs = {.start = start, .log = find_log, .stop = stop};

static void set_up(void)
{
    ck_assert_int_eq(weft_page_log_new(&log_of_1), WEFT_OK);
    ck_assert_int_eq(weft_page_log_put(log_of_1, "start", "{}"), WEFT_OK);
    weft_page_log_end(log_of_1, "done", "{}");
    stops = 0;
}

static void tear_down(void)
{
    weft_page_log_release(log_of_1);
}

static struct weft_page *page_on(uint16_t *port)
{
    struct weft_page *p;
    char error[256];
    unsigned number;
    ck_assert_msg(weft_page_start(&p, 0, &runs, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_int_eq(sscanf(weft_page_url(p), "http://127.0.0.1:%u/", &number), 1);
    *port = (uint16_t)number;
    return p;
}

START_TEST(a_start_without_memory_or_a_port_fails_in_words)
{
    struct weft_page *p, *other;
    char error[256] = "";
    uint16_t port;
    faults_alloc_at(1);
    enum weft_status st = weft_page_start(&p, 0, &runs, error, sizeof error);
    faults_alloc_at(0);
    ck_assert_int_eq(st, WEFT_ENOMEM);
    ck_assert_ptr_null(p);
    ck_assert_str_ne(error, "");
    p = page_on(&port);
    ck_assert_int_eq(weft_page_start(&other, port, &runs, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_null(other);
    ck_assert_ptr_nonnull(strstr(error, "in use"));
    weft_page_stop(p);
    weft_page_stop(NULL);
}
END_TEST

#define ASK(jobs) "{\"engine\":\"sync\",\"jobs\":" #jobs ",\"delay_ms\":0}"

static const struct {
    const char *line, *body;
    int status;
    const char *says; /* in the answer */
} requests[] = {
    {"GET /", NULL, 200, "<html"},
    {"HEAD /", NULL, 200, "text/html"},
    {"GET /nothing", NULL, 404, "nothing of that name"},
    {"GET /api/run/1/events", NULL, 200, "event: done\ndata: {}"},
    {"HEAD /api/run/1/events", NULL, 200, "text/event-stream"},
    {"GET /api/run/2/events", NULL, 404, "{\"error\":\"There is no such run (any more).\"}"},
    {"DELETE /api/run/1", NULL, 204, ""},
    {"DELETE /api/run/2", NULL, 404, "error"},
    {"POST /api/run", ASK(1), 202, "{\"run\":1}"},
    {"POST /api/run", ASK(2), 409, "error"},
    {"POST /api/run", ASK(3), 503, "{\"error\":\"as the test \\\"wants\\\" it\"}"},
    {"POST /api/run", "{}", 400, "error"},
    {"PATCH /api/run", NULL, 405, "Allow: POST"},
};

/* The bytes of requests[i] for this port. */
static const char *bytes_of(int i, uint16_t port)
{
    static char text[512];
    const char *body = requests[i].body ? requests[i].body : "";
    snprintf(text, sizeof text,
             "%s HTTP/1.1\r\nHost: localhost:%u\r\nConnection: close\r\n"
             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
             requests[i].line, port, strlen(body), body);
    return text;
}

static void expect(int i, uint16_t port)
{
    int fd = dial_port(port);
    say(fd, bytes_of(i, port));
    struct answer a = hear(fd);
    ck_assert_msg(a.status == requests[i].status, "%s: %d", requests[i].line, a.status);
    ck_assert_msg(strstr(a.head, requests[i].says) || strstr(a.body, requests[i].says), "%s: %s%s",
                  requests[i].line, a.head, a.body);
    release(&a);
    close(fd);
}

/* Without memory a request may end without an answer; the next one is served. */
START_TEST(a_request_without_memory_harms_no_other)
{
    uint16_t port;
    struct weft_page *p = page_on(&port);
    expect(_i, port);
    const char *text = bytes_of(_i, port);
    for (long n = 1;; n++) {
        static char c[65536];
        int fd = dial_port(port);
        faults_alloc_at(n);
        ssize_t got = send(fd, text, strlen(text), MSG_NOSIGNAL);
        while (got > 0) {
            got = recv(fd, c, sizeof c, 0);
        }
        bool hit = faults_hit();
        faults_alloc_at(0);
        close(fd);
        if (!hit) {
            ck_assert_int_gt(n, 1); /* at least the request itself is allocated */
            break;
        }
        ck_assert_int_lt(n, 100);
    }
    expect(_i, port);
    weft_page_stop(p);
}
END_TEST

START_TEST(a_stop_reaches_the_run)
{
    uint16_t port;
    struct weft_page *p = page_on(&port);
    expect(6, port);
    ck_assert_uint_eq(stops, 1);
    expect(7, port);
    ck_assert_uint_eq(stops, 1);
    weft_page_stop(p);
}
END_TEST

/* Watchers of a run that has not ended are told its end, and the server stops. */
START_TEST(a_server_with_watchers_stops_once_the_log_has_ended)
{
    enum { WATCHERS = 5 };
    uint16_t port;
    int fds[WATCHERS];
    weft_page_log_release(log_of_1);
    ck_assert_int_eq(weft_page_log_new(&log_of_1), WEFT_OK);
    ck_assert_int_eq(weft_page_log_put(log_of_1, "start", "{}"), WEFT_OK);
    struct weft_page *p = page_on(&port);
    for (int i = 0; i < WATCHERS; i++) {
        static char c[65536];
        size_t n = 0;
        fds[i] = dial_port(port);
        say(fds[i], bytes_of(3, port));
        while (n == 0 || !memmem(c, n, "event: start", 12)) {
            ssize_t got = recv(fds[i], c + n, sizeof c - n, 0);
            ck_assert_int_gt((int)got, 0);
            n += (size_t)got;
        }
    }
    close(fds[0]);
    weft_page_log_end(log_of_1, "failed", "{}");
    weft_page_stop(p);
    for (int i = 1; i < WATCHERS; i++) {
        char c[4096];
        ssize_t got;
        while ((got = recv(fds[i], c, sizeof c, 0)) > 0) {
        }
        close(fds[i]);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, a_start_without_memory_or_a_port_fails_in_words);
    tcase_add_loop_test(tc, a_request_without_memory_harms_no_other, 0,
                        sizeof requests / sizeof *requests);
    tcase_add_test(tc, a_stop_reaches_the_run);
    tcase_add_test(tc, a_server_with_watchers_stops_once_the_log_has_ended);
    return suite_run("lab: the page's faults", tc);
}
