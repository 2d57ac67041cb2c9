/* srcset.h -- image candidates (HTML Standard 4.8.4.2.1, "parse a srcset attribute"). Pure;
 * threads: any. */
#ifndef WEFT_TEXT_SRCSET_H
#define WEFT_TEXT_SRCSET_H

#include <stdbool.h>
#include <stddef.h>

/* Gives the URL of the next candidate that is valid, as a slice of the attribute's value
 * (decoded), and moves *p behind that candidate; false at the end. Time linear in end - *p over
 * all calls. */
bool weft_srcset_next(const char **p, const char *end, const char **url, size_t *url_len);

#endif
