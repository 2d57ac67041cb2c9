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
        if (!w) {
            return false;
        }
        target = w->target;
    }
    return true;
}

bool weft_joins_led_by_seed(const struct weft_joins *j, const struct weft_visit *v)
{
    for (size_t i = 0; i < v->nmembers; i++) {
        if (v->members[i].seed || weft_seen_has(&j->led, v->members[i].print)) {
            return true;
        }
    }
    return false;
}

enum weft_status weft_joins_lead(struct weft_joins *j, uint64_t target, unsigned most)
{
    enum weft_status st = WEFT_OK;
    for (unsigned i = 0; i <= most && st == WEFT_OK; i++) {
        bool fresh;
        const struct weft_wait *w = wait_of(j, target);
        st = weft_seen_claim(&j->led, target, &fresh);
        if (!w) {
            break;
        }
        target = w->target;
    }
    return st;
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
