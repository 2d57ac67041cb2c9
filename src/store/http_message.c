/* http_message.c -- see http_message.h. */
#include "store/http_message.h"

#include <string.h>
#include <strings.h>

/* The line at at: gives its length without its end, returns where the next one starts; NULL if it
 * has no end. A bare newline ends a line too (RFC 9112, 2.2). */
static const char *next_line(const char *at, const char *end, size_t *len)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline) {
        return NULL;
    }
    *len = (size_t)(newline - at);
    if (*len > 0 && at[*len - 1] == '\r') {
        --*len;
    }
    return newline + 1;
}

static bool interim(const char *line, size_t len)
{
    const char *space = memchr(line, ' ', len);
    return space && (size_t)(line + len - space) >= 4 && space[1] == '1' &&
           memcmp(space + 1, "101", 3) != 0;
}

/* Looks at one field line for Transfer-Encoding. */
static void note_field(struct weft_http_message *m, const char *line, size_t len)
{
    static const char name[] = "transfer-encoding:";
    const size_t n = sizeof name - 1;
    if (len < n || strncasecmp(line, name, n) != 0) {
        return;
    }
    const char *end = line + len;
    for (const char *at = line + n; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        while (at < stop && (*at == ' ' || *at == '\t')) {
            at++;
        }
        const char *last = stop;
        while (last > at && (last[-1] == ' ' || last[-1] == '\t')) {
            last--;
        }
        if (last - at == 7 && strncasecmp(at, "chunked", 7) == 0) {
            m->chunked = true;
        } else if (last > at && !(last - at == 8 && strncasecmp(at, "identity", 8) == 0)) {
            m->other_coding = true;
        }
        at = stop + 1;
    }
}

bool weft_http_split(struct weft_http_message *m, const char *bytes, size_t len)
{
    const char *end = bytes + len;
    const char *at = bytes;
    for (;;) {
        size_t n;
        *m = (struct weft_http_message){.start = at};
        const char *next = next_line(at, end, &n);
        if (!next || n < 5 || memcmp(at, "HTTP/", 5) != 0) {
            return false;
        }
        bool skip = interim(at, n);
        do {
            at = next;
            if (!(next = next_line(at, end, &n))) {
                return false;
            }
            note_field(m, at, n);
        } while (n > 0);
        at = next;
        if (!skip) {
            m->header_len = (size_t)(at - m->start);
            m->body = at;
            m->body_len = (size_t)(end - at);
            return true;
        }
    }
}

/* The size that a chunk's first line says; false if it says none. */
static bool chunk_size(const char *line, size_t len, size_t *size)
{
    size_t i = 0;
    *size = 0;
    for (; i < len && *size <= (size_t)-1 / 32; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = line[i] ? strchr(digits, line[i] | 0x20) : NULL;
        if (!digit) {
            break;
        }
        *size = *size * 16 + (size_t)(digit - digits);
    }
    return i > 0 && (i == len || strchr("; \t", line[i]));
}

bool weft_http_next_piece(const struct weft_http_message *m, size_t *at, const char **piece,
                          size_t *piece_len, bool *whole)
{
    const char *end = m->body + m->body_len;
    const char *line = m->body + *at;
    size_t len, size;
    if (!m->chunked) {
        *whole = true;
        *piece = line;
        *piece_len = (size_t)(end - line);
        *at = m->body_len;
        return *piece_len > 0;
    }
    *whole = false;
    if (*at > 0) { /* behind a chunk's bytes stands the end of its line */
        line = next_line(line, end, &len);
        if (!line || len > 0) {
            return false;
        }
    }
    const char *data = next_line(line, end, &len);
    if (!data || !chunk_size(line, len, &size)) {
        return false;
    }
    if (size == 0) {
        *whole = true; /* only trailers may follow */
        return false;
    }
    *piece = data;
    *piece_len = size < (size_t)(end - data) ? size : (size_t)(end - data);
    *at = (size_t)(data - m->body) + *piece_len;
    return true;
}

static bool holds_password(const char *line, size_t len)
{
    static const char *const names[] = {"authorization:", "proxy-authorization:"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);
        if (len >= n && strncasecmp(line, names[i], n) == 0) {
            return true;
        }
    }
    return false;
}

enum weft_status weft_http_withhold(struct weft_buf *out, const char *request, size_t len)
{
    enum weft_status st = WEFT_OK;
    const char *end = request + len;
    for (const char *at = request, *next; st == WEFT_OK && at < end; at = next) {
        size_t n = (size_t)(end - at);
        next = next_line(at, end, &n);
        next = next ? next : end;
        st = holds_password(at, n) ? WEFT_OK : weft_buf_append(out, at, (size_t)(next - at));
    }
    return st;
}
