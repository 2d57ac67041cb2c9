/* check_report.c -- see check_report.h. Text for people is escaped for terminals; JUnit XML holds
 * no character that XML forbids. */
#include "cli/check_report.h"

#include "cli/console.h"
#include "store/json_safe.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cli_verdict_name(enum weft_link_verdict v)
{
    static const char *const names[] = {"broken", "fragment", "moved", "unchecked", "fine"};
    return names[v];
}

static enum weft_status escaped(struct weft_buf *b, enum weft_status st, const char *before,
                                const char *text)
{
    st = st == WEFT_OK ? weft_buf_puts(b, before) : st;
    return st == WEFT_OK ? cli_escape(b, text, strlen(text)) : st;
}

void cli_check_what(const struct weft_link_result *r, char *text, size_t cap)
{
    bool status = r->status &&
                  (r->reason == WEFT_REASON_NONE || r->reason == WEFT_REASON_HTTP_STATUS);
    if (r->verdict == WEFT_LINK_FRAGMENT) {
        snprintf(text, cap, "no such fragment");
    } else if (status) {
        snprintf(text, cap, "%d", r->status);
    } else if (r->reason != WEFT_REASON_NONE) {
        snprintf(text, cap, "%s", weft_reason_name(r->reason));
    } else {
        snprintf(text, cap, "not reached");
    }
}

/* --- for people ------------------------------------------------------------------------------- */

static enum weft_status put_place(struct weft_buf *b, const struct weft_link_place *p)
{
    enum weft_status st = escaped(b, WEFT_OK, "    ", p->page);
    if (st == WEFT_OK && p->line) {
        st = weft_buf_printf(b, ":%u", p->line);
    }
    return st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
}

static enum weft_status put_result(struct weft_buf *b, const struct weft_link_result *r)
{
    char words[64];
    cli_check_what(r, words, sizeof words);
    enum weft_status st = weft_buf_printf(b, "%s %s ", cli_verdict_name(r->verdict), words);
    st = escaped(b, st, "", r->url);
    if (r->fragment) {
        st = escaped(b, st, "#", r->fragment);
    }
    if (r->moved_to) {
        st = escaped(b, st, " -> ", r->moved_to);
    }
    if (r->error && r->reason != WEFT_REASON_HTTP_STATUS) {
        st = escaped(b, st, " (", r->error);
        st = st == WEFT_OK ? weft_buf_puts(b, ")") : st;
    }
    st = st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
    for (size_t i = 0; i < r->nplaces && st == WEFT_OK; i++) {
        st = put_place(b, &r->places[i]);
    }
    return st;
}

enum weft_status cli_check_text(struct weft_buf *b, const struct cli_check_result *r)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->n && st == WEFT_OK; i++) {
        if (r->results[i].verdict != WEFT_LINK_FINE) {
            st = put_result(b, &r->results[i]);
        }
    }
    return st;
}

/* --- JSON ------------------------------------------------------------------------------------- */

json_t *cli_check_json_text(const char *text)
{
    json_t *s = text ? json_string(text) : json_null();
    struct weft_buf b;
    if (s || !text) {
        return s;
    }
    weft_buf_init(&b, 1u << 20);
    if (cli_escape(&b, text, strlen(text)) == WEFT_OK) {
        s = json_string(b.data);
    }
    weft_buf_release(&b);
    return s;
}

static json_t *places_of(const struct weft_link_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < r->nplaces; i++) {
        json_t *line = r->places[i].line ? json_integer(r->places[i].line) : json_null();
        json_t *place = json_pack("{so so}", "page", cli_check_json_text(r->places[i].page), "line",
                                  line);
        if (!place || json_array_append_new(list, place) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *result_of(const struct weft_link_result *r)
{
    const char *reason = r->reason == WEFT_REASON_NONE ? NULL : weft_reason_name(r->reason);
    return json_pack("{ss so so so so so so so}", "verdict", cli_verdict_name(r->verdict), "url",
                     cli_check_json_text(r->url), "fragment", cli_check_json_text(r->fragment),
                     "status", r->status ? json_integer(r->status) : json_null(), "reason",
                     cli_check_json_text(reason), "error", cli_check_json_text(r->error),
                     "moved_to", cli_check_json_text(r->moved_to), "places", places_of(r));
}

static json_t *report_of(const struct cli_check_result *r)
{
    json_t *list = json_array(), *counts = json_object();
    for (size_t i = 0; list && i < r->n; i++) {
        json_t *one = result_of(&r->results[i]);
        if (!one || json_array_append_new(list, one) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    for (size_t i = 0; counts && i < WEFT_LINK_NVERDICTS; i++) {
        if (json_object_set_new(counts, cli_verdict_name((enum weft_link_verdict)i),
                                json_integer((json_int_t)r->counts[i])) != 0) {
            json_decref(counts);
            counts = NULL;
        }
    }
    return json_pack("{sb so so}", "finished", r->finished, "counts", counts, "links", list);
}

enum weft_status cli_check_json(struct weft_buf *b, const struct cli_check_result *r)
{
    json_t *report = report_of(r);
    char *text = report ? json_dumps(report, JSON_INDENT(1)) : NULL;
    enum weft_status st = text ? weft_json_put_safe(b, text, strlen(text)) : WEFT_ENOMEM;
    free(text);
    json_decref(report);
    return st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
}

/* --- JUnit XML -------------------------------------------------------------------------------- */

/* Escapes for an attribute or text. What cli_escape lets through are characters of XML, all. */
static enum weft_status xml(struct weft_buf *b, enum weft_status st, const char *before,
                            const char *text)
{
    struct weft_buf safe;
    weft_buf_init(&safe, 1u << 20);
    st = st == WEFT_OK ? weft_buf_puts(b, before) : st;
    st = st == WEFT_OK ? cli_escape(&safe, text, strlen(text)) : st;
    for (const char *p = safe.data; p && *p && st == WEFT_OK;) {
        size_t plain = strcspn(p, "<>&\"'");
        st = weft_buf_append(b, p, plain);
        p += plain;
        if (*p && st == WEFT_OK) {
            st = weft_buf_printf(b, "&#%d;", *p++);
        }
    }
    weft_buf_release(&safe);
    return st;
}

static enum weft_status put_failure(struct weft_buf *b, enum weft_status st,
                                    const struct weft_link_result *r)
{
    char words[64];
    cli_check_what(r, words, sizeof words);
    st = st == WEFT_OK ? weft_buf_puts(b, ">\n") : st;
    st = xml(b, st, "      <failure message=\"", words);
    st = xml(b, st, r->error ? ": " : "", r->error ? r->error : "");
    st = st == WEFT_OK ? weft_buf_puts(b, "\">") : st;
    for (size_t i = 0; i < r->nplaces && st == WEFT_OK; i++) {
        st = xml(b, st, "", r->places[i].page);
        if (st == WEFT_OK && r->places[i].line) {
            st = weft_buf_printf(b, ":%u", r->places[i].line);
        }
        st = st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
    }
    return st == WEFT_OK ? weft_buf_puts(b, "</failure>\n    </testcase>\n") : st;
}

static enum weft_status put_case(struct weft_buf *b, const struct weft_link_result *r)
{
    enum weft_status st = xml(b, WEFT_OK, "    <testcase classname=\"links\" name=\"", r->url);
    if (r->fragment) {
        st = xml(b, st, "#", r->fragment);
    }
    st = st == WEFT_OK ? weft_buf_puts(b, "\"") : st;
    switch (r->verdict) {
    case WEFT_LINK_BROKEN:
    case WEFT_LINK_FRAGMENT:
        return put_failure(b, st, r);
    case WEFT_LINK_UNCHECKED:
        return st == WEFT_OK ? weft_buf_puts(b, "><skipped/></testcase>\n") : st;
    case WEFT_LINK_MOVED:
        st = xml(b, st, "><system-out>moved to ", r->moved_to);
        return st == WEFT_OK ? weft_buf_puts(b, "</system-out></testcase>\n") : st;
    default:
        return st == WEFT_OK ? weft_buf_puts(b, "/>\n") : st;
    }
}

enum weft_status cli_check_junit(struct weft_buf *b, const struct cli_check_result *r)
{
    size_t failures = r->counts[WEFT_LINK_BROKEN] + r->counts[WEFT_LINK_FRAGMENT];
    enum weft_status st = weft_buf_printf(
        b,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
        "  <testsuite name=\"weft check\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
        r->n, failures, r->counts[WEFT_LINK_UNCHECKED]);
    for (size_t i = 0; i < r->n && st == WEFT_OK; i++) {
        st = put_case(b, &r->results[i]);
    }
    return st == WEFT_OK ? weft_buf_puts(b, "  </testsuite>\n</testsuites>\n") : st;
}
