/* same_file.h -- whether two names are one file, also before there is one. Knows POSIX names. */
#ifndef WEFT_STORE_SAME_FILE_H
#define WEFT_STORE_SAME_FILE_H

#include <stdbool.h>

/* Whether writing to a would change b: one file or folder under two names (links of either kind),
 * or one that either would create. Devices, pipes, sockets and terminals never are: nothing in them
 * can be replaced. Looks at the file system, changes nothing. Threads: any. */
bool weft_same_file(const char *a, const char *b);

#endif
