/* page_answer.c -- the answers of the page's server: a file, a run's number, a stream of events, a
 * refusal. Each has the header fields that keep a browser from doing more with it than meant. */
#include "lab/page_impl.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096u /* bytes of a stream at once */

/* Scripts and styles are files of this server; nothing else is loaded, framed or sent anywhere. */
static const char *const guards[][2] = {
    {MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
};

/* Takes the response (NULL: there was no memory for it) and queues it. */
static enum MHD_Result queue(struct page_request *r, unsigned status, const char *type,
                             struct MHD_Response *response)
{
    if (!response) {
        return MHD_NO;
    }
    enum MHD_Result ok = MHD_YES;
    if (type) {
        ok = MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    }
    for (size_t i = 0; ok == MHD_YES && i < sizeof guards / sizeof *guards; i++) {
        ok = MHD_add_response_header(response, guards[i][0], guards[i][1]);
    }
    if (ok == MHD_YES && r->allow) {
        ok = MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, r->allow);
    }
    if (ok == MHD_YES) {
        ok = MHD_queue_response(r->connection, status, response);
    }
    MHD_destroy_response(response);
    return ok;
}

/* ---- JSON and sentences ---- */

/* Takes o, which may be NULL. */
static enum MHD_Result answer_json(struct page_request *r, unsigned status, json_t *o)
{
    char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
    json_decref(o);
    if (!text) {
        return MHD_NO;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(strlen(text),
                                                                                       text, free);
    if (!response) {
        free(text);
    }
    return queue(r, status, "application/json", response);
}

/* The sentence as JSON, for a script, or as plain text, for somebody who looks at it. */
static enum MHD_Result answer_refusal(struct page_request *r, unsigned status, const char *why)
{
    if (strncmp(r->path, "/api/", 5) == 0) {
        return answer_json(r, status, json_pack("{ss}", "error", why));
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(why), (void *)why,
                                                                    MHD_RESPMEM_MUST_COPY);
    return queue(r, status, "text/plain; charset=utf-8", response);
}

/* ---- files ---- */

static const char *type_of(const char *name)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
    };
    const char *end = strrchr(name, '.');
    for (size_t i = 0; end && i < sizeof types / sizeof *types; i++) {
        if (strcmp(end, types[i][0]) == 0) {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static enum MHD_Result answer_file(struct page_request *r)
{
    const struct lab_page_file *f = r->file;
    return queue(r, MHD_HTTP_OK, type_of(f->name),
                 MHD_create_response_from_buffer(f->len, (void *)f->bytes, MHD_RESPMEM_PERSISTENT));
}

/* ---- runs ---- */

static enum MHD_Result answer_start(struct page_request *r)
{
    const struct weft_page_runs *runs = &r->page->runs;
    struct weft_page_ask ask;
    unsigned number;
    char error[WEFT_MAX_ERROR] = "";
    if (weft_page_ask_read(r->body, r->body_len, &ask, error, sizeof error) != WEFT_OK) {
        return answer_refusal(r, MHD_HTTP_BAD_REQUEST, error);
    }
    enum weft_status st = runs->start(runs->user, &ask, &number, error, sizeof error);
    if (st == WEFT_EAGAIN) {
        return answer_json(r, MHD_HTTP_CONFLICT,
                           json_pack("{ss, si}", "error", "A run is going on; one at a time.",
                                     "run", (int)number));
    }
    if (st != WEFT_OK) {
        return answer_refusal(r, MHD_HTTP_SERVICE_UNAVAILABLE, error);
    }
    return answer_json(r, MHD_HTTP_ACCEPTED, json_pack("{si}", "run", (int)number));
}

static enum MHD_Result answer_stop(struct page_request *r)
{
    const struct weft_page_runs *runs = &r->page->runs;
    if (!runs->stop(runs->user, r->run)) {
        return answer_refusal(r, MHD_HTTP_NOT_FOUND, "There is no such run (any more).");
    }
    return queue(r, MHD_HTTP_NO_CONTENT, NULL,
                 MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT));
}

/* ---- events ---- */

struct stream {
    struct weft_page *page;
    struct weft_page_reader reader;
    struct MHD_Connection *connection;
};

static void stream_sleep(void *stream)
{
    MHD_suspend_connection(((struct stream *)stream)->connection);
}

static void stream_wake(void *stream)
{
    MHD_resume_connection(((struct stream *)stream)->connection);
}

static ssize_t stream_bytes(void *stream, uint64_t at, char *out, size_t max)
{
    (void)at;
    ssize_t n = weft_page_reader_read(&((struct stream *)stream)->reader, out, max);
    return n < 0 ? MHD_CONTENT_READER_END_OF_STREAM : n;
}

static void stream_free(void *stream)
{
    struct stream *s = stream;
    s->page->streams--;
    weft_page_reader_release(&s->reader);
    free(s);
}

/* What the run has told so far, and then what it tells. */
static enum MHD_Result answer_watch(struct page_request *r)
{
    struct weft_page *page = r->page;
    if (page->streams >= WEFT_PAGE_MAX_STREAMS) {
        return answer_refusal(r, MHD_HTTP_SERVICE_UNAVAILABLE, "Too many are watching already.");
    }
    struct weft_page_log *log = page->runs.log(page->runs.user, r->run);
    if (!log) {
        return answer_refusal(r, MHD_HTTP_NOT_FOUND, "There is no such run (any more).");
    }
    struct MHD_Response *response = NULL;
    struct stream *s = calloc(1, sizeof *s);
    if (s) {
        s->page = page;
        page->streams++;
        s->connection = r->connection;
        weft_page_reader_init(&s->reader, log, stream_sleep, stream_wake, s);
        response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, stream_bytes, s,
                                                     stream_free);
        if (!response) {
            stream_free(s);
        }
    }
    weft_page_log_release(log); /* the reader has its own */
    return queue(r, MHD_HTTP_OK, "text/event-stream", response);
}

enum MHD_Result page_answer(struct page_request *r)
{
    if (r->refused) {
        return answer_refusal(r, r->refused, r->why);
    }
    switch (r->what) {
    case PAGE_FILE:
        return answer_file(r);
    case PAGE_START:
        return answer_start(r);
    case PAGE_WATCH:
        return answer_watch(r);
    case PAGE_STOP:
        return answer_stop(r);
    case PAGE_NOTHING:
        break;
    }
    return MHD_NO;
}
