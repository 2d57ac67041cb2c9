/* outputs.h -- all outputs of one writer as one. Internal to store. Threads: one at a time. */
#ifndef WEFT_STORE_OUTPUTS_H
#define WEFT_STORE_OUTPUTS_H

#include "store/output.h"

struct weft_outputs {
    struct weft_output_slot *slots;
    size_t n;
    unsigned wants;               /* over all of them */
    bool need_flush;              /* some format asks to be flushed */
    struct weft_failure *failure; /* borrowed */
};

/* Checks every path before any is opened, then opens them in order; what was created is removed
 * again when a later one fails. options and failure are borrowed until finish. Returns and
 * sentences as weft_writer_new. */
enum weft_status weft_outputs_open(struct weft_outputs *outs,
                                   const struct weft_writer_options *options,
                                   struct weft_failure *failure) WEFT_MUST_USE;

/* Closes all, unused, and removes what open created. */
void weft_outputs_abandon(struct weft_outputs *outs);

/* Each of these calls the function of the same name of every output; the first failure ends it, but
 * for finish, which goes on and keeps the first sentence. WEFT_OK, WEFT_EIO. */
enum weft_status weft_outputs_begin(struct weft_outputs *outs) WEFT_MUST_USE;
enum weft_status weft_outputs_write(struct weft_outputs *outs,
                                    const struct weft_record *record) WEFT_MUST_USE;
enum weft_status weft_outputs_flush(struct weft_outputs *outs) WEFT_MUST_USE;
enum weft_status weft_outputs_finish(struct weft_outputs *outs, bool complete,
                                     const struct weft_run_summary *summary) WEFT_MUST_USE;

#endif
