/* explain.c -- see explain.h. Asks in the order in which discover.c and robots_gate.c do. */
#include "weft/explain.h"

#include "base/limits.h"
#include "crawl/coordinator.h"
#include "crawl/loopback.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum weft_reason reason_of(const struct weft_explanation *e)
{
    if (!e->seed && !e->in_scope) {
        return WEFT_REASON_SCOPE;
    }
    if (!e->seed && !e->taken) {
        return WEFT_REASON_FILTER;
    }
    return e->limit ? WEFT_REASON_LIMIT : WEFT_REASON_NONE;
}

static enum weft_status explain_host(struct weft_crawl *c, const struct weft_url *url,
                                     struct weft_explanation *out)
{
    struct weft_host *h;
    enum weft_status st = weft_frontier_host(&c->frontier, url, c->now(c->now_user), &h);
    if (st != WEFT_OK) {
        return st;
    }
    out->origin = strdup(h->origin);
    out->loopback = weft_is_loopback(url);
    out->delay = (double)h->delay / (double)WEFT_SECOND;
    out->per_host = h->policy->per_host < c->options.jobs ? h->policy->per_host : c->options.jobs;
    out->rate = h->policy->rate;
    out->burst = h->policy->burst;
    return out->origin ? WEFT_OK : WEFT_ENOMEM;
}

enum weft_status weft_crawl_explain(struct weft_crawl *c, const char *url, size_t len,
                                    struct weft_explanation *out)
{
    char href[WEFT_MAX_URL_WORK], key[WEFT_MAX_URL_WORK];
    struct weft_url parsed;
    size_t key_len;
    *out = (struct weft_explanation){.rule = -1};
    out->parsed = weft_url_parse(&parsed, href, sizeof href, NULL, url, len, NULL);
    if (out->parsed == WEFT_OK) {
        out->parsed = weft_url_key(&parsed, c->options.fold, key, sizeof key, &key_len);
    }
    if (out->parsed == WEFT_ENOMEM) {
        return WEFT_ENOMEM;
    }
    if (out->parsed != WEFT_OK) {
        out->reason = out->parsed == WEFT_ELIMIT ? WEFT_REASON_LIMIT : WEFT_REASON_BAD_URL;
        return WEFT_OK;
    }
    href[parsed.fragment_at] = '\0';
    parsed.len = parsed.fragment_at;
    out->url = strdup(href);
    out->key = strdup(key);
    if (!out->url || !out->key) {
        return WEFT_ENOMEM;
    }
    uint64_t print = weft_fingerprint(key, key_len, c->hash_seed);
    out->seed = weft_seen_has(&c->seen, print);
    out->in_scope = c->scope.places.n == 0 || weft_scope_has(&c->scope, &parsed);
    out->taken = weft_scope_rules_take(&c->scope, href, &out->rule);
    out->limit = weft_traps_check(&c->traps, &parsed);
    out->reason = reason_of(out);
    if (weft_traps_too_long(&c->traps, &parsed)) {
        return WEFT_OK; /* no host is asked for it */
    }
    return explain_host(c, &parsed, out);
}

void weft_explanation_release(struct weft_explanation *e)
{
    free(e->url);
    free(e->key);
    free(e->origin);
    *e = (struct weft_explanation){0};
}

/* --- robots.txt ------------------------------------------------------------------------------- */

/* Follows robots.txt to where it is: at most five hops (RFC 9309 2.3.1.2). *at is the URL that was
 * asked last. */
static enum weft_status fetch_robots(struct weft_client *client, const struct weft_traps *traps,
                                     const struct weft_url *url, struct weft_response *r, char *at,
                                     size_t cap)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url next;
    enum weft_status st = weft_url_parse(&next, text, sizeof text, url, "/robots.txt", 11, NULL);
    for (unsigned hops = 0; st == WEFT_OK; hops++) {
        snprintf(at, cap, "%.*s", (int)next.fragment_at, next.href);
        st = weft_client_fetch(client, &(struct weft_request){.url = at}, r);
        if (st != WEFT_OK || !weft_robots_answered(r->end, r->status) ||
            !weft_is_redirect(r->status) || !r->location || hops == WEFT_MAX_ROBOTS_HOPS) {
            return st;
        }
        char from[WEFT_MAX_URL_WORK];
        struct weft_url base;
        st = weft_url_parse(&base, from, sizeof from, NULL, at, strlen(at), NULL);
        if (st == WEFT_OK && (weft_url_parse(&next, text, sizeof text, &base, r->location,
                                             strlen(r->location), NULL) != WEFT_OK ||
                              weft_traps_too_long(traps, &next))) {
            return WEFT_OK; /* it leads nowhere: as if there were none */
        }
    }
    return st;
}

/* The text of a line of the file, from 1; NULL: no memory. */
static char *line_text(const char *body, size_t len, unsigned line)
{
    const char *at = body, *end = body + len;
    for (unsigned n = 1; n < line && at < end; n++) {
        at += strcspn(at, "\r\n");
        at += at + 1 < end && at[0] == '\r' && at[1] == '\n' ? 2 : 1;
    }
    return at < end ? strndup(at, strcspn(at, "\r\n")) : strdup("");
}

static enum weft_status explain_rules(struct weft_crawl *c, const struct weft_url *url,
                                      const struct weft_response *r,
                                      struct weft_explained_robots *out)
{
    struct weft_robots *rules;
    enum weft_status st = weft_robots_parse(&rules, r->body, r->body_len, c->robots_agent);
    if (st != WEFT_OK) {
        return st;
    }
    const char *group = weft_robots_group(rules);
    out->allowed = weft_robots_allows(rules, url, &out->line);
    out->group = group ? strdup(group) : NULL;
    out->text = out->line ? line_text(r->body, r->body_len, out->line) : NULL;
    out->crawl_delay = weft_robots_crawl_delay(rules);
    double longest = (double)c->options.max_crawl_delay / (double)WEFT_SECOND;
    out->reason = out->allowed && out->crawl_delay <= longest ? WEFT_REASON_NONE
                                                              : WEFT_REASON_ROBOTS;
    weft_robots_free(rules);
    return (group && !out->group) || (out->line && !out->text) ? WEFT_ENOMEM : WEFT_OK;
}

static enum weft_status explain_answer(struct weft_crawl *c, const struct weft_url *url,
                                       const struct weft_response *r,
                                       struct weft_explained_robots *out)
{
    out->status = r->status;
    if (!weft_robots_answered(r->end, r->status)) {
        snprintf(out->error, sizeof out->error, "%s", r->error);
        out->reason = weft_robots_failure(r->end);
        return WEFT_OK;
    }
    if (r->status >= 500) {
        out->reason = WEFT_REASON_ROBOTS;
        return WEFT_OK;
    }
    return r->status >= 200 && r->status < 300 ? explain_rules(c, url, r, out) : WEFT_OK;
}

enum weft_status weft_crawl_explain_robots(struct weft_crawl *c, const char *url, size_t len,
                                           struct weft_explained_robots *out)
{
    char href[WEFT_MAX_URL_WORK], at[WEFT_MAX_URL_WORK] = "";
    struct weft_url parsed;
    struct weft_client *client = NULL;
    struct weft_response r;
    *out = (struct weft_explained_robots){.allowed = true, .crawl_delay = -1};
    if (!c->net || weft_url_parse(&parsed, href, sizeof href, NULL, url, len, NULL) != WEFT_OK) {
        return WEFT_EINVAL;
    }
    weft_response_init(&r);
    enum weft_status st = weft_client_new(&client, c->net);
    st = st == WEFT_OK ? fetch_robots(client, &c->traps, &parsed, &r, at, sizeof at) : st;
    st = st == WEFT_OK ? explain_answer(c, &parsed, &r, out) : st;
    out->url = strdup(at);
    out->agent = strdup(c->robots_agent);
    weft_response_release(&r);
    weft_client_free(client);
    return st == WEFT_OK && (!out->url || !out->agent) ? WEFT_ENOMEM : st;
}

void weft_explained_robots_release(struct weft_explained_robots *r)
{
    free(r->url);
    free(r->agent);
    free(r->group);
    free(r->text);
    *r = (struct weft_explained_robots){0};
}
