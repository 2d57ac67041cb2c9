/* corpora.h -- judging the parsers by conformance data that lies outside the project. A set is a
 * file NAME.jsonl of one JSON object a line; a judge says of one case whether weft agrees. */
#ifndef WEFT_TEST_CORPORA_H
#define WEFT_TEST_CORPORA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct corpora_set {
    const char *name; /* the file's name without .jsonl */
    /* Whether weft gives what the case expects; otherwise a short reason in why[0..cap). */
    bool (*judge)(const json_t *one, char *why, size_t cap);
};

extern const struct corpora_set set_url, set_url_equiv, set_html, set_charset, set_robots,
    set_robots_fields, set_retry_after, set_content_type, set_sitemap;

/* Judges the documents that html_docs names, unpacked below folder, and adds to the two counts. */
void corpora_docs(FILE *f, const char *folder, unsigned *passed, unsigned *failed);
/* Prints the Debian packages that they are in, as "package=version", one a line. */
void corpora_docs_packages(FILE *f);

/* A string member's bytes and length (may hold NUL); NULL if absent or null. Borrowed. */
const char *corpora_text(const json_t *one, const char *member, size_t *len);
/* A base64 member's bytes, to be freed; NULL if absent. */
char *corpora_base64(const json_t *one, const char *member, size_t *len);

#endif
