/* robots.h -- robots.txt after RFC 9309: parsed once, asked for each URL.
 *
 * Keeps only the rules of the group that applies to one agent. Knows bytes and one URL; no
 * network, no clock. Threads: a parsed file is constant, any thread may ask it. */
#ifndef WEFT_TEXT_ROBOTS_H
#define WEFT_TEXT_ROBOTS_H

#include "weft/status.h"
#include "weft/url.h"

struct weft_robots; /* opaque: robots.c */

/* Parses the bytes (past WEFT_MAX_ROBOTS they are ignored, with the line that crosses it; any line
 * ends, BOM allowed) for a product token: what agent begins with, "weft" of "weft/1.0".
 * Gives *out, to be freed. WEFT_OK, WEFT_ENOMEM. Time linear in len, but for sorting the rules. */
enum weft_status weft_robots_parse(struct weft_robots **out, const char *bytes, size_t len,
                                   const char *agent) WEFT_MUST_USE;
/* NULL is fine. */
void weft_robots_free(struct weft_robots *r);

/* Whether the URL's path and query may be fetched (longest match wins, Allow on a tie). /robots.txt
 * always may. *line (may be NULL) gets the number of the line that decided, 0 if none did.
 * Time linear in the URL's length for each rule, whatever the patterns, and no more than
 * WEFT_MAX_ROBOTS_WORK steps in all: a URL that would take more is refused. */
bool weft_robots_allows(const struct weft_robots *r, const struct weft_url *url, unsigned *line);

/* Crawl-delay of the agent's group in seconds, of several the greatest; negative when there is none
 * that makes sense. */
double weft_robots_crawl_delay(const struct weft_robots *r);

/* The k-th Sitemap line's value as written (they belong to no group), NULL past the last one.
 * Borrowed until free. */
const char *weft_robots_sitemap(const struct weft_robots *r, size_t k);

/* The user-agent line value of the group that was chosen, "*" among them; NULL if no group applies.
 */
const char *weft_robots_group(const struct weft_robots *r);

#endif
