/* link_target.c -- see link_target.h. */
#include "crawl/link_target.h"

#include "base/limits.h"
#include "crawl/seen.h"
#include "weft/url.h"
#include <stdlib.h>
#include <string.h>

static void places_free(struct link_target *t)
{
    while (t->places) {
        struct link_place *p = t->places;
        t->places = p->next;
        free(p);
    }
    t->nplaces = 0;
}

static void target_free(struct link_target *t)
{
    places_free(t);
    free(t->url);
    free(t->error);
    free(t->moved_to);
    free(t->final_url);
    free(t);
}

void link_targets_release(struct link_targets *targets)
{
    for (size_t i = 0; i < targets->n; i++) {
        target_free(targets->all[i]);
    }
    free(targets->all);
    free(targets->buckets);
    *targets = (struct link_targets){0};
}

/* The list and the table grow together. */
static enum weft_status grow(struct link_targets *targets)
{
    size_t cap = targets->cap ? 2 * targets->cap : 256;
    struct link_target **all = realloc(targets->all, cap * sizeof(struct link_target *));
    if (!all) {
        return WEFT_ENOMEM;
    }
    targets->all = all;
    struct link_target **buckets = calloc(cap, sizeof(struct link_target *));
    if (!buckets) {
        return WEFT_ENOMEM;
    }
    free(targets->buckets);
    targets->buckets = buckets;
    targets->nbuckets = targets->cap = cap;
    for (size_t i = 0; i < targets->n; i++) {
        struct link_target *t = all[i];
        t->chain = buckets[t->print & (cap - 1)];
        buckets[t->print & (cap - 1)] = t;
    }
    return WEFT_OK;
}

/* URLs with one key are one target; what is no URL is itself. */
static uint64_t print_of(const struct link_targets *targets, const char *url)
{
    char href[WEFT_MAX_URL_WORK], key[WEFT_MAX_URL_WORK];
    struct weft_url parsed;
    size_t len;
    if (weft_url_parse(&parsed, href, sizeof href, NULL, url, strlen(url), NULL) == WEFT_OK &&
        weft_url_key(&parsed, targets->fold, key, sizeof key, &len) == WEFT_OK) {
        return weft_fingerprint(key, len, targets->seed);
    }
    return weft_fingerprint(url, strlen(url), targets->seed);
}

static struct link_target *get(const struct link_targets *targets, uint64_t print)
{
    struct link_target *t = targets->nbuckets ? targets->buckets[print & (targets->nbuckets - 1)]
                                              : NULL;
    while (t && t->print != print) {
        t = t->chain;
    }
    return t;
}

struct link_target *link_targets_get(const struct link_targets *targets, const char *url)
{
    return get(targets, print_of(targets, url));
}

enum weft_status link_targets_find(struct link_targets *targets, const char *url,
                                   struct link_target **out)
{
    uint64_t print = print_of(targets, url);
    struct link_target *t = get(targets, print);
    *out = t;
    if (t) {
        return WEFT_OK;
    }
    if (targets->n == targets->cap && grow(targets) != WEFT_OK) {
        return WEFT_ENOMEM;
    }
    t = calloc(1, sizeof *t);
    if (!t || !(t->url = strdup(url))) {
        free(t);
        return WEFT_ENOMEM;
    }
    t->print = print;
    t->chain = targets->buckets[print & (targets->nbuckets - 1)];
    targets->buckets[print & (targets->nbuckets - 1)] = t;
    targets->all[targets->n++] = t;
    *out = t;
    return WEFT_OK;
}

enum weft_status link_target_add_place(struct link_target *t, const struct link_target *page,
                                       unsigned line, const char *fragment)
{
    size_t len = fragment ? strlen(fragment) : 0;
    struct link_place *p = malloc(sizeof *p + len + 1);
    if (!p) {
        return WEFT_ENOMEM;
    }
    p->page = page;
    p->line = line;
    memcpy(p->fragment, fragment ? fragment : "", len + 1);
    p->next = t->places;
    t->places = p;
    t->nplaces++;
    return WEFT_OK;
}

void link_target_forget(struct link_target *t)
{
    for (struct link_place **at = &t->places; *at;) {
        struct link_place *p = *at;
        if (p->fragment[0]) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free(p);
        t->nplaces--;
    }
}

static int by_fragment(const void *a, const void *b)
{
    return strcmp((*(struct link_place *const *)a)->fragment,
                  (*(struct link_place *const *)b)->fragment);
}

enum weft_status link_target_sort(struct link_target *t)
{
    size_t n = 0;
    if (t->nplaces < 2) {
        return WEFT_OK;
    }
    struct link_place **all = malloc(t->nplaces * sizeof(struct link_place *));
    if (!all) {
        return WEFT_ENOMEM;
    }
    for (struct link_place *p = t->places; p; p = p->next) {
        all[n++] = p;
    }
    qsort(all, n, sizeof(struct link_place *), by_fragment);
    t->places = NULL;
    while (n > 0) {
        struct link_place *p = all[--n];
        p->next = t->places;
        t->places = p;
    }
    free(all);
    return WEFT_OK;
}

int link_place_order(const void *a, const void *b)
{
    const struct weft_link_place *x = a, *y = b;
    int order = strcmp(x->page, y->page);
    return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t link_unescape(const char *text, char *out)
{
    size_t len = 0;
    for (; *text; text++) {
        if (text[0] == '%' && hex(text[1]) >= 0 && hex(text[2]) >= 0) {
            out[len++] = (char)(hex(text[1]) * 16 + hex(text[2]));
            text += 2;
        } else {
            out[len++] = *text;
        }
    }
    return len;
}
