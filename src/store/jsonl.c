/* jsonl.c -- JSON Lines: one object a record, one write a line. */
#include "store/file.h"
#include "store/json_record.h"
#include "store/output.h"
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define BLOCK ((size_t)64 << 10)

struct jsonl {
    struct weft_file file;
    struct weft_json *json;
    unsigned parts; /* of enum weft_json_parts */
};

/* Whether what stands from tail on is a whole JSON value: then only its newline is missing. */
static enum weft_status is_whole(struct weft_file *f, off_t tail, bool *whole)
{
    *whole = false;
    yajl_handle parser = yajl_alloc(NULL, NULL, NULL);
    char *block = malloc(BLOCK);
    if (!parser || !block) {
        free(block);
        if (parser) {
            yajl_free(parser);
        }
        return WEFT_ENOMEM;
    }
    enum weft_status st = WEFT_OK;
    yajl_status parsed = yajl_status_ok;
    size_t got = BLOCK;
    for (off_t at = tail; got == BLOCK && parsed == yajl_status_ok; at += (off_t)got) {
        if ((st = weft_file_read(f, at, block, BLOCK, &got)) != WEFT_OK) {
            goto out;
        }
        parsed = yajl_parse(parser, (const unsigned char *)block, got);
    }
    *whole = parsed == yajl_status_ok && yajl_complete_parse(parser) == yajl_status_ok;
out:
    yajl_free(parser);
    free(block);
    return st;
}

/* A process that was killed while it wrote may have left half a line. It is cut off; a line that
 * lacks nothing but its newline gets that. */
static enum weft_status mend(struct weft_file *f)
{
    off_t tail;
    bool whole;
    enum weft_status st = weft_file_tail(f, &tail);
    if (st != WEFT_OK || tail == f->size) {
        return st;
    }
    if ((st = is_whole(f, tail, &whole)) != WEFT_OK) {
        return st;
    }
    return whole ? weft_file_append(f, "\n", 1) : weft_file_cut(f, tail);
}

static enum weft_status finish(struct weft_output *o, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* every line stands for itself */
    (void)summary;
    struct jsonl *out = (struct jsonl *)o;
    enum weft_status st = weft_file_close(&out->file);
    weft_json_free(out->json);
    free(out);
    return st;
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct jsonl *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->file.fd = -1;
    o->parts = (options->rows ? WEFT_JSON_ROWS : 0u) | (options->bodies ? WEFT_JSON_BODY : 0u);
    enum weft_status st = weft_json_new(&o->json);
    if (st == WEFT_OK) {
        st = weft_file_open(&o->file, options->path, options->mode, options->failure);
    }
    if (st == WEFT_OK && options->mode == WEFT_OUTPUT_APPEND && o->file.regular) {
        st = options->resume ? weft_file_resume(&o->file, options->position) : mend(&o->file);
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *options->failure; /* closing may have a sentence too */
        (void)finish((struct weft_output *)o, false, NULL);
        *options->failure = first;
        return st;
    }
    *out = (struct weft_output *)o;
    return WEFT_OK;
}

static enum weft_status write_record(struct weft_output *o, const struct weft_record *record)
{
    struct jsonl *out = (struct jsonl *)o;
    const struct weft_buf *line;
    enum weft_status st = weft_json_record(out->json, record, out->parts, &line);
    if (st != WEFT_OK) {
        return weft_fail_status(out->file.failure, out->file.path, st);
    }
    return weft_file_append(&out->file, line->data, line->len);
}

static int64_t position(struct weft_output *o)
{
    return weft_file_size(&((struct jsonl *)o)->file);
}

const struct weft_format weft_format_jsonl = {
    .suffixes = (const char *const[]){".jsonl", NULL},
    .open = open_file,
    .write = write_record,
    .position = position,
    .finish = finish,
};

static enum weft_status write_change(struct weft_output *o, const struct weft_record *record)
{
    struct jsonl *out = (struct jsonl *)o;
    const struct weft_buf *line;
    if (record->change == WEFT_CHANGE_NONE) {
        return WEFT_OK;
    }
    enum weft_status st = weft_json_change(out->json, record, &line);
    if (st != WEFT_OK) {
        return weft_fail_status(out->file.failure, out->file.path, st);
    }
    return weft_file_append(&out->file, line->data, line->len);
}

const struct weft_format weft_format_changes = {
    .suffixes = (const char *const[]){NULL},
    .open = open_file,
    .write = write_change,
    .position = position,
    .finish = finish,
};
