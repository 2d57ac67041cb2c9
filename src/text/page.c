/* page.c -- reading a page: charset, text, scan, and what the scan reports. Knows the order of the
 * steps and what a base element changes; links are page_links.c's. */
#include "text/page_impl.h"

#include "base/limits.h"
#include "text/html_space.h"
#include <stdlib.h>
#include <string.h>

#define CHUNK        (64u << 10) /* of kept text */
#define KEEP_MEMORY  (1u << 20)  /* of a large page's text, for the next */
#define KEEP_ANCHORS 2048

static void drop_chunks(struct weft_page_reader *r)
{
    while (r->chunks) {
        struct page_chunk *next = r->chunks->next;
        free(r->chunks);
        r->chunks = next;
    }
}

enum weft_status weft_page_reader_new(struct weft_page_reader **out)
{
    *out = NULL;
    struct weft_page_reader *r = calloc(1, sizeof *r);
    if (!r) {
        return WEFT_ENOMEM;
    }
    weft_buf_init(&r->text, SIZE_MAX);
    weft_buf_init(&r->title, WEFT_MAX_TITLE);
    weft_page_links_init(&r->links);
    r->scratch = malloc(WEFT_MAX_URL_WORK);
    r->base_text = malloc(WEFT_MAX_URL_WORK);
    if (!r->scratch || !r->base_text) {
        weft_page_reader_free(r);
        return WEFT_ENOMEM;
    }
    *out = r;
    return WEFT_OK;
}

void weft_page_reader_free(struct weft_page_reader *r)
{
    if (!r) {
        return;
    }
    drop_chunks(r);
    weft_page_links_release(&r->links);
    weft_buf_release(&r->text);
    weft_buf_release(&r->title);
    free(r->anchors);
    free(r->rejects);
    free(r->base_text);
    free(r->scratch);
    free(r);
}

const char *weft_page_keep(struct weft_page_reader *r, const char *text, size_t len)
{
    if (len >= WEFT_MAX_LINK_BYTES - r->kept) {
        return NULL;
    }
    if (!r->chunks || r->chunks->cap - r->chunks->len <= len) {
        size_t cap = len < CHUNK ? CHUNK : len + 1;
        struct page_chunk *chunk = malloc(sizeof *chunk + cap);
        if (!chunk) {
            r->status = WEFT_ENOMEM;
            return NULL;
        }
        *chunk = (struct page_chunk){.next = r->chunks, .cap = cap};
        r->chunks = chunk;
    }
    char *to = r->chunks->data + r->chunks->len;
    memcpy(to, text, len);
    to[len] = '\0';
    r->chunks->len += len + 1;
    r->kept += len + 1;
    return to;
}

/* Whether the URL Standard's parser would find that scheme (in lower case) in text. */
static bool has_scheme(const char *text, size_t len, const char *scheme)
{
    const char *p = text, *end = text + len;
    while (p < end && (unsigned char)*p <= ' ') {
        p++;
    }
    for (; p < end && *scheme; p++) {
        if (*p == '\t' || *p == '\n' || *p == '\r') {
            continue;
        }
        if ((*p | 0x20) != *scheme++) {
            return false;
        }
    }
    while (p < end && (*p == '\t' || *p == '\n' || *p == '\r')) {
        p++;
    }
    return p < end && !*scheme && *p == ':';
}

/* "Set the frozen base URL" (HTML Standard 4.2.3): if it is no URL, of one of those two schemes, or
 * longer than any that is worked with, the document's own URL stays. */
static void on_base(void *user, const char *href, size_t len)
{
    struct weft_page_reader *r = user;
    if (r->status != WEFT_OK) {
        return;
    }
    enum weft_status st = weft_url_parse(&r->base_url, r->base_text, WEFT_MAX_URL_WORK, r->url,
                                         href, len, r->charset);
    if (st == WEFT_ENOMEM || st == WEFT_EIO) {
        r->status = st;
    } else if (st == WEFT_OK) {
        r->base = &r->base_url;
        r->again = r->has_links;
    } else if (st == WEFT_ESCHEME && !has_scheme(href, len, "data") &&
               !has_scheme(href, len, "javascript")) {
        r->base = NULL;
        r->again = r->has_links;
    }
}

/* Appends a word to the title, as much of it as fits, cut between two characters. */
static void add_word(struct weft_page_reader *r, const char *word, size_t len)
{
    size_t room = r->title.limit - r->title.len;
    if (r->title.len && room) {
        r->status = weft_buf_append(&r->title, " ", 1);
        room--;
    }
    if (len > room) {
        len = room;
        while (len > 0 && ((unsigned char)word[len] & 0xC0) == 0x80) {
            len--;
        }
    }
    if (r->status == WEFT_OK) {
        r->status = weft_buf_append(&r->title, word, len);
    }
}

/* document.title (HTML Standard 3.1.5): white space stripped and collapsed. */
static void on_title(void *user, const char *text, size_t len)
{
    struct weft_page_reader *r = user;
    const char *p = text, *end = text + len;
    r->has_title = true;
    while (r->status == WEFT_OK && r->title.len < r->title.limit) {
        while (p < end && weft_html_space(*p)) {
            p++;
        }
        const char *word = p;
        while (p < end && !weft_html_space(*p)) {
            p++;
        }
        if (p == word) {
            break;
        }
        add_word(r, word, (size_t)(p - word));
    }
}

static void add_robots(struct weft_page *page, struct page_robots robots)
{
    page->noindex |= robots.noindex;
    page->nofollow |= robots.nofollow;
}

static void on_robots(void *user, const char *content, size_t len)
{
    struct weft_page_reader *r = user;
    add_robots(&r->page, weft_page_directives(content, len, false));
}

static void on_anchor(void *user, const char *id, size_t len, size_t at)
{
    (void)at;
    struct weft_page_reader *r = user;
    if (r->status != WEFT_OK || r->page.nanchors == WEFT_MAX_ANCHORS) {
        return;
    }
    if (r->page.nanchors == r->anchors_cap) {
        size_t cap = r->anchors_cap ? 2 * r->anchors_cap : 64;
        const char **anchors = realloc(r->anchors, cap * sizeof *anchors);
        if (!anchors) {
            r->status = WEFT_ENOMEM;
            return;
        }
        r->anchors = anchors;
        r->anchors_cap = cap;
    }
    const char *kept = weft_page_keep(r, id, len);
    if (kept) {
        r->anchors[r->page.nanchors++] = kept;
    }
}

/* Makes the reader empty for the next page. What one large page needed is not kept for ever. */
static void begin(struct weft_page_reader *r, const struct weft_page_options *options,
                  const struct weft_url *url)
{
    r->options = options ? *options : (struct weft_page_options){0};
    r->options.max_links = r->options.max_links ? r->options.max_links : WEFT_MAX_LINKS;
    r->options.max_url = r->options.max_url ? r->options.max_url : WEFT_MAX_URL;
    r->page = (struct weft_page){0};
    r->status = WEFT_OK;
    r->url = r->base = url;
    r->has_title = r->has_links = r->again = false;
    r->kept = 0;
    if (r->chunks && (r->chunks->next || r->chunks->cap > CHUNK)) {
        drop_chunks(r);
    } else if (r->chunks) {
        r->chunks->len = 0;
    }
    if (r->text.cap > KEEP_MEMORY) {
        weft_buf_release(&r->text);
    }
    if (r->anchors_cap > KEEP_ANCHORS) {
        free(r->anchors);
        r->anchors = NULL;
        r->anchors_cap = 0;
    }
    weft_buf_clear(&r->text);
    weft_buf_clear(&r->title);
    weft_page_links_begin(&r->links);
}

/* The body as UTF-8: where it lies, if it is that already, else decoded. */
static enum weft_status decode(struct weft_page_reader *r, const char *content_type,
                               const char *body, size_t len)
{
    size_t bom;
    r->charset = weft_charset_of_html(body, len, content_type,
                                      content_type ? strlen(content_type) : 0, &bom);
    r->page.charset = weft_charset_name(r->charset);
    if (weft_charset_is_verbatim(r->charset, body + bom, len - bom)) {
        r->page.text = body + bom;
        r->page.text_len = len - bom;
        return WEFT_OK;
    }
    enum weft_status st = weft_charset_decode(r->charset, body + bom, len - bom, &r->text);
    r->page.text = r->text.data ? r->text.data : "";
    r->page.text_len = r->text.len;
    return st;
}

static enum weft_status scan(struct weft_page_reader *r)
{
    struct weft_html_sink sink = {.user = r,
                                  .link = weft_page_add_link,
                                  .base = on_base,
                                  .title = on_title,
                                  .robots = on_robots,
                                  .anchor = r->options.anchors ? on_anchor : NULL,
                                  .assets = r->options.assets};
    enum weft_status st = weft_html_scan(r->page.text, r->page.text_len, &sink);
    if (st == WEFT_OK && r->status == WEFT_OK && r->again) {
        /* A base came behind some of the links, and counts for them too: read them once more. */
        r->again = false;
        r->page.canonical = NULL;
        r->page.bad_urls = r->page.other_schemes = r->page.too_long = r->page.over_max = 0;
        r->page.nrejects = 0;
        weft_page_links_begin(&r->links);
        sink = (struct weft_html_sink){
            .user = r, .link = weft_page_add_link, .assets = r->options.assets};
        st = weft_html_scan(r->page.text, r->page.text_len, &sink);
    }
    return st == WEFT_OK ? r->status : st;
}

static void finish(struct weft_page_reader *r)
{
    if (r->base != &r->base_url) {
        memcpy(r->base_text, r->url->href, r->url->len + 1);
    }
    r->page.base = r->base_text;
    if (r->has_title) {
        r->page.title = r->title.data ? r->title.data : "";
    }
    r->page.anchors = r->anchors;
    r->page.rejects = r->rejects;
    r->page.links = r->links.all;
    r->page.nlinks = r->links.n;
    for (size_t i = 0; r->page.nofollow && i < r->links.n; i++) {
        r->links.all[i].flags |= WEFT_PAGE_NOFOLLOW;
    }
}

enum weft_status weft_page_read(struct weft_page_reader *r, const struct weft_page_options *options,
                                const struct weft_url *url, const char *content_type,
                                const char *x_robots_tag, const char *body, size_t len,
                                const struct weft_page **page)
{
    *page = NULL;
    if (url->len >= WEFT_MAX_URL_WORK || len > UINT32_MAX / WEFT_CHARSET_GROWTH - 1) {
        return WEFT_ELIMIT; /* offsets are of 32 bits */
    }
    begin(r, options, url);
    if (x_robots_tag) {
        add_robots(&r->page, weft_page_directives(x_robots_tag, strlen(x_robots_tag), true));
    }
    enum weft_status st = decode(r, content_type, len ? body : "", len);
    if (st == WEFT_OK) {
        st = scan(r);
    }
    if (st == WEFT_OK) {
        finish(r);
        *page = &r->page;
    }
    return st;
}
