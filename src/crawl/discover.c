/* discover.c -- what becomes of a URL that was found: in scope or not, allowed by the rules, no
 * trap, not too deep, not known: then it is claimed and queued. Claiming is one step with asking
 * whether it is known, and comes before any request: so nothing is fetched twice. */
#include "crawl/coordinator.h"

#include "base/limits.h"

/* Claims a URL that will not be requested, and records why. Nothing if it is known. */
static enum weft_status drop(struct weft_crawl *c, const struct weft_queued *found,
                             enum weft_reason reason, const char *error)
{
    bool fresh;
    enum weft_status st = weft_seen_claim(&c->seen, found->print, &fresh);
    return st == WEFT_OK && fresh ? weft_skip(c, found, reason, error) : st;
}

static enum weft_status enqueue(struct weft_crawl *c, const struct weft_queued *found,
                                const struct weft_url *url)
{
    bool fresh, over;
    struct weft_host *h = NULL;
    enum weft_status st = weft_seen_claim(&c->seen, found->print, &fresh);
    if (st != WEFT_OK || !fresh) {
        return st;
    }
    if ((st = weft_traps_count_query(&c->traps, url, &over)) != WEFT_OK) {
        return st;
    }
    if (over) {
        return weft_skip(c, found, WEFT_REASON_LIMIT, "--max-queries");
    }
    if (c->options.max_host_pages) {
        if ((st = weft_frontier_host(&c->frontier, url, c->now(c->now_user), &h)) != WEFT_OK) {
            return st;
        }
        if (h->pages >= c->options.max_host_pages) {
            return weft_skip(c, found, WEFT_REASON_LIMIT, "--max-host-pages");
        }
    }
    if ((st = weft_levels_enter(&c->levels, found->depth)) != WEFT_OK) {
        return st;
    }
    weft_time now = c->now(c->now_user);
    weft_trace_found(c->trace, found->print, now);
    struct weft_queued entry = *found;
    bool in_memory = weft_keep_has_room(c);
    st = weft_keep_claim(c, &entry, in_memory);
    if (st == WEFT_OK && in_memory) {
        return weft_frontier_add(&c->frontier, url, &entry, now);
    }
    if (h) {
        h->pages++;
    }
    return st;
}

/* It may come into scope yet. The way that was found first stands: no later one is shorter. */
static enum weft_status park(struct weft_crawl *c, const struct weft_queued *found)
{
    struct weft_queued entry = *found;
    bool fresh;
    enum weft_status st = weft_seen_claim(&c->parked_prints, found->print, &fresh);
    if (st != WEFT_OK || !fresh) {
        return st;
    }
    st = weft_keep_park(c, &entry);
    return st == WEFT_OK ? weft_url_queue_push(&c->parked, &entry) : st;
}

/* There may be a shorter way to it yet. */
static enum weft_status hold(struct weft_crawl *c, const struct weft_queued *found)
{
    struct weft_queued entry = *found;
    enum weft_status st = weft_seen_has(&c->levels.held_prints, found->print)
                              ? WEFT_OK
                              : weft_keep_park(c, &entry);
    return st == WEFT_OK ? weft_levels_hold(&c->levels, &entry) : st;
}

bool weft_is_outside(const struct weft_crawl *c, const struct weft_visit *v)
{
    const struct weft_member *m = &v->members[v->nmembers - 1];
    if (c->levels.on && m->depth > c->levels.max_depth) {
        return true;
    }
    return !weft_reach_is_led(&c->joins, v, c->options.max_redirects) &&
           !weft_scope_has(&c->scope, &v->url);
}

/* What is decided by the URL alone; *settled tells that it was dropped or parked. */
static enum weft_status judge(struct weft_crawl *c, const struct weft_queued *found,
                              const struct weft_url *url, bool *settled)
{
    const char *cap;
    bool inside = found->seed || weft_scope_has(&c->scope, url);
    int rule;
    *settled = true;
    if (!inside && c->seeds_left > 0) {
        return park(c, found);
    }
    if (!inside && !c->options.check) {
        return drop(c, found, WEFT_REASON_SCOPE, NULL);
    }
    if (!found->seed && !weft_scope_rules_take(&c->scope, url->href, &rule) &&
        (inside || rule >= 0)) {
        return drop(c, found, WEFT_REASON_FILTER, NULL);
    }
    if ((cap = weft_traps_check(&c->traps, url))) {
        return drop(c, found, WEFT_REASON_LIMIT, cap);
    }
    if (c->levels.on && found->depth > c->levels.max_depth && !c->options.check) {
        return drop(c, found, WEFT_REASON_DEPTH, NULL);
    }
    *settled = false;
    return WEFT_OK;
}

/* Whether a link to a URL that is known is of use: it was found by redirects alone so far. */
static bool matters(const struct weft_crawl *c, uint64_t print)
{
    return weft_reach_is_short(&c->joins, print, c->options.max_redirects);
}

enum weft_status weft_discover(struct weft_crawl *c, const struct weft_queued *found)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    bool settled, known = weft_seen_has(&c->seen, found->print);
    if (known && !matters(c, found->print)) {
        return WEFT_OK;
    }
    if (!weft_levels_open(&c->levels, found->depth)) {
        return known ? WEFT_OK : hold(c, found);
    }
    if (found->reject != WEFT_REASON_NONE) {
        return drop(c, found, found->reject,
                    found->reject == WEFT_REASON_LIMIT ? "--max-url" : NULL);
    }
    enum weft_status st = weft_url_parse(&url, text, sizeof text, NULL, found->url, found->len,
                                         NULL);
    if (st == WEFT_ENOMEM) {
        return st;
    }
    if (st != WEFT_OK) {
        return drop(c, found, WEFT_REASON_BAD_URL, NULL);
    }
    st = judge(c, found, &url, &settled);
    if (st != WEFT_OK || settled) {
        return st;
    }
    return known ? weft_redirect_reach(c, found->print, c->options.max_redirects)
                 : enqueue(c, found, &url);
}

/* Whether the link is to be taken up at all. */
static bool wanted(const struct weft_crawl *c, const struct weft_found *link)
{
    return !link->nofollow || c->options.follow_nofollow || c->options.check;
}

enum weft_status weft_discover_links(struct weft_crawl *c, const struct weft_visit *v)
{
    const struct weft_member *m = &v->members[v->nmembers - 1];
    struct weft_referrer *referrer = NULL; /* made when the first new link needs it */
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < v->answer.nlinks && st == WEFT_OK; i++) {
        const struct weft_found *link = &v->answer.links[i];
        if (!wanted(c, link)) {
            c->report.dropped_nofollow++;
            continue;
        }
        if (weft_seen_has(&c->seen, link->print) && !matters(c, link->print)) {
            continue;
        }
        if (!referrer && !(referrer = weft_referrer_new(v->at))) {
            return WEFT_ENOMEM;
        }
        struct weft_queued found = {.print = link->print,
                                    .referrer = referrer,
                                    .depth = m->depth + 1,
                                    .len = link->len,
                                    .url = link->url,
                                    .reject = link->reject};
        st = weft_discover(c, &found);
    }
    weft_referrer_release(referrer);
    return st;
}

/* Takes up a link that was parked or held; takes its referrer's count. */
static enum weft_status take_up(struct weft_crawl *c, struct weft_queued *found)
{
    enum weft_status st = weft_keep_unpark(c, found);
    if (st == WEFT_OK) {
        st = weft_discover(c, found);
    }
    weft_referrer_release(found->referrer);
    return st == WEFT_OK ? weft_keep_flush_large(c) : st;
}

enum weft_status weft_discover_released(struct weft_crawl *c)
{
    enum weft_status st = WEFT_OK;
    struct weft_queued found;
    while (st == WEFT_OK && c->seeds_left == 0 && weft_url_queue_peek(&c->parked, &found)) {
        weft_url_queue_pop(&c->parked);
        st = take_up(c, &found);
    }
    if (c->parked.n == 0) {
        weft_seen_release(&c->parked_prints);
    }
    while (st == WEFT_OK && weft_levels_next(&c->levels, &found)) {
        st = take_up(c, &found);
    }
    return st;
}
