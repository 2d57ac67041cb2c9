/* cmd_crawl.c -- weft crawl: options and seeds in, lines, summary and exit code out.
 *
 * Knows the engine only through weft/crawl.h. All of its state is one struct on the stack of the
 * main thread; the crawl's callbacks run on that thread too. Only stop and inspect come from the
 * signal watcher, through the two calls of the crawl that allow it. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/crawl_options.h"
#include "cli/report.h"
#include "cli/report_file.h"
#include "cli/seeds.h"
#include "cli/signals.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN_PROGRESS                                                                             \
    (5 * WEFT_SECOND) /* between progress lines that stay, without a terminal                      \
                       */

struct running {
    struct cli_crawl options;
    struct cli_args args;
    struct cli_seeds seeds;
    struct weft_crawl *crawl;
    struct weft_crawl *_Atomic ready; /* the same once it may be stopped, for the watcher */
    struct cli_signals *signals;
    struct weft_buf line;
    bool print_lines, terminal;
    int write_error;      /* errno of standard output, 0: fine so far */
    weft_time last_plain; /* when the last progress line that stays was printed */
};

/* --- callbacks of the crawl ------------------------------------------------------------------ */

static void on_record(void *user, const struct weft_record *record)
{
    struct running *r = user;
    if (r->write_error) {
        return;
    }
    weft_buf_clear(&r->line);
    enum weft_status st = cli_line(&r->line, record, r->options.verbose > 0);
    if (st == WEFT_OK) {
        st = cli_put(r->line.data, r->line.len);
    }
    if (st != WEFT_OK) {
        r->write_error = st == WEFT_EIO ? errno : ENOMEM;
        weft_crawl_stop(r->crawl, true);
    }
}

static void on_progress(void *user, const struct weft_crawl_progress *progress)
{
    struct running *r = user;
    weft_buf_clear(&r->line);
    if (cli_progress(&r->line, progress) != WEFT_OK) {
        return; /* no memory for a line that is replaced in a moment anyway */
    }
    if (r->terminal) {
        cli_progress_line(r->line.data);
    } else if (progress->elapsed - r->last_plain >= PLAIN_PROGRESS) {
        r->last_plain = progress->elapsed;
        cli_tell("%s", r->line.data);
    }
}

static void on_log(void *user, enum weft_log_level level, const char *message)
{
    const struct running *r = user;
    if (level != WEFT_LOG_DEBUG || r->options.verbose > 1) {
        cli_say("%s", message);
    }
}

/* --- signals, on the watcher's thread --------------------------------------------------------- */

static void on_stop(void *user, int signal, bool now)
{
    struct running *r = user;
    struct weft_crawl *crawl = atomic_load(&r->ready);
    if (!crawl) {
        _exit(CLI_SIGNAL + signal); /* still opening outputs: nothing has been fetched */
    }
    cli_say("%s",
            now ? "stopping now" : "stopping: what is in flight may finish; again to stop now");
    weft_crawl_stop(crawl, now);
}

static void on_inspect(void *user)
{
    struct weft_crawl *crawl = atomic_load(&((struct running *)user)->ready);
    if (crawl) {
        weft_crawl_inspect(crawl);
    }
}

/* --- set-up ----------------------------------------------------------------------------------- */

/* Seeds from arguments and files, all of them checked before the first is used. */
static enum weft_status read_seeds(struct running *r, char *error, size_t cap)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < r->args.count && st == WEFT_OK; i++) {
        st = cli_seeds_add(&r->seeds, r->args.items[i], strlen(r->args.items[i]), "", error, cap);
    }
    for (size_t i = 0; i < r->options.inputs.count && st == WEFT_OK; i++) {
        st = cli_seeds_read(&r->seeds, r->options.inputs.items[i], error, cap);
        st = st == WEFT_EIO ? WEFT_EINVAL : st; /* wrong use: no output is to blame */
    }
    if (st == WEFT_OK && !r->seeds.count) {
        snprintf(error, cap, "%s",
                 r->options.inputs.count ? "the input holds no URL"
                                         : "no URL is given; try 'weft crawl --help'");
        st = WEFT_EINVAL;
    }
    return st;
}

static void advise(const struct running *r)
{
    const struct cli_seeds *s = &r->seeds;
    if (s->guessed == 1) {
        cli_say("%s has no scheme: taken as http://%s", s->first_guess, s->first_guess);
    } else if (s->guessed) {
        cli_say("%zu URLs have no scheme: taken as http://%s and so on", s->guessed,
                s->first_guess);
    }
    if (r->options.crawl.net.http2) {
        cli_say("--http2: many requests may share one connection; their number says no longer how "
                "many are in flight");
    }
    if (s->abroad && !r->options.contact && !r->options.crawl.net.user_agent && !r->options.quiet) {
        cli_say("--contact tells those whose site you crawl how to reach you");
    }
}

static enum weft_status add_seeds(struct running *r, char *error, size_t cap)
{
    for (size_t i = 0; i < r->seeds.count; i++) {
        const char *url = r->seeds.urls[i];
        enum weft_status st = weft_crawl_add(r->crawl, url, strlen(url));
        if (st != WEFT_OK) {
            snprintf(error, cap, "%.200s: %s", url, weft_strerror(st));
            return st;
        }
    }
    return WEFT_OK;
}

/* Fills the engine's options and opens the crawl. */
static enum weft_status open_crawl(struct running *r, char *error, size_t cap)
{
    struct weft_crawl_options *o = &r->options.crawl;
    bool quiet = r->options.quiet;
    const char *term = getenv("TERM");
    r->terminal = isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
    r->print_lines = !quiet && !o->outputs;
    o->user = r;
    o->command = r->args.command.data;
    o->on_record = r->print_lines ? on_record : NULL;
    o->on_log = on_log;
    if (r->options.progress > 0 || (r->options.progress == 0 && r->terminal && !quiet)) {
        o->on_progress = on_progress;
    }
    if (o->net.credentials) {
        o->net.credential_hosts = (const char *const *)r->seeds.hosts;
    }
    enum weft_status st = weft_crawl_new(&r->crawl, o, error, cap);
    st = st == WEFT_OK ? add_seeds(r, error, cap) : st;
    if (st == WEFT_OK) {
        atomic_store(&r->ready, r->crawl);
    }
    return st;
}

static enum weft_status prepare(struct running *r, char *error, size_t cap)
{
    enum weft_status st = cli_crawl_finish(&r->options, error, cap);
    st = st == WEFT_OK
             ? cli_report_check(r->options.summary_json, r->options.crawl.overwrite, error, cap)
             : st;
    st = st == WEFT_OK ? read_seeds(r, error, cap) : st;
    if (st != WEFT_OK) {
        return st;
    }
    advise(r);
    /* From here on Ctrl-C is a request; while seeds were read it just ended the program. The crawl
     * starts threads when it opens its outputs, so the signals must be blocked before. */
    const struct cli_signal_actions actions = {on_stop, on_inspect, r};
    st = cli_signals_start(&r->signals, &actions);
    return st == WEFT_OK ? open_crawl(r, error, cap) : st;
}

/* What a failed set-up means to the shell. */
static int refused(enum weft_status st, const char *error)
{
    cli_say("%s", *error ? error : weft_strerror(st));
    return st == WEFT_EIO                           ? CLI_OUTPUT
           : st == WEFT_ENOMEM || st == WEFT_EAGAIN ? CLI_NOTHING
                                                    : CLI_USAGE;
}

/* --- the run ---------------------------------------------------------------------------------- */

static bool write_summary(const struct running *r, const struct weft_crawl_report *report)
{
    char error[1024];
    const struct cli_crawl *o = &r->options;
    if (!o->summary_json || cli_summary_json(report, o->summary_json, o->crawl.overwrite, error,
                                             sizeof error) == WEFT_OK) {
        return true;
    }
    cli_say("%s", error);
    return false;
}

static int run(struct running *r)
{
    struct weft_crawl_report report = {0};
    enum weft_status st = weft_crawl_run(r->crawl, &report);
    int signal = cli_signals_stop(r->signals);
    cli_progress_line(NULL);
    if (r->write_error) {
        cli_say("standard output: %s", strerror(r->write_error));
    } else if (st != WEFT_OK || report.error[0]) {
        cli_say("%s", report.error[0] ? report.error : weft_strerror(st));
    }
    if (!r->options.quiet) {
        cli_summary(&report, r->options.verbose > 0);
    }
    bool broken = r->write_error != 0 || !write_summary(r, &report);
    return cli_exit_code(&report, r->options.fail_on, signal, broken);
}

int cmd_crawl(const struct cli_command *self, int argc, char **argv)
{
    struct running r = {0};
    char error[1024] = "";
    int code;
    weft_buf_init(&r.line, 1u << 20);
    if (!cli_begin(self, argc, argv, &r.options, &r.args, &code)) {
        goto out;
    }
    enum weft_status st = prepare(&r, error, sizeof error);
    code = st == WEFT_OK ? run(&r) : refused(st, error);
out:
    cli_signals_stop(r.signals);
    weft_crawl_free(r.crawl);
    cli_signals_free(r.signals);
    weft_buf_release(&r.line);
    cli_seeds_release(&r.seeds);
    cli_args_release(&r.args);
    cli_crawl_release(&r.options);
    return code;
}
