/* site.c -- see site.h. */
#include "site.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void site_init(struct site *s, const struct page *pages)
{
    memset(s, 0, sizeof *s);
    s->pages = pages;
    s->now = 1000 * WEFT_SECOND;
    pthread_mutex_init(&s->lock, NULL);
}

void site_release(struct site *s)
{
    for (size_t i = 0; i < s->nrecords; i++) {
        free(s->records[i]);
    }
    pthread_mutex_destroy(&s->lock);
}

unsigned site_asked(const struct site *s, const char *url)
{
    unsigned n = 0;
    for (size_t i = 0; i < s->nasked; i++) {
        n += strcmp(s->asked[i].url, url) == 0;
    }
    return n;
}

long site_when(const struct site *s, const char *url, unsigned n)
{
    for (size_t i = 0; i < s->nasked; i++) {
        if (strcmp(s->asked[i].url, url) == 0 && n-- == 0) {
            return (long)((s->asked[i].at - 1000 * WEFT_SECOND) / WEFT_MS);
        }
    }
    return -1;
}

const char *site_record(const struct site *s, const char *url)
{
    size_t len = strlen(url);
    for (size_t i = 0; i < s->nrecords; i++) {
        if (strncmp(s->records[i], url, len) == 0 && s->records[i][len] == ' ') {
            return s->records[i] + len + 1;
        }
    }
    return NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char *site_records(struct site *s)
{
    size_t size = 1;
    qsort(s->records, s->nrecords, sizeof s->records[0], by_text);
    for (size_t i = 0; i < s->nrecords; i++) {
        size += strlen(s->records[i]) + 1;
    }
    char *all = malloc(size), *at = all;
    ck_assert_ptr_nonnull(all);
    *at = '\0';
    for (size_t i = 0; i < s->nrecords; i++) {
        at += sprintf(at, "%s\n", s->records[i]);
    }
    return all;
}

static void on_record(void *user, const struct weft_record *r)
{
    struct site *s = user;
    char line[1024];
    ck_assert_uint_lt(s->nrecords, sizeof s->records / sizeof s->records[0]);
    snprintf(line, sizeof line, "%s %s %s %d links=%u title=%s final=%s hops=%zu", r->url,
             weft_outcome_name(r->outcome),
             *weft_reason_name(r->reason) ? weft_reason_name(r->reason) : "-", r->status, r->nlinks,
             r->title ? r->title : "-", r->final_url ? r->final_url : "-", r->nredirects);
    if (s->depths) {
        size_t len = strlen(line);
        snprintf(line + len, sizeof line - len, " depth=%d", r->depth);
    }
    s->records[s->nrecords++] = strdup(line);
    if (s->also) {
        s->also(s, r);
    }
}

static void on_log(void *user, enum weft_log_level level, const char *message)
{
    struct site *s = user;
    size_t len = strlen(s->log);
    (void)level;
    snprintf(s->log + len, sizeof s->log - len, "%s\n", message);
}

static const struct page *find(const struct site *s, const char *url)
{
    for (const struct page *p = s->pages; p->url; p++) {
        if (strcmp(p->url, url) == 0) {
            return p;
        }
    }
    return NULL;
}

static void set(struct weft_response *r, const char **field, const char *text)
{
    if (text) {
        ck_assert_int_eq(weft_response_set(r, field, text, strlen(text)), WEFT_OK);
    }
}

static void answer_page(const struct page *p, const struct weft_request *request, unsigned before,
                        struct weft_response *r)
{
    r->status = p->status ? p->status : 200;
    if (before < p->faults || (p->faults == 0 && p->fault_end)) {
        r->end = p->fault_end;
        r->status = p->fault_status;
        snprintf(r->error, sizeof r->error, "%s", p->fault_end ? "as the test wants it" : "");
        set(r, &r->retry_after, p->fault_retry_after);
        if (p->fault_end == WEFT_FETCH_TOO_LARGE) { /* its beginning came */
            set(r, &r->location, p->location);
            ck_assert_int_eq(weft_response_append(r, p->body, strlen(p->body)), WEFT_OK);
        }
        return;
    }
    if (p->needs_cookie && (!request->cookies || !strstr(request->cookies, p->needs_cookie))) {
        r->status = 302;
        set(r, &r->location, p->url);
        set(r, &r->cookies, p->needs_cookie);
        return;
    }
    if (request->head && p->head_status) {
        r->status = p->head_status;
        return;
    }
    set(r, &r->cookies, p->sets_cookie ? p->sets_cookie : request->cookies);
    set(r, &r->location, p->location);
    set(r, &r->retry_after, p->retry_after);
    set(r, &r->content_type, p->content_type ? p->content_type : "text/html; charset=utf-8");
    if (p->body && !request->head &&
        !(request->want_body && !request->want_body(request->user, r))) {
        ck_assert_int_eq(weft_response_append(r, p->body, strlen(p->body)), WEFT_OK);
    } else {
        r->unwanted = p->body != NULL;
    }
}

/* Fills the answer to a request and notes that it was asked. */
static void answer(struct site *s, const struct weft_request *request, unsigned before,
                   struct weft_response *r)
{
    const struct page *p = find(s, request->url);
    size_t len = strlen(request->url);
    if (p) {
        answer_page(p, request, before, r);
    } else if (s->robots && len > 11 && strcmp(request->url + len - 11, "/robots.txt") == 0) {
        r->status = 200;
        set(r, &r->content_type, "text/plain");
        ck_assert_int_eq(weft_response_append(r, s->robots, strlen(s->robots)), WEFT_OK);
    } else {
        r->status = 404;
    }
}

static unsigned note_asked(struct site *s, const char *url)
{
    unsigned before = site_asked(s, url);
    ck_assert_uint_lt(s->nasked, sizeof s->asked / sizeof s->asked[0]);
    struct asked *a = &s->asked[s->nasked++];
    snprintf(a->url, sizeof a->url, "%s", url);
    a->at = s->now;
    s->in_flight++;
    if (s->in_flight > s->peak) {
        s->peak = s->in_flight;
    }
    return before;
}

/* ------------------------------------------------------------------ the fake engine */

struct pending {
    struct weft_visit *visit;
    struct weft_request request;
    unsigned before;
    weft_time done_at;
    bool interrupted, refused;
};

struct fake {
    struct weft_engine base;
    const struct weft_work *work;
    struct site *site;
    struct weft_reader *reader;
    struct weft_response response;
    struct pending pending[512];
    size_t n;
    atomic_bool woken;
};

static weft_time latency(struct site *s, const struct page *p, size_t serial)
{
    unsigned ms = p && p->latency_ms ? p->latency_ms : s->latency_ms ? s->latency_ms : 10;
    if (s->scatter) {
        uint64_t x = (serial + 1) * 0x9e3779b97f4a7c15u * s->scatter;
        ms += (unsigned)(x >> 40) % 100;
    }
    return ms * WEFT_MS;
}

/* Whether the limit, a token bucket as large as its rate, refuses a request now. */
static bool is_over_limit(struct site *s)
{
    if (s->limit == 0) {
        return false;
    }
    s->limit_tokens += (double)(s->now - s->limit_at) / (double)WEFT_SECOND * s->limit;
    if (s->limit_at == 0 || s->limit_tokens > s->limit) {
        s->limit_tokens = s->limit;
    }
    s->limit_at = s->now;
    if (s->limit_tokens < 1) {
        return true;
    }
    s->limit_tokens--;
    return false;
}

static enum weft_status fake_submit(struct weft_engine *base, struct weft_visit *v)
{
    struct fake *f = (struct fake *)base;
    struct pending *p = &f->pending[f->n];
    ck_assert_uint_lt(f->n, sizeof f->pending / sizeof f->pending[0]);
    weft_work_request(f->work, v, &p->request);
    p->visit = v;
    f->site->heads += p->request.head;
    p->before = note_asked(f->site, v->at);
    p->done_at = f->site->now + latency(f->site, find(f->site, v->at), f->site->nasked);
    p->interrupted = false;
    p->refused = is_over_limit(f->site);
    f->n++;
    if (f->site->on_asked) {
        f->site->on_asked(f->site, v->at);
    }
    return WEFT_OK;
}

static enum weft_status fake_wait_any(struct weft_engine *base, weft_time deadline,
                                      struct weft_visit **done)
{
    struct fake *f = (struct fake *)base;
    size_t first = 0;
    *done = NULL;
    for (size_t i = 1; i < f->n; i++) {
        if (f->pending[i].done_at < f->pending[first].done_at) {
            first = i;
        }
    }
    if (f->n == 0 || f->pending[first].done_at > deadline) {
        if (atomic_exchange(&f->woken, false)) {
            return WEFT_ECANCELED;
        }
        ck_assert_msg(deadline != WEFT_FOREVER, "the crawl would wait for ever");
        f->site->now = deadline > f->site->now ? deadline : f->site->now;
        return WEFT_ETIMEDOUT;
    }
    struct pending p = f->pending[first];
    f->pending[first] = f->pending[--f->n];
    f->site->now = p.done_at > f->site->now ? p.done_at : f->site->now;
    f->site->in_flight--;
    weft_response_reset(&f->response);
    f->response.started = f->site->now;
    f->response.ended = f->site->now;
    if (p.interrupted) {
        f->response.end = WEFT_FETCH_INTERRUPTED;
    } else if (p.refused) {
        f->response.status = 429;
        set(&f->response, &f->response.retry_after, "1");
    } else {
        answer(f->site, &p.request, p.before, &f->response);
    }
    weft_reader_read(f->reader, &f->response, 0, p.visit);
    *done = p.visit;
    return WEFT_OK;
}

static void fake_cancel_all(struct weft_engine *base)
{
    struct fake *f = (struct fake *)base;
    for (size_t i = 0; i < f->n; i++) {
        f->pending[i].done_at = f->site->now;
        f->pending[i].interrupted = true;
    }
}

static void fake_wake(struct weft_engine *base, bool now)
{
    (void)now;
    atomic_store(&((struct fake *)base)->woken, true);
}

static void fake_free(struct weft_engine *base)
{
    struct fake *f = (struct fake *)base;
    for (size_t i = 0; i < f->n; i++) {
        weft_visit_free(f->pending[i].visit);
    }
    weft_reader_free(f->reader);
    weft_response_release(&f->response);
    free(f);
}

static const struct weft_engine_ops fake_ops = {
    .name = "fake",
    .submit = fake_submit,
    .wait_any = fake_wait_any,
    .cancel_all = fake_cancel_all,
    .wake = fake_wake,
    .free = fake_free,
};

enum weft_status site_engine(struct site *s, const struct weft_work *work, struct weft_engine **out)
{
    struct fake *f = calloc(1, sizeof *f);
    ck_assert_ptr_nonnull(f);
    f->base.ops = &fake_ops;
    f->work = work;
    f->site = s;
    weft_response_init(&f->response);
    ck_assert_int_eq(weft_reader_new(&f->reader, work), WEFT_OK);
    *out = &f->base;
    return WEFT_OK;
}

static enum weft_status make_fake(void *user, const struct weft_work *work,
                                  struct weft_engine **out)
{
    return site_engine(user, work, out);
}

static weft_time fake_now(void *user)
{
    return ((struct site *)user)->now;
}

/* ------------------------------------------------------------------ running */

static struct weft_crawl_report run(struct site *s, struct weft_crawl *c, const char *const *seeds)
{
    struct weft_crawl_report report;
    s->crawl = c;
    for (size_t i = 0; seeds[i]; i++) {
        ck_assert_int_eq(weft_crawl_add(c, seeds[i], strlen(seeds[i])), WEFT_OK);
    }
    ck_assert_int_eq(weft_crawl_run(c, &report), WEFT_OK);
    s->crawl = NULL;
    weft_crawl_free(c);
    report.hosts = NULL;
    return report;
}

struct weft_crawl_report site_crawl(struct site *s, struct weft_crawl_options *o,
                                    const char *const *seeds)
{
    struct weft_crawl *c;
    char error[256];
    o->user = s;
    o->on_record = on_record;
    o->on_log = on_log;
    o->seed = o->seed ? o->seed : 42;
    const struct weft_stage stage = {fake_now, make_fake, s};
    enum weft_status st = weft_crawl_new_on(&c, o, &stage, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    c->keep.room = s->room ? s->room : c->keep.room;
    return run(s, c, seeds);
}

static void real_fetch(void *context, const struct weft_request *request,
                       struct weft_response *response, const struct weft_stop *stop)
{
    struct site *s = context;
    (void)stop;
    pthread_mutex_lock(&s->lock);
    unsigned before = note_asked(s, request->url);
    pthread_mutex_unlock(&s->lock);
    answer(s, request, before, response);
    pthread_mutex_lock(&s->lock);
    s->in_flight--;
    pthread_mutex_unlock(&s->lock);
}

static void *open_context(void *user, unsigned worker)
{
    (void)worker;
    return user;
}

struct weft_crawl_report site_crawl_real(struct site *s, struct weft_crawl_options *o,
                                         const char *const *seeds)
{
    struct weft_crawl *c;
    char error[256];
    o->user = s;
    o->on_record = on_record;
    o->on_log = on_log;
    o->fetch = real_fetch;
    o->fetch_open = open_context;
    o->has_delay = true;
    o->per_host = o->per_host ? o->per_host : 64;
    o->retry_base = 1;
    o->seed = 42;
    enum weft_status st = weft_crawl_new(&c, o, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    return run(s, c, seeds);
}
