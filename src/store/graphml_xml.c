/* graphml_xml.c -- see graphml_xml.h. Every element is a line, so that a file that lacks its end
 * can be mended, and each line is an XML document of its own when it is read back. */
#include "store/graphml_xml.h"

#include "base/limits.h"
#include "store/utf8.h"
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(s) ((const xmlChar *)(s))

struct weft_graphml_xml {
    xmlBufferPtr bytes;
    xmlTextWriterPtr writer;
    struct weft_buf scratch, text;
    bool failed; /* libxml2 ran out of memory */
};

/* The values that nodes and edges have. */
static const struct {
    const char *name, *of, *type;
} keys[] = {
    {"url", "node", "string"},       {"outcome", "node", "string"},   {"reason", "node", "string"},
    {"status", "node", "int"},       {"title", "node", "string"},     {"depth", "node", "int"},
    {"redirect", "edge", "boolean"}, {"nofollow", "edge", "boolean"},
};

static void note(struct weft_graphml_xml *x, int result)
{
    x->failed = x->failed || result < 0;
}

static void attribute(struct weft_graphml_xml *x, const char *name, const char *value)
{
    note(x, xmlTextWriterWriteAttribute(x->writer, TEXT(name), TEXT(value)));
}

static void start(struct weft_graphml_xml *x, const char *name)
{
    note(x, xmlTextWriterStartElement(x->writer, TEXT(name)));
}

static void end(struct weft_graphml_xml *x)
{
    note(x, xmlTextWriterEndElement(x->writer));
}

static void text(struct weft_graphml_xml *x, const char *value)
{
    note(x, xmlTextWriterWriteString(x->writer, TEXT(value)));
}

static void data(struct weft_graphml_xml *x, const char *key, const char *value)
{
    start(x, "data");
    attribute(x, "key", key);
    text(x, value);
    end(x);
}

static void number(struct weft_graphml_xml *x, const char *key, long value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%ld", value);
    data(x, key, digits);
}

/* Nodes are called n1, n2 ...: a URL is no NMTOKEN, which GraphML's schema wants. */
static void reference(struct weft_graphml_xml *x, const char *name, int64_t id)
{
    char value[32];
    snprintf(value, sizeof value, "n%" PRId64, id);
    attribute(x, name, value);
}

static enum weft_status line_end(struct weft_graphml_xml *x)
{
    text(x, "\n");
    return x->failed ? WEFT_ENOMEM : WEFT_OK;
}

static enum weft_status head(struct weft_graphml_xml *x)
{
    note(x, xmlTextWriterStartDocument(x->writer, NULL, "UTF-8", NULL));
    start(x, "graphml");
    attribute(x, "xmlns", "http://graphml.graphdrawing.org/xmlns");
    attribute(x, "xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
    attribute(x, "xsi:schemaLocation",
              "http://graphml.graphdrawing.org/xmlns "
              "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd");
    text(x, "\n");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        start(x, "key");
        attribute(x, "id", keys[i].name);
        attribute(x, "for", keys[i].of);
        attribute(x, "attr.name", keys[i].name);
        attribute(x, "attr.type", keys[i].type);
        end(x);
        text(x, "\n");
    }
    start(x, "graph");
    attribute(x, "id", "weft");
    attribute(x, "edgedefault", "directed");
    return line_end(x);
}

enum weft_status weft_graphml_xml_new(struct weft_graphml_xml **out)
{
    struct weft_graphml_xml *x = calloc(1, sizeof *x);
    *out = NULL;
    if (!x) {
        return WEFT_ENOMEM;
    }
    weft_buf_init(&x->scratch, WEFT_MAX_RECORD);
    weft_buf_init(&x->text, WEFT_MAX_RECORD);
    x->bytes = xmlBufferCreate();
    x->writer = x->bytes ? xmlNewTextWriterMemory(x->bytes, 0) : NULL;
    if (!x->writer || head(x) != WEFT_OK) {
        weft_graphml_xml_free(x);
        return WEFT_ENOMEM;
    }
    *out = x;
    return WEFT_OK;
}

void weft_graphml_xml_free(struct weft_graphml_xml *x)
{
    if (!x) {
        return;
    }
    if (x->writer) {
        xmlFreeTextWriter(x->writer);
    }
    if (x->bytes) {
        xmlBufferFree(x->bytes);
    }
    weft_buf_release(&x->scratch);
    weft_buf_release(&x->text);
    free(x);
}

/* A text from the network: well-formed, in one line, without what is no character of XML. */
static enum weft_status network_text(struct weft_graphml_xml *x, const char *key, const char *value)
{
    const char *clean;
    size_t len;
    enum weft_status st = weft_utf8_clean(&x->scratch, value, strlen(value), &clean, &len);
    weft_buf_clear(&x->text);
    for (size_t i = 0; st == WEFT_OK && i < len; i++) {
        bool no_character = len - i >= 3 && (memcmp(clean + i, "\xEF\xBF\xBE", 3) == 0 ||
                                             memcmp(clean + i, "\xEF\xBF\xBF", 3) == 0);
        st = no_character                     ? weft_buf_puts(&x->text, "\xEF\xBF\xBD")
             : (unsigned char)clean[i] <= ' ' ? weft_buf_puts(&x->text, " ")
                                              : weft_buf_append(&x->text, clean + i, 1);
        i += no_character ? 2 : 0;
    }
    if (st == WEFT_OK && x->text.len > 0) {
        data(x, key, x->text.data);
    }
    return st;
}

enum weft_status weft_graphml_xml_node(struct weft_graphml_xml *x, int64_t id, const char *name,
                                       const struct weft_record *record)
{
    enum weft_status st = WEFT_OK;
    start(x, "node");
    reference(x, "id", id);
    data(x, "url", name);
    if (record) {
        data(x, "outcome", weft_outcome_name(record->outcome));
        if (record->reason) {
            data(x, "reason", weft_reason_name(record->reason));
        }
        if (record->status) {
            number(x, "status", record->status);
        }
        number(x, "depth", (long)record->depth);
        st = record->title ? network_text(x, "title", record->title) : WEFT_OK;
    }
    end(x);
    return st == WEFT_OK ? line_end(x) : st;
}

enum weft_status weft_graphml_xml_edge(struct weft_graphml_xml *x, int64_t from, int64_t to,
                                       const char *name, bool redirect, bool nofollow)
{
    start(x, "edge");
    reference(x, "source", from);
    reference(x, "target", to);
    if (name) {
        note(x, xmlTextWriterWriteElement(x->writer, TEXT("desc"), TEXT(name)));
    }
    if (redirect) {
        data(x, "redirect", "true");
    }
    if (nofollow) {
        data(x, "nofollow", "true");
    }
    end(x);
    return line_end(x);
}

enum weft_status weft_graphml_xml_mark_end(struct weft_graphml_xml *x)
{
    note(x, xmlTextWriterWriteComment(x->writer, TEXT(WEFT_GRAPHML_END)));
    return line_end(x);
}

enum weft_status weft_graphml_xml_end(struct weft_graphml_xml *x)
{
    note(x, xmlTextWriterEndDocument(x->writer)); /* with a line's end behind it */
    return x->failed ? WEFT_ENOMEM : WEFT_OK;
}

const char *weft_graphml_xml_take(struct weft_graphml_xml *x, size_t *len)
{
    note(x, xmlTextWriterFlush(x->writer));
    weft_buf_clear(&x->text);
    enum weft_status st = weft_buf_append(&x->text, xmlBufferContent(x->bytes),
                                          (size_t)xmlBufferLength(x->bytes));
    xmlBufferEmpty(x->bytes);
    *len = x->text.len;
    return x->failed || st != WEFT_OK ? NULL : x->text.data;
}

static void say_nothing(void *user, xmlErrorPtr error)
{
    (void)user;
    (void)error;
}

/* "n12" in an attribute; 0: not that. */
static int64_t referred(xmlNodePtr element, const char *name)
{
    int64_t id = 0;
    char rest;
    xmlChar *value = xmlGetProp(element, TEXT(name));
    if (!value || value[0] != 'n' ||
        sscanf((const char *)value + 1, "%" SCNd64 "%c", &id, &rest) != 1) {
        id = 0;
    }
    xmlFree(value);
    return id > 0 ? id : 0;
}

/* The text of the child called name (with this key, if one is asked for). */
static enum weft_status child_text(xmlNodePtr element, const char *name, const char *key,
                                   char **out)
{
    for (xmlNodePtr c = xmlFirstElementChild(element); c; c = xmlNextElementSibling(c)) {
        xmlChar *k = key ? xmlGetProp(c, TEXT("key")) : NULL;
        bool is_it = xmlStrEqual(c->name, TEXT(name)) && (!key || xmlStrEqual(k, TEXT(key)));
        xmlFree(k);
        if (is_it) {
            xmlChar *content = xmlNodeGetContent(c);
            *out = content ? strdup((const char *)content) : NULL;
            xmlFree(content);
            return *out ? WEFT_OK : WEFT_ENOMEM;
        }
    }
    return WEFT_OK;
}

static enum weft_status read_element(xmlNodePtr element, struct weft_graphml_line *out)
{
    enum weft_status st = WEFT_ESYNTAX;
    if (element && xmlStrEqual(element->name, TEXT("node"))) {
        out->id = referred(element, "id");
        st = child_text(element, "data", "url", &out->name);
        return st == WEFT_OK && (!out->id || !out->name) ? WEFT_ESYNTAX : st;
    }
    if (element && xmlStrEqual(element->name, TEXT("edge"))) {
        out->is_edge = true;
        out->id = referred(element, "source");
        out->target = referred(element, "target");
        st = child_text(element, "desc", NULL, &out->name);
        return st == WEFT_OK && (!out->id || !out->target) ? WEFT_ESYNTAX : st;
    }
    return st;
}

enum weft_status weft_graphml_xml_read(const char *line, size_t len, struct weft_graphml_line *out)
{
    *out = (struct weft_graphml_line){0};
    xmlParserCtxtPtr context = len < INT32_MAX ? xmlNewParserCtxt() : NULL;
    if (!context) {
        return WEFT_ENOMEM;
    }
    context->sax->serror = say_nothing;
    xmlDocPtr doc = xmlCtxtReadMemory(context, line, (int)len, NULL, "UTF-8",
                                      XML_PARSE_NONET | XML_PARSE_HUGE);
    enum weft_status st = doc ? read_element(xmlDocGetRootElement(doc), out) : WEFT_ESYNTAX;
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    if (st != WEFT_OK) {
        free(out->name);
        *out = (struct weft_graphml_line){0};
    }
    return st;
}
