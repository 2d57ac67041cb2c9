/* seeds.h -- where a crawl starts: URLs from the command line and from files, checked.
 *
 * A seed without a scheme that looks like a host gets http://. Anything that is no http(s) URL is
 * refused with the place where it stands, before anything is fetched. Knows files and URLs, and the
 * crawl that they are for. */
#ifndef WEFT_CLI_SEEDS_H
#define WEFT_CLI_SEEDS_H

#include "cli/crawl_options.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>

struct cli_seeds {
    char **urls; /* count of them, as they are to be requested; owned */
    size_t count, room;
    char **hosts; /* "host:port" of each, distinct, NULL-terminated; owned; for credentials */
    size_t nhosts;
    bool abroad;    /* one of them is not on this machine */
    size_t guessed; /* so many got their http:// here */
    char first_guess[128];
};

/* Adds one URL. where names the place for the sentence ("" for the command line). WEFT_OK;
 * WEFT_EINVAL and a sentence; WEFT_ENOMEM. */
enum weft_status cli_seeds_add(struct cli_seeds *s, const char *text, size_t len, const char *where,
                               char *error, size_t cap) WEFT_MUST_USE;

/* Adds the lines of a file, "-" for standard input: LF or CRLF, a BOM is passed over, so are blank
 * lines and those that start with #. WEFT_EIO: the file can't be read; otherwise as above. */
enum weft_status cli_seeds_read(struct cli_seeds *s, const char *file, char *error,
                                size_t cap) WEFT_MUST_USE;

/* Adds the arguments and the files, all of them checked before the first is used; at least one URL
 * must come of it. As above, with WEFT_EINVAL for a file that can't be read. */
enum weft_status cli_seeds_gather(struct cli_seeds *s, const struct cli_args *args,
                                  const struct cli_list *files, const char *command, char *error,
                                  size_t cap) WEFT_MUST_USE;

/* Whether each is short enough for these options, so that outputs are not opened in vain.
 * WEFT_EINVAL and a sentence. */
enum weft_status cli_seeds_fit(const struct cli_seeds *s, const struct weft_crawl_options *options,
                               char *error, size_t cap) WEFT_MUST_USE;

/* Says what was guessed, and what those who crawl the web may want to know. */
void cli_seeds_advise(const struct cli_seeds *s, const struct cli_crawl *options);

/* Adds them to a crawl. As weft_crawl_add, with a sentence. */
enum weft_status cli_seeds_plant(const struct cli_seeds *s, struct weft_crawl *crawl, char *error,
                                 size_t cap) WEFT_MUST_USE;

void cli_seeds_release(struct cli_seeds *s);

#endif
