/* check_fake.c -- the fake engine of these tests keeps the promises of engine.h, in the order of
 * check_engines.c, which asks the real ones: or what is tested with it would prove nothing. */
#include "site.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

enum { JOBS = 8 };

static const struct page pages[] = {
    {.url = "http://a.test/", .body = "<title>t</title><a href=/1>x</a>"},
    {.url = "http://a.test/slow", .latency_ms = 150},
    {.url = "http://a.test/hang", .latency_ms = 3600000},
    {0},
};

struct bench {
    struct site site;
    struct weft_crawl_options options;
    struct weft_stop stop;
    struct weft_work work;
    struct weft_engine *engine;
};

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    site_init(&b->site, pages);
    atomic_init(&b->stop.by, WEFT_FOREVER);
    b->work = (struct weft_work){.options = &b->options,
                                 .page = {.max_links = 100, .max_url = 1000},
                                 .hash_seed = 7,
                                 .stop = &b->stop};
    ck_assert_int_eq(site_engine(&b->site, &b->work, &b->engine), WEFT_OK);
}

static void tear_down(struct bench *b)
{
    b->engine->ops->free(b->engine);
    site_release(&b->site);
}

static void submit(struct bench *b, const char *url, uint64_t print)
{
    struct weft_visit *v = weft_visit_new(
        WEFT_VISIT_PAGE,
        &(struct weft_queued){.url = url, .len = (uint32_t)strlen(url), .print = print});
    ck_assert_ptr_nonnull(v);
    ck_assert_int_eq(b->engine->ops->submit(b->engine, v), WEFT_OK);
}

static enum weft_status wait_for(struct bench *b, int ms, struct weft_visit **v)
{
    return b->engine->ops->wait_any(b->engine, b->site.now + ms * WEFT_MS, v);
}

START_TEST(each_visit_comes_out_once_with_its_page)
{
    struct bench b;
    struct weft_visit *v;
    unsigned seen = 0;
    set_up(&b);
    for (unsigned i = 0; i < JOBS; i++) {
        submit(&b, "http://a.test/", i);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        ck_assert_int_eq(wait_for(&b, 60000, &v), WEFT_OK);
        ck_assert_uint_eq(seen >> v->print & 1, 0);
        seen |= 1u << v->print;
        ck_assert_int_eq(v->answer.status, 200);
        ck_assert_uint_eq(v->answer.nfollow, 1);
        weft_visit_free(v);
    }
    ck_assert_int_eq(wait_for(&b, 10, &v), WEFT_ETIMEDOUT);
    tear_down(&b);
}
END_TEST

START_TEST(a_deadline_is_kept_and_the_fetch_goes_on)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b);
    weft_time before = b.site.now;
    ck_assert_int_eq(wait_for(&b, 30, &v), WEFT_ETIMEDOUT);
    ck_assert_int_eq(b.site.now, before + 30 * WEFT_MS);
    submit(&b, "http://a.test/slow", 5);
    ck_assert_int_eq(wait_for(&b, 100, &v), WEFT_ETIMEDOUT);
    ck_assert_ptr_null(v);
    ck_assert_int_eq(wait_for(&b, 100, &v), WEFT_OK);
    ck_assert_uint_eq(v->print, 5);
    ck_assert_int_eq(b.site.now, before + 180 * WEFT_MS);
    weft_visit_free(v);
    ck_assert_uint_eq(site_asked(&b.site, "http://a.test/slow"), 1);
    tear_down(&b);
}
END_TEST

START_TEST(a_wake_counts_once)
{
    struct bench b;
    struct weft_visit *v;
    set_up(&b);
    for (int busy = 0; busy < 2; busy++) {
        b.engine->ops->wake(b.engine, false);
        b.engine->ops->wake(b.engine, false);
        ck_assert_int_eq(wait_for(&b, 60000, &v), WEFT_ECANCELED);
        ck_assert_int_eq(wait_for(&b, 30, &v), WEFT_ETIMEDOUT);
        submit(&b, "http://a.test/hang", 1);
    }
    tear_down(&b); /* with both of it in flight */
}
END_TEST

START_TEST(cancelling_gives_everything_back_as_interrupted)
{
    struct bench b;
    struct weft_visit *v;
    unsigned seen = 0;
    set_up(&b);
    for (unsigned i = 0; i < JOBS; i++) {
        submit(&b, "http://a.test/hang", i);
    }
    ck_assert_int_eq(wait_for(&b, 30, &v), WEFT_ETIMEDOUT);
    b.engine->ops->cancel_all(b.engine);
    for (unsigned i = 0; i < JOBS; i++) {
        ck_assert_int_eq(wait_for(&b, 1, &v), WEFT_OK);
        ck_assert_int_eq(v->answer.end, WEFT_FETCH_INTERRUPTED);
        seen |= 1u << v->print;
        weft_visit_free(v);
    }
    ck_assert_uint_eq(seen, (1u << JOBS) - 1);
    tear_down(&b);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("fake");
    tcase_add_test(tc, each_visit_comes_out_once_with_its_page);
    tcase_add_test(tc, a_deadline_is_kept_and_the_fetch_goes_on);
    tcase_add_test(tc, a_wake_counts_once);
    tcase_add_test(tc, cancelling_gives_everything_back_as_interrupted);
    return suite_run("crawl: the fake engine", tc);
}
