/* retry_after.h -- the Retry-After field (RFC 9110 10.2.3). Pure; threads: any. */
#ifndef WEFT_TEXT_RETRY_AFTER_H
#define WEFT_TEXT_RETRY_AFTER_H

#include <stddef.h>
#include <stdint.h>

/* Seconds to wait: a number, or one of RFC 9110's three date forms less now (seconds since 1970,
 * UTC), 0 for a date that has passed, saturating; -1 for a value that is neither (as if absent). */
int64_t weft_retry_after(const char *value, size_t len, int64_t now);

#endif
