/* crawl.c -- the public face of a crawl: parts made as the options say, run, freed. */
#include "crawl/coordinator.h"

#include "base/limits.h"
#include "net/discard.h"
#include "store/writer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

const char *weft_crawl_end_name(enum weft_crawl_end e)
{
    static const char *const names[] = {"finished",    "max_pages",     "max_time", "max_bytes",
                                        "interrupted", "output_failed", "failed"};
    return names[e];
}

/* The first product token of a User-Agent value (RFC 9309 2.2.1: letters, "_" and "-"). */
static char *product_token(const char *agent)
{
    size_t len = strspn(agent, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-");
    return len ? strndup(agent, len) : strdup("*");
}

static void set_policy(struct weft_crawl *c)
{
    const struct weft_crawl_options *o = &c->options;
    struct weft_host_policy p = {
        .delay = o->has_delay ? o->delay : WEFT_SECOND / 2,
        .per_host = o->per_host ? o->per_host : 4,
        .rate = o->rate,
        .burst = o->burst ? o->burst : 1,
        .retry_base = o->retry_base,
        .max_hold = o->max_retry_after,
        .max_failures = (unsigned)o->host_failures,
    };
    c->frontier.policy = p;
    p.delay = o->has_delay ? o->delay : 0;
    p.per_host = o->per_host ? o->per_host : o->jobs;
    p.retry_base = o->retries ? o->retry_base : c->loopback_backoff;
    c->frontier.loopback = p;
    c->frontier.no_robots = o->ignore_robots;
    c->frontier.budget = o->max_pages ? o->max_pages : UINT64_MAX;
    c->frontier.counts_pages = o->max_host_pages > 0;
    c->frontier.hash_seed = c->hash_seed;
    c->traps = (struct weft_traps){.max_url = o->max_url,
                                   .max_path_depth = o->max_path_depth,
                                   .max_repeats = o->max_repeats,
                                   .max_queries = o->max_queries,
                                   .hash_seed = c->hash_seed};
    weft_levels_init(&c->levels, o->has_max_depth, o->max_depth);
}

static enum weft_status open_writer(struct weft_crawl *c, char *error, size_t cap)
{
    const struct weft_crawl_options *o = &c->options;
    if ((!o->outputs || !o->outputs[0]) && !o->save_dir && !c->keep.on) {
        return WEFT_OK;
    }
    static const char *const none[] = {NULL};
    struct weft_writer_options w = {
        .paths = o->outputs ? o->outputs : none,
        .mode = o->append      ? WEFT_OUTPUT_APPEND
                : o->overwrite ? WEFT_OUTPUT_OVERWRITE
                               : WEFT_OUTPUT_NEW,
        .software = "weft/" WEFT_VERSION,
        .save_dir = o->save_dir,
        .changes = o->changes_file,
        .select_names = c->extractor ? weft_extractor_names(c->extractor) : NULL,
        .rows = o->row != NULL,
        .bodies = o->bodies,
        .state = c->keep.state,
        .fresh = c->keep.fresh,
        .commit_records = o->commit_pages,
        .commit_every = o->commit_every,
    };
    enum weft_status st = weft_writer_new(&c->writer, &w, error, cap);
    if (st == WEFT_OK) {
        c->keep.state = NULL; /* the writer's now */
        c->recorder.wants = weft_writer_wants(c->writer);
    }
    return st;
}

/* All that is written while the crawl runs; each is looked at before the first is touched. */
static enum weft_status open_outputs(struct weft_crawl *c, char *error, size_t cap)
{
    /* a trace is of one run: the next one with this state replaces it */
    bool replace = c->options.overwrite || (c->keep.on && !c->keep.fresh);
    enum weft_status st = weft_trace_probe(&c->options, replace, error, cap);
    st = st == WEFT_OK ? open_writer(c, error, cap) : st;
    return st == WEFT_OK
               ? weft_trace_open(&c->trace, &c->options, replace, c->now(c->now_user), error, cap)
               : st;
}

static enum weft_status make_engine(struct weft_crawl *c)
{
    switch (c->options.engine) {
    case WEFT_ENGINE_SYNC:
        return weft_engine_sync_new(&c->engine, &c->work);
    case WEFT_ENGINE_THREADS:
        return weft_engine_threads_new(&c->engine, &c->work, c->options.jobs);
    case WEFT_ENGINE_EVENTS:
        return weft_engine_events_new(&c->engine, &c->work, c->options.jobs);
    }
    return WEFT_EINVAL;
}

/* What a list needs beside a crawl. Bodies that wait for their turn are few. */
static enum weft_status make_list(struct weft_crawl *c)
{
    const struct weft_crawl_options *o = &c->options;
    unsigned wants = c->recorder.wants | c->recorder.tells;
    bool bodies = (wants & (WEFT_WANTS_BODY | WEFT_WANTS_WIRE)) != 0;
    c->listing = o->next_url != NULL;
    c->recorder.keeps_order = o->ordered;
    if (!o->ordered && !o->race) {
        return WEFT_OK;
    }
    uint32_t few = 4 * o->jobs;
    return weft_order_init(&c->recorder.order,
                           o->ordered && bodies && few < o->ahead ? few : o->ahead);
}

static enum weft_status make_parts(struct weft_crawl *c, const struct weft_stage *stage,
                                   char *error, size_t cap)
{
    struct weft_crawl_options *o = &c->options;
    enum weft_status st = weft_scope_init(&c->scope, o, c->hash_seed, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    c->robots_agent = o->robots_agent ? strdup(o->robots_agent) : product_token(o->net.user_agent);
    if (!c->robots_agent) {
        return WEFT_ENOMEM;
    }
    set_policy(c);
    if (o->selects && o->selects[0]) {
        st = weft_extractor_new(&c->extractor, o->row, o->selects, error, cap);
        if (st != WEFT_OK) {
            return st;
        }
    }
    if ((st = weft_keep_resume(c, error, cap)) != WEFT_OK ||
        (st = open_outputs(c, error, cap)) != WEFT_OK || (st = make_list(c)) != WEFT_OK) {
        return st;
    }
    o->net.keep_wire = (c->recorder.wants & WEFT_WANTS_WIRE) != 0;
    if (!o->fetch && !stage->make_engine && (st = weft_net_new(&c->net, &o->net)) != WEFT_OK) {
        return st;
    }
    c->work = (struct weft_work){.options = o,
                                 .net = c->net,
                                 .page = {.max_links = o->max_links,
                                          .max_url = o->max_url,
                                          .assets = o->check,
                                          .occurrences = o->check,
                                          .anchors = o->anchors},
                                 .hash_seed = c->hash_seed,
                                 .wants = c->recorder.wants | c->recorder.tells,
                                 .digest = c->keep.on,
                                 .stop = &c->stop};
    return WEFT_OK;
}

static weft_time real_time(void *user)
{
    (void)user;
    return weft_now();
}

enum weft_status weft_crawl_new(struct weft_crawl **out, const struct weft_crawl_options *options,
                                char *error, size_t cap)
{
    return weft_crawl_new_on(out, options, &(struct weft_stage){.now = real_time}, error, cap);
}

enum weft_status weft_crawl_new_on(struct weft_crawl **out,
                                   const struct weft_crawl_options *options,
                                   const struct weft_stage *stage, char *error, size_t cap)
{
    struct weft_crawl *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c) {
        snprintf(error, cap, "%s", weft_strerror(WEFT_ENOMEM));
        return WEFT_ENOMEM;
    }
    if (cap) {
        error[0] = '\0';
    }
    c->options = *options;
    c->now = stage->now;
    c->now_user = stage->user;
    atomic_init(&c->stop.now, false);
    atomic_init(&c->stop.by, WEFT_FOREVER);
    weft_frontier_init(&c->frontier);
    weft_seen_init(&c->seen);
    weft_seen_init(&c->sitemaps);
    weft_joins_init(&c->joins);
    weft_url_queue_init(&c->parked);
    weft_seen_init(&c->parked_prints);
    c->recorder.options = &c->options;
    c->recorder.report = &c->report;
    if (options->on_record) {
        c->recorder.tells = (options->want_body ? WEFT_WANTS_BODY : 0) |
                            (options->want_links ? WEFT_WANTS_LINKS : 0);
    }
    c->hash_seed = options->seed;
    if (!c->hash_seed && getrandom(&c->hash_seed, sizeof c->hash_seed, 0) < 0) {
        c->hash_seed = (uint64_t)weft_now(); /* weaker, but better than none */
    }
    c->jitter = c->hash_seed;
    enum weft_status st = weft_crawl_check(options, error, cap);
    if (st == WEFT_OK) {
        c->loopback_backoff = options->retry_base;
        weft_crawl_complete(&c->options);
        st = weft_keep_open(c, error, cap);
    }
    if (st == WEFT_OK) {
        st = make_parts(c, stage, error, cap);
    }
    if (st == WEFT_OK) {
        st = stage->make_engine ? stage->make_engine(stage->user, &c->work, &c->engine)
                                : make_engine(c);
    }
    if (st != WEFT_OK) {
        if (cap && !error[0]) {
            snprintf(error, cap, "%s", weft_strerror(st));
        }
        weft_crawl_free(c);
        return st;
    }
    c->recorder.writer = c->writer;
    *out = c;
    return WEFT_OK;
}

enum weft_status weft_crawl_add(struct weft_crawl *c, const char *url, size_t len)
{
    char text[WEFT_MAX_URL_WORK], key[WEFT_MAX_URL_WORK];
    struct weft_url parsed;
    size_t key_len;
    if (c->options.next_url) {
        return WEFT_EINVAL;
    }
    enum weft_status st = weft_url_parse(&parsed, text, sizeof text, NULL, url, len, NULL);
    if (st != WEFT_OK ||
        (st = weft_url_key(&parsed, c->options.fold, key, sizeof key, &key_len)) != WEFT_OK) {
        return st;
    }
    text[parsed.fragment_at] = '\0';
    if (parsed.fragment_at > c->options.max_url) {
        return WEFT_ELIMIT;
    }
    uint64_t print = weft_fingerprint(key, key_len, c->hash_seed);
    if ((st = weft_scope_add(&c->scope, &parsed, NULL)) != WEFT_OK ||
        weft_seen_has(&c->seen, print)) {
        return st;
    }
    c->seeds_left++;
    st = weft_discover(c,
                       &(struct weft_queued){
                           .print = print, .url = text, .len = parsed.fragment_at, .seed = true});
    if (st != WEFT_OK) {
        c->seeds_left--;
    }
    return st == WEFT_OK ? weft_keep_flush_large(c) : st;
}

static int64_t wall_clock(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * WEFT_SECOND + ts.tv_nsec;
}

static enum weft_status close_writer(struct weft_crawl *c, int64_t started_at)
{
    struct weft_crawl_report *r = &c->report;
    struct weft_run_summary s = {.command = c->options.command,
                                 .started_at = started_at,
                                 .ended_at = wall_clock(),
                                 .ended = weft_crawl_end_name(r->end),
                                 .fetched = r->fetched,
                                 .bytes = r->bytes,
                                 .left = r->left};
    for (int i = 0; i < WEFT_NREASONS; i++) {
        s.failed += r->failed[i];
        s.skipped += r->skipped[i];
    }
    struct weft_writer *w = c->writer;
    c->writer = c->recorder.writer = NULL;
    return w ? weft_writer_close(w, &s, r->error, sizeof r->error) : WEFT_OK;
}

static enum weft_status close_trace(struct weft_crawl *c)
{
    struct weft_trace *t = c->trace;
    c->trace = NULL;
    return weft_trace_close(t, c->report.error, sizeof c->report.error);
}

static enum weft_status save_cookies(struct weft_crawl *c)
{
    enum weft_status st = c->net ? weft_net_save_cookies(c->net) : WEFT_OK;
    if (st != WEFT_OK && !c->report.error[0]) {
        const char *why = st != WEFT_EIO   ? weft_strerror(st)
                          : errno == ENXIO ? "nobody reads it" /* a pipe */
                                           : strerror(errno);
        snprintf(c->report.error, sizeof c->report.error, "can't write %s: %s",
                 c->options.net.cookie_jar, why);
    }
    return st;
}

/* Ends all that the run wrote; the cookies are kept even if an output broke. */
static bool close_outputs(struct weft_crawl *c, int64_t started_at)
{
    bool closed = close_writer(c, started_at) == WEFT_OK && close_trace(c) == WEFT_OK;
    return save_cookies(c) == WEFT_OK && closed;
}

enum weft_status weft_crawl_run(struct weft_crawl *c, struct weft_crawl_report *report)
{
    struct weft_crawl_report *r = &c->report;
    int64_t started_at = wall_clock();
    c->began = c->now(c->now_user);
    if (c->options.max_time && atomic_load(&c->stop.by) == WEFT_FOREVER) {
        atomic_store(&c->stop.by, weft_now() + c->options.max_time + c->options.grace);
    }
    enum weft_status st = weft_coordinate(c);
    if (st == WEFT_OK) {
        st = weft_ending_settle(c);
    }
    r->left = weft_ending_left(c);
    r->seeds_failed += c->recorder.won ? 0 : c->seeds_left; /* those whose turn never came */
    if (st != WEFT_OK) {
        r->end = st == WEFT_EIO ? WEFT_END_OUTPUT : WEFT_END_FAILED;
        snprintf(r->error, sizeof r->error, "%s", weft_strerror(st));
    } else {
        r->end = weft_ending_why(c);
        r->list_left = r->end != WEFT_END_FINISHED && (c->list_cut || c->listing);
    }
    r->elapsed = c->now(c->now_user) - c->began;
    weft_ending_note_hosts(c);
    if (!close_outputs(c, started_at)) {
        r->end = WEFT_END_OUTPUT;
        st = WEFT_EIO;
    }
    *report = *r;
    return st;
}

void weft_crawl_stop(struct weft_crawl *c, bool now)
{
    unsigned before = atomic_fetch_add(&c->stop_asked, now ? 2 : 1);
    /* A fetch function of the caller's may run where only this can tell it. */
    if (now || before > 0) {
        atomic_store(&c->stop.now, true);
    } else {
        atomic_store(&c->stop.by, weft_now() + c->options.grace);
    }
    c->engine->ops->wake(c->engine, now || before > 0);
}

void weft_crawl_more(struct weft_crawl *c)
{
    c->engine->ops->wake(c->engine, false);
}

void weft_crawl_inspect(struct weft_crawl *c)
{
    atomic_store(&c->inspect, true);
    c->engine->ops->wake(c->engine, false);
}

void weft_crawl_free(struct weft_crawl *c)
{
    if (!c) {
        return;
    }
    if (c->engine) {
        atomic_store(&c->stop.now, true);
        c->engine->ops->cancel_all(c->engine);
        c->engine->ops->free(c->engine);
    }
    weft_order_release(&c->recorder.order);
    weft_writer_close(c->writer, NULL, NULL, 0);
    weft_trace_close(c->trace, NULL, 0);
    weft_keep_release(c);
    weft_net_discard(c->net); /* the jar was written when the run ended, if there was one */
    while (c->undecided) {
        struct weft_visit *v = c->undecided;
        c->undecided = v->next;
        weft_visit_free(v);
    }
    weft_joins_release(&c->joins);
    weft_url_queue_release(&c->parked);
    weft_seen_release(&c->parked_prints);
    weft_levels_release(&c->levels);
    weft_traps_release(&c->traps);
    weft_scope_release(&c->scope);
    weft_frontier_release(&c->frontier);
    weft_seen_release(&c->seen);
    weft_seen_release(&c->sitemaps);
    weft_extractor_free(c->extractor);
    free(c->robots_agent);
    free(c->hosts);
    free(c);
}
