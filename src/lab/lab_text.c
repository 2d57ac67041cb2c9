/* lab_text.c -- appends with a sticky status, so that a page reads as a list of its parts. */
#include "lab/lab_text.h"

#include "base/limits.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lab_text_init(struct lab_text *t)
{
    weft_buf_init(&t->buf, WEFT_LAB_MAX_PAGE);
    t->status = WEFT_OK;
}

void lab_text_release(struct lab_text *t)
{
    weft_buf_release(&t->buf);
}

void lab_text_put(struct lab_text *t, const char *fmt, ...)
{
    char small[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (n < 0 || t->status != WEFT_OK) {
        return;
    }
    if ((size_t)n < sizeof small) {
        t->status = weft_buf_append(&t->buf, small, (size_t)n);
        return;
    }
    t->status = weft_buf_reserve(&t->buf, (size_t)n);
    if (t->status == WEFT_OK) {
        va_start(args, fmt);
        vsnprintf(t->buf.data + t->buf.len, (size_t)n + 1, fmt, args);
        va_end(args);
        t->buf.len += (size_t)n;
    }
}

void lab_text_bytes(struct lab_text *t, const char *bytes, size_t len)
{
    if (t->status == WEFT_OK) {
        t->status = weft_buf_append(&t->buf, bytes, len);
    }
}

void lab_text_escaped(struct lab_text *t, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '&') {
            lab_text_bytes(t, "&amp;", 5);
        } else if (*p == '<') {
            lab_text_bytes(t, "&lt;", 4);
        } else if (*p == '>') {
            lab_text_bytes(t, "&gt;", 4);
        } else if (*p == '"') {
            lab_text_bytes(t, "&#34;", 5);
        } else if (*p == '\'') {
            lab_text_bytes(t, "&#39;", 5);
        } else {
            lab_text_bytes(t, *p < 0x20 || *p == 0x7f ? "?" : (const char *)p, 1);
        }
    }
}

void lab_text_head(struct lab_text *t, const char *title)
{
    lab_text_put(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    lab_text_escaped(t, title);
    lab_text_put(t, "</title>\n</head>\n<body>\n<h1>");
    lab_text_escaped(t, title);
    lab_text_put(t, "</h1>\n");
}

void lab_text_foot(struct lab_text *t)
{
    lab_text_put(t, "</body>\n</html>\n");
}
