/* json_record.h -- a record as JSON text. Knows records and a JSON library; knows no files. */
#ifndef WEFT_STORE_JSON_RECORD_H
#define WEFT_STORE_JSON_RECORD_H

#include "base/buf.h"
#include "weft/record.h"

struct weft_json; /* a JSON generator and its scratch memory */

/* Gives *out. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_json_new(struct weft_json **out) WEFT_MUST_USE;
/* NULL is fine. */
void weft_json_free(struct weft_json *j);

/* What a record holds beyond its fields. */
enum weft_json_parts {
    WEFT_JSON_ROWS = 1, /* `rows`, the list of all rows of --select */
    WEFT_JSON_BODY = 2  /* `content`, the body if it is UTF-8 without NUL, else `content_base64`;
                           null  without a body */
};

/* Gives *text, the record as one JSON object on one line: the fields of the documentation in its
 * order, `fields` last; then what parts ask for. Always valid UTF-8, with no
 * byte that any reader takes for the end of a line but the newline at its end. Lies in j until the
 * next call. WEFT_OK, WEFT_ENOMEM, WEFT_ELIMIT. One thread at a time may use j. */
enum weft_status weft_json_record(struct weft_json *j, const struct weft_record *record,
                                  unsigned parts, const struct weft_buf **text) WEFT_MUST_USE;

/* The same for what a re-crawl says of the record: {"url":"...","change":"gone"} and a newline. */
enum weft_status weft_json_change(struct weft_json *j, const struct weft_record *record,
                                  const struct weft_buf **text) WEFT_MUST_USE;

/* The same for the record's redirects alone, without a newline: [{"status":301,"url":"..."}]. */
enum weft_status weft_json_redirects(struct weft_json *j, const struct weft_record *record,
                                     const struct weft_buf **text) WEFT_MUST_USE;

/* The same for one row of the record, row < nrows: {"NAME":"value" or null,...}. */
enum weft_status weft_json_row(struct weft_json *j, const struct weft_record *record, size_t row,
                               const struct weft_buf **text) WEFT_MUST_USE;

#endif
