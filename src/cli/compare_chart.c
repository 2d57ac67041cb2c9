/* compare_chart.c -- one curve for each way of fetching over the ladder of --jobs, as SVG without
 * a script. Colours and dark mode are the page's style; a mark of its own shape for each curve
 * tells them apart without colour. */
#include "cli/compare.h"

#include <math.h>
#include <stdio.h>

/* In the units of the drawing, which the page scales. */
#define WIDTH  400.0
#define HEIGHT 230.0
#define LEFT   44.0
#define RIGHT  14.0
#define TOP    12.0
#define BOTTOM 34.0
#define PAD    10.0 /* between an axis and the first mark */
#define TICKS  4

struct axes {
    double first, last; /* log2 of --jobs at the left and right end */
    double top;         /* value at the upper end; 0 is the lower */
};

static double x_of(const struct axes *a, unsigned jobs)
{
    double span = a->last > a->first ? a->last - a->first : 1;
    return LEFT + PAD + (log2(jobs) - a->first) / span * (WIDTH - LEFT - RIGHT - 2 * PAD);
}

static double y_of(const struct axes *a, double value)
{
    return HEIGHT - BOTTOM - value / a->top * (HEIGHT - TOP - BOTTOM);
}

static bool shown(const struct compare_row *r)
{
    return r->end == COMPARE_DONE && r->pages > 0;
}

/* The next number above value that divides well into ticks. */
static double round_up(double value)
{
    static const double steps[] = {1, 2, 4, 6, 8, 10};
    double power = pow(10, floor(log10(value)));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i] * power >= value) {
            return steps[i] * power;
        }
    }
    return 10 * power;
}

static struct axes find_axes(const struct compare_result *r, const struct compare_chart *c)
{
    struct axes a = {.first = 20};
    double most = 0;
    for (size_t i = 0; i < r->nrows; i++) {
        const struct compare_row *row = &r->rows[i];
        double l = log2(row->jobs), v = shown(row) ? c->value(row) : 0;
        double floor = shown(row) && c->floor ? c->floor(row) : 0;
        a.first = fmin(a.first, l);
        a.last = fmax(a.last, l);
        most = fmax(most, fmax(v, floor));
    }
    a.top = round_up(most > 0 ? most : 1);
    return a;
}

static enum weft_status draw_grid(struct weft_buf *b, const struct compare_result *r,
                                  const struct axes *a)
{
    enum weft_status st = WEFT_OK;
    unsigned last = 0;
    double last_x = -100;
    for (int i = 0; i <= TICKS && st == WEFT_OK; i++) {
        double value = a->top * i / TICKS, y = y_of(a, value);
        st = weft_buf_printf(b,
                             "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
                             "y2=\"%.1f\"/><text class=\"y\" x=\"%.1f\" y=\"%.1f\">%.6g</text>\n",
                             LEFT, WIDTH - RIGHT, y, y, LEFT - 5, y + 3.5, value);
    }
    for (size_t i = 0; i < r->nrows && st == WEFT_OK; i++) {
        unsigned jobs = r->rows[i].jobs;
        double x = x_of(a, jobs);
        if (jobs > last && x - last_x > 18) { /* rows are in the order of their --jobs */
            st = weft_buf_printf(b, "<text class=\"x\" x=\"%.1f\" y=\"%.1f\">%u</text>\n", x,
                                 HEIGHT - BOTTOM + 14, jobs);
            last = jobs;
            last_x = x;
        }
    }
    if (st == WEFT_OK) {
        st = weft_buf_printf(b, "<text class=\"x\" x=\"%.1f\" y=\"%.1f\">--jobs</text>\n",
                             (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4);
    }
    return st;
}

/* A mark at (x, y); the shape tells the way. */
static enum weft_status draw_mark(struct weft_buf *b, enum compare_way way, double x, double y)
{
    switch (way) {
    case COMPARE_THREADS:
        return weft_buf_printf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\">", x, y);
    case COMPARE_EVENTS:
        return weft_buf_printf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6.4\" height=\"6.4\">",
                               x - 3.2, y - 3.2);
    case COMPARE_PARSE:
        return weft_buf_printf(b, "<path d=\"M%.1f %.1fl4.2 7.2h-8.4z\">", x, y - 4.6);
    default:
        return weft_buf_printf(b, "<path d=\"M%.1f %.1fl4.4 4.4l-4.4 4.4l-4.4 -4.4z\">", x,
                               y - 4.4);
    }
}

static const char *end_of_mark(enum compare_way way)
{
    return way == COMPARE_THREADS ? "circle" : way == COMPARE_EVENTS ? "rect" : "path";
}

static enum weft_status draw_marks(struct weft_buf *b, const struct compare_result *r,
                                   const struct compare_chart *c, const struct axes *a,
                                   enum compare_way way)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->nrows && st == WEFT_OK; i++) {
        const struct compare_row *row = &r->rows[i];
        if (row->way != way || !shown(row) || c->value(row) < 0) {
            continue;
        }
        double v = c->value(row);
        st = draw_mark(b, way, x_of(a, row->jobs), y_of(a, v));
        if (st == WEFT_OK) {
            st = weft_buf_printf(b, "<title>%s, --jobs %u: %.4g %s</title></%s>\n",
                                 compare_way_name(way), row->jobs, v, c->unit, end_of_mark(way));
        }
    }
    return st;
}

/* The points of a polyline; floors of all ways are one curve. */
static enum weft_status draw_line(struct weft_buf *b, const struct compare_result *r,
                                  double (*value)(const struct compare_row *), const struct axes *a,
                                  int way)
{
    unsigned last = 0;
    enum weft_status st = weft_buf_puts(b, "<polyline points=\"");
    for (size_t i = 0; i < r->nrows && st == WEFT_OK; i++) {
        const struct compare_row *row = &r->rows[i];
        bool mine = way < 0 ? row->jobs > last : (int)row->way == way;
        double v = shown(row) && mine ? value(row) : -1;
        if (v >= 0) {
            st = weft_buf_printf(b, "%.1f,%.1f ", x_of(a, row->jobs), y_of(a, v));
            last = row->jobs;
        }
    }
    return st == WEFT_OK ? weft_buf_puts(b, "\"/>\n") : st;
}

static bool has_floor(const struct compare_result *r)
{
    for (size_t i = 0; i < r->nrows; i++) {
        if (shown(&r->rows[i]) && r->rows[i].floor > 0) {
            return true;
        }
    }
    return false;
}

enum weft_status compare_draw_chart(struct weft_buf *b, const struct compare_result *r,
                                    const struct compare_chart *c)
{
    struct axes a = find_axes(r, c);
    enum weft_status st = weft_buf_printf(
        b,
        "<figure><figcaption>%s <span>%s</span></figcaption>\n<svg viewBox=\"0 0 %.0f %.0f\" "
        "role=\"img\" aria-label=\"%s over --jobs; the table below has the numbers\">\n",
        c->title, c->unit, WIDTH, HEIGHT, c->title);
    st = st == WEFT_OK ? draw_grid(b, r, &a) : st;
    if (st == WEFT_OK && c->floor && has_floor(r)) {
        st = weft_buf_puts(b, "<g class=\"floor\">\n");
        st = st == WEFT_OK ? draw_line(b, r, c->floor, &a, -1) : st;
        st = st == WEFT_OK ? weft_buf_puts(b, "</g>\n") : st;
    }
    for (int way = 0; way < COMPARE_NWAYS && st == WEFT_OK; way++) {
        st = weft_buf_printf(b, "<g class=\"w%d\">\n", way);
        st = st == WEFT_OK ? draw_line(b, r, c->value, &a, way) : st;
        st = st == WEFT_OK ? draw_marks(b, r, c, &a, (enum compare_way)way) : st;
        st = st == WEFT_OK ? weft_buf_puts(b, "</g>\n") : st;
    }
    return st == WEFT_OK ? weft_buf_puts(b, "</svg></figure>\n") : st;
}
