/* sitemap.c -- reads a sitemap of any kind as it comes: unpacks it, finds its encoding, tells XML
 * from text by its first character, and counts. Its first bytes decide, not its name or type; those
 * only keep an HTML page's lines from being taken for a text sitemap. */
#include "text/sitemap.h"

#include "base/limits.h"
#include "text/content_type.h"
#include "text/sitemap_parts.h"

#include <stdlib.h>
#include <string.h>

enum encoding { UNDECIDED, ASCII_LIKE, UTF_16LE, UTF_16BE };

struct weft_sitemap {
    struct sitemap_found found;
    enum weft_status status; /* WEFT_END: nothing that follows matters */
    bool may_be_text;
    char magic[2]; /* the first bytes, until there are enough to know gzip by */
    size_t nmagic;
    struct sitemap_gzip *gzip; /* NULL: it isn't */
    size_t decoded;            /* bytes unpacked so far */
    char mark[3];              /* the first of those, until the encoding is known */
    size_t nmarks;
    enum encoding encoding;
    struct sitemap_utf8 utf16;
    bool began;              /* the first character that is no space decides: */
    struct sitemap_xml *xml; /* NULL: it is text */
    struct sitemap_text text;
};

void weft_sitemap_found(struct sitemap_found *f, const char *loc, size_t len)
{
    while (len > 0 && sitemap_space(*loc)) {
        loc++;
        len--;
    }
    while (len > 0 && sitemap_space(loc[len - 1])) {
        len--;
    }
    if (len > 0 && f->left > 0) {
        f->left--;
        f->any = true;
        f->fn(f->user, loc, len);
    }
}

static bool ends_with(const char *s, size_t len, const char *tail)
{
    size_t n = strlen(tail);
    return len >= n && memcmp(s + len - n, tail, n) == 0;
}

/* Whether lines that look like URLs make it a text sitemap. */
static bool may_be_text(const char *content_type, const char *url)
{
    struct weft_content_type type = {.is_html = false};
    if (content_type) {
        weft_content_type_extract(content_type, strlen(content_type), &type);
    }
    size_t path = url ? strcspn(url, "?#") : 0;
    return !type.is_html ||
           (url && (ends_with(url, path, ".txt") || ends_with(url, path, ".txt.gz")));
}

enum weft_status weft_sitemap_new(struct weft_sitemap **out, const char *content_type,
                                  const char *url, weft_sitemap_fn *found, void *user)
{
    struct weft_sitemap *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->found = (struct sitemap_found){.fn = found, .user = user, .left = WEFT_MAX_SITEMAP_URLS};
    s->may_be_text = may_be_text(content_type, url);
    weft_sitemap_text_init(&s->text, &s->found);
    *out = s;
    return WEFT_OK;
}

void weft_sitemap_free(struct weft_sitemap *s)
{
    if (s) {
        weft_sitemap_gzip_free(s->gzip);
        weft_sitemap_xml_free(s->xml);
        weft_sitemap_text_release(&s->text);
        free(s);
    }
}

/* Text without its byte order mark, in UTF-8 if it was UTF-16. */
static enum weft_status content(void *user, const char *bytes, size_t len)
{
    struct weft_sitemap *s = user;
    while (len > 0 && !s->began && sitemap_space(*bytes)) {
        bytes++;
        len--;
    }
    if (len == 0) {
        return WEFT_OK;
    }
    if (!s->began) {
        s->began = true;
        if (*bytes == '<') {
            enum weft_status st = weft_sitemap_xml_new(&s->xml, s->encoding != ASCII_LIKE,
                                                       &s->found);
            if (st != WEFT_OK) {
                return st;
            }
        } else if (!s->may_be_text) {
            return WEFT_END;
        }
    }
    return s->xml ? weft_sitemap_xml_feed(s->xml, bytes, len)
                  : weft_sitemap_text_feed(&s->text, bytes, len);
}

static enum weft_status encoded(struct weft_sitemap *s, const char *bytes, size_t len)
{
    return s->encoding == ASCII_LIKE ? content(s, bytes, len)
                                     : weft_sitemap_utf16_feed(&s->utf16, s->encoding == UTF_16BE,
                                                               bytes, len, content, s);
}

/* XML 1.0 appendix F, as far as it is about Unicode: a byte order mark, or "<" in UTF-16. *skip
 * gets the length of the mark. UNDECIDED: more bytes are needed. */
static enum encoding encoding_of(const char *mark, size_t n, bool more, size_t *skip)
{
    static const struct {
        const char *mark;
        size_t len, skip;
        enum encoding encoding;
    } known[] = {
        {"\xEF\xBB\xBF", 3, 3, ASCII_LIKE},
        {"\xFF\xFE", 2, 2, UTF_16LE},
        {"\xFE\xFF", 2, 2, UTF_16BE},
        {"<\0", 2, 0, UTF_16LE},
        {"\0<", 2, 0, UTF_16BE},
    };
    *skip = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t len = n < known[i].len ? n : known[i].len;
        if (memcmp(mark, known[i].mark, len) == 0) {
            if (len == known[i].len) {
                *skip = known[i].skip;
                return known[i].encoding;
            }
            if (more) {
                return UNDECIDED;
            }
        }
    }
    return ASCII_LIKE;
}

static enum weft_status decide_encoding(struct weft_sitemap *s, bool more)
{
    size_t skip;
    s->encoding = encoding_of(s->mark, s->nmarks, more, &skip);
    return s->encoding == UNDECIDED ? WEFT_OK : encoded(s, s->mark + skip, s->nmarks - skip);
}

/* Unpacked bytes. */
static enum weft_status unpacked(void *user, const char *bytes, size_t len)
{
    struct weft_sitemap *s = user;
    enum weft_status st = WEFT_OK;
    if (len > WEFT_MAX_SITEMAP - s->decoded) {
        len = WEFT_MAX_SITEMAP - s->decoded;
    }
    s->decoded += len;
    while (st == WEFT_OK && len > 0 && s->encoding == UNDECIDED) {
        s->mark[s->nmarks++] = *bytes++;
        len--;
        st = decide_encoding(s, true);
    }
    if (st == WEFT_OK && len > 0) {
        st = encoded(s, bytes, len);
    }
    return st == WEFT_OK && s->decoded == WEFT_MAX_SITEMAP ? WEFT_END : st;
}

static enum weft_status packed(struct weft_sitemap *s, const char *bytes, size_t len)
{
    return s->gzip ? weft_sitemap_gzip_feed(s->gzip, bytes, len) : unpacked(s, bytes, len);
}

static enum weft_status decide_packing(struct weft_sitemap *s)
{
    enum weft_status st = WEFT_OK;
    if (s->nmagic == 2 && memcmp(s->magic, "\x1f\x8b", 2) == 0) {
        st = weft_sitemap_gzip_new(&s->gzip, unpacked, s);
    }
    return st == WEFT_OK ? packed(s, s->magic, s->nmagic) : st;
}

enum weft_status weft_sitemap_feed(struct weft_sitemap *s, const char *bytes, size_t len)
{
    enum weft_status st = s->status;
    while (st == WEFT_OK && len > 0 && s->nmagic < 2) {
        s->magic[s->nmagic++] = *bytes++;
        len--;
        if (s->nmagic == 2) {
            st = decide_packing(s);
        }
    }
    if (st == WEFT_OK && len > 0) {
        st = packed(s, bytes, len);
    }
    s->status = st;
    return st == WEFT_END ? WEFT_OK : st;
}

enum weft_sitemap_kind weft_sitemap_finish(struct weft_sitemap *s)
{
    if (s->status == WEFT_OK && s->nmagic == 1) {
        s->status = decide_packing(s);
    }
    if (s->status == WEFT_OK && s->encoding == UNDECIDED) {
        s->status = decide_encoding(s, false);
    }
    if (s->xml) {
        return weft_sitemap_xml_kind(s->xml);
    }
    if (s->status == WEFT_OK && (!s->gzip || weft_sitemap_gzip_whole(s->gzip))) {
        weft_sitemap_text_finish(&s->text); /* a line without an end, but not one cut short */
    }
    return s->found.any ? WEFT_SITEMAP_TEXT : WEFT_SITEMAP_NONE;
}
