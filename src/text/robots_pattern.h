/* robots_pattern.h -- one path pattern of robots.txt (RFC 9309 2.2.2, 2.2.3): brought to a normal
 * form, prepared, matched. Only robots.c includes it. */
#ifndef WEFT_TEXT_ROBOTS_PATTERN_H
#define WEFT_TEXT_ROBOTS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No octet becomes more than this many. */
#define WEFT_ROBOTS_GROWTH 3

/* Writes the form in which patterns and URLs are compared octet by octet, and returns its length:
 * unreserved octets decoded, everything that is neither unreserved nor reserved encoded, hex digits
 * upper case. A literal "*" or "$" is encoded in it; in a pattern, "*" is left where it is a
 * wildcard and "$" where it is the anchor at the end. out holds WEFT_ROBOTS_GROWTH * len. */
size_t weft_robots_normalise(char *out, const char *text, size_t len, bool is_pattern);

/* Whether a normalised pattern needs preparing: it has a wildcard. */
bool weft_robots_has_wildcard(const char *pattern, size_t len);
/* Fills fail[0..len) for weft_robots_match. Time linear in len. */
void weft_robots_prepare(const char *pattern, size_t len, uint32_t *fail);
/* Whether the normalised pattern matches the normalised path. fail: as prepared, NULL for a pattern
 * without wildcards. Time linear in both; adds the steps taken to *work. */
bool weft_robots_match(const char *pattern, size_t len, const uint32_t *fail, const char *path,
                       size_t path_len, uint64_t *work);

#endif
