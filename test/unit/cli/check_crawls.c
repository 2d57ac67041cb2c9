/* check_crawls.c -- whole crawls of the lab server by every engine: a site whose pages, depths and
 * order are known, any number of jobs, and everything that a server can do wrong. What is recorded
 * is the same for each of them. */
#include "crawled.h"
#include "lab/lab.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct weft_lab *lab_of(const char *dir)
{
    struct weft_lab *lab;
    char error[256];
    ck_assert_msg(weft_lab_start(&lab, &(struct weft_lab_options){.dir = dir}, error,
                                 sizeof error) == WEFT_OK,
                  "%s", error);
    return lab;
}

/* ---- a site whose pages are numbered breadth first */

#define GEN "/gen/pages=300,size=900,links=10,fan=5/"

START_TEST(a_generated_site_is_found_whole_and_each_page_once)
{
    struct weft_lab *lab = lab_of(NULL);
    for (int depth = 0; depth < 2; depth++) {
        struct weft_crawl_options o = {.jobs = 12, .has_max_depth = depth, .max_depth = 99};
        struct weft_lab_stats stats;
        struct crawled c;
        crawled_init(&c, weft_lab_url(lab, 0));
        c.depths = depth;
        weft_lab_reset_stats(lab);
        crawled_run(&c, o, &variants[_i], SEEDS(GEN "0.html"));
        ck_assert_uint_eq(c.report.fetched, 300);
        ck_assert_uint_eq(c.n, 300);
        for (unsigned i = 0, level = 0, last = 0; i < 300; i++) {
            char url[64], end[32];
            snprintf(url, sizeof url, GEN "%u.html", i);
            const char *line = crawled_line(&c, url);
            ck_assert_msg(strncmp(line, "fetched - 200", 13) == 0, "%s: %s", url, line);
            if (i > last) { /* of this level: it holds five times as many as the one above */
                level++;
                last = last * 5 + 5;
            }
            snprintf(end, sizeof end, " depth=%u", level);
            ck_assert_msg(!depth || strstr(line, end), "%s: %s", url, line);
            /* One at a time, they come in the order of their numbers. */
            ck_assert_msg(variants[_i].engine != WEFT_ENGINE_SYNC ||
                              strncmp(c.lines[i], url, strlen(url)) == 0,
                          "%s comes %u.", c.lines[i], i);
        }
        weft_lab_get_stats(lab, &stats);
        ck_assert_uint_eq(stats.requests, 301); /* with robots.txt */
        ck_assert_uint_eq(stats.repeated, 0);
        crawled_release(&c);
    }
    weft_lab_stop(lab);
}
END_TEST

/* ---- any number of jobs */

START_TEST(the_number_of_jobs_does_not_show)
{
    static const unsigned jobs[] = {1, 2, 3, 5, 8, 16, 33, 64};
    struct weft_lab *lab = lab_of(NULL);
    for (int depth = 0; depth < 2; depth++) {
        struct weft_crawl_options o = {.jobs = 1, .has_max_depth = depth, .max_depth = 3};
        struct crawled one;
        crawled_init(&one, weft_lab_url(lab, 0));
        one.depths = depth;
        crawled_run(&one, o, &variants[0], SEEDS(GEN "0.html", "/shop/"));
        for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
            struct weft_lab_stats stats;
            struct crawled c;
            crawled_init(&c, one.base);
            c.depths = depth;
            o.jobs = jobs[i];
            weft_lab_reset_stats(lab);
            crawled_run(&c, o, &variants[_i], SEEDS(GEN "0.html", "/shop/"));
            crawled_same(&one, &c);
            weft_lab_get_stats(lab, &stats);
            ck_assert_uint_le(stats.in_flight_peak, jobs[i]);
            ck_assert_uint_le(c.report.peak_in_flight, jobs[i]);
            ck_assert_uint_eq(stats.repeated, 0);
            crawled_release(&c);
        }
        crawled_release(&one);
    }
    weft_lab_stop(lab);
}
END_TEST

START_TEST(the_sample_site_gives_the_same_records_links_included)
{
    struct weft_lab *lab = lab_of("sample_site");
    struct weft_crawl_options o = {.jobs = 64, .has_max_depth = true, .max_depth = 99};
    struct crawled all[NVARIANTS];
    for (int i = 0; i < NVARIANTS; i++) {
        crawled_init(&all[i], weft_lab_url(lab, 0));
        all[i].depths = true;
        crawled_run(&all[i], o, &variants[i], SEEDS("/"));
        crawled_same(&all[0], &all[i]);
    }
    ck_assert_ptr_nonnull(strstr(crawled_line(&all[0], "/broken/"), "links=10"));
    for (int i = 0; i < NVARIANTS; i++) {
        crawled_release(&all[i]);
    }
    weft_lab_stop(lab);
}
END_TEST

/* ---- what a server can do wrong */

static const struct {
    const char *url, *line; /* without title and the like */
} faults[] = {
    {"/flaky?fail=2", "fetched - 200"},
    {"/flaky?fail=9&key=b", "failed http_status 503"},
    {"/status/404", "failed http_status 404"},
    {"/status/500", "failed http_status 500"},
    {"/status/204", "fetched - 204"},
    {"/reset", "failed connection 0"},
    {"/slow?ms=50", "fetched - 200"},
    {"/drip?n=4&size=50&every=20", "fetched - 200"},
    {"/drip?n=4&size=50&every=20&chunked=1", "fetched - 200"},
    {"/big?size=40K", "fetched - 200"},
    {"/big?size=400K", "failed too_large 200"},
    {"/big?size=400K&chunked=1", "failed too_large 200"},
    {"/truncated?size=1000&sent=500", "failed truncated 200"},
    {"/truncated?size=1000&sent=500&reset=1", "failed connection 200"},
    {"/redirect/3", "fetched - 200"},
    {"/redirect/2", "fetched - 200"},
    {"/redirect/0", "fetched - 200"},
    {"/redirect/12?status=301", "failed redirect_loop 301"},
    {"/status/429?retry-after=3600", "failed http_status 429"},
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(every_fault_has_its_record)
{
    struct weft_lab *lab = lab_of(NULL);
    const char *seeds[NFAULTS + 60] = {NULL};
    static char unreliable[50][64];
    for (int i = 0; i < NFAULTS; i++) {
        seeds[i] = faults[i].url;
    }
    for (int i = 0; i < 50; i++) {
        snprintf(unreliable[i], sizeof unreliable[i], "/unreliable/%d?rate=0.2&seed=1", i);
        seeds[NFAULTS + i] = unreliable[i];
    }
    struct weft_crawl_options o = {.jobs = 16,
                                   .retry_base = WEFT_MS,
                                   .max_retry_after = 5 * WEFT_MS,
                                   .host_failures = -1,
                                   .net = {.max_body = 100000}};
    struct crawled expected, got;
    crawled_init(&expected, weft_lab_url(lab, 0));
    crawled_init(&got, weft_lab_url(lab, 0));
    crawled_run(&got, o, &variants[_i], seeds);
    for (int i = 0; i < NFAULTS; i++) {
        const char *line = crawled_line(&got, faults[i].url);
        ck_assert_msg(strncmp(line, faults[i].line, strlen(faults[i].line)) == 0, "%s: %s",
                      faults[i].url, line);
    }
    ck_assert_ptr_nonnull(strstr(crawled_line(&got, "/redirect/3"), "final=/redirect/0"));
    ck_assert_uint_ge(got.report.failed[WEFT_REASON_HTTP_STATUS], 4 + 5); /* 10 of 50 or so */
    ck_assert_uint_ge(got.report.fetched, 8 + 30);
    weft_lab_reset_stats(lab); /* what is flaky begins anew */
    crawled_run(&expected, o, &variants[1], seeds);
    crawled_same(&expected, &got);
    crawled_release(&expected);
    crawled_release(&got);
    weft_lab_stop(lab);
}
END_TEST

START_TEST(silence_is_a_timeout)
{
    struct weft_lab *lab = lab_of(NULL);
    struct weft_crawl_options o = {.jobs = 16,
                                   .ignore_robots = true,
                                   .retry_base = WEFT_MS,
                                   .net = {.read_timeout = 80 * WEFT_MS}};
    struct crawled c;
    crawled_init(&c, weft_lab_url(lab, 0));
    crawled_run(&c, o, &variants[_i], SEEDS("/hang", "/drip?n=4&size=50&every=9000"));
    ck_assert_uint_eq(c.report.failed[WEFT_REASON_TIMEOUT], 2);
    ck_assert_uint_eq(weft_lab_path_requests(lab, "/hang"), 3);
    crawled_release(&c);
    weft_lab_stop(lab);
}
END_TEST

/* 429 with Retry-After: the host is left alone for that second, and then all comes in. */
START_TEST(a_limit_is_waited_for)
{
    static char urls[12][64];
    const char *seeds[13] = {NULL};
    struct weft_lab *lab = lab_of(NULL);
    for (int i = 0; i < 12; i++) {
        snprintf(urls[i], sizeof urls[i], "/limited/%d?rate=20&burst=8", i);
        seeds[i] = urls[i];
    }
    struct weft_crawl_options o = {.jobs = 12};
    struct weft_lab_stats stats;
    struct crawled c;
    crawled_init(&c, weft_lab_url(lab, 0));
    crawled_run(&c, o, &variants[_i], seeds);
    weft_lab_get_stats(lab, &stats);
    ck_assert_uint_eq(c.report.fetched, 12);
    ck_assert_uint_ge(stats.too_many, 1);
    ck_assert_uint_eq(c.report.retries, stats.too_many);
    ck_assert_int_ge(stats.last_answer - stats.first_request, WEFT_SECOND);
    crawled_release(&c);
    weft_lab_stop(lab);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("crawls");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, a_generated_site_is_found_whole_and_each_page_once, 0, NVARIANTS);
    tcase_add_loop_test(tc, the_number_of_jobs_does_not_show, 1, NVARIANTS);
    tcase_add_test(tc, the_sample_site_gives_the_same_records_links_included);
    tcase_add_loop_test(tc, every_fault_has_its_record, 0, NVARIANTS);
    tcase_add_loop_test(tc, silence_is_a_timeout, 0, NVARIANTS);
    tcase_add_loop_test(tc, a_limit_is_waited_for, 0, NVARIANTS);
    return suite_run("cli: whole crawls by every engine", tc);
}
