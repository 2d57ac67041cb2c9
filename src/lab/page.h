/* page.h -- serves the learning page to browsers of this machine, and tells it of real runs.
 *
 * The files lie in the program. Beside them there is an interface for one thing: to start a crawl
 * of the sample site, to watch it as it happens, and to stop it. Who asks must name this server in
 * its Host field, and a request that changes something must come from the page itself, so that no
 * stranger's page can start anything. Knows libmicrohttpd; the runs are made by somebody else, so
 * nothing here knows the crawler. */
#ifndef WEFT_LAB_PAGE_H
#define WEFT_LAB_PAGE_H

#include "lab/page_ask.h"
#include "lab/page_log.h"
#include <stdbool.h>
#include <stdint.h>

struct weft_page; /* a running server: src/lab/page_impl.h */

/* Who makes the runs. All are called on the server's thread, one at a time, and must not block for
 * long. */
struct weft_page_runs {
    void *user;
    /* Starts a run and gives its number, from 1. WEFT_OK; WEFT_EAGAIN: one is going on, whose
     * number it gives; anything else: error[0..cap) holds a sentence. */
    enum weft_status (*start)(void *user, const struct weft_page_ask *ask, unsigned *number,
                              char *error, size_t cap);
    /* Gives a reference to what is told of a run; NULL: there is no such run (any more). */
    struct weft_page_log *(*log)(void *user, unsigned number);
    /* Asks a run to end, if it has not. false: there is no such run. */
    bool (*stop)(void *user, unsigned number);
};

/* Serves on this port of 127.0.0.1 (0: any free one), on a thread of its own, which takes no
 * signals. runs is copied. Gives *out, to be stopped; on failure error[0..cap) holds a sentence.
 * WEFT_OK; WEFT_EIO: the port can't be had; WEFT_ENOMEM. */
enum weft_status weft_page_start(struct weft_page **out, uint16_t port,
                                 const struct weft_page_runs *runs, char *error,
                                 size_t cap) WEFT_MUST_USE;
/* Closes every connection and frees p. Every log that was given to it must have ended, and no run
 * may start any more. NULL is fine. Blocks for moments. */
void weft_page_stop(struct weft_page *p);

/* "http://127.0.0.1:8080/". Lives as long as p. */
const char *weft_page_url(const struct weft_page *p);

#endif
