/* lab_routes.c -- parses the "routes" file in one copy of its text, which it cuts into words. */
#include "lab/lab_routes.h"

#include "base/limits.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A whole number of at most max, in decimal digits and nothing else. */
static bool number(const char *text, long max, long *out)
{
    char *end;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 9) {
        return false;
    }
    *out = strtol(text, &end, 10);
    return *end == '\0' && *out <= max;
}

/* A value that goes into a header field: printable ASCII. */
static bool is_field_value(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p <= 0x20 || *p >= 0x7f) {
            return false;
        }
    }
    return text[0] != '\0';
}

/* One "key=value" into route; false: it is none. */
static bool apply(struct lab_route *route, char *word)
{
    char *value = strchr(word, '=');
    long n;
    if (!value) {
        return false;
    }
    *value++ = '\0';
    if (strcmp(word, "delay") == 0 && number(value, WEFT_LAB_MAX_HOLD_MS, &n)) {
        route->delay_ms = n;
    } else if (strcmp(word, "status") == 0 && number(value, 599, &n) && n >= 200) {
        route->status = (unsigned)n;
    } else if (strcmp(word, "location") == 0 && is_field_value(value)) {
        route->location = value;
    } else if (strcmp(word, "type") == 0 && is_field_value(value)) {
        route->type = value;
    } else {
        return false;
    }
    return true;
}

/* Parses one line into *route; *bad is the word that is wrong. A line without words leaves
 * route->path NULL. */
static bool parse_line(char *line, struct lab_route *route, const char **bad)
{
    static const char blanks[] = " \t\r";
    char *rest;
    *route = (struct lab_route){0};
    char *word = strtok_r(line, blanks, &rest);
    if (!word || word[0] == '#') {
        return true;
    }
    *bad = word;
    if (word[0] != '/') {
        return false;
    }
    route->path = word;
    unsigned words = 0;
    while ((word = strtok_r(NULL, blanks, &rest)) && word[0] != '#') {
        *bad = word;
        if (!apply(route, word)) {
            return false;
        }
        words++;
    }
    if (route->location && route->status == 0) {
        route->status = 302;
    }
    return words > 0;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct lab_route *)a)->path, ((const struct lab_route *)b)->path);
}

static enum weft_status add(struct lab_routes *routes, size_t *cap, const struct lab_route *route)
{
    if (routes->n == *cap) {
        size_t more = *cap ? 2 * *cap : 16;
        struct lab_route *list = realloc(routes->list, more * sizeof *list);
        if (!list) {
            return WEFT_ENOMEM;
        }
        routes->list = list;
        *cap = more;
    }
    routes->list[routes->n++] = *route;
    return WEFT_OK;
}

static enum weft_status parse_lines(struct lab_routes *routes, char *error, size_t cap)
{
    size_t room = 0;
    unsigned number_of_line = 0;
    for (char *line = routes->text, *next; line; line = next) {
        struct lab_route route;
        const char *bad = line;
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        number_of_line++;
        if (!parse_line(line, &route, &bad)) {
            snprintf(error, cap, "routes, line %u: what is \"%s\"?", number_of_line, bad);
            return WEFT_ESYNTAX;
        }
        if (route.path && add(routes, &room, &route) != WEFT_OK) {
            snprintf(error, cap, "out of memory");
            return WEFT_ENOMEM;
        }
    }
    return WEFT_OK;
}

/* Sorts by path and refuses a path that stands there twice. */
static enum weft_status order(struct lab_routes *routes, char *error, size_t cap)
{
    if (routes->n > 1) {
        qsort(routes->list, routes->n, sizeof *routes->list, by_path);
    }
    for (size_t i = 1; i < routes->n; i++) {
        if (by_path(&routes->list[i - 1], &routes->list[i]) == 0) {
            snprintf(error, cap, "routes: %s stands there twice", routes->list[i].path);
            return WEFT_ESYNTAX;
        }
    }
    return WEFT_OK;
}

enum weft_status lab_routes_parse(struct lab_routes *routes, const char *text, size_t len,
                                  char *error, size_t cap)
{
    enum weft_status st;
    *routes = (struct lab_routes){0};
    if (len > WEFT_LAB_MAX_ROUTES) {
        snprintf(error, cap, "routes: larger than %u bytes", WEFT_LAB_MAX_ROUTES);
        return WEFT_ELIMIT;
    }
    if (memchr(text, '\0', len)) {
        snprintf(error, cap, "routes: a zero byte stands in it");
        return WEFT_ESYNTAX;
    }
    routes->text = strndup(text, len);
    if (!routes->text) {
        snprintf(error, cap, "out of memory");
        return WEFT_ENOMEM;
    }
    st = parse_lines(routes, error, cap);
    if (st == WEFT_OK) {
        st = order(routes, error, cap);
    }
    if (st != WEFT_OK) {
        lab_routes_release(routes);
    }
    return st;
}

void lab_routes_release(struct lab_routes *routes)
{
    free(routes->list);
    free(routes->text);
    *routes = (struct lab_routes){0};
}

const struct lab_route *lab_routes_find(const struct lab_routes *routes, const char *path)
{
    const struct lab_route wanted = {.path = path};
    return routes->n ? bsearch(&wanted, routes->list, routes->n, sizeof wanted, by_path) : NULL;
}
