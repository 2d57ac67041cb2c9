/* fuzz_css.c -- hostile CSS selectors: what is taken becomes an expression that libxml2 compiles
 * and can evaluate to nodes; what is refused says what is wrong, within the selector. */
#include "text/css.h"

#include "base/limits.h"
#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void evaluate(const char *xpath)
{
    static const char page[] = "<ul class=a id=b><li>1<li x=y>2<a href=c>3</a></ul><p>";
    htmlDocPtr doc = htmlReadMemory(page, sizeof page - 1, NULL, "UTF-8", HTML_PARSE_NOERROR);
    xmlXPathContextPtr context = doc ? xmlXPathNewContext(doc) : NULL;
    if (context) {
        context->node = (xmlNodePtr)doc;
        context->opLimit = WEFT_MAX_XPATH_STEPS;
        xmlXPathObjectPtr result = xmlXPathEvalExpression((const xmlChar *)xpath, context);
        if (!result || result->type != XPATH_NODESET) {
            abort();
        }
        xmlXPathFreeObject(result);
        xmlXPathFreeContext(context);
    }
    xmlFreeDoc(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *selector = malloc(size + 1), *xpath;
    struct weft_css_error error = {NULL, 0};
    if (!selector) {
        return 0;
    }
    memcpy(selector, data, size);
    selector[size] = '\0';
    enum weft_status st = weft_css_to_xpath(&xpath, selector, &error);
    if (st == WEFT_OK) {
        evaluate(xpath);
    } else if (st != WEFT_ESYNTAX || xpath || !error.what || error.at < 1 ||
               error.at > strlen(selector) + 1) {
        abort();
    }
    free(xpath);
    free(selector);
    return 0;
}
