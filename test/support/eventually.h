/* eventually.h -- for what happens on another thread and can't be waited for: asks again and again
 * until it is so, or until time is up. A test passes as soon as it is, and fails only late; so no
 * test sleeps and hopes. Prefer a gate (gate.h) where the other thread can be made to tell. */
#ifndef WEFT_TEST_EVENTUALLY_H
#define WEFT_TEST_EVENTUALLY_H

#include "weft/clock.h"
#include <stdbool.h>

/* Whether predicate(arg) came true by the deadline. Blocks; looks about once a millisecond. */
bool eventually(bool (*predicate)(void *arg), void *arg, weft_time deadline);

#endif
