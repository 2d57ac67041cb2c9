/* extract.c -- XPath over libxml2's tree; CSS selectors become XPath. Expressions are compiled for
 * each extractor, since libxml2 keeps notes in them while it evaluates. */
#include "text/extract.h"

#include "base/buf.h"
#include "base/limits.h"
#include "text/css.h"
#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is read of a page: broken HTML too; no network; no word on standard error; the charset has
 * been dealt with. */
#define PARSE_OPTIONS                                                                              \
    (HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |           \
     HTML_PARSE_COMPACT | HTML_PARSE_IGNORE_ENC)

/* What begins a selector. As XPath it would ask for a namespace, and no HTML page has any. */
static const char css[] = "css:";

struct weft_extractor {
    xmlXPathCompExprPtr row; /* NULL: the document */
    xmlXPathCompExprPtr *selects;
    char **names; /* NULL-terminated */
    size_t n;
};

/* Values while they are collected: text grows and moves, so they are offsets into it. */
struct collected {
    struct weft_buf text;
    size_t *at; /* NOTHING: no match */
    size_t n, cap;
};
#define NOTHING ((size_t)-1)

/* Notes where libxml2 stopped in an expression. */
static void on_error(void *user, xmlErrorPtr e)
{
    int *at = user;
    if (*at < 0) {
        *at = e->int1;
    }
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':' || (unsigned char)c >= 0x80;
}

/* Whether "name(" is something of XPath 1.0: a core function (section 4), a node test (2.3) or an
 * operator before a parenthesis. */
static bool is_known(const char *name, size_t len)
{
    static const char known[] =
        " last position count id local-name namespace-uri name string concat starts-with contains"
        " substring-before substring-after substring string-length normalize-space translate"
        " boolean not true false lang number sum floor ceiling round node text comment"
        " processing-instruction and or div mod ";
    char word[32];
    if (len + 3 > sizeof word) {
        return false;
    }
    snprintf(word, sizeof word, " %.*s ", (int)len, name);
    return strstr(known, word) != NULL;
}

/* libxml2 finds out that a function or variable does not exist when it meets it, on some page; this
 * finds it at the start. The offset of the first one, or -1. */
static int find_unknown(const char *expression)
{
    for (const char *at = expression; *at;) {
        if (*at == '"' || *at == '\'') {
            const char *end = strchr(at + 1, *at);
            at = end ? end + 1 : at + strlen(at);
            continue;
        }
        const char *name = at;
        while (is_name(*at)) {
            at++;
        }
        size_t len = (size_t)(at - name);
        const char *axis = memrchr(name, ':', len); /* "child::text()" */
        size_t skip = axis ? (size_t)(axis + 1 - name) : 0;
        const char *next = at + strspn(at, " \t\r\n");
        if ((len > skip && *next == '(' && !is_known(name + skip, len - skip)) || *name == '$') {
            return (int)(name - expression);
        }
        at += len == 0;
    }
    return -1;
}

/* Compiles a CSS selector. What it is translated to can't be wrong, but too much for libxml2. */
static enum weft_status compile_css(xmlXPathCompExprPtr *out, const char *option,
                                    const char *selector, char *error, size_t cap)
{
    char *xpath;
    struct weft_css_error wrong;
    enum weft_status st = weft_css_to_xpath(&xpath, selector, &wrong);
    if (st == WEFT_ESYNTAX) {
        snprintf(error, cap, "%s: no CSS selector: %s, at character %zu of \"%s\"", option,
                 wrong.what, wrong.at, selector);
    }
    if (st != WEFT_OK) {
        return st;
    }
    *out = xmlXPathCompile((const xmlChar *)xpath);
    free(xpath);
    return *out ? WEFT_OK : WEFT_ENOMEM;
}

/* Compiles one expression; option is for the sentence. */
static enum weft_status compile(xmlXPathCompExprPtr *out, const char *option,
                                const char *expression, char *error, size_t cap)
{
    *out = NULL;
    if (strncmp(expression, css, sizeof css - 1) == 0) {
        return compile_css(out, option, expression + sizeof css - 1, error, cap);
    }
    int at = find_unknown(expression);
    if (at >= 0) {
        snprintf(error, cap,
                 "%s: \"%s\": XPath 1.0 has no such function or variable, at character %d", option,
                 expression, at + 1);
        return WEFT_ESYNTAX;
    }
    xmlXPathContextPtr context = xmlXPathNewContext(NULL);
    if (!context) {
        return WEFT_ENOMEM;
    }
    context->error = on_error;
    context->userData = &at;
    *out = xmlXPathCtxtCompile(context, (const xmlChar *)expression);
    xmlXPathFreeContext(context);
    if (*out) {
        return WEFT_OK;
    }
    snprintf(error, cap, "%s: \"%s\" is no XPath expression: wrong at character %d", option,
             expression, at < 0 ? 1 : at + 1);
    return WEFT_ESYNTAX;
}

static enum weft_status add_select(struct weft_extractor *x, const char *select, char *error,
                                   size_t cap)
{
    const char *equals = strchr(select, '=');
    if (!equals || equals == select) {
        snprintf(error, cap, "--select: \"%s\" is not NAME=XPATH", select);
        return WEFT_ESYNTAX;
    }
    char *name = strndup(select, (size_t)(equals - select));
    if (!name) {
        return WEFT_ENOMEM;
    }
    x->names[x->n] = name;
    enum weft_status st = compile(&x->selects[x->n], "--select", equals + 1, error, cap);
    x->n++;
    return st;
}

enum weft_status weft_extractor_new(struct weft_extractor **out, const char *row,
                                    const char *const *selects, char *error, size_t cap)
{
    struct weft_extractor *x = calloc(1, sizeof *x);
    enum weft_status st = WEFT_ENOMEM;
    size_t n = 0;
    *out = NULL;
    xmlInitParser(); /* does nothing but the first time; libxml2 holds a lock over that */
    while (selects[n]) {
        n++;
    }
    if (n == 0) {
        snprintf(error, cap, "--select: there is none");
        free(x);
        return WEFT_ESYNTAX;
    }
    if (!x) {
        return st;
    }
    x->names = calloc(n + 1, sizeof(char *));
    x->selects = calloc(n + 1, sizeof(xmlXPathCompExprPtr));
    if (x->names && x->selects) {
        st = row ? compile(&x->row, "--row", row, error, cap) : WEFT_OK;
    }
    for (size_t i = 0; st == WEFT_OK && i < n; i++) {
        st = add_select(x, selects[i], error, cap);
    }
    if (st != WEFT_OK) {
        weft_extractor_free(x);
        return st;
    }
    *out = x;
    return WEFT_OK;
}

void weft_extractor_free(struct weft_extractor *x)
{
    if (!x) {
        return;
    }
    xmlXPathFreeCompExpr(x->row);
    for (size_t i = 0; i < x->n; i++) {
        xmlXPathFreeCompExpr(x->selects[i]);
        free(x->names[i]);
    }
    free(x->selects);
    free(x->names);
    free(x);
}

const char *const *weft_extractor_names(const struct weft_extractor *x)
{
    return (const char *const *)x->names;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* Appends a value with its white space collapsed, and a NUL. */
static enum weft_status put_value(struct collected *c, const char *value)
{
    size_t len = 0;
    enum weft_status st = weft_buf_reserve(&c->text, strnlen(value, WEFT_MAX_FIELD) + 1);
    if (st != WEFT_OK) {
        return st;
    }
    char *to = c->text.data + c->text.len;
    const char *end = value + strnlen(value, WEFT_MAX_FIELD);
    while (*end && ((unsigned char)*end & 0xC0) == 0x80) {
        end--; /* a value that is too long is cut between characters */
    }
    for (const char *at = value; at < end; at++) {
        if (!is_space(*at)) {
            to[len++] = *at;
        } else if (len > 0 && to[len - 1] != ' ') {
            to[len++] = ' ';
        }
    }
    if (len > 0 && to[len - 1] == ' ') {
        len--;
    }
    to[len] = '\0';
    c->text.len += len + 1;
    return WEFT_OK;
}

static enum weft_status put_field(struct collected *c, xmlXPathObjectPtr result)
{
    if (c->n == c->cap) {
        size_t cap = c->cap ? c->cap * 2 : 64;
        size_t *at = realloc(c->at, cap * sizeof *at);
        if (!at) {
            return WEFT_ENOMEM;
        }
        c->at = at;
        c->cap = cap;
    }
    bool none = !result || (result->type == XPATH_NODESET &&
                            (!result->nodesetval || result->nodesetval->nodeNr == 0));
    c->at[c->n] = none ? NOTHING : c->text.len;
    if (none) {
        c->n++;
        return WEFT_OK;
    }
    xmlChar *text = xmlXPathCastToString(result); /* of a node set: of its first node */
    if (!text) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = put_value(c, (const char *)text);
    xmlFree(text);
    c->n += st == WEFT_OK;
    return st;
}

static xmlXPathObjectPtr evaluate(xmlXPathContextPtr context, xmlXPathCompExprPtr e, xmlNodePtr at)
{
    context->node = at;
    context->contextSize = context->proximityPosition = 1; /* the row, alone */
    return xmlXPathCompiledEval(e, context);
}

/* One row. WEFT_ELIMIT: it did not fit, and is left out. */
static enum weft_status extract_row(struct weft_extractor *x, xmlXPathContextPtr context,
                                    xmlNodePtr at, struct collected *c)
{
    enum weft_status st = WEFT_OK;
    size_t n = c->n;
    for (size_t i = 0; st == WEFT_OK && i < x->n; i++) {
        xmlXPathObjectPtr result = evaluate(context, x->selects[i], at);
        st = put_field(c, result);
        xmlXPathFreeObject(result);
    }
    if (st != WEFT_OK) {
        c->n = n;
    }
    return st;
}

static enum weft_status extract_rows(struct weft_extractor *x, xmlXPathContextPtr context,
                                     struct collected *c, struct weft_extracted *out)
{
    xmlNodePtr document = (xmlNodePtr)context->doc;
    if (!x->row) {
        return extract_row(x, context, document, c);
    }
    xmlXPathObjectPtr rows = evaluate(context, x->row, document);
    enum weft_status st = WEFT_OK;
    int n = rows && rows->type == XPATH_NODESET && rows->nodesetval ? rows->nodesetval->nodeNr : 0;
    if (n > 0) {
        xmlXPathNodeSetSort(rows->nodesetval);
    }
    if (n > (int)WEFT_MAX_ROWS) {
        n = WEFT_MAX_ROWS;
        out->cut = true;
    }
    for (int i = 0; st == WEFT_OK && i < n; i++) {
        st = extract_row(x, context, rows->nodesetval->nodeTab[i], c);
    }
    xmlXPathFreeObject(rows);
    return st;
}

/* Turns offsets into pointers. */
static enum weft_status hand_over(struct weft_extractor *x, struct collected *c,
                                  struct weft_extracted *out)
{
    out->fields = calloc(c->n + 1, sizeof *out->fields);
    out->text = out->fields ? weft_buf_take(&c->text) : NULL;
    if (!out->text) {
        return WEFT_ENOMEM;
    }
    for (size_t i = 0; i < c->n; i++) {
        out->fields[i] = (struct weft_record_field){
            x->names[i % x->n], c->at[i] == NOTHING ? NULL : out->text + c->at[i]};
    }
    out->nrows = c->n / x->n;
    return WEFT_OK;
}

static void say_nothing(void *user, xmlErrorPtr e)
{
    (void)user;
    (void)e;
}

/* libxml2 ends a document at a NUL; the Standard reads it as U+FFFD. NULL: no memory. */
static char *without_nul(const char *html, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, html, len);
        for (char *nul = copy; (nul = memchr(nul, '\0', len - (size_t)(nul - copy)));) {
            *nul = ' ';
        }
    }
    return copy;
}

static enum weft_status parse(const char *html, size_t len, htmlDocPtr *doc)
{
    char *copy = NULL;
    *doc = NULL;
    if (len == 0) {
        html = " "; /* libxml2 has no tree of nothing */
        len = 1;
    }
    if (memchr(html, '\0', len)) {
        html = copy = without_nul(html, len);
        if (!copy) {
            return WEFT_ENOMEM;
        }
    }
    htmlParserCtxtPtr context = htmlNewParserCtxt();
    if (context) {
        *doc = htmlCtxtReadMemory(context, html, (int)len, NULL, "UTF-8", PARSE_OPTIONS);
        htmlFreeParserCtxt(context);
    }
    free(copy);
    return *doc ? WEFT_OK : WEFT_ENOMEM;
}

enum weft_status weft_extractor_run(struct weft_extractor *x, const char *html, size_t len,
                                    struct weft_extracted *out)
{
    struct collected c = {0};
    htmlDocPtr doc;
    *out = (struct weft_extracted){.nselect = x->n};
    weft_buf_init(&c.text, WEFT_MAX_FIELDS);
    enum weft_status st = parse(html, len < INT32_MAX ? len : INT32_MAX, &doc);
    if (st != WEFT_OK) {
        return st;
    }
    xmlXPathContextPtr context = xmlXPathNewContext(doc);
    st = WEFT_ENOMEM;
    if (context) {
        context->error = say_nothing;
        context->opLimit = WEFT_MAX_XPATH_STEPS;
        st = extract_rows(x, context, &c, out);
        out->cut = out->cut || context->opCount >= context->opLimit;
        xmlXPathFreeContext(context);
    }
    if (st == WEFT_ELIMIT) {
        out->cut = true;
        st = WEFT_OK;
    }
    if (st == WEFT_OK) {
        st = hand_over(x, &c, out);
    }
    xmlFreeDoc(doc);
    free(c.at);
    weft_buf_release(&c.text);
    if (st != WEFT_OK) {
        weft_extracted_release(out);
    }
    return st;
}

void weft_extracted_release(struct weft_extracted *e)
{
    free(e->fields);
    free(e->text);
    *e = (struct weft_extracted){0};
}
