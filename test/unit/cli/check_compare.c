/* check_compare.c -- how a comparison's numbers are read, and its reports as other programs see
 * them. */
#include "cli/compare.h"
#include "support/suite.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define MIB 1024

struct measured {
    unsigned jobs;
    double rate; /* pages a second; 0: the run failed */
    unsigned errors;
};

static const struct {
    const char *what;
    struct measured rows[8];
    unsigned flat, errors, right; /* --jobs; 0: none */
    bool flattens;
} cases[] = {
    {"doubles, then flattens",
     {{1, 10, 0}, {2, 20, 0}, {4, 40, 0}, {8, 80, 0}, {16, 82, 0}, {64, 83, 0}},
     8,
     0,
     8,
     true},
    {"grows to the end", {{1, 10, 0}, {2, 19, 0}, {4, 37, 0}}, 4, 0, 4, false},
    {"errors begin above the flat part",
     {{1, 10, 0}, {4, 40, 0}, {16, 41, 0}, {64, 41, 300}},
     4,
     64,
     4,
     true},
    {"errors begin before it flattens",
     {{1, 10, 0}, {4, 40, 0}, {16, 160, 100}, {64, 300, 400}},
     64,
     16,
     4,
     false},
    {"errors at every setting are the site's",
     {{1, 10, 50}, {4, 40, 50}, {16, 160, 50}},
     16,
     0,
     16,
     false},
    {"one more error is chance", {{1, 10, 0}, {4, 40, 1}}, 4, 0, 4, false},
    {"slower with more", {{1, 10, 0}, {4, 40, 0}, {16, 20, 0}}, 4, 0, 4, true},
    {"a run that failed says nothing", {{1, 10, 0}, {4, 40, 0}, {16, 0, 0}}, 4, 0, 4, false},
    {"nothing at all", {{1, 0, 0}}, 0, 0, 0, false},
};

static void add_rows(struct compare_result *r, enum compare_way way, const struct measured *m)
{
    for (; m->jobs; m++) {
        double pages = 1000 - m->errors;
        r->rows[r->nrows++] = (struct compare_row){.way = way,
                                                   .jobs = m->jobs,
                                                   .end = m->rate > 0 ? COMPARE_DONE
                                                                      : COMPARE_BROKEN,
                                                   .pages = m->rate > 0 ? (uint64_t)pages : 0,
                                                   .errors = m->errors,
                                                   .wall = m->rate > 0 ? pages / m->rate : 0,
                                                   .floor = 1,
                                                   .cpu = way == COMPARE_EVENTS ? 0.1 : 0.2,
                                                   .rss_kib = 10L * MIB + (long)m->jobs,
                                                   .threads = 1,
                                                   .connections = m->jobs,
                                                   .peak = m->jobs};
    }
}

static unsigned jobs_of(const struct compare_row *r)
{
    return r ? r->jobs : 0;
}

START_TEST(finds_the_setting)
{
    static struct compare_result r;
    r = (struct compare_result){0};
    static const struct measured beside[] = {{1, 500, 0}, {4, 500, 999}, {0, 0, 0}};
    add_rows(&r, COMPARE_EVENTS, beside); /* must not matter */
    add_rows(&r, COMPARE_THREADS, cases[_i].rows);
    struct compare_finding f = compare_find(&r, COMPARE_THREADS);
    ck_assert_msg(jobs_of(f.flat) == cases[_i].flat, "%s: flat at %u", cases[_i].what,
                  jobs_of(f.flat));
    ck_assert_msg(jobs_of(f.errors) == cases[_i].errors, "%s: errors at %u", cases[_i].what,
                  jobs_of(f.errors));
    ck_assert_msg(jobs_of(f.right) == cases[_i].right, "%s: right is %u", cases[_i].what,
                  jobs_of(f.right));
    ck_assert_msg(f.flattens == cases[_i].flattens, "%s", cases[_i].what);
}
END_TEST

static void fill(struct compare_result *r)
{
    *r = (struct compare_result){.site = "a <site> & \"more\"", .machine = "here"};
    add_rows(r, COMPARE_THREADS, cases[0].rows);
    add_rows(r, COMPARE_EVENTS, cases[3].rows);
    r->rows[r->nrows++] = (struct compare_row){
        .way = COMPARE_PARSE, .jobs = 64, .end = COMPARE_BROKEN, .said = "ended by signal 9"};
}

START_TEST(says_it_in_words)
{
    static struct compare_result r;
    struct weft_buf b;
    fill(&r);
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    ck_assert_int_eq(compare_words(&b, &r), WEFT_OK);
    static const char *const said[] = {
        "threads: throughput flattens at --jobs 8 (80 pages a second); more jobs bring at most 4 "
        "%. No setting brings errors that a lower one does not. Right: --jobs 8.\n",
        "events: throughput grows up to the last rung, --jobs 64 (300 pages a second). Errors "
        "begin at --jobs 16 (100 of 1000). Right: --jobs 4.\n",
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        ck_assert_msg(strstr(b.data, said[i]) != NULL, "%s\nnot in:\n%s", said[i], b.data);
    }
    ck_assert_ptr_null(strstr(b.data, "sync"));
    weft_buf_release(&b);
}
END_TEST

START_TEST(json_has_every_row)
{
    static struct compare_result r;
    struct weft_buf b;
    json_error_t error;
    fill(&r);
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    ck_assert_int_eq(compare_json(&b, &r), WEFT_OK);
    json_t *all = json_loads(b.data, 0, &error);
    ck_assert_msg(all != NULL, "%s", error.text);
    json_t *rows = json_object_get(all, "rows");
    ck_assert_uint_eq(json_array_size(rows), r.nrows);
    json_t *row = json_array_get(rows, 3);
    ck_assert_str_eq(json_string_value(json_object_get(row, "engine")), "threads");
    ck_assert_int_eq(json_integer_value(json_object_get(row, "jobs")), 8);
    ck_assert_double_eq_tol(json_number_value(json_object_get(row, "pages_per_s")), 80, 1e-6);
    ck_assert_double_eq_tol(json_number_value(json_object_get(row, "ratio")), 12.5, 1e-6);
    ck_assert_str_eq(json_string_value(json_object_get(all, "site")), r.site);
    json_decref(all);
    weft_buf_release(&b);
}
END_TEST

START_TEST(csv_has_as_many_cells_everywhere)
{
    static struct compare_result r;
    struct weft_buf b;
    size_t lines = 0, cells = 0, expected = 0;
    fill(&r);
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    ck_assert_int_eq(compare_csv(&b, &r), WEFT_OK);
    for (const char *p = b.data; *p; p++) {
        cells += *p == ',';
        if (*p == '\n') {
            expected = lines ? expected : cells;
            ck_assert_uint_eq(cells, expected);
            lines++;
            cells = 0;
        }
    }
    ck_assert_uint_eq(lines, r.nrows + 1);
    ck_assert_uint_eq(expected, 14);
    weft_buf_release(&b);
}
END_TEST

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++) {
        n++;
    }
    return n;
}

START_TEST(the_page_is_whole)
{
    static struct compare_result r;
    static const char *const pairs[] = {"svg", "g", "figure", "li", "ul", "tr", "td", "table"};
    struct weft_buf b;
    char open[16], close[16];
    fill(&r);
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    struct compare_picture picture = {.row = &r.rows[0]};
    weft_buf_init(&picture.svg, 1000);
    ck_assert_int_eq(weft_buf_puts(&picture.svg, "<svg><!-- here --></svg>"), WEFT_OK);
    ck_assert_int_eq(compare_html(&b, &r, &picture, 1), WEFT_OK);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        snprintf(open, sizeof open, "<%s>", pairs[i]);
        snprintf(close, sizeof close, "</%s>", pairs[i]);
        size_t opened = count(b.data, open);
        snprintf(open, sizeof open, "<%s ", pairs[i]);
        ck_assert_msg(opened + count(b.data, open) == count(b.data, close), "%s", pairs[i]);
    }
    ck_assert_uint_eq(count(b.data, "<tr"), r.nrows + 1);
    ck_assert_uint_eq(count(b.data, "class=\"right\""), 2);
    ck_assert_uint_eq(count(b.data, "<figure"), 5); /* with errors */
    ck_assert_uint_eq(count(b.data, "<!-- here -->"), 1);
    ck_assert_ptr_nonnull(
        strstr(b.data, "flattens at <span class=\"n\">--jobs 8</span> (80 pages a second); more"));
    ck_assert_ptr_nonnull(strstr(b.data, "a &#60;site&#62; &#38; &#34;more&#34;"));
    ck_assert_ptr_null(strstr(b.data, "nan"));
    ck_assert_ptr_null(strstr(b.data, "inf,"));
    ck_assert_ptr_null(strstr(b.data, "<script"));
    ck_assert_ptr_null(strstr(b.data, "http")); /* it asks nobody for anything */
    weft_buf_release(&picture.svg);
    weft_buf_release(&b);
}
END_TEST

START_TEST(nothing_that_worked_is_a_page_too)
{
    static struct compare_result r;
    struct weft_buf b;
    r = (struct compare_result){.cut = true};
    add_rows(&r, COMPARE_EVENTS, cases[sizeof cases / sizeof cases[0] - 1].rows);
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    ck_assert_int_eq(compare_html(&b, &r, NULL, 0), WEFT_OK);
    ck_assert_uint_eq(count(b.data, "<tr"), 2);
    ck_assert_uint_eq(count(b.data, "<figure"), 1); /* memory */
    ck_assert_ptr_null(strstr(b.data, "nan"));
    weft_buf_release(&b);
}
END_TEST

START_TEST(lanes_of_a_trace)
{
    char path[] = "/tmp/weft-lanes-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    struct weft_buf b;
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    fputs("[{\"name\":\"/a<b\",\"ph\":\"X\",\"tid\":2,\"ts\":10,\"dur\":90,\"args\":{}},\n"
          "{\"name\":\"parse\",\"ph\":\"X\",\"tid\":2,\"ts\":90,\"dur\":10},\n"
          "{\"name\":\"handed over\",\"ph\":\"X\",\"tid\":0,\"ts\":100,\"dur\":10},\n"
          "{\"name\":\"x\",\"ph\":\"b\",\"tid\":9,\"ts\":0}]",
          f);
    fclose(f);
    ck_assert_int_eq(compare_draw_lanes(&b, path), WEFT_OK);
    ck_assert_uint_eq(count(b.data, "<rect"), 3);
    ck_assert_ptr_nonnull(strstr(b.data, "class=\"f\" x=\"0.0\" y=\"20\" width=\"9000.0\""));
    ck_assert_ptr_nonnull(strstr(b.data, "class=\"p\" x=\"8000.0\" y=\"20\" width=\"1000.0\""));
    ck_assert_ptr_nonnull(strstr(b.data, "/a&#60;b"));
    weft_buf_clear(&b);
    f = fopen(path, "w");
    fputs("[", f);
    fclose(f);
    ck_assert_int_eq(compare_draw_lanes(&b, path), WEFT_ESYNTAX);
    remove(path);
    ck_assert_int_eq(compare_draw_lanes(&b, path), WEFT_ESYNTAX);
    weft_buf_release(&b);
}
END_TEST

START_TEST(the_floor_of_recorded_pages)
{
    char path[] = "/tmp/weft-pages-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    struct compare_pages *pages;
    weft_time one, two, many, apart;
    /* a leads to b and c, c to d; x was never asked for; e's referrer is not among them. */
    fputs("{\"url\":\"a\",\"referrer\":null,\"elapsed_ms\":10}\n"
          "{\"url\":\"b\",\"referrer\":\"a\",\"elapsed_ms\":20}\n"
          "{\"url\":\"x\",\"referrer\":\"a\",\"elapsed_ms\":0}\n"
          "{\"url\":\"c\",\"referrer\":\"a\",\"elapsed_ms\":5}\n"
          "{\"url\":\"d\",\"referrer\":\"c\",\"elapsed_ms\":40}\n"
          "{\"url\":\"e\",\"referrer\":\"y\",\"elapsed_ms\":1}\n"
          "no json\n",
          f);
    fclose(f);
    ck_assert_int_eq(compare_pages_read(&pages, path), WEFT_OK);
    ck_assert_int_eq(compare_pages_floor(pages, 1, 0, &one), WEFT_OK);
    ck_assert_int_eq(compare_pages_floor(pages, 2, 0, &two), WEFT_OK);
    ck_assert_int_eq(compare_pages_floor(pages, 99, 0, &many), WEFT_OK);
    ck_assert_int_eq(compare_pages_floor(pages, 99, 100 * WEFT_MS, &apart), WEFT_OK);
    ck_assert_int_eq(one, 76 * WEFT_MS);
    ck_assert_int_eq(two, 56 * WEFT_MS); /* e is known before d: 10 + 5 + 1 + 40 */
    ck_assert_int_eq(many, 55 * WEFT_MS);
    ck_assert_int_eq(apart, 440 * WEFT_MS);
    compare_pages_free(pages);
    f = fopen(path, "w");
    fclose(f);
    ck_assert_int_eq(compare_pages_read(&pages, path), WEFT_END);
    remove(path);
    ck_assert_int_eq(compare_pages_read(&pages, path), WEFT_EIO);
    ck_assert_ptr_null(pages);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("compare");
    tcase_add_loop_test(t, finds_the_setting, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(t, says_it_in_words);
    tcase_add_test(t, json_has_every_row);
    tcase_add_test(t, csv_has_as_many_cells_everywhere);
    tcase_add_test(t, the_page_is_whole);
    tcase_add_test(t, nothing_that_worked_is_a_page_too);
    tcase_add_test(t, lanes_of_a_trace);
    tcase_add_test(t, the_floor_of_recorded_pages);
    return suite_run("compare", t);
}
