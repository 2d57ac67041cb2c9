/* check_sarif.c -- the report of a link check as SARIF 2.1.0, which code hosts show beside the
 * lines: a result for each place that points at what is wrong. Knows results and JSON. */
#include "cli/check_report.h"

#include "store/json_safe.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rule for each verdict that is told; the order is that of the verdicts, up to "fine". */
static const struct {
    const char *level, *text;
} rules[] = {
    {"error",
     "The link leads to nothing: no answer, a status of 400 or above, a loop of redirects."},
    {"error", "The page is there, but no element of it has the link's fragment as its id or name."},
    {"warning", "The link leads to something that has moved for good and should be updated."},
    {"note", "The link could not be checked: robots.txt or a rule forbids it, or a limit was met."},
};

#define NRULES (sizeof rules / sizeof *rules)

static json_t *rules_of(void)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < NRULES; i++) {
        json_t *rule = json_pack("{ss s{ss} s{ss}}", "id",
                                 cli_verdict_name((enum weft_link_verdict)i), "shortDescription",
                                 "text", rules[i].text, "defaultConfiguration", "level",
                                 rules[i].level);
        if (!rule || json_array_append_new(list, rule) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* "404: http://..."; gives back a string for free(), or NULL. */
static char *message_of(const struct weft_link_result *r)
{
    char words[64], *text = NULL;
    cli_check_what(r, words, sizeof words);
    bool moved = r->verdict == WEFT_LINK_MOVED && r->moved_to;
    int n = asprintf(&text, "%s %s: %s%s%s%s%s", cli_verdict_name(r->verdict), words, r->url,
                     r->fragment ? "#" : "", r->fragment ? r->fragment : "",
                     moved ? ", now at " : "", moved ? r->moved_to : "");
    return n < 0 ? NULL : text;
}

/* The place; a target that nothing points at, a seed, is its own. Lines are known of HTML alone. */
static json_t *location_of(const struct weft_link_result *r, const struct weft_link_place *place)
{
    json_t *at = json_pack("{s{so}}", "artifactLocation", "uri",
                           cli_check_json_text(place ? place->page : r->url));
    if (at && place && place->line &&
        json_object_set_new(at, "region", json_pack("{si}", "startLine", (int)place->line)) != 0) {
        json_decref(at);
        at = NULL;
    }
    return json_pack("[{so}]", "physicalLocation", at);
}

static json_t *result_of(const struct weft_link_result *r, const struct weft_link_place *place)
{
    char *message = message_of(r);
    json_t *text = message ? cli_check_json_text(message) : NULL;
    free(message);
    return json_pack("{ss si ss s{so} so}", "ruleId", cli_verdict_name(r->verdict), "ruleIndex",
                     (int)r->verdict, "level", rules[r->verdict].level, "message", "text", text,
                     "locations", location_of(r, place));
}

static json_t *results_of(const struct cli_check_result *report)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < report->n; i++) {
        const struct weft_link_result *r = &report->results[i];
        size_t n = (size_t)r->verdict >= NRULES ? 0 : r->nplaces ? r->nplaces : 1;
        for (size_t k = 0; list && k < n; k++) {
            json_t *one = result_of(r, r->nplaces ? &r->places[k] : NULL);
            if (!one || json_array_append_new(list, one) != 0) {
                json_decref(list);
                list = NULL;
            }
        }
    }
    return list;
}

enum weft_status cli_check_sarif(struct weft_buf *b, const struct cli_check_result *r)
{
    json_t *log = json_pack("{ss ss s[{s{s{ss ss so}} s[{sb}] so}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", "name", "weft check", "version", WEFT_VERSION,
                            "rules", rules_of(), "invocations", "executionSuccessful", r->finished,
                            "results", results_of(r));
    char *text = log ? json_dumps(log, JSON_INDENT(1)) : NULL;
    enum weft_status st = text ? weft_json_put_safe(b, text, strlen(text)) : WEFT_ENOMEM;
    free(text);
    json_decref(log);
    return st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
}
