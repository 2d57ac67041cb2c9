/* real_runs.h -- the real runs of the learning page, one at a time, each on a thread of its own;
 * the last one can still be read. Knows runs and threads; knows no crawl and no browser. */
#ifndef WEFT_CLI_REAL_RUNS_H
#define WEFT_CLI_REAL_RUNS_H

#include "lab/page.h"

struct cli_real_runs;

/* Gives *out, which crawls the site in folder (copied; NULL: there is none, and no run starts).
 * WEFT_OK, WEFT_ENOMEM. */
enum weft_status cli_real_runs_new(struct cli_real_runs **out, const char *folder) WEFT_MUST_USE;
/* What the page's server calls, as long as r lives. */
struct weft_page_runs cli_real_runs_face(struct cli_real_runs *r);
/* Ends the run that goes on, and starts none any more; all logs have ended then. Blocks for
 * moments. NULL is fine. Threads: one. */
void cli_real_runs_close(struct cli_real_runs *r);
/* Once it is closed. NULL is fine. */
void cli_real_runs_free(struct cli_real_runs *r);

#endif
