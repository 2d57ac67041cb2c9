/* guess.h -- what somebody means who types or lists a URL: text made ready for the parser.
 *
 * Pure: bytes in, values out. Knows nothing of files and crawls. */
#ifndef WEFT_CLI_GUESS_H
#define WEFT_CLI_GUESS_H

#include "weft/url.h"

/* Takes white space off both ends. */
void cli_trim(const char **text, size_t *len);

/* Whether a line of a list is more than white space or a comment; trims it, and takes a BOM off the
 * first line (number 1). */
bool cli_line_says_something(const char **text, size_t *len, uint64_t number);

/* Whether text starts like "example.com", "localhost:8080/x" or "[::1]/" and only lacks http://. */
bool cli_looks_like_host(const char *text, size_t len);

/* As written in the URL, without a look-up; for advice only, the engine judges for itself. */
bool cli_on_this_machine(const struct weft_url *url);

#endif
