/* lab_routes.h -- what files can't say: the "routes" file of a served folder.
 *
 * One line a path, words apart by blanks, a word that starts with '#' begins a comment:
 *     /slow.html  delay=300
 *     /old.html   status=301 location=/new.html
 *     /cp.html    type=text/html;charset=windows-1252
 * A path with a location needs no file; status is then 302 unless given. Other paths answer with
 * their file, or with a short page if there is none and a status is given.
 * Knows text. No sockets; reads nothing itself. Threads: any, once parsed. */
#ifndef WEFT_LAB_ROUTES_H
#define WEFT_LAB_ROUTES_H

#include "weft/status.h"
#include <stddef.h>
#include <stdint.h>

struct lab_route {
    const char *path;     /* decoded, starts with '/'; all texts lie in the routes */
    int64_t delay_ms;     /* 0: none */
    unsigned status;      /* 0: as without a route */
    const char *location; /* or NULL */
    const char *type;     /* Content-Type, or NULL */
};

struct lab_routes {
    char *text;
    struct lab_route *list; /* in the order of path */
    size_t n;
};

/* Parses text[0..len). Gives *routes, to be released. On failure it is empty and error (of cap
 * bytes) says which line is wrong. WEFT_OK, WEFT_ESYNTAX, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status lab_routes_parse(struct lab_routes *routes, const char *text, size_t len,
                                  char *error, size_t cap) WEFT_MUST_USE;
void lab_routes_release(struct lab_routes *routes);
/* The route of a decoded path, or NULL. O(log n). */
const struct lab_route *lab_routes_find(const struct lab_routes *routes, const char *path);

#endif
