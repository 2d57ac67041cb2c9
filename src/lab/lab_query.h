/* lab_query.h -- reads a request's target: path decoded, parameters of the query.
 *
 * Knows text; pure functions. Threads: any. */
#ifndef WEFT_LAB_QUERY_H
#define WEFT_LAB_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Percent-decodes path[0..len) into out, which has room for len + 1 bytes. A '%' without two hex
 * digits stands for itself. false: it holds a zero byte, and no file has such a name. */
bool lab_query_decode(char *out, const char *path, size_t len);

/* Finds name in a raw query ("a=1&b=2"); the first one counts. Gives its raw value and its length;
 * NULL: not there. */
const char *lab_query_find(const char *query, const char *name, size_t *len);

/* Reads a whole number min..max in decimal digits; *out stays as it is if name is not there.
 * false: it is there and is no such number. */
bool lab_query_number(const char *query, const char *name, int64_t min, int64_t max, int64_t *out);
/* Reads a size: digits, and K, M or G (powers of 1024). Else as above. */
bool lab_query_size(const char *query, const char *name, int64_t max, int64_t *out);
/* Reads a fraction 0..1, as digits with at most one point and six decimals, into parts in a
 * million. Else as above. */
bool lab_query_ppm(const char *query, const char *name, int64_t *out);

/* Mixes text[0..len) and seed into 64 bits, the same on every machine: what "deterministic by
 * path and seed" means. */
uint64_t lab_query_hash(const char *text, size_t len, uint64_t seed);
/* The same for a number. */
uint64_t lab_query_mix(uint64_t number, uint64_t seed);

#endif
