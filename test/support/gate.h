/* gate.h -- holds threads at a point until the test lets them go on, and counts how many are
 * inside at once. With these a test decides the order of what happens, instead of sleeping. Knows
 * pthreads only, so that it can test the library's own primitives. */
#ifndef WEFT_TEST_GATE_H
#define WEFT_TEST_GATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned arrived; /* threads that have come so far */
    bool open;
};

#define GATE_CLOSED                                                                                \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                     \
    }

/* Counts this thread as arrived and waits until the gate is open. */
void gate_pass(struct gate *g);
/* Waits until n threads have arrived, since the beginning. */
void gate_await(struct gate *g, unsigned n);
/* Opens the gate for good. */
void gate_open(struct gate *g);

/* How many are inside, and how many were at most. */
struct peak {
    atomic_uint now, most;
};

void peak_enter(struct peak *p);
void peak_leave(struct peak *p);

#endif
