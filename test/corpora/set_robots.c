/* set_robots.c -- judges the set "robots": whether an agent may fetch a URL. */
#include "corpora.h"
#include "text/robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The body of a case: text, base64, or [text, times] repeated and joined. To be freed. */
static char *body_of(const json_t *one, size_t *len)
{
    const char *text = corpora_text(one, "body", len);
    char *body = NULL;
    if (text) {
        body = malloc(*len + 1);
        if (body) {
            memcpy(body, text, *len);
        }
        return body;
    }
    const json_t *parts = json_object_get(one, "body_parts");
    if (!parts) {
        return corpora_base64(one, "body_base64", len);
    }
    size_t total = 0, i;
    const json_t *part;
    json_array_foreach(parts, i, part)
    {
        total += json_string_length(json_array_get(part, 0)) *
                 (size_t)json_integer_value(json_array_get(part, 1));
    }
    body = malloc(total + 1);
    *len = 0;
    json_array_foreach(parts, i, part)
    {
        const json_t *piece = json_array_get(part, 0);
        for (json_int_t k = json_integer_value(json_array_get(part, 1)); body && k > 0; k--) {
            memcpy(body + *len, json_string_value(piece), json_string_length(piece));
            *len += json_string_length(piece);
        }
    }
    return body;
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    size_t len, url_len;
    const char *text = corpora_text(one, "url", &url_len);
    const char *agent = json_string_value(json_object_get(one, "agent"));
    char *buf = malloc(url_len * 3 + 100), *body = body_of(one, &len);
    struct weft_url url;
    struct weft_robots *robots = NULL;
    bool ok = false;
    snprintf(why, cap, "unreadable case");
    if (buf && body && agent &&
        weft_url_parse(&url, buf, url_len * 3 + 100, NULL, text, url_len, NULL) == WEFT_OK &&
        weft_robots_parse(&robots, body, len, agent) == WEFT_OK) {
        unsigned line;
        bool allowed = weft_robots_allows(robots, &url, &line);
        ok = allowed == json_is_true(json_object_get(one, "allowed"));
        snprintf(why, cap, "%.60s for %s is %s by line %u", text, agent,
                 allowed ? "allowed" : "disallowed", line);
    }
    weft_robots_free(robots);
    free(body);
    free(buf);
    return ok;
}

const struct corpora_set set_robots = {"robots", judge};
