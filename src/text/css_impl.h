/* css_impl.h -- what the files of the CSS translator share. Each function reads one piece of a
 * selector and appends a condition to what was there; all do nothing once one has failed, so that
 * callers look at status when they must and not after each word. */
#ifndef WEFT_TEXT_CSS_IMPL_H
#define WEFT_TEXT_CSS_IMPL_H

#include "text/css_scan.h"

struct weft_css {
    struct weft_css_scan scan;
    enum weft_status status;     /* the first failure; WEFT_OK: none */
    struct weft_buf name, value; /* of the piece being read */
    unsigned parts;              /* simple selectors so far, in all */
    unsigned nest;               /* conditions that stand around this one */
    const char *inherited;       /* where a type from outside of :not() was used; NULL: nowhere */
};

#define WEFT_CSS_NEEDS_TYPE "of-type needs the name of an element before it"

/* The element that a condition is about. */
struct weft_css_subject {
    struct weft_buf *out; /* where conditions go, joined by "and" */
    size_t start;         /* where the first of them is */
    const char *type;     /* a node test for its name; NULL: any. Borrowed */
    bool inherits;        /* type is that of the element around :not() and its like */
};

void weft_css_fail(struct weft_css *c, enum weft_status st);
void weft_css_wrong(struct weft_css *c, const char *at, const char *what);
/* Skips white space and comments; whether there was space. */
bool weft_css_skip(struct weft_css *c);
/* Passes this character if it stands here. */
bool weft_css_take(struct weft_css *c, char wanted);
void weft_css_put(struct weft_css *c, struct weft_buf *out, const char *text);
/* Begins a condition: "and" if one was there. */
void weft_css_and(struct weft_css *c, const struct weft_css_subject *s);
/* text as an XPath string. */
void weft_css_literal(struct weft_css *c, struct weft_buf *out, const struct weft_buf *text);
/* name as a node test on this axis, such as "self::a" or "@*[name() = 'x:y']". */
void weft_css_test(struct weft_css *c, struct weft_buf *out, const char *axis,
                   const struct weft_buf *name);
/* Whether text can be in a document at all: XML has no control characters. */
bool weft_css_can_be(const struct weft_buf *text);

/* css_simple.c: [..] and :.., `at` being behind the first character. */
void weft_css_attribute(struct weft_css *c, const struct weft_css_subject *s);
void weft_css_pseudo(struct weft_css *c, const struct weft_css_subject *s);
/* [name operator value], value and name being in c; '=' is equality. */
void weft_css_compare(struct weft_css *c, const struct weft_css_subject *s, char operator,
                      bool any_size);

/* css.c: a list of selectors up to `end`, as one condition without brackets around it. type: a node
 * test for the element that they are about; NULL: it is not known. */
void weft_css_list(struct weft_css *c, struct weft_buf *out, char end, const char *type);

#endif
