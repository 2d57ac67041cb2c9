/* sitemap_tidy.c -- reduces XML to what a sitemap needs of it: tags, text, and references that
 * libxml2 knows. Its output is what libxml2 is given.
 *
 * This is for three reasons. Sitemaps are full of bare ampersands ("?a=1&b=2"), which a parser in
 * recovery loses: they are written "&amp;" here. Entities and DTDs are nobody's business: they are
 * dropped, so that nothing can be declared, expanded or loaded. And libxml2's push parser looks for
 * the end of a comment or a reference again with each chunk, or each ampersand, so that hostile
 * input costs it squared time: comments and processing instructions are dropped, CDATA is written
 * as text, references are short, and a tag longer than any is the end.
 *
 * Works on bytes of any encoding in which ASCII is ASCII. Knows nothing of sitemaps. */
#include "base/limits.h"
#include "text/sitemap_parts.h"

#include <string.h>

enum tidy_state {
    TEXT,
    REFERENCE, /* behind '&' */
    OPEN,      /* behind '<' */
    TAG,
    COMMENT,
    CDATA,
    INSTRUCTION,
    DOCTYPE,
    ENDED
};

static const char comment_start[] = "<!--", cdata_start[] = "<![CDATA[";

void weft_sitemap_tidy_init(struct sitemap_tidy *t, sitemap_sink *sink, void *user)
{
    memset(t, 0, sizeof *t);
    t->sink = sink;
    t->user = user;
}

static void flush(struct sitemap_tidy *t)
{
    if (t->status == WEFT_OK && t->nout > 0) {
        t->status = t->sink(t->user, t->out, t->nout);
    }
    t->nout = 0;
}

/* Writes a byte, unless XML 1.0 has no such character. */
static void put(struct sitemap_tidy *t, char c)
{
    if ((unsigned char)c < ' ' && !sitemap_space(c)) {
        return;
    }
    if (t->nout == sizeof t->out) {
        flush(t);
    }
    t->out[t->nout++] = c;
}

static void puts_all(struct sitemap_tidy *t, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(t, s[i]);
    }
}

static void put_escaped(struct sitemap_tidy *t, char c)
{
    if (c == '&') {
        puts_all(t, "&amp;", 5);
    } else if (c == '<') {
        puts_all(t, "&lt;", 4);
    } else if (c == '>') {
        puts_all(t, "&gt;", 4);
    } else {
        put(t, c);
    }
}

static void hold(struct sitemap_tidy *t, enum tidy_state state, char c)
{
    t->state = (int)state;
    t->held[0] = c;
    t->nheld = 1;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether "&..." names a character that needs no declaration. */
static bool is_known(const char *name, size_t n)
{
    static const char *const known[] = {"&amp", "&lt", "&gt", "&quot", "&apos"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == n && memcmp(known[i], name, n) == 0) {
            return true;
        }
    }
    size_t i = n > 2 && name[1] == '#' ? 2 : n;
    bool hex = i < n && name[i] == 'x';
    for (i += hex; i < n; i++) {
        bool letter = hex && is_alpha(name[i]) && (name[i] | 0x20) <= 'f';
        if (!is_digit(name[i]) && !letter) {
            return false;
        }
    }
    return n > (hex ? 3u : 2u) && name[1] == '#';
}

/* Each step takes one byte in its state; false: the state has changed, the byte is still to be
 * taken. */
static bool reference(struct sitemap_tidy *t, char c)
{
    if (c == ';' && is_known(t->held, t->nheld)) {
        puts_all(t, t->held, t->nheld);
        put(t, c);
        t->state = t->back;
        return true;
    }
    if ((is_digit(c) || is_alpha(c) || c == '#') && t->nheld < sizeof t->held) {
        t->held[t->nheld++] = c;
        return true;
    }
    puts_all(t, "&amp;", 5);
    puts_all(t, t->held + 1, t->nheld - 1);
    t->state = t->back;
    return false;
}

static void begin_reference(struct sitemap_tidy *t)
{
    t->back = t->state;
    hold(t, REFERENCE, '&');
}

static bool text(struct sitemap_tidy *t, char c)
{
    if (c == '<') {
        hold(t, OPEN, c);
    } else if (!t->seen_tag) {
        return true; /* before the root element; libxml2 would give up */
    } else if (c == '&') {
        begin_reference(t);
    } else {
        put_escaped(t, c);
    }
    return true;
}

/* Behind "<!": a comment, CDATA, or a declaration. */
static bool declaration(struct sitemap_tidy *t, char c)
{
    t->held[t->nheld++] = c;
    if (t->nheld == sizeof comment_start - 1 && memcmp(t->held, comment_start, t->nheld) == 0) {
        t->match = 0;
        t->back = TEXT;
        t->state = COMMENT;
        return true;
    }
    if (t->nheld == sizeof cdata_start - 1 && memcmp(t->held, cdata_start, t->nheld) == 0) {
        t->match = 0;
        t->state = CDATA;
        return true;
    }
    if (memcmp(t->held, cdata_start, t->nheld) == 0 ||
        (t->nheld < sizeof comment_start && memcmp(t->held, comment_start, t->nheld) == 0)) {
        return true;
    }
    t->state = DOCTYPE;
    t->held[0] = '!'; /* from here on, the byte before */
    t->subset = false;
    t->quote = 0;
    t->match = 0;
    return false;
}

static bool open_markup(struct sitemap_tidy *t, char c)
{
    if (t->nheld >= 2 || c == '!') {
        return declaration(t, c);
    }
    if (c == '?') {
        t->match = 0;
        t->back = TEXT;
        t->state = INSTRUCTION;
        return true;
    }
    if (c == '/' || is_alpha(c) || c == '_' || c == ':' || (unsigned char)c >= 0x80) {
        t->seen_tag = true;
        t->tag_len = 0;
        t->quote = 0;
        t->state = TAG;
        put(t, '<');
        return false;
    }
    t->state = TEXT; /* a bare "<" */
    if (t->seen_tag) {
        put_escaped(t, '<');
    }
    return false;
}

static bool tag(struct sitemap_tidy *t, char c)
{
    if (++t->tag_len > WEFT_MAX_XML_TAG) {
        t->state = ENDED;
    } else if (t->quote && c == t->quote) {
        t->quote = 0;
        put(t, c);
    } else if (t->quote && c == '&') {
        begin_reference(t);
    } else if (t->quote) {
        put_escaped(t, c);
    } else if (c == '<') { /* the tag was never closed */
        put(t, '>');
        hold(t, OPEN, c);
    } else {
        t->quote = c == '"' || c == '\'' ? c : 0;
        t->state = c == '>' ? TEXT : TAG;
        put(t, c);
    }
    return true;
}

static bool comment(struct sitemap_tidy *t, char c)
{
    if (c == '>' && t->match == 2) {
        t->match = 0;
        t->state = t->back;
    } else if (c != '-') {
        t->match = 0;
    } else if (t->match < 2) {
        t->match++;
    }
    return true;
}

static bool instruction(struct sitemap_tidy *t, char c)
{
    if (c == '>' && t->match == 1) {
        t->match = 0;
        t->state = t->back;
    } else {
        t->match = c == '?';
    }
    return true;
}

static bool cdata(struct sitemap_tidy *t, char c)
{
    if (c == '>' && t->match == 2) {
        t->state = TEXT;
    } else if (c == ']' && t->match < 2) {
        t->match++;
    } else if (c == ']') {
        put(t, c);
    } else {
        puts_all(t, "]]", t->match);
        t->match = 0;
        put_escaped(t, c);
    }
    return true;
}

/* XML 1.0 [28]: quoted literals, a subset in brackets, and in there comments and instructions. */
static bool doctype(struct sitemap_tidy *t, char c)
{
    if (t->quote) {
        t->quote = c == t->quote ? 0 : t->quote;
        return true;
    }
    t->match = t->match < 4 && c == comment_start[t->match] ? t->match + 1 : c == '<';
    if (t->match == 4 || (t->match == 0 && c == '?' && t->held[0] == '<')) {
        t->state = t->match == 4 ? COMMENT : INSTRUCTION;
        t->match = 0;
        t->back = DOCTYPE;
    } else if (c == '"' || c == '\'') {
        t->quote = c;
    } else if (c == '[' || c == ']') {
        t->subset = c == '[';
    } else if (c == '>' && !t->subset) {
        t->state = TEXT;
    }
    t->held[0] = c;
    return true;
}

static void step(struct sitemap_tidy *t, char c)
{
    static bool (*const steps[])(struct sitemap_tidy *, char) = {
        [TEXT] = text,
        [REFERENCE] = reference,
        [OPEN] = open_markup,
        [TAG] = tag,
        [COMMENT] = comment,
        [CDATA] = cdata,
        [INSTRUCTION] = instruction,
        [DOCTYPE] = doctype,
    };
    while (t->state != ENDED && !steps[t->state](t, c)) {
    }
}

enum weft_status weft_sitemap_tidy_feed(struct sitemap_tidy *t, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len && t->state != ENDED && t->status == WEFT_OK; i++) {
        step(t, bytes[i]);
    }
    return t->status == WEFT_OK && t->state == ENDED ? WEFT_END : t->status;
}

enum weft_status weft_sitemap_tidy_flush(struct sitemap_tidy *t)
{
    flush(t);
    return t->status;
}
