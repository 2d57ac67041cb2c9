/* scope.c -- places that seeds span, kept as fingerprints of their text. */
#include "crawl/scope.h"

#include "base/limits.h"
#include <libpsl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum weft_status weft_scope_init(struct weft_scope *s, const struct weft_crawl_options *options,
                                 uint64_t hash_seed, char *error, size_t cap)
{
    *s = (struct weft_scope){.kind = options->scope, .hash_seed = hash_seed};
    weft_seen_init(&s->places);
    if (options->nrules == 0) {
        return WEFT_OK;
    }
    s->rules = calloc(options->nrules, sizeof *s->rules);
    if (!s->rules) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < options->nrules; i++) {
        const struct weft_crawl_rule *from = &options->rules[i];
        s->rules[i].include = from->include;
        if (strlen(from->pattern) > WEFT_MAX_PATTERN) { /* regcomp() goes as deep as it is long */
            snprintf(error, cap, "%s: the expression is longer than %u bytes",
                     from->include ? "--include" : "--exclude", WEFT_MAX_PATTERN);
            weft_scope_release(s);
            return WEFT_EINVAL;
        }
        int rc = regcomp(&s->rules[i].pattern, from->pattern, REG_EXTENDED | REG_NOSUB);
        if (rc != 0) {
            char why[128];
            regerror(rc, &s->rules[i].pattern, why, sizeof why);
            snprintf(error, cap, "%s %s: %s", from->include ? "--include" : "--exclude",
                     from->pattern, why);
            weft_scope_release(s);
            return rc == REG_ESPACE ? WEFT_ENOMEM : WEFT_ESYNTAX;
        }
        s->nrules++;
    }
    return WEFT_OK;
}

void weft_scope_release(struct weft_scope *s)
{
    for (size_t i = 0; i < s->nrules; i++) {
        regfree(&s->rules[i].pattern);
    }
    free(s->rules);
    weft_seen_release(&s->places);
    *s = (struct weft_scope){0};
}

/* The host's name, with its port unless that is the default of its scheme: http and https on
 * their own ports are one place. Returns the length, 0 when it does not fit. */
static size_t host_place(const struct weft_url *url, char *place, size_t cap)
{
    size_t name = url->host_end - url->host_at;
    size_t rest = url->path_at - url->host_at; /* a default port is not written in a URL */
    size_t len = rest > name ? rest : name;
    if (len >= cap) {
        return 0;
    }
    memcpy(place, url->href + url->host_at, len);
    place[len] = '\0';
    return len;
}

/* The registrable domain of the host's name, or the name itself where there is none (an address, a
 * public suffix, "localhost"). */
static size_t domain_place(const struct weft_url *url, char *place, size_t cap)
{
    size_t len = url->host_end - url->host_at;
    if (len >= cap) {
        return 0;
    }
    memcpy(place, url->href + url->host_at, len);
    place[len] = '\0';
    bool address = place[0] == '[' || (len > 0 && place[len - 1] >= '0' && place[len - 1] <= '9');
    const char *domain = address ? NULL : psl_registrable_domain(psl_builtin(), place);
    if (domain) {
        len = strlen(domain);
        memmove(place, domain, len + 1);
    }
    return len;
}

/* Fingerprint of the place with a path prefix. */
static uint64_t folder_print(const struct weft_scope *s, const struct weft_url *url,
                             size_t path_len, bool *ok)
{
    char place[2 * WEFT_MAX_URL];
    size_t len = host_place(url, place, sizeof place);
    *ok = len > 0 && path_len < sizeof place - len;
    if (!*ok) {
        return 0;
    }
    memcpy(place + len, url->href + url->path_at, path_len);
    return weft_fingerprint(place, len + path_len, s->hash_seed);
}

static uint64_t place_print(const struct weft_scope *s, const struct weft_url *url, bool *ok)
{
    char place[WEFT_MAX_URL];
    size_t len = s->kind == WEFT_SCOPE_DOMAIN ? domain_place(url, place, sizeof place)
                                              : host_place(url, place, sizeof place);
    *ok = len > 0;
    return weft_fingerprint(place, len, s->hash_seed);
}

/* Length of the path up to and with its last slash. */
static size_t folder_len(const struct weft_url *url)
{
    size_t len = url->query_at - url->path_at;
    while (len > 1 && url->href[url->path_at + len - 1] != '/') {
        len--;
    }
    return len;
}

enum weft_status weft_scope_add(struct weft_scope *s, const struct weft_url *url, bool *widened)
{
    bool fresh = false, ok = true;
    enum weft_status st = WEFT_OK;
    if (s->kind != WEFT_SCOPE_ANY) {
        uint64_t print = s->kind == WEFT_SCOPE_PREFIX ? folder_print(s, url, folder_len(url), &ok)
                                                      : place_print(s, url, &ok);
        st = ok ? weft_seen_claim(&s->places, print, &fresh) : WEFT_OK;
    }
    if (widened) {
        *widened = fresh;
    }
    return st;
}

bool weft_scope_has(const struct weft_scope *s, const struct weft_url *url)
{
    bool ok;
    if (s->kind == WEFT_SCOPE_ANY) {
        return true;
    }
    if (s->kind != WEFT_SCOPE_PREFIX) {
        uint64_t print = place_print(s, url, &ok);
        return ok && weft_seen_has(&s->places, print);
    }
    const char *path = url->href + url->path_at;
    size_t len = url->query_at - url->path_at;
    if (len > WEFT_MAX_URL) {
        return false;
    }
    for (size_t i = 0; i < len; i++) { /* each folder above the URL: one of them may be a seed's */
        if (path[i] == '/') {
            uint64_t print = folder_print(s, url, i + 1, &ok);
            if (ok && weft_seen_has(&s->places, print)) {
                return true;
            }
        }
    }
    return false;
}

bool weft_scope_rules_take(const struct weft_scope *s, const char *url, int *rule)
{
    bool take = s->nrules == 0 || !s->rules[0].include;
    int which = -1;
    for (size_t i = s->nrules; i-- > 0;) {
        if (regexec(&s->rules[i].pattern, url, 0, NULL, 0) == 0) {
            take = s->rules[i].include;
            which = (int)i;
            break;
        }
    }
    if (rule) {
        *rule = which;
    }
    return take;
}
