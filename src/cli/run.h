/* run.h -- one run of a crawl, a list or a check: what these commands have in common.
 *
 * All state is one struct on the stack of the main thread; the crawl's callbacks run on that thread
 * too. Only stop and inspect come from the signal watcher, through the calls of the crawl that
 * allow it. Knows the engine only through weft/crawl.h. */
#ifndef WEFT_CLI_RUN_H
#define WEFT_CLI_RUN_H

#include "base/buf.h"
#include "cli/command.h"
#include "cli/crawl_options.h"
#include "cli/signals.h"
#include <stdatomic.h>

struct cli_run {
    struct cli_crawl options;
    struct cli_args args;
    struct weft_crawl *crawl;
    struct weft_crawl *_Atomic ready; /* the same once it may be stopped, for the watcher */
    struct cli_signals *signals;
    struct weft_buf line;
    bool print_lines, terminal;
    int write_error;      /* errno of standard output, 0: fine so far */
    weft_time last_plain; /* when the last progress line that stays was printed */
    struct weft_crawl_report report;
};

/* All but the options and arguments, which cli_begin fills in. */
void cli_run_init(struct cli_run *r);
void cli_run_release(struct cli_run *r);

/* Checks and completes the options as a whole: cli_crawl_finish, and that each file has one
 * use and what is written beside the outputs can be. */
enum weft_status cli_run_check(struct cli_run *r, char *error, size_t cap) WEFT_MUST_USE;

/* Starts the watcher: from here on Ctrl-C is a request. Before anything starts threads. WEFT_OK,
 * WEFT_ENOMEM, WEFT_EIO, WEFT_EAGAIN. */
enum weft_status cli_run_watch(struct cli_run *r) WEFT_MUST_USE;

/* Fills in user, callbacks and command, unless on_record is set already, and opens the crawl.
 * As weft_crawl_new. The watcher may stop it once cli_run_ready was called. */
enum weft_status cli_run_open(struct cli_run *r, char *error, size_t cap) WEFT_MUST_USE;
void cli_run_ready(struct cli_run *r);

/* Runs the crawl into r->report, says what went wrong, prints the summary unless the command has
 * one of its own. Gives the exit code. */
int cli_run_go(struct cli_run *r, bool summary);

/* Says why a set-up failed; gives the exit code. */
int cli_run_refused(enum weft_status st, const char *error);

/* Notes that standard output can't be written (errno), and stops the run. */
void cli_run_broken(struct cli_run *r, enum weft_status st);

#endif
