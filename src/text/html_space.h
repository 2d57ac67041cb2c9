/* html_space.h -- ASCII white space as the standards of the web mean it. */
#ifndef WEFT_TEXT_HTML_SPACE_H
#define WEFT_TEXT_HTML_SPACE_H

#include <stdbool.h>

/* TAB, LF, FF, CR, SPACE (Infra Standard, "ASCII whitespace"). */
static inline bool weft_html_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

#endif
