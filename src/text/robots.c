/* robots.c -- robots.txt after RFC 9309, in two passes over the file: the first tells whether a
 * group names the agent (else those of "*" count), the second keeps those groups' rules, merged,
 * the most specific first. Knows lines through robots_lines.h, patterns through robots_pattern.h.
 */
#include "text/robots.h"

#include "base/buf.h"
#include "base/limits.h"
#include "text/robots_lines.h"
#include "text/robots_pattern.h"
#include <stdlib.h>
#include <string.h>

#define SHORT_URL WEFT_MAX_URL /* normalised on the stack; a longer one is allocated */

struct rule {
    uint32_t at, len; /* the normalised pattern in text */
    uint32_t fail_at; /* in fail; UINT32_MAX: has no wildcard */
    uint32_t line;
    bool allow;
};

struct weft_robots {
    struct rule *rules; /* longest pattern first, Allow before Disallow */
    size_t nrules, rules_cap;
    uint32_t *fail; /* what weft_robots_match needs of the patterns with wildcards */
    size_t nfail;
    uint32_t *sitemaps; /* in text */
    size_t nsitemaps, sitemaps_cap;
    struct weft_buf text; /* patterns, and NUL-terminated strings */
    uint32_t group;       /* in text; UINT32_MAX: none applies */
    double crawl_delay;
};

/* Makes room for one more item of an array that grows by doubling. */
static enum weft_status grow(void **items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap) {
        return WEFT_OK;
    }
    size_t more = *cap ? *cap * 2 : 8;
    void *p = realloc(*items, more * size);
    if (!p) {
        return WEFT_ENOMEM;
    }
    *items = p;
    *cap = more;
    return WEFT_OK;
}

/* Keeps a string in text, NUL-terminated; *at gets its place. */
static enum weft_status keep_string(struct weft_robots *r, struct slice s, uint32_t *at)
{
    uint32_t place = (uint32_t)r->text.len;
    enum weft_status st = weft_buf_append(&r->text, s.at, s.len);
    if (st == WEFT_OK) {
        st = weft_buf_append(&r->text, "", 1);
    }
    if (st == WEFT_OK) {
        *at = place;
    }
    return st;
}

static enum weft_status add_rule(struct weft_robots *r, const struct robots_line *line, bool allow)
{
    if (line->value.len == 0) {
        return WEFT_OK; /* an empty pattern matches nothing: 2.2.2 */
    }
    enum weft_status st = grow((void **)&r->rules, r->nrules, &r->rules_cap, sizeof *r->rules);
    if (st == WEFT_OK) {
        st = weft_buf_reserve(&r->text, WEFT_ROBOTS_GROWTH * line->value.len);
    }
    if (st != WEFT_OK) {
        return st;
    }
    char *pattern = r->text.data + r->text.len;
    size_t len = weft_robots_normalise(pattern, line->value.at, line->value.len, true);
    struct rule rule = {(uint32_t)r->text.len, (uint32_t)len, UINT32_MAX, line->number, allow};
    if (weft_robots_has_wildcard(pattern, len)) {
        rule.fail_at = (uint32_t)r->nfail;
        r->nfail += len;
    }
    r->rules[r->nrules++] = rule;
    r->text.len += len;
    r->text.data[r->text.len] = '\0';
    return WEFT_OK;
}

static enum weft_status add_sitemap(struct weft_robots *r, const struct robots_line *line)
{
    enum weft_status st = grow((void **)&r->sitemaps, r->nsitemaps, &r->sitemaps_cap,
                               sizeof *r->sitemaps);
    if (st == WEFT_OK && line->value.len) {
        st = keep_string(r, line->value, &r->sitemaps[r->nsitemaps]);
        r->nsitemaps += st == WEFT_OK;
    }
    return st;
}

/* "5", "0.5", "5."; negative for anything else. By hand: strtod knows locales, signs and words. */
static double parse_delay(struct slice s)
{
    double value = 0, place = 1;
    bool digits = false, point = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.at[i];
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9') {
            digits = true;
            place = point ? place / 10 : place;
            value = point ? value + (c - '0') * place : value * 10 + (c - '0');
        } else {
            return -1;
        }
    }
    return digits ? value : -1;
}

/* Which groups count: those that name the agent, else those of "*". */
static enum weft_status choose_group(struct weft_robots *r, struct robots_lines l,
                                     struct slice agent, bool *named)
{
    struct slice star = {NULL, 0};
    struct robots_line line;
    *named = false;
    while (weft_robots_lines_next(&l, &line)) {
        if (!weft_robots_key(&line, "user-agent")) {
            continue;
        }
        if (weft_robots_names(line.value, agent)) {
            *named = true;
            return keep_string(r, line.value, &r->group);
        }
        if (weft_robots_is_star(line.value)) {
            star = line.value;
        }
    }
    return star.at ? keep_string(r, star, &r->group) : WEFT_OK;
}

/* Where a line stands: whether the group that is being read counts. */
struct reading {
    struct slice agent;
    bool named;  /* the groups that name the agent count, not those of "*" */
    bool inside; /* this group counts */
    bool rules;  /* it has had a rule: the next user-agent line begins another */
    /* The same for delays: one is meant for the user-agent lines right above it, though as an
     * "other record" it ends no group (2.2.4). */
    bool delay_inside, delays;
};

static void read_agent(struct reading *in, struct slice value)
{
    bool meant = in->named ? weft_robots_names(value, in->agent) : weft_robots_is_star(value);
    in->inside = (in->inside && !in->rules) || meant;
    in->delay_inside = (in->delay_inside && !in->rules && !in->delays) || meant;
    in->rules = in->delays = false;
}

static enum weft_status read_line(struct weft_robots *r, struct reading *in,
                                  const struct robots_line *line)
{
    bool allow = weft_robots_key(line, "allow");
    if (weft_robots_key(line, "user-agent")) {
        read_agent(in, line->value);
    } else if (allow || weft_robots_key(line, "disallow")) {
        in->rules = true;
        return in->inside ? add_rule(r, line, allow) : WEFT_OK;
    } else if (weft_robots_key(line, "crawl-delay")) {
        double delay = parse_delay(line->value);
        in->delays = true;
        if (in->delay_inside && delay > r->crawl_delay) {
            r->crawl_delay = delay; /* of several, the most polite */
        }
    } else if (weft_robots_key(line, "sitemap")) {
        return add_sitemap(r, line);
    }
    return WEFT_OK;
}

static enum weft_status read_lines(struct weft_robots *r, struct robots_lines l, struct slice agent,
                                   bool named)
{
    struct reading in = {.agent = agent, .named = named};
    struct robots_line line;
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && weft_robots_lines_next(&l, &line)) {
        st = read_line(r, &in, &line);
    }
    return st;
}

static int more_specific_first(const void *a, const void *b)
{
    const struct rule *x = a, *y = b;
    if (x->len != y->len) {
        return x->len > y->len ? -1 : 1;
    }
    if (x->allow != y->allow) {
        return x->allow ? -1 : 1;
    }
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Gives back what doubling left over: a crawl keeps one of these for each host. */
static void shrink(struct weft_robots *r)
{
    struct rule *rules = realloc(r->rules, r->nrules * sizeof *rules);
    r->rules = rules ? rules : r->rules;
    char *text = realloc(r->text.data, r->text.len + 1);
    if (text) {
        r->text.data = text;
        r->text.cap = r->text.len + 1;
    }
}

static enum weft_status finish(struct weft_robots *r)
{
    if (r->nrules) {
        qsort(r->rules, r->nrules, sizeof *r->rules, more_specific_first);
        shrink(r);
    }
    if (r->nfail == 0) {
        return WEFT_OK;
    }
    r->fail = malloc(r->nfail * sizeof *r->fail);
    if (!r->fail) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < r->nrules; i++) {
        const struct rule *rule = &r->rules[i];
        if (rule->fail_at != UINT32_MAX) {
            weft_robots_prepare(r->text.data + rule->at, rule->len, r->fail + rule->fail_at);
        }
    }
    return WEFT_OK;
}

enum weft_status weft_robots_parse(struct weft_robots **out, const char *bytes, size_t len,
                                   const char *agent)
{
    *out = NULL;
    struct weft_robots *r = calloc(1, sizeof *r);
    if (!r) {
        return WEFT_ENOMEM;
    }
    weft_buf_init(&r->text, (size_t)(WEFT_ROBOTS_GROWTH + 2) * WEFT_MAX_ROBOTS);
    r->group = UINT32_MAX;
    r->crawl_delay = -1;
    struct robots_lines l;
    bool named;
    struct slice token = weft_robots_product_token((struct slice){agent, strlen(agent)});
    weft_robots_lines_begin(&l, bytes, len);
    enum weft_status st = choose_group(r, l, token, &named);
    if (st == WEFT_OK) {
        st = read_lines(r, l, token, named);
    }
    if (st == WEFT_OK) {
        st = finish(r);
    }
    if (st != WEFT_OK) {
        weft_robots_free(r);
        return st;
    }
    *out = r;
    return WEFT_OK;
}

void weft_robots_free(struct weft_robots *r)
{
    if (r) {
        weft_buf_release(&r->text);
        free(r->rules);
        free(r->fail);
        free(r->sitemaps);
        free(r);
    }
}

/* The first rule that matches is the most specific one. */
static bool decide(const struct weft_robots *r, const char *path, size_t len, unsigned *line)
{
    uint64_t work = 0;
    for (size_t i = 0; i < r->nrules; i++) {
        const struct rule *rule = &r->rules[i];
        const uint32_t *fail = rule->fail_at == UINT32_MAX ? NULL : r->fail + rule->fail_at;
        bool matches = weft_robots_match(r->text.data + rule->at, rule->len, fail, path, len,
                                         &work);
        if (matches || work > WEFT_MAX_ROBOTS_WORK) {
            *line = rule->line;
            return matches && rule->allow;
        }
    }
    *line = 0;
    return true;
}

bool weft_robots_allows(const struct weft_robots *r, const struct weft_url *url, unsigned *line)
{
    static const char own[] = "/robots.txt";
    unsigned ignored;
    line = line ? line : &ignored;
    *line = 0;
    const char *path = url->href + url->path_at;
    size_t len = url->fragment_at - url->path_at;
    if (r->nrules == 0 || (len == sizeof own - 1 && memcmp(path, own, len) == 0)) {
        return true;
    }
    char small[WEFT_ROBOTS_GROWTH * SHORT_URL], *large = NULL;
    if (len > SHORT_URL) {
        large = malloc(WEFT_ROBOTS_GROWTH * len);
        if (!large) {
            return false; /* what can't be checked is not fetched */
        }
    }
    char *normal = large ? large : small;
    bool allowed = decide(r, normal, weft_robots_normalise(normal, path, len, false), line);
    free(large);
    return allowed;
}

double weft_robots_crawl_delay(const struct weft_robots *r)
{
    return r->crawl_delay;
}

const char *weft_robots_sitemap(const struct weft_robots *r, size_t k)
{
    return k < r->nsitemaps ? r->text.data + r->sitemaps[k] : NULL;
}

const char *weft_robots_group(const struct weft_robots *r)
{
    return r->group == UINT32_MAX ? NULL : r->text.data + r->group;
}
