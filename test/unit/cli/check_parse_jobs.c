/* check_parse_jobs.c -- the event loop with pages read elsewhere: the same pages and links as
 * without, and a stop in the middle loses nothing. */
#include "lab/lab.h"
#include "support/suite.h"
#include "weft/crawl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 150u

static struct weft_lab *lab;

static void set_up(void)
{
    char error[256];
    ck_assert_int_eq(weft_lab_start(&lab, &(struct weft_lab_options){0}, error, sizeof error),
                     WEFT_OK);
}

static void tear_down(void)
{
    weft_lab_stop(lab);
}

struct seen {
    struct weft_crawl *crawl;
    unsigned records, stop_after; /* 0: never */
    bool now;
    uint64_t links;
    unsigned fetched[PAGES];
};

static void on_record(void *user, const struct weft_record *r)
{
    struct seen *s = user;
    s->records++;
    const char *page = strrchr(r->url, '/');
    if (r->outcome == WEFT_FETCHED) {
        s->fetched[strtoul(page + 1, NULL, 10)]++;
        s->links += r->nlinks;
        ck_assert_ptr_nonnull(r->title);
    }
    if (s->stop_after && s->records == s->stop_after) {
        weft_crawl_stop(s->crawl, s->now);
    }
}

static struct weft_crawl_report crawl(struct seen *s, unsigned parse_jobs)
{
    struct weft_crawl_options o = {.engine = WEFT_ENGINE_EVENTS,
                                   .jobs = 12,
                                   .parse_jobs = parse_jobs,
                                   .user = s,
                                   .on_record = on_record};
    struct weft_crawl_report r;
    char error[512], url[256];
    snprintf(url, sizeof url, "%s/gen/pages=%u,size=3000,links=12/0.html", weft_lab_url(lab, 0),
             PAGES);
    ck_assert_msg(weft_crawl_new(&s->crawl, &o, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_int_eq(weft_crawl_add(s->crawl, url, strlen(url)), WEFT_OK);
    ck_assert_int_eq(weft_crawl_run(s->crawl, &r), WEFT_OK);
    weft_crawl_free(s->crawl);
    return r;
}

START_TEST(the_same_pages)
{
    struct seen here = {0}, elsewhere = {0};
    struct weft_crawl_report a = crawl(&here, 0), b = crawl(&elsewhere, (unsigned)_i);
    ck_assert_uint_eq(a.fetched, PAGES);
    ck_assert_uint_eq(b.fetched, PAGES);
    ck_assert_uint_eq(b.requests, a.requests);
    ck_assert_uint_eq(elsewhere.links, here.links);
    for (unsigned i = 0; i < PAGES; i++) {
        ck_assert_uint_eq(elsewhere.fetched[i], 1);
    }
}
END_TEST

START_TEST(stops_in_the_middle)
{
    struct seen s = {.stop_after = 20, .now = _i};
    struct weft_crawl_report r = crawl(&s, 3);
    ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
    ck_assert_uint_lt(s.records, PAGES);
    ck_assert_uint_eq(r.fetched + r.failed[WEFT_REASON_INTERRUPTED], s.records);
    for (unsigned i = 0; i < PAGES; i++) {
        ck_assert_uint_le(s.fetched[i], 1);
    }
}
END_TEST

START_TEST(other_engines_refuse_it)
{
    struct weft_crawl *c;
    char error[512] = "";
    struct weft_crawl_options o = {.parse_jobs = 2};
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_EINVAL);
    ck_assert_msg(strstr(error, "--parse-jobs") != NULL, "%s", error);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("parse-jobs");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, the_same_pages, 1, 5);
    tcase_add_loop_test(t, stops_in_the_middle, 0, 2);
    tcase_add_test(t, other_engines_refuse_it);
    return suite_run("parse_jobs", t);
}
