/* check_sample_site.c -- a crawl of the sample site gives exactly what sample_site/expected.jsonl
 * says, with every engine and any number of jobs: same URLs, outcomes, reasons, statuses and
 * titles; with -d also the same depths; with the sequential engine also the same order. Nothing is
 * asked for twice, as the server counts. */
#include "lab/lab.h"
#include "weft/crawl.h"

#include "support/suite.h"
#include <jansson.h>
#include <string.h>

struct crawled {
    const char *base; /* of the server, without the slash at the end */
    json_t *records;  /* an array, in the order in which they came */
    bool deaf;        /* a record could not be kept */
};

/* One way to crawl. */
static const struct way {
    enum weft_engine_kind engine;
    unsigned jobs;
    int max_depth; /* -1: none */
    bool record_skipped;
} ways[] = {
    {WEFT_ENGINE_SYNC, 1, -1, false},    {WEFT_ENGINE_SYNC, 1, 99, true},
    {WEFT_ENGINE_SYNC, 1, 2, false},     {WEFT_ENGINE_THREADS, 4, -1, false},
    {WEFT_ENGINE_THREADS, 16, -1, true}, {WEFT_ENGINE_THREADS, 3, 99, false},
    {WEFT_ENGINE_THREADS, 16, 2, false}, {WEFT_ENGINE_EVENTS, 4, -1, false},
    {WEFT_ENGINE_EVENTS, 64, -1, true},  {WEFT_ENGINE_EVENTS, 3, 99, false},
    {WEFT_ENGINE_EVENTS, 16, 2, true},
};

/* The URL without this site's origin. */
static const char *local(const struct crawled *c, const char *url)
{
    size_t len = strlen(c->base);
    return url && !strncmp(url, c->base, len) ? url + len : url;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static void on_record(void *user, const struct weft_record *r)
{
    struct crawled *c = user;
    json_t *line = json_object();
    const char *reason = r->reason ? weft_reason_name(r->reason) : NULL;
    int bad = json_object_set_new(line, "url", text_or_null(local(c, r->url)));
    bad |= json_object_set_new(line, "outcome", json_string(weft_outcome_name(r->outcome)));
    bad |= json_object_set_new(line, "reason", text_or_null(reason));
    bad |= json_object_set_new(line, "status", r->status ? json_integer(r->status) : json_null());
    bad |= json_object_set_new(line, "depth", json_integer(r->depth));
    bad |= json_object_set_new(line, "title", text_or_null(r->title));
    bad |= json_object_set_new(line, "final_url", text_or_null(local(c, r->final_url)));
    bad |= json_object_set_new(line, "referrer", text_or_null(local(c, r->referrer)));
    bad |= json_array_append_new(c->records, line);
    c->deaf = c->deaf || bad;
}

static void crawl(struct crawled *c, const struct way *way, struct weft_crawl_report *report)
{
    char error[512], seed[200];
    struct weft_crawl *crawl;
    const struct weft_crawl_options options = {
        .engine = way->engine,
        .jobs = way->jobs,
        .has_max_depth = way->max_depth >= 0,
        .max_depth = way->max_depth >= 0 ? (unsigned)way->max_depth : 0,
        .record_skipped = way->record_skipped,
        .user = c,
        .on_record = on_record};
    snprintf(seed, sizeof seed, "%s/", c->base);
    ck_assert_msg(weft_crawl_new(&crawl, &options, error, sizeof error) == WEFT_OK, "%s", error);
    ck_assert_int_eq(weft_crawl_add(crawl, seed, strlen(seed)), WEFT_OK);
    ck_assert_int_eq(weft_crawl_run(crawl, report), WEFT_OK);
    weft_crawl_free(crawl);
}

static json_t *read_expected(void)
{
    FILE *in = fopen("sample_site/expected.jsonl", "r");
    ck_assert_msg(in, "run from the top of the source tree");
    json_t *all = json_array(), *line;
    while ((line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL))) {
        ck_assert_int_eq(json_array_append_new(all, line), 0);
    }
    fclose(in);
    ck_assert_uint_gt(json_array_size(all), 60);
    return all;
}

static const char *text_of(const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));
    return text ? text : "";
}

static json_t *find(json_t *records, const char *url)
{
    size_t i;
    json_t *record, *found = NULL;
    json_array_foreach(records, i, record)
    {
        if (!strcmp(text_of(record, "url"), url)) {
            ck_assert_msg(!found, "%s is recorded twice", url);
            found = record;
        }
    }
    return found;
}

static int depth_of(const json_t *line)
{
    return (int)json_integer_value(json_object_get(line, "depth"));
}

/* Whether this way of crawling records the line at all. */
static bool is_recorded(const struct way *way, const json_t *line)
{
    return (way->record_skipped || !json_object_get(line, "only_with")) &&
           (way->max_depth < 0 || depth_of(line) <= way->max_depth + 1);
}

/* Compares the members of a line with its record. */
static void compare(const struct way *way, const json_t *line, const json_t *record)
{
    const char *url = text_of(line, "url");
    if (way->max_depth >= 0 && depth_of(line) > way->max_depth) {
        /* Beyond the limit it was not asked for, and so nothing else is known. */
        const char *reason = text_of(record, "reason");
        ck_assert_msg(!strcmp(text_of(record, "outcome"), "skipped"), "%s", url);
        ck_assert_msg(!strcmp(reason, "depth") || !strcmp(reason, text_of(line, "reason")),
                      "%s: %s", url, reason);
        return;
    }
    static const char *const members[] = {"outcome", "reason", "status", "title", "final_url"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *want = json_object_get(line, members[i]);
        const json_t *got = json_object_get(record, members[i]);
        ck_assert_msg(!want || json_equal(want, got), "%s: %s is %s", url, members[i],
                      json_is_null(got) ? "null" : text_of(record, members[i]));
    }
    /* Without -d, depth is that of the way found first, which only one at a time makes certain. */
    if (way->max_depth >= 0 || way->engine == WEFT_ENGINE_SYNC) {
        ck_assert_msg(depth_of(line) == depth_of(record), "%s: depth %d", url, depth_of(record));
    }
}

/* With -d the referrer is a page one step nearer to the seed, or the URL at the same depth whose
 * redirect led here. */
static void check_referrers(json_t *records)
{
    size_t i;
    json_t *record;
    json_array_foreach(records, i, record)
    {
        if (depth_of(record) == 0) {
            continue;
        }
        const json_t *referrer = find(records, text_of(record, "referrer"));
        ck_assert_msg(referrer, "%s: found on %s?", text_of(record, "url"),
                      text_of(record, "referrer"));
        bool redirected = !strcmp(text_of(referrer, "final_url"), text_of(record, "url"));
        ck_assert_msg(depth_of(referrer) + !redirected == depth_of(record), "%s: found on %s",
                      text_of(record, "url"), text_of(record, "referrer"));
    }
}

/* Lines that were asked for come in the order of the file. */
static void check_order(const json_t *expected, const json_t *records)
{
    size_t i, next = 0;
    json_t *record;
    json_array_foreach(records, i, record)
    {
        if (json_is_null(json_object_get(record, "status"))) {
            continue;
        }
        ck_assert_str_eq(text_of(record, "url"), text_of(json_array_get(expected, next), "url"));
        next++;
    }
    ck_assert_uint_gt(next, 0);
}

START_TEST(a_crawl_gives_what_is_expected)
{
    const struct way *way = &ways[_i];
    const struct weft_lab_options lab_options = {.dir = "sample_site"};
    struct weft_lab *lab;
    char error[512];
    ck_assert_msg(weft_lab_start(&lab, &lab_options, error, sizeof error) == WEFT_OK, "%s", error);
    struct crawled c = {.base = weft_lab_url(lab, 0), .records = json_array()};
    struct weft_crawl_report report;
    crawl(&c, way, &report);
    ck_assert(!c.deaf);
    ck_assert_int_eq(report.end, WEFT_END_FINISHED);
    ck_assert_uint_eq(report.left, 0);

    json_t *expected = read_expected(), *line;
    size_t i, recorded = 0;
    json_array_foreach(expected, i, line)
    {
        const json_t *record = find(c.records, text_of(line, "url"));
        ck_assert_msg(is_recorded(way, line) == (record != NULL), "%s", text_of(line, "url"));
        if (record) {
            compare(way, line, record);
            recorded++;
        }
    }
    ck_assert_uint_eq(recorded, json_array_size(c.records));
    if (way->max_depth >= 0) {
        check_referrers(c.records);
    }
    if (way->engine == WEFT_ENGINE_SYNC) {
        check_order(expected, c.records);
    }
    struct weft_lab_stats seen;
    weft_lab_get_stats(lab, &seen);
    ck_assert_uint_eq(seen.repeated, 0);
    ck_assert_uint_le(seen.in_flight_peak, way->jobs);
    ck_assert_uint_eq(weft_lab_path_requests(lab, "/robots.txt"), 1);
    json_decref(expected);
    json_decref(c.records);
    weft_lab_stop(lab);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sample site");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_crawl_gives_what_is_expected, 0, (int)(sizeof ways / sizeof *ways));
    return suite_run("cli: the sample site with every engine", tc);
}
