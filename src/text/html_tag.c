/* html_tag.c -- tag names and attributes (HTML Standard 13.2.5.8 and .32-.40). The states are
 * places in one loop here: each is named where it begins. Knows no element. */
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
const char *weft_html_name_end(const char *p, const char *end)
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

const char *weft_html_skip_attributes(const char *p, const char *end)
{
    for (;;) {
        struct attribute a;
        bool self_closing;
        switch (next_attribute(&p, end, &a, &self_closing)) {
        case TAG_EOF:
            return NULL;
        case TAG_END:
            return p;
        case TAG_ATTRIBUTE:
            break;
        }
    }
}

/* Which of the attributes that matter is named so; HTML_AT_COUNT: none of them. */
static enum html_attr attribute_id(struct html_slice name)
{
    static const struct {
        const char *name;
        size_t len;
        enum html_attr id;
    } known[] = {
        {"id", 2, HTML_AT_ID},
        {"src", 3, HTML_AT_SRC},
        {"rel", 3, HTML_AT_REL},
        {"href", 4, HTML_AT_HREF},
        {"type", 4, HTML_AT_TYPE},
        {"name", 4, HTML_AT_NAME},
        {"data", 4, HTML_AT_DATA},
        {"face", 4, HTML_AT_FACE},
        {"size", 4, HTML_AT_SIZE},
        {"color", 5, HTML_AT_COLOR},
        {"srcset", 6, HTML_AT_SRCSET},
        {"poster", 6, HTML_AT_POSTER},
        {"content", 7, HTML_AT_CONTENT},
        {"encoding", 8, HTML_AT_ENCODING},
        {"xlink:href", 10, HTML_AT_XLINK_HREF},
        {"http-equiv", 10, HTML_AT_HTTP_EQUIV},
        {"imagesrcset", 11, HTML_AT_IMAGESRCSET},
    };
    /* The first row for each length of name. */
    static const unsigned char first[] = {0, 0, 0, 1, 3, 9, 10, 12, 13, 14, 14, 16, 17};
    if (name.len + 1 >= sizeof first) {
        return HTML_AT_COUNT;
    }
    for (size_t i = first[name.len]; i < first[name.len + 1]; i++) {
        if (weft_html_same(known[i].name, known[i].len, name.at, name.len)) {
            return known[i].id;
        }
    }
    return HTML_AT_COUNT;
}

const char *weft_html_read_attributes(const char *p, const char *end, struct html_tag *tag)
{
    tag->has = 0;
    tag->self_closing = false;
    for (;;) {
        struct attribute a;
        enum next next = next_attribute(&p, end, &a, &tag->self_closing);
        if (next != TAG_ATTRIBUTE) {
            return next == TAG_END ? p : NULL;
        }
        enum html_attr id = attribute_id(a.name);
        if (id < HTML_AT_COUNT && !html_has(tag, id)) { /* 13.2.5.33: of duplicates the first */
            tag->has |= 1U << id;
            tag->attr[id] = a.value;
        }
    }
}
