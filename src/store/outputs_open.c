/* outputs_open.c -- opening all outputs: every path is looked at before any is touched. */
#include "store/outputs.h"

#include "store/file.h"
#include "store/same_file.h"
#include "store/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two streams to one pipe would mix, too. */
static bool same_output(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || weft_same_file(a, b);
}

static bool is_stream(const char *path)
{
    struct stat s;
    return strcmp(path, "-") == 0 || (stat(path, &s) == 0 && !S_ISREG(s.st_mode));
}

/* What the state knows of an output. */
static enum weft_status look_up(struct weft_output_slot *slot,
                                const struct weft_writer_options *options,
                                struct weft_failure *failure)
{
    slot->kept = !is_stream(slot->path);
    bool known = false;
    enum weft_status st = slot->kept ? weft_state_position(options->state, slot->path, &known,
                                                           &slot->position)
                                     : WEFT_OK;
    slot->resume = known && slot->position >= 0;
    if (st == WEFT_OK && slot->kept && !known && !options->fresh) {
        return weft_fail(failure, WEFT_EINVAL,
                         "%s was begun without the output %s, which would lack what was done "
                         "before: give the same outputs, or another --state",
                         weft_state_path(options->state), slot->path);
    }
    return st;
}

static enum weft_status probe(struct weft_outputs *outs, size_t i, const char *path,
                              const struct weft_format *format,
                              const struct weft_writer_options *options,
                              struct weft_failure *failure)
{
    struct weft_output_slot *slot = &outs->slots[i];
    /* Where standard output is a file, that name is a file that exists; "-" is what is meant. */
    slot->path = strcmp(path, "/dev/stdout") == 0 ? "-" : path;
    slot->format = format ? format : weft_format_for(slot->path);
    if (!slot->format) {
        char known[128];
        weft_format_list(known, sizeof known);
        return weft_fail(failure, WEFT_EINVAL, "%s: its name says no format; known are %s",
                         slot->path, known);
    }
    for (size_t k = 0; k < i; k++) {
        if (same_output(outs->slots[k].path, slot->path)) {
            return weft_fail(failure, WEFT_EINVAL, "%s is given twice as an output", slot->path);
        }
    }
    if (strcmp(slot->path, "-") == 0) {
        slot->existed = true;
        return WEFT_OK;
    }
    enum weft_status st = options->state ? look_up(slot, options, failure) : WEFT_OK;
    if (st != WEFT_OK) {
        return st;
    }
    st = weft_file_probe(slot->path, slot->resume ? WEFT_OUTPUT_APPEND : options->mode,
                         &slot->existed, failure);
    return st == WEFT_OK && slot->format != &weft_format_sqlite
               ? weft_file_probe_lock(slot->path, failure)
               : st;
}

static size_t count(const char *const *list)
{
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

/* An output that goes on must not be left out: it would have a gap. */
static enum weft_status refuse_missing(const struct weft_outputs *outs,
                                       const struct weft_writer_options *options)
{
    char other[300];
    const char **paths = calloc(outs->n + 1, sizeof *paths);
    if (!paths) {
        return weft_fail(outs->failure, WEFT_ENOMEM, "%s", weft_strerror(WEFT_ENOMEM));
    }
    for (size_t i = 0; i < outs->n; i++) {
        paths[i] = outs->slots[i].path;
    }
    enum weft_status st = weft_state_other_output(options->state, paths, outs->n, other,
                                                  sizeof other);
    free(paths);
    if (st == WEFT_OK && other[0]) {
        return weft_fail(outs->failure, WEFT_EINVAL,
                         "%s was begun with the output %s, which would lack what is done now: give "
                         "the same outputs, or another --state",
                         weft_state_path(options->state), other);
    }
    return st;
}

/* What formats can tell beyond the path. */
static enum weft_status ask_formats(const struct weft_outputs *outs,
                                    struct weft_output_options options)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        options.path = slot->path;
        st = slot->format->probe ? slot->format->probe(&options) : WEFT_OK;
    }
    return st;
}

/* Makes the slots, and looks whether each path could be opened. */
static enum weft_status plan(struct weft_outputs *outs, const struct weft_writer_options *options)
{
    size_t npaths = count(options->paths);
    outs->slots = calloc(npaths + 3, sizeof *outs->slots);
    if (!outs->slots) {
        return weft_fail(outs->failure, WEFT_ENOMEM, "%s", weft_strerror(WEFT_ENOMEM));
    }
    size_t n = 0;
    for (size_t i = 0; i < npaths; i++) {
        if (options->state && same_output(options->paths[i], weft_state_path(options->state))) {
            continue; /* the results are in there anyway */
        }
        enum weft_status st = probe(outs, n, options->paths[i], NULL, options, outs->failure);
        if (st != WEFT_OK) {
            return st;
        }
        n++;
    }
    if (options->changes) {
        enum weft_status st = probe(outs, n, options->changes, &weft_format_changes, options,
                                    outs->failure);
        if (st != WEFT_OK) {
            return st;
        }
        n++;
    }
    if (options->save_dir) {
        outs->slots[n++] = (struct weft_output_slot){
            .format = &weft_format_save, .path = options->save_dir, .existed = true};
    }
    if (options->state) {
        outs->slots[n++] = (struct weft_output_slot){.format = &weft_format_sqlite,
                                                     .path = weft_state_path(options->state),
                                                     .existed = true,
                                                     .guest = true};
    }
    outs->n = n;
    return options->state ? refuse_missing(outs, options) : WEFT_OK;
}

/* Before a file is made, the state must know that it is ours: a process that dies in between would
 * find it on its next run and refuse it. */
static enum weft_status announce(const struct weft_outputs *outs,
                                 const struct weft_writer_options *options)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        if (slot->kept && !slot->resume) {
            bool adds = options->mode == WEFT_OUTPUT_APPEND && slot->existed;
            st = weft_state_set_position(options->state, slot->path, adds ? -1 : 0);
        }
    }
    return st == WEFT_OK ? weft_state_commit(options->state) : st;
}

static enum weft_status open_one(struct weft_output_slot *slot, struct weft_output_options options,
                                 struct weft_state *state)
{
    struct weft_failure *failure = options.failure;
    options.path = slot->path;
    if (slot->resume) {
        options.mode = WEFT_OUTPUT_APPEND;
        options.resume = true;
        options.position = slot->position;
    }
    options.state = slot->guest ? weft_state_file(state) : NULL;
    failure->text[0] = '\0';
    enum weft_status st = slot->format->open(&slot->output, &options);
    if (st != WEFT_OK && !failure->text[0]) {
        (void)weft_fail(failure, st, "can't open %s: %s", slot->path, weft_strerror(st));
    }
    return st;
}

/* Whether it is added to a file that the state knows nothing of yet. */
static bool joins_file(const struct weft_output_slot *slot,
                       const struct weft_writer_options *options)
{
    return options->mode == WEFT_OUTPUT_APPEND && slot->existed && !slot->resume && !slot->guest;
}

/* Opens all, in two steps. What is only added to is opened before anything is said to the state:
 * whether it can be added to shows when it is read, and a state must not be bound to outputs that
 * never were. */
static enum weft_status open_all(struct weft_outputs *outs,
                                 const struct weft_writer_options *options,
                                 const struct weft_output_options *each)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        if (joins_file(&outs->slots[i], options)) {
            st = open_one(&outs->slots[i], *each, options->state);
        }
    }
    if (st == WEFT_OK && options->state) {
        st = announce(outs, options);
    }
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        if (!joins_file(&outs->slots[i], options)) {
            st = open_one(&outs->slots[i], *each, options->state);
        }
    }
    return st;
}

static enum weft_status recall_one(void *user, const struct weft_state_url *row)
{
    const struct weft_output_slot *slot = user;
    return slot->format->recall(slot->output, row->url);
}

static enum weft_status recall(const struct weft_outputs *outs,
                               const struct weft_writer_options *options)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && options->state && i < outs->n; i++) {
        if (outs->slots[i].format->recall) {
            st = weft_state_fetched(options->state, recall_one, &outs->slots[i]);
        }
    }
    return st;
}

enum weft_status weft_outputs_open(struct weft_outputs *outs,
                                   const struct weft_writer_options *options,
                                   struct weft_failure *failure)
{
    *outs = (struct weft_outputs){.failure = failure};
    struct weft_output_options each = {
        .mode = options->mode,
        .software = options->software ? options->software : "weft",
        .select_names = options->select_names,
        .nselect = count(options->select_names),
        .rows = options->rows,
        .bodies = options->bodies,
        .failure = failure,
    };
    if (options->state) {
        weft_state_report_to(options->state, failure);
    }
    enum weft_status st = plan(outs, options);
    st = st == WEFT_OK ? ask_formats(outs, each) : st;
    st = st == WEFT_OK ? open_all(outs, options, &each) : st;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        outs->wants |= outs->slots[i].format->wants;
        if (options->bodies && outs->slots[i].format == &weft_format_jsonl) {
            outs->wants |= WEFT_WANTS_BODY;
        }
        outs->need_flush |= outs->slots[i].format->flush != NULL;
    }
    if (st == WEFT_OK) {
        st = recall(outs, options);
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *failure;
        weft_outputs_abandon(outs);
        *failure = first;
        return st;
    }
    outs->state = options->state;
    outs->need_flush |= outs->state != NULL;
    return WEFT_OK;
}

void weft_outputs_abandon(struct weft_outputs *outs)
{
    for (size_t i = 0; i < outs->n; i++) {
        struct weft_output_slot *slot = &outs->slots[i];
        if (slot->output) {
            (void)slot->format->finish(slot->output, false, NULL);
            if (!slot->existed) {
                unlink(slot->path);
            }
        }
    }
    free(outs->slots);
    *outs = (struct weft_outputs){.slots = NULL};
}
