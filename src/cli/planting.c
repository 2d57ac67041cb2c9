/* planting.c -- what the commands that crawl do with their seeds: gather them, advise, plant them.
 */
#include "cli/console.h"
#include "cli/seeds.h"

#include "base/limits.h"
#include <stdio.h>
#include <string.h>

enum weft_status cli_seeds_gather(struct cli_seeds *s, const struct cli_args *args,
                                  const struct cli_list *files, const char *command, char *error,
                                  size_t cap)
{
    enum weft_status st = WEFT_OK;
    for (size_t i = 0; i < args->count && st == WEFT_OK; i++) {
        st = cli_seeds_add(s, args->items[i], strlen(args->items[i]), "", error, cap);
    }
    for (size_t i = 0; i < files->count && st == WEFT_OK; i++) {
        st = cli_seeds_read(s, files->items[i], error, cap);
        st = st == WEFT_EIO ? WEFT_EINVAL : st; /* wrong use: no output is to blame */
    }
    if (st == WEFT_OK && !s->count) {
        if (files->count) {
            snprintf(error, cap, "the input holds no URL");
        } else {
            snprintf(error, cap, "no URL is given; try 'weft %s --help'", command);
        }
        st = WEFT_EINVAL;
    }
    return st;
}

enum weft_status cli_seeds_fit(const struct cli_seeds *s, const struct weft_crawl_options *options,
                               char *error, size_t cap)
{
    size_t most = options->max_url ? options->max_url : WEFT_MAX_URL;
    for (size_t i = 0; i < s->count; i++) {
        if (strcspn(s->urls[i], "#") > most) {
            snprintf(error, cap, "%.200s: longer than --max-url, which is %zu", s->urls[i], most);
            return WEFT_EINVAL;
        }
    }
    return WEFT_OK;
}

void cli_seeds_advise(const struct cli_seeds *s, const struct cli_crawl *options)
{
    if (s->guessed == 1) {
        cli_say("%s has no scheme: taken as http://%s", s->first_guess, s->first_guess);
    } else if (s->guessed) {
        cli_say("%zu URLs have no scheme: taken as http://%s and so on", s->guessed,
                s->first_guess);
    }
    cli_crawl_advise(options, s->abroad);
}

enum weft_status cli_seeds_plant(const struct cli_seeds *s, struct weft_crawl *crawl, char *error,
                                 size_t cap)
{
    for (size_t i = 0; i < s->count; i++) {
        enum weft_status st = weft_crawl_add(crawl, s->urls[i], strlen(s->urls[i]));
        if (st != WEFT_OK) {
            snprintf(error, cap, "%.200s: %s", s->urls[i], weft_strerror(st));
            return st;
        }
    }
    return WEFT_OK;
}
