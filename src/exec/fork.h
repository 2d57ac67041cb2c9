/* fork.h -- notices that this process is the forked child of the one that made an object.
 *
 * A child has a copy of the parent's memory but none of its threads: a pool would take work that
 * nobody does, and a lock that another thread held at that moment stays locked for ever. So every
 * object remembers the generation of the process that made it, and calls on one of an older
 * generation answer WEFT_EFORKED before they touch its lock. The counter is the only global of
 * this layer. Knows pthread_atfork. */
#ifndef WEFT_EXEC_FORK_H
#define WEFT_EXEC_FORK_H

#include "weft/status.h"
#include <stdbool.h>

/* Starts counting, the first time; then sets *born to the generation of this process.
 * WEFT_OK, WEFT_ENOMEM. Threads: any. */
enum weft_status weft_fork_watch(unsigned *born) WEFT_MUST_USE;

/* Whether the process has been forked since an object was born. Threads: any; never blocks. */
bool weft_forked_since(unsigned born);

#endif
