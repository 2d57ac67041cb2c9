/* graph_name.c -- see graph_name.h. */
#include "store/graph_name.h"

#include "store/utf8.h"
#include <stdbool.h>
#include <string.h>

/* How many bytes at `at` are to be encoded: a quote and its like, or U+FFFE and U+FFFF, which are
 * no characters of XML. */
static size_t odd(const char *at, size_t left)
{
    unsigned char c = (unsigned char)*at;
    if (c <= 0x20 || c == 0x7f || c == '"' || c == '\\') {
        return 1;
    }
    return left >= 3 && (memcmp(at, "\xEF\xBF\xBE", 3) == 0 || memcmp(at, "\xEF\xBF\xBF", 3) == 0)
               ? 3
               : 0;
}

enum weft_status weft_graph_name(struct weft_buf *scratch, struct weft_buf *out, const char *url)
{
    const char *clean;
    size_t len;
    enum weft_status st = weft_utf8_clean(scratch, url, strlen(url), &clean, &len);
    for (size_t i = 0; st == WEFT_OK && i < len;) {
        size_t encode = odd(clean + i, len - i);
        if (encode == 0) {
            st = weft_buf_append(out, clean + i++, 1);
        }
        for (; st == WEFT_OK && encode > 0; encode--) {
            st = weft_buf_printf(out, "%%%02X", (unsigned char)clean[i++]);
        }
    }
    return st;
}
