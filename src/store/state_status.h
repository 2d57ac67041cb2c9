/* state_status.h -- what a state file holds, in words and numbers. Knows SQLite and the schema. */
#ifndef WEFT_STORE_STATE_STATUS_H
#define WEFT_STORE_STATE_STATUS_H

#include "store/failure.h"

/* One fact; section NULL: as the one before. The texts are borrowed for the call. A status other
 * than OK ends the telling. */
typedef enum weft_status weft_state_fact_fn(void *user, const char *section, const char *name,
                                            const char *value);

/* Tells what the state file at path holds; changes nothing, and may run beside the crawl that uses
 * it. WEFT_OK; WEFT_EIO with a sentence in failure; what each returned. Threads: any. */
enum weft_status weft_state_tell(const char *path, weft_state_fact_fn *each, void *user,
                                 struct weft_failure *failure) WEFT_MUST_USE;

#endif
