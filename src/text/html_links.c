/* html_links.c -- which elements and attributes are links, and what else of an element is
 * reported: base, meta, rel, ids. Knows elements and attributes, nothing of tags or the tree. */
#include "text/html_scan.h"

#include "text/refresh.h"
#include "text/srcset.h"

/* One attribute of an element that is a link. */
struct link_rule {
    enum html_el element;
    enum html_attr attr;
    enum weft_link_kind kind;
    enum { PLAIN, SRCSET, EMPTY_TOO } form; /* an empty value loads nothing, but is a hyperlink */
};

/* In the order in which one element's links are reported. */
static const struct link_rule rules[] = {
    {HTML_EL_A, HTML_AT_HREF, WEFT_LINK_A, EMPTY_TOO},
    {HTML_EL_AREA, HTML_AT_HREF, WEFT_LINK_AREA, EMPTY_TOO},
    {HTML_EL_LINK, HTML_AT_HREF, WEFT_LINK_LINK, PLAIN},
    {HTML_EL_LINK, HTML_AT_IMAGESRCSET, WEFT_LINK_LINK_SRCSET, SRCSET},
    {HTML_EL_IFRAME, HTML_AT_SRC, WEFT_LINK_IFRAME, PLAIN},
    {HTML_EL_FRAME, HTML_AT_SRC, WEFT_LINK_FRAME, PLAIN},
    {HTML_EL_IMG, HTML_AT_SRC, WEFT_LINK_IMG, PLAIN},
    {HTML_EL_IMG, HTML_AT_SRCSET, WEFT_LINK_IMG_SRCSET, SRCSET},
    {HTML_EL_SOURCE, HTML_AT_SRC, WEFT_LINK_SOURCE, PLAIN},
    {HTML_EL_SOURCE, HTML_AT_SRCSET, WEFT_LINK_SOURCE_SRCSET, SRCSET},
    {HTML_EL_SCRIPT, HTML_AT_SRC, WEFT_LINK_SCRIPT, PLAIN},
    {HTML_EL_AUDIO, HTML_AT_SRC, WEFT_LINK_AUDIO, PLAIN},
    {HTML_EL_VIDEO, HTML_AT_SRC, WEFT_LINK_VIDEO, PLAIN},
    {HTML_EL_VIDEO, HTML_AT_POSTER, WEFT_LINK_POSTER, PLAIN},
    {HTML_EL_TRACK, HTML_AT_SRC, WEFT_LINK_TRACK, PLAIN},
    {HTML_EL_EMBED, HTML_AT_SRC, WEFT_LINK_EMBED, PLAIN},
    {HTML_EL_OBJECT, HTML_AT_DATA, WEFT_LINK_OBJECT, PLAIN},
    {HTML_EL_INPUT, HTML_AT_SRC, WEFT_LINK_INPUT, PLAIN},
};

/* Whether the attribute is there with that value, ASCII case aside. */
static bool attr_is(struct html_scan *s, const struct html_tag *tag, enum html_attr a,
                    const char *word, size_t len)
{
    if (!html_has(tag, a)) {
        return false;
    }
    struct html_slice v = tag->attr[a];
    return weft_html_value(s, &s->rel, &v) && weft_html_same(v.at, v.len, word, len);
}

/* The external resource link types of 4.6.7, and two that every browser treats so. */
static bool is_resource(const char *token, size_t len)
{
    static const char *const types[] = {
        "icon",
        "stylesheet",
        "preload",
        "modulepreload",
        "prefetch",
        "preconnect",
        "manifest",
        "pingback",
        "dns-prefetch",
        "apple-touch-icon",
        "prerender",
        "mask-icon",
        "apple-touch-icon-precomposed",
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (weft_html_same(types[i], __builtin_strlen(types[i]), token, len)) {
            return true;
        }
    }
    return false;
}

static unsigned rel_token(const char *token, size_t len)
{
    static const struct {
        const char *word;
        size_t len;
        enum weft_rel bit;
    } words[] = {{"nofollow", 8, WEFT_REL_NOFOLLOW},
                 {"canonical", 9, WEFT_REL_CANONICAL},
                 {"alternate", 9, WEFT_REL_ALTERNATE},
                 {"stylesheet", 10, WEFT_REL_STYLESHEET | WEFT_REL_RESOURCE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (weft_html_same(words[i].word, words[i].len, token, len)) {
            return words[i].bit;
        }
    }
    return is_resource(token, len) ? WEFT_REL_OTHER | WEFT_REL_RESOURCE : WEFT_REL_OTHER;
}

/* A set of tokens, parted by white space (2.3.7). */
static unsigned rel_bits(struct html_slice rel)
{
    unsigned bits = 0;
    const char *p = rel.at, *end = rel.at + rel.len;
    while (p < end) {
        while (p < end && weft_html_space(*p)) {
            p++;
        }
        const char *token = p;
        while (p < end && !weft_html_space(*p)) {
            p++;
        }
        if (p > token) {
            bits |= rel_token(token, (size_t)(p - token));
        }
    }
    return bits;
}

static void report_url(struct html_scan *s, struct weft_html_link *link, struct html_slice url)
{
    link->value = url.at;
    link->len = url.len;
    s->sink->link(s->sink->user, link);
}

/* Reports the value of one attribute: a URL, or a list of image candidates. */
static void report_value(struct html_scan *s, const struct html_tag *tag,
                         const struct link_rule *rule)
{
    struct html_slice value = tag->attr[rule->attr], rel = {NULL, 0};
    bool has_rel = html_has(tag, HTML_AT_REL);
    if (!weft_html_value(s, &s->value, &value) || (value.len == 0 && rule->form != EMPTY_TOO)) {
        return;
    }
    if (has_rel) {
        rel = tag->attr[HTML_AT_REL];
        if (!weft_html_value(s, &s->rel, &rel)) {
            return;
        }
    }
    struct weft_html_link link = {.kind = rule->kind,
                                  .rel = has_rel ? rel_bits(rel) : 0,
                                  .rel_value = rel.at,
                                  .rel_len = rel.len,
                                  .at = (size_t)(tag->start - s->begin)};
    if (rule->form != SRCSET) {
        report_url(s, &link, value);
        return;
    }
    const char *p = value.at, *end = value.at + value.len;
    while (weft_srcset_next(&p, end, &value.at, &value.len)) {
        report_url(s, &link, value);
    }
}

static void report_html(struct html_scan *s, const struct html_tag *tag)
{
    size_t i = 0, n = sizeof rules / sizeof rules[0];
    while (i < n && rules[i].element != tag->el->id) {
        i++;
    }
    if (tag->el->id == HTML_EL_INPUT && !attr_is(s, tag, HTML_AT_TYPE, "image", 5)) {
        return;
    }
    for (; i < n && rules[i].element == tag->el->id; i++) {
        if (html_has(tag, rules[i].attr) && (rules[i].kind < WEFT_LINK_IMG || s->sink->assets)) {
            report_value(s, tag, &rules[i]);
        }
    }
}

/* SVG 2, 16.2 "linking": href, else the older xlink:href. */
static void report_svg(struct html_scan *s, const struct html_tag *tag)
{
    struct link_rule rule = {HTML_EL_A, HTML_AT_HREF, WEFT_LINK_A, EMPTY_TOO};
    if (tag->el->id == HTML_EL_IMG && s->sink->assets) {
        rule.kind = WEFT_LINK_SVG_IMAGE;
        rule.form = PLAIN;
    } else if (tag->el->id != HTML_EL_A) {
        return;
    }
    if (!html_has(tag, HTML_AT_HREF)) {
        rule.attr = HTML_AT_XLINK_HREF;
    }
    if (html_has(tag, rule.attr)) {
        report_value(s, tag, &rule);
    }
}

static void report_base(struct html_scan *s, const struct html_tag *tag)
{
    if (s->had_base || !html_has(tag, HTML_AT_HREF)) {
        return;
    }
    s->had_base = true; /* also if it turns out to be no URL (4.2.3) */
    struct html_slice href = tag->attr[HTML_AT_HREF];
    if (s->sink->base && weft_html_value(s, &s->value, &href)) {
        s->sink->base(s->sink->user, href.at, href.len);
    }
}

static void report_meta(struct html_scan *s, const struct html_tag *tag)
{
    const struct weft_html_sink *sink = s->sink;
    struct html_slice content = tag->attr[HTML_AT_CONTENT];
    if (!html_has(tag, HTML_AT_CONTENT)) {
        return;
    }
    if (sink->link && attr_is(s, tag, HTML_AT_HTTP_EQUIV, "refresh", 7) &&
        weft_html_value(s, &s->value, &content)) {
        struct weft_html_link link = {.kind = WEFT_LINK_REFRESH,
                                      .at = (size_t)(tag->start - s->begin)};
        if (weft_refresh_url(content.at, content.len, &link.value, &link.len)) {
            sink->link(sink->user, &link);
        }
    }
    content = tag->attr[HTML_AT_CONTENT];
    if (sink->robots &&
        (attr_is(s, tag, HTML_AT_NAME, "robots", 6) || attr_is(s, tag, HTML_AT_NAME, "weft", 4)) &&
        weft_html_value(s, &s->value, &content)) {
        sink->robots(sink->user, content.at, content.len);
    }
}

/* 7.4.6.4 "find a potential indicated element": an id, or the name of an a element. */
static void report_anchor(struct html_scan *s, const struct html_tag *tag, enum html_attr a)
{
    struct html_slice id = tag->attr[a];
    if (html_has(tag, a) && weft_html_value(s, &s->value, &id) && id.len > 0) {
        s->sink->anchor(s->sink->user, id.at, id.len, (size_t)(tag->start - s->begin));
    }
}

void weft_html_report(struct html_scan *s, const struct html_tag *tag, enum html_space space)
{
    if (s->sink->anchor) {
        report_anchor(s, tag, HTML_AT_ID);
        if (tag->el->id == HTML_EL_A && space == HTML_SPACE_HTML) {
            report_anchor(s, tag, HTML_AT_NAME);
        }
    }
    if (!(tag->el->flags & HTML_EL_LINKS) || space == HTML_SPACE_MATH) {
        return;
    }
    if (space == HTML_SPACE_SVG) {
        if (s->sink->link) {
            report_svg(s, tag);
        }
    } else if (tag->el->id == HTML_EL_BASE) {
        report_base(s, tag);
    } else if (tag->el->id == HTML_EL_META) {
        report_meta(s, tag);
    } else if (s->sink->link) {
        report_html(s, tag);
    }
}
