/* option_value.h -- what becomes of one option's value, wherever it was read. */
#ifndef WEFT_CLI_OPTION_VALUE_H
#define WEFT_CLI_OPTION_VALUE_H

#include "cli/options.h"

/* Where the value goes, and where the sentence of a refusal does. All borrowed. */
struct cli_taking {
    void *target;      /* the command's struct */
    const char *shown; /* the option, as the sentence names it */
    char *error;
    size_t cap;
};

/* Applies an option; value NULL: none was written, as is right for one that takes none. A text is
 * kept by pointer. WEFT_OK; WEFT_EINVAL and a sentence; WEFT_ENOMEM. */
enum weft_status cli_option_take(const struct cli_taking *t, const struct cli_option *o,
                                 const char *value) WEFT_MUST_USE;

#endif
