/* compare.h -- weft compare: the same crawl with each engine and a ladder of --jobs.
 *
 *   cmd_compare.c     the site, the ladder, the reports; compare_options.c: its options
 *   compare_run.c     one crawl in a fresh process, measured
 *   compare_floor.c   what a crawl of somebody else's site can't go below
 *   compare_words.c   what the numbers say, in words
 *   compare_print.c   as a table, CSV and JSON
 *   compare_html.c    as a page, with compare_chart.c (curves) and compare_lanes.c (timelines)
 *
 * Knows the crawler only as a program that is started, as its users know it; knows the lab. */
#ifndef WEFT_CLI_COMPARE_H
#define WEFT_CLI_COMPARE_H

#include "base/buf.h"
#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_MAX_RUNGS 32u
#define COMPARE_MAX_BYTES (64u << 20) /* of a report */

/* Ways to fetch, in the order of the report; bits of --engines. */
enum compare_way { COMPARE_SYNC, COMPARE_THREADS, COMPARE_EVENTS, COMPARE_PARSE, COMPARE_NWAYS };

/* How one crawl ended. */
enum compare_end {
    COMPARE_DONE,    /* to its end */
    COMPARE_CUT,     /* at its limit of time, or stopped by itself: a part of the pages */
    COMPARE_BROKEN,  /* it ended without a result */
    COMPARE_STOPPED, /* a signal ended the comparison */
};

struct compare_row {
    enum compare_way way;
    unsigned jobs, parse_jobs;
    enum compare_end end;
    uint64_t pages, errors, connections, bytes;
    double wall;    /* seconds of the crawl, without the start of its process */
    double floor;   /* seconds; 0: not known */
    double cpu;     /* seconds, user and system, of the whole process */
    long rss_kib;   /* at its peak */
    long threads;   /* 1 is a process without further ones */
    unsigned peak;  /* in flight at once, as the server saw it; 0: not known */
    char said[256]; /* why it is broken */
};

struct compare_result {
    struct compare_row rows[COMPARE_NWAYS * COMPARE_MAX_RUNGS];
    size_t nrows;
    char site[512];    /* what was crawled, for people */
    char machine[256]; /* where */
    bool cut;          /* --max-time or a signal ended it before the top of the ladder */
};

const char *compare_way_name(enum compare_way way); /* "threads"; "events+parse" */
double compare_rate(const struct compare_row *r);   /* pages a second */
double compare_cpu_ms(const struct compare_row *r); /* a page; 0 without pages */

/* ---- compare_run.c ---- */

struct compare_plan { /* what is the same for all runs */
    const char *url;
    uint64_t max_pages; /* 0: none */
    bool has_depth, has_delay;
    unsigned max_depth;
    weft_time delay;
    bool far;           /* the host is not this machine: --per-host has to be raised with --jobs */
    weft_time run_time; /* of one crawl at most */
    int stop_fd;        /* readable once the comparison is to end */
    const char *folder; /* for the files of a run */
};

enum compare_extra { COMPARE_TRACE = 1, COMPARE_PAGES = 2 };

/* Runs one crawl of row's setting and fills in what its process tells. extras, or'ed: it also
 * writes a timeline, FOLDER/trace.json; the pages, FOLDER/pages.jsonl. Blocks, at most run_time and
 * a few seconds. WEFT_OK whatever the crawl's end; WEFT_EIO: no process can be started;
 * WEFT_ENOMEM. */
enum weft_status compare_run(const struct compare_plan *plan, struct compare_row *row,
                             unsigned extras) WEFT_MUST_USE;

/* ---- compare_floor.c ---- */

/* The pages of a site as a crawl that asked for one at a time recorded them. */
struct compare_pages;
/* Reads JSON Lines. Gives *out. WEFT_OK; WEFT_END: no page; WEFT_EIO, WEFT_ENOMEM. */
enum weft_status compare_pages_read(struct compare_pages **out, const char *path) WEFT_MUST_USE;
void compare_pages_free(struct compare_pages *p); /* NULL is fine */
/* The floor of a crawl of these pages, each learnt of where it was first found, with starts gap
 * apart. WEFT_OK, WEFT_ENOMEM. */
enum weft_status compare_pages_floor(const struct compare_pages *p, unsigned jobs, weft_time gap,
                                     weft_time *floor) WEFT_MUST_USE;

/* ---- compare_words.c ---- */

/* What a way of fetching does along the ladder. All NULL: there are no rows to judge by. */
struct compare_finding {
    const struct compare_row *top;    /* the highest rate */
    const struct compare_row *flat;   /* the first from which no higher setting brings 5 % more */
    bool flattens;                    /* ... and it is not the last one */
    const struct compare_row *errors; /* the first with more errors than the first row; NULL */
    const struct compare_row *right;  /* the setting to take */
};
struct compare_finding compare_find(const struct compare_result *r, enum compare_way way);
/* Appends sentences, a line each. WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status compare_words(struct weft_buf *b, const struct compare_result *r) WEFT_MUST_USE;

/* ---- compare_print.c ---- */

/* Appends the heading, or a row, of the table for people. */
enum weft_status compare_table_head(struct weft_buf *b) WEFT_MUST_USE;
enum weft_status compare_table_row(struct weft_buf *b, const struct compare_row *row) WEFT_MUST_USE;
/* Appends all of it. WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status compare_csv(struct weft_buf *b, const struct compare_result *r) WEFT_MUST_USE;
enum weft_status compare_json(struct weft_buf *b, const struct compare_result *r) WEFT_MUST_USE;

/* ---- compare_html.c, compare_chart.c, compare_lanes.c ---- */

/* Lanes of one crawl, as SVG, made from its trace. */
struct compare_picture {
    const struct compare_row *row;
    struct weft_buf svg;
};

/* Appends the page. pictures may be none. */
enum weft_status compare_html(struct weft_buf *b, const struct compare_result *r,
                              const struct compare_picture *pictures,
                              size_t npictures) WEFT_MUST_USE;
/* Appends text with what HTML gives a meaning replaced. */
enum weft_status compare_escaped(struct weft_buf *b, const char *text) WEFT_MUST_USE;

struct compare_chart {
    const char *title, *unit;
    double (*value)(const struct compare_row *row); /* negative: none */
    double (*floor)(const struct compare_row *row); /* a dotted curve beside; NULL: none */
};
enum weft_status compare_draw_chart(struct weft_buf *b, const struct compare_result *r,
                                    const struct compare_chart *chart) WEFT_MUST_USE;
/* Reads a trace and appends its lanes. WEFT_OK; WEFT_ESYNTAX: no trace; WEFT_ENOMEM, WEFT_ELIMIT.
 */
enum weft_status compare_draw_lanes(struct weft_buf *b, const char *trace_path) WEFT_MUST_USE;

#endif
