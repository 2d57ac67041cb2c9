/* crawled.h -- crawls of a server by every engine, for tests: what was recorded, one line a URL,
 * and what was said. Knows weft/crawl.h; knows nothing of how an engine works. */
#ifndef WEFT_TEST_CRAWLED_H
#define WEFT_TEST_CRAWLED_H

#include "weft/crawl.h"
#include <stdatomic.h>

/* Each way to run fetches; tests loop over all of them. */
struct variant {
    const char *name;
    enum weft_engine_kind engine;
    unsigned parse_jobs;
};
enum { NVARIANTS = 4 };
extern const struct variant variants[NVARIANTS];

struct crawled {
    const char *base; /* of the server, without the slash at the end */
    char **lines;     /* "/path outcome reason status links=N title=... final=..." */
    size_t n, cap;
    bool depths; /* set before the run: lines end with the depth */
    struct weft_crawl_report report;
    char log[16384];
    atomic_uint told; /* how many fetches in flight it has told of; may be read by any thread */
    _Atomic(struct weft_crawl *) crawl; /* while it runs, for other threads */
    /* Set before the run: called with each record, on the coordinator's thread; NULL: nothing. */
    void (*on_record)(struct crawled *c, const struct weft_record *r);
    void *user;
};

void crawled_init(struct crawled *c, const char *base);
void crawled_release(struct crawled *c);
/* Crawls from the seeds (paths of the server, or whole URLs; NULL-terminated) with the options,
 * whose engine and callbacks are set here. Asserts that the run ended well. */
void crawled_run(struct crawled *c, struct weft_crawl_options o, const struct variant *v,
                 const char *const *seeds);
/* The line of a URL without the URL; "" if there is none. Asserts that it stands there once. */
const char *crawled_line(const struct crawled *c, const char *url);
/* Asserts that two crawls recorded the same, whatever the order. Sorts both. */
void crawled_same(struct crawled *a, struct crawled *b);
/* All failures, all skips. */
uint64_t crawled_failed(const struct crawled *c);
uint64_t crawled_skipped(const struct crawled *c);

#endif
