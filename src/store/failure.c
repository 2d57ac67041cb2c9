/* failure.c -- see failure.h. */
#include "store/failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum weft_status weft_fail(struct weft_failure *failure, enum weft_status status, const char *fmt,
                           ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(failure->text, sizeof failure->text, fmt, args);
    va_end(args);
    return status;
}

enum weft_status weft_fail_errno(struct weft_failure *failure, const char *verb, const char *path,
                                 int error)
{
    char
        words[128]; /* strerror() is not for threads; this is GNU's strerror_r, which never fails */
    return weft_fail(failure, WEFT_EIO, "can't %s %s: %s", verb, path,
                     strerror_r(error, words, sizeof words));
}

enum weft_status weft_fail_status(struct weft_failure *failure, const char *path,
                                  enum weft_status status)
{
    if (status == WEFT_OK) {
        return WEFT_OK;
    }
    return weft_fail(failure, WEFT_EIO, "can't write %s: %s", path, weft_strerror(status));
}
