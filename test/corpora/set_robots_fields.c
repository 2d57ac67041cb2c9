/* set_robots_fields.c -- judges the set "robots_fields": Crawl-delay and Sitemap lines. */
#include "corpora.h"
#include "text/robots.h"

#include <stdio.h>
#include <string.h>

static bool judge_delay(const struct weft_robots *robots, const json_t *expected, char *why,
                        size_t cap)
{
    double got = weft_robots_crawl_delay(robots);
    snprintf(why, cap, "a delay of %g", got);
    if (json_is_null(expected)) {
        return got < 0;
    }
    double difference = got - json_number_value(expected);
    return difference > -1e-9 && difference < 1e-9;
}

static bool judge_sitemaps(const struct weft_robots *robots, const json_t *expected, char *why,
                           size_t cap)
{
    size_t n = 0;
    const char *got;
    for (; (got = weft_robots_sitemap(robots, n)) != NULL; n++) {
        const char *value = json_string_value(json_array_get(expected, n));
        snprintf(why, cap, "sitemap %zu is %s", n, got);
        if (!value || strcmp(value, got) != 0) {
            return false;
        }
    }
    snprintf(why, cap, "%zu sitemaps", n);
    return n == json_array_size(expected);
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    size_t len;
    const char *body = corpora_text(one, "body", &len);
    const char *agent = json_string_value(json_object_get(one, "agent"));
    const json_t *delay = json_object_get(one, "crawl_delay");
    const json_t *sitemaps = json_object_get(one, "sitemaps");
    struct weft_robots *robots;
    if (!body || weft_robots_parse(&robots, body, len, agent ? agent : "any") != WEFT_OK) {
        snprintf(why, cap, "unreadable case");
        return false;
    }
    bool ok = (!delay || judge_delay(robots, delay, why, cap)) &&
              (!sitemaps || judge_sitemaps(robots, sitemaps, why, cap));
    weft_robots_free(robots);
    return ok;
}

const struct corpora_set set_robots_fields = {"robots_fields", judge};
