/* visit.c -- making, changing and freeing visits. */
#include "crawl/visit.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t len)
{
    char *to = malloc(len + 1);
    if (to) {
        memcpy(to, text, len);
        to[len] = '\0';
    }
    return to;
}

enum weft_status weft_visit_go(struct weft_visit *v, const char *url, size_t len, uint64_t print)
{
    /* A serialised URL parses to itself, so its length bounds the result. */
    char *at = malloc(len + 1);
    if (!at) {
        return WEFT_ENOMEM;
    }
    struct weft_url parsed;
    enum weft_status st = weft_url_parse(&parsed, at, len + 1, NULL, url, len, NULL);
    if (st != WEFT_OK) {
        free(at);
        return st;
    }
    free(v->at);
    v->at = at;
    v->url = parsed;
    v->print = print;
    return WEFT_OK;
}

static void member_release(struct weft_member *m)
{
    free(m->url);
    weft_referrer_release(m->referrer);
    free(m->known);
}

struct weft_visit *weft_visit_new(enum weft_visit_kind kind, const struct weft_queued *entry)
{
    struct weft_visit *v = calloc(1, sizeof *v);
    if (!v) {
        return NULL;
    }
    v->kind = kind;
    v->members = calloc(1, sizeof *v->members);
    char *url = copy(entry->url, entry->len);
    if (!v->members || !url || weft_visit_go(v, entry->url, entry->len, entry->print) != WEFT_OK) {
        free(url);
        weft_visit_free(v);
        return NULL;
    }
    v->members[0] = (struct weft_member){.url = url,
                                         .print = entry->print,
                                         .referrer = entry->referrer,
                                         .depth = entry->depth,
                                         .seed = entry->seed,
                                         .id = entry->id,
                                         .known = entry->known};
    if (entry->referrer) {
        entry->referrer->count++;
    }
    v->nmembers = 1;
    return v;
}

static void hop_release(struct weft_hop *h)
{
    free(h->url);
    free((void *)h->exchange.ip);
    free((void *)h->exchange.request);
    free((void *)h->exchange.answer);
}

void weft_visit_free(struct weft_visit *v)
{
    if (!v) {
        return;
    }
    for (size_t i = 0; i < v->nmembers; i++) {
        member_release(&v->members[i]);
    }
    for (size_t i = 0; i < v->nhops; i++) {
        hop_release(&v->hops[i]);
    }
    free(v->members);
    free(v->hops);
    free(v->at);
    free(v->cookies);
    weft_answer_release(&v->answer);
    free(v);
}

enum weft_status weft_visit_add_hop(struct weft_visit *v, int status, uint64_t cookies)
{
    struct weft_answer *a = &v->answer;
    struct weft_hop *hops = realloc(v->hops, (v->nhops + 1) * sizeof *hops);
    if (!hops) {
        return WEFT_ENOMEM;
    }
    v->hops = hops;
    struct weft_hop hop = {.status = status, .print = v->print, .cookies = cookies};
    hop.url = copy(v->at, v->url.len);
    if (a->wire_answer) {
        hop.exchange = (struct weft_exchange){.ip = a->ip ? copy(a->ip, strlen(a->ip)) : NULL,
                                              .started_at = a->started_at,
                                              .request = a->wire_request,
                                              .answer = a->wire_answer,
                                              .request_len = a->wire_request_len,
                                              .answer_len = a->wire_answer_len};
        a->wire_request = a->wire_answer = NULL;
        a->wire_request_len = a->wire_answer_len = 0;
    }
    if (!hop.url || (a->ip && hop.exchange.answer && !hop.exchange.ip)) {
        hop_release(&hop);
        return WEFT_ENOMEM;
    }
    hops[v->nhops++] = hop;
    return WEFT_OK;
}

enum weft_status weft_visit_add_member(struct weft_visit *v)
{
    const struct weft_member *from = &v->members[v->nmembers - 1];
    struct weft_member m = {.print = v->print, .depth = from->depth, .first_hop = v->nhops};
    m.referrer = weft_referrer_new(from->url);
    m.url = copy(v->at, v->url.len);
    struct weft_member *members = realloc(v->members, (v->nmembers + 1) * sizeof *members);
    if (members) {
        v->members = members;
    }
    if (!m.referrer || !m.url || !members) {
        member_release(&m);
        return WEFT_ENOMEM;
    }
    members[v->nmembers++] = m;
    return WEFT_OK;
}

void weft_answer_release(struct weft_answer *a)
{
    for (size_t i = 0; a->owns_urls && i < a->nlinks; i++) {
        free((char *)a->links[i].url);
    }
    free(a->block);
    free(a->links);
    free(a->anchors);
    weft_extracted_release(&a->extracted);
    free(a->body);
    free(a->wire_request);
    free(a->wire_answer);
    *a = (struct weft_answer){0};
}
