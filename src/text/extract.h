/* extract.h -- values cut out of a page by XPath 1.0 expressions, or CSS selectors written as
 * "css:SELECTOR": a row for each match of one, a field for each of the others.
 *
 * libxml2 builds a tree of the decoded page and evaluates; it reads nothing but the bytes given. An
 * evaluation is bounded in steps, rows and bytes, so no page can make it endless. Knows HTML and
 * XPath; no sockets, files or clock. Threads: one at a time for an extractor, any number of them.
 */
#ifndef WEFT_TEXT_EXTRACT_H
#define WEFT_TEXT_EXTRACT_H

#include "weft/record.h"

struct weft_extractor; /* opaque: extract.c */

/* What was found: rows of nselect fields each, in document order. All memory is in the struct. */
struct weft_extracted {
    struct weft_record_field *fields; /* nrows * nselect; names are the extractor's */
    size_t nrows, nselect;
    char *text; /* where the values lie */
    bool cut;   /* a limit was reached: there would be more */
};

/* Compiles the expressions: row (NULL: the document is the one row) and selects, a NULL-terminated
 * list of "NAME=XPATH", copied. Gives *out. WEFT_OK; WEFT_ESYNTAX, and error[0..cap) names the
 * expression, what is wrong and where; WEFT_ENOMEM. */
enum weft_status weft_extractor_new(struct weft_extractor **out, const char *row,
                                    const char *const *selects, char *error,
                                    size_t cap) WEFT_MUST_USE;
/* NULL is fine. What it has given lives on but for the names. */
void weft_extractor_free(struct weft_extractor *x);

/* The names of the fields, NULL-terminated; borrowed. */
const char *const *weft_extractor_names(const struct weft_extractor *x);

/* Evaluates on a document of UTF-8. Values are trimmed, runs of white space are one space; a field
 * that matches nothing is NULL. Fills *out, to be released. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_extractor_run(struct weft_extractor *x, const char *html, size_t len,
                                    struct weft_extracted *out) WEFT_MUST_USE;
void weft_extracted_release(struct weft_extracted *e);

#endif
