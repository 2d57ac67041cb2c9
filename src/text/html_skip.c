/* html_skip.c -- getting past what decides nothing: where most of the time is spent. In a body with
 * no template and no foreign element open, that is every end tag and most start tags. Knows names
 * of elements by their first letter and length only. */
#include "text/html_attribute.h"

/* For each first letter, the lengths of the names of elements that have links or hold
 * text, and of template, svg and math. */
#define LEN(n) (1U << (n))
static const uint16_t lengths[26] = {
    ['a' - 'a'] = LEN(1) | LEN(4) | LEN(5), /* a, area, audio */
    ['b' - 'a'] = LEN(4),                   /* base */
    ['e' - 'a'] = LEN(5),                   /* embed */
    ['i' - 'a'] = LEN(3) | LEN(5) | LEN(6), /* img, image, input, iframe */
    ['l' - 'a'] = LEN(4),                   /* link */
    ['m' - 'a'] = LEN(4),                   /* meta, math */
    ['n' - 'a'] = LEN(7) | LEN(8),          /* noembed, noframes */
    ['o' - 'a'] = LEN(6),                   /* object */
    ['p' - 'a'] = LEN(9),                   /* plaintext */
    ['s' - 'a'] = LEN(3) | LEN(5) | LEN(6), /* svg, style, script, source */
    ['t' - 'a'] = LEN(5) | LEN(8),          /* title, track, template, textarea */
    ['v' - 'a'] = LEN(5),                   /* video */
    ['x' - 'a'] = LEN(3),                   /* xmp */
};

/* Whether a start tag named so may matter: true for a few names too many. */
static inline bool may_matter(const char *name, size_t len)
{
    unsigned letter = ((unsigned char)*name | 0x20U) - 'a';
    return letter < 26 && len < 16 && (lengths[letter] >> len & 1);
}

static inline const char *skip_attributes(const char *p, const char *end)
{
    for (;;) {
        struct attribute a;
        bool self_closing;
        switch (next_attribute(&p, end, &a, &self_closing)) {
        case TAG_EOF:
            return NULL;
        case TAG_END:
            return p;
        case TAG_ATTRIBUTE:
            break;
        }
    }
}

const char *weft_html_skip_attributes(const char *p, const char *end)
{
    return skip_attributes(p, end);
}

const char *weft_html_skip_plain(const char *p, const char *end)
{
    while (p && (p = memchr(p, '<', (size_t)(end - p)))) {
        bool closing = end - p > 1 && p[1] == '/';
        const char *name = p + 1 + closing;
        if (name == end || (*name | 0x20) < 'a' || (*name | 0x20) > 'z') {
            return p;
        }
        const char *behind = name_end(name, end);
        if (!closing && may_matter(name, (size_t)(behind - name))) {
            return p;
        }
        p = behind < end && *behind == '>' ? behind + 1 : skip_attributes(behind, end);
    }
    return end;
}
