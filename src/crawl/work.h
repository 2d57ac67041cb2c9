/* work.h -- what is done with a visit, whatever the engine: ask, then read the answer.
 *
 * A worker is one thread's tools for that: a client, a page reader, a response whose memory is
 * used again. Reading runs where the fetch ended. Knows fetching and the parsers; knows nothing of
 * the frontier, hosts' clocks or policy. */
#ifndef WEFT_CRAWL_WORK_H
#define WEFT_CRAWL_WORK_H

#include "crawl/visit.h"
#include "weft/crawl.h"
#include "weft/page.h"
#include <stdatomic.h>

/* What weft_crawl_stopping looks at. Threads: any. */
struct weft_stop {
    atomic_bool now;
    _Atomic weft_time by; /* running fetches are to end by then; WEFT_FOREVER: nobody asked */
};

/* Constant for a crawl; shared by all workers. */
struct weft_work {
    const struct weft_crawl_options *options;
    struct weft_net *net; /* NULL with a fetch function of the caller's */
    struct weft_page_options page;
    uint64_t hash_seed;
    bool digest;    /* bodies are to be told apart */
    unsigned wants; /* of enum weft_output_wants */
    const struct weft_stop *stop;
};

struct weft_worker;
struct weft_reader;
struct weft_readers;

/* Gives *out, for one thread. readers are shared with other workers, and borrowed. WEFT_OK,
 * WEFT_ENOMEM. */
enum weft_status weft_worker_new(struct weft_worker **out, const struct weft_work *work,
                                 struct weft_readers *readers, unsigned id) WEFT_MUST_USE;
void weft_worker_free(struct weft_worker *w); /* NULL is fine */

/* Fetches v's present URL and fills v->answer. Blocks as long as the fetch's limits allow. */
void weft_worker_visit(struct weft_worker *w, struct weft_visit *v);
/* The same in steps: begin, then drive until it says WEFT_OK. WEFT_ETIMEDOUT: the deadline passed;
 * WEFT_ECANCELED: weft_worker_wake was called; the fetch still stands. A fetch function of the
 * caller's is one step, whatever the deadline. */
void weft_worker_begin(struct weft_worker *w, struct weft_visit *v);
enum weft_status weft_worker_drive(struct weft_worker *w, weft_time deadline) WEFT_MUST_USE;
/* Makes the present or next drive return early, once. Threads: any. */
void weft_worker_wake(struct weft_worker *w);
/* Forgets a wake that no drive has noticed. */
void weft_worker_forget_wake(struct weft_worker *w);
/* Makes the fetch that is going on, and later ones, end as INTERRUPTED. Threads: any. */
void weft_worker_interrupt(struct weft_worker *w);

/* The two halves, for an engine that waits in a way of its own: the request of a visit (borrows
 * from it), and reading the response into v->answer (weft_reader_read). */
void weft_work_request(const struct weft_work *work, const struct weft_visit *v,
                       struct weft_request *request);

/* Tells on_fetch, if there is one, that v's request begins or has ended on this lane. Threads: the
 * one that fetches. */
void weft_work_tell(const struct weft_work *work, const struct weft_visit *v, unsigned lane,
                    bool ended);

/* read.c: the memory for reading answers, for one thread. Gives *out, which borrows work. WEFT_OK,
 * WEFT_ENOMEM; WEFT_ESYNTAX for expressions that weft_crawl_new() has not looked at. */
enum weft_status weft_reader_new(struct weft_reader **out,
                                 const struct weft_work *work) WEFT_MUST_USE;
void weft_reader_free(struct weft_reader *r); /* NULL is fine */
/* Reads a response into v->answer; may take its body. */
void weft_reader_read(struct weft_reader *r, struct weft_response *response, unsigned worker,
                      struct weft_visit *v);

#endif
