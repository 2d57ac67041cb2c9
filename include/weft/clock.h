/* clock.h -- monotonic time, as absolute deadlines.
 *
 * Blocking calls take a deadline, not a duration: one deadline can span many calls, and no
 * subtraction can come out as "-1, for ever". Knows the system's clock and nothing else. */
#ifndef WEFT_CLOCK_H
#define WEFT_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t weft_time; /* nanoseconds on CLOCK_MONOTONIC */

#define WEFT_FOREVER INT64_MAX           /* no deadline */
#define WEFT_POLL    ((weft_time)0)      /* long past: look, do not wait */
#define WEFT_MS      INT64_C(1000000)    /* one millisecond */
#define WEFT_SECOND  INT64_C(1000000000) /* one second */

/* The time now. Threads: any. */
weft_time weft_now(void);

/* now + ms milliseconds, saturating at WEFT_FOREVER; ms <= 0 is WEFT_POLL. Threads: any. */
weft_time weft_in_ms(int64_t ms);

#ifdef __cplusplus
}
#endif
#endif
