/* recorder.h -- every record passes here: it is counted, told to the caller, handed to the writer.
 * Knows records and the report; knows nothing of why a URL ended as it did. Threads: the
 * coordinator's. */
#ifndef WEFT_CRAWL_RECORDER_H
#define WEFT_CRAWL_RECORDER_H

#include "crawl/order.h"
#include "crawl/visit.h"
#include "store/writer.h"
#include "weft/crawl.h"

struct weft_recorder {
    const struct weft_crawl_options *options;
    struct weft_writer *writer; /* NULL: no outputs */
    struct weft_buf *journal;   /* goes with the next record; NULL: there is no state file */
    unsigned wants;             /* of enum weft_output_wants: what the outputs need */
    unsigned tells;             /* ... and what on_record is given */
    struct weft_crawl_report *report;
    bool keeps_order;        /* of a list: order holds records until those before are there */
    struct weft_order order; /* also of a race: the failures, told if all fail */
    bool won;                /* of a race: there is a winner, and nothing else counts */
};

/* Counts and hands out one record. answer, when not NULL, holds the links, body and wire bytes of
 * this record; they are taken from it when an output wants them. place: of a list, where the record
 * stands in it. WEFT_OK, WEFT_ENOMEM, WEFT_EIO (an output failed). */
enum weft_status weft_recorder_emit(struct weft_recorder *r, struct weft_record *record,
                                    struct weft_answer *answer, uint32_t place) WEFT_MUST_USE;

/* Nothing more comes: hands out what still waits for others. As above. */
enum weft_status weft_recorder_finish(struct weft_recorder *r) WEFT_MUST_USE;

#endif
