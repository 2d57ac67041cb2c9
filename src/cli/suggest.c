/* suggest.c -- edit distance with transpositions (optimal string alignment), on three rows. */
#include "cli/suggest.h"

#include <string.h>

#define LONGEST 48 /* names are shorter; something longer is no typing error of one */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance(const char *a, size_t alen, const char *b, size_t blen)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= blen; j++) {
        above[j] = j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= alen; i++) {
        row[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[blen];
}

/* Considers part, the whole name or its end, which costs `cost` more. */
static void consider(struct cli_suggestion *s, const char *name, const char *part, size_t cost)
{
    size_t typed = strlen(s->typed), len = strlen(part);
    if (!typed || typed > LONGEST || len > LONGEST) {
        return;
    }
    size_t d = distance(s->typed, typed, part, len);
    if (len > typed && !strncmp(part, s->typed, typed)) {
        d = 1; /* an abbreviation is the likeliest mistake of all */
    }
    size_t allowed = least(typed, len) / 3 + 1;
    if (d <= allowed && (!s->best || d + cost < s->distance)) {
        s->best = name;
        s->distance = d + cost;
    }
}

void cli_suggest(struct cli_suggestion *s, const char *name)
{
    consider(s, name, name, 0);
    const char *last = strrchr(name, '-');
    if (last) {
        consider(s, name, last + 1, 1); /* "depth" for "max-depth" */
    }
}
