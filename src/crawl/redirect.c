/* redirect.c -- a redirect is a new request of the same visit: checked against scope, rules and
 * traps, claimed, and queued at the host that it goes to, whose clock and robots.txt it takes. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <stdlib.h>
#include <string.h>

bool weft_is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static uint64_t cookies_print(const struct weft_crawl *c, const char *cookies)
{
    return cookies ? weft_fingerprint(cookies, strlen(cookies), c->hash_seed) : 0;
}

/* Whether the visit has asked this URL before, with the cookies that it would send now. */
static bool asked_before(const struct weft_crawl *c, const struct weft_visit *v, uint64_t print)
{
    uint64_t cookies = cookies_print(c, v->answer.cookies);
    for (size_t i = 0; i < v->nhops; i++) {
        if (v->hops[i].print == print && v->hops[i].cookies == cookies) {
            return true;
        }
    }
    return false;
}

static bool is_member(const struct weft_visit *v, uint64_t print)
{
    for (size_t i = 0; i < v->nmembers; i++) {
        if (v->members[i].print == print) {
            return true;
        }
    }
    return false;
}

/* Where Location leads, without fragment; key's fingerprint in *print. */
static enum weft_status resolve(const struct weft_crawl *c, const struct weft_visit *v, char *text,
                                size_t cap, struct weft_url *to, uint64_t *print)
{
    const char *location = v->answer.location;
    char key[WEFT_MAX_URL_WORK];
    size_t len;
    if (!location) {
        return WEFT_ESYNTAX;
    }
    enum weft_status st = weft_url_parse(to, text, cap, &v->url, location, strlen(location), NULL);
    if (st == WEFT_OK) {
        text[to->fragment_at] = '\0';
        to->len = to->fragment_at;
        st = weft_url_key(to, c->options.fold, key, sizeof key, &len);
    }
    if (st == WEFT_OK) {
        *print = weft_fingerprint(key, len, c->hash_seed);
    }
    return st;
}

/* Whether policy forbids following the redirect; seeds may lead out of their scope, also by way of
 * URLs that were found before. */
static enum weft_reason forbidden(const struct weft_crawl *c, const struct weft_visit *v,
                                  const struct weft_url *to, const char **error)
{
    *error = NULL;
    if (!weft_joins_led_by_seed(&c->joins, v)) {
        int rule;
        bool inside = weft_scope_has(&c->scope, to);
        if (!inside && !c->options.check) {
            return WEFT_REASON_SCOPE;
        }
        if (!weft_scope_rules_take(&c->scope, to->href, &rule) && (inside || rule >= 0)) {
            return WEFT_REASON_FILTER;
        }
    }
    *error = weft_traps_check(&c->traps, to);
    return *error ? WEFT_REASON_LIMIT : WEFT_REASON_NONE;
}

/* Sends the visit on to its new URL, on that URL's host. Takes v. */
static enum weft_status go_on(struct weft_crawl *c, struct weft_visit *v)
{
    struct weft_host *h;
    weft_time now = c->now(c->now_user);
    enum weft_status st = weft_frontier_host(&c->frontier, &v->url, now, &h);
    if (st != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    v->host = h;
    v->tries = 0;
    v->stale_tried = v->no_head = false;
    v->not_before = now;
    weft_frontier_put_back(&c->frontier, v);
    return WEFT_OK;
}

/* The target belongs to another visit. Takes v. */
static enum weft_status join(struct weft_crawl *c, struct weft_visit *v, uint64_t target,
                             const char *url)
{
    struct weft_end end;
    if (weft_seen_ended(&c->seen, target, &end)) {
        return weft_finish_joined(c, v, target, url);
    }
    unsigned most = (unsigned)c->options.max_redirects;
    if (weft_joins_would_loop(&c->joins, v, target, most)) {
        return weft_finish(c, v, WEFT_REASON_REDIRECT_LOOP,
                           "the redirect leads back, or to more than --max-redirects");
    }
    enum weft_status st = WEFT_OK;
    if (weft_joins_led_by_seed(&c->joins, v)) {
        st = weft_joins_lead(&c->joins, target, most);
        c->decide = true;
    }
    if (st == WEFT_OK) {
        st = weft_joins_wait(&c->joins, v, target);
    }
    if (st != WEFT_OK) {
        weft_visit_free(v);
    }
    return st;
}

/* Notes the hop and turns the visit to its target; claims the target if it is not the visit's own
 * already. */
static enum weft_status turn(struct weft_crawl *c, struct weft_visit *v, const struct weft_url *to,
                             uint64_t print, bool claimed)
{
    char *cookies = v->answer.cookies ? strdup(v->answer.cookies) : NULL;
    if (v->answer.cookies && !cookies) {
        return WEFT_ENOMEM;
    }
    free(v->cookies);
    v->cookies = cookies;
    enum weft_status st = weft_visit_go(v, to->href, to->len, print);
    if (st == WEFT_OK && claimed) {
        st = weft_visit_add_member(v);
        if (st == WEFT_OK) {
            st = weft_levels_enter(&c->levels, v->members[v->nmembers - 1].depth);
        }
        if (st == WEFT_OK) {
            st = weft_keep_claim_member(c, &v->members[v->nmembers - 1]);
        }
    }
    return st;
}

enum weft_status weft_redirect(struct weft_crawl *c, struct weft_visit *v)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url to;
    uint64_t print = 0;
    const char *error;
    bool fresh = false;
    enum weft_status st = resolve(c, v, text, sizeof text, &to, &print);
    if (st == WEFT_ENOMEM) {
        goto failed;
    }
    if (st != WEFT_OK) {
        return weft_finish(c, v, WEFT_REASON_REDIRECT,
                           v->answer.location ? "Location is no http or https URL" : "no Location");
    }
    enum weft_reason reason = forbidden(c, v, &to, &error);
    if (c->seeds_left > 0 && !c->stopping &&
        (reason == WEFT_REASON_SCOPE || reason == WEFT_REASON_FILTER)) {
        v->next = c->undecided;
        c->undecided = v;
        return WEFT_OK;
    }
    st = weft_visit_add_hop(v, v->answer.status, cookies_print(c, v->cookies));
    if (st != WEFT_OK) {
        goto failed;
    }
    if (v->nhops > (size_t)c->options.max_redirects || asked_before(c, v, print)) {
        return weft_finish(c, v, WEFT_REASON_REDIRECT_LOOP,
                           v->nhops > (size_t)c->options.max_redirects
                               ? "more redirects than --max-redirects"
                               : "the redirect leads back");
    }
    if (reason != WEFT_REASON_NONE) {
        return weft_finish(c, v, reason, error ? error : "where the redirect leads");
    }
    /* Its own URL is legal once more: the cookies have changed. On a list nothing is claimed. */
    bool own = c->options.next_url || is_member(v, print);
    if (!own && (st = weft_seen_claim(&c->seen, print, &fresh)) != WEFT_OK) {
        goto failed;
    }
    if (!own && !fresh) {
        return join(c, v, print, to.href);
    }
    if ((st = turn(c, v, &to, print, !own)) != WEFT_OK) {
        goto failed;
    }
    return go_on(c, v);
failed:
    weft_visit_free(v);
    return st;
}

enum weft_status weft_redirect_undecided(struct weft_crawl *c)
{
    enum weft_status st = WEFT_OK;
    if (!c->undecided || (c->seeds_left > 0 && !c->decide)) {
        return st;
    }
    struct weft_visit *list = c->undecided;
    c->undecided = NULL;
    c->decide = false;
    while (list) {
        struct weft_visit *v = list;
        list = v->next;
        v->next = NULL;
        if (st == WEFT_OK) {
            st = weft_redirect(c, v);
        } else {
            weft_visit_free(v);
        }
    }
    return st;
}
