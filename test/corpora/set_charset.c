/* set_charset.c -- judges the set "charset": the encoding, and what the title and the links read
 * in it come to. */
#include "corpora.h"
#include "weft/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool judge_title(const json_t *one, const struct weft_page *page, char *why, size_t cap)
{
    const json_t *expected = json_object_get(one, "title");
    const char *text = json_is_null(expected) ? NULL : json_string_value(expected);
    bool same = text && page->title ? !strcmp(text, page->title) : text == page->title;
    if (expected && !same) {
        snprintf(why, cap, "title \"%s\"", page->title ? page->title : "none");
    }
    return !expected || same;
}

static bool judge_links(const json_t *one, const struct weft_page *page, char *why, size_t cap)
{
    const json_t *expected = json_object_get(one, "links");
    if (!expected) {
        return true;
    }
    bool same = page->nlinks == json_array_size(expected);
    for (size_t i = 0; same && i < page->nlinks; i++) {
        same = !strcmp(page->links[i].url, json_string_value(json_array_get(expected, i)));
    }
    if (!same) {
        snprintf(why, cap, "%zu links, the first %s", page->nlinks,
                 page->nlinks ? page->links[0].url : "none");
    }
    return same;
}

static bool judge_page(const json_t *one, const struct weft_page *page, char *why, size_t cap)
{
    const char *expected = json_string_value(json_object_get(one, "encoding"));
    if (!expected || strcmp(page->charset, expected) != 0) {
        snprintf(why, cap, "encoding %s", page->charset);
        return false;
    }
    return judge_title(one, page, why, cap) && judge_links(one, page, why, cap);
}

static bool judge(const json_t *one, char *why, size_t cap)
{
    static const struct weft_page_options options = {0};
    size_t len, base_len, type_len;
    const char *type = corpora_text(one, "content_type", &type_len);
    const char *base = corpora_text(one, "base", &base_len);
    char *body = corpora_base64(one, "bytes_base64", &len);
    struct weft_page_reader *reader = NULL;
    const struct weft_page *page;
    struct weft_url url;
    char buf[512];
    bool ok = false;
    snprintf(why, cap, "unreadable case");
    if (body && base && weft_page_reader_new(&reader) == WEFT_OK &&
        weft_url_parse(&url, buf, sizeof buf, NULL, base, base_len, NULL) == WEFT_OK &&
        weft_page_read(reader, &options, &url, type, NULL, body, len, &page) == WEFT_OK) {
        ok = judge_page(one, page, why, cap);
    }
    weft_page_reader_free(reader);
    free(body);
    return ok;
}

const struct corpora_set set_charset = {"charset", judge};
