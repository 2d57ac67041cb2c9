/* scope.h -- which URLs may be followed: the scope that the seeds span, and the rules of
 * --include and --exclude. Knows URLs and the Public Suffix List; no HTTP, no clock.
 * Threads: one. */
#ifndef WEFT_CRAWL_SCOPE_H
#define WEFT_CRAWL_SCOPE_H

#include "crawl/seen.h"
#include "weft/crawl.h"
#include "weft/url.h"
#include <regex.h>

struct weft_scope {
    enum weft_scope_kind kind;
    struct weft_seen places; /* fingerprints of host names, domains or folders of the seeds */
    uint64_t hash_seed;
    struct weft_scope_rule {
        bool include;
        regex_t pattern;
    } * rules;
    size_t nrules;
};

/* Compiles the rules. WEFT_OK; WEFT_ESYNTAX and a sentence in error; WEFT_ENOMEM. On failure s is
 * as after release. */
enum weft_status weft_scope_init(struct weft_scope *s, const struct weft_crawl_options *options,
                                 uint64_t hash_seed, char *error, size_t cap) WEFT_MUST_USE;
void weft_scope_release(struct weft_scope *s);
/* Widens the scope to what a seed, or the end of a seed's redirect, spans. *widened (may be NULL)
 * tells whether it was not in scope before. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_scope_add(struct weft_scope *s, const struct weft_url *url,
                                bool *widened) WEFT_MUST_USE;
bool weft_scope_has(const struct weft_scope *s, const struct weft_url *url);
/* What the rules say: the last that matches decides; if none does, a URL is taken unless the first
 * rule is an include. *rule (may be NULL): the index of the one that decided, or -1. */
bool weft_scope_rules_take(const struct weft_scope *s, const char *url, int *rule);

#endif
