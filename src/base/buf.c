/* buf.c -- the bounded byte buffer: doubling growth, one hard limit. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 64

void weft_buf_init(struct weft_buf *b, size_t limit)
{
    *b = (struct weft_buf){.limit = limit < SIZE_MAX / 4 ? limit : SIZE_MAX / 4};
}

void weft_buf_release(struct weft_buf *b)
{
    free(b->data);
    weft_buf_init(b, b->limit);
}

void weft_buf_clear(struct weft_buf *b)
{
    b->len = 0;
    if (b->data) {
        b->data[0] = '\0';
    }
}

enum weft_status weft_buf_reserve(struct weft_buf *b, size_t extra)
{
    if (extra > b->limit - b->len) {
        return WEFT_ELIMIT;
    }
    size_t need = b->len + extra + 1;
    if (need <= b->cap) {
        return WEFT_OK;
    }
    size_t cap = b->cap ? b->cap : FIRST_CAP;
    while (cap < need) {
        cap *= 2;
    }
    if (cap > b->limit + 1) {
        cap = b->limit + 1;
    }
    char *data = realloc(b->data, cap);
    if (!data) {
        return WEFT_ENOMEM;
    }
    b->data = data;
    b->cap = cap;
    return WEFT_OK;
}

enum weft_status weft_buf_append(struct weft_buf *b, const void *bytes, size_t len)
{
    enum weft_status st = weft_buf_reserve(b, len);
    if (st != WEFT_OK) {
        return st;
    }
    if (len) {
        memcpy(b->data + b->len, bytes, len);
    }
    b->len += len;
    b->data[b->len] = '\0';
    return WEFT_OK;
}

enum weft_status weft_buf_puts(struct weft_buf *b, const char *text)
{
    return weft_buf_append(b, text, strlen(text));
}

enum weft_status weft_buf_printf(struct weft_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (n < 0) {
        return WEFT_EINVAL;
    }
    enum weft_status st = weft_buf_reserve(b, (size_t)n);
    if (st != WEFT_OK) {
        return st;
    }
    va_start(args, fmt);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, args);
    va_end(args);
    b->len += (size_t)n;
    return WEFT_OK;
}

char *weft_buf_take(struct weft_buf *b)
{
    if (weft_buf_reserve(b, 0) != WEFT_OK) {
        return NULL;
    }
    b->data[b->len] = '\0';
    char *data = b->data;
    weft_buf_init(b, b->limit);
    return data;
}
