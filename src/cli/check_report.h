/* check_report.h -- the report of a link check: for people, as JSON, as JUnit XML, as SARIF.
 *
 * Knows results; knows nothing of how they came about. */
#ifndef WEFT_CLI_CHECK_REPORT_H
#define WEFT_CLI_CHECK_REPORT_H

#include "base/buf.h"
#include "weft/link_graph.h"
#include <jansson.h>

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

/* check_sarif.c */
enum weft_status cli_check_sarif(struct weft_buf *b,
                                 const struct cli_check_result *r) WEFT_MUST_USE;

/* What is wrong in a word or two: "404", "timeout", "301". */
void cli_check_what(const struct weft_link_result *r, char *text, size_t cap);
/* Text from the network as a JSON string (JSON null for NULL): what is no UTF-8 is escaped as for
 * terminals. NULL: no memory. */
json_t *cli_check_json_text(const char *text);
/* "broken", "fragment", "moved", "unchecked", "fine". */
const char *cli_verdict_name(enum weft_link_verdict v);

#endif
