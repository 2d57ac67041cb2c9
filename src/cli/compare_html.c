/* compare_html.c -- the report as one page that needs nothing beside itself: words, curves, lanes,
 * the table. No script; the browser's dark mode is followed. */
#include "cli/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--ink:#1b1f24;--soft:#5a6572;--line:#d9dee4;"
    "--w0:#59636e;--w1:#0b62c4;--w2:#b3450a;--w3:#7b35b8;--wait:#d5dde6;--read:#3f9a6c;"
    "--parse:#c2410c;--conn:#a06a00;--hand:#5a6572}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14181d;--ink:#e6e9ed;--soft:#9aa5b1;"
    "--line:#2e3640;--w0:#a3adb8;--w1:#6cb0ff;--w2:#ff9a5a;--w3:#c99bff;--wait:#333e4a;"
    "--read:#5fc390;--parse:#ff8a50;--conn:#e0b040;--hand:#9aa5b1}}\n"
    "body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:1180px;background:var(--bg);"
    "color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}"
    "h3{font-size:1rem;margin:1.2rem 0 .3rem}\n"
    ".about,.note,.scale,figcaption span,.how{color:var(--soft)}.about{margin:.2rem 0 0}\n"
    ".words li{margin:.3rem 0}.words{padding-left:1.2rem}.n{white-space:nowrap}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));"
    "gap:1rem 1.5rem}\n"
    "figure{margin:0}figcaption{font-weight:600}figcaption span{font-weight:400}\n"
    "figure svg{width:100%;height:auto;display:block}\n"
    "svg text{font:10.5px system-ui,sans-serif;fill:var(--soft)}.x{text-anchor:middle}"
    ".y{text-anchor:end}.grid{stroke:var(--line);stroke-width:1}\n"
    "polyline{fill:none;stroke-width:1.8;stroke-linejoin:round}"
    ".floor polyline{stroke:var(--soft);stroke-dasharray:2 4}\n"
    ".w0{fill:var(--w0);stroke:var(--w0)}.w1{fill:var(--w1);stroke:var(--w1)}"
    ".w2{fill:var(--w2);stroke:var(--w2)}.w3{fill:var(--w3);stroke:var(--w3)}\n"
    ".key{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;margin:.5rem 0;list-style:none}"
    ".key svg{width:26px;height:12px;vertical-align:-1px;margin-right:.4rem}\n"
    ".lanes{width:100%;display:block;border-left:1px solid var(--line)}"
    ".f{fill:var(--wait);opacity:.6}.a{fill:var(--wait)}.c{fill:var(--conn)}.r{fill:var(--read)}"
    ".p{fill:var(--parse)}.h{fill:var(--hand)}\n"
    ".scale{display:flex;justify-content:space-between;margin:.1rem 0 0;font-size:.8rem}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:.9rem}th,td{text-align:right;padding:.25rem .6rem;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}th:first-child,td:first-child{text-align:left}"
    "tr.right td{font-weight:600}.bad{color:var(--parse)}\n";

enum weft_status compare_escaped(struct weft_buf *b, const char *text)
{
    enum weft_status st = WEFT_OK;
    while (*text && st == WEFT_OK) {
        size_t plain = strcspn(text, "<>&\"'");
        st = weft_buf_append(b, text, plain);
        text += plain;
        if (*text && st == WEFT_OK) {
            st = weft_buf_printf(b, "&#%d;", *text++);
        }
    }
    return st;
}

/* ---- what the curves show ---- */

static double floor_rate(const struct compare_row *r)
{
    return r->floor > 0 ? (double)r->pages / r->floor : -1;
}

static double ratio(const struct compare_row *r)
{
    return r->floor > 0 ? r->wall / r->floor : -1;
}

static double memory(const struct compare_row *r)
{
    return (double)r->rss_kib / 1024;
}

static double failed(const struct compare_row *r)
{
    return (double)r->errors;
}

static const struct compare_chart charts[] = {
    {"Throughput", "pages a second", compare_rate, floor_rate},
    {"Wall time", "times the floor", ratio, NULL},
    {"Processor time", "ms a page", compare_cpu_ms, NULL},
    {"Memory", "MiB at the peak", memory, NULL},
    {"Errors", "pages", failed, NULL},
};

static bool worth_drawing(const struct compare_result *r, const struct compare_chart *c)
{
    for (size_t i = 0; i < r->nrows; i++) {
        if (c->value(&r->rows[i]) > 0) {
            return true;
        }
    }
    return false;
}

static enum weft_status put_key(struct weft_buf *b, const struct compare_result *r)
{
    static const char *const marks[COMPARE_NWAYS] = {
        "<path d=\"M13 1.6l4.4 4.4l-4.4 4.4l-4.4 -4.4z\"/>",
        "<circle cx=\"13\" cy=\"6\" r=\"3.4\"/>",
        "<rect x=\"9.8\" y=\"2.8\" width=\"6.4\" height=\"6.4\"/>",
        "<path d=\"M13 1.8l4.2 7.2h-8.4z\"/>"};
    enum weft_status st = weft_buf_puts(b, "<ul class=\"key\">\n");
    for (int way = 0; way < COMPARE_NWAYS && st == WEFT_OK; way++) {
        if (compare_find(r, (enum compare_way)way).right) {
            st = weft_buf_printf(
                b,
                "<li><svg viewBox=\"0 0 26 12\" class=\"w%d\" aria-hidden=\"true\">"
                "<polyline points=\"0,6 26,6\"/>%s</svg>%s</li>\n",
                way, marks[way], compare_way_name((enum compare_way)way));
        }
    }
    if (st == WEFT_OK && r->nrows > 0 && r->rows[r->nrows - 1].floor > 0) {
        st = weft_buf_puts(b, "<li><svg viewBox=\"0 0 26 12\" class=\"floor\" aria-hidden=\"true\">"
                              "<polyline points=\"0,6 26,6\"/></svg>the floor</li>\n");
    }
    return st == WEFT_OK ? weft_buf_puts(b, "</ul>\n") : st;
}

static enum weft_status put_charts(struct weft_buf *b, const struct compare_result *r)
{
    enum weft_status st = weft_buf_puts(b, "<h2>Curves</h2>\n");
    st = st == WEFT_OK ? put_key(b, r) : st;
    st = st == WEFT_OK ? weft_buf_puts(b, "<div class=\"charts\">\n") : st;
    for (size_t i = 0; i < sizeof charts / sizeof charts[0] && st == WEFT_OK; i++) {
        st = worth_drawing(r, &charts[i]) ? compare_draw_chart(b, r, &charts[i]) : WEFT_OK;
    }
    return st == WEFT_OK ? weft_buf_puts(b, "</div>\n") : st;
}

/* A sentence, in which no line ends within "--jobs 16". */
static enum weft_status put_sentence(struct weft_buf *b, char *text)
{
    static const char option[] = "--jobs ";
    enum weft_status st = WEFT_OK;
    for (char *at; st == WEFT_OK && (at = strstr(text, option));) {
        size_t digits = strspn(at + strlen(option), "0123456789");
        *at = '\0';
        st = compare_escaped(b, text);
        text = at + strlen(option) + digits;
        st = st == WEFT_OK ? weft_buf_printf(b, "<span class=\"n\">%s%.*s</span>", option,
                                             (int)digits, at + strlen(option))
                           : st;
    }
    return st == WEFT_OK ? compare_escaped(b, text) : st;
}

static enum weft_status put_words(struct weft_buf *b, const struct compare_result *r)
{
    struct weft_buf words;
    weft_buf_init(&words, COMPARE_MAX_BYTES);
    enum weft_status st = compare_words(&words, r);
    st = st == WEFT_OK ? weft_buf_puts(b, "<h2>In words</h2>\n<ul class=\"words\">\n") : st;
    for (char *line = words.data, *end; st == WEFT_OK && line && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        st = weft_buf_puts(b, "<li>");
        st = st == WEFT_OK ? put_sentence(b, line) : st;
        st = st == WEFT_OK ? weft_buf_puts(b, "</li>\n") : st;
    }
    weft_buf_release(&words);
    return st == WEFT_OK ? weft_buf_puts(b, "</ul>\n") : st;
}

static enum weft_status put_pictures(struct weft_buf *b, const struct compare_picture *pictures,
                                     size_t n)
{
    if (n == 0) {
        return WEFT_OK;
    }
    enum weft_status st = weft_buf_puts(
        b, "<h2>Timelines</h2>\n<ul class=\"key\">\n"
           "<li><svg viewBox=\"0 0 26 12\"><rect class=\"c\" width=\"26\" height=\"12\"/></svg>"
           "connect</li>\n"
           "<li><svg viewBox=\"0 0 26 12\"><rect class=\"a\" width=\"26\" height=\"12\"/></svg>"
           "wait for the first byte</li>\n"
           "<li><svg viewBox=\"0 0 26 12\"><rect class=\"r\" width=\"26\" height=\"12\"/></svg>"
           "read</li>\n"
           "<li><svg viewBox=\"0 0 26 12\"><rect class=\"p\" width=\"26\" height=\"12\"/></svg>"
           "parse</li>\n"
           "<li><svg viewBox=\"0 0 26 12\"><rect class=\"h\" width=\"26\" height=\"12\"/></svg>"
           "the coordinator takes it in (first lane)</li>\n</ul>\n");
    for (size_t i = 0; i < n && st == WEFT_OK; i++) {
        const struct compare_row *row = pictures[i].row;
        st = weft_buf_printf(b, "<h3>%s, --jobs %u</h3>\n", compare_way_name(row->way), row->jobs);
        st = st == WEFT_OK ? weft_buf_append(b, pictures[i].svg.data, pictures[i].svg.len) : st;
    }
    return st;
}

static enum weft_status put_row(struct weft_buf *b, const struct compare_result *result,
                                const struct compare_row *r)
{
    static const char *const ends[] = {"", " (a part)", " (failed)", " (stopped)"};
    char floor[32] = "", times[32] = "", peak[32] = "";
    if (r->floor > 0) {
        snprintf(floor, sizeof floor, "%.3f", r->floor);
        snprintf(times, sizeof times, "%.2f", r->wall / r->floor);
    }
    if (r->peak > 0) {
        snprintf(peak, sizeof peak, "%u", r->peak);
    }
    return weft_buf_printf(
        b,
        "<tr%s><td>%s%s</td><td>%u</td><td>%" PRIu64 "</td><td%s>%" PRIu64
        "</td><td>%.3f</td><td>%s</td><td>%s</td><td>%.1f</td><td>%.3f</td><td>%.1f</td>"
        "<td>%ld</td><td>%" PRIu64 "</td><td>%s</td></tr>\n",
        compare_find(result, r->way).right == r ? " class=\"right\"" : "", compare_way_name(r->way),
        ends[r->end], r->jobs, r->pages, r->errors ? " class=\"bad\"" : "", r->errors, r->wall,
        floor, times, compare_rate(r), compare_cpu_ms(r), memory(r), r->threads, r->connections,
        peak);
}

static enum weft_status put_table(struct weft_buf *b, const struct compare_result *r)
{
    enum weft_status st = weft_buf_puts(
        b, "<h2>The table</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>engine</th>"
           "<th>jobs</th><th>pages</th><th>errors</th><th>wall s</th><th>floor s</th><th>ratio</th>"
           "<th>pages/s</th><th>CPU ms/page</th><th>RSS MiB</th><th>threads</th>"
           "<th>connections</th><th>server's peak</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < r->nrows && st == WEFT_OK; i++) {
        st = put_row(b, r, &r->rows[i]);
    }
    return st == WEFT_OK
               ? weft_buf_puts(
                     b, "</tbody></table></div>\n<p class=\"how\">Each row is a crawl in a fresh "
                        "process; the bold ones are the settings to take. Wall: the crawl, without "
                        "the start of its process. Floor: the same crawl by a crawler that costs "
                        "nothing, but learns of a page only from a page that it has read (of a "
                        "URL: by "
                        "what the sync crawl took for each page). CPU: of "
                        "the crawler's process, user and system. Server's peak: requests that the "
                        "server had in flight at once.</p>\n")
               : st;
}

enum weft_status compare_html(struct weft_buf *b, const struct compare_result *r,
                              const struct compare_picture *pictures, size_t npictures)
{
    enum weft_status st = weft_buf_printf(
        b,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<title>weft compare</title>\n<style>\n%s</style>\n</head>\n<body>\n"
        "<h1>The same crawl, by each engine</h1>\n<p class=\"about\">",
        style);
    st = st == WEFT_OK ? compare_escaped(b, r->site) : st;
    st = st == WEFT_OK ? weft_buf_puts(b, "; on ") : st;
    st = st == WEFT_OK ? compare_escaped(b, r->machine) : st;
    st = st == WEFT_OK ? weft_buf_puts(b, "; weft " WEFT_VERSION "</p>\n") : st;
    st = st == WEFT_OK ? put_words(b, r) : st;
    st = st == WEFT_OK ? put_charts(b, r) : st;
    st = st == WEFT_OK ? put_pictures(b, pictures, npictures) : st;
    st = st == WEFT_OK ? put_table(b, r) : st;
    return st == WEFT_OK ? weft_buf_puts(b, "</body>\n</html>\n") : st;
}
