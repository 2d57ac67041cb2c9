/* check_crawl_faults.c -- a whole crawl in which the n-th allocation or the n-th thread fails, for
 * every n until none does: it ends, says so, leaks nothing and records nothing twice. */
#include "site.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

#define A(href) "<a href=\"" href "\">x</a>"

static const struct page pages[] = {
    {.url = "http://a.test/robots.txt",
     .content_type = "text/plain",
     .body = "User-agent: *\nDisallow: /no"},
    {.url = "http://a.test/",
     .body = "<title>t</title>" A("/1") A("/2") A("/r") A("/no") A("http://b.test/") A("/flaky")
         A("/l1")},
    {.url = "http://a.test/1", .body = A("/3")},
    {.url = "http://a.test/2", .body = A("/l3")},
    {.url = "http://a.test/3"},
    {.url = "http://a.test/r", .status = 301, .location = "/3"},
    /* a chain that is cut, and goes on when /2 links into it */
    {.url = "http://a.test/l1", .status = 302, .location = "/l2"},
    {.url = "http://a.test/l2", .status = 302, .location = "/l3"},
    {.url = "http://a.test/l3", .status = 302, .location = "/l4"},
    {.url = "http://a.test/l4", .status = 302, .location = "/l5"},
    {.url = "http://a.test/l5", .status = 302, .location = "/l6"},
    {.url = "http://a.test/flaky", .faults = 1, .fault_status = 500},
    {0},
};

static void fetch(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    (void)context;
    (void)stop;
    for (const struct page *p = pages; p->url; p++) {
        if (strcmp(p->url, request->url) == 0) {
            response->status = p->status ? p->status : 200;
            const char *type = p->content_type ? p->content_type : "text/html";
            if (weft_response_set(response, &response->content_type, type, strlen(type)) !=
                    WEFT_OK ||
                (p->location && weft_response_set(response, &response->location, p->location,
                                                  strlen(p->location)) != WEFT_OK) ||
                (p->body && weft_response_append(response, p->body, strlen(p->body)) != WEFT_OK)) {
                response->end = WEFT_FETCH_FAILED;
            }
            return;
        }
    }
    response->status = 404;
}

static void count_record(void *user, const struct weft_record *r)
{
    unsigned *n = user;
    *n += r->url != NULL;
}

/* What one crawl came to. Check's assertions allocate, so nothing is asserted while faults are on.
 */
struct outcome {
    enum weft_status status;
    bool sane; /* what must hold whether it failed or not */
};

static struct outcome crawl_once(enum weft_engine_kind engine, bool depth)
{
    unsigned nrecords = 0;
    struct weft_crawl_options o = {.engine = engine,
                                   .jobs = 2,
                                   .has_delay = true,
                                   .retry_base = 1,
                                   .seed = 42,
                                   .max_redirects = 2,
                                   .has_max_depth = depth,
                                   .max_depth = 9,
                                   .fetch = fetch,
                                   .user = &nrecords,
                                   .on_record = count_record,
                                   .want_body = true,
                                   .want_links = true};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    char error[256] = "";
    struct outcome out = {.status = weft_crawl_new(&c, &o, error, sizeof error)};
    if (out.status != WEFT_OK) {
        out.sane = !c && *error;
        return out;
    }
    out.sane = true;
    out.status = weft_crawl_add(c, "http://a.test/", 14);
    if (out.status == WEFT_OK) {
        out.status = weft_crawl_run(c, &report);
        out.sane = (out.status == WEFT_OK || report.end == WEFT_END_FAILED) && nrecords <= 13;
    }
    weft_crawl_free(c);
    return out;
}

/* The same pages as a list; the count of records is first, for count_record. */
struct listed {
    unsigned nrecords;
    size_t at;
};

static enum weft_status next_url(void *user, const char **url, size_t *len)
{
    static const char *const urls[] = {"http://a.test/r", "http://a.test/1", "no url",
                                       "http://a.test/missing", "http://a.test/flaky"};
    struct listed *l = user;
    if (l->at == sizeof urls / sizeof *urls) {
        return WEFT_END;
    }
    *url = urls[l->at++];
    *len = strlen(*url);
    return WEFT_OK;
}

static struct outcome list_once(enum weft_engine_kind engine, bool race)
{
    struct listed l = {0};
    struct weft_crawl_options o = {.engine = engine,
                                   .jobs = 2,
                                   .has_delay = true,
                                   .retry_base = 1,
                                   .seed = 42,
                                   .ordered = !race,
                                   .race = race,
                                   .ahead = 10,
                                   .fetch = fetch,
                                   .next_url = next_url,
                                   .user = &l,
                                   .on_record = count_record,
                                   .want_body = true,
                                   .want_links = true};
    struct weft_crawl *c;
    struct weft_crawl_report report;
    char error[256] = "";
    struct outcome out = {.status = weft_crawl_new(&c, &o, error, sizeof error)};
    if (out.status != WEFT_OK) {
        out.sane = !c && *error;
        return out;
    }
    out.status = weft_crawl_run(c, &report);
    out.sane = (out.status == WEFT_OK || report.end == WEFT_END_FAILED) && l.nrecords <= 5;
    weft_crawl_free(c);
    return out;
}

START_TEST(the_nth_allocation_of_a_list_fails)
{
    enum weft_engine_kind engine = _i % 2 ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC;
    bool hit = true;
    long n = 0;
    while (hit) {
        faults_alloc_at(++n);
        struct outcome out = list_once(engine, _i / 2);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert(out.sane);
        ck_assert(hit || out.status == WEFT_OK);
        ck_assert_int_lt(n, 10000);
    }
    ck_assert_int_gt(n, 20);
}
END_TEST

START_TEST(the_nth_allocation_fails)
{
    enum weft_engine_kind engine = _i % 2 ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC;
    bool hit = true;
    long n = 0;
    while (hit) {
        faults_alloc_at(++n);
        struct outcome out = crawl_once(engine, _i / 2);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert(out.sane);
        ck_assert(hit || out.status == WEFT_OK);
        ck_assert_int_lt(n, 10000);
    }
    ck_assert_int_gt(n, 50); /* there was something to fail */
}
END_TEST

START_TEST(the_nth_thread_or_lock_fails)
{
    for (long n = 1; n <= 2; n++) {
        faults_thread_at(n);
        struct outcome out = crawl_once(WEFT_ENGINE_THREADS, false);
        ck_assert(faults_hit());
        ck_assert(out.sane);
        ck_assert_int_eq(out.status, WEFT_EAGAIN);
        faults_thread_at(0);
    }
    for (int k = 0; k < 2; k++) {
        bool hit = true;
        for (long n = 1; hit; n++) {
            faults_init_at(n);
            struct outcome out = crawl_once(k ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC, false);
            hit = faults_hit();
            faults_init_at(0);
            ck_assert(out.sane);
            ck_assert(out.status == (hit ? WEFT_ENOMEM : WEFT_OK));
        }
    }
}
END_TEST

START_TEST(waits_that_wake_for_nothing_change_nothing)
{
    faults_spurious(true);
    for (int i = 0; i < 20; i++) {
        struct outcome out = crawl_once(i % 2 ? WEFT_ENGINE_THREADS : WEFT_ENGINE_SYNC, false);
        ck_assert(out.sane);
        ck_assert_int_eq(out.status, WEFT_OK);
    }
    faults_spurious(false);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, the_nth_allocation_fails, 0, 4);
    tcase_add_loop_test(tc, the_nth_allocation_of_a_list_fails, 0, 4);
    tcase_add_test(tc, the_nth_thread_or_lock_fails);
    tcase_add_test(tc, waits_that_wake_for_nothing_change_nothing);
    return suite_run("crawl: faults", tc);
}
