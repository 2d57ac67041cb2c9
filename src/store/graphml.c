/* graphml.c -- the link graph in XML: a node a page, an edge a link.
 *
 * GraphML has no way to say a thing twice: a node is written when its page is recorded, an edge
 * when it is found, and pages that were linked to and never recorded get their nodes at the end.
 * What must be known for that is in graph_nodes.c; when a file is gone on with, it is read from
 * there. */
#include "base/limits.h"
#include "store/file.h"
#include "store/graph_name.h"
#include "store/graph_nodes.h"
#include "store/graphml_xml.h"
#include "store/output.h"
#include <stdlib.h>
#include <string.h>

#define READ_BLOCK ((size_t)256 << 10)

struct graphml {
    struct weft_file file;
    struct weft_graph_nodes *nodes;
    struct weft_graphml_xml *xml;
    struct weft_buf name, scratch;
    char *head; /* of every such file */
    size_t head_len;
    bool open_graph; /* the head is in the file, the end is not */
};

/* Other failures have left their sentence. */
static enum weft_status tell(struct graphml *o, enum weft_status st)
{
    return st == WEFT_ENOMEM || st == WEFT_ELIMIT
               ? weft_fail_status(o->file.failure, o->file.path, st)
               : st;
}

static enum weft_status append_lines(struct graphml *o)
{
    size_t len;
    const char *lines = weft_graphml_xml_take(o->xml, &len);
    return lines ? weft_file_append(&o->file, lines, len) : tell(o, WEFT_ENOMEM);
}

/* Looks a URL up; its name is o->name until the next one is. */
static enum weft_status find(struct graphml *o, const char *url, int64_t *id,
                             enum weft_graph_known *known)
{
    weft_buf_clear(&o->name);
    enum weft_status st = weft_buf_append(&o->name, "", 0);
    if (st == WEFT_OK) {
        st = weft_graph_name(&o->scratch, &o->name, url);
    }
    return st == WEFT_OK ? weft_graph_nodes_find(o->nodes, o->name.data, id, known) : st;
}

static enum weft_status put_edge(struct graphml *o, int64_t from, const char *to, int64_t *to_id,
                                 bool redirect, bool nofollow)
{
    enum weft_graph_known known;
    bool is_new = false;
    enum weft_status st = find(o, to, to_id, &known);
    if (st == WEFT_OK) {
        st = weft_graph_nodes_edge(o->nodes, from, *to_id, &is_new);
    }
    return st == WEFT_OK && is_new
               ? weft_graphml_xml_edge(o->xml, from, *to_id,
                                       known == WEFT_GRAPH_NEW ? o->name.data : NULL, redirect,
                                       nofollow)
               : st;
}

/* A page's links start where its document was found; the way there is an edge of its own. */
static enum weft_status put_record(struct graphml *o, const struct weft_record *r, int64_t *id)
{
    enum weft_graph_known known;
    enum weft_status st = find(o, r->url, id, &known);
    if (st == WEFT_OK && known != WEFT_GRAPH_WRITTEN) {
        st = weft_graphml_xml_node(o->xml, *id, o->name.data, r);
    }
    int64_t from = *id, to;
    if (st == WEFT_OK && r->final_url && strcmp(r->final_url, r->url) != 0) {
        st = put_edge(o, *id, r->final_url, &from, true, false);
    }
    for (unsigned i = 0; st == WEFT_OK && r->links && i < r->nlinks; i++) {
        st = put_edge(o, from, r->links[i].url, &to, false, r->links[i].nofollow);
    }
    return st;
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *record)
{
    struct graphml *o = (struct graphml *)out;
    int64_t id = 0;
    enum weft_status st = tell(o, put_record(o, record, &id));
    if (st == WEFT_OK) {
        st = append_lines(o);
    }
    return st == WEFT_OK ? weft_graph_nodes_written(o->nodes, id) : st;
}

static enum weft_status begin(struct weft_output *out)
{
    struct graphml *o = (struct graphml *)out;
    if (o->open_graph) {
        return WEFT_OK;
    }
    enum weft_status st = weft_file_append(&o->file, o->head, o->head_len);
    o->open_graph = st == WEFT_OK;
    return st;
}

static enum weft_status recall_line(struct graphml *o, const char *line, size_t len)
{
    struct weft_graphml_line l;
    bool is_new;
    enum weft_status st = weft_graphml_xml_read(line, len, &l);
    if (st == WEFT_OK && l.is_edge) {
        st = weft_graph_nodes_edge(o->nodes, l.id, l.target, &is_new);
    }
    if (st == WEFT_OK && l.name) {
        st = weft_graph_nodes_recall(o->nodes, l.is_edge ? l.target : l.id, l.name, !l.is_edge);
    }
    free(l.name);
    return st;
}

static enum weft_status refuse(struct graphml *o, off_t at)
{
    return weft_fail(o->file.failure, WEFT_EINVAL,
                     "can't append to %s: it is no graph that was written here, from byte %lld on",
                     o->file.path, (long long)at);
}

/* Takes the whole lines of bytes[0..len), which stand at *at, and moves *at behind them. *end: the
 * comment that begins the end was met. */
static enum weft_status recall_lines(struct graphml *o, const char *bytes, size_t len, off_t *at,
                                     bool *end)
{
    static const char marker[] = "<!--" WEFT_GRAPHML_END "-->";
    enum weft_status st = WEFT_OK;
    for (const char *stop; st == WEFT_OK && (stop = memchr(bytes, '\n', len));) {
        size_t line = (size_t)(stop - bytes);
        *end = line == sizeof marker - 1 && memcmp(bytes, marker, line) == 0;
        st = *end ? WEFT_OK : recall_line(o, bytes, line);
        if (*end || st != WEFT_OK) {
            break;
        }
        *at += (off_t)line + 1;
        bytes += line + 1;
        len -= line + 1;
    }
    return st == WEFT_ESYNTAX ? refuse(o, *at) : tell(o, st);
}

/* Reads the file from the end of the head on, up to its end, a torn line or `until`; *at is where
 * that is. */
static enum weft_status recall_file(struct graphml *o, off_t until, off_t *at)
{
    struct weft_buf block;
    size_t want = READ_BLOCK, got = 0;
    bool end = false;
    enum weft_status st = WEFT_OK;
    weft_buf_init(&block, WEFT_MAX_RECORD);
    while (st == WEFT_OK && !end && *at < until) {
        off_t was = *at;
        st = tell(o, weft_buf_reserve(&block, want));
        if (st == WEFT_OK) {
            size_t most = until - was < (off_t)want ? (size_t)(until - was) : want;
            st = weft_file_read(&o->file, was, block.data, most, &got);
        }
        if (st == WEFT_OK) {
            st = recall_lines(o, block.data, got, at, &end);
        }
        if (*at == was && st == WEFT_OK) { /* not one whole line: a long one, or the last */
            if (got < want) {
                break;
            }
            want *= 2;
        }
    }
    weft_buf_release(&block);
    return st;
}

/* Before appending, or going on behind `until`: what is there is learnt, and the end goes, and half
 * a line. Another kind of file is refused. */
static enum weft_status reopen(struct graphml *o, off_t until)
{
    struct weft_file *f = &o->file;
    size_t got;
    char *start = malloc(o->head_len);
    if (!start) {
        return tell(o, WEFT_ENOMEM);
    }
    enum weft_status st = weft_file_read(f, 0, start, o->head_len, &got);
    if (st == WEFT_OK && memcmp(start, o->head, got) != 0) {
        st = weft_fail(f->failure, WEFT_EINVAL, "can't append to %s: it is another kind of file",
                       f->path);
    }
    free(start);
    if (st != WEFT_OK) {
        return st;
    }
    off_t at = 0;
    if (got == o->head_len) {
        at = (off_t)o->head_len;
        o->open_graph = true;
        st = recall_file(o, until, &at);
    }
    return st == WEFT_OK && at < f->size ? weft_file_cut(f, at) : st;
}

static enum weft_status put_lacking(void *user, int64_t id, const char *name)
{
    struct graphml *o = user;
    enum weft_status st = tell(o, weft_graphml_xml_node(o->xml, id, name, NULL));
    return st == WEFT_OK ? append_lines(o) : st;
}

static enum weft_status put_end(struct graphml *o)
{
    size_t len;
    (void)weft_graphml_xml_take(o->xml, &len); /* of a record that failed */
    enum weft_status st = tell(o, weft_graphml_xml_mark_end(o->xml));
    if (st == WEFT_OK) {
        st = weft_graph_nodes_lacking(o->nodes, put_lacking, o);
    }
    if (st == WEFT_OK) {
        st = tell(o, weft_graphml_xml_end(o->xml));
    }
    return st == WEFT_OK ? append_lines(o) : st;
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* what was written before a failure is a graph too */
    (void)summary;
    struct graphml *o = (struct graphml *)out;
    enum weft_status st = o->open_graph ? put_end(o) : WEFT_OK;
    struct weft_failure first = *o->file.failure; /* closing may have a sentence too */
    enum weft_status closed = weft_file_close(&o->file);
    if (st != WEFT_OK) {
        *o->file.failure = first;
    }
    weft_graph_nodes_free(o->nodes);
    weft_graphml_xml_free(o->xml);
    weft_buf_release(&o->name);
    weft_buf_release(&o->scratch);
    free(o->head);
    free(o);
    return st == WEFT_OK ? closed : st;
}

static enum weft_status open_parts(struct graphml *o, const struct weft_output_options *options)
{
    enum weft_status st = weft_graphml_xml_new(&o->xml);
    const char *head = st == WEFT_OK ? weft_graphml_xml_take(o->xml, &o->head_len) : NULL;
    o->head = head ? strndup(head, o->head_len) : NULL;
    if (!o->head) {
        return tell(o, WEFT_ENOMEM);
    }
    st = tell(o, weft_graph_nodes_new(&o->nodes, options->path, options->failure));
    if (st == WEFT_OK) {
        st = weft_file_open(&o->file, options->path, options->mode, options->failure);
    }
    if (st != WEFT_OK || options->mode != WEFT_OUTPUT_APPEND || !o->file.regular) {
        return st;
    }
    if (options->resume) {
        st = weft_file_resume(&o->file, options->position);
    }
    return st == WEFT_OK ? reopen(o, o->file.size) : st;
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct graphml *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->file = (struct weft_file){.path = options->path, .fd = -1, .failure = options->failure};
    weft_buf_init(&o->name, WEFT_MAX_RECORD);
    weft_buf_init(&o->scratch, WEFT_MAX_RECORD);
    enum weft_status st = open_parts(o, options);
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
    return weft_file_size(&((struct graphml *)o)->file);
}

const struct weft_format weft_format_graphml = {
    .suffixes = (const char *const[]){".graphml", NULL},
    .wants = WEFT_WANTS_LINKS,
    .open = open_file,
    .begin = begin,
    .write = write_record,
    .position = position,
    .finish = finish,
};
