/* html_raw.c -- where text that holds no tags ends: RCDATA, raw text, script data (HTML Standard
 * 13.2.5.2-.4 and .9-.31). Knows no element but script. */
#include "text/html_scan.h"

#include <string.h>

static bool ends_name(char c)
{
    return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' ' || c == '/' || c == '>';
}

/* Whether p begins with name and then white space, '/' or '>'. */
static bool is_name(const char *p, const char *end, const char *name, size_t len)
{
    return (size_t)(end - p) > len && ends_name(p[len]) && weft_html_same(p, len, name, len);
}

/* RCDATA and raw text: less-than sign, end tag open and end tag name states (13.2.5.9-.14): only
 * the appropriate end tag ends them. */
const char *weft_html_raw_end(const char *p, const char *end, const char *name, size_t len)
{
    while ((p = memchr(p, '<', (size_t)(end - p)))) {
        if (end - p > 1 && p[1] == '/' && is_name(p + 2, end, name, len)) {
            return p;
        }
        p++;
    }
    return end;
}

static bool starts(const char *p, const char *end, const char *text, size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, text, len) == 0;
}

/* Script data escaped and double escaped states (13.2.5.19-.31): p is behind "<!--". Gives where
 * "-->" ended them (behind it), or where </script begins outside of an inner script, or end. */
static const char *escaped_end(const char *p, const char *end, bool *closed)
{
    bool inner = false;  /* double escaped */
    unsigned dashes = 2; /* right before p: "<!-->" and "<!--->" are whole */
    for (; p < end; p++) {
        if (*p == '-') {
            dashes++;
            continue;
        }
        if (*p == '>' && dashes >= 2) {
            return p + 1;
        }
        dashes = 0;
        if (*p != '<') {
            continue;
        }
        bool slash = end - p > 1 && p[1] == '/';
        if (!is_name(p + 1 + slash, end, "script", 6)) {
            continue;
        }
        if (slash && !inner) {
            *closed = true;
            return p;
        }
        inner = !slash;
    }
    return end;
}

/* Script data state (13.2.5.4, .15-.18). */
const char *weft_html_script_end(const char *p, const char *end)
{
    while ((p = memchr(p, '<', (size_t)(end - p)))) {
        if (end - p > 1 && p[1] == '/' && is_name(p + 2, end, "script", 6)) {
            return p;
        }
        if (starts(p, end, "<!--", 4)) {
            bool closed = false;
            p = escaped_end(p + 4, end, &closed);
            if (closed || p == end) {
                return p;
            }
        } else {
            p++;
        }
    }
    return end;
}
