/* csv.c -- comma-separated values after RFC 4180: a header row, CRLF, quotes where they are needed.
 *
 * With --row a line is a row of a page: its URL and the selected values. Otherwise a line is a
 * page: the columns of a record, then the selected values. No cell starts in a way that makes a
 * spreadsheet run it. */
#include "base/limits.h"
#include "store/columns.h"
#include "store/file.h"
#include "store/json_record.h"
#include "store/output.h"
#include "store/utf8.h"
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)64 << 10)

struct csv {
    struct weft_file file;
    struct weft_json *json;  /* for the redirects, which are a list in a cell */
    struct weft_buf line;    /* what is written at once: all lines of a record */
    struct weft_buf scratch; /* for cleaning a text */
    bool rows;
    size_t nselect;
    bool has_header; /* the file began with one when it was opened */
};

/* Whether a spreadsheet would take the cell for a formula: OWASP's list for CSV injection, with the
 * full-width forms of = + - @. */
static bool is_formula(const char *text, size_t len)
{
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                       "\xef\xbc\xa0"};
    if (len > 0 && strchr("=+-@\t\r\n", text[0])) {
        return true;
    }
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        if (len >= 3 && memcmp(text, wide[i], 3) == 0) {
            return true;
        }
    }
    return false;
}

/* Appends a cell and what must stand before it. An empty text is "", so that it is told from a
 * cell without a value. */
static enum weft_status put_text(struct csv *o, const char *text, bool first)
{
    const char *clean;
    size_t len;
    enum weft_status st = first ? WEFT_OK : weft_buf_append(&o->line, ",", 1);
    if (st != WEFT_OK || !text) {
        return st;
    }
    if ((st = weft_utf8_clean(&o->scratch, text, strlen(text), &clean, &len)) != WEFT_OK) {
        return st;
    }
    bool formula = is_formula(clean, len);
    if (len > 0 && !formula && !strpbrk(text, ",\"\r\n")) {
        return weft_buf_append(&o->line, clean, len);
    }
    st = weft_buf_puts(&o->line, formula ? "\"'" : "\"");
    const char *end = clean + len;
    for (const char *quote; st == WEFT_OK && (quote = memchr(clean, '"', (size_t)(end - clean)));
         clean = quote + 1) {
        st = weft_buf_append(&o->line, clean, (size_t)(quote - clean));
        if (st == WEFT_OK) {
            st = weft_buf_puts(&o->line, "\"\"");
        }
    }
    if (st == WEFT_OK) {
        st = weft_buf_append(&o->line, clean, (size_t)(end - clean));
    }
    return st == WEFT_OK ? weft_buf_append(&o->line, "\"", 1) : st;
}

static enum weft_status put_column(struct csv *o, const struct weft_record *record, size_t i)
{
    struct weft_cell cell;
    const struct weft_buf *list;
    enum weft_status st;
    weft_column_get(record, i, &cell);
    switch (cell.kind) {
    case WEFT_CELL_NULL:
        return put_text(o, NULL, i == 0);
    case WEFT_CELL_TEXT:
        return put_text(o, cell.text, i == 0);
    case WEFT_CELL_INTEGER:
        return weft_buf_printf(&o->line, "%s%lld", i == 0 ? "" : ",", (long long)cell.integer);
    case WEFT_CELL_REAL:
        return weft_buf_printf(&o->line, "%s%s", i == 0 ? "" : ",", cell.text);
    case WEFT_CELL_REDIRECTS:
        st = weft_json_redirects(o->json, record, &list);
        return st == WEFT_OK ? put_text(o, list->data, i == 0) : st;
    }
    return WEFT_OK;
}

/* The columns before the selected ones: with --row, the page's URL alone. */
static size_t page_columns(const struct csv *o)
{
    return o->rows ? 1 : WEFT_NCOLUMNS;
}

static enum weft_status put_line(struct csv *o, const struct weft_record *record, size_t row)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; st == WEFT_OK && i < page_columns(o); i++) {
        st = put_column(o, record, i);
    }
    for (size_t i = 0; st == WEFT_OK && i < o->nselect; i++) {
        bool there = row < record->nrows && i < record->nselect;
        st = put_text(o, there ? record->fields[row * record->nselect + i].value : NULL, false);
    }
    return st == WEFT_OK ? weft_buf_puts(&o->line, "\r\n") : st;
}

/* A selected name that is also a page column's gets a prefix: no two columns have one name. */
static enum weft_status put_header(struct csv *o, const char *const *names)
{
    enum weft_status st = WEFT_OK;
    struct weft_buf prefixed;
    weft_buf_init(&prefixed, WEFT_MAX_RECORD);
    for (size_t i = 0; st == WEFT_OK && i < page_columns(o); i++) {
        st = put_text(o, weft_column_name(i), i == 0);
    }
    for (size_t i = 0; st == WEFT_OK && i < o->nselect; i++) {
        bool taken = false;
        for (size_t k = 0; k < page_columns(o); k++) {
            taken |= strcmp(names[i], weft_column_name(k)) == 0;
        }
        weft_buf_clear(&prefixed);
        st = weft_buf_printf(&prefixed, "%s%s", taken ? "fields." : "", names[i]);
        if (st == WEFT_OK) {
            st = put_text(o, prefixed.data, false);
        }
    }
    weft_buf_release(&prefixed);
    return st == WEFT_OK ? weft_buf_puts(&o->line, "\r\n") : st;
}

/* Finds where the last whole line ends. A newline within quotes ends no line, so the whole file is
 * read; an escaped quote is two and changes nothing. block is scratch of BLOCK bytes. */
static enum weft_status find_end(struct weft_file *f, char *block, off_t *end)
{
    bool quoted = false;
    size_t got = BLOCK;
    *end = 0;
    for (off_t at = 0; got == BLOCK; at += (off_t)got) {
        enum weft_status st = weft_file_read(f, at, block, BLOCK, &got);
        if (st != WEFT_OK) {
            return st;
        }
        for (size_t i = 0; i < got; i++) {
            quoted ^= block[i] == '"';
            if (block[i] == '\n' && !quoted) {
                *end = at + (off_t)i + 1;
            }
        }
    }
    return WEFT_OK;
}

/* Before appending: the columns must be the same, and half a line at the end is cut off. The header
 * stands in o->line. */
static enum weft_status mend(struct csv *o)
{
    struct weft_file *f = &o->file;
    size_t want = o->line.len, got;
    char *block = malloc(BLOCK > want ? BLOCK : want);
    if (!block) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_file_read(f, 0, block, want, &got);
    if (st == WEFT_OK && memcmp(block, o->line.data, got) != 0) {
        st = weft_fail(f->failure, WEFT_EINVAL,
                       "can't append to %s: its first line has other columns", f->path);
    }
    off_t end = 0;
    if (st == WEFT_OK && got == want) {
        o->has_header = true;
        st = find_end(f, block, &end);
    }
    if (st == WEFT_OK && end < f->size) {
        st = weft_file_cut(f, end);
    }
    free(block);
    return st;
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* every line stands for itself */
    (void)summary;
    struct csv *o = (struct csv *)out;
    enum weft_status st = weft_file_close(&o->file);
    weft_json_free(o->json);
    weft_buf_release(&o->line);
    weft_buf_release(&o->scratch);
    free(o);
    return st;
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct csv *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    o->file.fd = -1;
    o->rows = options->rows;
    o->nselect = options->nselect;
    weft_buf_init(&o->line, WEFT_MAX_RECORD);
    weft_buf_init(&o->scratch, WEFT_MAX_RECORD);
    enum weft_status st = weft_json_new(&o->json);
    if (st == WEFT_OK) {
        st = put_header(o, options->select_names);
    }
    if (st == WEFT_OK) {
        st = weft_file_open(&o->file, options->path, options->mode, options->failure);
    }
    if (st == WEFT_OK && options->mode == WEFT_OUTPUT_APPEND && o->file.regular) {
        st = options->resume ? weft_file_resume(&o->file, options->position) : mend(o);
        o->has_header = options->resume ? options->position > 0 : o->has_header;
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

static enum weft_status begin(struct weft_output *out)
{
    struct csv *o = (struct csv *)out;
    return o->has_header ? WEFT_OK : weft_file_append(&o->file, o->line.data, o->line.len);
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *record)
{
    struct csv *o = (struct csv *)out;
    enum weft_status st = WEFT_OK;
    size_t lines = o->rows || record->nrows > 1 ? record->nrows : 1;
    weft_buf_clear(&o->line);
    for (size_t i = 0; st == WEFT_OK && i < lines; i++) {
        st = put_line(o, record, i);
    }
    if (st != WEFT_OK) {
        return weft_fail_status(o->file.failure, o->file.path, st);
    }
    return weft_file_append(&o->file, o->line.data, o->line.len);
}

static int64_t position(struct weft_output *o)
{
    return weft_file_size(&((struct csv *)o)->file);
}

const struct weft_format weft_format_csv = {
    .suffixes = (const char *const[]){".csv", NULL},
    .open = open_file,
    .begin = begin,
    .write = write_record,
    .position = position,
    .finish = finish,
};
