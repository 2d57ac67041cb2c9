/* joins.c -- a list of those who wait, a table of those who redirected. */
#include "crawl/joins.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u

/* A claimed URL of a visit that waits. */
struct weft_wait_member {
    struct weft_wait_member *chain;
    struct weft_wait *wait;
    uint64_t print;
};

struct weft_wait {
    struct weft_wait *chain;
    struct weft_visit *visit;
    uint64_t target;
    size_t nmembers;
    struct weft_wait_member members[];
};

void weft_joins_init(struct weft_joins *j)
{
    *j = (struct weft_joins){0};
    weft_seen_init(&j->led);
    weft_seen_init(&j->reach);
}

static void redirected_free(struct weft_redirected *r)
{
    for (size_t i = 0; i < r->nhops; i++) {
        free((char *)r->hops[i].url);
    }
    free(r->final_url);
    free(r);
}

void weft_joins_release(struct weft_joins *j)
{
    struct weft_visit *v;
    while ((v = weft_joins_take_any(j))) {
        weft_visit_free(v);
    }
    for (size_t i = 0; i < j->nbuckets; i++) {
        while (j->redirected[i]) {
            struct weft_redirected *r = j->redirected[i];
            j->redirected[i] = r->chain;
            redirected_free(r);
        }
    }
    free(j->redirected);
    free(j->by_target);
    free(j->by_member);
    weft_seen_release(&j->led);
    weft_seen_release(&j->reach);
    weft_joins_init(j);
}

static bool is_member(const struct weft_visit *v, uint64_t print)
{
    for (size_t i = 0; i < v->nmembers; i++) {
        if (v->members[i].print == print) {
            return true;
        }
    }
    return false;
}

/* The visit that waits and has claimed this URL, or NULL. */
static const struct weft_wait *wait_of(const struct weft_joins *j, uint64_t print)
{
    const struct weft_wait_member *m = j->nslots ? j->by_member[print & (j->nslots - 1)] : NULL;
    while (m && m->print != print) {
        m = m->chain;
    }
    return m ? m->wait : NULL;
}

bool weft_joins_would_loop(const struct weft_joins *j, const struct weft_visit *v, uint64_t target,
                           unsigned most)
{
    /* Follows target to what it waits for, and so on. */
    for (unsigned i = 0; i <= most; i++) {
        if (is_member(v, target)) {
            return true;
        }
        const struct weft_wait *w = wait_of(j, target);
        if (!w || is_member(w->visit, w->target)) {
            return false; /* a chain that was cut where it leads back waits for nobody */
        }
        target = w->target;
    }
    return true;
}

static void link_wait(struct weft_joins *j, struct weft_wait *w)
{
    size_t mask = j->nslots - 1;
    w->chain = j->by_target[w->target & mask];
    j->by_target[w->target & mask] = w;
    for (size_t i = 0; i < w->nmembers; i++) {
        struct weft_wait_member *m = &w->members[i];
        m->chain = j->by_member[m->print & mask];
        j->by_member[m->print & mask] = m;
    }
}

static enum weft_status grow_waits(struct weft_joins *j)
{
    struct weft_joins old = *j;
    size_t n = j->nslots ? j->nslots * 2 : FIRST_SLOTS;
    struct weft_wait **by_target = calloc(n, sizeof(struct weft_wait *));
    struct weft_wait_member **by_member = calloc(n, sizeof(struct weft_wait_member *));
    if (!by_target || !by_member) {
        free(by_target);
        free(by_member);
        return WEFT_ENOMEM;
    }
    j->by_target = by_target;
    j->by_member = by_member;
    j->nslots = n;
    for (size_t i = 0; i < old.nslots; i++) {
        for (struct weft_wait *w = old.by_target[i], *next; w; w = next) {
            next = w->chain;
            link_wait(j, w);
        }
    }
    free(old.by_target);
    free(old.by_member);
    return WEFT_OK;
}

enum weft_status weft_joins_wait(struct weft_joins *j, struct weft_visit *v, uint64_t target)
{
    if (j->nmembers + v->nmembers > j->nslots && grow_waits(j) != WEFT_OK) {
        return WEFT_ENOMEM;
    }
    struct weft_wait *w = malloc(sizeof *w + v->nmembers * sizeof w->members[0]);
    if (!w) {
        return WEFT_ENOMEM;
    }
    *w = (struct weft_wait){.visit = v, .target = target, .nmembers = v->nmembers};
    for (size_t i = 0; i < v->nmembers; i++) {
        w->members[i] = (struct weft_wait_member){.wait = w, .print = v->members[i].print};
    }
    link_wait(j, w);
    j->nwaiting++;
    j->ncut += v->cut;
    j->nmembers += v->nmembers;
    return WEFT_OK;
}

static struct weft_visit *unlink_wait(struct weft_joins *j, struct weft_wait **at)
{
    struct weft_wait *w = *at;
    struct weft_visit *v = w->visit;
    *at = w->chain;
    for (size_t i = 0; i < w->nmembers; i++) {
        struct weft_wait_member **m = &j->by_member[w->members[i].print & (j->nslots - 1)];
        while (*m != &w->members[i]) {
            m = &(*m)->chain;
        }
        *m = (*m)->chain;
    }
    j->nwaiting--;
    j->ncut -= v->cut;
    j->nmembers -= w->nmembers;
    free(w);
    return v;
}

struct weft_visit *weft_joins_take(struct weft_joins *j, uint64_t target)
{
    if (j->nwaiting == 0) {
        return NULL;
    }
    for (struct weft_wait **at = &j->by_target[target & (j->nslots - 1)]; *at; at = &(*at)->chain) {
        if ((*at)->target == target) {
            return unlink_wait(j, at);
        }
    }
    return NULL;
}

const struct weft_visit *weft_joins_holder(const struct weft_joins *j, uint64_t print,
                                           uint64_t *target)
{
    const struct weft_wait *w = wait_of(j, print);
    *target = w ? w->target : 0;
    return w ? w->visit : NULL;
}

/* The place of a wait in the table by target. */
static struct weft_wait **place_of(struct weft_joins *j, const struct weft_wait *w)
{
    struct weft_wait **at = &j->by_target[w->target & (j->nslots - 1)];
    while (*at != w) {
        at = &(*at)->chain;
    }
    return at;
}

struct weft_visit *weft_joins_take_holder(struct weft_joins *j, uint64_t print)
{
    return unlink_wait(j, place_of(j, wait_of(j, print)));
}

size_t weft_joins_let_go(struct weft_joins *j, struct weft_visit *v)
{
    size_t n = 0;
    struct weft_visit *list = v; /* those who wait are in no list; their next is free */
    v->next = NULL;
    while (list) {
        struct weft_visit *at = list;
        list = at->next;
        at->next = NULL;
        for (size_t i = 0; i < at->nmembers; i++) {
            struct weft_member *m = &at->members[i];
            n += m->seed && !m->too_far;
            m->too_far = true;
            struct weft_wait *w = j->nslots ? j->by_target[m->print & (j->nslots - 1)] : NULL;
            for (; w; w = w->chain) {
                if (w->target == m->print && w->visit != at) {
                    w->visit->next = list;
                    list = w->visit;
                }
            }
        }
    }
    return n;
}

bool weft_joins_meets_cut(const struct weft_joins *j, uint64_t target)
{
    const struct weft_wait *w;
    while ((w = wait_of(j, target)) && !w->visit->cut) {
        target = w->target;
    }
    return w != NULL;
}

struct weft_visit *weft_joins_take_cut(struct weft_joins *j, const struct weft_seen *claimed)
{
    struct weft_visit *list = NULL;
    for (size_t i = 0; j->ncut > 0 && i < j->nslots; i++) {
        for (struct weft_wait **at = &j->by_target[i]; *at;) {
            struct weft_wait *w = *at;
            if (w->visit->cut &&
                (!weft_seen_has(claimed, w->target) || is_member(w->visit, w->target))) {
                struct weft_visit *v = unlink_wait(j, at);
                v->next = list;
                list = v;
            } else {
                at = &w->chain;
            }
        }
    }
    return list;
}

struct weft_visit *weft_joins_take_any(struct weft_joins *j)
{
    for (size_t i = 0; j->nwaiting > 0 && i < j->nslots; i++) {
        if (j->by_target[i]) {
            return unlink_wait(j, &j->by_target[i]);
        }
    }
    return NULL;
}

static enum weft_status grow(struct weft_joins *j)
{
    size_t n = j->nbuckets ? j->nbuckets * 2 : 64;
    struct weft_redirected **table = calloc(n, sizeof(struct weft_redirected *));
    if (!table) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < j->nbuckets; i++) {
        while (j->redirected[i]) {
            struct weft_redirected *r = j->redirected[i];
            j->redirected[i] = r->chain;
            r->chain = table[r->print & (n - 1)];
            table[r->print & (n - 1)] = r;
        }
    }
    free(j->redirected);
    j->redirected = table;
    j->nbuckets = n;
    return WEFT_OK;
}

enum weft_status weft_joins_remember(struct weft_joins *j, uint64_t print, const char *final_url,
                                     const struct weft_redirect *hops, size_t nhops)
{
    if (j->nredirected + 1 > j->nbuckets && grow(j) != WEFT_OK) {
        return WEFT_ENOMEM;
    }
    struct weft_redirected *r = calloc(1, sizeof *r + nhops * sizeof r->hops[0]);
    if (!r) {
        return WEFT_ENOMEM;
    }
    r->print = print;
    r->final_url = strdup(final_url);
    bool ok = r->final_url != NULL;
    for (size_t i = 0; i < nhops && ok; i++) {
        r->hops[i] = (struct weft_redirect){hops[i].status, strdup(hops[i].url)};
        ok = r->hops[i].url != NULL;
        r->nhops = i + 1;
    }
    if (!ok) {
        redirected_free(r);
        return WEFT_ENOMEM;
    }
    r->chain = j->redirected[print & (j->nbuckets - 1)];
    j->redirected[print & (j->nbuckets - 1)] = r;
    j->nredirected++;
    return WEFT_OK;
}

const struct weft_redirected *weft_joins_find(const struct weft_joins *j, uint64_t print)
{
    const struct weft_redirected *r = j->nbuckets ? j->redirected[print & (j->nbuckets - 1)] : NULL;
    while (r && r->print != print) {
        r = r->chain;
    }
    return r;
}
