/* clock.c -- reads CLOCK_MONOTONIC. */
#include "weft/clock.h"

#include <time.h>

weft_time weft_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts); /* can't fail: the clock exists on every Linux */
    return (weft_time)ts.tv_sec * WEFT_SECOND + ts.tv_nsec;
}

weft_time weft_in_ms(int64_t ms)
{
    if (ms <= 0) {
        return WEFT_POLL;
    }
    weft_time now = weft_now();
    if (ms > (WEFT_FOREVER - now) / WEFT_MS) {
        return WEFT_FOREVER;
    }
    return now + ms * WEFT_MS;
}
