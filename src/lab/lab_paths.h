/* lab_paths.h -- how often was each path asked for? A bounded table of counters by text.
 *
 * Knows memory. Its limits are WEFT_LAB_MAX_PATHS and WEFT_LAB_MAX_PATH_BYTES; a text beyond them
 * is not told apart, and the caller is told so. Threads: one at a time (the counters' lock). */
#ifndef WEFT_LAB_PATHS_H
#define WEFT_LAB_PATHS_H

#include "base/buf.h"
#include <stdint.h>

struct lab_path {
    uint64_t count;
    uint64_t hash;
    uint32_t at; /* where its text starts in .text; it ends with a NUL */
};

struct lab_paths {
    struct lab_path *list; /* in the order of first appearance */
    size_t n, cap;
    uint32_t *slots; /* nslots places, a power of two: index into list + 1, or 0 */
    size_t nslots;
    struct weft_buf text;
    uint64_t seed; /* a stranger can't choose paths that collide */
};

/* Makes p empty; allocates nothing. */
void lab_paths_init(struct lab_paths *p, uint64_t seed);
void lab_paths_release(struct lab_paths *p);
/* Counts text[0..len) once more and gives its count, 1 for a new one; 0: it is not told apart,
 * because a limit is reached or there is no memory. Expected O(len). */
uint64_t lab_paths_count(struct lab_paths *p, const char *text, size_t len);
/* Its count so far; 0: not there. */
uint64_t lab_paths_get(const struct lab_paths *p, const char *text, size_t len);
/* Forgets all counts and their memory. */
void lab_paths_clear(struct lab_paths *p);
/* Writes the indices of the most frequent paths, most frequent first, at most max of them, into
 * top and gives their number. O(n * max) at worst, O(n) when counts are alike. */
size_t lab_paths_top(const struct lab_paths *p, size_t *top, size_t max);

#endif
