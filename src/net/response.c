/* response.c -- the memory of an answer: a body and a text in which the strings lie, both kept from
 * one fetch to the next. Knows nothing of libcurl. */
#include "net/response.h"
#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_TEXT 512
#define FIRST_BODY 4096
/* A body buffer that grew beyond this is given back at reset: one large page must not make every
 * worker hold as much for the rest of a crawl. */
#define KEEP_BODY (256u << 10)
#define MAX_TEXT  (WEFT_MAX_HEADER + WEFT_MAX_COOKIES)

/* The fields whose strings lie in the text. */
static const char **string_field(struct weft_response *r, unsigned i)
{
    const char **fields[] = {&r->content_type, &r->location,      &r->retry_after, &r->x_robots_tag,
                             &r->etag,         &r->last_modified, &r->cookies,     &r->ip};
    return i < sizeof fields / sizeof fields[0] ? fields[i] : NULL;
}

void weft_response_init(struct weft_response *r)
{
    memset(r, 0, sizeof *r);
}

void weft_response_reset(struct weft_response *r)
{
    if (r->body_cap > KEEP_BODY) {
        free(r->body);
        r->body = NULL;
        r->body_cap = 0;
    }
    free(r->wire_request);
    free(r->wire_answer);
    struct weft_response kept = {
        .body = r->body, .body_cap = r->body_cap, .text = r->text, .text_cap = r->text_cap};
    if (kept.body) {
        kept.body[0] = '\0';
    }
    /* error is a string: its first byte is enough, and clearing 256 bytes a page is not free */
    size_t after_error = offsetof(struct weft_response, error) + sizeof r->error;
    r->end = kept.end;
    r->error[0] = '\0';
    memcpy((char *)r + after_error, (const char *)&kept + after_error, sizeof *r - after_error);
}

void weft_response_release(struct weft_response *r)
{
    free(r->body);
    free(r->text);
    free(r->wire_request);
    free(r->wire_answer);
    weft_response_init(r);
}

/* Makes room for need more bytes of text; the strings move with it. */
static enum weft_status grow_text(struct weft_response *r, size_t need)
{
    if (need > MAX_TEXT - r->text_len) {
        return WEFT_ELIMIT;
    }
    if (r->text_len + need <= r->text_cap) {
        return WEFT_OK;
    }
    size_t cap = r->text_cap ? r->text_cap : FIRST_TEXT;
    while (cap < r->text_len + need) {
        cap *= 2;
    }
    char *text = malloc(cap);
    if (!text) {
        return WEFT_ENOMEM;
    }
    if (r->text_len) {
        memcpy(text, r->text, r->text_len);
    }
    const char **field;
    for (unsigned i = 0; (field = string_field(r, i)); i++) {
        if (*field) {
            *field = text + (*field - r->text);
        }
    }
    free(r->text);
    r->text = text;
    r->text_cap = cap;
    return WEFT_OK;
}

static bool is_string_field(struct weft_response *r, const char **field)
{
    const char **known;
    for (unsigned i = 0; (known = string_field(r, i)); i++) {
        if (known == field) {
            return true;
        }
    }
    return false;
}

static size_t field_limit(const struct weft_response *r, const char *const *field)
{
    return field == &r->cookies ? WEFT_MAX_COOKIES : WEFT_MAX_HEADER_FIELD;
}

enum weft_status weft_response_set(struct weft_response *r, const char **field, const char *text,
                                   size_t len)
{
    if (!is_string_field(r, field)) {
        return WEFT_EINVAL;
    }
    if (len > field_limit(r, field)) {
        return WEFT_ELIMIT;
    }
    enum weft_status st = grow_text(r, len + 1);
    if (st != WEFT_OK) {
        return st;
    }
    char *at = r->text + r->text_len;
    if (len) {
        memcpy(at, text, len);
    }
    at[len] = '\0';
    r->text_len += len + 1;
    *field = at;
    return WEFT_OK;
}

enum weft_status weft_response_extend(struct weft_response *r, const char **field,
                                      const char *between, const char *text, size_t len)
{
    if (!*field) {
        return weft_response_set(r, field, text, len);
    }
    size_t old = strlen(*field), gap = strlen(between);
    if (old + gap + len > field_limit(r, field)) {
        return WEFT_ELIMIT;
    }
    enum weft_status st = grow_text(r, old + gap + len + 1);
    if (st != WEFT_OK) {
        return st;
    }
    if (*field + old + 1 != r->text + r->text_len) { /* not the last string: begin a copy */
        memcpy(r->text + r->text_len, *field, old + 1);
        *field = r->text + r->text_len;
        r->text_len += old + 1;
    }
    char *at = r->text + r->text_len - 1; /* its NUL */
    memcpy(at, between, gap);
    if (len) {
        memcpy(at + gap, text, len);
    }
    at[gap + len] = '\0';
    r->text_len += gap + len;
    return WEFT_OK;
}

enum weft_status weft_response_reserve(struct weft_response *r, size_t extra)
{
    if (extra > SIZE_MAX / 4 - r->body_len) {
        return WEFT_ELIMIT;
    }
    size_t need = r->body_len + extra + 1;
    if (need <= r->body_cap) {
        return WEFT_OK;
    }
    size_t cap = r->body_cap ? r->body_cap : FIRST_BODY;
    while (cap < need) {
        cap *= 2;
    }
    char *body = realloc(r->body, cap);
    if (!body) {
        return WEFT_ENOMEM;
    }
    body[r->body_len] = '\0';
    r->body = body;
    r->body_cap = cap;
    return WEFT_OK;
}

enum weft_status weft_response_append(struct weft_response *r, const char *bytes, size_t len)
{
    size_t room = r->body_max ? r->body_max - r->body_len : len;
    size_t n = len < room ? len : room;
    enum weft_status st = weft_response_reserve(r, n);
    if (st != WEFT_OK) {
        return st;
    }
    if (n) {
        memcpy(r->body + r->body_len, bytes, n);
    }
    r->body_len += n;
    r->body[r->body_len] = '\0';
    r->body_over |= n < len;
    return n < len ? WEFT_ELIMIT : WEFT_OK;
}
