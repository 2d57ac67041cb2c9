/* cmd_lab.c -- weft lab: serves the learning page until a signal ends it. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/real_runs.h"
#include "cli/sample_site.h"
#include "cli/signals.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A browser keeps a reader's progress under the address, and the port is a part of that: so it is
 * the same each time, if it can be had. On a telephone's keys it spells WEFT. */
#define USUAL_PORT 9338u
#define NO_PORT    UINT_MAX /* --port was not given */

struct teaching {
    unsigned port;
    struct cli_args args;
    struct cli_signals *signals;
    struct cli_real_runs *runs;
    struct weft_page *page;
};

#define AT(field)     .at = offsetof(struct teaching, field)
#define FROM_TO(a, b) .min = (a), .max = (b)

/* clang-format off */
const struct cli_option cli_lab_options[] = {
    {"port", 'p', CLI_UNSIGNED, "N", AT(port), FROM_TO(0, 65535), .preset = "9338, or a free one if that is taken", .group = "Where",
     .help = "Port number; 0: any free one. The page is for this machine alone. Browsers keep what "
             "you have answered for each port apart."},
    CLI_CONFIG_ROW(0),
    {0},
};
/* clang-format on */

static enum weft_status start_page(struct teaching *t, char *error, size_t cap)
{
    const struct weft_page_runs runs = cli_real_runs_face(t->runs);
    if (t->port != NO_PORT) {
        return weft_page_start(&t->page, (uint16_t)t->port, &runs, error, cap);
    }
    enum weft_status st = weft_page_start(&t->page, USUAL_PORT, &runs, error, cap);
    if (st == WEFT_EIO) {
        cli_say("lab: %s; on another port your browser does not know what you have answered",
                error);
        st = weft_page_start(&t->page, 0, &runs, error, cap);
    }
    return st;
}

static enum weft_status prepare(struct teaching *t, char *error, size_t cap)
{
    char site[PATH_MAX];
    if (t->args.count) {
        snprintf(error, cap, "lab: takes no arguments");
        return WEFT_EINVAL;
    }
    bool has_site = cli_find_sample_site(site, sizeof site);
    if (!has_site) {
        cli_say("lab: there is no sample site here, so the page can't make real runs");
    }
    /* Before any thread starts, so that the signals are blocked there too. */
    const struct cli_signal_actions actions = {0};
    enum weft_status st = cli_signals_start(&t->signals, &actions);
    if (st == WEFT_OK) {
        st = cli_real_runs_new(&t->runs, has_site ? site : NULL);
    }
    if (st == WEFT_OK) {
        st = start_page(t, error, cap);
    }
    return st;
}

static int serve(struct teaching *t)
{
    char line[100];
    int n = snprintf(line, sizeof line, "page on %s\n", weft_page_url(t->page));
    if (cli_put(line, (size_t)n) != WEFT_OK) {
        cli_say("standard output: %s", strerror(errno));
        return CLI_OUTPUT;
    }
    cli_signals_wait(t->signals);
    return CLI_OK;
}

int cmd_lab(const struct cli_command *self, int argc, char **argv)
{
    struct teaching t = {.port = NO_PORT};
    char error[512] = "";
    int code;
    if (cli_begin(self, argc, argv, &t, &t.args, &code)) {
        enum weft_status st = prepare(&t, error, sizeof error);
        if (st == WEFT_OK) {
            code = serve(&t);
        } else {
            cli_say("%s", *error ? error : weft_strerror(st));
            code = CLI_USAGE;
        }
    }
    cli_real_runs_close(t.runs); /* first: then no log is written or waited for any more */
    weft_page_stop(t.page);
    cli_real_runs_free(t.runs);
    cli_signals_free(t.signals);
    cli_args_release(&t.args);
    return code;
}
