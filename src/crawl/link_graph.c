/* link_graph.c -- targets by their key, and at each the places of links to it that may matter. */
#include "weft/link_graph.h"

#include "base/limits.h"
#include "crawl/link_target.h"
#include "crawl/seen.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct weft_link_graph {
    struct weft_link_graph_options options;
    struct weft_link_statuses *accept;
    struct link_targets targets;
    struct weft_seen anchors;         /* fingerprints of page and anchor */
    struct weft_link_result *results; /* of finish */
    size_t nresults, cap;
};

enum weft_status weft_link_graph_new(struct weft_link_graph **out,
                                     const struct weft_link_graph_options *options)
{
    struct weft_link_graph *g = calloc(1, sizeof *g);
    *out = NULL;
    if (!g) {
        return WEFT_ENOMEM;
    }
    g->options = *options;
    weft_seen_init(&g->anchors);
    g->targets = (struct link_targets){.fold = options->fold, .seed = options->seed};
    if (!options->seed &&
        getrandom(&g->targets.seed, sizeof g->targets.seed, 0) != sizeof g->targets.seed) {
        g->targets.seed = (uintptr_t)g; /* weaker, but better than none */
    }
    if (options->naccept) {
        g->accept = malloc(options->naccept * sizeof *g->accept);
        if (!g->accept) {
            weft_link_graph_free(g);
            return WEFT_ENOMEM;
        }
        memcpy(g->accept, options->accept, options->naccept * sizeof *g->accept);
    }
    *out = g;
    return WEFT_OK;
}

void weft_link_graph_free(struct weft_link_graph *g)
{
    if (!g) {
        return;
    }
    for (size_t i = 0; i < g->nresults; i++) {
        free((struct weft_link_place *)g->results[i].places);
    }
    free(g->results);
    free(g->accept);
    weft_seen_release(&g->anchors);
    link_targets_release(&g->targets);
    free(g);
}

/* --- records come in -------------------------------------------------------------------------- */

static bool accepted(const struct weft_link_graph *g, int status)
{
    for (size_t i = 0; i < g->options.naccept; i++) {
        if (status >= g->accept[i].first && status <= g->accept[i].last) {
            return true;
        }
    }
    return false;
}

static enum weft_link_verdict judge(const struct weft_link_graph *g, const struct weft_record *r)
{
    bool answered = r->outcome == WEFT_FETCHED || r->reason == WEFT_REASON_HTTP_STATUS;
    if (answered && g->options.naccept) {
        return accepted(g, r->status) ? WEFT_LINK_FINE : WEFT_LINK_BROKEN;
    }
    switch (r->outcome) {
    case WEFT_FETCHED:
        return WEFT_LINK_FINE;
    case WEFT_FAILED:
        return r->reason == WEFT_REASON_INTERRUPTED ? WEFT_LINK_UNCHECKED : WEFT_LINK_BROKEN;
    case WEFT_SKIPPED:
        break;
    }
    return r->reason == WEFT_REASON_BAD_URL ? WEFT_LINK_BROKEN : WEFT_LINK_UNCHECKED;
}

/* Where permanent redirects lead before any other one; NULL: the first is not permanent. */
static const char *moved_to(const struct weft_record *r)
{
    size_t n = 0;
    while (n < r->nredirects && (r->redirects[n].status == 301 || r->redirects[n].status == 308)) {
        n++;
    }
    return n == 0 ? NULL : n < r->nredirects ? r->redirects[n].url : r->final_url;
}

static char *copy(const char *text, enum weft_status *st)
{
    char *to = text ? strdup(text) : NULL;
    *st = text && !to ? WEFT_ENOMEM : *st;
    return to;
}

/* What the record says of its URL. */
static enum weft_status settle(struct weft_link_graph *g, struct link_target *t,
                               const struct weft_record *r)
{
    enum weft_status st = WEFT_OK;
    const char *to = moved_to(r);
    if (t->settled) {
        return WEFT_OK; /* the same URL twice: a seed that was listed twice, say */
    }
    t->settled = true;
    t->given = r->seed || !r->referrer;
    t->verdict = judge(g, r);
    t->status = r->status;
    t->reason = r->reason;
    if (t->verdict == WEFT_LINK_FINE && to && strcmp(to, t->url) != 0) {
        t->verdict = WEFT_LINK_MOVED;
        t->status = r->redirects[0].status;
        t->moved_to = copy(to, &st);
    }
    if (t->verdict != WEFT_LINK_FINE) {
        t->error = copy(r->error, &st);
    }
    if (g->options.fragments && r->nredirects > 0) {
        t->final_url = copy(r->final_url, &st);
    }
    if (t->verdict == WEFT_LINK_FINE) {
        link_target_forget(t);
    }
    return st;
}

/* Whether a fragment names an element; "#", "#top" and text fragments do not. */
static bool names_something(const char *fragment)
{
    return fragment && *fragment && strcmp(fragment, "top") != 0 &&
           strncmp(fragment, ":~:", 3) != 0;
}

static enum weft_status note_links(struct weft_link_graph *g, struct link_target *page,
                                   const struct weft_record *r)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->nlinks && st == WEFT_OK; i++) {
        const struct weft_record_link *link = &r->links[i];
        struct link_target *t;
        const char *fragment = g->options.fragments && names_something(link->fragment)
                                   ? link->fragment
                                   : NULL;
        st = link_targets_find(&g->targets, link->url, &t);
        if (st == WEFT_OK && (fragment || !t->settled || t->verdict != WEFT_LINK_FINE)) {
            st = link_target_add_place(t, page, link->line, fragment);
        }
    }
    return st;
}

static uint64_t anchor_print(const struct link_target *page, const char *name, size_t len)
{
    return weft_fingerprint(name, len, page->print);
}

static enum weft_status note_anchors(struct weft_link_graph *g, struct link_target *page,
                                     const struct weft_record *r)
{
    enum weft_status st = WEFT_OK;
    page->has_anchors = r->links != NULL;
    for (size_t i = 0; i < r->nanchors && st == WEFT_OK; i++) {
        bool fresh;
        st = weft_seen_claim(&g->anchors, anchor_print(page, r->anchors[i], strlen(r->anchors[i])),
                             &fresh);
    }
    return st;
}

enum weft_status weft_link_graph_add(struct weft_link_graph *g, const struct weft_record *record)
{
    struct link_target *t;
    enum weft_status st = link_targets_find(&g->targets, record->url, &t);
    if (st == WEFT_OK) {
        st = settle(g, t, record);
    }
    if (st == WEFT_OK && record->links && record->charset) { /* only HTML has a charset */
        st = note_links(g, t, record);
        st = st == WEFT_OK && g->options.fragments ? note_anchors(g, t, record) : st;
    }
    return st;
}

/* --- results go out --------------------------------------------------------------------------- */

static struct weft_link_result *add_result(struct weft_link_graph *g, const struct link_target *t,
                                           enum weft_link_verdict verdict)
{
    if (g->nresults == g->cap) {
        size_t cap = g->cap ? 2 * g->cap : 64;
        struct weft_link_result *results = realloc(g->results, cap * sizeof *results);
        if (!results) {
            return NULL;
        }
        g->results = results;
        g->cap = cap;
    }
    struct weft_link_result *r = &g->results[g->nresults++];
    *r = (struct weft_link_result){.verdict = verdict,
                                   .url = t->url,
                                   .status = t->status,
                                   .reason = t->reason,
                                   .error = t->error,
                                   .moved_to = t->moved_to};
    return r;
}

/* Fills r with the places of t, all or only those of a fragment. */
static enum weft_status put_places(struct weft_link_result *r, const struct link_target *t,
                                   const char *fragment)
{
    size_t n = 0;
    struct weft_link_place *places = calloc(t->nplaces + 1, sizeof *places);
    if (!places) {
        return WEFT_ENOMEM;
    }
    for (const struct link_place *p = t->places; p; p = p->next) {
        if (!fragment || !strcmp(p->fragment, fragment)) {
            places[n++] = (struct weft_link_place){p->page->url, p->line};
        }
    }
    qsort(places, n, sizeof *places, link_place_order);
    r->places = places;
    r->nplaces = n;
    return WEFT_OK;
}

/* The page whose elements a fragment of t can name: t's own, or that where its redirects ended;
 * NULL: it is not known, as the page was not read. */
static const struct link_target *page_of(const struct weft_link_graph *g,
                                         const struct link_target *t)
{
    const struct link_target *end = t->final_url ? link_targets_get(&g->targets, t->final_url) : t;
    return end && end->has_anchors ? end : NULL;
}

/* Whether the page has that anchor, as written or with its escapes undone. */
static bool has_anchor(const struct weft_link_graph *g, const struct link_target *page,
                       const char *fragment)
{
    char decoded[WEFT_MAX_URL_WORK];
    size_t len = strlen(fragment);
    if (weft_seen_has(&g->anchors, anchor_print(page, fragment, len))) {
        return true;
    }
    return len < sizeof decoded &&
           weft_seen_has(&g->anchors,
                         anchor_print(page, decoded, link_unescape(fragment, decoded)));
}

/* A result for each fragment that its page does not have. */
static enum weft_status judge_fragments(struct weft_link_graph *g, struct link_target *t,
                                        size_t *count)
{
    const struct link_target *page = page_of(g, t);
    enum weft_status st = page ? link_target_sort(t) : WEFT_OK;
    const char *last = "";
    for (const struct link_place *p = t->places; page && p && st == WEFT_OK; p = p->next) {
        if (!strcmp(p->fragment, last) || has_anchor(g, page, p->fragment)) {
            continue;
        }
        last = p->fragment;
        struct weft_link_result *r = add_result(g, t, WEFT_LINK_FRAGMENT);
        if (!r) {
            return WEFT_ENOMEM;
        }
        r->fragment = p->fragment;
        st = put_places(r, t, p->fragment);
        ++*count;
    }
    return st;
}

static int by_verdict(const void *a, const void *b)
{
    const struct weft_link_result *x = a, *y = b;
    if (x->verdict != y->verdict) {
        return x->verdict < y->verdict ? -1 : 1;
    }
    int order = strcmp(x->url, y->url);
    return order || !x->fragment || !y->fragment ? order : strcmp(x->fragment, y->fragment);
}

enum weft_status weft_link_graph_finish(struct weft_link_graph *g, bool all,
                                        const struct weft_link_result **results, size_t *n,
                                        size_t counts[WEFT_LINK_NVERDICTS])
{
    enum weft_status st = WEFT_OK;
    memset(counts, 0, WEFT_LINK_NVERDICTS * sizeof *counts);
    for (size_t i = 0; i < g->targets.n && st == WEFT_OK; i++) {
        struct link_target *t = g->targets.all[i];
        enum weft_link_verdict verdict = t->settled ? t->verdict : WEFT_LINK_UNCHECKED;
        if (verdict != WEFT_LINK_FINE && !t->places && !t->given) {
            continue; /* where a redirect led: the link to that redirect tells of it */
        }
        counts[verdict]++;
        if (g->options.fragments && (verdict == WEFT_LINK_FINE || verdict == WEFT_LINK_MOVED)) {
            st = judge_fragments(g, t, &counts[WEFT_LINK_FRAGMENT]);
        }
        if (st == WEFT_OK && (all || verdict != WEFT_LINK_FINE)) {
            struct weft_link_result *r = add_result(g, t, verdict);
            st = !r ? WEFT_ENOMEM : verdict == WEFT_LINK_FINE ? WEFT_OK : put_places(r, t, NULL);
        }
    }
    if (g->nresults > 1) {
        qsort(g->results, g->nresults, sizeof *g->results, by_verdict);
    }
    *results = g->results;
    *n = g->nresults;
    return st;
}
