/* options.h -- command lines, driven by tables.
 *
 * Every option is one row of a const table: from the row come the parsing, the range check, the
 * help text, the man page and the completions, so that they can't disagree. GNU style: options and
 * arguments mix; `--name value`, `--name=value`, `-n value`, `-nvalue`, `-abc` for three flags;
 * `--` ends the options. Names are not abbreviated: an abbreviation that works today would break
 * the day an option is added. Knows argv; knows nothing of crawls, terminals or files. */
#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include "base/buf.h"
#include "weft/clock.h"
#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an option takes, and what its target field is. */
enum cli_kind {
    CLI_FLAG,     /* nothing; bool, set to true */
    CLI_COUNT,    /* nothing; unsigned, one more each time */
    CLI_SET,      /* nothing; int, set to the row's min */
    CLI_HELP,     /* nothing, no field: the caller prints help and ends */
    CLI_UNSIGNED, /* a whole number; unsigned */
    CLI_INT,      /* a whole number; int */
    CLI_UINT64,   /* a whole number; uint64_t */
    CLI_NUMBER,   /* a number with decimals; double */
    CLI_DURATION, /* seconds with decimals, or with ms, s, m or h behind; weft_time */
    CLI_SIZE,     /* bytes, or with K, M or G behind; uint64_t */
    CLI_TEXT,     /* any text without control characters; const char *, borrowed from argv */
    CLI_LIST,     /* as TEXT, repeatable; struct cli_list */
    CLI_CHOICE,   /* one of the row's words; int-sized enum */
    CLI_WORDS,    /* several of the row's words with commas between; unsigned, their values or'ed */
    CLI_CONFIG,   /* a file of options (config_file.h), no field: read before the line */
    CLI_TAKE      /* the row's own function decides */
};

struct cli_word {
    const char *name; /* NULL ends a list of words */
    int value;
};

/* A list that grows by one; items is NULL-terminated once it is not NULL. */
struct cli_list {
    const char **items;
    size_t count;
};

struct cli_option;
/* Takes one value into target (the command's whole struct). WEFT_OK; WEFT_EINVAL and a sentence
 * without the option's name in why; WEFT_ENOMEM. */
typedef enum weft_status cli_take_fn(void *target, const struct cli_option *o, const char *value,
                                     char *why, size_t cap);

struct cli_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* the short name, 0: none */
    enum cli_kind kind;
    const char *value; /* what the help calls the value: "N", "FILE" */
    size_t at;         /* offsetof the field in the command's struct */
    size_t given;      /* offsetof a bool that is set when the option is given; 0: none */
    double min, max;   /* of numbers as typed: durations in seconds, sizes in bytes */
    int64_t zero;      /* what a typed 0 is stored as, where a stored 0 means the default */
    bool secret;       /* the value is not shown again, nor kept in the record of the run */
    unsigned
        commands; /* which commands have it: bits of enum cli_command_bit; 0: all of the table */
    const struct cli_word *words;
    cli_take_fn *take;
    const char *preset; /* the default, as the help says it; NULL: not worth saying */
    const char *group;  /* the heading in the help; NULL: as the row before, so the first has one */
    const char *help;   /* one or more sentences */
};

/* The row of a table whose options may stand in a file; which: the commands, 0: all of the table.
 */
#define CLI_CONFIG_ROW(which)                                                                      \
    {                                                                                              \
        "config", 0, CLI_CONFIG, "FILE",                                                           \
            .commands = (which), .group = "Options from a file",                                   \
            .help =                                                                                \
                "Read options from FILE, one a line: `name = value` or `name value`. What is on "  \
                "the command line counts more. May be repeated; see `weft help config`."           \
    }

/* Where a command's options stand. */
struct cli_tables {
    const struct cli_option *rows;   /* the command's own; NULL: none */
    const struct cli_option *common; /* those of every command */
    unsigned bit;                    /* which rows apply: see cli_option.commands */
};

/* What a command line held besides options. */
struct cli_args {
    const char **items; /* the arguments in order, NULL-terminated; borrowed from argv */
    size_t count;
    bool help;               /* --help was met: nothing behind it was read */
    struct weft_buf command; /* the line, quoted for a shell, secrets replaced by *** */
    struct cli_list files;   /* the files of options; borrowed from argv */
    struct cli_list texts;   /* ... and what they hold: targets borrow from it */
};

/* Reads argv[from..argc) into target and *out. Files of options come first, in their order, and
 * then the line, whose values so replace theirs; lists and rules go on where the files ended. Of a
 * name that only another command of the same table has a file may speak: it is passed over. On
 * failure error[0..cap) holds a sentence that names
 * the option. WEFT_OK, WEFT_EINVAL, WEFT_ENOMEM. *out is to be released in any case; the lists in
 * target are the caller's to release. */
enum weft_status cli_parse(const struct cli_tables *tables, int argc, char **argv, int from,
                           void *target, struct cli_args *out, char *error,
                           size_t cap) WEFT_MUST_USE;
void cli_args_release(struct cli_args *args);

/* Calls see for each row of a command, its own first, until see returns false. */
void cli_each_option(const struct cli_tables *tables,
                     bool (*see)(void *user, const struct cli_option *o), void *user);
/* The heading that the row stands under, also if the command lacks the row that bears it. */
const char *cli_group(const struct cli_option *o);
/* Whether the option is followed by a value. */
bool cli_takes_value(const struct cli_option *o);

/* Appends text (borrowed). WEFT_OK, WEFT_ENOMEM. */
enum weft_status cli_list_add(struct cli_list *list, const char *text) WEFT_MUST_USE;
void cli_list_release(struct cli_list *list);

/* Values, each the whole text: no blanks, no sign, no exponent, a point for decimals whatever the
 * locale. WEFT_OK; WEFT_ESYNTAX: not a number, or a number with something behind it; WEFT_ELIMIT:
 * too large to hold. On failure *out is 0. */
enum weft_status cli_read_whole(const char *text, uint64_t *out) WEFT_MUST_USE;
enum weft_status cli_read_number(const char *text, double *out) WEFT_MUST_USE;
enum weft_status cli_read_duration(const char *text, weft_time *out) WEFT_MUST_USE;
enum weft_status cli_read_size(const char *text, uint64_t *out) WEFT_MUST_USE;

#endif
