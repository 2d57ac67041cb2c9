/* sitemap_case.c -- see sitemap_case.h. */
#include "sitemap_case.h"

#include "base/buf.h"
#include "support/suite.h"
#include <string.h>

static void add(void *user, const char *loc, size_t len)
{
    struct weft_buf *list = user;
    ck_assert_uint_gt(len, 0);
    ck_assert_int_eq(weft_buf_puts(list, " "), WEFT_OK);
    ck_assert_int_eq(weft_buf_append(list, loc, len), WEFT_OK);
}

const char *sitemap_read_as(const char *content_type, const char *url, const char *body, size_t len,
                            size_t chunk)
{
    static const char *const kinds[] = {"none", "urlset", "index", "text", "rss", "atom"};
    static char result[1u << 22];
    struct weft_buf list;
    struct weft_sitemap *s;
    weft_buf_init(&list, sizeof result - 16);
    ck_assert_int_eq(weft_sitemap_new(&s, content_type, url, add, &list), WEFT_OK);
    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        char *exact = malloc(n); /* a sanitizer sees a byte read behind it */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, body + i, n);
        ck_assert_int_eq(weft_sitemap_feed(s, exact, n), WEFT_OK);
        free(exact);
    }
    strcpy(result, kinds[weft_sitemap_finish(s)]);
    if (list.len > 0) {
        strcat(result, list.data);
    }
    weft_sitemap_free(s);
    weft_buf_release(&list);
    return result;
}

const char *sitemap_read(const char *body, size_t len, size_t chunk)
{
    return sitemap_read_as(NULL, NULL, body, len, chunk);
}

void sitemap_cases_check(const struct sitemap_case *cases, size_t n)
{
    static const size_t chunks[] = {SIZE_MAX / 2, 1, 2, 3, 16, 61};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++) {
            const char *got = sitemap_read(cases[i].body, cases[i].len, chunks[k]);
            ck_assert_msg(!strcmp(got, cases[i].want),
                          "case %zu in chunks of %zu is <%s>, should be <%s>:\n%.*s", i, chunks[k],
                          got, cases[i].want, (int)cases[i].len, cases[i].body);
        }
    }
}
