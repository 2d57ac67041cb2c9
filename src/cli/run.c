/* run.c -- see run.h. */
#include "cli/run.h"

#include "cli/console.h"
#include "cli/distinct.h"
#include "cli/report.h"
#include "cli/report_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN_PROGRESS                                                                             \
    (5 * WEFT_SECOND) /* between progress lines that stay, without a terminal                      \
                       */

void cli_run_init(struct cli_run *r)
{
    *r = (struct cli_run){0};
    weft_buf_init(&r->line, 1u << 20);
}

void cli_run_release(struct cli_run *r)
{
    cli_signals_stop(r->signals);
    weft_crawl_free(r->crawl);
    cli_signals_free(r->signals);
    weft_buf_release(&r->line);
    cli_args_release(&r->args);
    cli_crawl_release(&r->options);
}

void cli_run_broken(struct cli_run *r, enum weft_status st)
{
    r->write_error = st == WEFT_EIO ? errno : ENOMEM;
    weft_crawl_stop(r->crawl, true);
}

/* --- callbacks of the crawl ------------------------------------------------------------------ */

static void on_record(void *user, const struct weft_record *record)
{
    struct cli_run *r = user;
    if (r->write_error) {
        return;
    }
    weft_buf_clear(&r->line);
    enum weft_status st = cli_line(&r->line, record, r->options.verbose > 0);
    if (st == WEFT_OK) {
        st = cli_put(r->line.data, r->line.len);
    }
    if (st != WEFT_OK) {
        cli_run_broken(r, st);
    }
}

static void on_progress(void *user, const struct weft_crawl_progress *progress)
{
    struct cli_run *r = user;
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
    const struct cli_run *r = user;
    if (level != WEFT_LOG_DEBUG || r->options.verbose > 1) {
        cli_say("%s", message);
    }
}

/* --- signals, on the watcher's thread --------------------------------------------------------- */

static void on_stop(void *user, int signal, bool now)
{
    struct cli_run *r = user;
    struct weft_crawl *crawl = atomic_load(&r->ready);
    if (!crawl) {
        _exit(CLI_SIGNAL + signal); /* still opening outputs: nothing has been fetched */
    }
    cli_say_soon("%s", now ? "stopping now"
                           : "stopping: what is in flight may finish; again to stop now");
    weft_crawl_stop(crawl, now);
}

static void on_inspect(void *user)
{
    struct weft_crawl *crawl = atomic_load(&((struct cli_run *)user)->ready);
    if (crawl) {
        weft_crawl_inspect(crawl);
    }
}

/* --- from the set-up to the exit code --------------------------------------------------------- */

enum weft_status cli_run_check(struct cli_run *r, char *error, size_t cap)
{
    struct cli_crawl *o = &r->options;
    enum weft_status st = cli_crawl_finish(o, error, cap);
    st = st == WEFT_OK ? cli_distinct_crawl(o, &r->args, error, cap) : st;
    const char *jar = o->crawl.net.cookie_jar;
    if (st == WEFT_OK && jar && strcmp(jar, "-") != 0) {
        st = cli_report_check(jar, true, error, cap);
    }
    return st == WEFT_OK ? cli_report_check(o->summary_json, o->crawl.overwrite, error, cap) : st;
}

enum weft_status cli_run_watch(struct cli_run *r)
{
    const struct cli_signal_actions actions = {on_stop, on_inspect, r};
    return cli_signals_start(&r->signals, &actions);
}

enum weft_status cli_run_open(struct cli_run *r, char *error, size_t cap)
{
    struct weft_crawl_options *o = &r->options.crawl;
    bool quiet = r->options.quiet;
    const char *term = getenv("TERM");
    r->terminal = isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
    r->print_lines = !quiet && !o->outputs;
    o->user = r;
    o->command = r->args.command.data;
    if (!o->on_record && r->print_lines) {
        o->on_record = on_record;
    }
    o->on_log = on_log;
    if (r->options.progress > 0 || (r->options.progress == 0 && r->terminal && !quiet)) {
        o->on_progress = on_progress;
    }
    return weft_crawl_new(&r->crawl, o, error, cap);
}

void cli_run_ready(struct cli_run *r)
{
    atomic_store(&r->ready, r->crawl);
}

int cli_run_refused(enum weft_status st, const char *error)
{
    cli_say("%s", *error ? error : weft_strerror(st));
    return st == WEFT_EIO                           ? CLI_OUTPUT
           : st == WEFT_ENOMEM || st == WEFT_EAGAIN ? CLI_NOTHING
                                                    : CLI_USAGE;
}

static bool write_summary(const struct cli_run *r)
{
    char error[1024];
    const struct cli_crawl *o = &r->options;
    if (!o->summary_json || cli_summary_json(&r->report, o->summary_json, o->crawl.overwrite, error,
                                             sizeof error) == WEFT_OK) {
        return true;
    }
    cli_say("%s", error);
    return false;
}

int cli_run_go(struct cli_run *r, bool summary)
{
    enum weft_status st = weft_crawl_run(r->crawl, &r->report);
    int signal = cli_signals_stop(r->signals);
    cli_progress_line(NULL);
    if (r->write_error) {
        r->report.end = WEFT_END_OUTPUT; /* not "interrupted", which is how it was stopped */
        cli_say("standard output: %s", strerror(r->write_error));
    } else if (st != WEFT_OK || r->report.error[0]) {
        cli_say("%s", r->report.error[0] ? r->report.error : weft_strerror(st));
    }
    if (summary && !r->options.quiet) {
        cli_summary(&r->report, r->options.verbose > 0);
    }
    bool broken = r->write_error != 0 || !write_summary(r);
    return cli_exit_code(&r->report, r->options.fail_on, signal, broken);
}
