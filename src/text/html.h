/* html.h -- which tags and attributes an HTML document has, and what they link to.
 *
 * A tokenizer after section 13.2.5 of the HTML Standard, as far as it decides which tags and
 * attributes exist, and on top of it the elements that carry links. One pass over a buffer of
 * UTF-8; what it reports are slices of that buffer, or of a scratch buffer where character
 * references had to be decoded, valid during the call. Knows nothing of URLs. Threads: any. */
#ifndef WEFT_TEXT_HTML_H
#define WEFT_TEXT_HTML_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

enum weft_link_kind {              /* which element and attribute a link stands in */
                      WEFT_LINK_A, /* a and area, also svg's a */
                      WEFT_LINK_AREA,
                      WEFT_LINK_LINK,
                      WEFT_LINK_IFRAME,
                      WEFT_LINK_FRAME,
                      WEFT_LINK_REFRESH, /* meta http-equiv=refresh */
                      WEFT_LINK_IMG,     /* from here on: only when assets are asked for */
                      WEFT_LINK_IMG_SRCSET,
                      WEFT_LINK_SOURCE,
                      WEFT_LINK_SOURCE_SRCSET,
                      WEFT_LINK_SCRIPT,
                      WEFT_LINK_AUDIO,
                      WEFT_LINK_VIDEO,
                      WEFT_LINK_POSTER,
                      WEFT_LINK_TRACK,
                      WEFT_LINK_EMBED,
                      WEFT_LINK_OBJECT,
                      WEFT_LINK_INPUT,
                      WEFT_LINK_LINK_SRCSET,
                      WEFT_LINK_SVG_IMAGE
};

enum weft_rel { /* what the rel tokens say, as bits */
                WEFT_REL_NOFOLLOW = 1,
                WEFT_REL_CANONICAL = 2,
                WEFT_REL_ALTERNATE = 4,
                WEFT_REL_STYLESHEET = 8,
                WEFT_REL_OTHER = 16, /* any other token */
                WEFT_REL_RESOURCE =
                    32 /* a token for a resource that is loaded, not followed (4.6.7) */
};

struct weft_html_link {
    enum weft_link_kind kind;
    unsigned rel;      /* bits of enum weft_rel */
    const char *value; /* the reference as written, character references decoded */
    size_t len;
    const char *rel_value; /* the rel attribute, decoded; NULL if absent */
    size_t rel_len;
    size_t at; /* offset of the tag in the document: order and line numbers */
};

/* What a scan reports. Every function may be NULL. Calls come in source order. */
struct weft_html_sink {
    void *user;
    void (*link)(void *user, const struct weft_html_link *link);
    void (*base)(void *user, const char *href, size_t len);      /* the first base href only */
    void (*title)(void *user, const char *text, size_t len);     /* decoded, the first one only */
    void (*robots)(void *user, const char *content, size_t len); /* meta name=robots, or =weft */
    void (*anchor)(void *user, const char *id, size_t len, size_t at); /* id, and a's name */
    bool assets; /* also report kinds from WEFT_LINK_IMG on */
};

/* Scans the document. WEFT_OK, WEFT_ENOMEM. Time linear in len, whatever the bytes. */
enum weft_status weft_html_scan(const char *html, size_t len,
                                const struct weft_html_sink *sink) WEFT_MUST_USE;

#endif
