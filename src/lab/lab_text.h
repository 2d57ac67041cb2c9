/* lab_text.h -- writing a page: appends, and one question at the end whether all of it fitted.
 *
 * Knows the bounded buffer and which characters HTML needs escaped. Threads: one at a time. */
#ifndef WEFT_LAB_TEXT_H
#define WEFT_LAB_TEXT_H

#include "base/buf.h"

struct lab_text {
    struct weft_buf buf;
    enum weft_status status; /* of the first append that failed; later ones do nothing */
};

/* Makes t empty; allocates nothing. The limit is WEFT_LAB_MAX_PAGE. */
void lab_text_init(struct lab_text *t);
void lab_text_release(struct lab_text *t);
/* Appends formatted text as it is. */
void lab_text_put(struct lab_text *t, const char *fmt, ...) WEFT_PRINTF(2, 3);
/* Appends len bytes as they are. */
void lab_text_bytes(struct lab_text *t, const char *bytes, size_t len);
/* Appends text with & < > " ' escaped and control characters replaced, for HTML text and quoted
 * attributes. */
void lab_text_escaped(struct lab_text *t, const char *text);
/* Appends the head of an English page in UTF-8 down to its h1; title is escaped. */
void lab_text_head(struct lab_text *t, const char *title);
/* Appends what ends such a page. */
void lab_text_foot(struct lab_text *t);

#endif
