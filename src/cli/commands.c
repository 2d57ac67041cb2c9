/* commands.c -- the table of commands, and what all of them begin with. */
#include "cli/command.h"

#include "cli/console.h"
#include <stdio.h>
#include <string.h>

const struct cli_option cli_common_options[] = {
    {"help", 'h', CLI_HELP, .group = "Help", .help = "Print this help."},
    {0},
};

const struct cli_command cli_commands[] = {
    {"crawl", "URL...", "crawl from the seeds and follow links",
     "Fetches the URLs given, reads the links of every HTML page, and goes on with those that are "
     "in "
     "scope, each once. A URL without :// that looks like a host gets http://.\n\n"
     "Without --output, every page is one line on standard output: its status and URL, or its "
     "outcome, the reason and the URL. The summary is on standard error.\n\n"
     "Ctrl-C once: nothing new starts, what is in flight may finish. Twice: it ends at once; three "
     "times: even if an output takes nothing any more. What "
     "was finished is kept in either case. SIGUSR1 prints what is in flight.",
     cli_crawl_options, CLI_CRAWL, cmd_crawl},
    {"fetch", "[URL...]", "fetch a list of URLs and follow nothing",
     "Fetches the URLs given as arguments, in files (-i) or, without either, on standard input, "
     "each as often as it is listed. Input is read as it is needed: an endless pipe and a list of "
     "millions take no more memory than a short one. Redirects are followed, and the record says "
     "where they ended.\n\n"
     "robots.txt is not asked unless --robots is given; --delay and --per-host hold for each host "
     "all the same, and hosts are asked side by side also when the list is sorted by them. At the "
     "default of half a second 50,000 URLs of one host take seven hours.\n\n"
     "With --ordered and -o there is a line for each line of the list (blank ones and comments "
     "aside), in its order: a list that was stopped goes on behind as many lines as its output "
     "has, with --append. What was in flight and did not end within --grace has its line too, as "
     "interrupted.\n\n"
     "A URL that fails is told and ends nothing; a line that is no URL is recorded as bad_url. The "
     "exit code is 1 if any URL was not fetched (--fail-on none: it is 0), 4 if none was.",
     cli_crawl_options, CLI_FETCH, cmd_fetch},
    {"check", "URL...", "find broken links",
     "Crawls what is in scope and asks once for everything that its links lead to outside: with "
     "HEAD, and with GET where HEAD is refused; robots.txt, --delay and --per-host hold there too. "
     "Images, scripts, style sheets and links marked nofollow count. With --max-depth 0 the links "
     "of one page are checked; with --exclude . --include ^http://example.com/ nothing is asked "
     "beyond that site.\n\n"
     "The report is on standard output, grouped by target, with every page and line that points at "
     "it: what is broken, with --fragments also fragments that name no element, what has moved for "
     "good (301, 308) and should be updated, and what could not be checked (robots.txt, "
     "--exclude). "
     "The exit code is 1 if anything is broken.",
     cli_crawl_options, CLI_CHECK, cmd_check},
    {"explain", "URL", "say what a crawl would do with a URL, and why",
     "Tells how the URL is read and remembered, whether --seed, --scope and the rules take it in, "
     "which limit it breaks, at what pace its host is asked, which line of robots.txt decides (one "
     "request), and with --state whether a crawl's file has it. Give it the crawl's own --scope, "
     "rules, limits and politeness; how deep it lies (--max-depth) and whether a budget was spent "
     "only the crawl can know: see its records, or --state.\n\n"
     "A URL that would be requested and that the file does not have was never found: no page that "
     "was read links to it, or only with nofollow.\n\n"
     "The exit code is 0 if the URL would be requested, 1 if not.",
     cli_crawl_options, CLI_EXPLAIN, cmd_explain},
    {"status", "FILE", "say what a state file holds",
     "Tells what the file of --state holds: URLs by how they ended, what waits, hosts that are not "
     "to be asked yet, the last run, how far each output had come, and the options that must stay "
     "the same. It changes nothing, and may run beside the crawl.",
     NULL, 0, cmd_status},
    {"serve", "[DIR]", "serve a site to crawl, with delays and faults on request",
     "The test server: serves the files of DIR on this machine, together with generated pages that "
     "are slow, broken "
     "or moody on purpose, and counts what it sees (/stats). DIR is the sample site unless given. "
     "Prints the address and runs until SIGINT or SIGTERM, which end it with exit code 0.",
     cli_serve_options, 0, cmd_serve},
    {"compare", "[URL]", "run the same crawl with each engine and a ladder of --jobs",
     "Crawls the same pages with each engine, first with few fetches at once and then with more, "
     "each time in a fresh process, and prints what each took: wall time beside the floor (the "
     "time of a crawler that costs nothing but learns of a page only from one that it has read), "
     "processor time, memory, errors; then in words which setting is right. With a URL the floor "
     "is reckoned from the time that each page took the sync crawl: where a server was slow then "
     "and not later, wall time can be below it.\n\n"
     "Without a URL it serves a site of its own on this machine. On a host that is not this "
     "machine it asks before each time it raises --jobs, and without a terminal refuses to.",
     cli_compare_options, 0, cmd_compare},
    {"lesson", "[NAME [OPTIONS]]", "list the lessons, or run one",
     "Lessons are small programs in C on the public library, about crawling, futures, pools, event "
     "loops and limits; each draws what it did. They start a server of their own. Without a name "
     "lists them in the order of the path. Options behind the name are the lesson's: "
     "`weft lesson NAME --help` lists them.",
     NULL, 0, cmd_lesson},
    {"lab", "", "serve the learning page on this machine",
     "Serves a page to learn futures, worker pools and event loops with, to browsers of this "
     "machine "
     "alone, and prints its address. From it crawls of the sample site can be started with each "
     "engine and watched as they happen. Runs until SIGINT or SIGTERM, which end it with exit code "
     "0.",
     cli_lab_options, 0, cmd_lab},
    {"help", "[COMMAND | TOPIC]", "show the options of a command, or a topic",
     "Without an argument lists the commands and the topics.", NULL, 0, cmd_help},
    {0},
};

struct cli_tables cli_tables_of(const struct cli_command *c)
{
    return (struct cli_tables){c->options, cli_common_options, c->bit};
}

void cli_words_behind(const struct cli_command *c, char *out, size_t cap)
{
    const char *options = c->options ? "[OPTIONS]" : "";
    const char *between = *options && *c->arguments ? " " : "";
    snprintf(out, cap, "%s%s%s", options, between, c->arguments);
}

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        if (!strcmp(c->name, name)) {
            return c;
        }
    }
    return NULL;
}

bool cli_begin(const struct cli_command *self, int argc, char **argv, void *target,
               struct cli_args *args, int *code)
{
    char error[512];
    struct cli_tables tables = cli_tables_of(self);
    enum weft_status st = cli_parse(&tables, argc, argv, 2, target, args, error, sizeof error);
    if (st != WEFT_OK) {
        cli_say("%s: %s", self->name, error);
        *code = st == WEFT_ENOMEM ? CLI_NOTHING : CLI_USAGE;
        return false;
    }
    if (args->help) {
        *code = cli_print_help(self);
        return false;
    }
    *code = CLI_OK;
    return true;
}
