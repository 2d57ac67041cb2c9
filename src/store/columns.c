/* columns.c -- see columns.h. */
#include "store/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)
#define NS_PER_MS     INT64_C(1000000)

enum source {
    FROM_TEXT,   /* const char *; NULL: null */
    FROM_INT,    /* int */
    FROM_STATUS, /* int; 0: null */
    FROM_UINT,   /* unsigned */
    FROM_U64,    /* uint64_t */
    FROM_MS,     /* double */
    FROM_TIME,   /* int64_t nanoseconds; 0: null */
    FROM_OUTCOME,
    FROM_REASON,
    FROM_FINAL_URL, /* const char *; NULL: it ended where it began */
    FROM_UNWANTED,  /* bool: "unwanted", or null */
    FROM_REDIRECTS
};

static const struct {
    const char *name;
    enum source source;
    size_t offset;
} columns[WEFT_NCOLUMNS] = {
    {"url", FROM_TEXT, offsetof(struct weft_record, url)},
    {"outcome", FROM_OUTCOME, offsetof(struct weft_record, outcome)},
    {"reason", FROM_REASON, offsetof(struct weft_record, reason)},
    {"error", FROM_TEXT, offsetof(struct weft_record, error)},
    {"status", FROM_STATUS, offsetof(struct weft_record, status)},
    {"final_url", FROM_FINAL_URL, offsetof(struct weft_record, final_url)},
    {"redirects", FROM_REDIRECTS, offsetof(struct weft_record, redirects)},
    {"depth", FROM_INT, offsetof(struct weft_record, depth)},
    {"referrer", FROM_TEXT, offsetof(struct weft_record, referrer)},
    {"attempts", FROM_UINT, offsetof(struct weft_record, attempts)},
    {"content_type", FROM_TEXT, offsetof(struct weft_record, content_type)},
    {"charset", FROM_TEXT, offsetof(struct weft_record, charset)},
    {"title", FROM_TEXT, offsetof(struct weft_record, title)},
    {"bytes", FROM_U64, offsetof(struct weft_record, bytes)},
    {"body", FROM_UNWANTED, offsetof(struct weft_record, unwanted)},
    {"links", FROM_UINT, offsetof(struct weft_record, nlinks)},
    {"started_at", FROM_TIME, offsetof(struct weft_record, started_at)},
    {"elapsed_ms", FROM_MS, offsetof(struct weft_record, elapsed_ms)},
    {"worker", FROM_UINT, offsetof(struct weft_record, worker)},
};

const char *weft_column_name(size_t i)
{
    return columns[i].name;
}

void weft_rfc3339(int64_t ns, char *out, size_t cap)
{
    const int64_t last = INT64_C(253402300799); /* 9999-12-31T23:59:59Z */
    int64_t seconds = ns / NS_PER_SECOND;
    int64_t rest = ns % NS_PER_SECOND;
    if (rest < 0) {
        rest += NS_PER_SECOND;
        seconds--;
    }
    time_t t = seconds < last ? seconds : last;
    struct tm tm;
    gmtime_r(&t, &tm);
    size_t n = strftime(out, cap, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(out + n, cap - n, ".%03dZ", (int)(rest / NS_PER_MS));
}

static void set_text(struct weft_cell *cell, const char *text)
{
    cell->kind = text ? WEFT_CELL_TEXT : WEFT_CELL_NULL;
    cell->text = text;
}

static void set_integer(struct weft_cell *cell, int64_t value)
{
    cell->kind = WEFT_CELL_INTEGER;
    cell->integer = value;
}

/* Digits by hand: printf would write the locale's decimal comma. */
static void set_ms(struct weft_cell *cell, double ms)
{
    const double most = 1e15;
    if (!(ms >= 0)) { /* also not a number */
        ms = 0;
    }
    int64_t thousandths = llround((ms < most ? ms : most) * 1000);
    cell->kind = WEFT_CELL_REAL;
    cell->real = (double)thousandths / 1000;
    cell->text = cell->room;
    snprintf(cell->room, sizeof cell->room, "%" PRId64 ".%03d", thousandths / 1000,
             (int)(thousandths % 1000));
}

static void set_time(struct weft_cell *cell, int64_t ns)
{
    cell->kind = ns ? WEFT_CELL_TEXT : WEFT_CELL_NULL;
    if (ns) {
        weft_rfc3339(ns, cell->room, sizeof cell->room);
        cell->text = cell->room;
    }
}

void weft_column_get(const struct weft_record *record, size_t i, struct weft_cell *cell)
{
    const void *field = (const char *)record + columns[i].offset;
    const char *text = NULL;
    switch (columns[i].source) {
    case FROM_TEXT:
        set_text(cell, *(const char *const *)field);
        break;
    case FROM_INT:
        set_integer(cell, *(const int *)field);
        break;
    case FROM_STATUS:
        set_integer(cell, *(const int *)field);
        if (cell->integer == 0) {
            cell->kind = WEFT_CELL_NULL;
        }
        break;
    case FROM_UINT:
        set_integer(cell, *(const unsigned *)field);
        break;
    case FROM_U64:
        set_integer(cell, (int64_t) * (const uint64_t *)field);
        break;
    case FROM_MS:
        set_ms(cell, *(const double *)field);
        break;
    case FROM_TIME:
        set_time(cell, *(const int64_t *)field);
        break;
    case FROM_OUTCOME:
        set_text(cell, weft_outcome_name(record->outcome));
        break;
    case FROM_REASON:
        set_text(cell, record->reason ? weft_reason_name(record->reason) : NULL);
        break;
    case FROM_FINAL_URL:
        text = *(const char *const *)field;
        set_text(cell, text ? text : record->url);
        break;
    case FROM_UNWANTED:
        set_text(cell, record->unwanted ? "unwanted" : NULL);
        break;
    case FROM_REDIRECTS:
        cell->kind = WEFT_CELL_REDIRECTS;
        break;
    }
}
