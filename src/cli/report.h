/* report.h -- what a crawl looks like to people: a line a page, the progress line, the summary.
 *
 * Knows records and numbers; knows nothing of how pages were fetched. Threads: the crawl's. */
#ifndef WEFT_CLI_REPORT_H
#define WEFT_CLI_REPORT_H

#include "base/buf.h"
#include "weft/crawl.h"

/* Appends the line of a record: "200 URL", "404 URL", or outcome, reason and URL; with detail also
 * where it ended and what went wrong. Escaped, with the line end. WEFT_OK, WEFT_ELIMIT,
 * WEFT_ENOMEM. */
enum weft_status cli_line(struct weft_buf *b, const struct weft_record *record,
                          bool detail) WEFT_MUST_USE;

/* Appends the progress line: "12 fetched, 1 failed, 3 queued, 4 in flight, ...". */
enum weft_status cli_progress(struct weft_buf *b,
                              const struct weft_crawl_progress *p) WEFT_MUST_USE;

/* Prints the summary to standard error; with hosts also the table of hosts. */
void cli_summary(const struct weft_crawl_report *report, bool hosts);

/* Writes the summary as a JSON object to path, with what the process cost so far: to be called
 * while the crawl's threads are there. WEFT_OK; WEFT_EDONE, WEFT_EIO, WEFT_ENOMEM and a sentence.
 */
enum weft_status cli_summary_json(const struct weft_crawl_report *report, const char *path,
                                  bool overwrite, char *error, size_t cap) WEFT_MUST_USE;

/* The exit code of a finished run: fail_on is of enum cli_fail_on; signal is what stopped it, 0 if
 * nothing did; broken: standard output could not be written. */
int cli_exit_code(const struct weft_crawl_report *report, int fail_on, int signal, bool broken);

#endif
