/* traps.c -- see traps.h. */
#include "crawl/traps.h"

#include "base/limits.h"
#include "crawl/seen.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 256

void weft_traps_release(struct weft_traps *t)
{
    free(t->counts);
    t->counts = NULL;
    t->ncounts = t->cap = 0;
}

/* Whether one of the segments occurs more than max times. Quadratic in their number, which
 * --max-path-depth bounds. */
static bool repeats(const char *path, const size_t *starts, const size_t *lens, size_t n,
                    unsigned max)
{
    for (size_t i = 0; i < n; i++) {
        unsigned same = 1;
        for (size_t k = i + 1; k < n; k++) {
            same += lens[i] == lens[k] && memcmp(path + starts[i], path + starts[k], lens[i]) == 0;
        }
        if (same > max) {
            return true;
        }
    }
    return false;
}

const char *weft_traps_too_long(const struct weft_traps *t, const struct weft_url *url)
{
    if (url->fragment_at > t->max_url) {
        return "--max-url";
    }
    size_t origin = url->scheme_len + 3 + (url->path_at - url->host_at);
    return origin >= WEFT_MAX_ORIGIN ? "the limit of host names" : NULL;
}

const char *weft_traps_check(const struct weft_traps *t, const struct weft_url *url)
{
    enum { MOST = 256 };
    size_t starts[MOST], lens[MOST], n = 0, depth = 0;
    const char *path = url->href + url->path_at;
    size_t len = url->query_at - url->path_at;
    const char *too_long = weft_traps_too_long(t, url);
    if (too_long) {
        return too_long;
    }
    for (size_t i = 1; i <= len; i++) { /* the path begins with a slash */
        size_t start = i;
        while (i < len && path[i] != '/') {
            i++;
        }
        if (i == start) {
            continue;
        }
        depth++;
        if (n < MOST) {
            starts[n] = start;
            lens[n++] = i - start;
        }
    }
    if (depth > t->max_path_depth) {
        return "--max-path-depth";
    }
    return n > t->max_repeats && repeats(path, starts, lens, n, t->max_repeats) ? "--max-repeats"
                                                                                : NULL;
}

static struct weft_trap_count *find(struct weft_trap_count *counts, size_t cap, uint64_t print)
{
    size_t i = print & (cap - 1);
    while (counts[i].print && counts[i].print != print) {
        i = (i + 1) & (cap - 1);
    }
    return &counts[i];
}

static enum weft_status grow(struct weft_traps *t)
{
    size_t cap = t->cap ? t->cap * 2 : FIRST_CAP;
    struct weft_trap_count *counts = calloc(cap, sizeof *counts);
    if (!counts) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < t->cap; i++) {
        if (t->counts[i].print) {
            *find(counts, cap, t->counts[i].print) = t->counts[i];
        }
    }
    free(t->counts);
    t->counts = counts;
    t->cap = cap;
    return WEFT_OK;
}

enum weft_status weft_traps_count_query(struct weft_traps *t, const struct weft_url *url,
                                        bool *over)
{
    *over = false;
    if (t->max_queries == 0 || url->query_at == url->fragment_at) {
        return WEFT_OK;
    }
    if (t->ncounts + 1 > t->cap / 4 * 3) {
        enum weft_status st = grow(t);
        if (st != WEFT_OK) {
            return st;
        }
    }
    uint64_t print = weft_fingerprint(url->href, url->query_at, t->hash_seed);
    struct weft_trap_count *c = find(t->counts, t->cap, print);
    if (!c->print) {
        c->print = print;
        t->ncounts++;
    }
    *over = c->n >= t->max_queries;
    c->n += !*over;
    return WEFT_OK;
}
