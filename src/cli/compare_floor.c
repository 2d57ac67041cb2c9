/* compare_floor.c -- the floor of a site that is not ours: what its pages took and which page each
 * was found on is known from the crawl that asked for one at a time. */
#include "cli/compare.h"

#include "lab/lab_floor.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE (1u << 20)

struct learnt {
    char *url, *referrer; /* referrer NULL: a seed */
    weft_time hold;
    size_t number;           /* in the order in which they were asked for */
    size_t found_on;         /* number of the page that linked here first */
    size_t first, nchildren; /* in children */
};

struct compare_pages {
    struct learnt *all; /* in the order in which they were asked for */
    size_t n, cap;
    size_t *children; /* of all pages, grouped */
};

void compare_pages_free(struct compare_pages *p)
{
    for (size_t i = 0; p && i < p->n; i++) {
        free(p->all[i].url);
        free(p->all[i].referrer);
    }
    if (p) {
        free(p->all);
        free(p->children);
        free(p);
    }
}

static enum weft_status add(struct compare_pages *p, const json_t *record)
{
    const char *url = json_string_value(json_object_get(record, "url"));
    const char *referrer = json_string_value(json_object_get(record, "referrer"));
    double ms = json_number_value(json_object_get(record, "elapsed_ms"));
    if (!url || ms <= 0) {
        return WEFT_OK; /* it was never asked for */
    }
    if (p->n == p->cap) {
        size_t cap = p->cap ? p->cap * 2 : 64;
        struct learnt *all = realloc(p->all, cap * sizeof *all);
        if (!all) {
            return WEFT_ENOMEM;
        }
        p->all = all;
        p->cap = cap;
    }
    struct learnt *l = &p->all[p->n];
    *l = (struct learnt){.url = strdup(url),
                         .referrer = referrer ? strdup(referrer) : NULL,
                         .hold = (weft_time)(ms * (double)WEFT_MS),
                         .number = p->n};
    p->n++;
    return l->url && (!referrer || l->referrer) ? WEFT_OK : WEFT_ENOMEM;
}

static int by_url(const void *a, const void *b)
{
    return strcmp((*(const struct learnt *const *)a)->url, (*(const struct learnt *const *)b)->url);
}

/* Sets found_on of every page; a page whose referrer was not asked for is a link of the first. */
static enum weft_status find_referrers(struct compare_pages *p)
{
    const struct learnt **sorted = calloc(p->n, sizeof(struct learnt *));
    if (!sorted) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < p->n; i++) {
        sorted[i] = &p->all[i];
    }
    qsort(sorted, p->n, sizeof(struct learnt *), by_url);
    for (size_t i = 1; i < p->n; i++) {
        const struct learnt wanted = {.url = p->all[i].referrer}, *key = &wanted;
        const struct learnt **found = wanted.url ? bsearch(&key, sorted, p->n,
                                                           sizeof(struct learnt *), by_url)
                                                 : NULL;
        p->all[i].found_on = found && (*found)->number < i ? (*found)->number : 0;
    }
    free(sorted);
    return WEFT_OK;
}

static enum weft_status group_children(struct compare_pages *p)
{
    p->children = calloc(p->n, sizeof *p->children);
    if (!p->children) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 1; i < p->n; i++) {
        p->all[p->all[i].found_on].nchildren++;
    }
    for (size_t i = 1; i < p->n; i++) {
        p->all[i].first = p->all[i - 1].first + p->all[i - 1].nchildren;
        p->all[i - 1].nchildren = 0;
    }
    p->all[p->n - 1].nchildren = 0;
    for (size_t i = 1; i < p->n; i++) {
        struct learnt *parent = &p->all[p->all[i].found_on];
        p->children[parent->first + parent->nchildren++] = i;
    }
    return WEFT_OK;
}

static enum weft_status read_lines(struct compare_pages *p, FILE *f)
{
    char *line = malloc(LONGEST_LINE);
    enum weft_status st = line ? WEFT_OK : WEFT_ENOMEM;
    while (st == WEFT_OK && fgets(line, LONGEST_LINE, f)) {
        json_t *record = json_loads(line, 0, NULL);
        st = add(p, record);
        json_decref(record);
    }
    free(line);
    return st;
}

enum weft_status compare_pages_read(struct compare_pages **out, const char *path)
{
    struct compare_pages *p = calloc(1, sizeof *p);
    FILE *f = p ? fopen(path, "re") : NULL;
    enum weft_status st = f ? read_lines(p, f) : p ? WEFT_EIO : WEFT_ENOMEM;
    *out = NULL;
    if (f) {
        fclose(f);
    }
    if (st == WEFT_OK) {
        st = p->n > 0 ? find_referrers(p) : WEFT_END;
    }
    if (st == WEFT_OK) {
        st = group_children(p);
    }
    if (st != WEFT_OK) {
        compare_pages_free(p);
        return st;
    }
    *out = p;
    return WEFT_OK;
}

static weft_time hold_of(const void *user, size_t page)
{
    return ((const struct compare_pages *)user)->all[page].hold;
}

static size_t link_of(const void *user, size_t page, size_t k)
{
    const struct compare_pages *p = user;
    const struct learnt *l = &p->all[page];
    return k < l->nchildren ? p->children[l->first + k] : LAB_NO_LINK;
}

enum weft_status compare_pages_floor(const struct compare_pages *p, unsigned jobs, weft_time gap,
                                     weft_time *floor)
{
    const struct lab_floor f = {.pages = p->n,
                                .seeds = 1,
                                .jobs = jobs,
                                .gap = gap,
                                .hold = hold_of,
                                .link = link_of,
                                .user = p};
    return lab_floor(&f, floor, NULL);
}
