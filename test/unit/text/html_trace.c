/* html_trace.c -- see html_trace.h. */
#include "html_trace.h"

#include "base/buf.h"
#include "support/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [WEFT_LINK_A] = "a",
    [WEFT_LINK_AREA] = "area",
    [WEFT_LINK_LINK] = "link",
    [WEFT_LINK_IFRAME] = "iframe",
    [WEFT_LINK_FRAME] = "frame",
    [WEFT_LINK_REFRESH] = "refresh",
    [WEFT_LINK_IMG] = "img",
    [WEFT_LINK_IMG_SRCSET] = "img-set",
    [WEFT_LINK_SOURCE] = "source",
    [WEFT_LINK_SOURCE_SRCSET] = "source-set",
    [WEFT_LINK_SCRIPT] = "script",
    [WEFT_LINK_AUDIO] = "audio",
    [WEFT_LINK_VIDEO] = "video",
    [WEFT_LINK_POSTER] = "poster",
    [WEFT_LINK_TRACK] = "track",
    [WEFT_LINK_EMBED] = "embed",
    [WEFT_LINK_OBJECT] = "object",
    [WEFT_LINK_INPUT] = "input",
    [WEFT_LINK_LINK_SRCSET] = "link-set",
    [WEFT_LINK_SVG_IMAGE] = "svg-image",
};

struct trace {
    const char *html;
    size_t len, last;
    struct weft_buf out;
};

static void put(struct trace *t, const char *text, size_t len)
{
    ck_assert_int_eq(weft_buf_append(&t->out, text, len), WEFT_OK);
}

static void put_item(struct trace *t, const char *name, const char *value, size_t len)
{
    if (t->out.len) {
        put(t, " ", 1);
    }
    put(t, name, strlen(name));
    put(t, "(", 1);
    put(t, value, len);
}

static void on_link(void *user, const struct weft_html_link *link)
{
    struct trace *t = user;
    ck_assert_uint_lt(link->at, t->len);
    ck_assert_int_eq(t->html[link->at], '<');
    ck_assert_uint_ge(link->at, t->last);
    t->last = link->at;
    put_item(t, kinds[link->kind], link->value, link->len);
    if (link->rel_value) {
        put(t, "|", 1);
        put(t, link->rel_value, link->rel_len);
    }
    put(t, ")", 1);
}

static void on_base(void *user, const char *href, size_t len)
{
    put_item(user, "base", href, len);
    put(user, ")", 1);
}

static void on_title(void *user, const char *text, size_t len)
{
    put_item(user, "title", text, len);
    put(user, ")", 1);
}

static void on_robots(void *user, const char *content, size_t len)
{
    put_item(user, "robots", content, len);
    put(user, ")", 1);
}

static void on_anchor(void *user, const char *id, size_t len, size_t at)
{
    struct trace *t = user;
    ck_assert_int_eq(t->html[at], '<');
    put(t, t->out.len ? " #" : "#", t->out.len ? 2 : 1);
    put(t, id, len);
}

static char *trace(const char *html, size_t len, struct weft_html_sink *sink)
{
    char *copy = malloc(len ? len
                            : 1); /* without a NUL behind it, so that ASan sees a step too far */
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, html, len);
    struct trace t = {.html = copy, .len = len};
    weft_buf_init(&t.out, 1 << 20);
    sink->user = &t;
    ck_assert_int_eq(weft_html_scan(copy, len, sink), WEFT_OK);
    free(copy);
    char *out = weft_buf_take(&t.out);
    ck_assert_ptr_nonnull(out);
    return out;
}

char *html_trace(const char *html, size_t len, bool all)
{
    struct weft_html_sink sink = {.link = on_link, .assets = true};
    if (all) {
        sink.base = on_base;
        sink.title = on_title;
        sink.robots = on_robots;
    }
    return trace(html, len, &sink);
}

char *html_anchors(const char *html, size_t len)
{
    struct weft_html_sink sink = {.anchor = on_anchor};
    return trace(html, len, &sink);
}

void html_check(const struct html_case *c, bool all)
{
    char *got = html_trace(c->html, c->len, all);
    ck_assert_msg(strcmp(got, c->trace) == 0, "%s\n  document: %s\n  expected: %s\n  found:    %s",
                  c->why, c->html, c->trace, got);
    free(got);
}
