/* css_simple.c -- attribute selectors and pseudo-classes as conditions of XPath. See css_impl.h. */
#include "text/css_impl.h"

#include "base/limits.h"
#include <string.h>

#define UPPER "'ABCDEFGHIJKLMNOPQRSTUVWXYZ'"
#define LOWER "'abcdefghijklmnopqrstuvwxyz'"

/* The attribute, in small letters if their size does not count. */
static void put_attribute(struct weft_css *c, struct weft_buf *out, bool any_size)
{
    weft_css_put(c, out, any_size ? "translate(" : "");
    weft_css_test(c, out, "@", &c->name);
    weft_css_put(c, out, any_size ? ", " UPPER ", " LOWER ")" : "");
}

static void put_number(struct weft_css *c, struct weft_buf *out, long n)
{
    weft_css_fail(c, c->status == WEFT_OK ? weft_buf_printf(out, "%ld", n) : c->status);
}

/* How many characters: what XPath's string-length counts. */
static long characters(const struct weft_buf *text)
{
    long n = 0;
    for (size_t i = 0; i < text->len; i++) {
        n += ((unsigned char)text->data[i] & 0xC0) != 0x80;
    }
    return n;
}

/* Whether a value can match at all (Selectors 4, 6.1-6.2): a word is not empty and has no space in
 * it; a start, an end or a piece is not empty. */
static bool can_match(char operator, const struct weft_buf * value)
{
    bool empty = value->len == 0;
    switch (operator) {
    case '~':
        return !empty && strcspn(value->data, " \t\n\r\f") == value->len;
    case '^':
    case '$':
    case '*':
        return !empty;
    default:
        return true;
    }
}

void weft_css_compare(struct weft_css *c, const struct weft_css_subject *s, char operator,
                      bool any_size)
{
    struct weft_buf *out = s->out;
    weft_css_and(c, s);
    if (!weft_css_can_be(&c->value) || !can_match(operator, & c->value)) {
        weft_css_put(c, out, "false()");
        return;
    }
    if (any_size) {
        weft_css_lower(&c->value);
    }
    if (c->value.len == 0) { /* functions take an attribute that is absent for an empty one */
        weft_css_test(c, out, "@", &c->name);
        weft_css_put(c, out, " and ");
    }
    switch (operator) {
    case '~':
        weft_css_put(c, out, "contains(concat(' ', normalize-space(");
        break;
    case '^':
        weft_css_put(c, out, "starts-with(");
        break;
    case '*':
        weft_css_put(c, out, "contains(");
        break;
    case '$':
        weft_css_put(c, out, "substring(");
        break;
    case '|':
        weft_css_put(c, out, "starts-with(concat(");
        break;
    default:
        break;
    }
    put_attribute(c, out, any_size);
    switch (operator) {
    case '~':
        weft_css_put(c, out, "), ' '), concat(' ', ");
        break;
    case '^':
    case '*':
        weft_css_put(c, out, ", ");
        break;
    case '$': /* XPath counts from 1; a start before it is cut, and what is left is too short */
        weft_css_put(c, out, ", string-length(");
        weft_css_test(c, out, "@", &c->name);
        weft_css_put(c, out, ") - ");
        put_number(c, out, characters(&c->value) - 1);
        weft_css_put(c, out, ") = ");
        break;
    case '|':
        weft_css_put(c, out, ", '-'), concat(");
        break; /* "en-" stands before "en-GB-" */
    default:
        weft_css_put(c, out, " = ");
        break;
    }
    weft_css_literal(c, out, &c->value);
    weft_css_put(c, out,
                    operator== '~' ? ", ' '))" :
                    operator== '|' ? ", '-'))"
                    :
                    operator== '^' || operator== '*' ? ")"
                                                     : "");
}

/* The value's text, and the flag behind it. */
static bool read_value(struct weft_css *c)
{
    struct weft_css_scan *scan = &c->scan;
    weft_css_skip(c);
    bool quoted = *scan->at == '"' || *scan->at == '\'';
    if (c->status == WEFT_OK) {
        weft_css_fail(c, quoted ? weft_css_string(scan, &c->value)
                                : weft_css_name(scan, &c->value,
                                                "a value is missing: a name, or text in quotes"));
    }
    weft_css_skip(c);
    char flag = c->status == WEFT_OK ? (char)(*scan->at | 0x20) : '\0';
    if (flag == 'i' || flag == 's') {
        scan->at++;
        weft_css_skip(c);
    }
    return flag == 'i';
}

void weft_css_attribute(struct weft_css *c, const struct weft_css_subject *s)
{
    struct weft_css_scan *scan = &c->scan;
    const char *open = scan->at - 1;
    char operator= '\0';
    bool any_size = false;
    weft_css_skip(c);
    if (c->status == WEFT_OK) {
        weft_css_fail(c, weft_css_name(scan, &c->name, "an attribute's name is missing"));
    }
    weft_css_skip(c);
    if (c->status != WEFT_OK) {
        return;
    }
    weft_css_lower(&c->name);
    if (*scan->at == '=') {
        operator= * scan->at++;
    } else if (*scan->at && strchr("~^$*|", *scan->at) && scan->at[1] == '=') {
        operator= * scan->at;
        scan->at += 2;
    }
    if (operator) {
        any_size = read_value(c);
    }
    if (c->status == WEFT_OK && !weft_css_take(c, ']')) {
        if (*scan->at) {
            weft_css_wrong(c, scan->at, "neither = ~= ^= $= *= |= nor ] is here");
        } else {
            weft_css_wrong(c, open, "a [ without its ]");
        }
    } else if (operator) {
        weft_css_compare(c, s, operator, any_size);
    } else {
        weft_css_and(c, s);
        weft_css_test(c, s->out, "@", &c->name);
    }
}

/* Whether there are at least n siblings of this kind on that side. */
static void put_at_least(struct weft_css *c, struct weft_buf *out, const char *axis,
                         const char *type, long n)
{
    weft_css_put(c, out, axis);
    weft_css_put(c, out, type ? type : "*");
    weft_css_put(c, out, "[");
    put_number(c, out, n);
    weft_css_put(c, out, "]");
}

/* That the element is number a * k + b for some k >= 0, counted along the axis, which holds those
 * before it. Siblings are counted only where nothing else will do: libxml2 stops looking at the
 * n-th of [n]. */
static void put_nth(struct weft_css *c, const struct weft_css_subject *s, const char *axis,
                    const char *type, long a, long b)
{
    struct weft_buf *out = s->out;
    bool at_least = a >= 0 && b > 1, at_most = a <= 0;
    weft_css_and(c, s);
    if (at_most && b < 1) {
        weft_css_put(c, out, "false()");
        return;
    }
    if (at_least) {
        put_at_least(c, out, axis, type, b - 1);
    }
    if (at_most) {
        weft_css_put(c, out, at_least ? " and not(" : "not(");
        put_at_least(c, out, axis, type, b);
        weft_css_put(c, out, ")");
    }
    if (a > 1 || a < -1) {
        weft_css_put(c, out, at_least || at_most ? " and (count(" : "(count(");
        weft_css_put(c, out, axis);
        weft_css_put(c, out, type ? type : "*");
        weft_css_put(c, out, ") - ");
        put_number(c, out, b - 1);
        weft_css_put(c, out, ") mod ");
        put_number(c, out, a > 0 ? a : -a);
        weft_css_put(c, out, " = 0");
    } else if (!at_least && !at_most) {
        weft_css_put(c, out, "true()");
    }
}

/* Position among siblings. */
static const struct place {
    const char *name;
    bool arguments, of_type, from_start, from_end;
} places[] = {
    {"first-child", false, false, true, false},   {"last-child", false, false, false, true},
    {"only-child", false, false, true, true},     {"nth-child", true, false, true, false},
    {"nth-last-child", true, false, false, true}, {"first-of-type", false, true, true, false},
    {"last-of-type", false, true, false, true},   {"only-of-type", false, true, true, true},
    {"nth-of-type", true, true, true, false},     {"nth-last-of-type", true, true, false, true},
};

/* Closes the arguments of a pseudo-class that began at `name`. */
static void end_arguments(struct weft_css *c, const char *name)
{
    weft_css_skip(c);
    if (c->status == WEFT_OK && !weft_css_take(c, ')')) {
        weft_css_wrong(c, *c->scan.at ? c->scan.at : name,
                       *c->scan.at ? "a ) is missing here" : "a ( without its )");
    }
}

static void put_place(struct weft_css *c, const struct weft_css_subject *s, const struct place *p,
                      const char *name)
{
    long a = 0, b = 1;
    if (p->arguments) {
        weft_css_skip(c);
        if (c->status == WEFT_OK) {
            weft_css_fail(c, weft_css_an_plus_b(&c->scan, &a, &b));
        }
        end_arguments(c, name);
    }
    if (p->of_type && !s->type) {
        weft_css_wrong(c, name, WEFT_CSS_NEEDS_TYPE);
    } else if (p->of_type && s->inherits) {
        c->inherited = name;
    }
    const char *type = p->of_type ? s->type : NULL;
    if (p->from_start) {
        put_nth(c, s, "preceding-sibling::", type, a, b);
    }
    if (p->from_end) {
        put_nth(c, s, "following-sibling::", type, a, b);
    }
}

static void put_list(struct weft_css *c, const struct weft_css_subject *s, bool negated,
                     const char *name)
{
    const char *inherited = c->inherited;
    if (++c->nest > WEFT_MAX_CSS_NEST) {
        weft_css_wrong(c, name, "nested too deep");
    }
    weft_css_and(c, s);
    weft_css_put(c, s->out, negated ? "not(" : "(");
    weft_css_list(c, s->out, ')', s->type);
    weft_css_put(c, s->out, ")");
    end_arguments(c, name);
    c->nest--;
    c->inherited = s->inherits ? c->inherited : inherited;
}

void weft_css_pseudo(struct weft_css *c, const struct weft_css_subject *s)
{
    const char *name = c->scan.at - 1;
    weft_css_fail(c, weft_css_name(&c->scan, &c->name, "a pseudo-class's name is missing"));
    if (c->status != WEFT_OK) {
        return;
    }
    weft_css_lower(&c->name);
    const char *word = c->name.data;
    bool arguments = weft_css_take(c, '(');
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(word, places[i].name) == 0 && arguments == places[i].arguments) {
            put_place(c, s, &places[i], name);
            return;
        }
    }
    bool negated = strcmp(word, "not") == 0;
    if (arguments && (negated || strcmp(word, "is") == 0 || strcmp(word, "where") == 0)) {
        put_list(c, s, negated, name);
    } else if (!arguments && strcmp(word, "empty") == 0) {
        weft_css_and(c, s);
        weft_css_put(c, s->out, "not(* or text())");
    } else if (!arguments && strcmp(word, "root") == 0) {
        weft_css_and(c, s);
        weft_css_put(c, s->out, "not(parent::*)");
    } else {
        weft_css_wrong(c, name, "no pseudo-class that is understood");
    }
}
