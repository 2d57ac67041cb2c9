/* absorb.c -- what an answer means: for the host's clock, for the URL, and for what it links to. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include "text/retry_after.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

enum weft_reason weft_reason_of(enum weft_fetch_end end)
{
    switch (end) {
    case WEFT_FETCH_DONE:
        return WEFT_REASON_NONE;
    case WEFT_FETCH_TIMEOUT:
        return WEFT_REASON_TIMEOUT;
    case WEFT_FETCH_CONNECTION:
    case WEFT_FETCH_FAILED:
        return WEFT_REASON_CONNECTION;
    case WEFT_FETCH_DNS:
        return WEFT_REASON_DNS;
    case WEFT_FETCH_TLS:
        return WEFT_REASON_TLS;
    case WEFT_FETCH_TOO_LARGE:
        return WEFT_REASON_TOO_LARGE;
    case WEFT_FETCH_TRUNCATED:
        return WEFT_REASON_TRUNCATED;
    case WEFT_FETCH_BAD_CONTENT:
        return WEFT_REASON_BAD_CONTENT;
    case WEFT_FETCH_PRIVATE:
        return WEFT_REASON_PRIVATE;
    case WEFT_FETCH_INTERRUPTED:
        return WEFT_REASON_INTERRUPTED;
    }
    return WEFT_REASON_CONNECTION;
}

/* Whether the host asks to be left alone for now. */
static bool is_refusal(const struct weft_answer *a)
{
    return a->end == WEFT_FETCH_DONE && (a->status == 429 || a->status == 503);
}

static bool is_transient(const struct weft_answer *a)
{
    static const int statuses[] = {408, 429, 500, 502, 503, 504, 522, 524};
    if (a->end == WEFT_FETCH_CONNECTION || a->end == WEFT_FETCH_TIMEOUT ||
        a->end == WEFT_FETCH_FAILED) {
        return true;
    }
    for (size_t i = 0; a->end == WEFT_FETCH_DONE && i < sizeof statuses / sizeof statuses[0]; i++) {
        if (a->status == statuses[i]) {
            return true;
        }
    }
    return false;
}

/* Nanoseconds that the answer asks to wait; negative when it does not say. */
static weft_time asked_wait(const struct weft_answer *a)
{
    if (!is_refusal(a) || !a->retry_after) {
        return -1;
    }
    int64_t s = weft_retry_after(a->retry_after, strlen(a->retry_after), (int64_t)time(NULL));
    return s < 0 ? -1 : s > WEFT_FOREVER / WEFT_SECOND ? WEFT_FOREVER : s * WEFT_SECOND;
}

/* How the answer bears on its host. */
static enum weft_status tell_host(struct weft_crawl *c, const struct weft_visit *v, weft_time now)
{
    struct weft_host *h = v->host;
    const struct weft_answer *a = &v->answer;
    h->connections += a->new_connection;
    if (is_refusal(a)) {
        weft_time wait = asked_wait(a);
        weft_host_refused(h, now, wait <= c->options.max_retry_after ? wait : -1,
                          weft_crawl_jitter(c));
    }
    if (is_refusal(a) || a->end == WEFT_FETCH_CONNECTION || a->end == WEFT_FETCH_DNS ||
        a->end == WEFT_FETCH_TIMEOUT) {
        if (weft_host_failed(h)) {
            weft_crawl_log(c, WEFT_LOG_WARNING, "%s: given up after %u failures in a row",
                           h->origin, h->failures);
            return weft_host_close(c, h, WEFT_REASON_HOST, "too many failures in a row");
        }
    } else if (a->end == WEFT_FETCH_DONE) {
        weft_host_succeeded(h);
    }
    return WEFT_OK;
}

static void put_back(struct weft_crawl *c, struct weft_visit *v, weft_time not_before)
{
    v->not_before = not_before;
    weft_frontier_put_back(&c->frontier, v);
}

/* The member whose URL was asked: the last one, or an earlier one to which a cookie wall led back.
 */
static struct weft_member *asked_member(struct weft_visit *v)
{
    for (size_t i = v->nmembers; i-- > 0;) {
        if (v->members[i].print == v->print) {
            return &v->members[i];
        }
    }
    return &v->members[v->nmembers - 1];
}

bool weft_retry(struct weft_crawl *c, struct weft_visit *v)
{
    const struct weft_answer *a = &v->answer;
    weft_time now = c->now(c->now_user), wait = asked_wait(a);
    bool stale = a->stale && !v->stale_tried;
    if (v->host->robots == WEFT_ROBOTS_CLOSED ||
        (!stale && (!is_transient(a) || v->tries > (unsigned)c->options.retries ||
                    wait > c->options.max_retry_after))) {
        return false;
    }
    /* While it stops only a state file makes putting it back worth anything: it will go on. */
    if (c->stopping && !c->keep.on) {
        c->cut_short = true;
        return false;
    }
    if (stale) {
        /* The connection was old, the URL is not to blame, and this was no attempt: libcurl sends
         * some such requests again by itself, uncounted, and which and how often depends on the way
         * they were lost and on how many connections an engine has kept. A new one can't be old. */
        v->stale_tried = true;
        v->tries--;
        if (v->kind == WEFT_VISIT_PAGE && v->counted) {
            asked_member(v)->attempts--;
        }
        put_back(c, v, now);
        return true;
    }
    if (wait < 0) {
        double factor = weft_crawl_jitter(c);
        for (unsigned i = 1; i < v->tries && i < 30; i++) {
            factor *= 2;
        }
        wait = (weft_time)((double)c->options.retry_base * factor);
    }
    c->report.retries++;
    put_back(c, v, now + wait);
    return true;
}

/* The first request of a hop is no attempt, unless the hop is a member of its own. */
static void note_attempt(struct weft_visit *v)
{
    struct weft_member *m = asked_member(v);
    const struct weft_answer *a = &v->answer;
    if (m->attempts == 0) {
        m->started_at = a->started_at;
    }
    v->counted = m->attempts == 0 || v->tries > 1;
    m->attempts += v->counted;
    if (a->ended > a->started) {
        m->elapsed_ms += (double)(a->ended - a->started) / (double)WEFT_MS;
    }
}

/* The sentence of a status that is a failure. */
static const char *status_error(const struct weft_crawl *c, const struct weft_answer *a, char *text,
                                size_t cap)
{
    weft_time wait = asked_wait(a);
    if (wait > c->options.max_retry_after) {
        snprintf(text, cap, "status %d, Retry-After of %.0f s is longer than --max-retry-after",
                 a->status, (double)wait / (double)WEFT_SECOND);
    } else {
        snprintf(text, cap, "status %d", a->status);
    }
    return text;
}

/* A HEAD that says "no" may be a refusal of HEAD alone: then GET decides. A host that asks to be
 * left alone is left alone. */
static bool ask_with_get(struct weft_crawl *c, struct weft_visit *v)
{
    const struct weft_answer *a = &v->answer;
    bool refused = a->end == WEFT_FETCH_DONE
                       ? a->status >= 400 && !is_refusal(a)
                       : a->end == WEFT_FETCH_CONNECTION || a->end == WEFT_FETCH_TRUNCATED ||
                             a->end == WEFT_FETCH_BAD_CONTENT;
    if (!v->probe || v->no_head || !refused || a->stale || v->host->robots == WEFT_ROBOTS_CLOSED) {
        return false;
    }
    if (c->stopping) {
        c->cut_short = true;
        return false;
    }
    v->no_head = true;
    put_back(c, v, c->now(c->now_user));
    return true;
}

static enum weft_status absorb_page(struct weft_crawl *c, struct weft_visit *v)
{
    const struct weft_answer *a = &v->answer;
    char text[WEFT_MAX_ERROR];
    enum weft_status st = WEFT_OK;
    note_attempt(v);
    if (ask_with_get(c, v) || weft_retry(c, v)) {
        return WEFT_OK;
    }
    if (a->end != WEFT_FETCH_DONE) {
        v->host->failed++;
        return weft_finish(c, v, weft_reason_of(a->end), a->error ? a->error : "out of memory");
    }
    if (weft_is_redirect(a->status)) {
        v->host->fetched++;
        return weft_redirect(c, v);
    }
    if (a->status >= 400) {
        v->host->failed++;
        return weft_finish(c, v, WEFT_REASON_HTTP_STATUS, status_error(c, a, text, sizeof text));
    }
    v->host->fetched++;
    c->report.dropped_scheme += a->other_schemes;
    c->report.dropped_links += a->over_max;
    if (c->options.next_url || v->probe) {
        return weft_finish(c, v, WEFT_REASON_NONE, NULL);
    }
    if (v->nhops > 0 && weft_reach_is_led(&c->joins, v, c->options.max_redirects)) {
        bool widened;
        if ((st = weft_scope_add(&c->scope, &v->url, &widened)) != WEFT_OK) {
            weft_visit_free(v);
            return st;
        }
        if (widened) {
            weft_crawl_log(c, WEFT_LOG_NOTICE, "%s leads to %s, which is in scope from now on",
                           v->members[0].url, v->at);
            st = weft_keep_place(c, v->at);
        }
    }
    st = st == WEFT_OK ? weft_discover_links(c, v) : st;
    if (st != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    return weft_finish(c, v, WEFT_REASON_NONE, NULL);
}

static enum weft_status absorb(struct weft_crawl *c, struct weft_visit *v)
{
    weft_time now = c->now(c->now_user);
    weft_frontier_finished(&c->frontier, v->host);
    c->report.connections += v->answer.new_connection;
    c->cut_short |= v->answer.end == WEFT_FETCH_INTERRUPTED;
    enum weft_status st = tell_host(c, v, now);
    st = st == WEFT_OK ? weft_keep_host(c, v->host, now) : st;
    weft_frontier_touch(&c->frontier, v->host);
    if (st != WEFT_OK) {
        weft_visit_free(v);
        return st;
    }
    switch (v->kind) {
    case WEFT_VISIT_ROBOTS:
        return weft_robots_absorb(c, v);
    case WEFT_VISIT_SITEMAP:
        return weft_sitemaps_absorb(c, v);
    case WEFT_VISIT_PAGE:
        break;
    }
    return absorb_page(c, v);
}

enum weft_status weft_absorb(struct weft_crawl *c, struct weft_visit *v)
{
    enum weft_status st = absorb(c, v);
    return st == WEFT_OK ? weft_keep_flush(c) : st;
}
