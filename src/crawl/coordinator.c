/* coordinator.c -- the loop: hand out what may start, wait for the first that is done, take in what
 * it found. In Python:
 *
 *     while pending or frontier:
 *         while len(pending) < jobs and (url := frontier.next()):
 *             pending.add(executor.submit(fetch, url))
 *         done, pending = wait(pending, return_when=FIRST_COMPLETED)
 *         for future in done:
 *             absorb(future.result())
 */
#include "crawl/coordinator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_EVERY (200 * WEFT_MS)
#define WATCH_EVERY    (5 * WEFT_SECOND)
#define WATCH_SLACK    (5 * WEFT_SECOND) /* over a fetch's own limit before it is told of */

void weft_crawl_log(const struct weft_crawl *c, enum weft_log_level level, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    if (!c->options.on_log) {
        return;
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    c->options.on_log(c->options.user, level, text);
}

double weft_crawl_jitter(struct weft_crawl *c)
{
    c->jitter += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = c->jitter;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return 0.5 + (double)(z >> 12) / (double)(UINT64_C(1) << 52) / 2;
}

/* A URL that was never asked becomes a visit. */
static enum weft_status first_visit(struct weft_host *h, const struct weft_queued *entry,
                                    struct weft_visit **v)
{
    *v = weft_visit_new(WEFT_VISIT_PAGE, entry);
    weft_referrer_release(entry->referrer);
    if (!*v) {
        free(entry->known);
        return WEFT_ENOMEM;
    }
    (*v)->host = h;
    return WEFT_OK;
}

/* The next visit that may start now, robots.txt and closed hosts considered; NULL: none. */
static enum weft_status next_visit(struct weft_crawl *c, weft_time now, struct weft_visit **out)
{
    *out = NULL;
    for (;;) {
        struct weft_host *h;
        struct weft_visit *v = NULL;
        struct weft_queued entry;
        enum weft_status st = WEFT_OK;
        if ((h = weft_heap_top(&c->frontier.due))) {
            weft_robots_refresh(c, h);
        }
        enum weft_pick pick = weft_frontier_next(&c->frontier, now, &h, &v, &entry);
        if (pick == WEFT_PICK_NONE) {
            return WEFT_OK;
        }
        if (pick == WEFT_PICK_ROBOTS) {
            *out = weft_robots_visit(c, h);
            return *out ? WEFT_OK : WEFT_ENOMEM;
        }
        if (pick == WEFT_PICK_FRESH && (st = first_visit(h, &entry, &v)) != WEFT_OK) {
            return st;
        }
        enum weft_reason reason;
        const char *why;
        if (weft_robots_permit(v, &reason, &why)) {
            *out = v;
            return WEFT_OK;
        }
        st = v->kind == WEFT_VISIT_ROBOTS ? weft_robots_refused(c, v, reason, why)
                                          : weft_finish(c, v, reason, why);
        if (st != WEFT_OK) {
            return st;
        }
    }
}

static void fly(struct weft_crawl *c, struct weft_visit *v)
{
    v->prev_flying = NULL;
    v->next_flying = c->flying;
    if (c->flying) {
        c->flying->prev_flying = v;
    }
    c->flying = v;
    c->in_flight++;
    if (c->in_flight > c->report.peak_in_flight) {
        c->report.peak_in_flight = c->in_flight;
    }
}

static void land(struct weft_crawl *c, struct weft_visit *v)
{
    *(v->prev_flying ? &v->prev_flying->next_flying : &c->flying) = v->next_flying;
    if (v->next_flying) {
        v->next_flying->prev_flying = v->prev_flying;
    }
    v->prev_flying = v->next_flying = NULL;
    c->in_flight--;
}

/* Counts the first request of a URL against --max-pages; the last one closes the frontier. */
static void charge_budget(struct weft_crawl *c, const struct weft_visit *v)
{
    if (v->kind != WEFT_VISIT_PAGE || v->nhops > 0 || v->tries > 0 || v->stale_tried) {
        return;
    }
    c->requested++;
    weft_frontier_charge(&c->frontier, v->host);
    if (c->requested == c->options.max_pages) {
        c->report.end = WEFT_END_MAX_PAGES;
    }
}

/* Hands out up to the free slots. */
static enum weft_status start_ready(struct weft_crawl *c, weft_time now)
{
    enum weft_status filled = c->listing ? weft_list_fill(c) : WEFT_OK;
    if (filled != WEFT_OK) {
        return filled;
    }
    while (!c->stopping && c->in_flight < c->options.jobs) {
        struct weft_visit *v;
        enum weft_status st = next_visit(c, now, &v);
        if (st != WEFT_OK || !v) {
            return st;
        }
        charge_budget(c, v);
        v->probe = c->options.check && v->kind == WEFT_VISIT_PAGE && weft_is_outside(c, v);
        weft_trace_start(c->trace, v, now, c->in_flight + 1);
        weft_frontier_started(&c->frontier, v->host, now);
        v->tries++;
        v->flew_at = now;
        c->report.requests++;
        fly(c, v);
        st = c->engine->ops->submit(c->engine, v);
        if (st != WEFT_OK) {
            land(c, v);
            weft_visit_free(v);
            return st;
        }
    }
    return WEFT_OK;
}

static weft_time sooner(weft_time a, weft_time b)
{
    return a < b ? a : b;
}

/* How long to wait for the engine at most. */
static weft_time wait_until(const struct weft_crawl *c)
{
    weft_time until = sooner(c->next_watch, c->next_progress);
    if (c->listing && c->list_full && !c->stopping) {
        return WEFT_POLL; /* a glance at what is done, and back to the list */
    }
    if (!c->stopping && c->in_flight < c->options.jobs) {
        until = sooner(until, weft_frontier_next_due(&c->frontier));
    }
    if (!c->stopping && c->options.max_time) {
        until = sooner(until, c->began + c->options.max_time);
    }
    if (c->stopping && !c->cancelled) {
        until = sooner(until, c->stop_by);
    }
    return until;
}

static void tell_progress(struct weft_crawl *c, weft_time now)
{
    const struct weft_crawl_report *r = &c->report;
    struct weft_crawl_progress p = {.fetched = r->fetched,
                                    .retries = r->retries,
                                    .bytes = r->bytes,
                                    .queued = c->frontier.queued + c->levels.held.n +
                                              c->keep.on_disk,
                                    .in_flight = c->in_flight,
                                    .hosts = (unsigned)c->frontier.nhosts,
                                    .elapsed = now - c->began};
    for (int i = 0; i < WEFT_NREASONS; i++) {
        p.failed += r->failed[i];
        p.skipped += r->skipped[i];
    }
    c->options.on_progress(c->options.user, &p);
    c->next_progress = now + PROGRESS_EVERY;
}

/* Tells of fetches that are older than their limits allow, or, when asked, of all. */
static void watch(struct weft_crawl *c, weft_time now, bool all)
{
    weft_time limit = c->options.net.timeout + WATCH_SLACK;
    for (const struct weft_visit *v = c->flying; v; v = v->next_flying) {
        weft_time age = now - v->flew_at;
        if (all || age > limit) {
            weft_crawl_log(c, all ? WEFT_LOG_NOTICE : WEFT_LOG_WARNING, "%s: in flight for %.1f s",
                           v->at, (double)age / (double)WEFT_SECOND);
        }
    }
    c->next_watch = now + WATCH_EVERY;
}

static void begin_stop(struct weft_crawl *c, enum weft_crawl_end end, weft_time now)
{
    c->stopping = true;
    c->report.end = end;
    c->stop_by = now + c->options.grace;
}

/* What the clock or other threads want. */
static void look_around(struct weft_crawl *c, weft_time now)
{
    unsigned asked = atomic_load(&c->stop_asked);
    if (asked && c->report.end != WEFT_END_INTERRUPTED) {
        begin_stop(c, WEFT_END_INTERRUPTED, now);
    }
    if (!c->stopping && c->options.max_time && now >= c->began + c->options.max_time) {
        begin_stop(c, WEFT_END_MAX_TIME, now);
    }
    if (!c->stopping && c->options.max_bytes && c->report.bytes >= c->options.max_bytes) {
        begin_stop(c, WEFT_END_MAX_BYTES, now);
    }
    if (c->recorder.won && !c->stopping) {
        begin_stop(c, WEFT_END_FINISHED, now);
        c->stop_by = now; /* the others are of no use */
    }
    if (c->stopping && !c->cancelled && (asked > 1 || now >= c->stop_by)) {
        c->cancelled = true;
        atomic_store(&c->stop.now, true);
        c->engine->ops->cancel_all(c->engine);
    }
    if (c->options.on_progress && now >= c->next_progress) {
        tell_progress(c, now);
    }
    if (atomic_exchange(&c->inspect, false)) {
        watch(c, now, true);
    } else if (now >= c->next_watch) {
        watch(c, now, false);
    }
}

/* Whether anything is left to do: in flight, or allowed to start some time. */
static bool pending(const struct weft_crawl *c)
{
    if (c->in_flight > 0) {
        return true;
    }
    return !c->stopping && (c->listing || weft_frontier_next_due(&c->frontier) != WEFT_FOREVER);
}

/* Whether the crawl goes on. When nothing else is left, chains of redirects that were cut are at
 * their end, which may let others go on. */
static bool goes_on(struct weft_crawl *c, enum weft_status *st)
{
    if (pending(c)) {
        return true;
    }
    if (c->stopping || c->joins.ncut == 0) {
        return false;
    }
    *st = weft_redirect_end_cut(c);
    *st = *st == WEFT_OK ? weft_redirect_undecided(c) : *st;
    return *st == WEFT_OK;
}

static enum weft_status take_in(struct weft_crawl *c, struct weft_visit *v)
{
    if (!c->trace) {
        return weft_absorb(c, v);
    }
    v->waiting_since = c->now(c->now_user);
    weft_trace_end(c->trace, v, v->waiting_since, c->in_flight);
    enum weft_status st = weft_absorb(c, v);
    enum weft_status traced = weft_trace_taken(c->trace, c->now(c->now_user));
    return st == WEFT_OK ? traced : st;
}

enum weft_status weft_coordinate(struct weft_crawl *c)
{
    enum weft_status st = WEFT_OK;
    c->next_watch = c->began + WATCH_EVERY;
    c->next_progress = c->options.on_progress ? c->began : WEFT_FOREVER;
    look_around(c, c->began); /* a stop may have been asked before */
    while (st == WEFT_OK && (st = weft_keep_refill(c)) == WEFT_OK && goes_on(c, &st)) {
        struct weft_visit *done;
        st = start_ready(c, c->now(c->now_user));
        if (st == WEFT_OK) {
            st = weft_redirect_undecided(c);
        }
        if (st != WEFT_OK || !pending(c)) {
            continue; /* all that was left was skipped */
        }
        st = c->engine->ops->wait_any(c->engine, wait_until(c), &done);
        if (st == WEFT_OK) {
            land(c, done);
            st = take_in(c, done);
            st = st == WEFT_OK ? weft_redirect_undecided(c) : st;
        } else if (st == WEFT_ETIMEDOUT || st == WEFT_ECANCELED) {
            st = WEFT_OK;
        }
        if (st == WEFT_OK) {
            look_around(c, c->now(c->now_user));
        }
    }
    return st;
}
