/* sitemap.h -- sitemaps of every usual kind, streamed: urlset, index, text, RSS, Atom, gzip or not.
 * A broken file gives what was whole. Knows libxml2 and zlib; no network. Threads: one at a time.
 */
#ifndef WEFT_TEXT_SITEMAP_H
#define WEFT_TEXT_SITEMAP_H

#include "weft/status.h"
#include <stddef.h>

enum weft_sitemap_kind {
    WEFT_SITEMAP_NONE,
    WEFT_SITEMAP_URLSET,
    WEFT_SITEMAP_INDEX, /* its URLs are sitemaps */
    WEFT_SITEMAP_TEXT,
    WEFT_SITEMAP_RSS,
    WEFT_SITEMAP_ATOM
};

struct weft_sitemap; /* opaque: sitemap.c */

/* Called for each location: white space stripped, references decoded, otherwise as written. */
typedef void weft_sitemap_fn(void *user, const char *loc, size_t len);

/* The first bytes decide what it is; content_type (the field's value) and url only keep the lines
 * of an HTML page from being taken for a text sitemap. Both are borrowed for the call, either may
 * be NULL. Gives *out. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_sitemap_new(struct weft_sitemap **out, const char *content_type,
                                  const char *url, weft_sitemap_fn *found,
                                  void *user) WEFT_MUST_USE;
/* Feeds the next chunk; calls found() for what became whole, never with an empty location, nor one
 * longer than WEFT_MAX_URL_WORK. Past WEFT_MAX_SITEMAP decoded bytes or WEFT_MAX_SITEMAP_URLS
 * locations the rest is ignored, as is what follows damage. WEFT_OK; WEFT_ENOMEM, from then on.
 * Time linear in the decoded bytes. */
enum weft_status weft_sitemap_feed(struct weft_sitemap *s, const char *bytes,
                                   size_t len) WEFT_MUST_USE;
/* Ends the input, calls found() for what was left, and tells what it was. */
enum weft_sitemap_kind weft_sitemap_finish(struct weft_sitemap *s);
/* NULL is fine. */
void weft_sitemap_free(struct weft_sitemap *s);

#endif
