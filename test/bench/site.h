/* site.h -- a site for the benchmarks, in a process of its own that does nothing but answer, and
 * what they measure themselves with. Knows sockets; knows nothing of weft but its clock. */
#ifndef TEST_BENCH_SITE_H
#define TEST_BENCH_SITE_H

#include "weft/clock.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Pages that are known before the first request. Page i is at /i.html. */
struct bench_site {
    char **pages;         /* answers, header and all */
    size_t *heads, *lens; /* of each: bytes of the header, and of the whole */
    size_t n;
    unsigned port;
    pid_t server;
};

/* Ends the program with a sentence unless so. */
void bench_must(bool so, const char *what);

/* Makes n pages of about `bytes` bytes with `links` links each, to be released. Page i links first
 * to its children, 8 * i + 1 and on, so that all can be found from page 0. */
void bench_site_make(struct bench_site *s, size_t n, size_t bytes, unsigned links);
/* Forks the server and notes its port. It answers until it is stopped, or its parent is gone. */
void bench_site_serve(struct bench_site *s);
/* Stops the server, if it runs, and frees the pages. */
void bench_site_release(struct bench_site *s);

/* Processor time of this process so far, its threads and the kernel's part in it, in microseconds.
 */
double bench_cpu(void);

#endif
