/* content_type.h -- what a body is: the Content-Type field parsed, and the sniffing that decides
 * about HTML (MIME Sniffing Standard). Pure functions; threads: any. */
#ifndef WEFT_TEXT_CONTENT_TYPE_H
#define WEFT_TEXT_CONTENT_TYPE_H

#include "text/charset.h"

#define WEFT_ESSENCE_CAP 128

struct weft_content_type {
    char essence[WEFT_ESSENCE_CAP];     /* "text/html", lower case; empty when there is none */
    const struct weft_charset *charset; /* what its charset parameter names, or NULL */
    bool has_charset;                   /* there is one, though it may name nothing known */
    bool is_html;                       /* text/html or application/xhtml+xml */
};

/* Parses one MIME type (NULL or junk: essence empty). */
void weft_content_type_parse(const char *value, size_t len, struct weft_content_type *out);
/* What a Content-Type field means that may hold several, with commas between, because it was sent
 * several times (Fetch Standard, "extract a MIME type"): the last one that is one counts, and those
 * before it lend it their charset if they are of the same type. */
void weft_content_type_extract(const char *value, size_t len, struct weft_content_type *out);

/* The MIME type that the Sniffing Standard computes from the field (NULL: absent) and the first
 * bytes of the body. Writes a lower-case essence into out. */
void weft_content_sniff(const char *value, size_t value_len, const char *body, size_t len,
                        char out[WEFT_ESSENCE_CAP]);

#endif
