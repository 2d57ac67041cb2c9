/* html_trace.h -- what a scan of an HTML document reports, as one line of text, so that tests can
 * be tables: "a(p) img(x.png) base(/b/)", each with its value as decoded, in order. */
#ifndef WEFT_TEST_HTML_TRACE_H
#define WEFT_TEST_HTML_TRACE_H

#include "text/html.h"

/* A case: the document, what it must report, and why. len 0: a C string. */
struct html_case {
    const char *html, *trace, *why;
    size_t len;
};
#define HTML_CASE(html, trace, why)                                                                \
    {                                                                                              \
        html, trace, why, sizeof html - 1                                                          \
    }

/* The trace, to be freed. Links, with their rel attribute behind a '|' if they have one; with all
 * also base, title, robots. Every slice was checked to lie where it may, in order. */
char *html_trace(const char *html, size_t len, bool all);
/* The ids and names that a fragment can name: "#id #name". */
char *html_anchors(const char *html, size_t len);
/* Fails the running test unless the trace is as the case says. */
void html_check(const struct html_case *c, bool all);

#endif
