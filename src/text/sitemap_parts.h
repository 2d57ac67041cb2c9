/* sitemap_parts.h -- what the files of the sitemap reader share. Bytes go through them in this
 * order, a chunk at a time:
 *
 *   sitemap_gzip.c   unpacks what begins with gzip's magic
 *   sitemap.c        finds the byte order mark, counts, tells XML from text
 *   sitemap_utf8.c   makes UTF-8 of UTF-16, and well-formed UTF-8 of the rest
 *   sitemap_text.c   lines
 *   sitemap_tidy.c   reduces XML to tags, text and references that libxml2 reads in linear time
 *   sitemap_xml.c    elements, through libxml2
 *
 * Each stage hands its output to a sink. Private to src/text/sitemap*.c. */
#ifndef WEFT_TEXT_SITEMAP_PARTS_H
#define WEFT_TEXT_SITEMAP_PARTS_H

#include "base/buf.h"
#include "text/sitemap.h"
#include <stdbool.h>
#include <stdint.h>

/* The next stage. WEFT_OK; anything else ends the input. */
typedef enum weft_status sitemap_sink(void *user, const char *bytes, size_t len);

/* Where locations go. */
struct sitemap_found {
    weft_sitemap_fn *fn;
    void *user;
    unsigned left; /* how many more are wanted */
    bool any;      /* whether there was one */
};
/* Hands on a location without the white space around it, if there is more to it and it is wanted.
 */
void weft_sitemap_found(struct sitemap_found *f, const char *loc, size_t len);
/* White space as XML and HTTP have it. */
static inline bool sitemap_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* gzip: one member after another. */
struct sitemap_gzip;
/* Gives *out. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_sitemap_gzip_new(struct sitemap_gzip **out, sitemap_sink *sink,
                                       void *user) WEFT_MUST_USE;
void weft_sitemap_gzip_free(struct sitemap_gzip *g); /* NULL is fine */
/* Whether the input so far ends with a member (or what follows the last one). */
bool weft_sitemap_gzip_whole(const struct sitemap_gzip *g);
/* What is damaged, and all behind it, is ignored. WEFT_OK, WEFT_ENOMEM, or what the sink says. */
enum weft_status weft_sitemap_gzip_feed(struct sitemap_gzip *g, const char *bytes,
                                        size_t len) WEFT_MUST_USE;

/* Characters that came in part; all zero at the start. */
struct sitemap_utf8 {
    uint8_t part[4];
    size_t nparts;
    uint32_t high; /* UTF-16: a high surrogate whose other half is still to come */
};
enum weft_status weft_sitemap_utf8_feed(struct sitemap_utf8 *u, const char *bytes, size_t len,
                                        sitemap_sink *sink, void *user) WEFT_MUST_USE;
enum weft_status weft_sitemap_utf16_feed(struct sitemap_utf8 *u, bool big_endian, const char *bytes,
                                         size_t len, sitemap_sink *sink, void *user) WEFT_MUST_USE;

/* Lines, each of which may be a URL. */
struct sitemap_text {
    struct sitemap_found *found;
    struct weft_buf line;
    bool too_long; /* the line was longer than any URL */
};
void weft_sitemap_text_init(struct sitemap_text *t, struct sitemap_found *found);
void weft_sitemap_text_release(struct sitemap_text *t);
enum weft_status weft_sitemap_text_feed(struct sitemap_text *t, const char *bytes,
                                        size_t len) WEFT_MUST_USE;
void weft_sitemap_text_finish(struct sitemap_text *t);

/* See sitemap_tidy.c. */
struct sitemap_tidy {
    sitemap_sink *sink;
    void *user;
    enum weft_status status;
    int state, back; /* of enum tidy_state; where a reference or comment goes back to */
    bool seen_tag;   /* text before the first tag is dropped */
    char quote;      /* what ends a quoted value, 0 for none */
    bool subset;     /* inside a DOCTYPE's brackets */
    unsigned match;  /* how much of an end mark has been seen */
    size_t tag_len;
    char held[12]; /* what may yet be a reference, or some kind of markup */
    size_t nheld;
    char out[4096];
    size_t nout;
};
void weft_sitemap_tidy_init(struct sitemap_tidy *t, sitemap_sink *sink, void *user);
/* WEFT_OK, WEFT_END (what follows is no markup), or what the sink says. */
enum weft_status weft_sitemap_tidy_feed(struct sitemap_tidy *t, const char *bytes,
                                        size_t len) WEFT_MUST_USE;
/* Hands on what is still on the stage. WEFT_OK, or what the sink says. */
enum weft_status weft_sitemap_tidy_flush(struct sitemap_tidy *t) WEFT_MUST_USE;

/* A document in XML. */
struct sitemap_xml;
/* is_utf8: the bytes have been made UTF-8, whatever the document declares. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_sitemap_xml_new(struct sitemap_xml **out, bool is_utf8,
                                      struct sitemap_found *found) WEFT_MUST_USE;
void weft_sitemap_xml_free(struct sitemap_xml *x); /* NULL is fine */
/* WEFT_OK, WEFT_ENOMEM, WEFT_END (nothing that follows matters). */
enum weft_status weft_sitemap_xml_feed(struct sitemap_xml *x, const char *bytes,
                                       size_t len) WEFT_MUST_USE;
enum weft_sitemap_kind weft_sitemap_xml_kind(const struct sitemap_xml *x);

#endif
