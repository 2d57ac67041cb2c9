/* html_tree.c -- what becomes of a tag: as much of tree construction (HTML Standard 13.2.6) as
 * decides whether a link's element exists. Outside of framesets, templates and foreign content
 * every start tag is one element, whatever is open. Scripting is off. */
#include "text/html_scan.h"

#include <string.h>

static void begin_frameset(struct html_scan *s)
{
    s->mode = HTML_IN_FRAMESET;
    s->framesets = 1;
}

/* A body begins without a tag of its own, with what stands at `at`. A later frameset tag replaces
 * it and all that is in it, unless something comes first that says no (the frameset-ok flag): so
 * read on without reporting until that is decided. If the body stays, s->p is where it was. */
static void begin_body(struct html_scan *s, const char *at)
{
    static const struct weft_html_sink silent;
    const struct weft_html_sink *sink = s->sink;
    const char *p = s->p;
    bool had_base = s->had_base, had_title = s->had_title;
    s->sink = &silent;
    s->mode = HTML_UNDECIDED;
    s->p = at;
    weft_html_run(s, true);
    s->sink = sink;
    if (s->mode != HTML_IN_FRAMESET) {
        weft_html_pop_to(s, 0);
        s->mode = HTML_IN_BODY;
        s->p = p;
    }
    s->had_base = had_base;
    s->had_title = had_title;
}

/* The rules from "initial" to "after head" (13.2.6.4.1-.6), and of "in body" (.7) while a frameset
 * could still begin. False: the tag is no element, or s->p has moved past it. */
static bool start_before_body(struct html_scan *s, const struct html_tag *tag)
{
    const struct html_element *el = tag->el;
    if (el->id == HTML_EL_HTML) {
        return true; /* it is the document element, or adds to it */
    }
    if (s->mode == HTML_HEAD_NOSCRIPT) {
        if (el->id == HTML_EL_HEAD || el->id == HTML_EL_NOSCRIPT) {
            return false;
        }
        if ((el->flags & HTML_EL_HEAD_ONLY) &&
            ((el->flags & HTML_EL_VOID && el->id != HTML_EL_BASE) || el->id == HTML_EL_STYLE ||
             el->id == HTML_EL_NOFRAMES)) {
            return true;
        }
        s->mode = HTML_IN_HEAD;
    }
    if (el->id == HTML_EL_HEAD) {
        return s->mode == HTML_IN_HEAD;
    }
    if (el->id == HTML_EL_BODY) {
        s->mode = HTML_IN_BODY;
        return true;
    }
    if (el->id == HTML_EL_FRAMESET) {
        begin_frameset(s);
        return true;
    }
    if (s->mode == HTML_UNDECIDED) {
        bool hidden = el->id == HTML_EL_INPUT && html_has(tag, HTML_AT_TYPE) &&
                      weft_html_same(tag->attr[HTML_AT_TYPE].at, tag->attr[HTML_AT_TYPE].len,
                                     "hidden", 6);
        if (((el->flags & HTML_EL_UNFRAMED) && !hidden) || el->id == HTML_EL_TEMPLATE) {
            s->mode = HTML_IN_BODY;
        }
        return true;
    }
    if (el->flags & HTML_EL_HEAD_ONLY) {
        return true;
    }
    if (s->mode == HTML_IN_HEAD && el->id == HTML_EL_NOSCRIPT) {
        s->mode = HTML_HEAD_NOSCRIPT;
        return true;
    }
    const char *p = s->p;
    begin_body(s, tag->start);
    return s->p == p;
}

/* "In frameset" and those behind it (13.2.6.4.20-.23): all else is ignored. */
static bool start_in_frameset(struct html_scan *s, const struct html_tag *tag)
{
    if (tag->el->id == HTML_EL_FRAMESET && s->mode == HTML_IN_FRAMESET) {
        s->framesets++;
        return true;
    }
    return tag->el->id == HTML_EL_NOFRAMES ||
           (tag->el->id == HTML_EL_FRAME && s->mode == HTML_IN_FRAMESET);
}

/* "In template" (13.2.6.4.18): a template that begins with a column holds columns only. */
static bool start_in_template(struct html_open *template, const struct html_tag *tag)
{
    if (template->template == HTML_TEMPLATE_COLUMNS) {
        return tag->el->id == HTML_EL_COL || tag->el->id == HTML_EL_TEMPLATE;
    }
    if (template->template == HTML_TEMPLATE_FRESH && !(tag->el->flags & HTML_EL_HEAD_ONLY)) {
        template->template = tag->el->id == HTML_EL_COL ? HTML_TEMPLATE_COLUMNS
                                                        : HTML_TEMPLATE_OTHER;
    }
    return true;
}

bool weft_html_start(struct html_scan *s, struct html_tag *tag, enum html_space *space)
{
    *space = HTML_SPACE_HTML;
    if (s->mode >= HTML_IN_FRAMESET) {
        return start_in_frameset(s, tag);
    }
    if (weft_html_is_foreign(s, tag)) {
        bool font = tag->el->id == HTML_EL_FONT &&
                    (tag->has & (1U << HTML_AT_COLOR | 1U << HTML_AT_FACE | 1U << HTML_AT_SIZE));
        if (!font && !(tag->el->flags & HTML_EL_BREAKOUT)) {
            *space = s->open[s->nopen - 1].space;
            if (!tag->self_closing) {
                weft_html_push(s, tag, *space);
            }
            return true;
        }
        weft_html_break_out(s);
    }
    struct html_open *top = s->nopen ? &s->open[s->nopen - 1] : NULL;
    if (top && top->space == HTML_SPACE_HTML && top->el->id == HTML_EL_TEMPLATE &&
        !start_in_template(top, tag)) {
        return false;
    }
    if (s->mode < HTML_IN_BODY && !s->ntemplates && !start_before_body(s, tag)) {
        return false;
    }
    switch ((enum html_el)tag->el->id) {
    case HTML_EL_FRAME: /* "in body" ignores it */
        return false;
    case HTML_EL_FRAMESET:
        return s->mode == HTML_IN_FRAMESET;
    case HTML_EL_SVG:
    case HTML_EL_MATH:
        *space = tag->el->id == HTML_EL_SVG ? HTML_SPACE_SVG : HTML_SPACE_MATH;
        if (!tag->self_closing) {
            weft_html_push(s, tag, *space);
        }
        return true;
    case HTML_EL_TEMPLATE:
        weft_html_push(s, tag, HTML_SPACE_HTML);
        return true;
    default:
        if (s->nforeign) {
            weft_html_open_html(s, tag);
        }
        return true;
    }
}

/* End tags before the body is certain. Those that 13.2.6.4.2 to .6 don't ignore act as if a body
 * had begun; br then begins a br element. */
static void end_before_body(struct html_scan *s, const struct html_tag *tag)
{
    enum html_el id = tag->el->id;
    if (s->mode == HTML_UNDECIDED) {
        if (id == HTML_EL_BR) {
            s->mode = HTML_IN_BODY;
        }
        return;
    }
    if (s->mode == HTML_HEAD_NOSCRIPT) {
        if (id != HTML_EL_NOSCRIPT && id != HTML_EL_BR) {
            return;
        }
        s->mode = HTML_IN_HEAD;
    }
    if (id == HTML_EL_HEAD && s->mode == HTML_IN_HEAD) {
        s->mode = HTML_AFTER_HEAD;
    } else if (id == HTML_EL_BR || id == HTML_EL_BODY || id == HTML_EL_HTML) {
        begin_body(s, tag->start);
    }
}

void weft_html_end(struct html_scan *s, const struct html_tag *tag)
{
    if (s->mode >= HTML_IN_FRAMESET) {
        if (tag->el->id == HTML_EL_FRAMESET && s->framesets && --s->framesets == 0) {
            s->mode = HTML_AFTER_FRAMESET;
        }
    } else if (s->nopen) {
        weft_html_close(s, tag);
    } else if (s->mode < HTML_IN_BODY) {
        end_before_body(s, tag);
    }
}

/* Text decides about the body only as long as nothing else has: any that is more than white space
 * begins one, or rules out a frameset. NUL (dropped in a body) begins one without ruling it out. */
void weft_html_text(struct html_scan *s, const char *from, const char *to)
{
    if (s->mode >= HTML_IN_BODY || s->ntemplates) {
        return;
    }
    bool nul = false;
    for (const char *p = from; p < to; p++) {
        if (*p == '\0') {
            nul = true;
        } else if (!strchr("\t\n\f\r ", *p)) {
            s->mode = HTML_IN_BODY;
            return;
        }
    }
    if (nul && s->mode != HTML_UNDECIDED) {
        begin_body(s, to);
    }
}
