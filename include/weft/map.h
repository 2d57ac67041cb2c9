/* map.h -- one function over many items: Executor.map() with a buffer size.
 *
 * The input is read lazily, a few items ahead of what has been handed out: so a million items are
 * never a million jobs, and an endless input works. A failed item does not end the map; a time-out
 * loses nothing; leaving early cancels the rest. */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include "weft/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives the next item. WEFT_OK; WEFT_END: there is none; another status: the input is broken.
 * Called by weft_map_next() only, on its thread; not again after anything but WEFT_OK. */
typedef enum weft_status weft_source_fn(void *source, void **item);

struct weft_map_spec {
    weft_source_fn *next; /* required */
    void *source;
    weft_job_fn *run;                /* required: run(self, item, &value) */
    void (*item_free)(void *item);   /* called once for each item that was taken; may be NULL */
    void (*value_free)(void *value); /* for values that were not handed out; may be NULL */
    size_t limit; /* items taken and not yet handed out, at most; 0 = the executor's workers */
    bool ordered; /* results in the order of the input; else as they get done */
};

struct weft_map; /* opaque: src/exec/map.c. One thread at a time. */

/* Gives *out; takes no item yet. spec is copied; e is borrowed until close, and may be shut down.
 * WEFT_OK, WEFT_ENOMEM, WEFT_EINVAL, WEFT_EFORKED. */
enum weft_status weft_executor_map(struct weft_map **out, struct weft_executor *e,
                                   const struct weft_map_spec *spec) WEFT_MUST_USE;

/* Takes items up to the limit, then gives the next result: the item's place in the input in *index
 * (NULL is fine), and what became of it in *out; a value is the caller's.
 * WEFT_OK, also for an item that failed or was cancelled: that is out->status and out->err;
 * WEFT_END; WEFT_ETIMEDOUT: nothing is lost, call again; WEFT_EFULL: the same, because a bounded
 * queue had no room and nothing is in flight; WEFT_ECLOSED, WEFT_ENOMEM or the source's own status:
 * no more items are taken; what was in flight has been handed out before, and WEFT_END follows;
 * WEFT_EDEADLK: only the caller's own job is in flight; WEFT_EFORKED; WEFT_EINVAL. Blocks until the
 * deadline, which does not bound the source. */
enum weft_status weft_map_next(struct weft_map *m, weft_time deadline, size_t *index,
                               struct weft_result *out);

/* Ends the map: cancels what has not started, asks the rest to stop, waits for it, destroys values
 * that were not handed out, frees m. NULL is fine. When it returns, nothing of it runs,
 * but for the very job that calls this, if one does. */
void weft_map_close(struct weft_map *m);

#ifdef __cplusplus
}
#endif
#endif
