/* fuzz_html.c -- any bytes as an HTML document: what the scanner reports lies where it may and in
 * order, a part of the document has a part of its links, and the page reader's URLs are URLs.
 *
 * Input: one byte of choices, two that say where to cut the part, the document. */
#include "text/html.h"
#include "weft/page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* What one scan reported: a running sum over each link, so that two scans can be compared. */
struct seen {
    const char *html;
    size_t len, last;
    size_t n, limit; /* links; those behind the first limit are not summed */
    uint64_t sum;
    unsigned bases, titles;
};

static void add(struct seen *s, const char *bytes, size_t len)
{
    must(len <= 3 * s->len);
    for (size_t i = 0; i < len; i++) {
        s->sum = (s->sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
    }
    s->sum = (s->sum ^ len) * UINT64_C(0x100000001B3);
}

static void at_tag(struct seen *s, size_t at)
{
    must(at < s->len && s->html[at] == '<' && at >= s->last);
    s->last = at;
}

static void on_link(void *user, const struct weft_html_link *link)
{
    struct seen *s = user;
    at_tag(s, link->at);
    must(link->value != NULL && (link->rel_value || link->rel_len == 0));
    bool inside = link->value >= s->html && link->value < s->html + s->len;
    must(!inside || (link->value > s->html + link->at &&
                     link->len <= (size_t)(s->html + s->len - link->value)));
    if (s->n++ < s->limit) {
        add(s, link->value, link->len);
        add(s, link->rel_value, link->rel_len);
        s->sum += link->kind * 31u + link->rel + link->at;
    }
}

static void on_base(void *user, const char *href, size_t len)
{
    struct seen *s = user;
    must(href != NULL && len <= 3 * s->len && ++s->bases == 1);
}

static void on_title(void *user, const char *text, size_t len)
{
    struct seen *s = user;
    must(text != NULL && len <= 3 * s->len && ++s->titles == 1);
}

static void on_robots(void *user, const char *content, size_t len)
{
    must(content != NULL && len <= 3 * ((struct seen *)user)->len);
}

static void on_anchor(void *user, const char *id, size_t len, size_t at)
{
    struct seen *s = user;
    must(id != NULL && len > 0 && len <= 3 * s->len);
    at_tag(s, at);
}

static struct seen scan(const char *html, size_t len, bool assets, bool anchors, size_t limit)
{
    struct seen s = {.html = html, .len = len, .limit = limit};
    struct weft_html_sink sink = {.user = &s,
                                  .link = on_link,
                                  .base = on_base,
                                  .title = on_title,
                                  .robots = on_robots,
                                  .anchor = anchors ? on_anchor : NULL,
                                  .assets = assets};
    must(weft_html_scan(html, len, &sink) == WEFT_OK);
    return s;
}

static bool holds_frameset(const char *html, size_t len)
{
    for (size_t i = 0; i + 9 <= len; i++) {
        if (html[i] == '<' && strncasecmp(html + i + 1, "frameset", 8) == 0) {
            return true;
        }
    }
    return false;
}

/* The links of the first n bytes are the first links of the whole: a scanner that looks ahead
 * further than a frameset makes it do would fail here. */
static void check_part(const char *html, size_t len, size_t n, bool assets)
{
    char *part = malloc(n ? n : 1);
    must(part != NULL);
    memcpy(part, html, n);
    struct seen first = scan(part, n, assets, false, SIZE_MAX);
    if (!holds_frameset(html, len)) {
        struct seen whole = scan(html, len, assets, false, first.n);
        must(whole.n >= first.n && whole.sum == first.sum);
    }
    free(part);
}

static void check_page(const char *html, size_t len, bool assets, bool charset)
{
    static struct weft_page_reader *reader;
    static char at[64], buf[1 << 16];
    static struct weft_url url;
    static const char text[] = "http://h.example/a/b";
    const struct weft_page_options options = {
        .assets = assets, .anchors = !assets, .max_links = 50};
    const struct weft_page *page;
    if (!reader) {
        must(weft_page_reader_new(&reader) == WEFT_OK);
        must(weft_url_parse(&url, at, sizeof at, NULL, text, sizeof text - 1, NULL) == WEFT_OK);
    }
    must(weft_page_read(reader, &options, &url, charset ? "text/html; charset=utf-8" : NULL, NULL,
                        html, len, &page) == WEFT_OK);
    must(page->nlinks <= 50 && page->charset && page->base);
    must(!page->title || strlen(page->title) <= 1024);
    for (size_t i = 0; i < page->nlinks; i++) {
        const struct weft_page_link *link = &page->links[i];
        struct weft_url u;
        must(strlen(link->url) == link->len && link->at < page->text_len);
        must(weft_url_parse(&u, buf, sizeof buf, NULL, link->url, link->len, NULL) == WEFT_OK);
        must(u.len == link->len && memcmp(buf, link->url, link->len) == 0);
        for (size_t k = 0; k < i; k++) {
            must(strcmp(page->links[k].url, link->url) != 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3) {
        return 0;
    }
    unsigned choice = data[0];
    size_t len = size - 3, cut = len ? (data[1] << 8 | data[2]) % (len + 1) : 0;
    const char *html = (const char *)data + 3;
    bool assets = choice & 1;
    struct seen all = scan(html, len, assets, false, SIZE_MAX);
    struct seen slow = scan(html, len, assets, true, SIZE_MAX); /* anchors: no tag is skipped */
    must(all.n == slow.n && all.sum == slow.sum && all.bases == slow.bases);
    must(scan(html, len, false, false, 0).n <= scan(html, len, true, false, 0).n);
    check_part(html, len, cut, assets);
    check_page(html, len, assets, choice & 2);
    return 0;
}
