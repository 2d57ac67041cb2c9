/* fuzz_robots.c -- any bytes as robots.txt: asking gives the same answer twice, from a line that
 * exists; and the matcher agrees with one that is too simple to be wrong.
 *
 * Input: a line that is the agent, a line that is the path of a URL, the file. */
#include "text/robots.h"
#include "text/robots_pattern.h"

#include <stdlib.h>
#include <string.h>

#define SMALL 200 /* patterns and paths that the simple matcher takes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Which prefixes of the pattern match which of the path, row by row. */
static bool simple_match(const char *pattern, size_t len, const char *path, size_t path_len)
{
    bool row[SMALL + 1] = {false};
    bool anchored = len && pattern[len - 1] == '$';
    len -= anchored;
    row[0] = true;
    for (size_t p = 0; p < len; p++) {
        if (pattern[p] == '*') {
            for (size_t i = 1; i <= path_len; i++) {
                row[i] = row[i] || row[i - 1];
            }
        } else {
            for (size_t i = path_len; i > 0; i--) {
                row[i] = row[i - 1] && path[i - 1] == pattern[p];
            }
            row[0] = false;
        }
    }
    for (size_t i = 0; i <= path_len; i++) {
        if (row[i] && (!anchored || i == path_len)) {
            return true;
        }
    }
    return false;
}

static void check_matcher(const char *pattern, size_t len, const char *path, size_t path_len)
{
    char p[SMALL], u[SMALL];
    uint32_t fail[SMALL];
    uint64_t work = 0;
    if (len > SMALL / WEFT_ROBOTS_GROWTH || path_len > SMALL / WEFT_ROBOTS_GROWTH) {
        return;
    }
    len = weft_robots_normalise(p, pattern, len, true);
    path_len = weft_robots_normalise(u, path, path_len, false);
    must(len <= SMALL && path_len <= SMALL);
    bool wild = weft_robots_has_wildcard(p, len);
    weft_robots_prepare(p, len, fail);
    must(weft_robots_match(p, len, wild ? fail : NULL, u, path_len, &work) ==
         simple_match(p, len, u, path_len));
    must(work <= 1 + len + path_len);
}

static void check_file(const char *agent, const char *path, size_t path_len, const char *body,
                       size_t len)
{
    struct weft_robots *r;
    must(weft_robots_parse(&r, body, len, agent) == WEFT_OK);
    char *href = malloc(path_len + 10);
    must(href != NULL);
    memcpy(href, "http://h/", 9);
    memcpy(href + 9, path, path_len);
    href[9 + path_len] = '\0';
    uint32_t end = 9 + (uint32_t)path_len;
    const struct weft_url url = {.href = href,
                                 .len = end,
                                 .scheme_len = 4,
                                 .host_at = 7,
                                 .host_end = 8,
                                 .path_at = 8,
                                 .query_at = end,
                                 .fragment_at = end,
                                 .port = 80};
    unsigned line = 0, again = 0, lines = 1;
    bool allowed = weft_robots_allows(r, &url, &line);
    must(weft_robots_allows(r, &url, &again) == allowed && again == line);
    for (size_t i = 0; i < len; i++) {
        lines += body[i] == '\n' || body[i] == '\r';
    }
    must(line <= lines && (allowed || line > 0));
    must(weft_robots_group(r) || allowed);
    must(weft_robots_crawl_delay(r) >= -1);
    for (size_t k = 0; weft_robots_sitemap(r, k); k++) {
        must(k < lines);
    }
    free(href);
    weft_robots_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size;
    const char *agent_end = size ? memchr(text, '\n', size) : NULL;
    const char *path = agent_end ? agent_end + 1 : end;
    const char *path_end = path < end ? memchr(path, '\n', (size_t)(end - path)) : NULL;
    path_end = path_end ? path_end : end;
    const char *body = path_end < end ? path_end + 1 : end;
    char *agent = strndup(text, agent_end ? (size_t)(agent_end - text) : size);
    must(agent != NULL);
    check_file(agent, path, (size_t)(path_end - path), body, (size_t)(end - body));
    check_matcher(agent, strlen(agent), path, (size_t)(path_end - path));
    free(agent);
    return 0;
}
