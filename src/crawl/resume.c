/* resume.c -- takes up what a state file holds, so that the crawl goes on as if its process had not
 * died: what is known and how it ended, what was found and waits, the scope, the hosts' clocks. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The reason of this name; NONE for NULL. A name that a later version knows is "bad_content". */
static enum weft_reason reason_of(const char *name)
{
    if (!name) {
        return WEFT_REASON_NONE;
    }
    for (int i = 1; i < WEFT_NREASONS; i++) {
        if (strcmp(weft_reason_name((enum weft_reason)i), name) == 0) {
            return (enum weft_reason)i;
        }
    }
    return WEFT_REASON_BAD_CONTENT;
}

static enum weft_status parse(const struct weft_state_url *row, struct weft_url *url, char *text,
                              size_t cap)
{
    return weft_url_parse(url, text, cap, NULL, row->url, strlen(row->url), NULL);
}

/* Counts a URL against the traps as when it was claimed; one that was dropped then never was. */
static enum weft_status count_again(struct weft_crawl *c, const struct weft_state_url *row,
                                    enum weft_reason reason)
{
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    struct weft_host *h;
    bool over;
    bool dropped = row->place == WEFT_STATE_ENDED && row->status == 0 &&
                   (reason == WEFT_REASON_SCOPE || reason == WEFT_REASON_FILTER ||
                    reason == WEFT_REASON_DEPTH || reason == WEFT_REASON_LIMIT ||
                    reason == WEFT_REASON_BAD_URL);
    if (dropped || parse(row, &url, text, sizeof text) != WEFT_OK) {
        return WEFT_OK;
    }
    enum weft_status st = weft_traps_count_query(&c->traps, &url, &over);
    if (st == WEFT_OK && c->options.max_host_pages) {
        st = weft_frontier_host(&c->frontier, &url, c->now(c->now_user), &h);
        if (st == WEFT_OK) {
            h->pages++;
        }
    }
    return st;
}

/* A URL that is asked again, or for the first time, unless it ended before. */
static enum weft_status take_url(struct weft_crawl *c, const struct weft_state_url *row,
                                 enum weft_reason reason)
{
    if (row->place == WEFT_STATE_ENDED) {
        weft_seen_finish(&c->seen, row->print, (struct weft_end){reason, row->status});
        c->report.fetched_before += reason == WEFT_REASON_NONE;
        c->report.seeds_failed += row->seed && reason != WEFT_REASON_NONE;
        return WEFT_OK;
    }
    c->seeds_left += row->seed;
    c->keep.on_disk++;
    return weft_levels_enter(&c->levels, row->depth);
}

static enum weft_status known_url(void *user, const struct weft_state_url *row)
{
    struct weft_crawl *c = user;
    enum weft_reason reason = reason_of(row->reason);
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    bool fresh;
    if (row->kind == WEFT_STATE_SITEMAP) {
        return weft_seen_claim(&c->sitemaps, row->print, &fresh);
    }
    enum weft_status st = weft_seen_claim(&c->seen, row->print, &fresh);
    if (st == WEFT_OK && row->seed && parse(row, &url, text, sizeof text) == WEFT_OK) {
        st = weft_scope_add(&c->scope, &url, NULL);
    }
    if (st == WEFT_OK && (c->options.max_queries || c->options.max_host_pages)) {
        st = count_again(c, row, reason);
    }
    return st == WEFT_OK ? take_url(c, row, reason) : st;
}

static enum weft_status waiting_sitemap(void *user, const struct weft_state_url *row)
{
    return weft_sitemaps_queue(user,
                               &(struct weft_queued){.print = row->print,
                                                     .url = row->url,
                                                     .len = (uint32_t)strlen(row->url),
                                                     .depth = row->depth,
                                                     .id = row->id},
                               row->nesting);
}

static enum weft_status place(void *user, const struct weft_state_url *row)
{
    struct weft_crawl *c = user;
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    return parse(row, &url, text, sizeof text) == WEFT_OK ? weft_scope_add(&c->scope, &url, NULL)
                                                          : WEFT_OK;
}

/* A link that was put aside is judged anew, under a new id if it is put aside again. */
static enum weft_status parked_link(void *user, const struct weft_state_url *row)
{
    struct weft_crawl *c = user;
    struct weft_queued entry = {.print = row->print,
                                .depth = row->depth,
                                .len = (uint32_t)strlen(row->url),
                                .url = row->url,
                                .reject = (enum weft_reason)row->reject,
                                .id = row->id};
    if (row->referrer) {
        entry.referrer = weft_referrer_new(row->referrer);
        if (!entry.referrer) {
            return WEFT_ENOMEM;
        }
        entry.referrer->id = row->referrer_id;
    }
    enum weft_status st = weft_keep_unpark(c, &entry);
    if (st == WEFT_OK) {
        st = weft_discover(c, &entry);
    }
    weft_referrer_release(entry.referrer);
    return st;
}

static weft_time at_most(weft_time a, weft_time b)
{
    return a < b ? a : b;
}

static enum weft_status host(void *user, const struct weft_state_host *row)
{
    struct weft_crawl *c = user;
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    struct weft_host *h;
    struct timespec ts;
    weft_time now = c->now(c->now_user);
    clock_gettime(CLOCK_REALTIME, &ts);
    int64_t wall = (int64_t)ts.tv_sec * WEFT_SECOND + ts.tv_nsec;
    if (row->next_start <= wall && row->hold_until <= wall) {
        return WEFT_OK;
    }
    if (weft_url_parse(&url, text, sizeof text, NULL, row->origin, strlen(row->origin), NULL) !=
        WEFT_OK) {
        return WEFT_OK;
    }
    enum weft_status st = weft_frontier_host(&c->frontier, &url, now, &h);
    if (st == WEFT_OK) {
        /* The wall clock may have been set meanwhile: never longer than the rules allow. */
        h->next_start = now + at_most(row->next_start - wall, c->options.max_crawl_delay);
        h->hold_until = now + at_most(row->hold_until - wall, c->options.max_retry_after);
        h->backoff = row->backoff;
    }
    return st;
}

#define MOST_HOPS 1001 /* --max-redirects goes to 1000 */

static enum weft_status redirected(void *user, const struct weft_state_redirected *row)
{
    struct weft_crawl *c = user;
    struct weft_redirect *hops = malloc(MOST_HOPS * sizeof *hops);
    char *text = strdup(row->hops), *rest = text, *line;
    size_t n = 0;
    enum weft_status st = hops && text ? WEFT_OK : WEFT_ENOMEM;
    while (st == WEFT_OK && n < MOST_HOPS && (line = strsep(&rest, "\n")) && *line) {
        char *url;
        long status = strtol(line, &url, 10);
        hops[n++] = (struct weft_redirect){(int)status, *url ? url + 1 : url};
    }
    if (st == WEFT_OK) {
        st = weft_joins_remember(&c->joins, row->print, row->final_url, hops, n);
    }
    free(text);
    free(hops);
    return st;
}

static enum weft_status begin(struct weft_crawl *c)
{
    struct weft_keep *k = &c->keep;
    k->fresh = weft_state_is_new(k->state);
    bool done;
    enum weft_status st = weft_state_get(k->state, "round", &k->round);
    if (st == WEFT_OK && !k->fresh && c->options.recrawl) {
        st = weft_state_is_done(k->state, &done);
        if (st == WEFT_OK && done) { /* else the round that was cut off goes on */
            k->fresh = true;
            return weft_state_begin_round(k->state, ++k->round);
        }
    }
    if (st == WEFT_OK && k->fresh) {
        k->round = 1;
        st = weft_state_set(k->state, "hash_seed", c->hash_seed);
        st = st == WEFT_OK ? weft_state_set(k->state, "round", 1) : st;
    }
    return st;
}

enum weft_status weft_keep_open(struct weft_crawl *c, char *error, size_t cap)
{
    struct weft_keep *k = &c->keep;
    struct weft_failure failure = {""};
    if (!c->options.state_file) {
        return WEFT_OK;
    }
    k->room = WEFT_MAX_FRONTIER;
    weft_buf_init(&k->journal, WEFT_MAX_RECORD);
    enum weft_status st = weft_state_open(&k->state, c->options.state_file, &failure);
    if (st == WEFT_OK && !weft_state_is_new(k->state)) {
        st = weft_state_get(k->state, "hash_seed", &c->hash_seed);
    }
    k->on = st == WEFT_OK;
    if (st != WEFT_OK) {
        snprintf(error, cap, "%s", failure.text);
        return st;
    }
    c->recorder.journal = &k->journal;
    return st;
}

static enum weft_status take_all(struct weft_crawl *c)
{
    struct weft_state *s = c->keep.state;
    enum weft_status st = weft_state_last_id(s, 'u', &c->keep.last_id);
    st = st == WEFT_OK ? weft_state_last_id(s, 'p', &c->keep.last_parked) : st;
    st = st == WEFT_OK ? weft_state_last_id(s, 'r', &c->keep.last_referrer) : st;
    st = st == WEFT_OK ? weft_state_scan(s, known_url, c) : st;
    st = st == WEFT_OK ? weft_state_places(s, place, c) : st;
    st = st == WEFT_OK ? weft_state_redirected(s, redirected, c) : st;
    st = st == WEFT_OK ? weft_state_hosts(s, host, c) : st;
    st = st == WEFT_OK
             ? weft_state_load(s, WEFT_STATE_SITEMAP, 0, WEFT_MAX_SITEMAPS, waiting_sitemap, c)
             : st;
    return st == WEFT_OK ? weft_state_parked(s, parked_link, c) : st;
}

enum weft_status weft_keep_resume(struct weft_crawl *c, char *error, size_t cap)
{
    struct weft_keep *k = &c->keep;
    struct weft_failure failure = {""};
    if (!k->on) {
        return WEFT_OK;
    }
    weft_state_report_to(k->state, &failure);
    enum weft_status st = begin(c);
    if (st == WEFT_OK) {
        st = weft_keep_compare(c);
    }
    if (st == WEFT_OK) {
        st = take_all(c);
    }
    if (st != WEFT_OK) {
        snprintf(error, cap, "%s", failure.text);
    }
    return st;
}

void weft_keep_release(struct weft_crawl *c)
{
    struct weft_failure unheard;
    if (c->keep.state) {
        weft_state_report_to(c->keep.state, &unheard);
        weft_state_abandon(c->keep.state);
    }
    weft_buf_release(&c->keep.journal);
}
