/* check_trace.c -- the timeline of a crawl, read back by jansson: one span a request, lanes in
 * which spans nest and never overlap, and a file that can't be written told of. */
#include "crawl/host.h"
#include "crawl/trace.h"
#include "lab/lab.h"
#include "support/suite.h"
#include "weft/crawl.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[] = "/tmp/weft-trace-XXXXXX";
static char path[64];
static struct weft_lab *lab;

static void set_up(void)
{
    char error[256];
    strcpy(dir + strlen(dir) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/trace.json", dir);
    ck_assert_int_eq(
        weft_lab_start(&lab, &(struct weft_lab_options){.delay_ms = 2}, error, sizeof error),
        WEFT_OK);
}

static void tear_down(void)
{
    weft_lab_stop(lab);
    unlink(path);
    rmdir(dir);
}

static struct weft_crawl_report crawl(struct weft_crawl_options *o, const char *at)
{
    struct weft_crawl *c;
    struct weft_crawl_report r;
    char error[512], url[256];
    snprintf(url, sizeof url, "%s%s", weft_lab_url(lab, 0), at);
    ck_assert_msg(weft_crawl_new(&c, o, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_int_eq(weft_crawl_add(c, url, strlen(url)), WEFT_OK);
    enum weft_status st = weft_crawl_run(c, &r);
    ck_assert(st == WEFT_OK || st == WEFT_EIO);
    weft_crawl_free(c);
    return r;
}

struct span {
    int lane;
    double from, until;
    bool whole; /* a whole fetch, not a part of one */
};

static int by_lane(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->lane != y->lane) {
        return x->lane - y->lane;
    }
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return x->until > y->until ? -1 : x->until < y->until ? 1 : (int)y->whole - (int)x->whole;
}

/* Spans of a lane: each begins after the one before, or lies within it. */
static void check_nesting(struct span *spans, size_t n)
{
    qsort(spans, n, sizeof *spans, by_lane);
    struct span open[8];
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        while (depth && (open[depth - 1].lane != spans[i].lane ||
                         open[depth - 1].until <= spans[i].from + 1e-6)) {
            depth--;
        }
        ck_assert_msg(!depth || spans[i].until <= open[depth - 1].until + 1e-3,
                      "lane %d: a span of %f..%f overlaps one that ends at %f", spans[i].lane,
                      spans[i].from, spans[i].until, open[depth - 1].until);
        ck_assert_msg(!(depth && spans[i].whole), "two fetches at once in lane %d", spans[i].lane);
        ck_assert_uint_lt(depth, 8);
        open[depth++] = spans[i];
    }
}

struct read {
    size_t fetches, hand_overs, waits_begun, waits_ended, arrows, lanes, parses;
};

/* Reads the file and checks its lanes. */
static struct read read_trace(void)
{
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error), *e;
    size_t i, n = 0;
    struct read r = {0};
    ck_assert_msg(all != NULL, "line %d: %s", error.line, error.text);
    struct span *spans = calloc(json_array_size(all) + 1, sizeof *spans);
    json_array_foreach(all, i, e)
    {
        const char *ph = json_string_value(json_object_get(e, "ph"));
        const char *name = json_string_value(json_object_get(e, "name"));
        ck_assert_ptr_nonnull(ph);
        ck_assert_ptr_nonnull(name);
        r.arrows += *ph == 'f';
        r.waits_begun += *ph == 'b';
        r.waits_ended += *ph == 'e';
        r.lanes += *ph == 'M' && !strcmp(name, "thread_name");
        if (*ph != 'X') {
            continue;
        }
        struct span *s = &spans[n++];
        s->lane = (int)json_integer_value(json_object_get(e, "tid"));
        s->from = json_number_value(json_object_get(e, "ts"));
        s->until = s->from + json_number_value(json_object_get(e, "dur"));
        s->whole = json_object_get(e, "args") != NULL;
        r.fetches += s->whole;
        r.hand_overs += s->lane == 0;
        r.parses += !strcmp(name, "parse");
    }
    check_nesting(spans, n);
    free(spans);
    json_decref(all);
    return r;
}

static const struct {
    enum weft_engine_kind engine;
    unsigned jobs, parse_jobs;
} engines[] = {{WEFT_ENGINE_SYNC, 1, 0},
               {WEFT_ENGINE_THREADS, 6, 0},
               {WEFT_ENGINE_EVENTS, 6, 0},
               {WEFT_ENGINE_EVENTS, 6, 2}};

START_TEST(a_span_for_each_request)
{
    struct weft_crawl_options o = {.engine = engines[_i].engine,
                                   .jobs = engines[_i].jobs,
                                   .parse_jobs = engines[_i].parse_jobs,
                                   .trace_file = path};
    struct weft_crawl_report report = crawl(&o, "/gen/pages=60,size=2000,links=9/0.html");
    ck_assert_uint_eq(report.fetched, 60);
    struct read r = read_trace();
    ck_assert_uint_eq(r.fetches, report.requests); /* robots.txt is one of them */
    ck_assert_uint_eq(r.hand_overs, report.requests);
    ck_assert_uint_eq(r.arrows, report.requests);
    ck_assert_uint_ge(r.parses, 60);
    ck_assert_uint_eq(r.waits_begun, r.waits_ended);
    ck_assert_uint_ge(r.waits_begun, 60); /* each page waited for something */
    ck_assert_uint_eq(r.lanes, engines[_i].jobs + 1);
}
END_TEST

START_TEST(retries_are_spans_too)
{
    struct weft_crawl_options o = {
        .engine = engines[_i].engine, .jobs = 2, .trace_file = path, .retry_base = WEFT_MS};
    struct weft_crawl_report report = crawl(&o, "/flaky?fail=2&key=%22\"\\");
    ck_assert_uint_eq(report.fetched, 1);
    ck_assert_uint_eq(report.retries, 2);
    ck_assert_uint_eq(read_trace().fetches, report.requests);
}
END_TEST

START_TEST(an_existing_file_is_kept)
{
    struct weft_crawl *c;
    char error[512] = "";
    fclose(fopen(path, "w"));
    struct weft_crawl_options o = {.trace_file = path};
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_EDONE);
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    o.append = true;
    ck_assert_int_eq(weft_crawl_new(&c, &o, error, sizeof error), WEFT_EINVAL);
    o.append = false;
    o.overwrite = true;
    ck_assert_uint_eq(crawl(&o, "/slow?ms=0").fetched, 1);
    ck_assert_uint_eq(read_trace().fetches, 2);
}
END_TEST

/* Many start before one comes back: what is buffered is bounded all the same. */
START_TEST(thousands_start_at_once)
{
    struct weft_crawl_options o = {.jobs = 6000, .trace_file = path};
    const struct weft_host_policy policy = {.per_host = 6000};
    const struct weft_queued entry = {.url = "http://a.test/a/long/path", .len = 25};
    struct weft_visit *v = weft_visit_new(WEFT_VISIT_PAGE, &entry);
    struct weft_host *h = weft_host_new("http://a.test", 13, 1, &policy);
    struct weft_trace *t;
    char error[512] = "";
    ck_assert_int_eq(weft_trace_open(&t, &o, false, WEFT_SECOND, error, sizeof error), WEFT_OK);
    v->host = h;
    v->waiting_since = WEFT_SECOND;
    for (unsigned i = 1; i <= o.jobs; i++) {
        weft_trace_start(t, v, 2 * WEFT_SECOND + i, i);
    }
    ck_assert_int_eq(weft_trace_taken(t, 3 * WEFT_SECOND), WEFT_OK);
    ck_assert_msg(weft_trace_close(t, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_uint_eq(read_trace().waits_begun, o.jobs);
    weft_visit_free(v);
    weft_host_free(h);
}
END_TEST

START_TEST(a_full_disk_ends_the_crawl)
{
    struct weft_crawl_options o = {.engine = engines[_i].engine, .trace_file = "/dev/full"};
    struct weft_crawl_report r = crawl(&o, "/gen/pages=500,size=100,links=9/0.html");
    ck_assert_int_eq(r.end, WEFT_END_OUTPUT);
    ck_assert_msg(strstr(r.error, "/dev/full") != NULL, "%s", r.error);
    ck_assert_uint_lt(r.fetched, 500); /* it did not go on for nothing */
}
END_TEST

int main(void)
{
    const int n = sizeof engines / sizeof engines[0];
    TCase *t = tcase_create("trace");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_loop_test(t, a_span_for_each_request, 0, n);
    tcase_add_loop_test(t, retries_are_spans_too, 0, n);
    tcase_add_test(t, an_existing_file_is_kept);
    tcase_add_test(t, thousands_start_at_once);
    tcase_add_loop_test(t, a_full_disk_ends_the_crawl, 0, n);
    return suite_run("trace", t);
}
