/* columns.h -- the fields of a record, in order: one table for every output that has columns.
 *
 * The names and the order are those of the command line's documentation. `fields` (from --select)
 * is not among them: each output has its own form for it. Knows records; knows no file format. */
#ifndef WEFT_STORE_COLUMNS_H
#define WEFT_STORE_COLUMNS_H

#include "weft/record.h"

enum weft_cell_kind {
    WEFT_CELL_NULL,
    WEFT_CELL_TEXT,     /* text: may be any bytes but NUL when it came from a header */
    WEFT_CELL_INTEGER,  /* integer */
    WEFT_CELL_REAL,     /* real, and text: the same number in digits, never with an exponent */
    WEFT_CELL_REDIRECTS /* the record's redirects: a list */
};

struct weft_cell {
    enum weft_cell_kind kind;
    const char *text; /* lies in the record, is static, or lies in room */
    int64_t integer;
    double real;
    char room[32];
};

#define WEFT_NCOLUMNS 19

/* The name of column i < WEFT_NCOLUMNS. Static; never NULL. Threads: any. */
const char *weft_column_name(size_t i);

/* Fills *cell with column i of record. Threads: any. */
void weft_column_get(const struct weft_record *record, size_t i, struct weft_cell *cell);

/* Writes ns (since 1970, UTC) as RFC 3339 with milliseconds, "2024-02-29T23:59:59.999Z", into
 * out[0..cap), cap >= 25. Years beyond 9999 are not RFC 3339's: they come out as 9999's end. */
void weft_rfc3339(int64_t ns, char *out, size_t cap);

#endif
