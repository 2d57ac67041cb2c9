/* html_reference.c -- character references (HTML Standard 13.2.5.72-.80) and the normalising of
 * text. Knows nothing of tags. */
#include "text/html_scan.h"

#include <string.h>

struct entity {
    uint16_t name_at; /* in entity_names, without '&' and ';' */
    uint8_t name_len;
    uint8_t bare; /* also without ';' */
    uint8_t len;  /* of text, which is UTF-8 */
    char text[6];
};
#include "text/entities.inc"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The longest name of the table that text (behind '&') begins with; *used gets its length with
 * the ';' if there is one. rows [lo, hi) are those that agree with the i characters read. */
static const struct entity *find_entity(const char *text, const char *end, size_t *used)
{
    const struct entity *found = NULL;
    *used = 0;
    if (text == end || *text < 'A' || *text > 'z') {
        return NULL;
    }
    size_t lo = entity_first[*text - 'A'], hi = entity_first[*text - 'A' + 1];
    for (size_t i = 1; lo < hi; i++) {
        if (entities[lo].name_len == i) { /* the shortest of several sorts first */
            if (text + i < end && text[i] == ';') {
                *used = i + 1;
                return &entities[lo];
            }
            if (entities[lo].bare) {
                found = &entities[lo];
                *used = i;
            }
            lo++;
        }
        if (text + i == end) {
            break;
        }
        const char *column = entity_names + i; /* the i-th character of the name at... */
        size_t top = hi;
        while (lo < top) { /* the first row whose i-th character is not below text[i] */
            size_t mid = (lo + top) / 2;
            if (column[entities[mid].name_at] < text[i]) {
                lo = mid + 1;
            } else {
                top = mid;
            }
        }
        for (size_t bottom = lo; bottom < hi;) { /* ... and the first above it */
            size_t mid = (bottom + hi) / 2;
            if (column[entities[mid].name_at] > text[i]) {
                hi = mid;
            } else {
                bottom = mid + 1;
            }
        }
    }
    return found;
}

/* Numeric character reference end state (13.2.5.80): the code points that are not themselves. */
static uint32_t numeric_value(uint32_t code)
{
    static const uint16_t c1[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    if (code >= 0x80 && code < 0xA0) {
        return c1[code - 0x80];
    }
    return code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0xFFFD : code;
}

static size_t put_utf8(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6) {
        out[i] = (char)(0x80 | (code & 0x3F));
    }
    out[0] = (char)((0xF00U >> n & 0xF0) | code);
    return n;
}

/* Numeric character reference state and those behind it (13.2.5.75-.80). text is behind "&#".
 * Returns the length of what was used of text, 0 if it has no digit. */
static size_t numeric_reference(const char *text, const char *end, char out[4], size_t *out_len)
{
    const char *p = text;
    bool hex = p < end && (*p | 0x20) == 'x';
    p += hex;
    const char *digits = p;
    uint32_t code = 0;
    for (; p < end; p++) {
        unsigned c = (unsigned char)*p, digit = c - '0';
        if (digit > 9) {
            digit = hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : 16;
        }
        if (digit == 16) {
            break;
        }
        code = code > 0x10FFFF ? code : code * (hex ? 16 : 10) + digit;
    }
    if (p == digits) {
        return 0;
    }
    *out_len = put_utf8(numeric_value(code), out);
    return (size_t)(p - text) + (p < end && *p == ';');
}

/* Character reference state and those behind it (13.2.5.72-.74); amp is where '&' stands. Returns
 * the length of the reference, 0 if it is none. */
static size_t reference(const char *amp, const char *end, bool attribute, char out[8],
                        size_t *out_len)
{
    size_t used;
    if (end - amp > 1 && amp[1] == '#') {
        used = numeric_reference(amp + 2, end, out, out_len);
        return used ? used + 2 : 0;
    }
    const struct entity *e = find_entity(amp + 1, end, &used);
    if (!e) {
        return 0;
    }
    const char *next = amp + 1 + used;
    if (attribute && next[-1] != ';' && next < end && (*next == '=' || is_alnum(*next))) {
        return 0; /* for historical reasons: "?a=1&copy=2" */
    }
    memcpy(out, e->text, sizeof e->text);
    *out_len = e->len;
    return used + 1;
}

static bool is_plain(char c)
{
    return c != '&' && c != '\r' && c != '\0';
}

static enum weft_status decode(struct weft_buf *out, struct html_slice text, bool attribute)
{
    const char *p = text.at, *end = text.at + text.len;
    enum weft_status st = WEFT_OK;
    while (p < end && st == WEFT_OK) {
        const char *run = p;
        while (p < end && is_plain(*p)) {
            p++;
        }
        st = weft_buf_append(out, run, (size_t)(p - run));
        if (st != WEFT_OK || p == end) {
            break;
        }
        char decoded[8];
        size_t len = 0, used = *p == '&' ? reference(p, end, attribute, decoded, &len) : 0;
        if (used) {
            st = weft_buf_append(out, decoded, len);
            p += used;
        } else if (*p == '\0') {
            st = weft_buf_append(out, REPLACEMENT, 3);
            p++;
        } else if (*p == '&') {
            st = weft_buf_append(out, "&", 1);
            p++;
        } else { /* 13.2.3.5, newlines are normalised: CR LF and CR are LF */
            st = weft_buf_append(out, "\n", 1);
            p += 1 + (end - p > 1 && p[1] == '\n');
        }
    }
    return st;
}

bool weft_html_decoded(struct html_scan *s, struct weft_buf *buf, struct html_slice *text,
                       bool attribute)
{
    if (s->plain_bytes && !memchr(text->at, '&', text->len)) {
        return true;
    }
    weft_buf_clear(buf);
    enum weft_status st = decode(buf, *text, attribute);
    if (st != WEFT_OK) {
        s->status = st;
        return false;
    }
    *text = (struct html_slice){buf->data ? buf->data : "", buf->len};
    return true;
}
