/* check_list.c -- lists of URLs: what is fetched and how often, both limits at once on a list that
 * is sorted by host, order, races, and how far ahead the list is read. */
#include "site.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_SEEDS   SEEDS(NULL)

/* A site and the list that is read: its user pointer is both. */
struct listed {
    struct site site;
    const char *const *urls; /* NULL: made by number */
    char made[64];
    size_t at, end;
    size_t most_ahead; /* URLs given out and not yet asked, at most */
    bool dry_once;     /* says "none yet" before each URL */
    bool was_dry;
};

static enum weft_status next_url(void *user, const char **url, size_t *len)
{
    struct listed *l = user;
    if (l->urls ? !l->urls[l->at] : l->at == l->end) {
        return WEFT_END;
    }
    if (l->dry_once && !l->was_dry) {
        l->was_dry = true;
        weft_crawl_more(l->site.crawl);
        return WEFT_EAGAIN;
    }
    l->was_dry = false;
    snprintf(l->made, sizeof l->made, "http://h%zu.test/%zu", l->at / 100, l->at);
    *url = l->urls ? l->urls[l->at] : l->made;
    *len = strlen(*url);
    l->at++;
    pthread_mutex_lock(&l->site.lock);
    size_t ahead = l->at - l->site.nasked;
    pthread_mutex_unlock(&l->site.lock);
    if (ahead > l->most_ahead) {
        l->most_ahead = ahead;
    }
    return WEFT_OK;
}

static struct weft_crawl_report fetch_list(struct listed *l, struct weft_crawl_options *o,
                                           const char *const *urls)
{
    l->urls = urls;
    o->next_url = next_url;
    o->ignore_robots = true;
    return site_crawl(&l->site, o, NO_SEEDS);
}

static const struct page pages[] = {
    {.url = "http://a.test/", .body = "<title>home</title><a href=/b>b</a><a href=/c>c</a>"},
    {.url = "http://a.test/b", .body = "<title>b</title>", .latency_ms = 90},
    {.url = "http://a.test/old", .status = 301, .location = "http://b.test/new"},
    {.url = "http://b.test/new", .body = "<title>new</title>", .latency_ms = 30},
    {.url = "http://a.test/ring", .status = 302, .location = "/ring2"},
    {.url = "http://a.test/ring2", .status = 302, .location = "/ring"},
    {.url = "http://a.test/bad", .status = 302},
    {.url = "http://a.test/flaky", .faults = 1, .fault_status = 500},
    {.url = "http://m1.test/f", .status = 404, .latency_ms = 20},
    {.url = "http://m2.test/f", .latency_ms = 500, .body = "<title>m2</title>"},
    {.url = "http://m3.test/f", .latency_ms = 50, .body = "<title>m3</title>"},
    {0},
};

START_TEST(nothing_is_followed_and_nothing_is_left_out)
{
    struct listed l = {.dry_once = _i == 1};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.has_delay = true};
    struct weft_crawl_report r = fetch_list(
        &l, &o,
        SEEDS("http://a.test/", "http://a.test/#x", "HTTP://A.test/b", "http://a.test/",
              "http://a.test/missing", "no url", "ftp://a.test/", ""));
    ck_assert_uint_eq(site_asked(&l.site, "http://a.test/"), 3);
    ck_assert_uint_eq(site_asked(&l.site, "http://a.test/b"), 1);
    ck_assert_uint_eq(site_asked(&l.site, "http://a.test/c"), 0);
    ck_assert_uint_eq(l.site.nasked, 5);
    ck_assert_uint_eq(l.site.nrecords, 8);
    ck_assert_uint_eq(r.fetched, 4);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 1);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_BAD_URL], 3);
    ck_assert_uint_eq(r.seeds_failed, 4);
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    ck_assert_str_eq(site_record(&l.site, "http://a.test/"),
                     "fetched - 200 links=2 title=home final=http://a.test/ hops=0");
    site_release(&l.site);
}
END_TEST

START_TEST(a_redirect_is_one_record_with_the_facts_of_its_end)
{
    struct listed l = {0};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.has_delay = true};
    struct weft_crawl_report r = fetch_list(&l, &o,
                                            SEEDS("http://a.test/old", "http://a.test/old",
                                                  "http://a.test/ring", "http://a.test/bad",
                                                  "http://a.test/flaky"));
    ck_assert_uint_eq(l.site.nrecords, 5);
    ck_assert_str_eq(site_record(&l.site, "http://a.test/old"),
                     "fetched - 200 links=0 title=new final=http://b.test/new hops=1");
    ck_assert_ptr_null(site_record(&l.site, "http://b.test/new"));
    ck_assert_uint_eq(site_asked(&l.site, "http://b.test/new"), 2);
    ck_assert_uint_eq(r.failed[WEFT_REASON_REDIRECT_LOOP], 1);
    ck_assert_uint_eq(r.failed[WEFT_REASON_REDIRECT], 1);
    ck_assert_uint_eq(r.retries, 1);
    ck_assert_uint_eq(r.fetched, 3);
    site_release(&l.site);
}
END_TEST

/* 400 URLs of four hosts, one host after another, two at once to one host, ten ms each: with eight
 * slots the whole takes 100 / 2 * 10 ms if all four hosts are asked side by side. */
static void sum_attempts(struct site *s, const struct weft_record *r)
{
    snprintf(s->log + strlen(s->log), sizeof s->log - strlen(s->log), "%u", r->attempts);
}

/* A hop is no attempt; what is sent again for it is one. */
START_TEST(hops_are_no_attempts)
{
    struct listed l = {0};
    static const struct page hops[] = {
        {.url = "http://a.test/1", .status = 302, .location = "/2"},
        {.url = "http://a.test/2",
         .status = 302,
         .location = "/3",
         .faults = 1,
         .fault_status = 503},
        {.url = "http://a.test/3", .body = "<title>3</title>"},
        {.url = "http://a.test/4", .status = 302, .location = "/5"},
        {.url = "http://a.test/5", .faults = 9, .fault_status = 500},
        {0},
    };
    site_init(&l.site, hops);
    l.site.also = sum_attempts;
    l.site.log[0] = '\0';
    struct weft_crawl_options o = {.has_delay = true, .jobs = 1, .retries = 2};
    struct weft_crawl_report r = fetch_list(
        &l, &o, SEEDS("http://a.test/3", "http://a.test/1", "http://a.test/4"));
    ck_assert_uint_eq(r.fetched, 2);
    ck_assert_uint_eq(r.retries, 3);
    ck_assert_str_eq(l.site.log, "123");
    site_release(&l.site);
}
END_TEST

START_TEST(a_list_sorted_by_host_keeps_all_slots_busy)
{
    struct listed l = {.end = 400};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.has_delay = true, .jobs = 8, .per_host = 2};
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    ck_assert_uint_eq(l.site.nasked, 400);
    ck_assert_uint_eq(r.peak_in_flight, 8);
    ck_assert_int_eq(r.elapsed, 500 * WEFT_MS);
    site_release(&l.site);
}
END_TEST

/* One host's pace is its own: 100 URLs, 0.1 s apart. */
START_TEST(a_list_of_one_host_goes_at_that_hosts_pace)
{
    struct listed l = {.end = 100};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.has_delay = true, .delay = 100 * WEFT_MS, .jobs = 8};
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    ck_assert_int_eq(r.elapsed, 99 * 100 * WEFT_MS + 10 * WEFT_MS);
    ck_assert_uint_eq(r.peak_in_flight, 1);
    site_release(&l.site);
}
END_TEST

START_TEST(the_list_is_read_only_so_far_ahead)
{
    struct listed l = {.end = 3000};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.has_delay = true, .jobs = 3, .ahead = 50};
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 3000);
    ck_assert_uint_eq(l.most_ahead, 50);
    site_release(&l.site);
}
END_TEST

START_TEST(lines_that_are_no_urls_hold_nothing_up)
{
    struct listed l = {0};
    const char *urls[3001];
    for (size_t i = 0; i < 3000; i++) {
        urls[i] = "nonsense";
    }
    urls[2500] = "http://a.test/";
    urls[3000] = NULL;
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.ordered = _i == 1};
    struct weft_crawl_report r = fetch_list(&l, &o, urls);
    ck_assert_uint_eq(r.skipped[WEFT_REASON_BAD_URL], 2999);
    ck_assert_uint_eq(r.fetched, 1);
    site_release(&l.site);
}
END_TEST

/* --- order -------------------------------------------------------------------------------------
 */

START_TEST(ordered_results_come_as_listed)
{
    struct listed l = {.dry_once = _i % 2 == 1};
    site_init(&l.site, pages);
    l.site.scatter = 7 + (unsigned)_i;
    struct weft_crawl_options o = {.has_delay = true, .ordered = true, .jobs = 7, .ahead = 20};
    l.end = 300;
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    ck_assert_uint_eq(l.site.nrecords, 300);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 300);
    for (size_t i = 0; i < 300; i++) {
        char url[64];
        int n = snprintf(url, sizeof url, "http://h%zu.test/%zu ", i / 100, i);
        ck_assert_msg(!strncmp(l.site.records[i], url, (size_t)n), "%zu: %s", i, l.site.records[i]);
    }
    ck_assert_uint_le(l.most_ahead, 20 + 7);
    site_release(&l.site);
}
END_TEST

static void stop_it(struct site *s, const char *url)
{
    if (strstr(url, "/40")) {
        weft_crawl_stop(s->crawl, true);
    }
}

/* What was finished behind one that was not is told too, in order. */
START_TEST(an_ordered_list_that_is_stopped_keeps_what_was_finished)
{
    struct listed l = {.end = 100};
    site_init(&l.site, pages);
    l.site.on_asked = stop_it;
    l.site.scatter = 3;
    struct weft_crawl_options o = {.has_delay = true, .ordered = true, .jobs = 16};
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    size_t failed = 0;
    for (size_t i = 0; i < WEFT_NREASONS; i++) {
        failed += r.failed[i];
    }
    ck_assert_int_eq(r.end, WEFT_END_INTERRUPTED);
    ck_assert_uint_eq(failed, l.site.nrecords);
    ck_assert_uint_eq(l.site.nasked, l.site.nrecords);
    ck_assert_uint_gt(r.failed[WEFT_REASON_INTERRUPTED], 0);
    ck_assert_uint_gt(r.failed[WEFT_REASON_HTTP_STATUS], 0);
    site_release(&l.site);
}
END_TEST

START_TEST(a_budget_ends_the_list)
{
    struct listed l = {.end = 100};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {
        .has_delay = true, .max_pages = _i ? 100 : 30, .ahead = 10, .ordered = true};
    struct weft_crawl_report r = fetch_list(&l, &o, NULL);
    ck_assert_uint_eq(l.site.nasked, o.max_pages);
    ck_assert_uint_eq(l.site.nrecords, o.max_pages);
    ck_assert_int_eq(r.end, _i ? WEFT_END_FINISHED : WEFT_END_MAX_PAGES);
    ck_assert_int_eq(r.list_left, !_i);
    site_release(&l.site);
}
END_TEST

/* The first host keeps a second between two starts; the second one, further down, is ready at once.
 * What is not a URL does not count, and what stands behind the last URL is not told. */
START_TEST(a_budget_takes_the_first_of_the_list)
{
    struct listed l = {0};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {
        .has_delay = true, .delay = WEFT_SECOND, .max_pages = 3, .jobs = 8};
    struct weft_crawl_report r = fetch_list(&l, &o,
                                            SEEDS("http://a.test/", "no url", "http://a.test/b",
                                                  "http://a.test/flaky", "no url either",
                                                  "http://m2.test/f", "http://m3.test/f"));
    ck_assert_int_eq(r.end, WEFT_END_MAX_PAGES);
    ck_assert_uint_eq(l.site.nrecords, 4);
    ck_assert_uint_eq(site_asked(&l.site, "http://a.test/b"), 1);
    ck_assert_uint_eq(site_asked(&l.site, "http://a.test/flaky"), 2); /* with its retry */
    ck_assert_uint_eq(r.skipped[WEFT_REASON_BAD_URL], 1);
    ck_assert_uint_eq(r.left, 0);
    ck_assert(r.list_left);
    ck_assert_uint_eq(r.seeds_failed, 1); /* "no url": a line that was read */
    site_release(&l.site);
}
END_TEST

/* --- races -------------------------------------------------------------------------------------
 */

START_TEST(the_first_good_answer_wins_and_ends_the_rest)
{
    struct listed l = {0};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.race = true};
    struct weft_crawl_report r = fetch_list(
        &l, &o, SEEDS("http://m1.test/f", "http://m2.test/f", "http://m3.test/f"));
    ck_assert_uint_eq(l.site.nrecords, 1);
    ck_assert_str_eq(site_record(&l.site, "http://m3.test/f"),
                     "fetched - 200 links=0 title=m3 final=http://m3.test/f hops=0");
    ck_assert_int_eq(r.elapsed, 50 * WEFT_MS);
    ck_assert_uint_eq(r.fetched, 1);
    ck_assert_uint_eq(r.seeds_failed, 0);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 0);
    ck_assert_uint_eq(r.failed[WEFT_REASON_INTERRUPTED], 0);
    ck_assert_int_eq(r.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(r.left, 0);
    site_release(&l.site);
}
END_TEST

START_TEST(when_all_fail_each_failure_is_told_in_order)
{
    struct listed l = {0};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.race = true};
    struct weft_crawl_report r = fetch_list(
        &l, &o, SEEDS("http://x.test/", "http://m1.test/f", "nonsense", "http://a.test/bad"));
    ck_assert_uint_eq(l.site.nrecords, 4);
    ck_assert(!strncmp(l.site.records[0], "http://x.test/ ", 15));
    ck_assert(!strncmp(l.site.records[1], "http://m1.test/f ", 17));
    ck_assert(!strncmp(l.site.records[2], "nonsense ", 9));
    ck_assert(!strncmp(l.site.records[3], "http://a.test/bad ", 18));
    ck_assert_uint_eq(r.fetched, 0);
    ck_assert_uint_eq(r.seeds_failed, 4);
    site_release(&l.site);
}
END_TEST

/* A race reads no more mirrors than there is room for. */
START_TEST(a_race_has_room_for_so_many)
{
    struct listed l = {.end = 100};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.race = true, .has_delay = true, .ahead = 10};
    fetch_list(&l, &o, NULL);
    ck_assert_uint_eq(l.site.nrecords, 10);
    site_release(&l.site);
}
END_TEST

START_TEST(lists_and_seeds_exclude_each_other)
{
    struct weft_crawl_options o = {.next_url = next_url};
    struct weft_crawl *c;
    char error[200];
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(weft_crawl_add(c, "http://a.test/", 14), WEFT_EINVAL);
    weft_crawl_free(c);
    struct weft_crawl_options wrong[] = {
        {.ordered = true}, {.race = true}, {.next_url = next_url, .ordered = true, .race = true}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(weft_crawl_new(&c, &wrong[i], error, sizeof error), WEFT_EINVAL);
        ck_assert_ptr_null(c);
    }
}
END_TEST

/* The real engines, with threads: the same records for each. */
START_TEST(every_engine_takes_lists)
{
    struct listed l = {.end = 500, .dry_once = true};
    site_init(&l.site, pages);
    struct weft_crawl_options o = {.engine = _i ? WEFT_ENGINE_SYNC : WEFT_ENGINE_THREADS,
                                   .next_url = next_url,
                                   .ordered = true,
                                   .jobs = 8,
                                   .ahead = 40};
    struct weft_crawl_report r = site_crawl_real(&l.site, &o, NO_SEEDS);
    ck_assert_uint_eq(r.failed[WEFT_REASON_HTTP_STATUS], 500);
    ck_assert_str_eq(l.site.records[499],
                     site_record(&l.site, "http://h4.test/499") - strlen("http://h4.test/499 "));
    site_release(&l.site);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("list");
    tcase_add_loop_test(tc, nothing_is_followed_and_nothing_is_left_out, 0, 2);
    tcase_add_test(tc, a_redirect_is_one_record_with_the_facts_of_its_end);
    tcase_add_test(tc, hops_are_no_attempts);
    tcase_add_test(tc, a_list_sorted_by_host_keeps_all_slots_busy);
    tcase_add_test(tc, a_list_of_one_host_goes_at_that_hosts_pace);
    tcase_add_test(tc, the_list_is_read_only_so_far_ahead);
    tcase_add_loop_test(tc, lines_that_are_no_urls_hold_nothing_up, 0, 2);
    tcase_add_loop_test(tc, ordered_results_come_as_listed, 0, 4);
    tcase_add_test(tc, an_ordered_list_that_is_stopped_keeps_what_was_finished);
    tcase_add_loop_test(tc, a_budget_ends_the_list, 0, 2);
    tcase_add_test(tc, a_budget_takes_the_first_of_the_list);
    tcase_add_test(tc, the_first_good_answer_wins_and_ends_the_rest);
    tcase_add_test(tc, when_all_fail_each_failure_is_told_in_order);
    tcase_add_test(tc, a_race_has_room_for_so_many);
    tcase_add_test(tc, lists_and_seeds_exclude_each_other);
    tcase_add_loop_test(tc, every_engine_takes_lists, 0, 2);
    return suite_run("crawl: lists", tc);
}
