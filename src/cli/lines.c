/* lines.c -- the line of a page and the progress line. */
#include "cli/console.h"
#include "cli/report.h"

#include <inttypes.h>
#include <string.h>

static enum weft_status put(struct weft_buf *b, enum weft_status st, const char *before,
                            const char *text)
{
    st = st == WEFT_OK ? weft_buf_puts(b, before) : st;
    return st == WEFT_OK ? cli_escape(b, text, strlen(text)) : st;
}

enum weft_status cli_line(struct weft_buf *b, const struct weft_record *record, bool detail)
{
    enum weft_status st;
    bool status_says_it = record->outcome == WEFT_FETCHED ||
                          (record->outcome == WEFT_FAILED &&
                           record->reason == WEFT_REASON_HTTP_STATUS);
    if (status_says_it && record->status) {
        st = weft_buf_printf(b, "%d ", record->status);
    } else if (record->reason != WEFT_REASON_NONE) {
        st = weft_buf_printf(b, "%s %s ", weft_outcome_name(record->outcome),
                             weft_reason_name(record->reason));
    } else {
        st = weft_buf_printf(b, "%s ", weft_outcome_name(record->outcome));
    }
    st = put(b, st, "", record->url);
    if (detail && record->final_url && strcmp(record->final_url, record->url) != 0) {
        st = put(b, st, " -> ", record->final_url);
    }
    if (detail && record->error && !status_says_it) {
        st = put(b, st, " (", record->error);
        st = st == WEFT_OK ? weft_buf_puts(b, ")") : st;
    }
    return st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
}

/* "0:07", "1:02:03" */
static enum weft_status put_time(struct weft_buf *b, weft_time t)
{
    int64_t s = t / WEFT_SECOND;
    if (s < 3600) {
        return weft_buf_printf(b, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    }
    return weft_buf_printf(b, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60,
                           s % 60);
}

enum weft_status cli_progress(struct weft_buf *b, const struct weft_crawl_progress *p)
{
    double seconds = (double)p->elapsed / (double)WEFT_SECOND;
    enum weft_status st = weft_buf_printf(
        b,
        "%" PRIu64 " fetched, %" PRIu64 " failed, %" PRIu64
        " queued, %u in flight, %u host%s, %.1f/s, ",
        p->fetched, p->failed, p->queued, p->in_flight, p->hosts, p->hosts == 1 ? "" : "s",
        seconds > 0 ? (double)(p->fetched + p->failed) / seconds : 0.0);
    return st == WEFT_OK ? put_time(b, p->elapsed) : st;
}
