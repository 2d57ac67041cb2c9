/* cmd_explain.c -- weft explain: says what a crawl with these options would do with a URL, and why.
 *
 * The crawl is made as weft crawl makes it and never run; robots.txt is the one request. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/guess.h"
#include "cli/run.h"
#include "cli/seeds.h"
#include "store/state_peek.h"
#include "weft/explain.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct explaining {
    struct cli_run run;
    struct cli_seeds seeds; /* of --seed, or none */
    struct cli_seeds typed; /* the URL */
    const char *url;        /* as it goes to the parser */
    size_t len;
    struct weft_buf out;
    enum weft_reason reason; /* the first that stands against it */
};

static const char *const scope_words[] = {"host", "domain", "prefix", "any"};

/* One line: the heading, and what a format says, made harmless. */
static enum weft_status say(struct explaining *e, const char *heading, const char *fmt, ...)
    WEFT_PRINTF(3, 4);

static enum weft_status say(struct explaining *e, const char *heading, const char *fmt, ...)
{
    char text[20000];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    enum weft_status st = weft_buf_printf(&e->out, "%-8s ", heading);
    st = st == WEFT_OK ? cli_escape(&e->out, text, strlen(text)) : st;
    return st == WEFT_OK ? weft_buf_puts(&e->out, "\n") : st;
}

static void note(struct explaining *e, enum weft_reason reason)
{
    e->reason = e->reason == WEFT_REASON_NONE ? reason : e->reason;
}

/* --- the lines -------------------------------------------------------------------------------- */

static enum weft_status tell_scope(struct explaining *e, const struct weft_explanation *x)
{
    const char *kind = scope_words[e->run.options.crawl.scope];
    if (!e->seeds.count) {
        return say(e, "scope", "not asked: --seed says where the crawl would start");
    }
    if (x->seed) {
        return say(e, "scope", "it is a seed: scope and rules do not apply");
    }
    return say(e, "scope", "%s of --scope %s", x->in_scope ? "inside" : "outside", kind);
}

static enum weft_status tell_rules(struct explaining *e, const struct weft_explanation *x)
{
    const struct weft_crawl_options *o = &e->run.options.crawl;
    if (!o->nrules) {
        return say(e, "rules", "none");
    }
    if (x->rule < 0) {
        return say(e, "rules", "none matches: %s, as the first is an %s",
                   x->taken ? "taken" : "left out", x->taken ? "--exclude" : "--include");
    }
    const struct weft_crawl_rule *rule = &o->rules[x->rule];
    return say(e, "rules", "%s by --%s '%s', number %d of %zu, the last that matches",
               x->taken ? "taken" : "left out", rule->include ? "include" : "exclude",
               rule->pattern, x->rule + 1, o->nrules);
}

static enum weft_status tell_host(struct explaining *e, const struct weft_explanation *x)
{
    char rate[100] = "";
    if (!x->origin) {
        return WEFT_OK; /* "limits" has said why */
    }
    if (x->rate > 0) {
        snprintf(rate, sizeof rate, ", %g a second with a burst of %g", x->rate, x->burst);
    }
    return say(e, "host", "%s%s: at most %u at once, %g s between two starts%s", x->origin,
               x->loopback ? ", on this machine" : "", x->per_host, x->delay, rate);
}

static enum weft_status tell_url(struct explaining *e, const struct weft_explanation *x)
{
    if (x->parsed != WEFT_OK) {
        return say(e, "url", "%.*s: %s", (int)(e->len < 2000 ? e->len : 2000), e->url,
                   x->parsed == WEFT_ESCHEME  ? "not http or https"
                   : x->parsed == WEFT_ELIMIT ? "too long"
                                              : "no URL");
    }
    enum weft_status st = say(e, "url", "%s", x->url);
    st = st == WEFT_OK ? say(e, "key", "%s", x->key) : st;
    st = st == WEFT_OK ? tell_scope(e, x) : st;
    st = st == WEFT_OK ? tell_rules(e, x) : st;
    st = st == WEFT_OK ? say(e, "limits", "%s%s", x->limit ? "over " : "none is broken",
                             x->limit ? x->limit : "")
                       : st;
    return st == WEFT_OK ? tell_host(e, x) : st;
}

/* What robots.txt said, when there was one. */
static enum weft_status tell_group(struct explaining *e, const struct weft_explained_robots *r)
{
    if (!r->group) {
        return say(e, "robots", "%s has no group for %s: all is allowed", r->url, r->agent);
    }
    enum weft_status st =
        r->line ? say(e, "robots", "%s by line %u of %s, '%s', in the group of %s",
                      r->allowed ? "allowed" : "forbidden", r->line, r->url, r->text, r->group)
                : say(e, "robots", "allowed: no line of the group of %s in %s matches", r->group,
                      r->url);
    if (st == WEFT_OK && r->crawl_delay >= 0) {
        bool too_long = r->allowed && r->reason == WEFT_REASON_ROBOTS;
        st = say(e, "", "Crawl-delay of %g s: %s", r->crawl_delay,
                 too_long ? "longer than --max-crawl-delay, so the host is skipped"
                          : "the longer of this and --delay holds");
    }
    return st;
}

static enum weft_status tell_robots(struct explaining *e)
{
    struct weft_explained_robots r;
    const struct cli_crawl *o = &e->run.options;
    if (o->crawl.ignore_robots || o->no_fetch) {
        return say(e, "robots", "not asked: %s", o->no_fetch ? "--no-fetch" : "--ignore-robots");
    }
    enum weft_status st = weft_crawl_explain_robots(e->run.crawl, e->url, e->len, &r);
    if (st == WEFT_OK) {
        note(e, r.reason);
        if (r.status >= 200 && r.status < 300 && !r.error[0]) {
            st = tell_group(e, &r);
        } else if (r.error[0]) {
            st = say(e, "robots", "%s: %s", r.url, r.error);
        } else {
            st = say(e, "robots", "%s answers %d: %s", r.url, r.status,
                     r.reason == WEFT_REASON_NONE ? "all is allowed" : "nothing is allowed");
        }
    }
    weft_explained_robots_release(&r);
    return st;
}

static enum weft_status tell_state(struct explaining *e, const char *file,
                                   const struct weft_explanation *x, char *error, size_t cap)
{
    struct weft_state_peeked p;
    enum weft_status st = weft_state_peek(file, x->url, x->key, &p, error, cap);
    if (st != WEFT_OK) {
        return st;
    }
    if (!p.known) {
        return say(e, "state", "%s does not have it: no link to it was found", file);
    }
    char how[100] = "it waits for its turn";
    if (p.ended) {
        snprintf(how, sizeof how, "%s%s", p.reason[0] ? "ended as " : "fetched", p.reason);
    }
    st = say(e, "state", "%s has it: %s, status %d, depth %u%s%s", file, how, p.status, p.depth,
             p.referrer ? ", found on " : "", p.referrer ? p.referrer : "");
    free(p.referrer);
    return st;
}

/* What follows from all of it. That nothing stands against a URL is not all: it has to be found
 * too, and whether it was, only a state file tells. */
static enum weft_status tell_verdict(struct explaining *e, const struct weft_explanation *x,
                                     const char *state)
{
    if (e->reason != WEFT_REASON_NONE) {
        return say(e, "so", "it would not be requested: %s", weft_reason_name(e->reason));
    }
    bool needs_link = e->seeds.count && !x->seed && !state;
    return say(e, "so", "it would be requested%s",
               needs_link ? ", if a page that is read links to it" : "");
}

static enum weft_status tell_all(struct explaining *e, const char *state, char *error, size_t cap)
{
    struct weft_explanation x;
    enum weft_status st = weft_crawl_explain(e->run.crawl, e->url, e->len, &x);
    if (st == WEFT_OK) {
        note(e, x.reason);
        st = tell_url(e, &x);
    }
    if (st == WEFT_OK && x.parsed == WEFT_OK) {
        st = tell_robots(e);
        st = st == WEFT_OK && state ? tell_state(e, state, &x, error, cap) : st;
    }
    if (st == WEFT_OK) {
        st = tell_verdict(e, &x, state);
    }
    weft_explanation_release(&x);
    return st;
}

/* --- set-up ----------------------------------------------------------------------------------- */

/* The URL as typed; what lacks only http:// gets it. Anything else is explained as it stands. */
static enum weft_status take_url(struct explaining *e, char *error, size_t cap)
{
    char words[300];
    if (e->run.args.count != 1) {
        snprintf(error, cap, "explain takes one URL; try 'weft explain --help'");
        return WEFT_EINVAL;
    }
    e->url = e->run.args.items[0];
    e->len = strlen(e->url);
    cli_trim(&e->url, &e->len);
    enum weft_status st = cli_seeds_add(&e->typed, e->url, e->len, "", words, sizeof words);
    if (st == WEFT_OK) {
        e->url = e->typed.urls[0];
        e->len = strlen(e->url);
    }
    return st == WEFT_ENOMEM ? st : WEFT_OK;
}

static enum weft_status explain(struct explaining *e, char *error, size_t cap)
{
    struct cli_crawl *o = &e->run.options;
    enum weft_status st = cli_run_check(&e->run, error, cap);
    st = st == WEFT_OK ? take_url(e, error, cap) : st;
    for (size_t i = 0; i < o->seeds.count && st == WEFT_OK; i++) {
        st = cli_seeds_add(&e->seeds, o->seeds.items[i], strlen(o->seeds.items[i]),
                           "--seed: ", error, cap);
    }
    const struct cli_seeds *start = e->seeds.count ? &e->seeds : &e->typed;
    static const char *const nobody[] = {NULL};
    o->crawl.net.credential_hosts = start->hosts ? (const char *const *)start->hosts : nobody;
    const char *state = o->crawl.state_file;
    o->crawl.state_file = NULL; /* it is looked into, not used */
    st = st == WEFT_OK ? weft_crawl_new(&e->run.crawl, &o->crawl, error, cap) : st;
    st = st == WEFT_OK ? cli_seeds_plant(&e->seeds, e->run.crawl, error, cap) : st;
    return st == WEFT_OK ? tell_all(e, state, error, cap) : st;
}

int cmd_explain(const struct cli_command *self, int argc, char **argv)
{
    struct explaining e = {.reason = WEFT_REASON_NONE};
    char error[1024] = "";
    int code;
    cli_run_init(&e.run);
    weft_buf_init(&e.out, 1u << 20);
    if (cli_begin(self, argc, argv, &e.run.options, &e.run.args, &code)) {
        enum weft_status st = explain(&e, error, sizeof error);
        if (st != WEFT_OK) {
            code = cli_run_refused(st, error);
        } else if (cli_put(e.out.data, e.out.len) != WEFT_OK) {
            cli_say("standard output: %s", strerror(errno));
            code = CLI_OUTPUT;
        } else {
            code = e.reason == WEFT_REASON_NONE ? CLI_OK : CLI_NAMED;
        }
    }
    weft_buf_release(&e.out);
    cli_run_release(&e.run);
    cli_seeds_release(&e.seeds);
    cli_seeds_release(&e.typed);
    return code;
}
