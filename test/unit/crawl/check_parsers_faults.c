/* check_parsers_faults.c -- pages read by an executor: all of them, each once, and nothing lost
 * when memory, threads or locks run out or when it ends with work left. */
#include "crawl/parsers.h"
#include "support/faults/faults.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define PAGES 40u

struct engine {           /* stands for the event loop: it sleeps until it is woken */
    pthread_mutex_t lock; /* guards woken */
    pthread_cond_t wake;  /* signalled when woken becomes true */
    bool woken;
    unsigned wakes;
};

static void wake(void *user)
{
    struct engine *e = user;
    pthread_mutex_lock(&e->lock);
    e->woken = true;
    e->wakes++;
    pthread_cond_signal(&e->wake);
    pthread_mutex_unlock(&e->lock);
}

static struct weft_parse *next(struct engine *e, struct weft_parsers *p)
{
    struct weft_parse *parse;
    while (!(parse = weft_parsers_take(p))) {
        pthread_mutex_lock(&e->lock);
        while (!e->woken) {
            pthread_cond_wait(&e->wake, &e->lock);
        }
        e->woken = false;
        pthread_mutex_unlock(&e->lock);
    }
    return parse;
}

static const struct weft_crawl_options options;
static const struct weft_work work = {.options = &options,
                                      .page = {.max_links = 100, .max_url = 8000}};

static void make_page(struct weft_parse *parse, unsigned i)
{
    char url[64], body[64];
    snprintf(url, sizeof url, "http://a.test/%u", i);
    snprintf(body, sizeof body, "<title>%u</title><a href=/x%u>x</a>", i, i);
    const struct weft_queued entry = {.url = url, .len = (uint32_t)strlen(url)};
    parse->visit = weft_visit_new(WEFT_VISIT_PAGE, &entry);
    ck_assert_ptr_nonnull(parse->visit);
    weft_response_init(&parse->response);
    parse->response.status = 200;
    ck_assert_int_eq(
        weft_response_set(&parse->response, &parse->response.content_type, "text/html", 9),
        WEFT_OK);
    ck_assert_int_eq(weft_response_append(&parse->response, body, strlen(body)), WEFT_OK);
}

static void free_page(struct weft_parse *parse)
{
    weft_visit_free(parse->visit);
    weft_response_release(&parse->response);
}

/* Submits all pages and takes them back; what can't be submitted is counted. */
static void round_trip(struct engine *e, struct weft_parsers *p, struct weft_parse *pages,
                       unsigned *refused)
{
    unsigned out = 0, seen[PAGES] = {0};
    for (unsigned i = 0; i < PAGES; i++) {
        if (weft_parsers_submit(p, &pages[i]) == WEFT_OK) {
            out++;
        } else {
            ++*refused;
            seen[i]++;
        }
    }
    for (; out > 0; out--) {
        struct weft_parse *parse = next(e, p);
        seen[parse - pages]++;
    }
    fault_check(weft_parsers_take(p) == NULL);
    for (unsigned i = 0; i < PAGES; i++) {
        fault_check(seen[i] == 1);
    }
}

static void check_read(struct weft_parse *pages)
{
    char title[16];
    for (unsigned i = 0; i < PAGES; i++) {
        const struct weft_answer *a = &pages[i].visit->answer;
        snprintf(title, sizeof title, "%u", i);
        ck_assert_str_eq(a->title, title);
        ck_assert_uint_eq(a->nlinks, 1);
        ck_assert_int_ge(a->read_until, a->read_from);
    }
}

START_TEST(every_page_comes_back_once)
{
    struct engine e = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    struct weft_parse pages[PAGES];
    struct weft_parsers *p;
    unsigned refused = 0;
    for (unsigned i = 0; i < PAGES; i++) {
        make_page(&pages[i], i);
    }
    faults_spurious(_i > 2);
    ck_assert_int_eq(weft_parsers_new(&p, &work, (unsigned)_i, wake, &e), WEFT_OK);
    for (unsigned round = 0; round < 20; round++) {
        round_trip(&e, p, pages, &refused);
    }
    faults_spurious(false);
    ck_assert_uint_eq(refused, 0);
    ck_assert_uint_ge(e.wakes, 20);
    ck_assert_uint_le(e.wakes, 20 * PAGES);
    check_read(pages);
    weft_parsers_free(p);
    for (unsigned i = 0; i < PAGES; i++) {
        free_page(&pages[i]);
    }
}
END_TEST

START_TEST(ends_with_work_left)
{
    struct engine e = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
    struct weft_parse pages[PAGES];
    struct weft_parsers *p;
    ck_assert_int_eq(weft_parsers_new(&p, &work, 2, wake, &e), WEFT_OK);
    for (unsigned i = 0; i < PAGES; i++) {
        make_page(&pages[i], i);
        ck_assert_int_eq(weft_parsers_submit(p, &pages[i]), WEFT_OK);
    }
    weft_parsers_free(p);
    for (unsigned i = 0; i < PAGES; i++) {
        free_page(&pages[i]); /* ours again: nothing touches them any more */
    }
}
END_TEST

static void (*const faults[])(long) = {faults_alloc_at, faults_thread_at, faults_init_at};

START_TEST(nothing_is_lost_when_something_fails)
{
    bool hit = true;
    for (long n = 1; hit; n++) {
        struct engine e = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};
        struct weft_parse pages[PAGES];
        struct weft_parsers *p;
        unsigned refused = 0;
        for (unsigned i = 0; i < PAGES; i++) {
            make_page(&pages[i], i);
        }
        faults[_i](n);
        enum weft_status st = weft_parsers_new(&p, &work, 2, wake, &e);
        if (st == WEFT_OK) {
            round_trip(&e, p, pages, &refused);
        } else {
            fault_check(p == NULL);
        }
        weft_parsers_free(p);
        hit = faults_hit();
        faults[_i](0);
        ck_assert(hit || (st == WEFT_OK && refused == 0));
        for (unsigned i = 0; i < PAGES; i++) {
            free_page(&pages[i]);
        }
    }
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("parsers");
    tcase_add_loop_test(t, every_page_comes_back_once, 1, 5);
    tcase_add_test(t, ends_with_work_left);
    tcase_add_loop_test(t, nothing_is_lost_when_something_fails, 0, 3);
    return suite_run("parsers", t);
}
