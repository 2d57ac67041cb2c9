/* url_case.h -- what the URL tests share: one parse, with everything that must hold of any. */
#ifndef WEFT_TEST_URL_CASE_H
#define WEFT_TEST_URL_CASE_H

#include "weft/url.h"

#define URL_CASE_CAP 4096

/* A text of a table and its length: it may hold NUL. */
#define TEXT(s) (s), sizeof(s) - 1

struct url_case {
    const char *base; /* NULL: none */
    const char *text;
    size_t len;
    const char *want; /* the serialisation; NULL: no URL; OTHER: of another scheme */
};
#define OTHER "(another scheme)"

/* Parses each case of a table and fails the test where the result is another. */
void url_cases_check(const struct url_case *cases, size_t n);

/* Parses text (with a base and a charset, which may be NULL) and checks that
 *   - parsing the result again gives the same,
 *   - its offsets cut it into its parts,
 *   - a smaller buffer gives WEFT_ELIMIT and nothing is written behind any buffer,
 * and gives the serialisation, NULL or OTHER, valid until the next call. */
const char *url_case_parse(const char *base, const char *text, size_t len,
                           const struct weft_charset *cs);

#endif
