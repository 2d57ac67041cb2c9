/* set_charset.c -- judges the set "charset": the encoding, and what the title and the links read
 * in it come to. */
#include "corpora.h"
#include "text/charset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool judge(const json_t *one, char *why, size_t cap)
{
    size_t len, type_len, bom;
    char *body = corpora_base64(one, "bytes_base64", &len);
    const char *type = corpora_text(one, "content_type", &type_len);
    const char *expected = json_string_value(json_object_get(one, "encoding"));
    if (!body || !expected) {
        snprintf(why, cap, "unreadable case");
        free(body);
        return false;
    }
    const struct weft_charset *cs = weft_charset_of_html(body, len, type, type_len, &bom);
    free(body);
    snprintf(why, cap, "encoding %s, not %s", weft_charset_name(cs), expected);
    return !strcmp(weft_charset_name(cs), expected);
}

const struct corpora_set set_charset = {"charset", judge};
