/* compare_print.c -- the rows of a comparison as a table for people, as CSV and as JSON. */
#include "cli/compare.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum weft_status compare_table_head(struct weft_buf *b)
{
    return weft_buf_printf(b, "%-12s %5s %6s %6s %8s %8s %6s %8s %9s %8s %7s %5s %7s\n", "engine",
                           "jobs", "pages", "errors", "wall s", "floor s", "ratio", "pages/s",
                           "CPU ms/p", "RSS KiB", "threads", "conn.", "at once");
}

/* A number, or "-" where it is not known. */
static const char *or_dash(char text[32], const char *fmt, bool known, double value)
{
    if (!known) {
        return "-";
    }
    snprintf(text, 32, fmt, value); /* NOLINT: the formats are those of this file */
    return text;
}

static const char *mark(const struct compare_row *r)
{
    static const char *const marks[] = {"", "  (a part)", "  (failed: ", "  (stopped)"};
    return marks[r->end];
}

enum weft_status compare_table_row(struct weft_buf *b, const struct compare_row *r)
{
    char floor[32], ratio[32], peak[32];
    bool known = r->floor > 0 && r->end == COMPARE_DONE;
    return weft_buf_printf(b,
                           "%-12s %5u %6" PRIu64 " %6" PRIu64
                           " %8.3f %8s %6s %8.1f %9.3f %8ld %7ld %5" PRIu64 " %7s%s%s%s\n",
                           compare_way_name(r->way), r->jobs, r->pages, r->errors, r->wall,
                           or_dash(floor, "%.3f", known, r->floor),
                           or_dash(ratio, "%.2f", known, known ? r->wall / r->floor : 0),
                           compare_rate(r), compare_cpu_ms(r), r->rss_kib, r->threads,
                           r->connections, or_dash(peak, "%.0f", r->peak > 0, r->peak), mark(r),
                           r->said, r->end == COMPARE_BROKEN ? ")" : "");
}

static const char *end_name(const struct compare_row *r)
{
    static const char *const names[] = {"finished", "part", "failed", "stopped"};
    return names[r->end];
}

enum weft_status compare_csv(struct weft_buf *b, const struct compare_result *result)
{
    enum weft_status st = weft_buf_puts(
        b, "engine,jobs,parse_jobs,end,pages,errors,wall_s,floor_s,ratio,pages_per_s,"
           "cpu_ms_per_page,peak_rss_kib,threads,connections,server_peak_in_flight\r\n");
    for (size_t i = 0; i < result->nrows && st == WEFT_OK; i++) {
        const struct compare_row *r = &result->rows[i];
        char floor[32], ratio[32], peak[32];
        bool known = r->floor > 0;
        st = weft_buf_printf(
            b,
            "%s,%u,%u,%s,%" PRIu64 ",%" PRIu64 ",%.6f,%s,%s,%.3f,%.6f,%ld,%ld,%" PRIu64 ",%s\r\n",
            compare_way_name(r->way), r->jobs, r->parse_jobs, end_name(r), r->pages, r->errors,
            r->wall, known ? or_dash(floor, "%.6f", true, r->floor) : "",
            known ? or_dash(ratio, "%.4f", true, r->wall / r->floor) : "", compare_rate(r),
            compare_cpu_ms(r), r->rss_kib, r->threads, r->connections,
            r->peak ? or_dash(peak, "%.0f", true, r->peak) : "");
    }
    return st;
}

static json_t *number_or_null(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *row_json(const struct compare_row *r)
{
    bool known = r->floor > 0;
    return json_pack(
        "{ss sI sI ss sI sI sf so so sf sf sI sI sI so}", "engine", compare_way_name(r->way),
        "jobs", (json_int_t)r->jobs, "parse_jobs", (json_int_t)r->parse_jobs, "end", end_name(r),
        "pages", (json_int_t)r->pages, "errors", (json_int_t)r->errors, "wall_s", r->wall,
        "floor_s", number_or_null(known, r->floor), "ratio",
        number_or_null(known, known ? r->wall / r->floor : 0), "pages_per_s", compare_rate(r),
        "cpu_ms_per_page", compare_cpu_ms(r), "peak_rss_kib", (json_int_t)r->rss_kib, "threads",
        (json_int_t)r->threads, "connections", (json_int_t)r->connections, "server_peak_in_flight",
        r->peak ? json_integer(r->peak) : json_null());
}

static json_t *words_json(const struct compare_result *r)
{
    struct weft_buf b;
    weft_buf_init(&b, COMPARE_MAX_BYTES);
    enum weft_status st = compare_words(&b, r);
    json_t *text = st == WEFT_OK ? json_string(b.data ? b.data : "") : NULL;
    weft_buf_release(&b);
    return text;
}

enum weft_status compare_json(struct weft_buf *b, const struct compare_result *r)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < r->nrows && rows; i++) {
        if (json_array_append_new(rows, row_json(&r->rows[i])) != 0) {
            json_decref(rows);
            rows = NULL;
        }
    }
    /* json_pack takes "o" values even when it fails. */
    json_t *all = json_pack("{ss ss sb so so}", "site", r->site, "machine", r->machine, "cut",
                            r->cut, "rows", rows, "words", words_json(r));
    char *text = all ? json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    enum weft_status st = text ? weft_buf_puts(b, text) : WEFT_ENOMEM;
    st = st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
    free(text);
    json_decref(all);
    return st;
}
