/* dot.c -- the link graph in Graphviz's language: a node a page, an edge a link.
 *
 * A statement a line, so that a file that lacks its end can be mended. Node names are URLs; what
 * would need escaping in a quoted string is percent-encoded, which is the same URL. */
#include "base/limits.h"
#include "store/file.h"
#include "store/graph_name.h"
#include "store/output.h"
#include <stdlib.h>
#include <string.h>

/* strict: two links from one page to another are one edge. */
static const char header[] = "strict digraph weft {\n";
static const char footer[] = "}\n";

struct dot {
    struct weft_file file;
    struct weft_buf lines;   /* what is written at once: all lines of a record */
    struct weft_buf scratch; /* for cleaning a URL */
    bool open_graph;         /* the header is in the file, the footer is not */
};

static enum weft_status put_name(struct dot *o, const char *url)
{
    enum weft_status st = weft_buf_puts(&o->lines, "\"");
    if (st == WEFT_OK) {
        st = weft_graph_name(&o->scratch, &o->lines, url);
    }
    return st == WEFT_OK ? weft_buf_puts(&o->lines, "\"") : st;
}

static enum weft_status put_node(struct dot *o, const struct weft_record *r)
{
    enum weft_status st = put_name(o, r->url);
    if (st == WEFT_OK) {
        st = weft_buf_printf(&o->lines, " [outcome=%s", weft_outcome_name(r->outcome));
    }
    if (st == WEFT_OK && r->status) {
        st = weft_buf_printf(&o->lines, ", status=%d", r->status);
    }
    if (st == WEFT_OK && r->reason) {
        st = weft_buf_printf(&o->lines, ", reason=%s", weft_reason_name(r->reason));
    }
    if (st == WEFT_OK && r->outcome == WEFT_FAILED) {
        st = weft_buf_puts(&o->lines, ", color=red");
    }
    return st == WEFT_OK ? weft_buf_puts(&o->lines, "];\n") : st;
}

static enum weft_status put_edge(struct dot *o, const char *from, const char *to,
                                 const char *attributes)
{
    enum weft_status st = put_name(o, from);
    if (st == WEFT_OK) {
        st = weft_buf_puts(&o->lines, " -> ");
    }
    if (st == WEFT_OK) {
        st = put_name(o, to);
    }
    return st == WEFT_OK ? weft_buf_printf(&o->lines, "%s;\n", attributes) : st;
}

/* A page's links start where its document was found; the way there is an edge of its own. */
static enum weft_status put_record(struct dot *o, const struct weft_record *r)
{
    const char *from = r->final_url ? r->final_url : r->url;
    enum weft_status st = put_node(o, r);
    if (st == WEFT_OK && strcmp(from, r->url) != 0) {
        st = put_edge(o, r->url, from, " [style=dashed]");
    }
    for (unsigned i = 0; st == WEFT_OK && r->links && i < r->nlinks; i++) {
        st = put_edge(o, from, r->links[i].url, r->links[i].nofollow ? " [rel=nofollow]" : "");
    }
    return st;
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *record)
{
    struct dot *o = (struct dot *)out;
    weft_buf_clear(&o->lines);
    enum weft_status st = put_record(o, record);
    if (st != WEFT_OK) {
        return weft_fail_status(o->file.failure, o->file.path, st);
    }
    return weft_file_append(&o->file, o->lines.data, o->lines.len);
}

static enum weft_status begin(struct weft_output *out)
{
    struct dot *o = (struct dot *)out;
    if (o->open_graph) {
        return WEFT_OK;
    }
    enum weft_status st = weft_file_append(&o->file, header, sizeof header - 1);
    o->open_graph = st == WEFT_OK;
    return st;
}

/* Before appending: the footer goes, and so does half a line. Another kind of file is refused. */
static enum weft_status reopen(struct dot *o)
{
    struct weft_file *f = &o->file;
    char start[sizeof header], end[3];
    size_t got;
    off_t tail;
    enum weft_status st = weft_file_read(f, 0, start, sizeof header - 1, &got);
    if (st == WEFT_OK && memcmp(start, header, got) != 0) {
        return weft_fail(f->failure, WEFT_EINVAL, "can't append to %s: it is another kind of file",
                         f->path);
    }
    if (st != WEFT_OK || (st = weft_file_tail(f, &tail)) != WEFT_OK) {
        return st;
    }
    o->open_graph = tail >= (off_t)sizeof header - 1;
    if (o->open_graph) {
        st = weft_file_read(f, tail - (off_t)sizeof end, end, sizeof end, &got);
        if (st == WEFT_OK && memcmp(end, "\n}\n", sizeof end) == 0) {
            tail -= (off_t)sizeof footer - 1;
        }
    }
    return st == WEFT_OK && tail < f->size ? weft_file_cut(f, tail) : st;
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* what was written before a failure is a graph too */
    (void)summary;
    struct dot *o = (struct dot *)out;
    enum weft_status st = WEFT_OK;
    if (o->open_graph) {
        st = weft_file_append(&o->file, footer, sizeof footer - 1);
    }
    struct weft_failure first = *o->file.failure; /* closing may have a sentence too */
    enum weft_status closed = weft_file_close(&o->file);
    if (st != WEFT_OK) {
        *o->file.failure = first;
    }
    weft_buf_release(&o->lines);
    weft_buf_release(&o->scratch);
    free(o);
    return st == WEFT_OK ? closed : st;
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct dot *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    weft_buf_init(&o->lines, WEFT_MAX_WHOLE);
    weft_buf_init(&o->scratch, WEFT_MAX_RECORD);
    enum weft_status st = weft_file_open(&o->file, options->path, options->mode, options->failure);
    if (st == WEFT_OK && options->mode == WEFT_OUTPUT_APPEND && o->file.regular) {
        st = options->resume ? weft_file_resume(&o->file, options->position) : reopen(o);
        o->open_graph = options->resume ? options->position > 0 : o->open_graph;
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *options->failure; /* closing may have a sentence too */
        o->open_graph = false;
        (void)finish((struct weft_output *)o, false, NULL);
        *options->failure = first;
        return st;
    }
    *out = (struct weft_output *)o;
    return WEFT_OK;
}

static int64_t position(struct weft_output *o)
{
    return weft_file_size(&((struct dot *)o)->file);
}

const struct weft_format weft_format_dot = {
    .suffixes = (const char *const[]){".dot", ".gv", NULL},
    .wants = WEFT_WANTS_LINKS,
    .open = open_file,
    .begin = begin,
    .write = write_record,
    .position = position,
    .finish = finish,
};
