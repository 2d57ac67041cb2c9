/* crawled.c -- see crawled.h. */
#include "crawled.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct variant variants[NVARIANTS] = {
    {"sync", WEFT_ENGINE_SYNC, 0},
    {"threads", WEFT_ENGINE_THREADS, 0},
    {"events", WEFT_ENGINE_EVENTS, 0},
    {"events, parsed elsewhere", WEFT_ENGINE_EVENTS, 2},
};

void crawled_init(struct crawled *c, const char *base)
{
    memset(c, 0, sizeof *c);
    c->base = base;
}

void crawled_release(struct crawled *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->lines[i]);
    }
    free(c->lines);
    c->lines = NULL;
    c->n = c->cap = 0;
}

/* The URL without this server's origin. */
static const char *local(const struct crawled *c, const char *url)
{
    size_t len = strlen(c->base);
    return !url ? "-" : strncmp(url, c->base, len) == 0 ? url + len : url;
}

static void on_record(void *user, const struct weft_record *r)
{
    struct crawled *c = user;
    char line[4096];
    int len = snprintf(line, sizeof line, "%s %s %s %d links=%u title=%s final=%s",
                       local(c, r->url), weft_outcome_name(r->outcome),
                       r->reason ? weft_reason_name(r->reason) : "-", r->status, r->nlinks,
                       r->title ? r->title : "-", local(c, r->final_url));
    if (c->depths) {
        snprintf(line + len, sizeof line - (size_t)len, " depth=%d", r->depth);
    }
    if (c->n == c->cap) {
        c->cap = c->cap ? c->cap * 2 : 64;
        c->lines = realloc(c->lines, c->cap * sizeof *c->lines);
        ck_assert_ptr_nonnull(c->lines);
    }
    c->lines[c->n++] = strdup(line);
    if (c->on_record) {
        c->on_record(c, r);
    }
}

static void on_log(void *user, enum weft_log_level level, const char *message)
{
    struct crawled *c = user;
    size_t len = strlen(c->log);
    (void)level;
    snprintf(c->log + len, sizeof c->log - len, "%s\n", message);
    if (strstr(message, ": in flight for ")) {
        atomic_fetch_add(&c->told, 1);
    }
}

void crawled_run(struct crawled *c, struct weft_crawl_options o, const struct variant *v,
                 const char *const *seeds)
{
    struct weft_crawl *crawl;
    char error[512], url[1024];
    o.engine = v->engine;
    o.parse_jobs = v->parse_jobs;
    o.user = c;
    o.on_record = on_record;
    o.on_log = on_log;
    ck_assert_msg(weft_crawl_new(&crawl, &o, error, sizeof error) == WEFT_OK, "%s", error);
    for (size_t i = 0; seeds[i]; i++) {
        snprintf(url, sizeof url, "%s%s", seeds[i][0] == '/' ? c->base : "", seeds[i]);
        ck_assert_int_eq(weft_crawl_add(crawl, url, strlen(url)), WEFT_OK);
    }
    atomic_store(&c->crawl, crawl);
    ck_assert_int_eq(weft_crawl_run(crawl, &c->report), WEFT_OK);
    atomic_store(&c->crawl, NULL);
    c->report.hosts = NULL; /* they lived in the crawl */
    weft_crawl_free(crawl);
}

const char *crawled_line(const struct crawled *c, const char *url)
{
    const char *found = "";
    size_t len = strlen(url);
    for (size_t i = 0; i < c->n; i++) {
        if (strncmp(c->lines[i], url, len) == 0 && c->lines[i][len] == ' ') {
            ck_assert_msg(!*found, "%s is recorded twice", url);
            found = c->lines[i] + len + 1;
        }
    }
    return found;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void crawled_same(struct crawled *a, struct crawled *b)
{
    qsort(a->lines, a->n, sizeof *a->lines, by_text);
    qsort(b->lines, b->n, sizeof *b->lines, by_text);
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        ck_assert_str_eq(a->lines[i], b->lines[i]);
    }
    ck_assert_uint_eq(a->n, b->n);
}

static uint64_t sum(const uint64_t *counts)
{
    uint64_t n = 0;
    for (int i = 0; i < WEFT_NREASONS; i++) {
        n += counts[i];
    }
    return n;
}

uint64_t crawled_failed(const struct crawled *c)
{
    return sum(c->report.failed);
}

uint64_t crawled_skipped(const struct crawled *c)
{
    return sum(c->report.skipped);
}
