/* set_url.c -- judges the set "url": the serialisation by the URL Standard, the key by RFC 3986
 * 6.2.2, and that both are what they come to when parsed again. */
#include "corpora.h"

#include "weft/url.h"
#include <stdio.h>
#include <string.h>

#define CAP 8192

static bool same(const char *got, size_t got_len, const json_t *one, const char *member, char *why,
                 size_t cap)
{
    size_t len;
    const char *want = corpora_text(one, member, &len);
    if (want && got_len == len && memcmp(got, want, len) == 0) {
        return true;
    }
    snprintf(why, cap, "%s is %.*s, not %.*s", member, (int)got_len, got, (int)len,
             want ? want : "null");
    return false;
}

static bool judge_http(const json_t *one, const struct weft_url *url, char *why, size_t cap)
{
    char key[CAP], again[CAP];
    struct weft_url second;
    size_t len;
    if (!same(url->href, url->len, one, "href", why, cap)) {
        return false;
    }
    if (weft_url_parse(&second, again, sizeof again, NULL, url->href, url->len, NULL) != WEFT_OK ||
        !same(second.href, second.len, one, "href", why, cap)) {
        snprintf(why, cap, "parsing the serialisation again gives another one");
        return false;
    }
    if (weft_url_key(url, 0, key, sizeof key, &len) != WEFT_OK) {
        snprintf(why, cap, "no key");
        return false;
    }
    return same(key, len, one, "canon", why, cap);
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    char base_buf[CAP], buf[CAP];
    struct weft_url base, url;
    size_t base_len, len;
    const char *base_text = corpora_text(one, "base", &base_len);
    const char *input = corpora_text(one, "input", &len);
    if (base_text && weft_url_parse(&base, base_buf, sizeof base_buf, NULL, base_text, base_len,
                                    NULL) != WEFT_OK) {
        snprintf(why, cap, "the base does not parse");
        return false;
    }
    enum weft_status st = weft_url_parse(&url, buf, sizeof buf, base_text ? &base : NULL, input,
                                         len, NULL);
    const char *kind = json_string_value(json_object_get(one, "kind"));
    enum weft_status want = !strcmp(kind, "http")      ? WEFT_OK
                            : !strcmp(kind, "failure") ? WEFT_ESYNTAX
                                                       : WEFT_ESCHEME;
    if (st != want) {
        snprintf(why, cap, "%s: got \"%s\" %s", kind, weft_strerror(st), st == WEFT_OK ? buf : "");
        return false;
    }
    return st != WEFT_OK || judge_http(one, &url, why, cap);
}

const struct corpora_set set_url = {"url", judge};
