/* command.h -- what a command of the program is, the table of them, and the exit codes. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

#include "cli/options.h"

/* What the program answers to the shell with. */
enum cli_exit {
    CLI_OK = 0,
    CLI_NAMED = 1,   /* something that --fail-on names happened */
    CLI_USAGE = 2,   /* wrong use; nothing was fetched */
    CLI_OUTPUT = 3,  /* an output or the state file can't be read or written */
    CLI_NOTHING = 4, /* nothing at all was fetched */
    CLI_SIGNAL = 128 /* plus the signal's number */
};

/* Who an option row belongs to, where commands share a table. */
enum cli_command_bit { CLI_CRAWL = 1, CLI_FETCH = 2, CLI_CHECK = 4, CLI_EXPLAIN = 64 };

struct cli_command {
    const char *name;      /* NULL ends the table */
    const char *arguments; /* behind the options: "URL..."; "": none */
    const char *summary;   /* one line */
    const char *about;     /* a paragraph for the help and the man page; "\n\n" parts paragraphs */
    const struct cli_option *options; /* the command's own rows */
    unsigned bit;
    int (*run)(const struct cli_command *self, int argc, char **argv); /* gives the exit code */
};

/* Every command, in the order of the help; and the options that all of them have. */
extern const struct cli_command cli_commands[];
extern const struct cli_option cli_common_options[];

struct cli_tables cli_tables_of(const struct cli_command *c);
/* What stands behind its name in a line of usage: "[OPTIONS] URL...". */
void cli_words_behind(const struct cli_command *c, char *out, size_t cap);
/* NULL if there is none. */
const struct cli_command *cli_find_command(const char *name);

/* Parses the line of a command (argv[2..]) and does what all commands do: on --help prints it, on
 * an error says it. Returns true if the command is to go on; else *code is the exit code. */
bool cli_begin(const struct cli_command *self, int argc, char **argv, void *target,
               struct cli_args *args, int *code);

/* The commands' main functions: cmd_NAME.c. */
int cmd_crawl(const struct cli_command *self, int argc, char **argv);
int cmd_fetch(const struct cli_command *self, int argc, char **argv);
int cmd_explain(const struct cli_command *self, int argc, char **argv);
int cmd_check(const struct cli_command *self, int argc, char **argv);
int cmd_compare(const struct cli_command *self, int argc, char **argv);
int cmd_lab(const struct cli_command *self, int argc, char **argv);
int cmd_lesson(const struct cli_command *self, int argc, char **argv);
int cmd_status(const struct cli_command *self, int argc, char **argv);
int cmd_serve(const struct cli_command *self, int argc, char **argv);
int cmd_help(const struct cli_command *self, int argc, char **argv);

/* The option tables that stand in files of their own. */
extern const struct cli_option cli_crawl_options[];
extern const struct cli_option cli_compare_options[];
extern const struct cli_option cli_lab_options[];
extern const struct cli_option cli_serve_options[];

/* What the option tables turn into; each prints to standard output and returns an exit code. */
int cli_print_help(const struct cli_command *c); /* NULL: the overview */
int cli_print_man(void);                         /* roff */
int cli_print_markdown(void);
int cli_print_completion(const char *shell); /* bash, zsh or fish */
int cli_print_options(void);                 /* "COMMAND --name" a line, for tests and scripts */
int cli_print_version(void);

#endif
