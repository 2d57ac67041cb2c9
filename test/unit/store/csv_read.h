/* csv_read.h -- a strict reader of RFC 4180: anything that the grammar does not allow is an error.
 * Written for the tests, apart from the code that it judges. */
#ifndef WEFT_TEST_STORE_CSV_READ_H
#define WEFT_TEST_STORE_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

struct csv_cell {
    char *text;  /* what the cell says, without quotes */
    bool quoted; /* written with quotes: tells "" from nothing */
};

struct csv_table {
    struct csv_cell *cells; /* rows * columns of them */
    size_t rows, columns;   /* with the header */
};

/* Reads bytes[0..len). Fails the test when it is not CSV: a bare quote, a line end other than CRLF
 * outside quotes, a line of another length, no CRLF at the end. Release with csv_release. */
struct csv_table csv_read(const char *bytes, size_t len);
void csv_release(struct csv_table *t);
/* The cell of a row (1 is the first below the header) in the named column; the test fails if there
 * is no such column. */
const struct csv_cell *csv_at(const struct csv_table *t, size_t row, const char *column);

#endif
