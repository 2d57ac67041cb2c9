/* robots_lines.h -- robots.txt line by line (RFC 9309 2.2): keys, values, product tokens. Only
 * robots.c includes it. */
#ifndef WEFT_TEXT_ROBOTS_LINES_H
#define WEFT_TEXT_ROBOTS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
    const char *at;
    size_t len;
};

/* A line as "key: value", without comment and outer white space. */
struct robots_line {
    struct slice key, value;
    uint32_t number; /* from 1 */
};

struct robots_lines {
    const char *at, *end;
    uint32_t number;
};

/* Starts at the first line; what is behind the limit is cut off, with the line that crosses it. */
void weft_robots_lines_begin(struct robots_lines *l, const char *bytes, size_t len);
/* The next line that has a colon; false at the end. Ends of lines: LF, CR, CRLF. */
bool weft_robots_lines_next(struct robots_lines *l, struct robots_line *out);

/* Whether the line's key is this one, in any case. */
bool weft_robots_key(const struct robots_line *line, const char *key);

/* The product token that a user-agent value begins with: "foo" of "foo/1.2 (bar)". Digits are
 * taken too, which RFC 9309 has not, so that "bot2" is not mistaken for "bot". */
struct slice weft_robots_product_token(struct slice s);
/* Whether a user-agent value is "*". */
bool weft_robots_is_star(struct slice s);
/* Whether it names the agent, a product token. */
bool weft_robots_names(struct slice value, struct slice agent);

#endif
