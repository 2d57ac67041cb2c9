/* robots_gate.c -- a host is asked for its robots.txt once, before its first page (RFC 9309 2.3).
 *
 * 2xx: the rules hold. 4xx: all is allowed (2.3.1.3). 5xx: asked again by the rules for retries,
 * then nothing is allowed (2.3.1.4). A host that can't be reached at all fails its URLs with that
 * reason. Other hosts go on meanwhile. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES_LAST (24 * 3600 * WEFT_SECOND) /* RFC 9309 2.4 */

struct weft_visit *weft_robots_visit(struct weft_crawl *c, struct weft_host *h)
{
    char url[WEFT_MAX_ORIGIN + 16];
    int len = snprintf(url, sizeof url, "%s/robots.txt", h->origin);
    struct weft_visit *v = weft_visit_new(
        WEFT_VISIT_ROBOTS,
        &(struct weft_queued){.url = url,
                              .len = (uint32_t)len,
                              .print = weft_fingerprint(url, (size_t)len, c->hash_seed)});
    if (v) {
        v->host = v->robots_of = h;
        h->robots = WEFT_ROBOTS_ASKED;
        weft_frontier_touch(&c->frontier, h);
    }
    return v;
}

enum weft_status weft_host_close(struct weft_crawl *c, struct weft_host *h, enum weft_reason as,
                                 const char *why)
{
    char *copy = strdup(why);
    if (!copy) {
        return WEFT_ENOMEM;
    }
    free(h->closed_why);
    h->closed_why = copy;
    h->closed_as = as;
    h->robots = WEFT_ROBOTS_CLOSED;
    weft_frontier_touch(&c->frontier, h);
    return WEFT_OK;
}

void weft_robots_refresh(struct weft_crawl *c, struct weft_host *h)
{
    if (h->robots == WEFT_ROBOTS_KNOWN && h->robots_at &&
        c->now(c->now_user) - h->robots_at > RULES_LAST) {
        h->robots = WEFT_ROBOTS_UNKNOWN;
        weft_frontier_touch(&c->frontier, h);
    }
}

bool weft_robots_permit(const struct weft_visit *v, enum weft_reason *reason, const char **error)
{
    const struct weft_host *h = v->host;
    *reason = WEFT_REASON_NONE;
    *error = NULL;
    if (v->kind == WEFT_VISIT_ROBOTS && !h->given_up) {
        return true; /* robots.txt itself is never forbidden */
    }
    if (h->robots == WEFT_ROBOTS_CLOSED) {
        *reason = h->closed_as;
        *error = h->closed_why;
        return false;
    }
    if (h->rules && !weft_robots_allows(h->rules, &v->url, NULL)) {
        *reason = WEFT_REASON_ROBOTS;
        *error = "disallowed by robots.txt";
        return false;
    }
    return true;
}

/* Opens the host under these rules (taken; NULL: all is allowed). */
static enum weft_status open_host(struct weft_crawl *c, struct weft_host *h,
                                  struct weft_robots *rules)
{
    weft_robots_free(h->rules);
    h->rules = rules;
    h->robots = WEFT_ROBOTS_KNOWN;
    h->robots_at = c->now(c->now_user);
    double delay = rules ? weft_robots_crawl_delay(rules) : -1;
    weft_time longest = c->options.max_crawl_delay;
    if (delay > (double)longest / (double)WEFT_SECOND) {
        char why[WEFT_MAX_ERROR];
        snprintf(why, sizeof why, "Crawl-delay of %g s is longer than --max-crawl-delay", delay);
        weft_crawl_log(c, WEFT_LOG_WARNING, "%s is skipped: %s", h->origin, why);
        return weft_host_close(c, h, WEFT_REASON_ROBOTS, why);
    }
    weft_time wanted = h->policy->delay; /* the user's own is the least */
    if (delay >= 0 && (weft_time)(delay * (double)WEFT_SECOND) > wanted) {
        wanted = (weft_time)(delay * (double)WEFT_SECOND);
    }
    /* Counted from the start of the request for robots.txt, which was the last one. */
    h->next_start += wanted - h->delay;
    h->delay = wanted;
    weft_frontier_touch(&c->frontier, h);
    return rules && c->options.sitemaps ? weft_sitemaps_ask(c, rules) : WEFT_OK;
}

/* robots.txt is somewhere else: at most five hops (RFC 9309 2.3.1.2), at any host. Takes v. */
static enum weft_status follow(struct weft_crawl *c, struct weft_visit *v)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url to;
    struct weft_host *h;
    const char *location = v->answer.location;
    enum weft_status st = WEFT_ESYNTAX;
    if (location && v->nhops < WEFT_MAX_ROBOTS_HOPS) {
        st = weft_url_parse(&to, text, sizeof text, &v->url, location, strlen(location), NULL);
    }
    if (st == WEFT_ENOMEM) {
        goto out;
    }
    if (st != WEFT_OK || weft_traps_too_long(&c->traps, &to)) {
        st = open_host(c, v->robots_of, NULL); /* "unavailable": as if there were none */
        goto out;
    }
    if ((st = weft_visit_add_hop(v, v->answer.status, 0)) != WEFT_OK ||
        (st = weft_visit_go(v, to.href, to.fragment_at, 0)) != WEFT_OK ||
        (st = weft_frontier_host(&c->frontier, &v->url, c->now(c->now_user), &h)) != WEFT_OK) {
        goto out;
    }
    v->host = h;
    v->tries = 0;
    v->not_before = c->now(c->now_user);
    weft_frontier_put_back(&c->frontier, v);
    return WEFT_OK;
out:
    weft_visit_free(v);
    return st;
}

enum weft_status weft_robots_refused(struct weft_crawl *c, struct weft_visit *v,
                                     enum weft_reason reason, const char *error)
{
    struct weft_host *h = v->robots_of;
    enum weft_status st = WEFT_OK;
    if (h->robots != WEFT_ROBOTS_CLOSED) {
        char why[WEFT_MAX_ERROR];
        snprintf(why, sizeof why, "robots.txt is at %s: %s", v->host->origin, error);
        st = weft_host_close(c, h, reason, why);
    }
    weft_visit_free(v);
    return st;
}

/* Rules that were known go on to hold while they can't be asked for anew (RFC 9309 2.4). */
static enum weft_status keep_rules(struct weft_crawl *c, struct weft_host *h)
{
    h->robots = WEFT_ROBOTS_KNOWN;
    h->robots_at = c->now(c->now_user);
    weft_frontier_touch(&c->frontier, h);
    return WEFT_OK;
}

static enum weft_status judge_status(struct weft_crawl *c, struct weft_host *h,
                                     const struct weft_answer *a)
{
    char why[WEFT_MAX_ERROR];
    if (a->status >= 200 && a->status < 300) {
        struct weft_robots *rules;
        enum weft_status st = weft_robots_parse(&rules, a->body ? a->body : "", a->body_len,
                                                c->robots_agent);
        return st == WEFT_OK ? open_host(c, h, rules) : st;
    }
    if (a->status >= 500 && h->robots_at) {
        return keep_rules(c, h);
    }
    if (a->status >= 500) {
        snprintf(why, sizeof why, "robots.txt answered with status %d", a->status);
        return weft_host_close(c, h, WEFT_REASON_ROBOTS, why);
    }
    return open_host(c, h, NULL);
}

bool weft_robots_answered(enum weft_fetch_end end, int status)
{
    return end == WEFT_FETCH_DONE || (end == WEFT_FETCH_TOO_LARGE && status > 0);
}

enum weft_reason weft_robots_failure(enum weft_fetch_end end)
{
    enum weft_reason reason = weft_reason_of(end);
    switch (reason) {
    case WEFT_REASON_TIMEOUT: /* the host itself can't be reached: its URLs fail for that */
    case WEFT_REASON_CONNECTION:
    case WEFT_REASON_DNS:
    case WEFT_REASON_TLS:
    case WEFT_REASON_PRIVATE:
    case WEFT_REASON_INTERRUPTED:
        return reason;
    default:
        return WEFT_REASON_ROBOTS; /* it answers, but its rules can't be known */
    }
}

/* The request for robots.txt did not come to an answer. */
static enum weft_status judge_failure(struct weft_crawl *c, struct weft_host *h,
                                      const struct weft_answer *a)
{
    char why[WEFT_MAX_ERROR + 32];
    if (h->robots_at) {
        return keep_rules(c, h);
    }
    snprintf(why, sizeof why, "robots.txt: %s",
             a->error ? a->error : weft_reason_name(weft_reason_of(a->end)));
    return weft_host_close(c, h, weft_robots_failure(a->end), why);
}

enum weft_status weft_robots_absorb(struct weft_crawl *c, struct weft_visit *v)
{
    struct weft_host *h = v->robots_of;
    const struct weft_answer *a = &v->answer;
    enum weft_status st;
    if (weft_retry(c, v)) {
        return WEFT_OK;
    }
    if (h->robots == WEFT_ROBOTS_CLOSED) { /* given up meanwhile */
        weft_visit_free(v);
        return WEFT_OK;
    }
    bool answered = weft_robots_answered(a->end, a->status);
    if (answered && weft_is_redirect(a->status)) {
        return follow(c, v);
    }
    st = answered ? judge_status(c, h, a) : judge_failure(c, h, a);
    weft_visit_free(v);
    return st;
}
