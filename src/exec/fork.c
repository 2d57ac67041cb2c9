/* fork.c -- see fork.h. */
#include "exec/fork.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registered; /* what pthread_atfork said; written inside once, read after it */

static void in_child(void)
{
    atomic_fetch_add(&generation, 1);
}

static void start(void)
{
    registered = pthread_atfork(NULL, NULL, in_child);
}

enum weft_status weft_fork_watch(unsigned *born)
{
    pthread_once(&once, start);
    *born = atomic_load(&generation);
    return registered == 0 ? WEFT_OK : WEFT_ENOMEM;
}

bool weft_forked_since(unsigned born)
{
    return atomic_load_explicit(&generation, memory_order_relaxed) != born;
}
