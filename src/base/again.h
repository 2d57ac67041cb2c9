/* again.h -- writing to descriptors that others have set up. */
#ifndef WEFT_BASE_AGAIN_H
#define WEFT_BASE_AGAIN_H

#include <stdbool.h>

/* After write(2) to fd failed with error: whether to write again. Terminals and pipes are shared
 * with processes that may have made them non-blocking; it waits until such a one takes bytes.
 * Blocks. Threads: any. */
bool weft_write_again(int fd, int error);

#endif
