/* lab_faults.h -- what the moody pages remember: how often /flaky has failed, what is left in the
 * buckets of /limited.
 *
 * The lab's thread asks, any thread may reset. Bounded as lab_paths.h is. */
#ifndef WEFT_LAB_FAULTS_H
#define WEFT_LAB_FAULTS_H

#include "lab/lab_paths.h"
#include "weft/clock.h"
#include "weft/status.h"
#include <pthread.h>
#include <stdbool.h>

#define LAB_BUCKETS 64u

/* A token bucket: full at first, refilled at a rate. */
struct lab_bucket {
    uint64_t key;          /* 0: free */
    weft_time empty_since; /* tokens left = (now - empty_since) * rate, at most burst */
};

struct lab_faults {
    pthread_mutex_t lock; /* guards all that follows */
    struct lab_paths flaky;
    struct lab_bucket buckets[LAB_BUCKETS];
    unsigned next_bucket; /* the one that a new key takes: the oldest */
};

/* WEFT_ENOMEM: no lock could be had, and nothing is to be released. */
enum weft_status lab_faults_init(struct lab_faults *f, uint64_t seed) WEFT_MUST_USE;
void lab_faults_release(struct lab_faults *f);
/* Forgets everything. */
void lab_faults_reset(struct lab_faults *f);

/* Counts a request for target: whether it is one of the first fails ones. Beyond the limit a
 * target never fails. */
bool lab_faults_flaky(struct lab_faults *f, const char *target, size_t len, uint64_t fails);
/* Takes a token from the bucket of key (not 0), which holds at most burst (1 or more) and gets
 * rate a second (0: it stays empty); false: it is empty. */
bool lab_faults_token(struct lab_faults *f, uint64_t key, int64_t rate, int64_t burst,
                      weft_time now);

#endif
