/* sitemaps.c -- with --sitemaps: the files that robots.txt names, and those that an index names. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <stdio.h>
#include <string.h>

/* Queues one sitemap (an absolute URL) unless it is known or there are too many. What it names has
 * its depth. */
static enum weft_status ask(struct weft_crawl *c, const char *loc, size_t len, unsigned depth,
                            unsigned nesting)
{
    char text[WEFT_MAX_URL_WORK], key[WEFT_MAX_URL_WORK];
    struct weft_url url;
    size_t key_len;
    bool fresh;
    if (c->sitemaps.n >= WEFT_MAX_SITEMAPS ||
        weft_url_parse(&url, text, sizeof text, NULL, loc, len, NULL) != WEFT_OK ||
        weft_traps_too_long(&c->traps, &url) ||
        weft_url_key(&url, 0, key, sizeof key, &key_len) != WEFT_OK) {
        return WEFT_OK;
    }
    uint64_t print = weft_fingerprint(key, key_len, c->hash_seed);
    enum weft_status st = weft_seen_claim(&c->sitemaps, print, &fresh);
    if (st != WEFT_OK || !fresh) {
        return st;
    }
    struct weft_queued entry = {
        .url = url.href, .len = url.fragment_at, .print = print, .depth = depth};
    st = weft_keep_claim_sitemap(c, &entry, nesting);
    return st == WEFT_OK ? weft_sitemaps_queue(c, &entry, nesting) : st;
}

enum weft_status weft_sitemaps_queue(struct weft_crawl *c, const struct weft_queued *entry,
                                     unsigned nesting)
{
    struct weft_host *h;
    struct weft_visit *v = weft_visit_new(WEFT_VISIT_SITEMAP, entry);
    if (!v) {
        return WEFT_ENOMEM;
    }
    v->sitemap_depth = nesting;
    enum weft_status st = weft_frontier_host(&c->frontier, &v->url, c->now(c->now_user), &h);
    if (st != WEFT_OK || (st = weft_levels_enter(&c->levels, entry->depth)) != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    v->host = h;
    weft_frontier_put_back(&c->frontier, v);
    return WEFT_OK;
}

enum weft_status weft_sitemaps_ask(struct weft_crawl *c, const struct weft_robots *rules)
{
    const char *loc;
    enum weft_status st = WEFT_OK;
    /* As near as the URL for whose sake the host was asked: the level that is being worked off. */
    unsigned depth = c->levels.on ? c->levels.lowest : 0;
    for (size_t i = 0; st == WEFT_OK && (loc = weft_robots_sitemap(rules, i)); i++) {
        st = ask(c, loc, strlen(loc), depth, 0);
    }
    return st;
}

/* Takes up what the sitemap names: sitemaps of an index, URLs of the others. */
static enum weft_status take_up(struct weft_crawl *c, const struct weft_visit *v)
{
    enum weft_status st = WEFT_OK;
    struct weft_referrer *referrer = weft_referrer_new(v->at);
    if (!referrer) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; st == WEFT_OK && i < v->answer.nlinks; i++) {
        const struct weft_found *link = &v->answer.links[i];
        if (v->answer.is_index) {
            if (v->sitemap_depth + 1 < WEFT_MAX_SITEMAP_NEST) {
                st = ask(c, link->url, link->len, v->members[0].depth, v->sitemap_depth + 1);
            }
            continue;
        }
        struct weft_queued found = {.print = link->print,
                                    .referrer = referrer,
                                    .depth = v->members[0].depth,
                                    .len = link->len,
                                    .url = link->url};
        st = weft_discover(c, &found);
    }
    weft_referrer_release(referrer);
    return st;
}

/* The sitemap is somewhere else. Takes v. */
static enum weft_status follow(struct weft_crawl *c, struct weft_visit *v)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url to;
    const char *location = v->answer.location;
    enum weft_status st = WEFT_OK;
    if (location && v->nhops < (size_t)c->options.max_redirects &&
        weft_url_parse(&to, text, sizeof text, &v->url, location, strlen(location), NULL) ==
            WEFT_OK &&
        !weft_traps_too_long(&c->traps, &to)) {
        st = weft_visit_add_hop(v, v->answer.status, 0);
        if (st == WEFT_OK) {
            st = weft_visit_go(v, to.href, to.fragment_at, v->print);
        }
        if (st == WEFT_OK) {
            st = weft_frontier_host(&c->frontier, &v->url, c->now(c->now_user), &v->host);
        }
        if (st == WEFT_OK) {
            v->tries = 0;
            v->not_before = c->now(c->now_user);
            weft_frontier_put_back(&c->frontier, v);
            return WEFT_OK;
        }
    }
    if (st != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    return weft_finish(c, v, WEFT_REASON_REDIRECT, NULL);
}

enum weft_status weft_sitemaps_absorb(struct weft_crawl *c, struct weft_visit *v)
{
    enum weft_status st;
    if (weft_retry(c, v)) {
        return WEFT_OK;
    }
    if (v->answer.end == WEFT_FETCH_DONE && weft_is_redirect(v->answer.status)) {
        return follow(c, v);
    }
    if (v->answer.end != WEFT_FETCH_DONE || v->answer.status >= 300) {
        char status[32];
        snprintf(status, sizeof status, "answered with %d", v->answer.status);
        weft_crawl_log(c, WEFT_LOG_WARNING, "sitemap %s: %s", v->at,
                       v->answer.error && *v->answer.error ? v->answer.error : status);
    }
    if ((st = take_up(c, v)) != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    return weft_finish(c, v, WEFT_REASON_NONE, NULL);
}
