/* page.h -- what a crawler wants of an HTML page: its title, its charset, and its links as URLs.
 *
 * Bytes and headers in, values out; everything lies in the page's own memory, which is reused for
 * the next page. Knows the standards; no sockets, files, threads or clock. */
#ifndef WEFT_PAGE_H
#define WEFT_PAGE_H

#include "weft/status.h"
#include "weft/url.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_page_link_flag {
    WEFT_PAGE_NOFOLLOW = 1, /* rel=nofollow, or the whole page says so */
    WEFT_PAGE_ASSET = 2     /* an image, script, style sheet, icon...: only with .assets */
};

struct weft_page_link {
    const char *url; /* resolved, without fragment, NUL-terminated; lies in the page */
    uint32_t len;
    uint32_t at;           /* offset in the decoded document */
    const char *fragment;  /* without '#', NUL-terminated; NULL if the link had none */
    struct weft_url parts; /* url, as parsed: for its key, without parsing it again */
    unsigned flags; /* of enum weft_page_link_flag; for several links to one URL: all must say
                       nofollow for it to stand */
};

/* A reference that leads nowhere. */
struct weft_page_reject {
    const char *text; /* as written, cut at a limit, NUL-terminated */
    uint32_t at;      /* offset in the decoded document */
    bool too_long;    /* a URL over max_url; otherwise it is no URL */
};

struct weft_page_options {
    unsigned max_links; /* links kept: distinct ones, or occurrences; 0 = the default limit */
    unsigned max_url;   /* a longer URL is dropped and counted; 0 = the default limit */
    bool assets;        /* also images, scripts and the like */
    bool occurrences;   /* keep each occurrence, not each distinct URL (for link checking) */
    bool anchors;       /* also collect ids and names */
};

/* What was read of one page; fields are for reading only, set by weft_page_read(). */
struct weft_page {
    const char *title;   /* UTF-8, white space collapsed, cut at a limit; NULL: no title element */
    const char *charset; /* the encoding's WHATWG name; never NULL after a successful read */
    const char *base;    /* document base URL, serialised */
    const struct weft_page_link *links; /* distinct by URL, in order of first occurrence;
                                           with .occurrences all */
    size_t nlinks;
    const char *const *anchors; /* with .anchors: ids and names */
    size_t nanchors;
    const struct weft_page_reject *rejects; /* of bad_urls and too_long the first ones */
    size_t nrejects;
    const char *canonical; /* resolved rel=canonical, or NULL */
    const char *text;      /* the document as UTF-8 */
    size_t text_len;
    bool nofollow, noindex; /* meta robots, or the X-Robots-Tag given */
    unsigned bad_urls;      /* references that are no URL */
    unsigned other_schemes; /* mailto:, javascript:, ... */
    unsigned too_long;      /* URLs over max_url */
    unsigned over_max;      /* links beyond max_links, or of too many bytes in all */
};

struct weft_page_reader; /* scratch memory and the page: src/text/page.c */

/* Gives *out, to be freed. One thread at a time may use a reader. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_page_reader_new(struct weft_page_reader **out) WEFT_MUST_USE;
/* NULL is fine. Whatever it gave is gone. */
void weft_page_reader_free(struct weft_page_reader *r);

/* Reads a document. options: NULL for the defaults. url: where it came from at last; content_type,
 * x_robots_tag: the fields' values, NULL if absent. Gives *page, valid until the next read with
 * this reader; body must live as long (text may point into it). x_robots_tag may hold several
 * fields' values, parted by commas or line feeds. WEFT_OK; WEFT_ENOMEM; WEFT_ELIMIT: a body of more
 * than a GiB; WEFT_EIO: ICU's data is missing. Time linear in len. */
enum weft_status weft_page_read(struct weft_page_reader *r, const struct weft_page_options *options,
                                const struct weft_url *url, const char *content_type,
                                const char *x_robots_tag, const char *body, size_t len,
                                const struct weft_page **page) WEFT_MUST_USE;

#ifdef __cplusplus
}
#endif
#endif
