/* set_url_equiv.c -- judges the set "url_equiv": whether two references are one page. */
#include "corpora.h"

#include "weft/url.h"
#include <stdio.h>
#include <string.h>

#define CAP 8192

/* The key of a member of the case, resolved against its base if it has one. */
static bool key_of(const json_t *one, const char *member, const struct weft_url *base,
                   char key[CAP])
{
    char buf[CAP];
    struct weft_url url;
    size_t len;
    const char *text = corpora_text(one, member, &len);
    return text && weft_url_parse(&url, buf, sizeof buf, base, text, len, NULL) == WEFT_OK &&
           weft_url_key(&url, 0, key, CAP, &len) == WEFT_OK;
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    char base_buf[CAP], a[CAP], b[CAP];
    struct weft_url base;
    size_t len;
    const char *base_text = corpora_text(one, "base", &len);
    if (base_text &&
        weft_url_parse(&base, base_buf, sizeof base_buf, NULL, base_text, len, NULL) != WEFT_OK) {
        snprintf(why, cap, "the base does not parse");
        return false;
    }
    if (!key_of(one, "a", base_text ? &base : NULL, a) || !key_of(one, "b", NULL, b)) {
        snprintf(why, cap, "a or b is no URL");
        return false;
    }
    if ((strcmp(a, b) == 0) != json_is_true(json_object_get(one, "equal"))) {
        snprintf(why, cap, "keys %.200s and %.200s", a, b);
        return false;
    }
    return true;
}

const struct corpora_set set_url_equiv = {"url_equiv", judge};
