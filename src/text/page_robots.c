/* page_robots.c -- the directives of meta robots and X-Robots-Tag. No standard defines them; this
 * follows what the search engines document: a list parted by commas, "none" for both, and in the
 * field an agent's name and a colon before the directives that are for it alone. */
#include "text/page_impl.h"

#include "text/html_element.h"
#include "text/html_space.h"
#include <string.h>

struct word {
    const char *at;
    size_t len;
};

static bool is(struct word w, const char *text)
{
    return weft_html_same(w.at, w.len, text, strlen(text));
}

/* The next word of [*p, end), which ends at white space or at the character stop. */
static struct word next_word(const char **p, const char *end, char stop)
{
    while (*p < end && weft_html_space(**p)) {
        ++*p;
    }
    struct word w = {*p, 0};
    while (*p < end && !weft_html_space(**p) && **p != stop) {
        ++*p;
    }
    w.len = (size_t)(*p - w.at);
    return w;
}

/* Whether the directive [p, end) begins with an agent's name and a colon, and with whose. A name is
 * a product token (RFC 9309 2.2.1); "max-snippet: 5" and the like are directives with a value. */
static bool names_agent(const char **p, const char *end, bool *is_ours)
{
    static const char *const valued[] = {"unavailable_after", "max-snippet", "max-image-preview",
                                         "max-video-preview"};
    const char *q = *p;
    struct word name = next_word(&q, end, ':');
    while (q < end && weft_html_space(*q)) {
        q++;
    }
    if (q == end || *q != ':' || name.len == 0) {
        return false;
    }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '-' && c != '_' && c != '*') {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        if (is(name, valued[i])) {
            return false;
        }
    }
    *is_ours = is(name, "*") || is(name, "weft");
    *p = q + 1;
    return true;
}

struct page_robots weft_page_directives(const char *text, size_t len, bool agents)
{
    struct page_robots out = {false, false};
    const char *p = text, *end = text + len;
    bool ours = true;
    while (p < end) {
        const char *stop = p;
        while (stop < end && *stop != ',' && *stop != '\n') {
            stop++;
        }
        if (agents) {
            names_agent(&p, stop, &ours);
        }
        while (p < stop) {
            struct word w = next_word(&p, stop, ',');
            out.noindex |= ours && (is(w, "noindex") || is(w, "none"));
            out.nofollow |= ours && (is(w, "nofollow") || is(w, "none"));
        }
        if (stop < end && *stop == '\n') {
            ours = true; /* several fields, one a line */
        }
        p = stop + (stop < end);
    }
    return out;
}
