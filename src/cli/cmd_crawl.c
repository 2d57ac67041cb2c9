/* cmd_crawl.c -- weft crawl: options and seeds in, lines, summary and exit code out. */
#include "cli/command.h"
#include "cli/run.h"
#include "cli/seeds.h"

#include <string.h>

static enum weft_status prepare(struct cli_run *r, struct cli_seeds *seeds, char *error, size_t cap)
{
    enum weft_status st = cli_run_check(r, error, cap);
    if (st == WEFT_OK) {
        st = cli_seeds_gather(seeds, &r->args, &r->options.inputs, "crawl", error, cap);
    }
    st = st == WEFT_OK ? cli_seeds_fit(seeds, &r->options.crawl, error, cap) : st;
    if (st != WEFT_OK) {
        return st;
    }
    cli_seeds_advise(seeds, &r->options);
    /* While seeds were read Ctrl-C just ended the program. The crawl starts threads when it opens
     * its outputs, so the signals must be blocked before. */
    st = cli_run_watch(r);
    r->options.crawl.net.credential_hosts = (const char *const *)seeds->hosts;
    st = st == WEFT_OK ? cli_run_open(r, error, cap) : st;
    st = st == WEFT_OK ? cli_seeds_plant(seeds, r->crawl, error, cap) : st;
    if (st == WEFT_OK) {
        cli_run_ready(r);
    }
    return st;
}

int cmd_crawl(const struct cli_command *self, int argc, char **argv)
{
    struct cli_run r;
    struct cli_seeds seeds = {0};
    char error[1024] = "";
    int code;
    cli_run_init(&r);
    if (cli_begin(self, argc, argv, &r.options, &r.args, &code)) {
        enum weft_status st = prepare(&r, &seeds, error, sizeof error);
        code = st == WEFT_OK ? cli_run_go(&r, true) : cli_run_refused(st, error);
    }
    cli_run_release(&r);
    cli_seeds_release(&seeds);
    return code;
}
