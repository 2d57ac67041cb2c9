/* lab_faults.c -- the memory of the moody pages. */
#include "lab/lab_faults.h"

#include <string.h>

enum weft_status lab_faults_init(struct lab_faults *f, uint64_t seed)
{
    *f = (struct lab_faults){0};
    lab_paths_init(&f->flaky, seed);
    return pthread_mutex_init(&f->lock, NULL) == 0 ? WEFT_OK : WEFT_ENOMEM;
}

void lab_faults_release(struct lab_faults *f)
{
    lab_paths_release(&f->flaky);
    pthread_mutex_destroy(&f->lock);
}

void lab_faults_reset(struct lab_faults *f)
{
    pthread_mutex_lock(&f->lock);
    lab_paths_clear(&f->flaky);
    memset(f->buckets, 0, sizeof f->buckets);
    pthread_mutex_unlock(&f->lock);
}

bool lab_faults_flaky(struct lab_faults *f, const char *target, size_t len, uint64_t fails)
{
    pthread_mutex_lock(&f->lock);
    uint64_t count = lab_paths_count(&f->flaky, target, len);
    pthread_mutex_unlock(&f->lock);
    return count > 0 && count <= fails;
}

/* The bucket of key; a new one, full, if there was none. f->lock is held. */
static struct lab_bucket *bucket_of(struct lab_faults *f, uint64_t key)
{
    for (unsigned i = 0; i < LAB_BUCKETS; i++) {
        if (f->buckets[i].key == key) {
            return &f->buckets[i];
        }
    }
    struct lab_bucket *b = &f->buckets[f->next_bucket];
    f->next_bucket = (f->next_bucket + 1) % LAB_BUCKETS;
    *b = (struct lab_bucket){.key = key};
    return b;
}

bool lab_faults_token(struct lab_faults *f, uint64_t key, int64_t rate, int64_t burst,
                      weft_time now)
{
    if (rate == 0) {
        return false;
    }
    weft_time token = WEFT_SECOND / rate, full = burst * token;
    pthread_mutex_lock(&f->lock);
    struct lab_bucket *b = bucket_of(f, key);
    if (b->empty_since < now - full) {
        b->empty_since = now - full; /* it overflows beyond burst */
    }
    bool taken = now - b->empty_since >= token;
    if (taken) {
        b->empty_since += token;
    }
    pthread_mutex_unlock(&f->lock);
    return taken;
}
