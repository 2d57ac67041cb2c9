/* report_file.h -- files that a command writes at its end, whole: a summary, a report.
 *
 * Like every output: a regular file that exists is refused unless it may be overwritten, and before
 * anything is done. Knows POSIX files. Threads: any. */
#ifndef WEFT_CLI_REPORT_FILE_H
#define WEFT_CLI_REPORT_FILE_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

/* Whether path may be written at the end; it is not touched. path NULL is fine. On failure
 * error[0..cap) holds a sentence. WEFT_OK; WEFT_EDONE: it exists; WEFT_EIO: its folder is none. */
enum weft_status cli_report_check(const char *path, bool overwrite, char *error,
                                  size_t cap) WEFT_MUST_USE;
/* Writes it. WEFT_OK; WEFT_EDONE, WEFT_EIO and a sentence. */
enum weft_status cli_report_write(const char *path, bool overwrite, const char *data, size_t len,
                                  char *error, size_t cap) WEFT_MUST_USE;

#endif
