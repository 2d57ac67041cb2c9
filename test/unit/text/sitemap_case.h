/* sitemap_case.h -- what the sitemap tests share: a sitemap read in chunks, its result as text. */
#ifndef WEFT_TEST_SITEMAP_CASE_H
#define WEFT_TEST_SITEMAP_CASE_H

#include "text/sitemap.h"

#define BYTES(s) (s), sizeof(s) - 1

struct sitemap_case {
    const char *body;
    size_t len;
    const char *want; /* "kind location location ..." */
};

/* Reads the body in chunks; gives "kind location location ...", valid until the next call. */
const char *sitemap_read(const char *body, size_t len, size_t chunk);
/* The same, with the Content-Type and URL that it came with. */
const char *sitemap_read_as(const char *content_type, const char *url, const char *body, size_t len,
                            size_t chunk);
/* Fails the test for each case that gives something else, whole or in small chunks. */
void sitemap_cases_check(const struct sitemap_case *cases, size_t n);

#endif
