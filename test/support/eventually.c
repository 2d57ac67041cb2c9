/* eventually.c -- see eventually.h. */
#include "support/eventually.h"

#include <time.h>

bool eventually(bool (*predicate)(void *arg), void *arg, weft_time deadline)
{
    bool so;
    while (!(so = predicate(arg)) && weft_now() < deadline) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return so;
}
