/* check_report.h -- the report of a link check: for people, as JSON, as JUnit XML.
 *
 * Knows results; knows nothing of how they came about. */
#ifndef WEFT_CLI_CHECK_REPORT_H
#define WEFT_CLI_CHECK_REPORT_H

#include "base/buf.h"
#include "weft/link_graph.h"

struct cli_check_result {
    const struct weft_link_result *results;
    size_t n;
    size_t counts[WEFT_LINK_NVERDICTS];
    bool finished; /* the crawl came to its end */
};

/* Append the report to b. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. For JUnit, results should hold the
 * fine ones too. */
enum weft_status cli_check_text(struct weft_buf *b, const struct cli_check_result *r) WEFT_MUST_USE;
enum weft_status cli_check_json(struct weft_buf *b, const struct cli_check_result *r) WEFT_MUST_USE;
enum weft_status cli_check_junit(struct weft_buf *b,
                                 const struct cli_check_result *r) WEFT_MUST_USE;

/* "broken", "fragment", "moved", "unchecked", "fine". */
const char *cli_verdict_name(enum weft_link_verdict v);

#endif
