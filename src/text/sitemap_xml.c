/* sitemap_xml.c -- sitemaps in XML, by their elements: urlset, sitemapindex (sitemaps.org), RSS
 * and Atom. Any name space will do, as long as the location is in the one of its entry: so
 * <image:loc> is none.
 *
 * libxml2's push parser reads what sitemap_tidy.c lets through, in recovery: most errors lose an
 * element, not the rest. It is given UTF-8 only, since it has no recovery from bytes that can't be
 * decoded. A location counts when its element has ended. */
#include "base/limits.h"
#include "text/charset.h"
#include "text/sitemap_parts.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#define HELD 8192 /* bytes that wait for the rest of a character, at most */

struct sitemap_xml {
    struct sitemap_found *found;
    struct sitemap_tidy tidy;
    struct sitemap_utf8 utf8;
    xmlParserCtxtPtr ctxt;
    xmlSAXHandler sax;
    bool is_utf8;                  /* it is, whatever the declaration says */
    const struct weft_charset *cs; /* what it is to be decoded from; NULL: it is UTF-8 */
    struct weft_buf held, decoded; /* bytes of that encoding, and what became of them */
    bool started;                  /* the declaration is behind us */
    char declared[512];            /* "<?xml ... ?>", as far as it has come */
    size_t ndeclared;
    enum weft_sitemap_kind kind;
    enum weft_status status;
    unsigned depth;              /* open elements; the root is 1 */
    unsigned entry, leaf;        /* depth of the open entry and location, 0 for none */
    const xmlChar *uri, *prefix; /* of the entry: strings in libxml2's dictionary */
    struct weft_buf loc;
    bool too_long;
};

/* What the kinds call their elements. */
static const struct format {
    const char *root;
    enum weft_sitemap_kind kind;
    const char *entry, *leaf;
} formats[] = {
    {"urlset", WEFT_SITEMAP_URLSET, "url", "loc"},
    {"sitemapindex", WEFT_SITEMAP_INDEX, "sitemap", "loc"},
    {"rss", WEFT_SITEMAP_RSS, "item", "link"},
    {"RDF", WEFT_SITEMAP_RSS, "item", "link"}, /* RSS 1.0 */
    {"feed", WEFT_SITEMAP_ATOM, "entry", "link"},
};

static const struct format *format_of(enum weft_sitemap_kind kind)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].kind == kind) {
            return &formats[i];
        }
    }
    return NULL;
}

static void stop(struct sitemap_xml *x, enum weft_status status)
{
    x->status = status;
    xmlStopParser(x->ctxt);
}

static void root_element(struct sitemap_xml *x, const xmlChar *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (xmlStrEqual(name, BAD_CAST formats[i].root)) {
            x->kind = formats[i].kind;
            return;
        }
    }
    stop(x, WEFT_END);
}

/* RFC 4287 4.2.7: <link href="..."/> with no rel, or rel="alternate". An attribute is five
 * pointers: name, prefix, name space, begin and end of the value. */
static void atom_link(struct sitemap_xml *x, int n, const xmlChar **attributes)
{
    const char *href = NULL;
    size_t len = 0;
    for (const xmlChar **a = attributes; n > 0; n--, a += 5) {
        size_t value_len = (size_t)(a[4] - a[3]);
        if (!a[1] && xmlStrEqual(a[0], BAD_CAST "href")) {
            href = (const char *)a[3];
            len = value_len;
        } else if (!a[1] && xmlStrEqual(a[0], BAD_CAST "rel") &&
                   (value_len != 9 || memcmp(a[3], "alternate", 9) != 0)) {
            return;
        }
    }
    if (href) {
        weft_sitemap_found(x->found, href, len);
    }
}

static void start_element(void *user, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *uri, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes)
{
    struct sitemap_xml *x = user;
    (void)nnamespaces;
    (void)namespaces;
    (void)ndefaulted;
    if (++x->depth == 1) {
        root_element(x, name);
        return;
    }
    const struct format *f = format_of(x->kind);
    if (!f) {
        return;
    }
    if (xmlStrEqual(name, BAD_CAST f->entry)) {
        x->entry = x->depth;
        x->leaf = 0;
        x->uri = uri;
        x->prefix = prefix;
    } else if (x->entry && x->depth == x->entry + 1 && xmlStrEqual(name, BAD_CAST f->leaf) &&
               xmlStrEqual(uri, x->uri) && (uri || xmlStrEqual(prefix, x->prefix))) {
        if (x->kind == WEFT_SITEMAP_ATOM) {
            atom_link(x, nattributes, attributes);
        } else {
            x->leaf = x->depth;
            x->too_long = false;
            weft_buf_clear(&x->loc);
        }
    }
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    struct sitemap_xml *x = user;
    (void)name;
    (void)prefix;
    (void)uri;
    if (x->leaf == x->depth && x->leaf) {
        if (!x->too_long) {
            weft_sitemap_found(x->found, x->loc.data, x->loc.len);
        }
        x->leaf = 0;
    }
    if (x->entry == x->depth) {
        x->entry = 0;
    }
    if (x->depth > 0) {
        x->depth--;
    }
    if (x->found->left == 0) {
        stop(x, WEFT_END);
    }
}

static void characters(void *user, const xmlChar *text, int len)
{
    struct sitemap_xml *x = user;
    if (x->leaf && x->leaf == x->depth) {
        enum weft_status st = weft_buf_append(&x->loc, text, (size_t)len);
        if (st == WEFT_ENOMEM) {
            stop(x, st);
        }
        x->too_long = x->too_long || st == WEFT_ELIMIT;
    }
}

static void no_message(void *user, xmlErrorPtr error)
{
    (void)user;
    (void)error;
}

/* The last stage before libxml2, which takes an int. */
static enum weft_status parse(void *user, const char *bytes, size_t len)
{
    struct sitemap_xml *x = user;
    int rc = xmlParseChunk(x->ctxt, bytes, (int)len, 0);
    if (rc == XML_ERR_NO_MEMORY) {
        x->status = WEFT_ENOMEM;
    } else if (x->ctxt->instate == XML_PARSER_EOF && x->status == WEFT_OK) {
        x->status = WEFT_END; /* it gave up */
    }
    return x->status;
}

static enum weft_status tidy(void *user, const char *bytes, size_t len)
{
    struct sitemap_xml *x = user;
    return weft_sitemap_tidy_feed(&x->tidy, bytes, len);
}

enum weft_status weft_sitemap_xml_new(struct sitemap_xml **out, bool is_utf8,
                                      struct sitemap_found *found)
{
    struct sitemap_xml *x = calloc(1, sizeof *x);
    *out = NULL;
    if (!x) {
        return WEFT_ENOMEM;
    }
    x->found = found;
    x->is_utf8 = is_utf8;
    weft_buf_init(&x->loc, WEFT_MAX_URL_WORK);
    weft_buf_init(&x->held, HELD);
    weft_buf_init(&x->decoded, HELD * WEFT_CHARSET_GROWTH + 3);
    weft_sitemap_tidy_init(&x->tidy, parse, x);
    x->sax.initialized = XML_SAX2_MAGIC;
    x->sax.startElementNs = start_element;
    x->sax.endElementNs = end_element;
    x->sax.characters = characters;
    x->sax.serror = no_message;
    xmlInitParser();
    x->ctxt = xmlCreatePushParserCtxt(&x->sax, x, NULL, 0, NULL);
    if (!x->ctxt) {
        free(x);
        return WEFT_ENOMEM;
    }
    /* NOENT makes "&amp;" in an attribute a "&"; there are no other entities, since tidying drops
     * what would declare them. */
    xmlCtxtUseOptions(x->ctxt, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOENT);
    *out = x;
    return WEFT_OK;
}

void weft_sitemap_xml_free(struct sitemap_xml *x)
{
    if (x) {
        xmlFreeParserCtxt(x->ctxt);
        weft_buf_release(&x->loc);
        weft_buf_release(&x->held);
        weft_buf_release(&x->decoded);
        free(x);
    }
}

/* The encoding that the declaration names, if the bytes are to be decoded: not for UTF-8, not for
 * UTF-16 (bytes that get here are not), nor for what nobody knows. */
static const struct weft_charset *declared_encoding(const char *declaration)
{
    const char *p = strstr(declaration, "encoding");
    if (!p) {
        return NULL;
    }
    p += strcspn(p, "\"'");
    const char *end = *p ? strchr(p + 1, *p) : NULL;
    const struct weft_charset *cs = end ? weft_charset_by_label(p + 1, (size_t)(end - p - 1))
                                        : NULL;
    bool legacy = cs && strncmp(weft_charset_name(cs), "UTF-", 4) != 0 &&
                  strcmp(weft_charset_name(cs), "replacement") != 0;
    return legacy ? cs : NULL;
}

/* Decodes what is held, up to cut. */
static enum weft_status decode(struct sitemap_xml *x, size_t cut)
{
    weft_buf_clear(&x->decoded);
    enum weft_status st = weft_charset_decode(x->cs, x->held.data, cut, &x->decoded);
    if (st != WEFT_OK) {
        return st == WEFT_ENOMEM ? st : WEFT_END; /* ICU can't decode it */
    }
    x->held.len -= cut;
    memmove(x->held.data, x->held.data + cut, x->held.len);
    return tidy(x, x->decoded.data, x->decoded.len);
}

/* Text in a legacy encoding, whose decoder takes whole characters: it is held until behind a byte
 * that ends one in each of them, a space or punctuation below '0'. (In ISO-2022-JP only white space
 * surely does; URLs of that kind are not seen.) */
static enum weft_status legacy(struct sitemap_xml *x, const char *bytes, size_t len)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && len > 0) {
        size_t n = len < HELD / 2 ? len : HELD / 2;
        st = weft_buf_append(&x->held, bytes, n);
        bytes += n;
        len -= n;
        size_t cut = x->held.len;
        while (cut > 0 && (unsigned char)x->held.data[cut - 1] >= '0') {
            cut--;
        }
        if (cut == 0 && x->held.len >= HELD / 2) {
            cut = x->held.len; /* no such byte in so many: no text that anybody wrote */
        }
        if (st == WEFT_OK && cut > 0) {
            st = decode(x, cut);
        }
    }
    return st;
}

static enum weft_status content(struct sitemap_xml *x, const char *bytes, size_t len)
{
    return x->cs ? legacy(x, bytes, len) : weft_sitemap_utf8_feed(&x->utf8, bytes, len, tidy, x);
}

/* Takes one byte that may belong to "<?xml ... ?>"; once it is clear that there is none, what was
 * taken is content. */
static enum weft_status declaration(struct sitemap_xml *x, char c)
{
    static const char start[] = "<?xml";
    size_t n = x->ndeclared;
    x->declared[x->ndeclared++] = c;
    bool fits = n < sizeof start - 1 ? c == start[n] : n > sizeof start - 1 || sitemap_space(c);
    if (fits && n > sizeof start && c == '>' && x->declared[n - 1] == '?') {
        x->started = true;
        x->declared[x->ndeclared] = '\0';
        x->cs = x->is_utf8 ? NULL : declared_encoding(x->declared);
        return WEFT_OK;
    }
    if (fits && x->ndeclared < sizeof x->declared - 1) {
        return WEFT_OK;
    }
    x->started = true;
    return content(x, x->declared, x->ndeclared);
}

enum weft_status weft_sitemap_xml_feed(struct sitemap_xml *x, const char *bytes, size_t len)
{
    enum weft_status st = x->status;
    while (st == WEFT_OK && len > 0 && !x->started) {
        st = declaration(x, *bytes++);
        len--;
    }
    if (st == WEFT_OK) {
        st = content(x, bytes, len);
    }
    if (st == WEFT_OK || st == WEFT_END) {
        enum weft_status flushed = weft_sitemap_tidy_flush(&x->tidy);
        st = flushed == WEFT_OK ? st : flushed;
    }
    return st;
}

/* libxml2 is not told of the end: what it has not read by then is no whole tag. */
enum weft_sitemap_kind weft_sitemap_xml_kind(const struct sitemap_xml *x)
{
    return x->kind;
}
