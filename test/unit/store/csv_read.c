/* csv_read.c -- see csv_read.h. */
#include "csv_read.h"

#include "fixture.h"
#include <stdlib.h>
#include <string.h>

static void add(struct csv_table *t, size_t *n, const char *text, size_t len, bool quoted)
{
    if ((*n & (*n - 1)) == 0) { /* full at each power of two */
        t->cells = realloc(t->cells, (*n ? 2 * *n : 1) * sizeof *t->cells);
        must(t->cells, "out of memory");
    }
    t->cells[*n] = (struct csv_cell){.text = strndup(text, len), .quoted = quoted};
    ++*n;
}

/* One cell at bytes[at]; returns where it ends. text is scratch of len bytes. */
static size_t read_cell(struct csv_table *t, size_t *n, const char *bytes, size_t at, size_t len,
                        char *text)
{
    size_t out = 0;
    bool quoted = at < len && bytes[at] == '"';
    if (quoted) {
        for (at++;; at++) {
            must(at < len, "a quote is not closed");
            if (bytes[at] == '"' && (at + 1 == len || bytes[at + 1] != '"')) {
                at++;
                break;
            }
            at += bytes[at] == '"';
            text[out++] = bytes[at];
        }
    } else {
        for (; at < len && bytes[at] != ',' && bytes[at] != '\r'; at++) {
            must(bytes[at] != '"' && bytes[at] != '\n', "a bare quote or newline");
            text[out++] = bytes[at];
        }
    }
    add(t, n, text, out, quoted);
    return at;
}

struct csv_table csv_read(const char *bytes, size_t len)
{
    struct csv_table t = {.cells = NULL};
    size_t n = 0, start = 0;
    char *text = malloc(len + 1);
    must(text, "out of memory");
    for (size_t at = 0; at < len;) {
        at = read_cell(&t, &n, bytes, at, len, text);
        must(at < len, "the last line has no end");
        if (bytes[at] == ',') {
            at++;
            must(at < len, "the last line has no end");
            continue;
        }
        must(bytes[at] == '\r' && at + 1 < len && bytes[at + 1] == '\n',
             "a line ends otherwise than in CRLF at %zu", at);
        at += 2;
        if (t.rows == 0) {
            t.columns = n;
        }
        must(n - start == t.columns, "a line of %zu cells", n - start);
        start = n;
        t.rows++;
    }
    free(text);
    return t;
}

void csv_release(struct csv_table *t)
{
    for (size_t i = 0; i < t->rows * t->columns; i++) {
        free(t->cells[i].text);
    }
    free(t->cells);
}

const struct csv_cell *csv_at(const struct csv_table *t, size_t row, const char *column)
{
    ck_assert_uint_lt(row, t->rows);
    for (size_t i = 0; i < t->columns; i++) {
        if (strcmp(t->cells[i].text, column) == 0) {
            return &t->cells[row * t->columns + i];
        }
    }
    ck_abort_msg("no column %s", column);
}
