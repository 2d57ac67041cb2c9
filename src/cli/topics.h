/* topics.h -- what the documentation says beyond options: one source for `weft help TOPIC`, the man
 * page and docs/options.md. */
#ifndef WEFT_CLI_TOPICS_H
#define WEFT_CLI_TOPICS_H

struct cli_term {
    const char *term, *text; /* term NULL ends a list */
};

struct cli_topic {
    const char *name;  /* for weft help; NULL ends the table */
    const char *title; /* of the section */
    const char *intro; /* a paragraph; NULL: none */
    const struct cli_term *terms;
};

extern const struct cli_topic cli_topics[];
extern const struct cli_term cli_examples[]; /* term: the command line; text: what it does */

#endif
