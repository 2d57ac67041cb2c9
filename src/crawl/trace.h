/* trace.h -- a timeline of every fetch, in the Trace Event format that Perfetto and
 * chrome://tracing open (a JSON array of events, times in microseconds).
 *
 *   process "weft"
 *     thread "coordinator"     "handed over": taking in what a fetch brought
 *     thread "worker 0" ...    a span for each fetch, and in it "connect", "wait" (for the first
 *                              byte), "read" and "parse"; with the events engine "slot 0" ...: one
 *                              lane for each fetch in flight
 *     asynchronous spans       "queued", "waiting for its host", "waiting for a slot"
 *     arrows                   from a fetch to its hand-over
 *     counter                  "in flight"
 *
 * Spans of one lane nest and never overlap. Knows visits and their times; knows no engine.
 * Threads: the coordinator's. */
#ifndef WEFT_CRAWL_TRACE_H
#define WEFT_CRAWL_TRACE_H

#include "crawl/visit.h"
#include "weft/crawl.h"

struct weft_trace;

/* Whether the trace, if the options name one, could be opened; touches nothing. replace: a file
 * that exists is replaced. On failure error[0..cap) holds a sentence. WEFT_OK; WEFT_EDONE: the file
 * exists; WEFT_EIO. */
enum weft_status weft_trace_probe(const struct weft_crawl_options *options, bool replace,
                                  char *error, size_t cap) WEFT_MUST_USE;

/* Gives *out, as the options say (borrowed until close), after weft_trace_probe; NULL if they name
 * no trace. began is the zero of its times. The rest as there; also WEFT_ENOMEM. */
enum weft_status weft_trace_open(struct weft_trace **out, const struct weft_crawl_options *options,
                                 bool replace, weft_time began, char *error,
                                 size_t cap) WEFT_MUST_USE;

/* A URL was queued at now: remembered until it starts, as far as memory allows. All functions from
 * here on take NULL for t, and then do nothing. */
void weft_trace_found(struct weft_trace *t, uint64_t print, weft_time now);
/* v is about to start at now: its host's clock has not been told yet. in_flight counts it. */
void weft_trace_start(struct weft_trace *t, const struct weft_visit *v, weft_time now,
                      unsigned in_flight);
/* v came back from the engine at now, and was not taken in yet. in_flight is without it. */
void weft_trace_end(struct weft_trace *t, const struct weft_visit *v, weft_time now,
                    unsigned in_flight);
/* What came back last was taken in at now. WEFT_OK; WEFT_EIO: the file can't be written, now or
 * earlier. */
enum weft_status weft_trace_taken(struct weft_trace *t, weft_time now) WEFT_MUST_USE;

/* Ends the file; t is gone. WEFT_OK; WEFT_EIO and a sentence in error[0..cap). */
enum weft_status weft_trace_close(struct weft_trace *t, char *error, size_t cap);

#endif
