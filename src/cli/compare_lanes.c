/* compare_lanes.c -- a trace as lanes: who did what when. One row of boxes a lane, the coordinator
 * on top; as SVG that stretches to the width of the page, with its scale beside it as text. */
#include "cli/compare.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define MOST_LANES 24
#define MOST_BOXES 6000
#define SCALE      10000.0 /* units across */
#define LANE       10.0    /* units down, a gap of 2 included */

struct drawing {
    struct weft_buf *b;
    double from, until; /* microseconds of the trace */
    unsigned lanes;     /* of fetches, without the coordinator's */
    unsigned boxes;
};

static const char *text_of(const json_t *event, const char *name)
{
    const char *text = json_string_value(json_object_get(event, name));
    return text ? text : "";
}

static bool is_span(const json_t *event)
{
    return !strcmp(text_of(event, "ph"), "X");
}

static void find_extent(const json_t *events, struct drawing *d)
{
    size_t i;
    json_t *e;
    bool first = true;
    json_array_foreach(events, i, e)
    {
        if (!is_span(e)) {
            continue;
        }
        double from = json_number_value(json_object_get(e, "ts"));
        double until = from + json_number_value(json_object_get(e, "dur"));
        unsigned lane = (unsigned)json_integer_value(json_object_get(e, "tid"));
        d->from = first || from < d->from ? from : d->from;
        d->until = first || until > d->until ? until : d->until;
        d->lanes = lane > d->lanes ? lane : d->lanes;
        first = false;
    }
}

static enum weft_status draw_span(struct drawing *d, const json_t *e)
{
    const char *name = text_of(e, "name");
    bool whole = json_object_get(e, "args") != NULL;
    double from = json_number_value(json_object_get(e, "ts"));
    double dur = json_number_value(json_object_get(e, "dur"));
    long lane = (long)json_integer_value(json_object_get(e, "tid"));
    if (lane > MOST_LANES || d->boxes >= MOST_BOXES || (whole && lane == 0)) {
        return WEFT_OK;
    }
    const char *class = whole                      ? "f"
                        : lane == 0                ? "h"
                        : !strcmp(name, "connect") ? "c"
                        : !strcmp(name, "wait")    ? "a"
                        : !strcmp(name, "read")    ? "r"
                                                   : "p";
    double per_us = SCALE / (d->until - d->from);
    double width = dur * per_us;
    d->boxes++;
    enum weft_status st = weft_buf_printf(
        d->b, "<rect class=\"%s\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"8\"", class,
        (from - d->from) * per_us, (double)lane * LANE, width < 4 ? 4 : width);
    if (st != WEFT_OK || !whole) {
        return st == WEFT_OK ? weft_buf_puts(d->b, "/>\n") : st;
    }
    st = weft_buf_puts(d->b, "><title>");
    st = st == WEFT_OK ? compare_escaped(d->b, name) : st;
    return st == WEFT_OK ? weft_buf_printf(d->b, ", %.1f ms</title></rect>\n", dur / 1000) : st;
}

static enum weft_status draw_all(struct drawing *d, const json_t *events)
{
    size_t i;
    json_t *e;
    unsigned lanes = d->lanes < MOST_LANES ? d->lanes : MOST_LANES;
    double ms = (d->until - d->from) / 1000;
    enum weft_status st = weft_buf_printf(
        d->b,
        "<svg class=\"lanes\" viewBox=\"0 0 %.0f %.0f\" preserveAspectRatio=\"none\" "
        "style=\"height:%.0fpx\" role=\"img\" aria-label=\"timeline of %u lanes over %.0f ms\">\n",
        SCALE, (lanes + 1) * LANE, (lanes + 1) * LANE, d->lanes, ms);
    json_array_foreach(events, i, e)
    {
        st = st == WEFT_OK && is_span(e) ? draw_span(d, e) : st;
    }
    st = st == WEFT_OK ? weft_buf_puts(d->b, "</svg>\n<p class=\"scale\">") : st;
    for (int k = 0; k <= 4 && st == WEFT_OK; k++) {
        st = weft_buf_printf(d->b, "<span>%.0f%s</span>", ms * k / 4, k == 4 ? " ms" : "");
    }
    st = st == WEFT_OK ? weft_buf_puts(d->b, "</p>\n") : st;
    if (st == WEFT_OK && (d->lanes > MOST_LANES || d->boxes >= MOST_BOXES)) {
        st = weft_buf_printf(d->b, "<p class=\"note\">The first %u of %u lanes%s.</p>\n", lanes,
                             d->lanes,
                             d->boxes >= MOST_BOXES ? ", until the drawing was full" : "");
    }
    return st;
}

enum weft_status compare_draw_lanes(struct weft_buf *b, const char *trace_path)
{
    struct drawing d = {.b = b};
    json_t *events = json_load_file(trace_path, 0, NULL);
    find_extent(events, &d);
    enum weft_status st = WEFT_ESYNTAX;
    if (d.until > d.from && d.lanes > 0) {
        st = draw_all(&d, events);
    }
    json_decref(events);
    return st;
}
