/* json_record.c -- see json_record.h.
 *
 * Strings go through yajl, which escapes them, after utf8.c has made them UTF-8. yajl writes into
 * our bounded buffer, so that running out of memory is ours to notice: its own buffer would not. */
#include "store/json_record.h"

#include "base/limits.h"
#include "store/columns.h"
#include "store/json_safe.h"
#include "store/utf8.h"
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

struct weft_json {
    yajl_gen gen;
    struct weft_buf out;     /* what yajl has written */
    struct weft_buf escaped; /* out, where it had characters that are better not written raw */
    struct weft_buf scratch; /* for cleaning a string */
    enum weft_status st;     /* the first failure; nothing is written after it */
};

static void printed(void *ctx, const char *bytes, size_t len)
{
    struct weft_json *j = ctx;
    if (j->st == WEFT_OK) {
        j->st = weft_buf_append(&j->out, bytes, len);
    }
}

/* yajl refuses what would not be JSON: here always a mistake of this file's. */
static void note(struct weft_json *j, yajl_gen_status status)
{
    if (status != yajl_gen_status_ok && j->st == WEFT_OK) {
        j->st = WEFT_EINVAL;
    }
}

enum weft_status weft_json_new(struct weft_json **out)
{
    *out = NULL;
    struct weft_json *j = calloc(1, sizeof *j);
    if (!j) {
        return WEFT_ENOMEM;
    }
    weft_buf_init(&j->out, WEFT_MAX_WHOLE);
    weft_buf_init(&j->escaped, WEFT_MAX_WHOLE);
    weft_buf_init(&j->scratch, WEFT_MAX_WHOLE);
    j->gen = yajl_gen_alloc(NULL);
    if (!j->gen) {
        free(j);
        return WEFT_ENOMEM;
    }
    yajl_gen_config(j->gen, yajl_gen_print_callback, printed, j);
    yajl_gen_config(j->gen, yajl_gen_validate_utf8, 1);
    *out = j;
    return WEFT_OK;
}

void weft_json_free(struct weft_json *j)
{
    if (!j) {
        return;
    }
    yajl_gen_free(j->gen);
    weft_buf_release(&j->out);
    weft_buf_release(&j->escaped);
    weft_buf_release(&j->scratch);
    free(j);
}

static void put_text(struct weft_json *j, const char *text)
{
    if (!text) {
        note(j, yajl_gen_null(j->gen));
        return;
    }
    const char *clean;
    size_t len;
    enum weft_status st = weft_utf8_clean(&j->scratch, text, strlen(text), &clean, &len);
    if (st != WEFT_OK) {
        /* The generator needs its value all the same, or what follows would be refused too. */
        j->st = j->st == WEFT_OK ? st : j->st;
        note(j, yajl_gen_null(j->gen));
        return;
    }
    note(j, yajl_gen_string(j->gen, (const unsigned char *)clean, len));
}

static void put_base64(struct weft_json *j, const char *bytes, size_t len)
{
    size_t size = BASE64_ENCODE_RAW_LENGTH(len);
    weft_buf_clear(&j->scratch);
    enum weft_status st = weft_buf_reserve(&j->scratch, size);
    put_text(j, "content_base64");
    if (st != WEFT_OK) {
        j->st = j->st == WEFT_OK ? st : j->st;
        note(j, yajl_gen_null(j->gen));
        return;
    }
    base64_encode_raw(j->scratch.data, len, (const uint8_t *)bytes);
    note(j, yajl_gen_string(j->gen, (const unsigned char *)j->scratch.data, size));
}

/* The body as it is: as text if that says every byte. */
static void put_body(struct weft_json *j, const struct weft_record *record)
{
    const char *clean = NULL;
    size_t len = record->body_len;
    if (!record->body || record->unwanted) {
        put_text(j, "content");
        put_text(j, NULL);
        return;
    }
    bool plain = !memchr(record->body, '\0', len) &&
                 weft_utf8_clean(&j->scratch, record->body, len, &clean, &len) == WEFT_OK;
    if (!plain || clean != record->body) {
        put_base64(j, record->body, record->body_len);
        return;
    }
    put_text(j, "content");
    note(j, yajl_gen_string(j->gen, (const unsigned char *)clean, len));
}

static void put_redirects(struct weft_json *j, const struct weft_record *record)
{
    note(j, yajl_gen_array_open(j->gen));
    for (size_t i = 0; i < record->nredirects; i++) {
        note(j, yajl_gen_map_open(j->gen));
        put_text(j, "status");
        note(j, yajl_gen_integer(j->gen, record->redirects[i].status));
        put_text(j, "url");
        put_text(j, record->redirects[i].url);
        note(j, yajl_gen_map_close(j->gen));
    }
    note(j, yajl_gen_array_close(j->gen));
}

static void put_row(struct weft_json *j, const struct weft_record *record, size_t row)
{
    const struct weft_record_field *fields = record->fields + row * record->nselect;
    note(j, yajl_gen_map_open(j->gen));
    for (size_t i = 0; row < record->nrows && i < record->nselect; i++) {
        put_text(j, fields[i].name);
        put_text(j, fields[i].value);
    }
    note(j, yajl_gen_map_close(j->gen));
}

static void put_cell(struct weft_json *j, const struct weft_record *record,
                     const struct weft_cell *cell)
{
    switch (cell->kind) {
    case WEFT_CELL_NULL:
        put_text(j, NULL);
        break;
    case WEFT_CELL_TEXT:
        put_text(j, cell->text);
        break;
    case WEFT_CELL_INTEGER:
        note(j, yajl_gen_integer(j->gen, cell->integer));
        break;
    case WEFT_CELL_REAL:
        note(j, yajl_gen_number(j->gen, cell->text, strlen(cell->text)));
        break;
    case WEFT_CELL_REDIRECTS:
        put_redirects(j, record);
        break;
    }
}

static void begin(struct weft_json *j)
{
    yajl_gen_reset(j->gen, NULL);
    weft_buf_clear(&j->out);
    j->st = WEFT_OK;
}

static enum weft_status finish(struct weft_json *j, const struct weft_buf **text)
{
    *text = NULL;
    if (j->st != WEFT_OK) {
        return j->st;
    }
    if (weft_json_is_safe(j->out.data, j->out.len)) {
        *text = &j->out;
        return WEFT_OK;
    }
    weft_buf_clear(&j->escaped);
    enum weft_status st = weft_json_put_safe(&j->escaped, j->out.data, j->out.len);
    *text = st == WEFT_OK ? &j->escaped : NULL;
    return st;
}

enum weft_status weft_json_record(struct weft_json *j, const struct weft_record *record,
                                  unsigned parts, const struct weft_buf **text)
{
    begin(j);
    note(j, yajl_gen_map_open(j->gen));
    for (size_t i = 0; i < WEFT_NCOLUMNS; i++) {
        struct weft_cell cell;
        weft_column_get(record, i, &cell);
        put_text(j, weft_column_name(i));
        put_cell(j, record, &cell);
    }
    put_text(j, "fields");
    put_row(j, record, 0);
    if (parts & WEFT_JSON_ROWS) {
        put_text(j, "rows");
        note(j, yajl_gen_array_open(j->gen));
        for (size_t i = 0; i < record->nrows; i++) {
            put_row(j, record, i);
        }
        note(j, yajl_gen_array_close(j->gen));
    }
    if (parts & WEFT_JSON_BODY) {
        put_body(j, record);
    }
    note(j, yajl_gen_map_close(j->gen));
    printed(j, "\n", 1);
    return finish(j, text);
}

enum weft_status weft_json_change(struct weft_json *j, const struct weft_record *record,
                                  const struct weft_buf **text)
{
    begin(j);
    note(j, yajl_gen_map_open(j->gen));
    put_text(j, "url");
    put_text(j, record->url);
    put_text(j, "change");
    put_text(j, weft_change_name(record->change));
    note(j, yajl_gen_map_close(j->gen));
    printed(j, "\n", 1);
    return finish(j, text);
}

enum weft_status weft_json_redirects(struct weft_json *j, const struct weft_record *record,
                                     const struct weft_buf **text)
{
    begin(j);
    put_redirects(j, record);
    return finish(j, text);
}

enum weft_status weft_json_row(struct weft_json *j, const struct weft_record *record, size_t row,
                               const struct weft_buf **text)
{
    begin(j);
    put_row(j, record, row);
    return finish(j, text);
}
