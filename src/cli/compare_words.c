/* compare_words.c -- what the numbers of a comparison say: where throughput flattens, where errors
 * begin, which setting is right. Pure functions of the rows. */
#include "cli/compare.h"

#include <inttypes.h>
#include <stdio.h>

#define WORTH_IT 1.05 /* a rung that brings less is none */

const char *compare_way_name(enum compare_way way)
{
    static const char *const names[COMPARE_NWAYS] = {"sync", "threads", "events", "events+parse"};
    return names[way];
}

double compare_rate(const struct compare_row *r)
{
    return r->wall > 0 ? (double)r->pages / r->wall : 0;
}

double compare_cpu_ms(const struct compare_row *r)
{
    return r->pages ? r->cpu * 1000 / (double)r->pages : 0;
}

static bool counts(const struct compare_row *r, enum compare_way way)
{
    return r->way == way && (r->end == COMPARE_DONE || r->end == COMPARE_CUT) && r->pages > 0;
}

/* Part of the URLs asked for that failed. */
static double error_part(const struct compare_row *r)
{
    return (double)r->errors / (double)(r->pages + r->errors);
}

/* Rows of one way stand in the order of their --jobs. */
struct compare_finding compare_find(const struct compare_result *r, enum compare_way way)
{
    struct compare_finding f = {0};
    const struct compare_row *first = NULL, *last = NULL;
    for (size_t i = 0; i < r->nrows; i++) {
        const struct compare_row *row = &r->rows[i];
        if (!counts(row, way)) {
            continue;
        }
        first = first ? first : row;
        last = row;
        f.top = !f.top || compare_rate(row) > compare_rate(f.top) ? row : f.top;
        /* A page here and there may fail for reasons of its own. */
        if (!f.errors && error_part(row) > error_part(first) + 0.005) {
            f.errors = row;
        }
    }
    for (size_t i = 0; i < r->nrows && !f.flat; i++) {
        const struct compare_row *row = &r->rows[i];
        if (counts(row, way) && compare_rate(row) * WORTH_IT >= compare_rate(f.top)) {
            f.flat = row;
        }
    }
    f.flattens = f.flat && f.flat != last;
    f.right = f.flat;
    for (size_t i = 0; i < r->nrows && f.right && f.errors && f.right->jobs >= f.errors->jobs;
         i++) {
        const struct compare_row *row = &r->rows[r->nrows - 1 - i];
        f.right = counts(row, way) && row->jobs < f.errors->jobs ? row : f.right;
    }
    return f;
}

static enum weft_status tell_way(struct weft_buf *b, enum compare_way way,
                                 const struct compare_finding *f)
{
    const char *name = compare_way_name(way);
    if (way == COMPARE_SYNC) {
        return weft_buf_printf(b, "%s: one page after another, %.0f pages a second.\n", name,
                               compare_rate(f->top));
    }
    double gain = 100 * (compare_rate(f->top) / compare_rate(f->flat) - 1);
    enum weft_status st = weft_buf_printf(
        b, "%s: throughput %s --jobs %u (%.0f pages a second)", name,
        f->flattens ? "flattens at" : "grows up to the last rung,", f->flat->jobs,
        compare_rate(f->flat));
    if (st == WEFT_OK && f->flattens) {
        st = gain < 1 ? weft_buf_puts(b, "; more jobs bring nothing.")
                      : weft_buf_printf(b, "; more jobs bring at most %.0f %%.", gain);
    } else if (st == WEFT_OK) {
        st = weft_buf_puts(b, ".");
    }
    if (st == WEFT_OK && f->errors) {
        st = weft_buf_printf(b, " Errors begin at --jobs %u (%" PRIu64 " of %" PRIu64 ").",
                             f->errors->jobs, f->errors->errors,
                             f->errors->errors + f->errors->pages);
    } else if (st == WEFT_OK) {
        st = weft_buf_puts(b, " No setting brings errors that a lower one does not.");
    }
    return st == WEFT_OK ? weft_buf_printf(b, " Right: --jobs %u.\n", f->right->jobs) : st;
}

/* Two ways at one setting, the highest that both have and that is right for the first. */
static enum weft_status tell_pair(struct weft_buf *b, const struct compare_result *r,
                                  enum compare_way one, enum compare_way other)
{
    struct compare_finding f = compare_find(r, one);
    for (size_t i = 0; i < r->nrows && f.right; i++) {
        const struct compare_row *x = f.right, *y = &r->rows[i];
        if (!counts(y, other) || y->jobs != x->jobs || compare_rate(x) <= 0 || x->cpu <= 0 ||
            x->rss_kib <= 0) {
            continue;
        }
        return weft_buf_printf(b,
                               "At --jobs %u %s has %.2f times the pages a second of %s, %.2f "
                               "times its processor time a page and %.2f times its memory.\n",
                               x->jobs, compare_way_name(other), compare_rate(y) / compare_rate(x),
                               compare_way_name(one), compare_cpu_ms(y) / compare_cpu_ms(x),
                               (double)y->rss_kib / (double)x->rss_kib);
    }
    return WEFT_OK;
}

static enum weft_status tell_floor(struct weft_buf *b, const struct compare_result *r)
{
    const struct compare_row *worst = NULL;
    for (size_t i = 0; i < r->nrows; i++) {
        const struct compare_row *x = &r->rows[i];
        if (counts(x, x->way) && x->end == COMPARE_DONE && x->floor > 0 && !x->errors &&
            (!worst || x->wall / x->floor > worst->wall / worst->floor)) {
            worst = x;
        }
    }
    if (!worst) {
        return WEFT_OK;
    }
    return weft_buf_printf(b,
                           "Farthest from the floor: %s at --jobs %u, %.2f times what a crawler "
                           "that costs nothing would take.\n",
                           compare_way_name(worst->way), worst->jobs, worst->wall / worst->floor);
}

enum weft_status compare_words(struct weft_buf *b, const struct compare_result *r)
{
    enum weft_status st = WEFT_OK;
    for (int way = 0; way < COMPARE_NWAYS && st == WEFT_OK; way++) {
        struct compare_finding f = compare_find(r, (enum compare_way)way);
        st = f.top && f.flat && f.right ? tell_way(b, (enum compare_way)way, &f) : WEFT_OK;
    }
    st = st == WEFT_OK ? tell_pair(b, r, COMPARE_THREADS, COMPARE_EVENTS) : st;
    st = st == WEFT_OK ? tell_pair(b, r, COMPARE_EVENTS, COMPARE_PARSE) : st;
    st = st == WEFT_OK ? tell_floor(b, r) : st;
    if (st == WEFT_OK && r->cut) {
        st = weft_buf_puts(b, "It was ended before the top of the ladder.\n");
    }
    return st;
}
