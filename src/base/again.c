/* again.c -- see again.h. */
#include "base/again.h"

#include <errno.h>
#include <poll.h>

bool weft_write_again(int fd, int error)
{
    if (error == EAGAIN) {
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        return poll(&p, 1, -1) >= 0 || errno == EINTR;
    }
    return error == EINTR;
}
