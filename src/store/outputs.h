/* outputs.h -- all outputs of one writer as one. Internal to store. Threads: one at a time. */
#ifndef WEFT_STORE_OUTPUTS_H
#define WEFT_STORE_OUTPUTS_H

#include "store/output.h"

struct weft_output_slot {
    const struct weft_format *format;
    struct weft_output *output; /* NULL: not open */
    const char *path;           /* borrowed until all are open */
    bool existed;               /* before it was opened */
    bool guest;                 /* in the state file */
    bool kept;                  /* the state keeps how far it has come */
    bool resume;                /* ... and did so before */
    int64_t position;           /* with resume */
};

struct weft_outputs {
    struct weft_output_slot *slots;
    size_t n;
    unsigned wants;               /* over all of them */
    bool need_flush;              /* some format asks to be flushed, or there is a state */
    struct weft_state *state;     /* owned; NULL: none */
    struct weft_failure *failure; /* borrowed */
};

/* Checks every path before any is opened, then opens them in order; what was created is removed
 * again when a later one fails. options and failure are borrowed until finish. Returns and
 * sentences as weft_writer_new. */
enum weft_status weft_outputs_open(struct weft_outputs *outs,
                                   const struct weft_writer_options *options,
                                   struct weft_failure *failure) WEFT_MUST_USE;

/* Closes all, unused, and removes what open created. The state is the caller's again. */
void weft_outputs_abandon(struct weft_outputs *outs);

/* Each of these calls the function of the same name of every output; the first failure ends it, but
 * for finish, which goes on and keeps the first sentence. WEFT_OK, WEFT_EIO. */
enum weft_status weft_outputs_begin(struct weft_outputs *outs) WEFT_MUST_USE;
enum weft_status weft_outputs_write(struct weft_outputs *outs,
                                    const struct weft_item *item) WEFT_MUST_USE;
/* With a state: also notes how far each output has come, and commits. */
enum weft_status weft_outputs_flush(struct weft_outputs *outs) WEFT_MUST_USE;
enum weft_status weft_outputs_finish(struct weft_outputs *outs, bool complete,
                                     const struct weft_run_summary *summary) WEFT_MUST_USE;

#endif
