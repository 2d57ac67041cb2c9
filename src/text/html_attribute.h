/* html_attribute.h -- tag names and attributes (HTML Standard 13.2.5.8 and .32-.40). The states are
 * places in one loop here: each is named where it begins. Knows no element. In a header because the
 * two loops that read attributes, one for their values and one to get past them, are to be as fast
 * as a loop can be. Only html_tag.c and html_skip.c include it. */
#ifndef WEFT_TEXT_HTML_ATTRIBUTE_H
#define WEFT_TEXT_HTML_ATTRIBUTE_H

#include "text/html_scan.h"
#include <string.h>

enum {
    SPACE = 1,   /* TAB, LF, FF, CR, SPACE: CR is LF after the normalising of newlines */
    SLASH = 2,   /* '/' */
    GREATER = 4, /* '>' */
    EQUALS = 8   /* '=' */
};
static const unsigned char kind[256] = {
    ['\t'] = SPACE, ['\n'] = SPACE, ['\f'] = SPACE,  ['\r'] = SPACE,
    [' '] = SPACE,  ['/'] = SLASH,  ['>'] = GREATER, ['='] = EQUALS,
};

static inline bool is(char c, unsigned kinds)
{
    return kind[(unsigned char)c] & kinds;
}

/* Tag name state (13.2.5.8). */
static inline const char *name_end(const char *p, const char *end)
{
    while (p < end && !is(*p, SPACE | SLASH | GREATER)) {
        p++;
    }
    return p;
}

/* One attribute of a tag: no value is an empty one. */
struct attribute {
    struct html_slice name, value;
};

enum next { TAG_ATTRIBUTE, TAG_END, TAG_EOF };

/* Reads on from *at to behind the next attribute, or behind the tag's '>'. */
static inline enum next next_attribute(const char **at, const char *end, struct attribute *a,
                                       bool *self_closing)
{
    const char *p = *at, *from = p;
    while (p < end && is(*p, SPACE | SLASH)) { /* before attribute name, self-closing start tag */
        p++;
    }
    if (p == end) {
        return TAG_EOF;
    }
    if (*p == '>') {
        *self_closing = p > from && p[-1] == '/';
        *at = p + 1;
        return TAG_END;
    }
    a->name.at = p++; /* a '=' here is the name's first character */
    while (p < end && !is(*p, SPACE | SLASH | GREATER | EQUALS)) { /* attribute name */
        p++;
    }
    a->name.len = (size_t)(p - a->name.at);
    a->value = (struct html_slice){p, 0};
    *at = p;
    while (p < end && is(*p, SPACE)) { /* after attribute name */
        p++;
    }
    if (p == end || *p != '=') {
        return TAG_ATTRIBUTE;
    }
    do { /* before attribute value */
        p++;
    } while (p < end && is(*p, SPACE));
    if (p == end) {
        return TAG_EOF;
    }
    if (*p == '"' || *p == '\'') { /* attribute value (double-quoted), (single-quoted) */
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (!close) {
            return TAG_EOF;
        }
        a->value = (struct html_slice){p + 1, (size_t)(close - p - 1)};
        *at = close + 1; /* after attribute value (quoted) */
        return TAG_ATTRIBUTE;
    }
    a->value.at = p;
    while (p < end && !is(*p, SPACE | GREATER)) { /* attribute value (unquoted) */
        p++;
    }
    a->value.len = (size_t)(p - a->value.at);
    *at = p;
    return TAG_ATTRIBUTE;
}

#endif
