/* html_open.c -- the stack of open elements (HTML Standard 13.2.4.2), while it matters.
 *
 * A link's element exists wherever its start tag stands, with two exceptions: the contents of a
 * template are no part of the document, and in SVG and MathML the rules of foreign content hold
 * (13.2.6.5). So elements are remembered only from the outermost open template or foreign element
 * on, and HTML elements only inside of a foreign one, where the question is whether an end tag
 * leads back into it. What is open outside is not known: an end tag that fits nothing remembered
 * is taken to end an element outside, if HTML has such an element. */
#include "text/html_scan.h"

static uint32_t name_hash(struct html_slice name)
{
    uint32_t h = (uint32_t)name.len;
    for (size_t i = 0; i < name.len; i++) {
        h = (h ^ ((unsigned char)name.at[i] | 0x20U)) * 0x01000193U;
    }
    return h;
}

static bool named(const struct html_open *o, uint32_t hash, struct html_slice name)
{
    return o->hash == hash && weft_html_same(o->name.at, o->name.len, name.at, name.len);
}

static enum html_point point_of(const struct html_tag *tag, enum html_space space)
{
    if (space == HTML_SPACE_SVG) {
        return tag->el->id == HTML_EL_HTML_POINT || tag->el->id == HTML_EL_TITLE ? HTML_POINT_HTML
                                                                                 : HTML_POINT_NONE;
    }
    if (space == HTML_SPACE_HTML) {
        return HTML_POINT_NONE;
    }
    if (tag->el->id == HTML_EL_TEXT_POINT) {
        return HTML_POINT_TEXT;
    }
    if (tag->el->id != HTML_EL_ANNOTATION_XML) {
        return HTML_POINT_NONE;
    }
    struct html_slice encoding = tag->attr[HTML_AT_ENCODING];
    return html_has(tag, HTML_AT_ENCODING) &&
                   (weft_html_same(encoding.at, encoding.len, "text/html", 9) ||
                    weft_html_same(encoding.at, encoding.len, "application/xhtml+xml", 21))
               ? HTML_POINT_HTML
               : HTML_POINT_ANNOTATION;
}

void weft_html_push(struct html_scan *s, const struct html_tag *tag, enum html_space space)
{
    if (s->nopen == HTML_MAX_OPEN) {
        return;
    }
    struct html_open *o = &s->open[s->nopen++];
    *o = (struct html_open){.name = tag->name,
                            .el = tag->el,
                            .hash = name_hash(tag->name),
                            .space = (uint8_t)space,
                            .point = (uint8_t)point_of(tag, space)};
    s->nforeign += space != HTML_SPACE_HTML;
    s->ntemplates += space == HTML_SPACE_HTML && tag->el->id == HTML_EL_TEMPLATE;
}

void weft_html_pop_to(struct html_scan *s, unsigned n)
{
    while (s->nopen > n) {
        const struct html_open *o = &s->open[--s->nopen];
        s->nforeign -= o->space != HTML_SPACE_HTML;
        s->ntemplates -= o->space == HTML_SPACE_HTML && o->el->id == HTML_EL_TEMPLATE;
    }
}

static const struct html_open *top(const struct html_scan *s)
{
    return s->nopen ? &s->open[s->nopen - 1] : NULL;
}

static bool is_html_point(const struct html_open *o)
{
    return o->point == HTML_POINT_TEXT || o->point == HTML_POINT_HTML;
}

/* The tree construction dispatcher (13.2.6), asked about a start tag. */
bool weft_html_is_foreign(const struct html_scan *s, const struct html_tag *tag)
{
    const struct html_open *o = top(s);
    if (!o || o->space == HTML_SPACE_HTML || o->point == HTML_POINT_HTML) {
        return false;
    }
    if (o->point == HTML_POINT_TEXT) {
        return tag->el->id == HTML_EL_MGLYPH;
    }
    return !(o->point == HTML_POINT_ANNOTATION && tag->el->id == HTML_EL_SVG);
}

void weft_html_break_out(struct html_scan *s)
{
    for (const struct html_open *o; (o = top(s)) && o->space != HTML_SPACE_HTML;) {
        if (is_html_point(o)) {
            break;
        }
        weft_html_pop_to(s, s->nopen - 1);
    }
}

/* Elements that end the search for one in scope (13.2.4.2) and that no HTML end tag crosses. */
static bool is_barrier(const struct html_open *o)
{
    return o->space == HTML_SPACE_HTML ? o->el->flags & HTML_EL_SCOPE : o->point != HTML_POINT_NONE;
}

static unsigned find_id(const struct html_scan *s, enum html_el id)
{
    for (unsigned i = s->nopen; i > 0 && !is_barrier(&s->open[i - 1]); i--) {
        if (s->open[i - 1].space == HTML_SPACE_HTML && s->open[i - 1].el->id == id) {
            return i;
        }
    }
    return 0;
}

/* Closes the innermost element of that kind in scope, and what is open in it. */
static void close_id(struct html_scan *s, enum html_el id)
{
    unsigned i = find_id(s, id);
    if (i) {
        weft_html_pop_to(s, i - 1);
    }
}

/* A list item ends the one before it, unless a special element stands between (13.2.6.4.7). */
static void close_item(struct html_scan *s, enum html_el id)
{
    for (unsigned i = s->nopen; i > 0; i--) {
        const struct html_open *o = &s->open[i - 1];
        if (is_barrier(o)) {
            return;
        }
        if (o->space == HTML_SPACE_HTML && o->el->id == id) {
            weft_html_pop_to(s, i - 1);
            return;
        }
        bool address_div_p = o->el->id == HTML_EL_P || o->el->id == HTML_EL_DIV;
        if ((o->el->flags & HTML_EL_SPECIAL) && !address_div_p) {
            return;
        }
    }
}

void weft_html_open_html(struct html_scan *s, const struct html_tag *tag)
{
    const struct html_element *el = tag->el;
    if (el->flags & (HTML_EL_TEXTUAL | HTML_EL_TABLE)) {
        return; /* text is read to its end at once; parts of a table end with the table */
    }
    switch ((enum html_el)el->id) {
    case HTML_EL_LI:
    case HTML_EL_DD:
        close_item(s, el->id);
        break;
    case HTML_EL_A:
    case HTML_EL_NOBR:
    case HTML_EL_BUTTON:
        close_id(s, el->id);
        break;
    default:
        break;
    }
    if (el->flags & HTML_EL_BLOCK) {
        close_id(s, HTML_EL_P);
    }
    const struct html_open *o = top(s);
    if (o && o->space == HTML_SPACE_HTML && o->el->id == el->id &&
        (el->id == HTML_EL_HEADING || el->id == HTML_EL_OPTION)) {
        weft_html_pop_to(s, s->nopen - 1);
    }
    if (!(el->flags & HTML_EL_VOID)) {
        weft_html_push(s, tag, HTML_SPACE_HTML);
    }
}

static void remove_at(struct html_scan *s, unsigned i)
{
    for (; i + 1 < s->nopen; i++) {
        s->open[i] = s->open[i + 1];
    }
    s->nopen--;
}

/* Whether an element that is not remembered may be open under that name. */
static bool may_be_outside(const struct html_tag *tag)
{
    if (*tag->el->name) {
        return !(tag->el->flags & (HTML_EL_VOID | HTML_EL_TEXTUAL)) &&
               tag->el->id != HTML_EL_TEXT_POINT && tag->el->id != HTML_EL_HTML_POINT &&
               tag->el->id != HTML_EL_SVG && tag->el->id != HTML_EL_MATH;
    }
    for (size_t i = 0; i < tag->name.len; i++) {
        if (tag->name.at[i] == '-') {
            return true; /* a custom element */
        }
    }
    return false;
}

/* An end tag by the rules for HTML content: that of a special element ends all that is open in
 * it, that of a formatting element leaves special ones open, any other is stopped by those. */
static void close_html(struct html_scan *s, const struct html_tag *tag)
{
    uint32_t hash = name_hash(tag->name);
    bool crossed = false, ends_all = tag->el->flags & (HTML_EL_SPECIAL | HTML_EL_BLOCK);
    unsigned i = s->nopen;
    for (; i > 0; i--) {
        const struct html_open *o = &s->open[i - 1];
        if (o->space == HTML_SPACE_HTML && named(o, hash, tag->name)) {
            if (crossed && (tag->el->flags & HTML_EL_FORMAT)) {
                remove_at(s, i - 1);
            } else {
                weft_html_pop_to(s, i - 1);
            }
            return;
        }
        if (o->space == HTML_SPACE_HTML && o->el->id == HTML_EL_TEMPLATE) {
            break;
        }
        crossed |= o->space == HTML_SPACE_HTML && (o->el->flags & HTML_EL_SPECIAL);
        if (is_barrier(o) || (crossed && !ends_all && !(tag->el->flags & HTML_EL_FORMAT))) {
            return;
        }
    }
    /* All the foreign elements are above: below are HTML elements that were not remembered. */
    for (unsigned k = 0; k < i; k++) {
        if (s->open[k].space != HTML_SPACE_HTML) {
            return;
        }
    }
    if (may_be_outside(tag)) {
        weft_html_pop_to(s, i);
    }
}

void weft_html_close(struct html_scan *s, const struct html_tag *tag)
{
    if (tag->el->id == HTML_EL_BODY || tag->el->id == HTML_EL_HTML) {
        return; /* 13.2.6.4.7: neither is popped */
    }
    const struct html_open *o = top(s);
    if (o && o->space != HTML_SPACE_HTML) {
        if (tag->el->id == HTML_EL_BR || tag->el->id == HTML_EL_P) {
            weft_html_break_out(s); /* 13.2.6.5: these end tags too */
        } else {
            uint32_t hash = name_hash(tag->name);
            for (unsigned i = s->nopen; i > 0 && s->open[i - 1].space != HTML_SPACE_HTML; i--) {
                if (named(&s->open[i - 1], hash, tag->name)) {
                    weft_html_pop_to(s, i - 1);
                    return;
                }
            }
        }
    }
    if (tag->el->id != HTML_EL_TEMPLATE) {
        close_html(s, tag);
        return;
    }
    for (unsigned i = s->nopen; i > 0; i--) {
        if (s->open[i - 1].space == HTML_SPACE_HTML && s->open[i - 1].el->id == HTML_EL_TEMPLATE) {
            weft_html_pop_to(s, i - 1);
            return;
        }
    }
}
