/* faults.h -- makes the n-th allocation, thread creation or lock fail, waits wake for nothing, and
 * threads stop before a lock.
 * Only for test programs named *_faults, which are linked with --wrap. Calls made inside libraries
 * are not touched: only weft's own. Threads: counters are atomic; set them while nothing runs. */
#ifndef WEFT_TEST_FAULTS_H
#define WEFT_TEST_FAULTS_H

#include <check.h>
#include <stdbool.h>

/* Asserts while allocations may fail. Check's own assertions allocate, even those that hold. */
#define fault_check(x)                                                                             \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            faults_alloc_at(0);                                                                    \
            ck_abort_msg("%s", #x);                                                                \
        }                                                                                          \
    } while (0)

/* Let the n-th allocation from now fail (1 = the next); 0 = none. faults_hit(): whether one did. */
void faults_alloc_at(long n);
/* Let every allocation from the n-th on fail. */
void faults_alloc_from(long n);
/* Let the n-th pthread_create from now fail with EAGAIN; 0 = none. */
void faults_thread_at(long n);
/* Let the n-th pthread_mutex_init or pthread_cond_init fail with ENOMEM; 0 = none. */
void faults_init_at(long n);
/* Has call(arg) called once, before this thread's n-th pthread_mutex_lock from now (0: not any
 * more). With it a test holds one thread between two locks while others go on. */
void faults_before_lock(long n, void (*call)(void *arg), void *arg);
/* Has call(arg) called once, without the lock, when this thread next wakes in pthread_cond_wait. */
void faults_after_wait(void (*call)(void *arg), void *arg);
/* Let every other condition wait return at once without a signal. */
void faults_spurious(bool on);
/* How many condition variables were made whose deadlines are not on the monotonic clock. */
unsigned faults_wall_clock_conds(void);
/* Whether a fault was delivered since the last setting. */
bool faults_hit(void);
/* How far a loop over whole crawls goes from one n to the next: 1, every fault, unless WEFT_ROUNDS
 * is a number, which makes loops shorter where each round is slow: under sanitizers. */
long faults_stride(void);

#endif
