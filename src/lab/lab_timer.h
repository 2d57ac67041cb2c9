/* lab_timer.h -- a heap of deadlines: which held request is due next.
 *
 * A timer lies inside what it belongs to; the heap holds pointers. Knows time as a number; never
 * reads a clock. Threads: one at a time (the lab's). */
#ifndef WEFT_LAB_TIMER_H
#define WEFT_LAB_TIMER_H

#include "weft/clock.h"
#include "weft/status.h"
#include <stddef.h>

struct lab_timer {
    weft_time due;
    size_t at; /* place in the heap + 1; 0: not in it */
};

struct lab_timers {
    struct lab_timer **heap; /* heap[0] is due first */
    size_t n, cap;
};

/* Makes t empty; allocates nothing. */
void lab_timers_init(struct lab_timers *t);
/* Frees the heap's own memory. The timers in it are the caller's, and must not be removed later. */
void lab_timers_release(struct lab_timers *t);
/* Borrows timer until it is removed or popped. It must not be in a heap. WEFT_OK, WEFT_ENOMEM.
 * O(log n). */
enum weft_status lab_timers_add(struct lab_timers *t, struct lab_timer *timer,
                                weft_time due) WEFT_MUST_USE;
/* Takes it out; nothing happens if it is not in. O(log n). */
void lab_timers_remove(struct lab_timers *t, struct lab_timer *timer);
/* When the first one is due; WEFT_FOREVER if there is none. */
weft_time lab_timers_next(const struct lab_timers *t);
/* Takes out and gives the first one if it is due at now; else NULL. */
struct lab_timer *lab_timers_pop(struct lab_timers *t, weft_time now);

#endif
