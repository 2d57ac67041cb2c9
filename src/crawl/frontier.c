/* frontier.c -- the table of hosts, the heap of those that are due, the list of the idle. */
#include "crawl/frontier.h"

#include "base/limits.h"
#include "crawl/loopback.h"
#include "crawl/seen.h"
#include "crawl/visit.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 64u
#define EVICT_TRIES   4 /* idle hosts looked at for each new one */

static bool host_before(const void *a, const void *b)
{
    const struct weft_host *x = a, *y = b;
    return x->due != y->due ? x->due < y->due : x->served < y->served;
}

void weft_frontier_init(struct weft_frontier *f)
{
    *f = (struct weft_frontier){.max_hosts = WEFT_MAX_HOSTS, .budget = UINT64_MAX};
    f->shelf_end = &f->shelf;
    weft_heap_init(&f->due, host_before, offsetof(struct weft_host, heap_index));
}

void weft_frontier_release(struct weft_frontier *f)
{
    for (size_t i = 0; i < f->nbuckets; i++) {
        while (f->buckets[i]) {
            struct weft_host *h = f->buckets[i];
            f->buckets[i] = h->chain;
            weft_host_free(h);
        }
    }
    free(f->buckets);
    weft_heap_release(&f->due);
    weft_frontier_init(f);
}

static void idle_remove(struct weft_frontier *f, struct weft_host *h)
{
    if (!h->idle) {
        return;
    }
    *(h->older ? &h->older->newer : &f->oldest) = h->newer;
    *(h->newer ? &h->newer->older : &f->newest) = h->older;
    h->older = h->newer = NULL;
    h->idle = false;
}

static void idle_append(struct weft_frontier *f, struct weft_host *h)
{
    if (h->idle) {
        return;
    }
    h->older = f->newest;
    h->newer = NULL;
    *(f->newest ? &f->newest->newer : &f->oldest) = h;
    f->newest = h;
    h->idle = true;
}

/* Forgets idle hosts beyond the cap whose clock has run out: nothing is owed to them. */
static void evict(struct weft_frontier *f, weft_time now)
{
    for (int tries = 0; f->nhosts > f->max_hosts && f->oldest && tries < EVICT_TRIES; tries++) {
        struct weft_host *h = f->oldest;
        idle_remove(f, h);
        if (weft_host_opens(h) > now || h->given_up || h->shelved ||
            (f->counts_pages && h->pages > 0)) {
            idle_append(f, h); /* still to be waited for, or to be remembered */
            continue;
        }
        struct weft_host **at = &f->buckets[h->print & (f->nbuckets - 1)];
        while (*at != h) {
            at = &(*at)->chain;
        }
        *at = h->chain;
        weft_heap_remove(&f->due, h);
        weft_host_free(h);
        f->nhosts--;
    }
}

static enum weft_status grow(struct weft_frontier *f)
{
    size_t n = f->nbuckets ? f->nbuckets * 2 : FIRST_BUCKETS;
    struct weft_host **buckets = calloc(n, sizeof(struct weft_host *));
    if (!buckets) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < f->nbuckets; i++) {
        while (f->buckets[i]) {
            struct weft_host *h = f->buckets[i];
            f->buckets[i] = h->chain;
            h->chain = buckets[h->print & (n - 1)];
            buckets[h->print & (n - 1)] = h;
        }
    }
    free(f->buckets);
    f->buckets = buckets;
    f->nbuckets = n;
    return WEFT_OK;
}

/* "scheme://name:port" without credentials, into origin; 0 when it does not fit. */
static size_t origin_of(const struct weft_url *url, char *origin, size_t cap)
{
    size_t scheme = url->scheme_len + 3;
    size_t rest = url->path_at - url->host_at;
    if (scheme + rest + 1 > cap) {
        return 0;
    }
    memcpy(origin, url->href, scheme);
    memcpy(origin + scheme, url->href + url->host_at, rest);
    origin[scheme + rest] = '\0';
    return scheme + rest;
}

enum weft_status weft_frontier_host(struct weft_frontier *f, const struct weft_url *url,
                                    weft_time now, struct weft_host **host)
{
    char origin[WEFT_MAX_ORIGIN];
    *host = NULL;
    size_t len = origin_of(url, origin, sizeof origin);
    if (!len) {
        return WEFT_ELIMIT;
    }
    uint64_t print = weft_fingerprint(origin, len, f->hash_seed);
    struct weft_host *h = f->nbuckets ? f->buckets[print & (f->nbuckets - 1)] : NULL;
    while (h &&
           (h->print != print || h->origin_len != len || memcmp(h->origin, origin, len) != 0)) {
        h = h->chain;
    }
    if (!h) {
        evict(f, now);
        /* The heap has room for every host from here on, so that later moves can't fail. */
        if (weft_heap_reserve(&f->due, f->nhosts + 1) != WEFT_OK ||
            (f->nhosts + 1 > f->nbuckets && grow(f) != WEFT_OK)) {
            return WEFT_ENOMEM;
        }
        h = weft_host_new(origin, len, print, weft_is_loopback(url) ? &f->loopback : &f->policy);
        if (!h) {
            return WEFT_ENOMEM;
        }
        h->robots = f->no_robots ? WEFT_ROBOTS_KNOWN : WEFT_ROBOTS_UNKNOWN;
        h->chain = f->buckets[print & (f->nbuckets - 1)];
        f->buckets[print & (f->nbuckets - 1)] = h;
        f->nhosts++;
        idle_append(f, h);
    }
    *host = h;
    return WEFT_OK;
}

/* What was promised to the host is kept, or nothing more is wanted of it. */
static void redeem(struct weft_frontier *f, struct weft_host *h)
{
    f->promised -= h->promised;
    h->promised = false;
}

void weft_frontier_touch(struct weft_frontier *f, struct weft_host *h)
{
    if (h->fresh.n == 0 || h->robots == WEFT_ROBOTS_CLOSED) {
        redeem(f, h);
    }
    h->due = weft_host_due(h);
    if (h->due == WEFT_FOREVER) {
        weft_heap_remove(&f->due, h);
    } else if (h->heap_index == WEFT_HEAP_OUT) {
        enum weft_status st = weft_heap_push(&f->due, h);
        (void)st; /* room was reserved when the host was made */
    } else {
        weft_heap_moved(&f->due, h);
    }
    if (weft_host_is_idle(h)) {
        idle_append(f, h);
    } else {
        idle_remove(f, h);
    }
}

enum weft_status weft_frontier_add(struct weft_frontier *f, const struct weft_url *url,
                                   const struct weft_queued *entry, weft_time now)
{
    struct weft_host *h;
    enum weft_status st = weft_frontier_host(f, url, now, &h);
    if (st != WEFT_OK || (st = weft_url_queue_push(&h->fresh, entry)) != WEFT_OK) {
        return st;
    }
    f->queued++;
    h->pages++;
    if (h->fresh.n == 1) {
        h->fresh_since = now;
        h->served = ++f->serial;   /* behind those that came at the same time, but before it */
        weft_frontier_touch(f, h); /* only the first one can change when the host is due */
    }
    return WEFT_OK;
}

void weft_frontier_put_back(struct weft_frontier *f, struct weft_visit *v)
{
    weft_host_put_timed(v->host, v);
    f->timed++;
    weft_frontier_touch(f, v->host);
}

static void shelve(struct weft_frontier *f, struct weft_host *h)
{
    h->shelved = true;
    h->next_shelved = NULL;
    *f->shelf_end = h;
    f->shelf_end = &h->next_shelved;
    weft_frontier_touch(f, h);
}

static void promise(struct weft_frontier *f, struct weft_host *h)
{
    h->promised = true;
    f->promised++;
}

/* Lets hosts off the shelf, each with its promise, as long as the budget has room. Some have got
 * their rules meanwhile, because of a redirect. */
static void unshelve(struct weft_frontier *f)
{
    while (f->shelf && f->promised < f->budget) {
        struct weft_host *h = f->shelf;
        f->shelf = h->next_shelved;
        f->shelf_end = f->shelf ? f->shelf_end : &f->shelf;
        h->shelved = false;
        if (h->robots == WEFT_ROBOTS_UNKNOWN) {
            promise(f, h);
        }
        weft_frontier_touch(f, h);
    }
}

/* The host that is due first and may be asked; NULL: none. One that needs its rules for a page is
 * promised that page, or shelved. */
static struct weft_host *next_host(struct weft_frontier *f, weft_time now)
{
    struct weft_host *h;
    unshelve(f);
    while ((h = weft_heap_top(&f->due)) && h->due <= now) {
        if (h->robots != WEFT_ROBOTS_UNKNOWN || h->promised || h->timed || h->asking) {
            return h;
        }
        if (f->promised < f->budget) {
            promise(f, h);
            return h;
        }
        shelve(f, h);
    }
    return NULL;
}

enum weft_pick weft_frontier_next(struct weft_frontier *f, weft_time now, struct weft_host **host,
                                  struct weft_visit **visit, struct weft_queued *entry)
{
    struct weft_host *h = next_host(f, now);
    *host = NULL;
    *visit = NULL;
    if (!h) {
        return WEFT_PICK_NONE;
    }
    *host = h;
    h->served = ++f->serial;
    enum weft_pick pick = WEFT_PICK_NONE;
    if ((*visit = weft_host_take_timed(h, now))) {
        f->timed--;
        pick = WEFT_PICK_TIMED;
    } else if (h->robots == WEFT_ROBOTS_UNKNOWN) {
        return WEFT_PICK_ROBOTS; /* the caller sets the state and touches the host */
    } else if (weft_url_queue_peek(&h->fresh, entry)) {
        weft_url_queue_pop(&h->fresh);
        f->queued--;
        pick = WEFT_PICK_FRESH;
    }
    weft_frontier_touch(f, h);
    return pick;
}

weft_time weft_frontier_next_due(const struct weft_frontier *f)
{
    const struct weft_host *h = weft_heap_top(&f->due);
    return h ? h->due : WEFT_FOREVER;
}

bool weft_frontier_empty(const struct weft_frontier *f)
{
    return f->queued == 0 && f->timed == 0;
}

void weft_frontier_started(struct weft_frontier *f, struct weft_host *h, weft_time now)
{
    weft_host_started(h, now);
    weft_frontier_touch(f, h);
}

void weft_frontier_finished(struct weft_frontier *f, struct weft_host *h)
{
    weft_host_finished(h);
    weft_frontier_touch(f, h);
}

void weft_frontier_each(struct weft_frontier *f, void (*each)(void *user, struct weft_host *h),
                        void *user)
{
    for (size_t i = 0; i < f->nbuckets; i++) {
        for (struct weft_host *h = f->buckets[i]; h; h = h->chain) {
            each(user, h);
        }
    }
}

void weft_frontier_charge(struct weft_frontier *f, struct weft_host *h)
{
    redeem(f, h);
    if (--f->budget == 0) {
        weft_frontier_close(f);
    }
}

static void touch(void *user, struct weft_host *h)
{
    weft_frontier_touch(user, h);
}

void weft_frontier_close(struct weft_frontier *f)
{
    f->policy.timed_only = f->loopback.timed_only = true;
    weft_frontier_each(f, touch, f);
}
