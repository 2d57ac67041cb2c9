/* set_retry_after.c -- judges the set "retry_after". */
#include "corpora.h"
#include "text/retry_after.h"

#include <stdio.h>

static bool judge(const json_t *one, char *why, size_t cap)
{
    size_t len;
    const char *value = corpora_text(one, "value", &len);
    int64_t now = json_integer_value(json_object_get(one, "now"));
    const json_t *seconds = json_object_get(one, "seconds");
    const json_t *at_least = json_object_get(one, "at_least");
    int64_t got = weft_retry_after(value, len, now);
    snprintf(why, cap, "\"%s\" is %lld", value, (long long)got);
    if (at_least) {
        return got >= json_integer_value(at_least);
    }
    return got == (json_is_null(seconds) ? -1 : json_integer_value(seconds));
}

const struct corpora_set set_retry_after = {"retry_after", judge};
