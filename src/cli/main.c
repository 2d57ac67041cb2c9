/* main.c -- the program: makes the ground safe, finds the command, runs it.
 *
 * Knows the table of commands and nothing of what they do. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/guess.h"
#include "cli/suggest.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A program started with a standard descriptor closed would open its first files as that
 * descriptor, and print into them. The stand-ins fail on use, as a closed descriptor does. */
static void fill_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            return; /* no /dev/null: then nothing better can be done */
        }
    }
}

/* Options in the place of the command. */
static int run_option(const char *name, const char *value)
{
    static const struct {
        const char *name, *letter;
        int (*run)(void);
    } plain[] = {{"--version", "-V", cli_print_version},
                 {"--man", "", cli_print_man},
                 {"--markdown", "", cli_print_markdown},
                 {"--list-options", "", cli_print_options}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (!strcmp(name, plain[i].name) || !strcmp(name, plain[i].letter)) {
            return plain[i].run();
        }
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) {
        return cli_print_help(NULL);
    }
    if (!strcmp(name, "--completion") && value) {
        return cli_print_completion(value);
    }
    cli_say("there is no option %s here; try 'weft --help'", name);
    return CLI_USAGE;
}

static int unknown_command(const char *name)
{
    struct cli_suggestion s = {.typed = name};
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        cli_suggest(&s, c->name);
    }
    if (s.best && !strstr(name, "://")) {
        cli_say("there is no command %s; did you mean 'weft %s'?", name, s.best);
    } else if (strstr(name, "://") || cli_looks_like_host(name, strlen(name))) {
        cli_say("there is no command %s; did you mean 'weft crawl %s'?", name, name);
    } else {
        cli_say("there is no command %s; 'weft help' lists them", name);
    }
    return CLI_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        cli_say("no command is given; 'weft help' lists them");
        return CLI_USAGE;
    }
    if (argv[1][0] == '-') {
        return run_option(argv[1], argv[2]);
    }
    const struct cli_command *command = cli_find_command(argv[1]);
    return command ? command->run(command, argc, argv) : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    fill_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of a write, handled where it is made */
    int code = dispatch(argc, argv);
    int flushed = cli_flush_stdout();
    return flushed == CLI_OK ? code : flushed;
}
