/* page_impl.h -- what the files page*.c share: a reader's memory. Nobody else includes it. */
#ifndef WEFT_TEXT_PAGE_IMPL_H
#define WEFT_TEXT_PAGE_IMPL_H

#include "base/buf.h"
#include "text/charset.h"
#include "text/html.h"
#include "weft/page.h"

/* Bytes that stay where they are until the next page: URLs, fragments, ids. */
struct page_chunk {
    struct page_chunk *next;
    size_t len, cap;
    char data[];
};

/* The links found, and a hash table over their URLs: open addressing, linear probing, at most half
 * full. A slot is empty unless its round is that of this page, so that nothing need be cleared. */
struct page_slot {
    uint32_t round;
    uint32_t link; /* index */
};
struct page_links {
    struct weft_page_link *all;
    uint64_t *hash; /* of each link's URL */
    size_t n, cap;
    struct page_slot *slots;
    size_t nslots; /* a power of two, of those allocated; 0: none yet */
    uint32_t round;
    uint64_t seed; /* so that nobody can choose URLs that collide */
};

struct weft_page_reader {
    struct weft_page page;
    struct weft_page_options options; /* with the defaults filled in */
    enum weft_status status;          /* of the page being read */
    struct weft_buf text, title;
    struct page_links links;
    const char **anchors;
    size_t anchors_cap;
    struct weft_page_reject *rejects;
    size_t rejects_cap;
    struct page_chunk *chunks; /* the newest first */
    size_t kept;               /* bytes in them */

    const struct weft_url *url,
        *base; /* base NULL: it is no http URL, relative ones lead nowhere */
    struct weft_url base_url;
    const struct weft_charset *charset;
    bool has_title, has_links;
    bool again;                /* a base element came behind links: they have to be read again */
    char *base_text, *scratch; /* WEFT_MAX_URL_WORK bytes each */
};

/* page.c: keeps text (a NUL is added) until the next page. NULL: no memory (status is set) or past
 * WEFT_MAX_LINK_BYTES. */
const char *weft_page_keep(struct weft_page_reader *r, const char *text, size_t len);

/* page_links.c */
void weft_page_links_init(struct page_links *links);
void weft_page_links_release(struct page_links *links);
void weft_page_links_begin(struct page_links *links);
/* A link callback of a scan; user is the reader. */
void weft_page_add_link(void *user, const struct weft_html_link *link);

/* page_robots.c: which of noindex and nofollow a list of directives says to everybody or to weft.
 * With agents each line may begin with "agent:", and so may each directive. */
struct page_robots {
    bool noindex, nofollow;
};
struct page_robots weft_page_directives(const char *text, size_t len, bool agents);

#endif
