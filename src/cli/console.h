/* console.h -- everything that the program prints while it works.
 *
 * Text that came from the network or from a file never reaches a terminal raw. Standard error
 * carries messages, the progress line and the summary; standard output carries lines for people
 * (records are the store's). The progress line is taken away before anything else is printed and
 * comes back after it. Knows file descriptors and terminals; knows nothing of crawls.
 * Threads: any, for every function here. */
#ifndef WEFT_CLI_CONSOLE_H
#define WEFT_CLI_CONSOLE_H

#include "base/buf.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

/* Appends text made harmless: printable UTF-8 stays as it is; control characters (C0, DEL, C1, line
 * and paragraph separators), characters that are invisible or change the direction of writing, and
 * bytes that are not UTF-8 become \xNN or \u{N}. WEFT_OK, WEFT_ELIMIT, WEFT_ENOMEM. */
enum weft_status cli_escape(struct weft_buf *b, const char *text, size_t len) WEFT_MUST_USE;

/* "weft: " and the message, escaped, as one line in one write to standard error. */
void cli_say(const char *fmt, ...) WEFT_PRINTF(1, 2);
/* As cli_say, but gives up after some moments if somebody is stuck in writing, or standard error
 * takes nothing: for the thread that has to go on listening to signals. */
void cli_say_soon(const char *fmt, ...) WEFT_PRINTF(1, 2);
/* As cli_say without "weft: ", for the summary and its like. */
void cli_tell(const char *fmt, ...) WEFT_PRINTF(1, 2);

/* Writes text (whole lines, already harmless) to standard output at once. WEFT_OK; WEFT_EIO with
 * errno set: it can't be written. */
enum weft_status cli_put(const char *text, size_t len) WEFT_MUST_USE;

/* Shows text as the progress line, in the place of the one before; NULL takes it away for good. It
 * is cut to the terminal's width. Only for a standard error that is a terminal. */
void cli_progress_line(const char *text);

/* Flushes what was printed with stdio; CLI_OK or, with a sentence said, CLI_OUTPUT. For commands
 * that print and end. */
int cli_flush_stdout(void);

#endif
