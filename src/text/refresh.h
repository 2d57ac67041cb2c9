/* refresh.h -- the URL of a meta refresh (HTML Standard 4.2.5.3, "shared declarative refresh
 * steps"). Pure; threads: any. */
#ifndef WEFT_TEXT_REFRESH_H
#define WEFT_TEXT_REFRESH_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the content attribute's value (decoded) names a URL to go to. *url gets a slice of it,
 * never empty: a refresh without a URL reloads the page, and is no link. */
bool weft_refresh_url(const char *content, size_t len, const char **url, size_t *url_len);

#endif
