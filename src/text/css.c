/* css.c -- see css.h: selectors, their combinators, and how conditions are put together.
 *
 * A selector is read from left to right and becomes a condition on the element at its right end:
 * "a > b c" is "self::c and ancestor::*[self::b and parent::*[self::a]]". So every selector is one
 * condition, whatever stands in it, and :not() and its like need nothing of their own. */
#include "text/css.h"

#include "base/limits.h"
#include "text/css_impl.h"
#include "text/utf8.h"
#include <string.h>

#define MAX_COMPOUNDS (WEFT_MAX_CSS_NEST + 1)

void weft_css_fail(struct weft_css *c, enum weft_status st)
{
    if (c->status == WEFT_OK) {
        c->status = st;
    }
}

void weft_css_wrong(struct weft_css *c, const char *at, const char *what)
{
    if (c->status == WEFT_OK) {
        c->status = weft_css_refuse(&c->scan, at, what);
    }
}

bool weft_css_skip(struct weft_css *c)
{
    bool space = false;
    if (c->status == WEFT_OK) {
        c->status = weft_css_space(&c->scan, &space);
    }
    return space;
}

bool weft_css_take(struct weft_css *c, char wanted)
{
    bool there = c->status == WEFT_OK && *c->scan.at == wanted;
    c->scan.at += there;
    return there;
}

void weft_css_put(struct weft_css *c, struct weft_buf *out, const char *text)
{
    if (c->status == WEFT_OK) {
        c->status = weft_buf_puts(out, text);
    }
}

void weft_css_and(struct weft_css *c, const struct weft_css_subject *s)
{
    if (++c->parts > WEFT_MAX_CSS_PARTS) {
        weft_css_wrong(c, c->scan.at, "too many parts up to here");
    }
    weft_css_put(c, s->out, s->out->len > s->start ? " and " : "");
}

void weft_css_literal(struct weft_css *c, struct weft_buf *out, const struct weft_buf *text)
{
    const char *quote = strchr(text->data, '\'') ? "\"" : "'";
    if (!strchr(text->data, *quote)) {
        weft_css_put(c, out, quote);
        weft_css_put(c, out, text->data);
        weft_css_put(c, out, quote);
        return;
    }
    /* Both kinds of quotes: XPath has no escape, so it is put together of pieces. */
    weft_css_put(c, out, "concat(");
    for (const char *at = text->data; *at;) {
        size_t n = strcspn(at, "'");
        char mark = n > 0 ? '\'' : '"'; /* around a piece without ', or around some of them */
        n = n > 0 ? n : strspn(at, "'");
        weft_css_fail(c, c->status == WEFT_OK
                             ? weft_buf_printf(out, "%s%c%.*s%c", at > text->data ? ", " : "", mark,
                                               (int)n, at, mark)
                             : c->status);
        at += n;
    }
    weft_css_put(c, out, ")");
}

/* Whether XPath takes the name for a name as it is. */
static bool is_plain(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return *name && strchr(letters, *name) &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-")] ==
               '\0';
}

void weft_css_test(struct weft_css *c, struct weft_buf *out, const char *axis,
                   const struct weft_buf *name)
{
    weft_css_put(c, out, axis);
    if (is_plain(name->data)) {
        weft_css_put(c, out, name->data);
    } else if (weft_css_can_be(name)) {
        weft_css_put(c, out, "*[name() = ");
        weft_css_literal(c, out, name);
        weft_css_put(c, out, "]");
    } else {
        weft_css_put(c, out, "*[false()]");
    }
}

bool weft_css_can_be(const struct weft_buf *text)
{
    for (size_t at = 0; at < text->len;) {
        uint32_t ch;
        at += weft_utf8_next((const uint8_t *)text->data + at, text->len - at, &ch);
        if ((ch < 0x20 && ch != '\t' && ch != '\n' && ch != '\r') || ch == 0xFFFE || ch == 0xFFFF) {
            return false;
        }
    }
    return true;
}

/* #id and .class, `at` being behind the first character. */
static void put_named(struct weft_css *c, const struct weft_css_subject *s, const char *attribute,
                      char operator, const char * missing)
{
    weft_css_fail(c, weft_css_name(&c->scan, &c->value, missing));
    weft_buf_clear(&c->name);
    weft_css_put(c, &c->name, attribute);
    if (c->status == WEFT_OK) {
        weft_css_compare(c, s, operator, false);
    }
}

/* An element's name or *, if there is one. Its node test goes to type. */
static void put_type(struct weft_css *c, struct weft_css_subject *s, struct weft_buf *type)
{
    if (weft_css_take(c, '*')) {
        weft_css_and(c, s);
        weft_css_put(c, s->out, "true()");
    } else if (weft_css_at_name(&c->scan)) {
        weft_css_fail(c, weft_css_name(&c->scan, &c->name, ""));
        if (c->status != WEFT_OK) {
            return;
        }
        weft_css_lower(&c->name);
        weft_css_and(c, s);
        weft_css_test(c, s->out, "self::", &c->name);
        weft_css_test(c, type, "", &c->name);
        s->type = type->data;
        s->inherits = false;
    }
    if (*c->scan.at == '|') {
        weft_css_wrong(c, c->scan.at, "namespaces are not understood");
    }
}

/* What holds of one element: "a.b[c]:first-child". Ends where no more of that is, and before "::".
 * Whether there is nothing else, or * alone. */
static bool put_compound(struct weft_css *c, struct weft_buf *out, const char *type)
{
    struct weft_css_subject s = {.out = out, .start = out->len, .type = type, .inherits = type};
    struct weft_buf own;
    weft_buf_init(&own, WEFT_MAX_CSS_XPATH);
    put_type(c, &s, &own);
    while (c->status == WEFT_OK && strncmp(c->scan.at, "::", 2) != 0) {
        if (weft_css_take(c, '#')) {
            put_named(c, &s, "id", '=', "an id is missing");
        } else if (weft_css_take(c, '.')) {
            put_named(c, &s, "class", '~', "a class is missing");
        } else if (weft_css_take(c, '[')) {
            weft_css_attribute(c, &s);
        } else if (weft_css_take(c, ':')) {
            weft_css_pseudo(c, &s);
        } else {
            break;
        }
    }
    bool element = strncmp(c->scan.at, "::", 2) == 0, none = out->len == s.start;
    if (none && element) {
        weft_css_put(c, out, "true()");
    } else if (none) {
        weft_css_wrong(c, c->scan.at,
                       *c->scan.at ? "no selector starts with this"
                                   : "a selector is missing at the end");
    }
    weft_buf_release(&own);
    return element && c->status == WEFT_OK && strcmp(out->data + s.start, "true()") == 0;
}

/* Reads what stands between two compounds. '\0': the selector ends here. */
static char read_combinator(struct weft_css *c, char end)
{
    bool space = weft_css_skip(c);
    char next = *c->scan.at;
    if (c->status != WEFT_OK || next == '\0' || next == ',' || next == end) {
        return '\0';
    }
    if (next == '>' || next == '+' || next == '~') {
        c->scan.at++;
        weft_css_skip(c);
        return next;
    }
    if (!space && strncmp(c->scan.at, "::", 2) != 0) {
        weft_css_wrong(c, c->scan.at, "neither a selector nor a combinator");
    }
    return space ? ' ' : '\0';
}

/* Where what stands left of a combinator is, seen from the element right of it. */
static const char *axis(char combinator)
{
    switch (combinator) {
    case '>':
        return " and parent::*[";
    case '+':
        return " and preceding-sibling::*[1]/self::*[";
    case '~':
        return " and preceding-sibling::*[";
    case '/':
        return " and ancestor-or-self::*[";
    default:
        return " and ancestor::*[";
    }
}

/* A selector up to a comma, `end` or "::". Its compounds are read into one buffer, and put together
 * from the last one on. */
static void put_selector(struct weft_css *c, struct weft_buf *out, char end, const char *type)
{
    struct weft_buf read;
    size_t ends[MAX_COMPOUNDS];
    char combinators[MAX_COMPOUNDS], next = '\0';
    unsigned n = 0, nest = c->nest;
    const char *inherited = c->inherited;
    weft_buf_init(&read, WEFT_MAX_CSS_XPATH);
    do {
        const char *at = c->scan.at;
        c->inherited = NULL;
        combinators[n] = next;
        if (put_compound(c, &read, type) && next == ' ') {
            combinators[n] = '/'; /* "a ::text" and "a *::text": its own too, as scrapy has it */
        }
        ends[n++] = read.len;
        next = read_combinator(c, end);
        if (next && c->inherited) { /* the type is that of the last one, and this is another */
            weft_css_wrong(c, c->inherited, WEFT_CSS_NEEDS_TYPE);
        }
        if (next && (n == MAX_COMPOUNDS || ++c->nest > WEFT_MAX_CSS_NEST)) {
            weft_css_wrong(c, at, "too many combinators");
        }
    } while (next && c->status == WEFT_OK);
    for (unsigned i = n; i-- > 0 && c->status == WEFT_OK;) {
        size_t start = i > 0 ? ends[i - 1] : 0;
        weft_css_fail(c, weft_buf_append(out, read.data + start, ends[i] - start));
        weft_css_put(c, out, i > 0 ? axis(combinators[i]) : "");
    }
    for (unsigned i = 1; i < n; i++) {
        weft_css_put(c, out, "]");
    }
    weft_buf_release(&read);
    c->nest = nest;
    c->inherited = inherited ? inherited : c->inherited;
}

void weft_css_list(struct weft_css *c, struct weft_buf *out, char end, const char *type)
{
    do {
        weft_css_skip(c);
        put_selector(c, out, end, type);
        if (c->status == WEFT_OK && *c->scan.at == ',') {
            weft_css_put(c, out, " or ");
        }
        if (strncmp(c->scan.at, "::", 2) == 0) {
            weft_css_wrong(c, c->scan.at, "a pseudo-element has no place in ( )");
        }
    } while (weft_css_take(c, ','));
}

/* "::text" or "::attr(name)", if it is here, as the end of a path. */
static void put_pseudo_element(struct weft_css *c, struct weft_buf *suffix)
{
    const char *start = c->scan.at;
    weft_buf_clear(suffix);
    if (c->status != WEFT_OK || strncmp(start, "::", 2) != 0) {
        return;
    }
    c->scan.at += 2;
    weft_css_fail(c, weft_css_name(&c->scan, &c->name, "a pseudo-element's name is missing"));
    if (c->status != WEFT_OK) {
        return;
    }
    weft_css_lower(&c->name);
    bool arguments = weft_css_take(c, '(');
    if (!arguments && strcmp(c->name.data, "text") == 0) {
        weft_css_put(c, suffix, "/text()");
    } else if (arguments && strcmp(c->name.data, "attr") == 0) {
        weft_css_skip(c);
        if (c->status == WEFT_OK) {
            weft_css_fail(c, weft_css_name(&c->scan, &c->name, "an attribute's name is missing"));
        }
        weft_css_skip(c);
        if (c->status == WEFT_OK && !weft_css_take(c, ')')) {
            weft_css_wrong(c, c->scan.at, "a ) is missing here");
        }
        weft_css_lower(&c->name);
        weft_css_test(c, suffix, "/@", &c->name);
    } else {
        weft_css_wrong(c, start, "no pseudo-element but ::text and ::attr(name) is understood");
    }
}

/* The whole list. Selectors that follow each other and end alike are one path, whose nodes libxml2
 * need not compare with those of another. */
static void put_paths(struct weft_css *c, struct weft_buf *out)
{
    struct weft_buf condition, ends[2];
    unsigned now = 0;
    weft_buf_init(&condition, WEFT_MAX_CSS_XPATH);
    weft_buf_init(&ends[0], WEFT_MAX_CSS_XPATH);
    weft_buf_init(&ends[1], WEFT_MAX_CSS_XPATH);
    weft_css_put(c, &ends[0], "");
    weft_css_put(c, &ends[1], "");
    do {
        bool first = out->len == 0;
        weft_buf_clear(&condition);
        weft_css_skip(c);
        put_selector(c, &condition, '\0', NULL);
        put_pseudo_element(c, &ends[now]);
        weft_css_skip(c);
        if (c->status != WEFT_OK) {
            break;
        }
        if (!first && strcmp(ends[now].data, ends[!now].data) == 0) {
            weft_css_put(c, out, " or ");
        } else {
            weft_css_put(c, out, first ? "" : "]");
            weft_css_put(c, out, first ? "" : ends[!now].data);
            weft_css_put(c, out, first ? "" : " | ");
            weft_css_put(c, out, "descendant-or-self::*[");
        }
        weft_css_put(c, out, condition.data);
        now = !now;
    } while (weft_css_take(c, ','));
    if (c->status == WEFT_OK && *c->scan.at) {
        weft_css_wrong(c, c->scan.at, "nothing but a comma may stand behind a pseudo-element");
    }
    weft_css_put(c, out, "]");
    weft_css_put(c, out, c->status == WEFT_OK ? ends[!now].data : "");
    weft_buf_release(&condition);
    weft_buf_release(&ends[0]);
    weft_buf_release(&ends[1]);
}

/* The number of the character at p, from 1. */
static size_t character(const char *text, const char *p)
{
    size_t n = 1;
    for (; text < p; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}

enum weft_status weft_css_to_xpath(char **xpath, const char *selector, struct weft_css_error *error)
{
    struct weft_css c = {.scan = {.text = selector, .at = selector}};
    struct weft_buf out;
    size_t len = strnlen(selector, WEFT_MAX_CSS + 1);
    size_t good = weft_utf8_span((const uint8_t *)selector, len);
    *xpath = NULL;
    weft_buf_init(&out, WEFT_MAX_CSS_XPATH);
    weft_buf_init(&c.name, WEFT_MAX_CSS);
    weft_buf_init(&c.value, WEFT_MAX_CSS);
    if (len > WEFT_MAX_CSS) {
        weft_css_wrong(&c, selector + WEFT_MAX_CSS, "longer than a selector may be");
    } else if (good < len) {
        weft_css_wrong(&c, selector + good, "not UTF-8");
    }
    weft_css_put(&c, &c.name, ""); /* there is a text from now on */
    weft_css_put(&c, &c.value, "");
    if (c.status == WEFT_OK) {
        put_paths(&c, &out);
    }
    if (c.status == WEFT_OK) {
        *xpath = weft_buf_take(&out);
        c.status = *xpath ? WEFT_OK : WEFT_ENOMEM;
    } else if (c.status == WEFT_ELIMIT) { /* what it would become is over the limit */
        c.status = weft_css_refuse(&c.scan, selector, "longer than a selector may be");
    }
    if (c.status == WEFT_ESYNTAX) {
        *error = (struct weft_css_error){c.scan.wrong, character(selector, c.scan.at)};
    }
    weft_buf_release(&out);
    weft_buf_release(&c.name);
    weft_buf_release(&c.value);
    return c.status;
}
