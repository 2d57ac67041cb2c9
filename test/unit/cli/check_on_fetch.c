/* check_on_fetch.c -- a crawl that tells of each request as it begins and ends, with every engine:
 * nothing is left out, lanes do one thing at a time, and on which thread it is told. */
#include "crawled.h"
#include "lab/lab.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define JOBS  5u
#define SEEDS (const char *const[])

struct told {
    pthread_mutex_t lock; /* guards the rest */
    bool busy[JOBS];      /* lanes with a request */
    char url[JOBS][128];  /* ... which one */
    unsigned begun, ended, failed, redirects, interrupted, at_once, peak;
    uint64_t bytes;
    pthread_t caller; /* of the crawl */
    bool elsewhere;   /* something was told on another thread */
    const char *wrong;
    struct weft_crawl *stop_at_first; /* to be stopped once a request has begun; NULL: none */
};

/* Check's assertions are for the test's thread. */
static void note(struct told *t, const char *wrong)
{
    t->wrong = t->wrong ? t->wrong : wrong;
}

static void on_fetch(void *user, const struct weft_crawl_fetching *f)
{
    struct told *t = user;
    pthread_mutex_lock(&t->lock);
    t->elsewhere = t->elsewhere || !pthread_equal(pthread_self(), t->caller);
    if (f->lane >= JOBS) {
        note(t, "there is no such lane");
    } else if (!f->ended) {
        if (t->busy[f->lane]) {
            note(t, "a lane begins twice");
        }
        t->busy[f->lane] = true;
        snprintf(t->url[f->lane], sizeof t->url[0], "%s", f->url);
        t->begun++;
        t->at_once++;
        t->peak = t->at_once > t->peak ? t->at_once : t->peak;
        if (t->stop_at_first) {
            weft_crawl_stop(t->stop_at_first, true);
        }
    } else {
        if (!t->busy[f->lane] || strcmp(t->url[f->lane], f->url) != 0) {
            note(t, "an end to what did not begin");
        }
        t->busy[f->lane] = false;
        t->ended++;
        t->at_once--;
        t->bytes += f->bytes;
        t->failed += f->end == WEFT_FETCH_DONE && f->status >= 400;
        t->redirects += f->end == WEFT_FETCH_DONE && f->status / 100 == 3;
        t->interrupted += f->end == WEFT_FETCH_INTERRUPTED;
    }
    pthread_mutex_unlock(&t->lock);
}

static struct weft_lab *lab;
static struct told told;

static void set_up(void)
{
    char error[256];
    ck_assert_int_eq(
        weft_lab_start(&lab, &(struct weft_lab_options){.delay_ms = 1}, error, sizeof error),
        WEFT_OK);
    told = (struct told){.caller = pthread_self()};
    pthread_mutex_init(&told.lock, NULL);
}

static void tear_down(void)
{
    pthread_mutex_destroy(&told.lock);
    weft_lab_stop(lab);
}

/* Crawls with on_fetch; stop: from its first request on it is to end. */
static struct weft_crawl_report crawl(const struct variant *v, const char *const *seeds, bool stop)
{
    const struct weft_crawl_options o = {.engine = v->engine,
                                         .parse_jobs = v->parse_jobs,
                                         .jobs = JOBS,
                                         .retry_base = 1,
                                         .user = &told,
                                         .on_fetch = on_fetch};
    struct weft_crawl *c;
    struct weft_crawl_report r;
    char error[256], url[256];
    ck_assert_msg(weft_crawl_new(&c, &o, error, sizeof error) == WEFT_OK, "%s", error);
    for (; *seeds; seeds++) {
        snprintf(url, sizeof url, "%s%s", weft_lab_url(lab, 0), *seeds);
        ck_assert_int_eq(weft_crawl_add(c, url, strlen(url)), WEFT_OK);
    }
    told.stop_at_first = stop ? c : NULL;
    ck_assert_int_eq(weft_crawl_run(c, &r), WEFT_OK);
    weft_crawl_free(c);
    ck_assert_msg(!told.wrong, "%s", told.wrong);
    ck_assert_uint_eq(told.begun, told.ended);
    ck_assert_uint_eq(told.at_once, 0);
    return r;
}

START_TEST(each_request_is_told_as_it_begins_and_ends)
{
    const struct variant *v = &variants[_i];
    struct weft_lab_stats seen;
    struct weft_crawl_report r = crawl(v,
                                       SEEDS{"/gen/pages=60,size=2000,links=8/0.html",
                                             "/redirect/2", "/flaky?fail=1", "/status/404", NULL},
                                       false);
    weft_lab_get_stats(lab, &seen);
    ck_assert_uint_eq(told.begun, r.requests);
    ck_assert_uint_eq(told.begun, seen.requests);
    ck_assert_uint_eq(told.redirects, 2);
    ck_assert_uint_eq(told.failed, 3); /* robots.txt, the flaky one's first, and the 404 */
    ck_assert_uint_ge(told.bytes, r.bytes);
    ck_assert_uint_gt(r.bytes, 60 * 2000);
    ck_assert_uint_le(told.peak, v->engine == WEFT_ENGINE_SYNC ? 1 : JOBS);
    ck_assert_int_eq(told.elsewhere, v->engine == WEFT_ENGINE_THREADS);
}
END_TEST

START_TEST(what_is_interrupted_is_told_as_ended)
{
    struct weft_crawl_report r = crawl(&variants[_i], SEEDS{"/hang", "/hang?2", NULL}, true);
    ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
    ck_assert_uint_ge(told.interrupted, 1);
    ck_assert_uint_eq(told.interrupted, told.ended);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("on_fetch");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_loop_test(tc, each_request_is_told_as_it_begins_and_ends, 0, NVARIANTS);
    tcase_add_loop_test(tc, what_is_interrupted_is_told_as_ended, 0, NVARIANTS);
    return suite_run("crawl: on_fetch", tc);
}
