/* distinct.h -- no file that a run writes may be another one that it reads or writes: the one would
 * destroy the other. Asked before anything is opened. Knows names of files; knows no formats. */
#ifndef WEFT_CLI_DISTINCT_H
#define WEFT_CLI_DISTINCT_H

#include "cli/crawl_options.h"

struct cli_file {
    const char *option, *path; /* borrowed; path NULL: not given */
    bool written;
    int shares; /* files with the same number, other than 0, may be one */
};

/* WEFT_OK; WEFT_EINVAL and a sentence that names both options. Files that are only read may be one;
 * standard streams, devices and pipes are never. Threads: any. */
enum weft_status cli_distinct(const struct cli_file *files, size_t n, char *error,
                              size_t cap) WEFT_MUST_USE;

/* The same for all the files of a crawl, a list or a check, those of options (args) too. Also
 * WEFT_ENOMEM. */
enum weft_status cli_distinct_crawl(const struct cli_crawl *o, const struct cli_args *args,
                                    char *error, size_t cap) WEFT_MUST_USE;

#endif
