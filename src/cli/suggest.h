/* suggest.h -- "did you mean ...?": the name that is nearest to what was typed. Knows strings. */
#ifndef WEFT_CLI_SUGGEST_H
#define WEFT_CLI_SUGGEST_H

#include <stddef.h>

/* A search in progress; start with {.typed = text}, show it every name that exists. */
struct cli_suggestion {
    const char *typed;
    const char *best; /* NULL: nothing near enough so far */
    size_t distance;  /* of best */
};

/* Considers name, which must live as long as the suggestion. */
void cli_suggest(struct cli_suggestion *s, const char *name);

#endif
