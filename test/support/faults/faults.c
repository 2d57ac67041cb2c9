/* faults.c -- the wrappers behind faults.h. */
#include "support/faults/faults.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static atomic_long alloc_left, thread_left, init_left;
static atomic_bool alloc_stays, spurious, hit;
static atomic_uint waits, wall_clock_conds;
struct hold {
    long left;
    void (*call)(void *arg);
    void *arg;
};
static _Thread_local struct hold before_lock, after_wait;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg);
int __real_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
int __real_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int __real_pthread_mutex_lock(pthread_mutex_t *m);
int __real_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a);

void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg);
int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t);
int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int __wrap_pthread_mutex_lock(pthread_mutex_t *m);
int __wrap_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a);

static void reset(atomic_long *counter, long n)
{
    atomic_store(&hit, false);
    atomic_store(counter, n);
}

void faults_alloc_at(long n)
{
    atomic_store(&alloc_stays, false);
    reset(&alloc_left, n);
}

void faults_alloc_from(long n)
{
    atomic_store(&alloc_stays, true);
    reset(&alloc_left, n);
}

void faults_thread_at(long n)
{
    reset(&thread_left, n);
}

void faults_init_at(long n)
{
    reset(&init_left, n);
}

void faults_before_lock(long n, void (*call)(void *arg), void *arg)
{
    before_lock = (struct hold){n, call, arg};
}

void faults_after_wait(void (*call)(void *arg), void *arg)
{
    after_wait = (struct hold){1, call, arg};
}

void faults_spurious(bool on)
{
    atomic_store(&spurious, on);
}

unsigned faults_wall_clock_conds(void)
{
    return atomic_load(&wall_clock_conds);
}

bool faults_hit(void)
{
    return atomic_load(&hit);
}

long faults_stride(void)
{
    const char *rounds = getenv("WEFT_ROUNDS");
    long n = rounds ? strtol(rounds, NULL, 10) : 1; /* "full" is 0 */
    return n > 1 ? n : 1;
}

/* Counts one call down; true when it is the one that must fail. A counter at 0 is off. */
static bool due(atomic_long *counter, bool stays)
{
    long left = atomic_load(counter);
    while (left > 0) {
        if (left == 1 && stays) {
            atomic_store(&hit, true);
            return true;
        }
        if (atomic_compare_exchange_weak(counter, &left, left - 1)) {
            if (left == 1) {
                atomic_store(&hit, true);
            }
            return left == 1;
        }
    }
    return false;
}

static bool alloc_fails(void)
{
    return due(&alloc_left, atomic_load(&alloc_stays));
}

void *__wrap_malloc(size_t n)
{
    return alloc_fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return alloc_fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return alloc_fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *s)
{
    return alloc_fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
    return alloc_fails() ? NULL : __real_strndup(s, n);
}

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
    return due(&thread_left, false) ? EAGAIN : __real_pthread_create(t, a, f, arg);
}

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    if (atomic_load(&spurious) && atomic_fetch_add(&waits, 1) % 2 == 0) {
        pthread_mutex_unlock(m); /* what a real wait does in between: others get in */
        pthread_mutex_lock(m);
        return 0;
    }
    int result = __real_pthread_cond_wait(c, m);
    if (after_wait.left > 0) {
        after_wait.left = 0;
        pthread_mutex_unlock(m);
        after_wait.call(after_wait.arg);
        pthread_mutex_lock(m);
    }
    return result;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
    if (atomic_load(&spurious) && atomic_fetch_add(&waits, 1) % 2 == 0) {
        pthread_mutex_unlock(m);
        pthread_mutex_lock(m);
        return 0;
    }
    return __real_pthread_cond_timedwait(c, m, t);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a)
{
    return due(&init_left, false) ? ENOMEM : __real_pthread_mutex_init(m, a);
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
    if (before_lock.left > 0 && --before_lock.left == 0) {
        before_lock.call(before_lock.arg);
    }
    return __real_pthread_mutex_lock(m);
}

int __wrap_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
    clockid_t clock = CLOCK_REALTIME; /* what a condition variable has without attributes */
    if (a) {
        pthread_condattr_getclock(a, &clock);
    }
    atomic_fetch_add(&wall_clock_conds, clock != CLOCK_MONOTONIC);
    return due(&init_left, false) ? ENOMEM : __real_pthread_cond_init(c, a);
}
