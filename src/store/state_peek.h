/* state_peek.h -- a look at one URL in a state file, also while a crawl has it open: nothing is
 * locked or written. Knows the schema. Threads: any. */
#ifndef WEFT_STORE_STATE_PEEK_H
#define WEFT_STORE_STATE_PEEK_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

struct weft_state_peeked {
    bool known, ended;
    unsigned depth;
    int status;      /* 0: none */
    char reason[32]; /* "": none */
    char *referrer;  /* owned; NULL: none */
};

/* Looks for a URL, or its key, among the pages of the file. WEFT_OK (also if it isn't there);
 * WEFT_EIO and a sentence: it can't be read, or is no state file; WEFT_ENOMEM. */
enum weft_status weft_state_peek(const char *path, const char *url, const char *key,
                                 struct weft_state_peeked *out, char *error,
                                 size_t cap) WEFT_MUST_USE;

#endif
