/* joins.c -- a list of those who wait, a table of those who redirected. */
#include "crawl/joins.h"

#include <stdlib.h>
#include <string.h>

/* Waits are looked through from end to end: a visit waits only between its redirect and the end of
 * its target, so there are seldom more than fetches in flight. */
struct weft_wait {
    struct weft_wait *next;
    struct weft_visit *visit;
    uint64_t target;
};

void weft_joins_init(struct weft_joins *j)
{
    *j = (struct weft_joins){0};
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

bool weft_joins_would_loop(const struct weft_joins *j, const struct weft_visit *v, uint64_t target)
{
    /* Follows target to what it waits for, and so on. That ends: no loop was ever let in. */
    for (;;) {
        if (is_member(v, target)) {
            return true;
        }
        const struct weft_wait *w = j->waits;
        while (w && !is_member(w->visit, target)) {
            w = w->next;
        }
        if (!w) {
            return false;
        }
        target = w->target;
    }
}

enum weft_status weft_joins_wait(struct weft_joins *j, struct weft_visit *v, uint64_t target)
{
    struct weft_wait *w = malloc(sizeof *w);
    if (!w) {
        return WEFT_ENOMEM;
    }
    *w = (struct weft_wait){j->waits, v, target};
    j->waits = w;
    j->nwaiting++;
    return WEFT_OK;
}

static struct weft_visit *unlink_wait(struct weft_joins *j, struct weft_wait **at)
{
    struct weft_wait *w = *at;
    struct weft_visit *v = w->visit;
    *at = w->next;
    free(w);
    j->nwaiting--;
    return v;
}

struct weft_visit *weft_joins_take(struct weft_joins *j, uint64_t target)
{
    for (struct weft_wait **at = &j->waits; *at; at = &(*at)->next) {
        if ((*at)->target == target) {
            return unlink_wait(j, at);
        }
    }
    return NULL;
}

struct weft_visit *weft_joins_take_any(struct weft_joins *j)
{
    return j->waits ? unlink_wait(j, &j->waits) : NULL;
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
