/* fuzz_retry_after.c -- any bytes as a Retry-After field, at any time: the wait is never negative,
 * white space around the value is nothing, and a second later it is a second less.
 *
 * Input: eight bytes that are the clock, the value. */
#include "text/retry_after.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t now;
    if (size < sizeof now) {
        return 0;
    }
    memcpy(&now, data, sizeof now);
    const char *value = (const char *)data + sizeof now;
    size_t len = size - sizeof now;
    int64_t wait = weft_retry_after(value, len, now);
    must(wait >= -1);

    char *spaced = malloc(len + 2);
    must(spaced != NULL);
    spaced[0] = ' ';
    memcpy(spaced + 1, value, len);
    spaced[len + 1] = '\t';
    must(weft_retry_after(spaced, len + 2, now) == wait);
    free(spaced);

    bool sane = now >= 0 && now < INT64_C(253402300799);
    int64_t later = sane ? weft_retry_after(value, len, now + 1) : -1;
    if (!sane || wait == -1) {
        must(later == -1);
    } else if (memchr(value, ',', len) || memchr(value, ':', len)) {
        /* a date; one of two digits may be a century further a second later */
        must(later == (wait ? wait - 1 : 0) || memchr(value, '-', len));
    } else {
        must(later == wait); /* delta-seconds */
    }
    return 0;
}
