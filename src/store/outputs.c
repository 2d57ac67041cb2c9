/* outputs.c -- see outputs.h. */
#include "store/outputs.h"

#include "store/state.h"
#include <stdlib.h>

/* Notes how far each output has come, in one transaction with what led there. */
static enum weft_status keep_positions(struct weft_outputs *outs)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        int64_t at = slot->kept && slot->format->position ? slot->format->position(slot->output)
                                                          : -1;
        st = at >= 0 ? weft_state_set_position(outs->state, slot->path, at) : WEFT_OK;
    }
    return st == WEFT_OK ? weft_state_commit(outs->state) : st;
}

enum weft_status weft_outputs_begin(struct weft_outputs *outs)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        st = slot->format->begin ? slot->format->begin(slot->output) : WEFT_OK;
    }
    return st == WEFT_OK && outs->state ? keep_positions(outs) : st;
}

static enum weft_status write_record(struct weft_outputs *outs, const struct weft_record *record)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        st = outs->slots[i].format->write(outs->slots[i].output, record);
    }
    return st;
}

enum weft_status weft_outputs_write(struct weft_outputs *outs, const struct weft_item *item)
{
    enum weft_status st = WEFT_OK;
    if (outs->state && item->changes.len > 0) {
        st = weft_state_apply(outs->state, &item->changes);
    }
    return st == WEFT_OK && !item->no_record ? write_record(outs, &item->record) : st;
}

enum weft_status weft_outputs_flush(struct weft_outputs *outs)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        st = slot->format->flush ? slot->format->flush(slot->output) : WEFT_OK;
    }
    return st == WEFT_OK && outs->state ? keep_positions(outs) : st;
}

/* Before the outputs get what stands behind their last record, which a next run takes off again.
 * After a failure the state goes back to the last commit, which all outputs have reached. */
static enum weft_status settle_state(struct weft_outputs *outs, bool complete)
{
    enum weft_status st = complete ? weft_outputs_flush(outs) : WEFT_EIO;
    if (st != WEFT_OK) {
        struct weft_failure first = *outs->failure;
        (void)!weft_state_rollback(outs->state);
        *outs->failure = first;
    }
    return complete ? st : WEFT_OK;
}

enum weft_status weft_outputs_finish(struct weft_outputs *outs, bool complete,
                                     const struct weft_run_summary *summary)
{
    enum weft_status first = outs->state ? settle_state(outs, complete) : WEFT_OK;
    struct weft_failure sentence = *outs->failure;
    complete = complete && first == WEFT_OK;
    for (size_t i = 0; i <= outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        enum weft_status st = WEFT_OK;
        if (i < outs->n) {
            st = slot->format->finish(slot->output, complete, summary);
        } else if (outs->state) {
            st = weft_state_close(outs->state); /* last: the run's row is in it */
        }
        if (st != WEFT_OK && first == WEFT_OK) {
            first = st;
            sentence = *outs->failure;
        }
    }
    if (first != WEFT_OK) {
        *outs->failure = sentence;
    }
    free(outs->slots);
    *outs = (struct weft_outputs){.failure = outs->failure};
    return first;
}
