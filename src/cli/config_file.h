/* config_file.h -- a file of options: `name = value` or `name value` a line, a name alone for one
 * that takes no value; blank lines and lines that start with # say nothing. A value goes to the end
 * of its line, blanks around it aside; in double quotes it keeps them. Lines are LF or CRLF; a BOM
 * is passed over. Knows files and text; knows nothing of which options there are. */
#ifndef WEFT_CLI_CONFIG_FILE_H
#define WEFT_CLI_CONFIG_FILE_H

#include "weft/status.h"
#include <stddef.h>

struct cli_config {
    char *text, *at; /* text is owned; at is in it */
    unsigned line;   /* of what was given last, from 1 */
};

/* Reads the whole file. WEFT_OK; WEFT_EINVAL and a sentence: it can't be read, is larger than
 * WEFT_MAX_CONFIG, or is no text; WEFT_ENOMEM. *c is to be released in any case. */
enum weft_status cli_config_open(struct cli_config *c, const char *path, char *error,
                                 size_t cap) WEFT_MUST_USE;
void cli_config_release(struct cli_config *c);

/* The next line that says something, cut in place: valid until release. *name without dashes before
 * it; *value NULL: there is none. WEFT_OK, WEFT_END. */
enum weft_status cli_config_next(struct cli_config *c, char **name, char **value) WEFT_MUST_USE;

#endif
