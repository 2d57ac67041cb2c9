/* css_scan.h -- the words of a CSS selector (CSS Syntax 3, section 4): names with escapes, strings,
 * white space and comments, numbers of the form An+B. Knows nothing of what selectors mean.
 * Internal to css*.c; pure; threads: one at a time for a scan. */
#ifndef WEFT_TEXT_CSS_SCAN_H
#define WEFT_TEXT_CSS_SCAN_H

#include "base/buf.h"
#include <stdbool.h>

struct weft_css_scan {
    const char *text, *at; /* borrowed; at moves */
    const char *wrong; /* what is wrong with the text, at `at`; a static sentence; NULL: nothing */
};

/* Says what is wrong, at the place of p. WEFT_ESYNTAX, to be returned. */
enum weft_status weft_css_refuse(struct weft_css_scan *s, const char *p,
                                 const char *wrong) WEFT_MUST_USE;
/* Skips white space and comments. *space: whether there was white space. WEFT_OK, WEFT_ESYNTAX (a
 * comment without end). */
enum weft_status weft_css_space(struct weft_css_scan *s, bool *space) WEFT_MUST_USE;
/* Whether a name starts here. */
bool weft_css_at_name(const struct weft_css_scan *s);
/* Reads a name into out, which is emptied first, as UTF-8 without escapes. WEFT_OK, WEFT_ESYNTAX
 * (there is none: `missing` is the sentence), WEFT_ENOMEM, WEFT_ELIMIT. */
enum weft_status weft_css_name(struct weft_css_scan *s, struct weft_buf *out,
                               const char *missing) WEFT_MUST_USE;
/* Reads a string in quotes, likewise. `at` is at the opening one. */
enum weft_status weft_css_string(struct weft_css_scan *s, struct weft_buf *out) WEFT_MUST_USE;
/* Reads "2n+1", "odd", "-n + 3", "4". Both numbers are within +-1,000,000,000. WEFT_OK,
 * WEFT_ESYNTAX. */
enum weft_status weft_css_an_plus_b(struct weft_css_scan *s, long *a, long *b) WEFT_MUST_USE;
/* Makes ASCII letters small. */
void weft_css_lower(struct weft_buf *b);

#endif
