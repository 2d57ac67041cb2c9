/* page_ask.h -- what the learning page may ask a real run to be: the body of its POST.
 *
 * Pure: bytes in, values out. Knows jansson; knows no socket and no crawler. Threads: any. */
#ifndef WEFT_LAB_PAGE_ASK_H
#define WEFT_LAB_PAGE_ASK_H

#include "weft/status.h"
#include <stddef.h>

enum weft_page_engine { WEFT_PAGE_SYNC, WEFT_PAGE_THREADS, WEFT_PAGE_EVENTS };

struct weft_page_ask {
    enum weft_page_engine engine;
    unsigned jobs;     /* 1 to WEFT_PAGE_MAX_JOBS */
    unsigned delay_ms; /* 0 to WEFT_PAGE_MAX_DELAY_MS */
};

/* "sync", "threads", "events". */
const char *weft_page_engine_name(enum weft_page_engine e);

/* Reads {"engine":"threads","jobs":8,"delay_ms":100}: these three members, each once, and no other.
 * Fills *ask; on failure it is as it was, and error[0..cap) holds a sentence. WEFT_OK;
 * WEFT_ESYNTAX: it is something else (also: no memory to read it). */
enum weft_status weft_page_ask_read(const char *text, size_t len, struct weft_page_ask *ask,
                                    char *error, size_t cap) WEFT_MUST_USE;

#endif
