/* trace.c -- writes the events of trace.h, one a line, as they happen: a trace that was cut off
 * can still be opened. */
#include "crawl/trace.h"

#include "base/buf.h"
#include "crawl/coordinator.h"
#include "crawl/host.h"
#include "crawl/trace_waits.h"
#include "store/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_AT    (64u << 10)
#define LONGEST     (1u << 20) /* of what is buffered; an event is far smaller */
#define COORDINATOR 0          /* its lane; lane k of a fetch is k + 1 */

struct weft_trace {
    struct weft_file file;
    struct weft_failure failure;
    enum weft_status status; /* of the first thing that failed */
    struct weft_buf buf;
    struct weft_waits waits;
    weft_time began;
    const char *lane_word;
    unsigned lanes;
    bool *named;       /* lanes that have got their name */
    uint64_t ids;      /* of asynchronous spans and arrows */
    weft_time came_at; /* of what is being taken in */
    bool came;
    char name[1024]; /* scratch: text of a URL as JSON */
};

static double us(const struct weft_trace *t, weft_time at)
{
    return (double)(at - t->began) / 1000.0;
}

static void note(struct weft_trace *t, enum weft_status st)
{
    if (t->status == WEFT_OK && st != WEFT_OK) {
        t->status = weft_fail_status(&t->failure, t->file.path, st);
    }
}

static void flush(struct weft_trace *t, size_t at_least)
{
    if (t->buf.len < at_least) {
        return;
    }
    if (t->status == WEFT_OK) {
        t->status = weft_file_append(&t->file, t->buf.data, t->buf.len);
    }
    weft_buf_clear(&t->buf);
}

/* Appends an event; the comma stands before all but the first. */
#define EVENT(t, ...)                                                                              \
    do {                                                                                           \
        note(t, weft_buf_printf(&(t)->buf, ",\n" __VA_ARGS__));                                    \
    } while (0)

/* text as the inside of a JSON string, cut to size. URLs are ASCII; anything else is escaped too.
 */
static const char *json(struct weft_trace *t, const char *text)
{
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p && n < sizeof t->name - 7; p++) {
        if (*p == '"' || *p == '\\' || *p < 0x20 || *p >= 0x7f) {
            n += (size_t)snprintf(t->name + n, sizeof t->name - n, "\\u%04x", *p);
        } else {
            t->name[n++] = (char)*p;
        }
    }
    t->name[n] = '\0';
    return t->name;
}

static void name_lane(struct weft_trace *t, unsigned lane, const char *word, bool numbered)
{
    char number[16] = "";
    if (numbered) {
        snprintf(number, sizeof number, " %u", lane - 1);
    }
    EVENT(t,
          "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":"
          "\"%s%s\"}},\n"
          "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":"
          "{\"sort_index\":%u}}",
          lane, word, number, lane, lane);
}

static enum weft_output_mode mode_of(bool replace)
{
    return replace ? WEFT_OUTPUT_OVERWRITE : WEFT_OUTPUT_NEW;
}

enum weft_status weft_trace_probe(const struct weft_crawl_options *options, bool replace,
                                  char *error, size_t cap)
{
    struct weft_failure failure = {""};
    bool existed;
    enum weft_status st = options->trace_file
                              ? weft_file_probe(options->trace_file, mode_of(replace), &existed,
                                                &failure)
                              : WEFT_OK;
    if (st == WEFT_OK && options->trace_file) {
        st = weft_file_probe_lock(options->trace_file, &failure);
    }
    if (st == WEFT_EDONE) { /* nothing can be added to a trace */
        snprintf(error, cap, "%s exists already: --overwrite replaces it", options->trace_file);
    } else if (st != WEFT_OK) {
        snprintf(error, cap, "%s", failure.text);
    }
    return st;
}

enum weft_status weft_trace_open(struct weft_trace **out, const struct weft_crawl_options *options,
                                 bool replace, weft_time began, char *error, size_t cap)
{
    *out = NULL;
    if (!options->trace_file) {
        return WEFT_OK;
    }
    struct weft_trace *t = calloc(1, sizeof *t);
    if (!t || !(t->named = calloc(options->jobs + 1, sizeof *t->named))) {
        free(t);
        return WEFT_ENOMEM;
    }
    weft_buf_init(&t->buf, LONGEST);
    t->file.fd = -1;
    t->began = began;
    t->lane_word = options->engine == WEFT_ENGINE_EVENTS ? "slot" : "worker";
    t->lanes = options->jobs;
    t->status = weft_file_open(&t->file, options->trace_file, mode_of(replace), &t->failure);
    if (t->status != WEFT_OK) {
        return weft_trace_close(t, error, cap);
    }
    note(t, weft_buf_puts(&t->buf, "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,"
                                   "\"args\":{\"name\":\"weft\"}}"));
    name_lane(t, COORDINATOR, "coordinator", false);
    *out = t;
    return WEFT_OK;
}

void weft_trace_found(struct weft_trace *t, uint64_t print, weft_time now)
{
    if (t) {
        weft_waits_put(&t->waits, print, now);
    }
}

/* ---- before a fetch ---- */

static weft_time later(weft_time a, weft_time b)
{
    return a > b ? a : b;
}

static weft_time sooner(weft_time a, weft_time b)
{
    return a < b ? a : b;
}

static void wait_span(struct weft_trace *t, uint64_t id, const char *what, weft_time from,
                      weft_time until)
{
    if (until > from) {
        EVENT(t,
              "{\"name\":\"%s\",\"cat\":\"queue\",\"ph\":\"b\",\"id\":%" PRIu64 ",\"pid\":1,"
              "\"tid\":0,\"ts\":%.3f,\"args\":{\"url\":\"%s\"}},\n"
              "{\"name\":\"%s\",\"cat\":\"queue\",\"ph\":\"e\",\"id\":%" PRIu64 ",\"pid\":1,"
              "\"tid\":0,\"ts\":%.3f}",
              what, id, us(t, from), t->name, what, id, us(t, until));
    }
}

static void count(struct weft_trace *t, weft_time now, unsigned in_flight)
{
    EVENT(t,
          "{\"name\":\"in flight\",\"ph\":\"C\",\"pid\":1,\"ts\":%.3f,\"args\":{\"fetches\":%u}}",
          us(t, now), in_flight);
}

/* What it waited for: its turn in the host's line, then for the host's clock (or its robots.txt,
 * or the time of a retry), then for a free slot. */
void weft_trace_start(struct weft_trace *t, const struct weft_visit *v, weft_time now,
                      unsigned in_flight)
{
    if (!t) {
        return;
    }
    const struct weft_host *h = v->host;
    weft_time since = v->waiting_since ? v->waiting_since : weft_waits_take(&t->waits, v->print);
    weft_time turn = h->requests ? h->next_start - h->delay : since;
    weft_time open = later(later(weft_host_opens(h), h->robots_at), v->not_before);
    if (since) {
        uint64_t id = ++t->ids;
        turn = sooner(later(turn, since), now);
        open = sooner(later(open, turn), now);
        json(t, v->at);
        wait_span(t, id, "queued", since, turn);
        wait_span(t, id, "waiting for its host", turn, open);
        wait_span(t, id, "waiting for a slot", open, now);
    }
    count(t, now, in_flight);
    flush(t, FLUSH_AT); /* thousands may start before one comes back */
}

/* ---- a fetch ---- */

static void inner_span(struct weft_trace *t, unsigned lane, const char *what, weft_time from,
                       weft_time until)
{
    if (until > from) {
        EVENT(t,
              "{\"name\":\"%s\",\"cat\":\"fetch\",\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,"
              "\"dur\":%.3f}",
              what, lane, us(t, from), (double)(until - from) / 1000.0);
    }
}

/* Path and query, which tell pages of one host apart. */
static const char *short_name(const struct weft_visit *v)
{
    const char *host = strstr(v->at, "://");
    const char *path = host ? strchr(host + 3, '/') : NULL;
    return path ? path : v->at;
}

static void fetch_spans(struct weft_trace *t, unsigned lane, const struct weft_visit *v)
{
    const struct weft_answer *a = &v->answer;
    weft_time ended = later(a->ended, a->started);
    weft_time parsed = later(a->read_until, ended);
    const char *end = weft_reason_name(weft_reason_of(a->end));
    EVENT(t,
          "{\"name\":\"%s\",\"cat\":\"fetch\",\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%.3f,"
          "\"dur\":%.3f,\"args\":{\"status\":%d,\"end\":\"%s\",\"bytes\":%" PRIu64
          ",\"links\":%u,\"try\":%u,\"new_connection\":%s",
          json(t, short_name(v)), lane, us(t, a->started), (double)(parsed - a->started) / 1000.0,
          a->status, *end ? end : "done", a->bytes, a->nfollow, v->tries,
          a->new_connection ? "true" : "false");
    note(t, weft_buf_printf(&t->buf, ",\"url\":\"%s\"}}", json(t, v->at)));
    weft_time connected = sooner(later(a->connected, a->started), ended);
    weft_time first = a->first_byte ? sooner(later(a->first_byte, connected), ended) : ended;
    inner_span(t, lane, "connect", a->started, a->connected ? connected : ended);
    inner_span(t, lane, "wait", a->connected ? connected : ended, first);
    inner_span(t, lane, "read", first, ended);
    inner_span(t, lane, "parse", later(a->read_from, ended), parsed);
    /* The arrow leaves within the span, not at its end, where the next one may begin. */
    EVENT(t,
          "{\"name\":\"handed over\",\"cat\":\"hand-over\",\"ph\":\"s\",\"id\":%" PRIu64
          ",\"pid\":1,\"tid\":%u,\"ts\":%.3f}",
          ++t->ids, lane, us(t, later(a->started, parsed - 1000)));
}

void weft_trace_end(struct weft_trace *t, const struct weft_visit *v, weft_time now,
                    unsigned in_flight)
{
    if (!t) {
        return;
    }
    const struct weft_answer *a = &v->answer;
    unsigned lane = a->lane < t->lanes ? a->lane : t->lanes;
    if (!t->named[lane]) {
        t->named[lane] = true;
        name_lane(t, lane + 1, t->lane_word, true);
    }
    fetch_spans(t, lane + 1, v);
    count(t, now, in_flight);
    t->came_at = now;
    t->came = true;
}

enum weft_status weft_trace_taken(struct weft_trace *t, weft_time now)
{
    if (!t) {
        return WEFT_OK;
    }
    if (t->came) {
        inner_span(t, COORDINATOR, "handed over", t->came_at, now);
        EVENT(t,
              "{\"name\":\"handed over\",\"cat\":\"hand-over\",\"ph\":\"f\",\"bp\":\"e\",\"id\":"
              "%" PRIu64 ",\"pid\":1,\"tid\":0,\"ts\":%.3f}",
              t->ids, us(t, t->came_at));
        t->came = false;
    }
    flush(t, FLUSH_AT);
    return t->status;
}

enum weft_status weft_trace_close(struct weft_trace *t, char *error, size_t cap)
{
    if (!t) {
        return WEFT_OK;
    }
    if (t->status == WEFT_OK) {
        note(t, weft_buf_puts(&t->buf, "\n]\n"));
        flush(t, 1);
    }
    enum weft_status st = weft_file_close(&t->file);
    st = t->status != WEFT_OK ? t->status : st;
    if (st != WEFT_OK && cap) {
        snprintf(error, cap, "%s", t->failure.text);
    }
    weft_buf_release(&t->buf);
    weft_waits_release(&t->waits);
    free(t->named);
    free(t);
    return st;
}
