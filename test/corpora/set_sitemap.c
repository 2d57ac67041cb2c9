/* set_sitemap.c -- judges the set "sitemap": kind and locations, whole and a byte at a time. */
#include "corpora.h"

#include "text/sitemap.h"
#include "weft/url.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAP 8192

static void collect(void *list, const char *loc, size_t len)
{
    json_array_append_new(list, json_stringn(loc, len));
}

static const char *kind_name(enum weft_sitemap_kind kind)
{
    static const char *const names[] = {"none", "urlset", "index", "text", "rss", "atom"};
    return names[kind];
}

/* The locations as a JSON list, fed in chunks; NULL: out of memory. */
static json_t *read_all(const json_t *one, const char *body, size_t len, size_t chunk,
                        enum weft_sitemap_kind *kind)
{
    struct weft_sitemap *s;
    json_t *list = json_array();
    enum weft_status st = weft_sitemap_new(
        &s, json_string_value(json_object_get(one, "content_type")),
        json_string_value(json_object_get(one, "url")), collect, list);
    for (size_t i = 0; st == WEFT_OK && i < len; i += chunk) {
        st = weft_sitemap_feed(s, body + i, len - i < chunk ? len - i : chunk);
    }
    *kind = st == WEFT_OK ? weft_sitemap_finish(s) : WEFT_SITEMAP_NONE;
    weft_sitemap_free(s);
    if (st != WEFT_OK) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* Every location resolved against the sitemap's URL, those that are none left out. */
static json_t *resolved(const json_t *one, const json_t *list)
{
    char base_buf[CAP], buf[CAP];
    struct weft_url base, u;
    json_t *out = json_array(), *loc;
    size_t i;
    const char *url = json_string_value(json_object_get(one, "url"));
    if (weft_url_parse(&base, base_buf, sizeof base_buf, NULL, url, strlen(url), NULL) != WEFT_OK) {
        return out;
    }
    json_array_foreach(list, i, loc)
    {
        if (weft_url_parse(&u, buf, sizeof buf, &base, json_string_value(loc),
                           json_string_length(loc), NULL) == WEFT_OK) {
            json_array_append_new(out, json_stringn(u.href, u.len));
        }
    }
    return out;
}

static bool within(const json_t *part, const json_t *whole)
{
    size_t i, k;
    json_t *a, *b;
    json_array_foreach(part, i, a)
    {
        bool there = false;
        json_array_foreach(whole, k, b)
        {
            there = there || json_equal(a, b);
        }
        if (!there) {
            return false;
        }
    }
    return true;
}

static bool right(const json_t *one, const json_t *list, enum weft_sitemap_kind kind)
{
    if (strcmp(kind_name(kind), json_string_value(json_object_get(one, "kind"))) != 0) {
        return false;
    }
    const json_t *urls = json_object_get(one, "urls");
    if (urls) {
        return json_equal(urls, list);
    }
    json_t *got = resolved(one, list);
    bool ok = within(json_object_get(one, "urls_min"), got) &&
              within(got, json_object_get(one, "urls_max"));
    json_decref(got);
    return ok;
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    static const size_t chunks[] = {1u << 30, 1, 7, 4096};
    size_t len;
    char *body = corpora_base64(one, "body_base64", &len);
    bool ok = body != NULL;
    for (size_t i = 0; ok && i < sizeof chunks / sizeof chunks[0]; i++) {
        enum weft_sitemap_kind kind;
        json_t *list = read_all(one, body, len, chunks[i], &kind);
        ok = list && right(one, list, kind);
        if (!ok) {
            char *text = json_dumps(list, JSON_ENCODE_ANY);
            snprintf(why, cap, "in chunks of %zu: %s %s", chunks[i], kind_name(kind),
                     text ? text : "");
            free(text);
        }
        json_decref(list);
    }
    free(body);
    return ok;
}

const struct corpora_set set_sitemap = {"sitemap", judge};
