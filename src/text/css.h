/* css.h -- CSS selectors as XPath 1.0 expressions.
 *
 * Understood: element names and *, #id, .class, [name], [name=value] with ~= ^= $= *= |= and the
 * flags i and s; the four combinators and comma lists; :first-child, :last-child, :only-child,
 * :nth-child(), :nth-last-child(), and the same of-type behind an element's name; :empty, :root;
 * :not(), :is() and :where() with lists of selectors; at the end ::text and ::attr(name), for the
 * text nodes and the attribute of what matches. Names of elements and attributes are those of
 * HTML: letters of either size are the same. Everything else is refused with its place. Knows the
 * two languages; no documents. Pure; threads: any. */
#ifndef WEFT_TEXT_CSS_H
#define WEFT_TEXT_CSS_H

#include "weft/status.h"
#include <stddef.h>

/* What is wrong with a selector. */
struct weft_css_error {
    const char *what; /* a static sentence */
    size_t at;        /* the character, from 1 */
};

/* Translates a selector. The expression gives what matches among the context node and all below it;
 * ancestors and siblings are looked at wherever they are, as querySelectorAll does. Gives *xpath,
 * to free(). WEFT_OK; WEFT_ESYNTAX and *error; WEFT_ENOMEM. An expression is bounded by
 * WEFT_MAX_CSS and its neighbours in limits.h. */
enum weft_status weft_css_to_xpath(char **xpath, const char *selector,
                                   struct weft_css_error *error) WEFT_MUST_USE;

#endif
