/* sitemap_text.c -- text sitemaps (sitemaps.org, "Text file"): one URL a line, in full.
 *
 * A line that does not begin like one, or has white space within, is prose and no URL. */
#include "base/limits.h"
#include "text/sitemap_parts.h"

#include <string.h>
#include <strings.h>

void weft_sitemap_text_init(struct sitemap_text *t, struct sitemap_found *found)
{
    *t = (struct sitemap_text){.found = found};
    weft_buf_init(&t->line, WEFT_MAX_URL_WORK);
}

void weft_sitemap_text_release(struct sitemap_text *t)
{
    weft_buf_release(&t->line);
}

static bool is_url(const char *p, size_t len)
{
    if (!(len > 7 && strncasecmp(p, "http://", 7) == 0) &&
        !(len > 8 && strncasecmp(p, "https://", 8) == 0)) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (sitemap_space(p[i]) || p[i] == '\0') {
            return false;
        }
    }
    return true;
}

void weft_sitemap_text_finish(struct sitemap_text *t)
{
    const char *p = t->line.data;
    size_t len = t->line.len;
    while (len > 0 && sitemap_space(*p)) {
        p++;
        len--;
    }
    while (len > 0 && sitemap_space(p[len - 1])) {
        len--;
    }
    if (!t->too_long && is_url(p, len)) {
        weft_sitemap_found(t->found, p, len);
    }
    weft_buf_clear(&t->line);
    t->too_long = false;
}

enum weft_status weft_sitemap_text_feed(struct sitemap_text *t, const char *bytes, size_t len)
{
    const char *end = bytes + len;
    while (bytes < end) {
        size_t n = 0, left = (size_t)(end - bytes);
        while (n < left && bytes[n] != '\n' && bytes[n] != '\r') {
            n++;
        }
        enum weft_status st = weft_buf_append(&t->line, bytes, n);
        if (st == WEFT_ENOMEM) {
            return st;
        }
        t->too_long = t->too_long || st == WEFT_ELIMIT;
        bytes += n;
        if (bytes < end) { /* a line has ended */
            weft_sitemap_text_finish(t);
            bytes++;
        }
    }
    return t->found->left ? WEFT_OK : WEFT_END;
}
