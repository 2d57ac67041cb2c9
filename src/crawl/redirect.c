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
    if (!weft_reach_is_led(&c->joins, v, c->options.max_redirects)) {
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
    v->stale_tried = v->no_head = v->noted = false;
    v->not_before = now;
    weft_frontier_put_back(&c->frontier, v);
    return WEFT_OK;
}

enum weft_status weft_redirect_reach(struct weft_crawl *c, uint64_t print, int left)
{
    struct weft_visit *v;
    enum weft_status st = weft_reach_raise(&c->joins, print, left, c->options.max_redirects, &v);
    if (v) {
        v->next = c->undecided;
        c->undecided = v;
        c->decide = true;
    }
    return st;
}

/* What follows from v for the URL that its redirect leads to, and for those that this one leads to,
 * whatever becomes of v. */
static enum weft_status pass_on(struct weft_crawl *c, const struct weft_visit *v, uint64_t target)
{
    int left = weft_reach_left(&c->joins, v, c->options.max_redirects);
    enum weft_status st = left < 0 ? WEFT_OK : weft_redirect_reach(c, target, left);
    if (st == WEFT_OK && weft_reach_is_led(&c->joins, v, c->options.max_redirects)) {
        st = weft_reach_lead(&c->joins, v, target, c->options.max_redirects);
        c->decide = true;
    }
    return st;
}

/* v was not led, or is cut: no seed of its own or of those who wait for it leads further by it. */
static enum weft_status let_go(struct weft_crawl *c, struct weft_visit *v)
{
    size_t gone = c->seeds_left > 0 ? weft_joins_let_go(&c->joins, v) : 0;
    c->seeds_left -= gone;
    return gone > 0 && c->seeds_left == 0 ? weft_discover_released(c) : WEFT_OK;
}

static enum weft_status too_long(struct weft_crawl *c, struct weft_visit *v)
{
    return weft_finish(c, v, WEFT_REASON_REDIRECT_LOOP, "more redirects than --max-redirects");
}

/* No more redirects may be followed, and the target is nobody else's. Takes v. */
static enum weft_status cut(struct weft_crawl *c, struct weft_visit *v, uint64_t target)
{
    if (c->options.next_url || c->joins.ncut >= WEFT_MAX_CUT) {
        return too_long(c, v);
    }
    v->cut = true;
    enum weft_status st = weft_joins_wait(&c->joins, v, target);
    if (st != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    return let_go(c, v);
}

enum weft_status weft_redirect_end_cut(struct weft_crawl *c)
{
    struct weft_visit *list = weft_joins_take_cut(&c->joins, &c->seen);
    enum weft_status st = WEFT_OK;
    while (list) {
        struct weft_visit *v = list;
        list = v->next;
        v->next = NULL;
        if (st == WEFT_OK) {
            st = too_long(c, v);
        } else {
            weft_visit_free(v);
        }
    }
    return st;
}

/* The target belongs to another visit. Takes v. */
static enum weft_status join(struct weft_crawl *c, struct weft_visit *v, uint64_t target,
                             const char *url)
{
    struct weft_end end;
    if (weft_seen_ended(&c->seen, target, &end)) {
        return weft_finish_joined(c, v, target, url);
    }
    enum weft_status st = pass_on(c, v, target);
    if (st != WEFT_OK) {
        goto failed;
    }
    if (weft_joins_would_loop(&c->joins, v, target, (unsigned)c->options.max_redirects)) {
        return weft_finish(c, v, WEFT_REASON_REDIRECT_LOOP,
                           "the redirect leads back, or to more than --max-redirects");
    }
    if ((st = weft_joins_wait(&c->joins, v, target)) == WEFT_OK) {
        bool further = weft_reach_is_led(&c->joins, v, c->options.max_redirects) &&
                       !weft_joins_meets_cut(&c->joins, target);
        return further ? WEFT_OK : let_go(c, v);
    }
failed:
    weft_visit_free(v);
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
        int left = weft_reach_left(&c->joins, v, c->options.max_redirects);
        st = weft_reach_claim(&c->joins, print, left);
        if (st == WEFT_OK) {
            st = weft_visit_add_member(v);
        }
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
    if (!v->noted &&
        (st = weft_visit_add_hop(v, v->answer.status, cookies_print(c, v->cookies))) != WEFT_OK) {
        goto failed;
    }
    v->noted = true;
    v->cut = false; /* or not any more */
    enum weft_reason reason = forbidden(c, v, &to, &error);
    if (c->seeds_left > 0 && !c->stopping &&
        (reason == WEFT_REASON_SCOPE || reason == WEFT_REASON_FILTER)) {
        st = let_go(c, v);
        v->next = c->undecided;
        c->undecided = v;
        return st;
    }
    if (reason != WEFT_REASON_NONE) {
        return weft_finish(c, v, reason, error ? error : "where the redirect leads");
    }
    if (asked_before(c, v, print)) {
        return weft_finish(c, v, WEFT_REASON_REDIRECT_LOOP, "the redirect leads back");
    }
    /* Its own URL is legal once more: the cookies have changed. On a list nothing is claimed. */
    bool own = c->options.next_url || is_member(v, print);
    if (weft_reach_left(&c->joins, v, c->options.max_redirects) < 0 &&
        (own || !weft_seen_has(&c->seen, print))) {
        return cut(c, v, print);
    }
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
    while (c->undecided && (c->seeds_left == 0 || c->decide)) {
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
    }
    return st;
}
