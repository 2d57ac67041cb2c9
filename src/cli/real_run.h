/* real_run.h -- one real run of the learning page: a crawl of the sample site, told as it happens.
 *
 * A run has a lab server of its own, on a free port, with the sample site and a delay. It is
 * crawled with this library, and each request is written down as it begins and as it ends, with the
 * lane that it is on: the worker that does it, or its place in the event loop. Knows crawls and the
 * lab; knows no browser. */
#ifndef WEFT_CLI_REAL_RUN_H
#define WEFT_CLI_REAL_RUN_H

#include "lab/page_ask.h"
#include "lab/page_log.h"

struct cli_real_run;

/* Gives *out, which will crawl the site in folder (copied). WEFT_OK, WEFT_ENOMEM. */
enum weft_status cli_real_run_new(struct cli_real_run **out, const struct weft_page_ask *ask,
                                  const char *folder) WEFT_MUST_USE;
/* Not while it goes. NULL is fine. */
void cli_real_run_free(struct cli_real_run *r);

/* What is told of it, from its beginning. Borrowed. */
struct weft_page_log *cli_real_run_log(const struct cli_real_run *r);

/* Crawls, on the calling thread, to the end or until it is stopped, once; at most
 * WEFT_PAGE_MAX_RUN_S and moments. The log ends with `done` or `failed`; over(user) is called just
 * before that, when all but the telling is done. */
void cli_real_run_go(struct cli_real_run *r, void (*over)(void *user), void *user);

/* Makes it end soon, also if it has not begun. Threads: any. */
void cli_real_run_stop(struct cli_real_run *r);

#endif
