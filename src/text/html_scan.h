/* html_scan.h -- what the files of the HTML scanner share: one document being scanned, one tag, and
 * the functions between them. Only html*.c include it.
 *
 *   html.c           13.2.5.1, .6, .7, .42 ff.: text, where tags begin, comments, the main loop
 *   html_attribute.h 13.2.5.8, .32-.40: tag names and attributes
 *   html_tag.c       the attributes of a tag that decide anything
 *   html_skip.c      getting past the tags that don't
 *   html_raw.c       13.2.5.2-.5, .9-.31: title, textarea, style, script and the like
 *   html_reference.c 13.2.5.72-.80: character references
 *   html_tree.c      13.2.6: as much of tree construction as decides what a tag becomes
 *   html_open.c      13.2.4.2: the stack of open elements, where it matters
 *   html_element.c   the elements that any of these know by name
 *   html_links.c     which elements and attributes are links */
#ifndef WEFT_TEXT_HTML_SCAN_H
#define WEFT_TEXT_HTML_SCAN_H

#include "base/buf.h"
#include "text/html.h"
#include "text/html_element.h"
#include "text/html_space.h"
#include <stdint.h>

/* The attributes that decide anything. A tag keeps the first value of each. */
enum html_attr {
    HTML_AT_HREF,
    HTML_AT_XLINK_HREF,
    HTML_AT_SRC,
    HTML_AT_SRCSET,
    HTML_AT_IMAGESRCSET,
    HTML_AT_DATA,
    HTML_AT_POSTER,
    HTML_AT_REL,
    HTML_AT_TYPE,
    HTML_AT_ID,
    HTML_AT_NAME,
    HTML_AT_CONTENT,
    HTML_AT_HTTP_EQUIV,
    HTML_AT_ENCODING,
    HTML_AT_COLOR,
    HTML_AT_FACE,
    HTML_AT_SIZE,
    HTML_AT_COUNT
};

struct html_slice {
    const char *at;
    size_t len;
};

struct html_tag {
    const char *start; /* its '<' */
    struct html_slice name;
    const struct html_element *el; /* its row; never NULL, other elements share one */
    bool self_closing;
    uint32_t has;                          /* bits 1 << enum html_attr */
    struct html_slice attr[HTML_AT_COUNT]; /* as written, valid where has says so */
};

static inline bool html_has(const struct html_tag *tag, enum html_attr a)
{
    return tag->has >> a & 1;
}

/* How far the document has come, of the insertion modes of 13.2.6.4: only what decides whether a
 * frameset may still begin, and what counts inside one. */
enum html_mode {
    HTML_IN_HEAD,       /* no body yet: initial, before html, before head, in head */
    HTML_HEAD_NOSCRIPT, /* in head noscript */
    HTML_AFTER_HEAD,
    HTML_UNDECIDED, /* in a body that no tag began, and a frameset could still replace it */
    HTML_IN_BODY,   /* everything else; never left */
    HTML_IN_FRAMESET,
    HTML_AFTER_FRAMESET
};

/* One open element that matters: see html_open.c. */
enum html_space { HTML_SPACE_HTML, HTML_SPACE_SVG, HTML_SPACE_MATH };
enum html_point {
    HTML_POINT_NONE,
    HTML_POINT_TEXT,      /* a MathML text integration point */
    HTML_POINT_HTML,      /* an HTML integration point */
    HTML_POINT_ANNOTATION /* annotation-xml, where only svg begins HTML rules */
};
enum html_template { HTML_TEMPLATE_FRESH, HTML_TEMPLATE_COLUMNS, HTML_TEMPLATE_OTHER };
struct html_open {
    struct html_slice name;
    const struct html_element *el;
    uint32_t hash;    /* of the name in lower case */
    uint8_t space;    /* enum html_space */
    uint8_t point;    /* enum html_point */
    uint8_t template; /* of an HTML template: enum html_template */
};

#define HTML_MAX_OPEN 512 /* deeper elements are not remembered (as in browsers) */

struct html_scan {
    const char *p, *begin, *end; /* next byte, document */
    const struct weft_html_sink *sink;
    enum weft_status status;
    enum html_mode mode;
    bool plain_bytes; /* the document has neither NUL nor CR: values need no normalising */
    bool had_base, had_title;
    unsigned framesets; /* open frameset elements */
    unsigned nopen, nforeign, ntemplates;
    struct weft_buf value, rel; /* decoded */
    struct html_open open[HTML_MAX_OPEN];
};

/* html_tag.c and html_skip.c. Each takes the position behind what it says and gives the position
 * behind what it read, or NULL at the end of the input (then there is no tag: 13.2.5,
 * eof-in-tag). */
const char *weft_html_name_end(const char *p, const char *end);
const char *weft_html_read_attributes(const char *p, const char *end, struct html_tag *tag);
const char *weft_html_skip_attributes(const char *p, const char *end);
/* html_skip.c. In a body with nothing special open: the next '<' that has to be looked at, or end.
 */
const char *weft_html_skip_plain(const char *p, const char *end);

/* html_raw.c. Where the end tag begins that ends the text, or end. */
const char *weft_html_raw_end(const char *p, const char *end, const char *name, size_t len);
const char *weft_html_script_end(const char *p, const char *end);

/* html_reference.c. Normalises text of this document (CR, NUL) and decodes its character
 * references by the rules for attributes or for text, into buf and only if need be: *text gets the
 * result. False: no memory, and the scan is over. */
bool weft_html_decoded(struct html_scan *s, struct weft_buf *buf, struct html_slice *text,
                       bool attribute);
static inline bool weft_html_value(struct html_scan *s, struct weft_buf *buf,
                                   struct html_slice *value)
{
    return weft_html_decoded(s, buf, value, true);
}

/* html.c. Scans on from s->p; with probing set only until it is decided whether a frameset
 * replaces the body. */
void weft_html_run(struct html_scan *s, bool probing);

/* html_tree.c. Text between tags (only looked at before the body is certain). */
void weft_html_text(struct html_scan *s, const char *from, const char *to);
/* Whether the start tag becomes an element, and in which namespace. May move s->p. */
bool weft_html_start(struct html_scan *s, struct html_tag *tag, enum html_space *space);
void weft_html_end(struct html_scan *s, const struct html_tag *tag);

/* html_open.c: the stack of open elements, while it has a template or a foreign element in it. */
void weft_html_push(struct html_scan *s, const struct html_tag *tag, enum html_space space);
void weft_html_pop_to(struct html_scan *s, unsigned n); /* leaves n of them */
bool weft_html_is_foreign(const struct html_scan *s, const struct html_tag *tag);
void weft_html_break_out(struct html_scan *s);
void weft_html_open_html(struct html_scan *s, const struct html_tag *tag);
void weft_html_close(struct html_scan *s, const struct html_tag *tag);

/* html_links.c. Reports what an element of the document has; title is html.c's. */
void weft_html_report(struct html_scan *s, const struct html_tag *tag, enum html_space space);

#endif
