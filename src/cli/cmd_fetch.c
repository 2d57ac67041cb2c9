/* cmd_fetch.c -- weft fetch: a list of URLs in, their records out, nothing followed.
 *
 * URLs given as arguments are checked before anything is fetched, as a mistyped one is a mistake of
 * the command line. Lines of files and pipes are read while fetches run: one that is no URL is a
 * record like any other failure. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/guess.h"
#include "cli/run.h"
#include "cli/seeds.h"
#include "cli/source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NO_URL "the input holds no URL"

struct fetching {
    struct cli_run run; /* first: the crawl's callbacks get a pointer to it */
    struct cli_seeds seeds;
    struct cli_source *source;
    uint64_t lines; /* URLs given out so far */
    bool guess_told, advised;
};

/* Says once what happens to lines without a scheme, and to those whose sites are asked. */
static void advise(struct fetching *f, const char *url, size_t len)
{
    const char *guess = cli_source_guess(f->source);
    guess = guess ? guess : f->seeds.guessed ? f->seeds.first_guess : NULL;
    if (guess && !f->guess_told) {
        f->guess_told = true;
        cli_say("%s has no scheme: taken as http://%s, and others alike", guess, guess);
    }
    char href[1024];
    struct weft_url parsed;
    if (!f->advised && len < sizeof href / 4 &&
        weft_url_parse(&parsed, href, sizeof href, NULL, url, len, NULL) == WEFT_OK &&
        !cli_on_this_machine(&parsed)) {
        f->advised = true;
        cli_crawl_advise(&f->run.options, true);
    }
}

static enum weft_status next_url(void *user, const char **url, size_t *len)
{
    struct fetching *f = user;
    enum weft_status st = cli_source_next(f->source, url, len);
    if (st == WEFT_OK) {
        f->lines++;
        advise(f, *url, *len);
    }
    return st;
}

static void more(void *user)
{
    weft_crawl_more(user);
}

/* What of the command line is wrong for a list. NULL: nothing. */
static const char *misuse(const struct fetching *f)
{
    const struct cli_crawl *o = &f->run.options;
    if (!f->run.args.count && !o->inputs.count) {
        return "no URL is given; try 'weft fetch --help'";
    }
    if (weft_net_has_secrets(&o->crawl.net) && !f->run.args.count) {
        return "--user, --cookie, and --header with Authorization, Cookie, Proxy-Authorization or "
               "Host are sent to the hosts of the URLs given as arguments, and there are none";
    }
    if (o->crawl.head && o->crawl.save_dir) {
        return "--head brings no bodies, so there is nothing to --save";
    }
    return NULL;
}

/* The command line, checked as a whole: arguments, files, options. */
static enum weft_status read_line(struct fetching *f, char *error, size_t cap)
{
    struct cli_crawl *o = &f->run.options;
    enum weft_status st = WEFT_OK;
    if (!f->run.args.count && !o->inputs.count && !isatty(STDIN_FILENO)) {
        st = cli_list_add(&o->inputs, "-");
    }
    st = st == WEFT_OK ? cli_run_check(&f->run, error, cap) : st;
    const char *wrong = st == WEFT_OK ? misuse(f) : NULL;
    if (wrong) {
        snprintf(error, cap, "%s", wrong);
        return WEFT_EINVAL;
    }
    for (size_t i = 0; i < f->run.args.count && st == WEFT_OK; i++) {
        st = cli_seeds_add(&f->seeds, f->run.args.items[i], strlen(f->run.args.items[i]), "", error,
                           cap);
    }
    st = st == WEFT_OK
             ? cli_source_new(&f->source, f->seeds.urls, f->seeds.count, &o->inputs, error, cap)
             : st;
    if (st == WEFT_OK && cli_source_is_empty(f->source)) { /* a pipe tells later */
        snprintf(error, cap, NO_URL);
        return WEFT_EINVAL;
    }
    return st;
}

static enum weft_status prepare(struct fetching *f, char *error, size_t cap)
{
    struct weft_crawl_options *o = &f->run.options.crawl;
    enum weft_status st = read_line(f, error, cap);
    st = st == WEFT_OK ? cli_run_watch(&f->run) : st;
    o->next_url = next_url;
    o->ignore_robots = !f->run.options.robots;
    o->net.credential_hosts = (const char *const *)f->seeds.hosts;
    st = st == WEFT_OK ? cli_run_open(&f->run, error, cap) : st;
    st = st == WEFT_OK ? cli_source_start(f->source, more, f->run.crawl) : st;
    if (st == WEFT_OK) {
        cli_run_ready(&f->run);
    }
    return st;
}

static int go(struct fetching *f)
{
    int code = cli_run_go(&f->run, true);
    cli_source_stop(f->source);
    if (cli_source_error(f->source)) {
        cli_say("%s", cli_source_error(f->source));
        code = code == CLI_OK ? CLI_NAMED : code; /* not all that was asked for was done */
    } else if (!f->lines && code == CLI_NOTHING) {
        cli_say(NO_URL);
        code = CLI_USAGE;
    }
    return code;
}

int cmd_fetch(const struct cli_command *self, int argc, char **argv)
{
    struct fetching f = {.source = NULL};
    char error[1024] = "";
    int code;
    cli_run_init(&f.run);
    if (cli_begin(self, argc, argv, &f.run.options, &f.run.args, &code)) {
        enum weft_status st = prepare(&f, error, sizeof error);
        code = st == WEFT_OK ? go(&f) : cli_run_refused(st, error);
    }
    cli_source_stop(f.source);
    cli_run_release(&f.run);
    cli_source_free(f.source);
    cli_seeds_release(&f.seeds);
    return code;
}
