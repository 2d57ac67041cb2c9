/* failure.h -- the sentence that says why an output failed. Knows errno and nothing else. */
#ifndef WEFT_STORE_FAILURE_H
#define WEFT_STORE_FAILURE_H

#include "weft/status.h"

/* Room for a path of usual length and the system's words; a longer sentence is cut. */
struct weft_failure {
    char text[512];
};

/* Writes the sentence and returns status, so that a failing function can end in one line. Threads:
 * one at a time for one failure. */
enum weft_status weft_fail(struct weft_failure *failure, enum weft_status status, const char *fmt,
                           ...) WEFT_PRINTF(3, 4);

/* "can't VERB PATH: words for error", error being an errno; returns WEFT_EIO. */
enum weft_status weft_fail_errno(struct weft_failure *failure, const char *verb, const char *path,
                                 int error);

/* "can't write PATH: words for status" when status is not OK; returns WEFT_EIO, or WEFT_OK. */
enum weft_status weft_fail_status(struct weft_failure *failure, const char *path,
                                  enum weft_status status);

#endif
