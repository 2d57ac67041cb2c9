/* lab_gen.h -- the generated site: any number of pages of any size, and known to the last link.
 *
 * A site lives in a folder whose name says what it is: /gen/pages=1000,size=20480,links=40,fan=8/.
 * Its pages are 0.html to N-1.html.
 *   - Page i links first to its children i*fan+1 .. i*fan+fan, as far as they exist, in that order.
 *   - All its other links go to pages 0 .. i*fan+fan, chosen by seed.
 * So every page can be reached from 0.html; the depth of a page is its level in the tree; and a
 * breadth-first crawl asks for 0.html, 1.html, 2.html, ... in exactly that order.
 * Knows text; pure functions. Threads: any. */
#ifndef WEFT_LAB_GEN_H
#define WEFT_LAB_GEN_H

#include "lab/lab_text.h"
#include <stdbool.h>
#include <stdint.h>

struct lab_gen {
    int64_t pages; /* 1 .. 10,000,000 */
    int64_t size;  /* of a page in bytes; a page whose links need more is larger */
    int64_t links; /* on each page, repetitions counted; 1 .. 10,000 */
    int64_t fan;   /* children of a page; at most links */
    int64_t seed;
    int64_t ms; /* each page is held so long */
};

/* Reads items, "pages=1000,size=2048": any of the fields, each at most once, in any order; what is
 * missing is as in "pages=1000,size=20480,links=40,fan=8,seed=1,ms=0". A number alone is pages.
 * sep stands between items. false: it is none, or a number is out of range. */
bool lab_gen_parse(struct lab_gen *g, const char *items, size_t len, char sep);

/* The page that the k-th link (0 <= k < links) of page i goes to. */
int64_t lab_gen_link(const struct lab_gen *g, int64_t i, int64_t k);

/* Writes page i (0 <= i < pages) into out. folder: the name of the site's folder, items without
 * slashes; host: a Host field for the links that are absolute, NULL: there are none of these. */
void lab_gen_page(const struct lab_gen *g, const char *folder, size_t folder_len, const char *host,
                  int64_t i, struct lab_text *out);

#endif
