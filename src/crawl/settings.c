/* settings.c -- the options that change what a crawl means: going on with other ones would mix two
 * crawls in one file. Those that only change how fast, how politely or how long it runs may differ
 * from run to run. */
#include "crawl/coordinator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 24

struct settings {
    struct weft_state_setting list[MOST];
    size_t n;
    bool failed;
};

/* Takes the text; NULL: no memory. */
static void put(struct settings *s, const char *name, char *text)
{
    s->failed |= !text;
    s->list[s->n++] = (struct weft_state_setting){name, text};
}

static void put_text(struct settings *s, const char *name, const char *text)
{
    put(s, name, strdup(text ? text : ""));
}

static void put_number(struct settings *s, const char *name, bool given, uint64_t value)
{
    char text[32] = "";
    if (given) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    }
    put_text(s, name, text);
}

static void put_flag(struct settings *s, const char *name, bool on)
{
    put_text(s, name, on ? "on" : "");
}

static char *join_rules(const struct weft_crawl_options *o)
{
    struct weft_buf b;
    weft_buf_init(&b, (size_t)1 << 24);
    enum weft_status st = weft_buf_puts(&b, "");
    for (size_t i = 0; st == WEFT_OK && i < o->nrules; i++) {
        st = weft_buf_printf(&b, "%s%c%s", i ? " " : "", o->rules[i].include ? '+' : '-',
                             o->rules[i].pattern);
    }
    return weft_buf_take(&b);
}

static char *join(const char *const *list)
{
    struct weft_buf b;
    weft_buf_init(&b, (size_t)1 << 24);
    enum weft_status st = weft_buf_puts(&b, "");
    for (size_t i = 0; st == WEFT_OK && list && list[i]; i++) {
        st = weft_buf_printf(&b, "%s%s", i ? " " : "", list[i]);
    }
    return weft_buf_take(&b);
}

static void put_scope(struct settings *s, const struct weft_crawl_options *o)
{
    static const char *const scopes[] = {[WEFT_SCOPE_HOST] = "host",
                                         [WEFT_SCOPE_DOMAIN] = "domain",
                                         [WEFT_SCOPE_PREFIX] = "prefix",
                                         [WEFT_SCOPE_ANY] = "any"};
    put_text(s, "--scope", scopes[o->scope]);
    put(s, "--include and --exclude", join_rules(o));
    put_number(s, "--fold", o->fold != 0, o->fold);
    put_number(s, "--max-depth", o->has_max_depth, o->max_depth);
}

enum weft_status weft_keep_compare(struct weft_crawl *c)
{
    const struct weft_crawl_options *o = &c->options;
    struct settings s = {.n = 0};
    put_scope(&s, o);
    put_number(&s, "--max-url", true, o->max_url);
    put_number(&s, "--max-path-depth", true, o->max_path_depth);
    put_number(&s, "--max-repeats", true, o->max_repeats);
    put_number(&s, "--max-links", true, o->max_links);
    put_number(&s, "--max-queries", o->max_queries != 0, o->max_queries);
    put_number(&s, "--max-host-pages", o->max_host_pages != 0, o->max_host_pages);
    put_number(&s, "--max-redirects", true, (uint64_t)o->max_redirects);
    put_flag(&s, "--ignore-robots", o->ignore_robots);
    put_text(&s, "--robots-agent", c->robots_agent);
    put_flag(&s, "--follow-nofollow", o->follow_nofollow);
    put_flag(&s, "--sitemaps", o->sitemaps);
    put_flag(&s, "--record-skipped", o->record_skipped);
    put_text(&s, "--row", o->row);
    put(&s, "--select", join(o->selects));
    put_text(&s, "--save", o->save_dir);
    enum weft_status st = s.failed ? WEFT_ENOMEM : weft_state_compare(c->keep.state, s.list, s.n);
    for (size_t i = 0; i < s.n; i++) {
        free(s.list[i].value);
    }
    return st;
}
