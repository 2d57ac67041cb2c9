/* html.c -- the content states of the tokenizer (HTML Standard 13.2.5.1, .6, .7, .41-.71): text,
 * where tags begin, comments, doctype, CDATA. One pass; most tags of a body need no more than
 * being skipped. Knows what kinds of text elements hold; links are html_links.c's. */
#include "text/html_scan.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static const char *or_end(const struct html_scan *s, const char *p)
{
    return p ? p : s->end;
}

/* Behind the next '>', or the end: bogus comments (13.2.5.41) and doctypes (.53-.68), of which
 * every state ends at '>', also in the middle of an identifier. */
static const char *behind_greater(const char *p, const char *end)
{
    p = memchr(p, '>', (size_t)(end - p));
    return p ? p + 1 : end;
}

/* Comment start state to comment end bang state (13.2.5.43-.52); p is behind "<!--". */
static const char *comment_end(const char *p, const char *end)
{
    const char *from = p;
    while ((p = memchr(p, '>', (size_t)(end - p)))) {
        size_t n = (size_t)(p - from);
        if (n == 0 || (n == 1 && p[-1] == '-') || (n >= 2 && p[-1] == '-' && p[-2] == '-') ||
            (n >= 3 && p[-1] == '!' && p[-2] == '-' && p[-3] == '-')) {
            return p + 1;
        }
        p++;
    }
    return end;
}

/* CDATA section state (13.2.5.69-.71); p is behind "<![CDATA[". */
static const char *cdata_end(struct html_scan *s, const char *p)
{
    for (const char *close = p; (close = memchr(close, ']', (size_t)(s->end - close))); close++) {
        if (s->end - close > 2 && close[1] == ']' && close[2] == '>') {
            weft_html_text(s, p, close);
            return close + 3;
        }
    }
    return s->end;
}

/* Markup declaration open state (13.2.5.42); p is behind "<!". */
static const char *markup_declaration(struct html_scan *s, const char *p)
{
    size_t left = (size_t)(s->end - p);
    if (left >= 2 && p[0] == '-' && p[1] == '-') {
        return comment_end(p + 2, s->end);
    }
    bool foreign = s->nopen && s->open[s->nopen - 1].space != HTML_SPACE_HTML;
    if (foreign && left >= 7 && memcmp(p, "[CDATA[", 7) == 0) {
        return cdata_end(s, p + 7);
    }
    return behind_greater(p, s->end);
}

static void report_title(struct html_scan *s, struct html_slice text)
{
    if (s->had_title || s->ntemplates) {
        return;
    }
    s->had_title = true;
    if (s->sink->title && weft_html_decoded(s, &s->value, &text, false)) {
        s->sink->title(s->sink->user, text.at, text.len);
    }
}

/* The text of an element that holds no tags, and its end tag. */
static void textual_content(struct html_scan *s, const struct html_tag *tag)
{
    const char *from = s->p, *to = s->end;
    if (tag->el->flags & HTML_EL_SCRIPTDATA) {
        to = weft_html_script_end(from, s->end);
    } else if (!(tag->el->flags & HTML_EL_PLAINTEXT)) {
        to = weft_html_raw_end(from, s->end, tag->name.at, tag->name.len);
    }
    if (tag->el->id == HTML_EL_TITLE) {
        report_title(s, (struct html_slice){from, (size_t)(to - from)});
    }
    s->p = to;
    if (to < s->end) {
        s->p = or_end(s, weft_html_skip_attributes(to + 2 + tag->name.len, s->end));
    }
}

/* Tag open state (13.2.5.6) with a letter behind the '<'. */
static void start_tag(struct html_scan *s)
{
    struct html_tag tag = {.start = s->p, .name.at = s->p + 1};
    const char *name_end = weft_html_name_end(tag.name.at, s->end);
    tag.name.len = (size_t)(name_end - tag.name.at);
    const char *p = weft_html_read_attributes(name_end, s->end, &tag);
    s->p = or_end(s, p);
    if (!p) {
        return;
    }
    tag.el = weft_html_element(tag.name.at, tag.name.len);
    enum html_space space;
    bool in_document = !s->ntemplates; /* a template is in it, what it holds is not */
    if (!weft_html_start(s, &tag, &space)) {
        return;
    }
    if (in_document) {
        weft_html_report(s, &tag, space);
    }
    if (space == HTML_SPACE_HTML && (tag.el->flags & HTML_EL_TEXTUAL)) {
        textual_content(s, &tag);
    }
}

/* End tag open state (13.2.5.7); s->p is at "</". */
static void end_tag(struct html_scan *s)
{
    struct html_tag tag = {.start = s->p, .name.at = s->p + 2};
    if (tag.name.at == s->end) {
        weft_html_text(s, s->p, s->end);
        s->p = s->end;
        return;
    }
    if (!is_letter(*tag.name.at)) { /* "</>" is nothing, anything else a bogus comment */
        s->p = behind_greater(tag.name.at, s->end);
        return;
    }
    const char *name_end = weft_html_name_end(tag.name.at, s->end);
    tag.name.len = (size_t)(name_end - tag.name.at);
    const char *p = weft_html_skip_attributes(name_end, s->end);
    s->p = or_end(s, p);
    if (p && (s->nopen || s->mode != HTML_IN_BODY)) {
        tag.el = weft_html_element(tag.name.at, tag.name.len);
        weft_html_end(s, &tag);
    }
}

/* Tag open state (13.2.5.6); s->p is at '<'. */
static void tag_open(struct html_scan *s)
{
    char next = s->end - s->p > 1 ? s->p[1] : '\0';
    if (is_letter(next)) {
        start_tag(s);
    } else if (next == '/') {
        end_tag(s);
    } else if (next == '!') {
        s->p = markup_declaration(s, s->p + 2);
    } else if (next == '?') {
        s->p = behind_greater(s->p + 1, s->end);
    } else { /* the '<' is text */
        s->p++;
        weft_html_text(s, s->p - 1, s->p);
    }
}

void weft_html_run(struct html_scan *s, bool probing)
{
    while (s->p < s->end && s->status == WEFT_OK && !(probing && s->mode != HTML_UNDECIDED)) {
        if (s->mode == HTML_IN_BODY && !s->nopen && !s->sink->anchor) {
            s->p = weft_html_skip_plain(s->p, s->end);
        } else {
            const char *from = s->p;
            const char *to = or_end(s, memchr(from, '<', (size_t)(s->end - from)));
            s->p = to;
            weft_html_text(s, from, to);
            if (s->p != to) {
                continue;
            }
        }
        if (s->p < s->end) {
            tag_open(s);
        }
    }
}

enum weft_status weft_html_scan(const char *html, size_t len, const struct weft_html_sink *sink)
{
    struct html_scan s; /* its stack of open elements is large, and is written before it is read */
    s.begin = s.p = html;
    s.end = html + len;
    s.sink = sink;
    s.status = WEFT_OK;
    s.mode = HTML_IN_HEAD;
    s.plain_bytes = len == 0 || (!memchr(html, '\r', len) && !memchr(html, '\0', len));
    s.had_base = s.had_title = false;
    s.framesets = s.nopen = s.nforeign = s.ntemplates = 0;
    weft_buf_init(&s.value, 3 * len); /* decoding makes three bytes of one at most (NUL) */
    weft_buf_init(&s.rel, 3 * len);
    if (len) {
        weft_html_run(&s, false);
    }
    weft_buf_release(&s.value);
    weft_buf_release(&s.rel);
    return s.status;
}
