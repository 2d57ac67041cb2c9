/* status.c -- words for each status. Knows nothing else. */
#include "weft/status.h"

const char *weft_strerror(enum weft_status status)
{
    switch (status) {
    case WEFT_OK:
        return "ok";
    case WEFT_ETIMEDOUT:
        return "timed out";
    case WEFT_ECANCELED:
        return "cancelled";
    case WEFT_EBUSY:
        return "busy";
    case WEFT_EDONE:
        return "already done";
    case WEFT_ECLOSED:
        return "closed";
    case WEFT_EFULL:
        return "full";
    case WEFT_EOVER:
        return "released more often than acquired";
    case WEFT_END:
        return "no more items";
    case WEFT_EALL:
        return "every attempt failed";
    case WEFT_EDEADLK:
        return "would wait for itself";
    case WEFT_EINVAL:
        return "invalid argument";
    case WEFT_ENOMEM:
        return "out of memory";
    case WEFT_EAGAIN:
        return "no thread to be had";
    case WEFT_EFORKED:
        return "belongs to the parent process";
    case WEFT_ESYNTAX:
        return "malformed";
    case WEFT_ESCHEME:
        return "not http or https";
    case WEFT_ELIMIT:
        return "over a limit";
    case WEFT_EIO:
        return "input or output failed";
    case WEFT_EINIT:
        return "a worker could not initialise";
    }
    return "unknown status";
}
