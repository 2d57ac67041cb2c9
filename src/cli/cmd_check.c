/* cmd_check.c -- weft check: crawls a site, asks once for each link that leads out of it, and
 * reports what is broken with every place that points at it. */
#include "cli/check_report.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/run.h"
#include "cli/seeds.h"

#include <errno.h>
#include <string.h>

#define MOST_REPORT (1u << 30) /* bytes of the report */

struct checking {
    struct cli_run run; /* first: the crawl's callbacks get a pointer to it */
    struct cli_seeds seeds;
    struct weft_link_graph *graph;
    bool no_memory;
};

static void on_record(void *user, const struct weft_record *record)
{
    struct checking *c = user;
    if (!c->no_memory && weft_link_graph_add(c->graph, record) != WEFT_OK) {
        c->no_memory = true;
        weft_crawl_stop(c->run.crawl, true);
    }
}

static enum weft_status prepare(struct checking *c, char *error, size_t cap)
{
    struct cli_run *r = &c->run;
    struct weft_crawl_options *o = &r->options.crawl;
    enum weft_status st = cli_run_check(r, error, cap);
    if (st == WEFT_OK) {
        st = cli_seeds_gather(&c->seeds, &r->args, &r->options.inputs, "check", error, cap);
    }
    st = st == WEFT_OK ? cli_seeds_fit(&c->seeds, o, error, cap) : st;
    const struct weft_link_graph_options graph = {.fold = o->fold,
                                                  .fragments = o->anchors,
                                                  .accept = r->options.accept,
                                                  .naccept = r->options.naccept};
    st = st == WEFT_OK ? weft_link_graph_new(&c->graph, &graph) : st;
    if (st != WEFT_OK) {
        return st;
    }
    cli_seeds_advise(&c->seeds, &r->options);
    st = cli_run_watch(r);
    o->check = true;
    o->on_record = on_record;
    r->options.fail_on = CLI_FAIL_NONE; /* what is broken is counted here */
    o->net.credential_hosts = (const char *const *)c->seeds.hosts;
    st = st == WEFT_OK ? cli_run_open(r, error, cap) : st;
    st = st == WEFT_OK ? cli_seeds_plant(&c->seeds, r->crawl, error, cap) : st;
    if (st == WEFT_OK) {
        cli_run_ready(r);
    }
    return st;
}

static enum weft_status print_report(const struct checking *c, const struct cli_check_result *r)
{
    struct weft_buf b;
    enum weft_status st = WEFT_EINVAL;
    weft_buf_init(&b, MOST_REPORT);
    switch ((enum cli_check_format)c->run.options.format) {
    case CLI_FORMAT_TEXT:
        st = c->run.options.quiet ? WEFT_OK : cli_check_text(&b, r);
        break;
    case CLI_FORMAT_JSON:
        st = cli_check_json(&b, r);
        break;
    case CLI_FORMAT_JUNIT:
        st = cli_check_junit(&b, r);
        break;
    case CLI_FORMAT_SARIF:
        st = cli_check_sarif(&b, r);
        break;
    }
    if (st == WEFT_OK && b.len) {
        st = cli_put(b.data, b.len);
    }
    if (st != WEFT_OK) {
        cli_say("the report: %s", st == WEFT_EIO ? strerror(errno) : weft_strerror(st));
    }
    weft_buf_release(&b);
    return st;
}

static void summarise(const struct cli_check_result *r)
{
    const size_t *n = r->counts;
    cli_tell("%zu broken, %zu without their fragment, %zu moved, %zu unchecked, %zu fine",
             n[WEFT_LINK_BROKEN], n[WEFT_LINK_FRAGMENT], n[WEFT_LINK_MOVED], n[WEFT_LINK_UNCHECKED],
             n[WEFT_LINK_FINE]);
}

static int go(struct checking *c)
{
    struct cli_check_result r = {0};
    int code = cli_run_go(&c->run, true);
    r.finished = c->run.report.end == WEFT_END_FINISHED;
    enum weft_status st = c->no_memory
                              ? WEFT_ENOMEM
                              : weft_link_graph_finish(c->graph,
                                                       c->run.options.format == CLI_FORMAT_JUNIT,
                                                       &r.results, &r.n, r.counts);
    if (st != WEFT_OK) {
        cli_say("%s", weft_strerror(st));
        return code == CLI_OK ? CLI_NAMED : code;
    }
    if (print_report(c, &r) != WEFT_OK) {
        return CLI_OUTPUT;
    }
    if (!c->run.options.quiet) {
        summarise(&r);
    }
    bool broken = r.counts[WEFT_LINK_BROKEN] || r.counts[WEFT_LINK_FRAGMENT];
    return code == CLI_OK && broken ? CLI_NAMED : code;
}

int cmd_check(const struct cli_command *self, int argc, char **argv)
{
    struct checking c = {.graph = NULL};
    char error[1024] = "";
    int code;
    cli_run_init(&c.run);
    if (cli_begin(self, argc, argv, &c.run.options, &c.run.args, &code)) {
        enum weft_status st = prepare(&c, error, sizeof error);
        code = st == WEFT_OK ? go(&c) : cli_run_refused(st, error);
    }
    cli_run_release(&c.run);
    weft_link_graph_free(c.graph);
    cli_seeds_release(&c.seeds);
    return code;
}
