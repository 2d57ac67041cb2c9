/* fuzz_extract.c -- extraction from hostile pages: the input's first line is an XPath expression,
 * the rest the page. Values lie in the result and are well-formed in their ends. */
#include "text/extract.h"

#include "base/limits.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    size_t len = end ? (size_t)(end - data) : 0;
    char select[256] = "x=";
    if (!end || len > sizeof select - 3) {
        return 0;
    }
    memcpy(select + 2, data, len);
    struct weft_extractor *x;
    struct weft_extracted e;
    char error[256];
    if (weft_extractor_new(&x, "//*", (const char *const[]){select, NULL}, error, sizeof error) !=
        WEFT_OK) {
        return 0;
    }
    if (weft_extractor_run(x, (const char *)end + 1, size - len - 1, &e) == WEFT_OK) {
        if (e.nrows > WEFT_MAX_ROWS) {
            abort();
        }
        for (size_t i = 0; i < e.nrows; i++) {
            const char *v = e.fields[i].value;
            if (v &&
                (strlen(v) > WEFT_MAX_FIELD || v[0] == ' ' || (*v && v[strlen(v) - 1] == ' '))) {
                abort();
            }
        }
        weft_extracted_release(&e);
    }
    weft_extractor_free(x);
    return 0;
}
