/* html_tag.c -- reading a tag for its attributes: those that decide anything, and of duplicates the
 * first (HTML Standard 13.2.5.33). Knows attributes, no element. */
#include "text/html_attribute.h"

const char *weft_html_name_end(const char *p, const char *end)
{
    return name_end(p, end);
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
