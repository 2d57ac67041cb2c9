/* parsers.h -- pages read by workers of an executor, for an engine whose own thread must not stop
 * for it: what Python's loop.run_in_executor() is to asyncio.
 *
 * A parse has one owner at any moment: the engine, this, the engine. The engine is woken when one
 * is done, at most once for all that are done before it looks. Knows the executor and work.h;
 * knows no event loop. */
#ifndef WEFT_CRAWL_PARSERS_H
#define WEFT_CRAWL_PARSERS_H

#include "crawl/work.h"

struct weft_parsers;

/* What is to be read; its maker embeds it in something larger. */
struct weft_parse {
    struct weft_visit *visit;
    struct weft_response response;
    struct weft_parse *next;      /* private while it is out */
    struct weft_parsers *parsers; /* private while it is out */
};

/* Gives *out with n workers, each with a page reader of its own. wake(user) is called on a worker's
 * thread; it must not block. work is borrowed. WEFT_OK, WEFT_ENOMEM, WEFT_EAGAIN (no threads). */
enum weft_status weft_parsers_new(struct weft_parsers **out, const struct weft_work *work,
                                  unsigned n, void (*wake)(void *user), void *user) WEFT_MUST_USE;
/* Waits for what is being read; what was not begun stays unread. Nothing comes out any more: all
 * parses are their makers' again. NULL is fine. */
void weft_parsers_free(struct weft_parsers *p);

/* Takes parse and has its response read into its visit. WEFT_OK; WEFT_ENOMEM: it is still the
 * caller's. Never blocks. Threads: the engine's, as for all that follows. */
enum weft_status weft_parsers_submit(struct weft_parsers *p,
                                     struct weft_parse *parse) WEFT_MUST_USE;
/* Gives one that is done, or NULL. First done, first out. */
struct weft_parse *weft_parsers_take(struct weft_parsers *p);

#endif
