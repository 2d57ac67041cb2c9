/* refresh.c -- see refresh.h. The numbers are the steps of the Standard's algorithm. */
#include "text/refresh.h"

#include "text/html_space.h"
#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && weft_html_space(*p)) {
        p++;
    }
    return p;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Steps 11.2-11.7: behind "url" and '=', each optional but in this order. Where it breaks off the
 * whole rest is the URL, quotes and all; that it does is told by *whole. */
static const char *skip_url_word(const char *p, const char *end, bool *whole)
{
    static const char word[] = "url";
    const char *start = p;
    *whole = false;
    if (p == end || (*p | 0x20) != 'u') {
        return p;
    }
    *whole = true;
    for (size_t i = 0; i < 3; i++, p++) {
        if (p == end || (*p | 0x20) != word[i]) {
            return start;
        }
    }
    p = skip_space(p, end);
    if (p == end || *p != '=') {
        return start;
    }
    *whole = false;
    return skip_space(p + 1, end);
}

bool weft_refresh_url(const char *content, size_t len, const char **url, size_t *url_len)
{
    const char *p = content, *end = content + len;
    *url = NULL;
    *url_len = 0;
    p = skip_space(p, end);                         /* 3 */
    if (p == end || !(is_digit(*p) || *p == '.')) { /* 5, 6 */
        return false;
    }
    while (p < end && (is_digit(*p) || *p == '.')) { /* 5, 7 */
        p++;
    }
    if (p == end || !(*p == ';' || *p == ',' || weft_html_space(*p))) { /* 9 */
        return false;
    }
    p = skip_space(p, end);
    if (p < end && (*p == ';' || *p == ',')) { /* 10 */
        p = skip_space(p + 1, end);
    }
    bool whole;
    p = skip_url_word(p, end, &whole);
    if (!whole && p < end && (*p == '"' || *p == '\'')) { /* 11.8-11.10 */
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        p++;
        end = close ? close : end;
    }
    *url = p;
    *url_len = (size_t)(end - p);
    return p < end;
}
