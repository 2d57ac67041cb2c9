/* outputs.c -- see outputs.h. */
#include "store/outputs.h"

#include "store/file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct weft_output_slot {
    const struct weft_format *format;
    struct weft_output *output; /* NULL: not open */
    const char *path;           /* borrowed until all are open */
    bool existed;               /* before it was opened */
};

/* Whether two names are one file, as far as can be told before they are created. */
static bool same_file(const char *a, const char *b)
{
    struct stat s, t;
    return strcmp(a, b) == 0 || (stat(a, &s) == 0 && stat(b, &t) == 0 && S_ISREG(s.st_mode) &&
                                 s.st_dev == t.st_dev && s.st_ino == t.st_ino);
}

static enum weft_status probe(struct weft_outputs *outs, size_t i,
                              const struct weft_writer_options *options,
                              struct weft_failure *failure)
{
    struct weft_output_slot *slot = &outs->slots[i];
    /* Where standard output is a file, that name is a file that exists; "-" is what is meant. */
    slot->path = strcmp(options->paths[i], "/dev/stdout") == 0 ? "-" : options->paths[i];
    slot->format = weft_format_for(slot->path);
    if (!slot->format) {
        char known[128];
        weft_format_list(known, sizeof known);
        return weft_fail(failure, WEFT_EINVAL, "%s: its name says no format; known are %s",
                         slot->path, known);
    }
    for (size_t k = 0; k < i; k++) {
        if (same_file(outs->slots[k].path, slot->path)) {
            return weft_fail(failure, WEFT_EINVAL, "%s is given twice as an output", slot->path);
        }
    }
    if (strcmp(slot->path, "-") == 0) {
        slot->existed = true;
        return WEFT_OK;
    }
    return weft_file_probe(slot->path, options->mode, &slot->existed, failure);
}

static size_t count(const char *const *list)
{
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    return n;
}

/* Makes the slots, and looks whether each path could be opened. */
static enum weft_status plan(struct weft_outputs *outs, const struct weft_writer_options *options)
{
    size_t npaths = count(options->paths);
    outs->slots = calloc(npaths + 1, sizeof *outs->slots);
    if (!outs->slots) {
        return weft_fail(outs->failure, WEFT_ENOMEM, "%s", weft_strerror(WEFT_ENOMEM));
    }
    size_t n = 0;
    for (; n < npaths; n++) {
        enum weft_status st = probe(outs, n, options, outs->failure);
        if (st != WEFT_OK) {
            return st;
        }
    }
    if (options->save_dir) {
        outs->slots[n++] = (struct weft_output_slot){
            .format = &weft_format_save, .path = options->save_dir, .existed = true};
    }
    outs->n = n;
    return WEFT_OK;
}

static enum weft_status open_one(struct weft_output_slot *slot, struct weft_output_options *options)
{
    struct weft_failure *failure = options->failure;
    options->path = slot->path;
    failure->text[0] = '\0';
    enum weft_status st = slot->format->open(&slot->output, options);
    if (st != WEFT_OK && !failure->text[0]) {
        (void)weft_fail(failure, st, "can't open %s: %s", slot->path, weft_strerror(st));
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
        .failure = failure,
    };
    enum weft_status st = plan(outs, options);
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        st = open_one(&outs->slots[i], &each);
        outs->wants |= outs->slots[i].format->wants;
        outs->need_flush |= outs->slots[i].format->flush != NULL;
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *failure;
        weft_outputs_abandon(outs);
        *failure = first;
    }
    return st;
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

enum weft_status weft_outputs_begin(struct weft_outputs *outs)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        st = slot->format->begin ? slot->format->begin(slot->output) : WEFT_OK;
    }
    return st;
}

enum weft_status weft_outputs_write(struct weft_outputs *outs, const struct weft_record *record)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        st = outs->slots[i].format->write(outs->slots[i].output, record);
    }
    return st;
}

enum weft_status weft_outputs_flush(struct weft_outputs *outs)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        st = slot->format->flush ? slot->format->flush(slot->output) : WEFT_OK;
    }
    return st;
}

enum weft_status weft_outputs_finish(struct weft_outputs *outs, bool complete,
                                     const struct weft_run_summary *summary)
{
    enum weft_status first = WEFT_OK;
    struct weft_failure sentence;
    for (size_t i = 0; i < outs->n; i++) {
        const struct weft_output_slot *slot = &outs->slots[i];
        enum weft_status st = slot->format->finish(slot->output, complete, summary);
        if (st != WEFT_OK && first == WEFT_OK) {
            first = st;
            sentence = *outs->failure;
        }
    }
    if (first != WEFT_OK) {
        *outs->failure = sentence;
    }
    free(outs->slots);
    outs->slots = NULL;
    outs->n = 0;
    return first;
}
