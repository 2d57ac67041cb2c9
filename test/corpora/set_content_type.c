/* set_content_type.c -- judges the set "content_type": the field parsed, and bodies sniffed. */
#include "corpora.h"
#include "text/content_type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text's code points as bytes: a field's value is a string of bytes. */
static size_t isomorphic(char *text, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c == 0xC2 || c == 0xC3) && i + 1 < len) {
            c = (unsigned char)(c << 6 | ((unsigned char)text[++i] & 0x3F));
        }
        text[n++] = (char)c;
    }
    return n;
}

static bool judge_parse(const json_t *one, const char *value, size_t len, char *why, size_t cap)
{
    const char *essence = json_string_value(json_object_get(one, "essence"));
    const char *encoding = json_string_value(json_object_get(one, "encoding"));
    struct weft_content_type got;
    weft_content_type_parse(value, len, &got);
    const char *name = got.charset ? weft_charset_name(got.charset) : "";
    snprintf(why, cap, "%s, %s, %s", got.essence, name, got.is_html ? "HTML" : "not HTML");
    return !strcmp(got.essence, essence ? essence : "") &&
           !strcmp(name, encoding ? encoding : "") &&
           got.is_html == json_is_true(json_object_get(one, "is_html"));
}

static bool judge_sniff(const json_t *one, const char *value, size_t len, char *why, size_t cap)
{
    const char *hex = json_string_value(json_object_get(one, "body_hex"));
    const char *expected = json_string_value(json_object_get(one, "sniffed"));
    char body[512], got[WEFT_ESSENCE_CAP];
    size_t n = 0;
    for (; hex && hex[2 * n] && n < sizeof body; n++) {
        char digits[3] = {hex[2 * n], hex[2 * n + 1], '\0'};
        body[n] = (char)strtoul(digits, NULL, 16);
    }
    weft_content_sniff(value, len, body, n, got);
    snprintf(why, cap, "%s, not %s", got, expected);
    return !strcmp(got, expected);
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    size_t len;
    const char *text = corpora_text(one, "content_type", &len);
    char *value = text ? malloc(len + 1) : NULL;
    if (value) {
        memcpy(value, text, len + 1);
        len = isomorphic(value, len);
    }
    bool ok = json_object_get(one, "body_hex") ? judge_sniff(one, value, len, why, cap)
                                               : judge_parse(one, value, len, why, cap);
    free(value);
    return ok;
}

const struct corpora_set set_content_type = {"content_type", judge};
