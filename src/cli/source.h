/* source.h -- where the URLs of a list come from: arguments, files, pipes; read as they are wanted.
 *
 * A thread reads ahead into a bounded buffer, so that a pipe on which nothing comes holds nobody
 * up, and one on which endlessly much comes fills no memory. Lines are LF or CRLF; a BOM is passed
 * over, so are blank lines and those that start with #. Knows files and text; knows nothing of
 * crawls. */
#ifndef WEFT_CLI_SOURCE_H
#define WEFT_CLI_SOURCE_H

#include "cli/options.h"

struct cli_source;

/* Opens every file ("-": standard input), so that one that isn't there is known before anything is
 * fetched; reads nothing yet. urls, n lines that come first, and files are borrowed. Gives *out.
 * WEFT_OK; WEFT_EINVAL and a sentence; WEFT_ENOMEM. */
enum weft_status cli_source_new(struct cli_source **out, char *const *urls, size_t n,
                                const struct cli_list *files, char *error,
                                size_t cap) WEFT_MUST_USE;

/* Whether it is certain that no line says anything, as only regular files and /dev/null can tell;
 * nothing is taken from them. Before start. Reads each up to such a line. */
bool cli_source_is_empty(const struct cli_source *s);

/* Starts reading. more is called on the reading thread once there is something for a reader who was
 * told WEFT_EAGAIN. To be called after signals are blocked. WEFT_OK, WEFT_EAGAIN (no thread). */
enum weft_status cli_source_start(struct cli_source *s, void (*more)(void *user),
                                  void *user) WEFT_MUST_USE;

/* The next line that says something, with http:// before it if only that is missing; lent until the
 * next call. WEFT_OK; WEFT_EAGAIN: none yet; WEFT_END: that was all. One thread. */
enum weft_status cli_source_next(struct cli_source *s, const char **url, size_t *len);

/* The first line that had to be guessed at, as given; NULL: none so far. */
const char *cli_source_guess(const struct cli_source *s);

/* A sentence if a file could not be read to its end, NULL if all is well. Valid until free; after
 * cli_source_stop. */
const char *cli_source_error(const struct cli_source *s);

/* Ends the reading, whatever comes on the pipe. May be called again. NULL is fine. */
void cli_source_stop(struct cli_source *s);
void cli_source_free(struct cli_source *s); /* stops first; NULL is fine */

#endif
