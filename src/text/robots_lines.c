/* robots_lines.c -- see robots_lines.h. */
#include "text/robots_lines.h"

#include "base/limits.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static struct slice trim(const char *from, const char *to)
{
    while (from < to && is_blank(*from)) {
        from++;
    }
    while (from < to && is_blank(to[-1])) {
        to--;
    }
    return (struct slice){from, (size_t)(to - from)};
}

void weft_robots_lines_begin(struct robots_lines *l, const char *bytes, size_t len)
{
    const char *end = bytes + len;
    if (len > WEFT_MAX_ROBOTS) { /* a rule that is cut in two would be another rule */
        end = bytes + WEFT_MAX_ROBOTS;
        bool whole = is_line_end(*end);
        while (!whole && end > bytes && !is_line_end(end[-1])) {
            end--;
        }
    }
    if (end - bytes >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
    }
    *l = (struct robots_lines){bytes, end, 0};
}

bool weft_robots_lines_next(struct robots_lines *l, struct robots_line *out)
{
    while (l->at < l->end) {
        const char *from = l->at, *to = from;
        while (to < l->end && !is_line_end(*to)) {
            to++;
        }
        l->at = to < l->end ? to + 1 + (*to == '\r' && to + 1 < l->end && to[1] == '\n') : to;
        l->number++;
        const char *hash = memchr(from, '#', (size_t)(to - from));
        to = hash ? hash : to;
        const char *colon = memchr(from, ':', (size_t)(to - from));
        if (colon) {
            *out = (struct robots_line){trim(from, colon), trim(colon + 1, to), l->number};
            return true;
        }
    }
    return false;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool equal_ignoring_case(struct slice a, struct slice b)
{
    size_t i = 0;
    while (a.len == b.len && i < a.len && lower(a.at[i]) == lower(b.at[i])) {
        i++;
    }
    return a.len == b.len && i == a.len;
}

bool weft_robots_key(const struct robots_line *line, const char *key)
{
    return equal_ignoring_case(line->key, (struct slice){key, strlen(key)});
}

struct slice weft_robots_product_token(struct slice s)
{
    size_t n = 0;
    while (n < s.len && (s.at[n] == '-' || s.at[n] == '_' || (s.at[n] >= '0' && s.at[n] <= '9') ||
                         (lower(s.at[n]) >= 'a' && lower(s.at[n]) <= 'z'))) {
        n++;
    }
    return (struct slice){s.at, n};
}

bool weft_robots_is_star(struct slice s)
{
    return s.len && s.at[0] == '*' && (s.len == 1 || is_blank(s.at[1]));
}

bool weft_robots_names(struct slice value, struct slice agent)
{
    return agent.len && equal_ignoring_case(weft_robots_product_token(value), agent);
}
