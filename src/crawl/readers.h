/* readers.h -- page readers that the workers of one crawl share.
 *
 * A worker waits for the network nearly all of its life, and reads for a moment. So there are as
 * many readers as ever read at once, a few, not one a worker: with hundreds of workers that is most
 * of the memory, and the one used last is still in the processor's cache. Threads: any. */
#ifndef WEFT_CRAWL_READERS_H
#define WEFT_CRAWL_READERS_H

#include "crawl/work.h"

struct weft_readers;

/* Gives *out for up to n workers, empty; borrows work. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_readers_new(struct weft_readers **out, const struct weft_work *work,
                                  unsigned n) WEFT_MUST_USE;
/* All that was taken has been given back. NULL is fine. */
void weft_readers_free(struct weft_readers *p);

/* Lends a reader. NULL: no memory. */
struct weft_reader *weft_readers_take(struct weft_readers *p);
/* Gives it back; NULL is fine. */
void weft_readers_give(struct weft_readers *p, struct weft_reader *r);

#endif
