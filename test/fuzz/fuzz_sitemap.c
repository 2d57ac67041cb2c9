/* fuzz_sitemap.c -- any bytes as a sitemap: the same list whole and in chunks of any size, every
 * location something and no longer than allowed. Input: one byte (chunk size), the body. */
#include "base/limits.h"
#include "text/sitemap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
    unsigned n;
    uint64_t hash;
};

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void add(void *user, const char *loc, size_t len)
{
    struct sum *s = user;
    must(len > 0 && len <= WEFT_MAX_URL_WORK && loc[0] != ' ' && loc[len - 1] != ' ');
    must(!memchr(loc, '\0', len));
    s->n++;
    for (size_t i = 0; i <= len; i++) { /* FNV, the end of each included */
        s->hash = (s->hash ^ (i < len ? (uint8_t)loc[i] : 0)) * 1099511628211u;
    }
    must(s->n <= WEFT_MAX_SITEMAP_URLS);
}

static enum weft_sitemap_kind read_all(const char *body, size_t len, size_t chunk, struct sum *sum)
{
    struct weft_sitemap *s;
    *sum = (struct sum){0};
    must(weft_sitemap_new(&s, NULL, NULL, add, sum) == WEFT_OK);
    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        char *exact = malloc(n);
        must(exact != NULL);
        memcpy(exact, body + i, n);
        must(weft_sitemap_feed(s, exact, n) == WEFT_OK);
        free(exact);
    }
    enum weft_sitemap_kind kind = weft_sitemap_finish(s);
    weft_sitemap_free(s);
    return kind;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sum whole, parts;
    if (size < 2) {
        return 0;
    }
    const char *body = (const char *)data + 1;
    enum weft_sitemap_kind kind = read_all(body, size - 1, size - 1, &whole);
    must(read_all(body, size - 1, 1u + data[0] % 64, &parts) == kind);
    must(parts.n == whole.n && parts.hash == whole.hash);
    must(kind != WEFT_SITEMAP_NONE || whole.n == 0);
    return 0;
}
