/* charset_sniff.c -- which encoding an HTML body is in: the encoding sniffing algorithm of the
 * HTML Standard, 13.2.3.2, with its prescan. Knows bytes and the Content-Type field's value. */
#include "text/charset_impl.h"
#include "text/content_type.h"

#include <string.h>

#define PRESCAN 1024 /* bytes: what the Standard recommends */

/* Where the prescan stands. Every step that would go past the end ends it, as the Standard says of
 * running out of bytes: those functions return false. */
struct prescan {
    const char *start, *at, *end;
};

struct text {
    const char *at;
    size_t len;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool is_alpha(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

/* Whether s begins with the lower-case word, in any case. */
static bool starts(const char *s, const char *end, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(end - s) < n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (lower(s[i]) != word[i]) {
            return false;
        }
    }
    return true;
}

static bool equals(struct text t, const char *word)
{
    return t.len == strlen(word) && starts(t.at, t.at + t.len, word);
}

static bool skip_spaces(struct prescan *p)
{
    while (p->at < p->end && is_space(*p->at)) {
        p->at++;
    }
    return p->at < p->end;
}

/* "Get an attribute", from its value on. */
static bool attribute_value(struct prescan *p, struct text *value)
{
    if (!skip_spaces(p)) {
        return false;
    }
    if (*p->at == '"' || *p->at == '\'') {
        char quote = *p->at++;
        const char *close = memchr(p->at, quote, (size_t)(p->end - p->at));
        if (!close) {
            return false;
        }
        *value = (struct text){p->at, (size_t)(close - p->at)};
        p->at = close + 1;
        return true;
    }
    value->at = p->at;
    while (p->at < p->end && *p->at != '>' && !is_space(*p->at)) {
        p->at++;
    }
    value->len = (size_t)(p->at - value->at);
    return p->at < p->end;
}

/* "Get an attribute". Sets *found; false: out of bytes. */
static bool attribute(struct prescan *p, struct text *name, struct text *value, bool *found)
{
    *found = false;
    while (p->at < p->end && (is_space(*p->at) || *p->at == '/')) {
        p->at++;
    }
    if (p->at == p->end) {
        return false;
    }
    if (*p->at == '>') {
        return true;
    }
    name->at = p->at;
    while (p->at < p->end && !(*p->at == '=' && p->at > name->at) && !is_space(*p->at) &&
           *p->at != '/' && *p->at != '>') {
        p->at++;
    }
    name->len = (size_t)(p->at - name->at);
    *value = (struct text){p->at, 0};
    if (!skip_spaces(p)) {
        return false;
    }
    *found = true;
    if (*p->at != '=') { /* no value; a "/" or ">" is left for the next round */
        return true;
    }
    p->at++;
    return attribute_value(p, value);
}

/* "Extracting a character encoding from a meta element" (2.6.5). NULL for none. */
static const struct weft_charset *from_content(struct text t)
{
    const char *s = t.at, *end = t.at + t.len;
    for (;; s++) {
        while (s < end && !starts(s, end, "charset")) {
            s++;
        }
        if (s >= end) {
            return NULL;
        }
        s += strlen("charset");
        while (s < end && is_space(*s)) {
            s++;
        }
        if (s < end && *s == '=') {
            break;
        }
        s--; /* look again from just here */
    }
    for (s++; s < end && is_space(*s); s++) {
    }
    if (s == end) {
        return NULL;
    }
    if (*s == '"' || *s == '\'') {
        const char *close = memchr(s + 1, *s, (size_t)(end - s - 1));
        return close ? weft_charset_by_label(s + 1, (size_t)(close - s - 1)) : NULL;
    }
    const char *from = s;
    while (s < end && !is_space(*s) && *s != ';') {
        s++;
    }
    return weft_charset_by_label(from, (size_t)(s - from));
}

/* What the attributes of one meta element say. */
struct meta {
    bool seen_http_equiv, seen_content, seen_charset; /* the first of a name counts */
    bool got_pragma;
    enum { PRAGMA_UNKNOWN, PRAGMA_NEEDED, PRAGMA_NOT_NEEDED } need;
    const struct weft_charset *charset;
};

static bool first(bool *seen)
{
    bool was = *seen;
    *seen = true;
    return !was;
}

static void meta_attribute(struct meta *m, struct text name, struct text value)
{
    if (equals(name, "http-equiv") && first(&m->seen_http_equiv)) {
        m->got_pragma = equals(value, "content-type");
    } else if (equals(name, "content") && first(&m->seen_content)) {
        const struct weft_charset *cs = from_content(value);
        /* "charset is still null": not so once a charset attribute came, even a bogus one */
        if (cs && m->need == PRAGMA_UNKNOWN) {
            m->charset = cs;
            m->need = PRAGMA_NEEDED;
        }
    } else if (equals(name, "charset") && first(&m->seen_charset)) {
        m->charset = weft_charset_by_label(value.at, value.len);
        m->need = PRAGMA_NOT_NEEDED;
    }
}

/* Reads a meta element's attributes. *cs gets what it declares, or NULL. */
static bool meta(struct prescan *p, const struct weft_charset **cs)
{
    struct meta m = {.need = PRAGMA_UNKNOWN};
    struct text name, value;
    bool found;
    *cs = NULL;
    for (;;) {
        if (!attribute(p, &name, &value, &found)) {
            return false;
        }
        if (!found) {
            break;
        }
        meta_attribute(&m, name, value);
    }
    if (m.need == PRAGMA_UNKNOWN || (m.need == PRAGMA_NEEDED && !m.got_pragma) || !m.charset) {
        return true;
    }
    *cs = m.charset;
    if (m.charset->id == CHARSET_UTF_16BE || m.charset->id == CHARSET_UTF_16LE) {
        *cs = weft_charset_of(CHARSET_UTF_8); /* what was read as ASCII is not UTF-16 */
    } else if (m.charset->id == CHARSET_X_USER_DEFINED) {
        *cs = weft_charset_of(CHARSET_WINDOWS_1252);
    }
    return true;
}

/* Any other tag: its name, then its attributes, so that none of them is taken for a tag. */
static bool other_tag(struct prescan *p)
{
    while (p->at < p->end && !is_space(*p->at) && *p->at != '>') {
        p->at++;
    }
    struct text name, value;
    bool found = true;
    while (found) {
        if (!attribute(p, &name, &value, &found)) {
            return false;
        }
    }
    return true;
}

/* One step of the prescan's loop, at a "<". false: out of bytes. */
static bool markup(struct prescan *p, const struct weft_charset **cs)
{
    if (starts(p->at, p->end, "<!--")) {
        /* to the first "-->" whose dashes may be the opening ones */
        const char *close = memmem(p->at + 2, (size_t)(p->end - p->at - 2), "-->", 3);
        if (!close) {
            return false;
        }
        p->at = close + 2;
        return true;
    }
    char fifth = p->end - p->at > 5 ? p->at[5] : '\0';
    if (starts(p->at, p->end, "<meta") && (is_space(fifth) || fifth == '/')) {
        p->at += 5;
        return meta(p, cs);
    }
    const char *tag = p->at + 1;
    if (tag < p->end && *tag == '/') {
        tag++;
    }
    if (tag < p->end && is_alpha(*tag)) {
        p->at = tag;
        return other_tag(p);
    }
    if (p->at + 1 < p->end && (p->at[1] == '!' || p->at[1] == '/' || p->at[1] == '?')) {
        p->at = memchr(p->at, '>', (size_t)(p->end - p->at));
        return p->at != NULL;
    }
    return true;
}

/* "Get an XML encoding": what an XML declaration at the very start says, or NULL. */
static const struct weft_charset *xml_encoding(const char *s, const char *end)
{
    if (end - s < 5 || memcmp(s, "<?xml", 5) != 0) {
        return NULL;
    }
    end = memchr(s, '>', (size_t)(end - s));
    s = end ? memmem(s, (size_t)(end - s), "encoding", 8) : NULL;
    if (!s) {
        return NULL;
    }
    for (s += 8; s < end && (unsigned char)*s <= ' '; s++) {
    }
    if (s == end || *s != '=') {
        return NULL;
    }
    for (s++; s < end && (unsigned char)*s <= ' '; s++) {
    }
    if (s == end || (*s != '"' && *s != '\'')) {
        return NULL;
    }
    const char *close = memchr(s + 1, *s, (size_t)(end - s - 1));
    for (const char *c = s + 1; close && c < close; c++) {
        if ((unsigned char)*c <= ' ') {
            return NULL;
        }
    }
    const struct weft_charset *cs = close ? weft_charset_by_label(s + 1, (size_t)(close - s - 1))
                                          : NULL;
    if (cs && (cs->id == CHARSET_UTF_16BE || cs->id == CHARSET_UTF_16LE)) {
        return weft_charset_of(CHARSET_UTF_8);
    }
    return cs;
}

/* "Prescan a byte stream to determine its encoding". NULL for none. */
static const struct weft_charset *prescan(const char *body, size_t len)
{
    struct prescan p = {body, body, body + (len < PRESCAN ? len : PRESCAN)};
    const struct weft_charset *cs = NULL;
    if (p.end - p.at >= 6 && memcmp(p.at, "<\0?\0x\0", 6) == 0) {
        return weft_charset_of(CHARSET_UTF_16LE);
    }
    if (p.end - p.at >= 6 && memcmp(p.at, "\0<\0?\0x", 6) == 0) {
        return weft_charset_of(CHARSET_UTF_16BE);
    }
    while (p.at < p.end && (p.at = memchr(p.at, '<', (size_t)(p.end - p.at))) != NULL) {
        if (!markup(&p, &cs)) {
            break;
        }
        if (cs) {
            return cs;
        }
        p.at++;
    }
    return xml_encoding(p.start, p.end);
}

static const struct weft_charset *bom(const char *s, size_t len, size_t *bom_len)
{
    *bom_len = 0;
    if (len >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0) {
        *bom_len = 3;
        return weft_charset_of(CHARSET_UTF_8);
    }
    if (len >= 2 && (memcmp(s, "\xFE\xFF", 2) == 0 || memcmp(s, "\xFF\xFE", 2) == 0)) {
        *bom_len = 2;
        return weft_charset_of(s[0] == '\xFE' ? CHARSET_UTF_16BE : CHARSET_UTF_16LE);
    }
    return NULL;
}

const struct weft_charset *weft_charset_of_html(const char *body, size_t len,
                                                const char *content_type, size_t content_type_len,
                                                size_t *bom_len)
{
    const struct weft_charset *cs = bom(body, len, bom_len);
    if (cs) {
        return cs;
    }
    struct weft_content_type type;
    weft_content_type_extract(content_type, content_type_len, &type);
    if (type.charset) {
        return type.charset;
    }
    cs = len ? prescan(body, len) : NULL;
    if (cs) {
        return cs;
    }
    /* No declaration. The Standard leaves the rest to the user agent. Long texts that are
     * well-formed UTF-8 by accident don't occur; anything else is what browsers assume. */
    const uint8_t *bytes = (const uint8_t *)body;
    size_t ascii = weft_ascii_span(bytes, len);
    bool utf8 = ascii < len && ascii + weft_utf8_span(bytes + ascii, len - ascii) == len;
    return weft_charset_of(utf8 ? CHARSET_UTF_8 : CHARSET_WINDOWS_1252);
}
