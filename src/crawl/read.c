/* read.c -- reading an answer: what is a page, its links and title, a sitemap's URLs, the values of
 * --select; everything copied into one block that the visit owns. */
#include "crawl/work.h"

#include "base/limits.h"
#include "crawl/seen.h"
#include "store/writer.h"
#include "text/content_type.h"
#include "text/extract.h"
#include "text/sitemap.h"
#include <stdlib.h>
#include <string.h>

struct weft_reader {
    const struct weft_work *work;
    struct weft_page_reader *page;
    struct weft_extractor *extractor; /* NULL: nothing is to be extracted */
};

enum weft_status weft_reader_new(struct weft_reader **out, const struct weft_work *work)
{
    const struct weft_crawl_options *o = work->options;
    struct weft_reader *r = calloc(1, sizeof *r);
    char error[WEFT_MAX_ERROR];
    *out = NULL;
    if (!r) {
        return WEFT_ENOMEM;
    }
    r->work = work;
    enum weft_status st = weft_page_reader_new(&r->page);
    if (st == WEFT_OK && o->selects && o->selects[0]) {
        st = weft_extractor_new(&r->extractor, o->row, o->selects, error, sizeof error);
    }
    if (st != WEFT_OK) {
        weft_reader_free(r);
        return st;
    }
    *out = r;
    return WEFT_OK;
}

void weft_reader_free(struct weft_reader *r)
{
    if (r) {
        weft_extractor_free(r->extractor);
        weft_page_reader_free(r->page);
        free(r);
    }
}

static bool is_html(const struct weft_response *r)
{
    struct weft_content_type type;
    if (r->content_type) {
        weft_content_type_extract(r->content_type, strlen(r->content_type), &type);
        if (type.essence[0]) {
            return type.is_html;
        }
    }
    char essence[WEFT_ESSENCE_CAP];
    weft_content_sniff(NULL, 0, r->body, r->body_len, essence);
    return strcmp(essence, "text/html") == 0;
}

/* The block that holds an answer's strings: sized first, then filled. */
struct packer {
    char *at;
};

static size_t room(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *pack(struct packer *p, const char *text, size_t len)
{
    char *to = p->at;
    memcpy(to, text, len);
    to[len] = '\0';
    p->at += len + 1;
    return to;
}

static const char *pack_text(struct packer *p, const char *text)
{
    return text ? pack(p, text, strlen(text)) : NULL;
}

/* The fingerprint of a URL's key. A URL whose key does not fit is told apart by itself. */
static uint64_t print_of(const struct weft_work *work, const struct weft_url *url)
{
    char key[WEFT_MAX_URL_WORK];
    size_t len;
    if (weft_url_key(url, work->options->fold, key, sizeof key, &len) == WEFT_OK) {
        return weft_fingerprint(key, len, work->hash_seed);
    }
    return weft_fingerprint(url->href, url->fragment_at, work->hash_seed);
}

/* Counts lines as links come, mostly in the order in which they stand. */
struct line_counter {
    const char *text;
    size_t at, len;
    uint32_t line;
};

static uint32_t line_of(struct line_counter *c, size_t at)
{
    if (at < c->at) {
        c->at = 0;
        c->line = 1;
    }
    size_t end = at < c->len ? at : c->len;
    const char *newline;
    while ((newline = memchr(c->text + c->at, '\n', end - c->at))) {
        c->at = (size_t)(newline - c->text) + 1;
        c->line++;
    }
    c->at = end;
    return c->line;
}

static void pack_links(struct packer *p, const struct weft_work *work, const struct weft_page *page,
                       struct weft_answer *a)
{
    struct line_counter counter = {page->text, 0, page->text_len, 1};
    for (size_t i = 0; i < page->nlinks; i++) {
        const struct weft_page_link *from = &page->links[i];
        a->links[a->nlinks++] = (struct weft_found){
            .print = print_of(work, &from->parts),
            .url = pack(p, from->url, from->len),
            .len = from->len,
            .fragment = pack_text(p, from->fragment),
            .nofollow = (from->flags & WEFT_PAGE_NOFOLLOW) != 0,
            .line = work->options->check ? line_of(&counter, from->at) : 0,
        };
    }
    for (size_t i = 0; i < page->nrejects; i++) {
        const struct weft_page_reject *from = &page->rejects[i];
        size_t len = strlen(from->text);
        a->links[a->nlinks++] = (struct weft_found){
            .print = weft_fingerprint(from->text, len, work->hash_seed),
            .url = pack(p, from->text, len),
            .len = (uint32_t)len,
            .reject = from->too_long ? WEFT_REASON_LIMIT : WEFT_REASON_BAD_URL,
            .line = work->options->check ? line_of(&counter, from->at) : 0,
        };
    }
    a->nfollow = (unsigned)page->nlinks;
    a->other_schemes = page->other_schemes;
    a->over_max = page->over_max;
}

/* Copies what the answer keeps: the strings of the response and, of a page, its title and links. */
static enum weft_status keep(const struct weft_work *work, const struct weft_response *r,
                             const struct weft_page *page, struct weft_answer *a)
{
    size_t size = room(r->error) + room(r->content_type) + room(r->location) +
                  room(r->retry_after) + room(r->cookies) + room(r->etag) + room(r->last_modified) +
                  room(r->ip) + 1;
    if (page) {
        size += room(page->charset) + room(page->title);
        for (size_t i = 0; i < page->nlinks; i++) {
            size += page->links[i].len + 1 + room(page->links[i].fragment);
        }
        for (size_t i = 0; i < page->nrejects; i++) {
            size += room(page->rejects[i].text);
        }
        for (size_t i = 0; i < page->nanchors; i++) {
            size += room(page->anchors[i]);
        }
        a->anchors = page->nanchors ? malloc(page->nanchors * sizeof *a->anchors) : NULL;
        a->links = malloc((page->nlinks + page->nrejects + 1) * sizeof *a->links);
    }
    a->block = malloc(size);
    if (!a->block || (page && (!a->links || (page->nanchors && !a->anchors)))) {
        return WEFT_ENOMEM;
    }
    struct packer p = {a->block};
    a->error = pack_text(&p, r->error);
    a->content_type = pack_text(&p, r->content_type);
    a->location = pack_text(&p, r->location);
    a->retry_after = pack_text(&p, r->retry_after);
    a->cookies = pack_text(&p, r->cookies);
    a->etag = pack_text(&p, r->etag);
    a->last_modified = pack_text(&p, r->last_modified);
    a->ip = pack_text(&p, r->ip);
    if (page) {
        a->charset = pack_text(&p, page->charset);
        a->title = pack_text(&p, page->title);
        pack_links(&p, work, page, a);
        for (; a->nanchors < page->nanchors; a->nanchors++) {
            a->anchors[a->nanchors] = pack_text(&p, page->anchors[a->nanchors]);
        }
    }
    return WEFT_OK;
}

/* What a sitemap names, collected as links. */
struct collected {
    const struct weft_work *work;
    const struct weft_url *base;
    struct weft_answer *answer;
    size_t cap;
    size_t bytes; /* of all URLs: short ones may be relative to a long one */
    enum weft_status status;
};

static void collect(void *user, const char *loc, size_t len)
{
    struct collected *c = user;
    struct weft_answer *a = c->answer;
    char text[WEFT_MAX_URL_WORK];
    struct weft_url url;
    if (c->status != WEFT_OK ||
        weft_url_parse(&url, text, sizeof text, c->base, loc, len, NULL) != WEFT_OK ||
        url.fragment_at > c->work->page.max_url || url.fragment_at > WEFT_MAX_SITEMAP - c->bytes) {
        return;
    }
    if (a->nlinks == c->cap) {
        size_t cap = c->cap ? c->cap * 2 : 64;
        struct weft_found *links = realloc(a->links, cap * sizeof *links);
        if (!links) {
            c->status = WEFT_ENOMEM;
            return;
        }
        a->links = links;
        c->cap = cap;
    }
    char *copy = strndup(url.href, url.fragment_at);
    if (!copy) {
        c->status = WEFT_ENOMEM;
        return;
    }
    c->bytes += url.fragment_at;
    a->links[a->nlinks++] = (struct weft_found){
        .print = print_of(c->work, &url), .url = copy, .len = url.fragment_at};
}

static enum weft_status read_sitemap(const struct weft_work *work, const struct weft_response *r,
                                     struct weft_visit *v)
{
    struct collected c = {.work = work, .base = &v->url, .answer = &v->answer};
    struct weft_sitemap *s;
    v->answer.owns_urls = true;
    enum weft_status st = weft_sitemap_new(&s, r->content_type, v->at, collect, &c);
    if (st != WEFT_OK) {
        return st;
    }
    st = weft_sitemap_feed(s, r->body, r->body_len);
    v->answer.is_index = weft_sitemap_finish(s) == WEFT_SITEMAP_INDEX;
    weft_sitemap_free(s);
    return st != WEFT_OK ? st : c.status;
}

/* What tells this body from another version of it; 0: there is none. */
static uint64_t digest_of(const struct weft_work *work, const struct weft_response *r)
{
    bool whole = r->end == WEFT_FETCH_DONE && r->status >= 200 && r->status < 300 && !r->unwanted;
    return work->digest && whole && r->body
               ? weft_fingerprint(r->body, r->body_len, work->hash_seed)
               : 0;
}

/* Gives the body and the wire's bytes from the response to the answer, without a copy. */
static void take_bodies(const struct weft_work *work, struct weft_response *r, struct weft_visit *v)
{
    struct weft_answer *a = &v->answer;
    if ((work->wants & WEFT_WANTS_BODY) || v->kind == WEFT_VISIT_ROBOTS) {
        a->body = r->body;
        a->body_len = r->body_len;
        r->body = NULL;
        r->body_len = r->body_cap = 0;
    }
    if (work->wants & WEFT_WANTS_WIRE) {
        a->wire_request = r->wire_request;
        a->wire_request_len = r->wire_request_len;
        a->wire_answer = r->wire_answer;
        a->wire_answer_len = r->wire_answer_len;
        r->wire_request = r->wire_answer = NULL;
        r->wire_request_len = r->wire_answer_len = 0;
    }
}

static enum weft_status read_answer(struct weft_reader *reader, struct weft_response *r,
                                    struct weft_visit *v)
{
    const struct weft_work *work = reader->work;
    const struct weft_page *page = NULL;
    bool success = r->end == WEFT_FETCH_DONE && r->status >= 200 && r->status < 300;
    enum weft_status st = WEFT_OK;
    if (success && v->kind == WEFT_VISIT_SITEMAP) {
        st = read_sitemap(work, r, v);
    } else if (success && v->kind == WEFT_VISIT_PAGE && !r->unwanted && r->body && is_html(r)) {
        st = weft_page_read(reader->page, &work->page, &v->url, r->content_type, r->x_robots_tag,
                            r->body, r->body_len, &page);
    }
    if (st == WEFT_OK && page && reader->extractor) {
        st = weft_extractor_run(reader->extractor, page->text, page->text_len,
                                &v->answer.extracted);
    }
    if (st == WEFT_OK) {
        st = keep(work, r, page, &v->answer);
    }
    if (st == WEFT_OK) {
        v->answer.digest = digest_of(work, r);
        take_bodies(work, r, v);
    }
    return st;
}

void weft_reader_read(struct weft_reader *reader, struct weft_response *response, unsigned worker,
                      struct weft_visit *v)
{
    struct weft_answer *a = &v->answer;
    weft_answer_release(a);
    weft_time from = weft_now();
    enum weft_status st = read_answer(reader, response, v);
    if (st != WEFT_OK) {
        weft_answer_release(a);
    }
    a->end = st == WEFT_OK ? response->end : WEFT_FETCH_FAILED;
    a->status = response->status;
    a->bytes = response->body_len > a->body_len ? response->body_len : a->body_len;
    a->unwanted = response->unwanted;
    a->stale = response->stale;
    a->new_connection = response->new_connection;
    a->started_at = response->started_at;
    a->started = response->started;
    a->connected = response->connected;
    a->first_byte = response->first_byte;
    a->ended = response->ended;
    a->read_from = from;
    a->read_until = weft_now();
    a->worker = a->lane = worker;
}
