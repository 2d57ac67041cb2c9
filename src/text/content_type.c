/* content_type.c -- the Content-Type field, after the MIME Sniffing Standard's "parse a MIME type"
 * (section 4.4), and the choice among several. Knows bytes; the sniffing that looks at bodies is in
 * content_sniff.c. */
#include "text/content_type.h"

#include <string.h>

#define MAX_CHARSET 64 /* longer than any label with the white space that people put around it */

struct cursor {
    const char *at, *end;
};

static bool is_http_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

static bool all_tokens(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!is_token(s[i])) {
            return false;
        }
    }
    return len > 0;
}

/* HTTP quoted-string token code points: what a value may hold at all. */
static bool all_quotable(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)s[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) {
            return false;
        }
    }
    return true;
}

/* Moves the cursor to the first of the two stops (or the end) and returns how far. */
static size_t collect(struct cursor *c, char stop, char or_stop)
{
    const char *from = c->at;
    while (c->at < c->end && *c->at != stop && *c->at != or_stop) {
        c->at++;
    }
    return (size_t)(c->at - from);
}

static size_t trim_end(const char *s, size_t len)
{
    while (len && is_http_space(s[len - 1])) {
        len--;
    }
    return len;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool equal_ignoring_case(const char *s, size_t len, const char *word)
{
    size_t i = 0;
    while (i < len && word[i] && lower(s[i]) == word[i]) {
        i++;
    }
    return i == len && !word[i];
}

/* "type/subtype" into out->essence; false: no MIME type at all. */
static bool parse_essence(struct cursor *c, struct weft_content_type *out)
{
    const char *type = c->at;
    size_t type_len = collect(c, '/', '/');
    if (!all_tokens(type, type_len) || c->at == c->end) {
        return false;
    }
    const char *subtype = ++c->at;
    size_t subtype_len = trim_end(subtype, collect(c, ';', ';'));
    if (!all_tokens(subtype, subtype_len) || type_len + 1 + subtype_len >= WEFT_ESSENCE_CAP) {
        return false;
    }
    char *e = out->essence;
    for (size_t i = 0; i < type_len + 1 + subtype_len; i++) {
        e[i] = lower(type[i]);
    }
    e[type_len + 1 + subtype_len] = '\0';
    return true;
}

/* A quoted string's value (Fetch: "collect an HTTP quoted string"), as far as it fits into
 * value[0..MAX_CHARSET); *len is its whole length. Leaves the cursor behind it. */
static void parse_quoted(struct cursor *c, char *value, size_t *len)
{
    *len = 0;
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++) {
        if (*c->at == '\\' && c->at + 1 < c->end) {
            c->at++;
        }
        if (*len < MAX_CHARSET) {
            value[*len] = *c->at;
        }
        (*len)++;
    }
}

/* One "name=value" behind a semicolon; the first charset that the Standard keeps counts. */
static void parse_parameter(struct cursor *c, struct weft_content_type *out)
{
    while (c->at < c->end && is_http_space(*c->at)) {
        c->at++;
    }
    const char *name = c->at;
    size_t name_len = collect(c, ';', '=');
    if (c->at == c->end || *c->at == ';') {
        return;
    }
    c->at++; /* past "=" */
    char quoted[MAX_CHARSET];
    const char *value = c->at;
    size_t len;
    if (c->at < c->end && *c->at == '"') {
        parse_quoted(c, quoted, &len);
        value = quoted;
        collect(c, ';', ';');
    } else {
        len = trim_end(value, collect(c, ';', ';'));
        if (len == 0) {
            return;
        }
    }
    if (out->has_charset || !equal_ignoring_case(name, name_len, "charset")) {
        return;
    }
    if (len > MAX_CHARSET) { /* too long for a label: a parameter all the same */
        out->has_charset = true;
    } else if (all_quotable(value, len)) {
        out->has_charset = true;
        out->charset = weft_charset_by_label(value, len);
    }
}

void weft_content_type_parse(const char *value, size_t len, struct weft_content_type *out)
{
    *out = (struct weft_content_type){.essence = ""};
    struct cursor c = {value, value ? value + len : value};
    while (c.at < c.end && is_http_space(*c.at)) {
        c.at++;
    }
    while (c.at < c.end && is_http_space(c.end[-1])) {
        c.end--;
    }
    if (c.at == c.end || !parse_essence(&c, out)) {
        return;
    }
    out->is_html = !strcmp(out->essence, "text/html") ||
                   !strcmp(out->essence, "application/xhtml+xml");
    while (c.at < c.end) {
        c.at++; /* past ";" */
        parse_parameter(&c, out);
    }
}

/* The end of the value at s: the next comma outside of quotes. */
static const char *end_of_value(const char *s, const char *end)
{
    bool quoted = false;
    for (; s < end && (quoted || *s != ','); s++) {
        if (*s == '"') {
            quoted = !quoted;
        } else if (quoted && *s == '\\' && s + 1 < end) {
            s++;
        }
    }
    return s;
}

void weft_content_type_extract(const char *value, size_t len, struct weft_content_type *out)
{
    struct weft_content_type first = {
        .essence = ""}; /* of those of one type, as far as charsets go */
    *out = first;
    const char *end = value ? value + len : value;
    for (const char *at = value, *next; at < end; at = next + 1) {
        struct weft_content_type one;
        next = end_of_value(at, end);
        weft_content_type_parse(at, (size_t)(next - at), &one);
        if (!one.essence[0] || !strcmp(one.essence, "*/*")) {
            continue;
        }
        if (strcmp(one.essence, first.essence) != 0) {
            first = one;
        } else if (!one.has_charset) {
            one.charset = first.charset;
            one.has_charset = first.has_charset;
        }
        *out = one;
    }
}
