/* real_run.c -- see real_run.h. */
#include "cli/real_run.h"

#include "base/buf.h"
#include "base/limits.h"
#include "lab/lab.h"
#include "weft/crawl.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_PATH 200u /* of a path in an event; the rest is left away */
#define GRACE        WEFT_SECOND

struct cli_real_run {
    struct weft_page_ask ask;
    char folder[PATH_MAX];
    struct weft_page_log *log;
    weft_time began; /* set before the first request */

    pthread_mutex_t lock;     /* guards the rest: requests begin and end on several threads */
    struct weft_crawl *crawl; /* while it can be stopped */
    bool stopped;
    bool lost;                          /* an event could not be told: the picture is not whole */
    unsigned requests;                  /* begun so far */
    unsigned going[WEFT_PAGE_MAX_JOBS]; /* what each lane does: the number of its request */
    pthread_t threads[WEFT_PAGE_MAX_JOBS + 1];
    unsigned nthreads; /* that have made requests, or coordinated */
};

enum weft_status cli_real_run_new(struct cli_real_run **out, const struct weft_page_ask *ask,
                                  const char *folder)
{
    struct cli_real_run *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) {
        return WEFT_ENOMEM;
    }
    if (weft_page_log_new(&r->log) != WEFT_OK) {
        free(r);
        return WEFT_ENOMEM;
    }
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        weft_page_log_release(r->log);
        free(r);
        return WEFT_ENOMEM;
    }
    r->ask = *ask;
    if (ask->engine == WEFT_PAGE_SYNC) {
        r->ask.jobs = 1; /* which is what it is */
    }
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    *out = r;
    return WEFT_OK;
}

void cli_real_run_free(struct cli_real_run *r)
{
    if (r) {
        weft_page_log_release(r->log);
        pthread_mutex_destroy(&r->lock);
        free(r);
    }
}

struct weft_page_log *cli_real_run_log(const struct cli_real_run *r)
{
    return r->log;
}

void cli_real_run_stop(struct cli_real_run *r)
{
    pthread_mutex_lock(&r->lock);
    r->stopped = true;
    if (r->crawl) {
        weft_crawl_stop(r->crawl, true);
    }
    pthread_mutex_unlock(&r->lock);
}

/* ---- telling ---- */

static double ms_since(const struct cli_real_run *r, weft_time at)
{
    return (double)(at - r->began) / (double)WEFT_MS;
}

/* text as the inside of a JSON string. URLs are ASCII, and so is what this program says; what is
 * not becomes a question mark. */
static const char *plain(char *out, size_t cap, const char *text)
{
    size_t n = 0;
    for (; *text && n + 1 < cap; text++) {
        bool fine = *text >= 0x20 && *text < 0x7f && *text != '"' && *text != '\\';
        out[n++] = fine ? *text : '?';
    }
    out[n] = '\0';
    return out;
}

/* Path and query of a URL. */
static const char *path_of(const char *url)
{
    const char *host = strstr(url, "://");
    const char *path = host ? strchr(host + 3, '/') : NULL;
    return path ? path : url;
}

static const char *outcome_of(const struct weft_crawl_fetching *f)
{
    if (f->end == WEFT_FETCH_INTERRUPTED) {
        return "interrupted";
    }
    if (f->end != WEFT_FETCH_DONE || f->status >= 400) {
        return "failed";
    }
    return f->status >= 300 ? "redirect" : "fetched";
}

/* Notes that the calling thread works for this run. The lock is held. */
static void count_thread(struct cli_real_run *r)
{
    pthread_t self = pthread_self();
    for (unsigned i = 0; i < r->nthreads; i++) {
        if (pthread_equal(r->threads[i], self)) {
            return;
        }
    }
    if (r->nthreads < sizeof r->threads / sizeof *r->threads) {
        r->threads[r->nthreads++] = self;
    }
}

/* On whatever thread fetches. The clock is read under the lock, so that events stand in the order
 * of their times. */
static void on_fetch(void *user, const struct weft_crawl_fetching *f)
{
    struct cli_real_run *r = user;
    char data[LONGEST_PATH + 160], path[LONGEST_PATH];
    pthread_mutex_lock(&r->lock);
    double ms = ms_since(r, weft_now());
    if (f->ended) {
        snprintf(data, sizeof data, "{\"id\":%u,\"ms\":%.3f,\"status\":%d,\"outcome\":\"%s\"}",
                 r->going[f->lane], ms, f->status, outcome_of(f));
    } else {
        r->going[f->lane] = r->requests++;
        count_thread(r);
        snprintf(data, sizeof data, "{\"id\":%u,\"lane\":%u,\"path\":\"%s\",\"ms\":%.3f}",
                 r->going[f->lane], f->lane, plain(path, sizeof path, path_of(f->url)), ms);
    }
    if (weft_page_log_put(r->log, f->ended ? "end" : "begin", data) != WEFT_OK && !r->lost) {
        r->lost = true;
        weft_crawl_stop(r->crawl, true);
    }
    pthread_mutex_unlock(&r->lock);
}

static void tell_start(struct cli_real_run *r)
{
    char data[100];
    snprintf(data, sizeof data, "{\"engine\":\"%s\",\"jobs\":%u,\"delay_ms\":%u}",
             weft_page_engine_name(r->ask.engine), r->ask.jobs, r->ask.delay_ms);
    r->lost = weft_page_log_put(r->log, "start", data) != WEFT_OK;
}

/* ---- crawling ---- */

/* Lets cli_real_run_stop reach the crawl, or not any more. */
static void publish(struct cli_real_run *r, struct weft_crawl *c)
{
    pthread_mutex_lock(&r->lock);
    r->crawl = c;
    if (c && (r->stopped || r->lost)) {
        weft_crawl_stop(c, true);
    }
    pthread_mutex_unlock(&r->lock);
}

static enum weft_status make_crawl(struct cli_real_run *r, const char *site,
                                   struct weft_crawl **out, char *error, size_t cap)
{
    static const enum weft_engine_kind engines[] = {WEFT_ENGINE_SYNC, WEFT_ENGINE_THREADS,
                                                    WEFT_ENGINE_EVENTS};
    const struct weft_crawl_options o = {
        .engine = engines[r->ask.engine],
        .jobs = r->ask.jobs,
        .max_pages = WEFT_PAGE_MAX_PAGES,
        .max_time = WEFT_PAGE_MAX_RUN_S * WEFT_SECOND,
        .grace = GRACE,
        .retries = -1, /* an error is to be seen, not mended */
        .host_failures = -1,
        .net.proxy = "", /* nothing leaves this machine, whatever the environment says */
        .user = r,
        .on_fetch = on_fetch,
    };
    enum weft_status st = weft_crawl_new(out, &o, error, cap);
    if (st == WEFT_OK && (st = weft_crawl_add(*out, site, strlen(site))) != WEFT_OK) {
        snprintf(error, cap, "%s", weft_strerror(st));
        weft_crawl_free(*out);
        *out = NULL;
    }
    return st;
}

/* Why a crawl that has ended is no result; NULL: it is one. */
static const char *complaint(struct cli_real_run *r, enum weft_status st,
                             const struct weft_crawl_report *report)
{
    pthread_mutex_lock(&r->lock); /* who stops it may still do so */
    bool stopped = r->stopped, lost = r->lost;
    pthread_mutex_unlock(&r->lock);
    if (stopped) {
        return "the run was stopped";
    }
    if (lost) {
        return "more happened than can be told";
    }
    if (report->end == WEFT_END_MAX_PAGES || report->end == WEFT_END_MAX_TIME) {
        return "the site is larger, or slower, than a run may be";
    }
    if (st != WEFT_OK) {
        return *report->error ? report->error : weft_strerror(st);
    }
    return NULL;
}

/* Crawls the site of server. WEFT_OK: data is what `done` says; else error is a sentence. */
static enum weft_status crawl(struct cli_real_run *r, struct weft_lab *server, char *data,
                              size_t data_cap, char *error, size_t cap)
{
    struct weft_crawl *c;
    struct weft_crawl_report report;
    struct weft_lab_stats seen;
    char site[100];
    uint64_t errors = 0;
    snprintf(site, sizeof site, "%s/", weft_lab_url(server, 0));
    enum weft_status st = make_crawl(r, site, &c, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    count_thread(r); /* nobody else knows of this run's thread yet */
    tell_start(r);
    publish(r, c);
    r->began = weft_now();
    st = weft_crawl_run(c, &report);
    publish(r, NULL);
    weft_crawl_free(c);
    weft_lab_get_stats(server, &seen);
    const char *why = complaint(r, st, &report);
    if (why) {
        snprintf(error, cap, "%s", why);
        return st == WEFT_OK ? WEFT_ECANCELED : st;
    }
    for (int i = 0; i < WEFT_NREASONS; i++) {
        errors += report.failed[i];
    }
    snprintf(data, data_cap,
             "{\"pages\":%llu,\"errors\":%llu,\"wall_ms\":%.3f,\"in_flight_peak\":%u,"
             "\"threads\":%u}",
             (unsigned long long)report.fetched, (unsigned long long)errors,
             (double)report.elapsed / (double)WEFT_MS, seen.in_flight_peak, r->nthreads);
    return WEFT_OK;
}

void cli_real_run_go(struct cli_real_run *r, void (*over)(void *user), void *user)
{
    struct weft_lab *server;
    char data[WEFT_MAX_ERROR + 200], error[512] = "", sentence[WEFT_MAX_ERROR];
    const struct weft_lab_options o = {
        .dir = r->folder, .delay_ms = r->ask.delay_ms, .files_only = true};
    enum weft_status st = weft_lab_start(&server, &o, error, sizeof error);
    if (st == WEFT_OK) {
        st = crawl(r, server, data, sizeof data, error, sizeof error);
        weft_lab_stop(server);
    }
    if (st != WEFT_OK) {
        snprintf(data, sizeof data, "{\"error\":\"%s\"}",
                 plain(sentence, sizeof sentence, *error ? error : weft_strerror(st)));
    }
    over(user);
    weft_page_log_end(r->log, st == WEFT_OK ? "done" : "failed", data);
}
