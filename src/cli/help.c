/* help.c -- help for people at a terminal, from the tables. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/suggest.h"
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

#define WIDTH  79
#define INDENT 28 /* where the second column starts */

/* Prints text from column `at` on (already there), broken at blanks, each further line indented. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
    size_t column = at;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)word, text);
        column += word;
        text += word;
        if (*text == '\n') { /* a paragraph's end is "\n\n" */
            text += strspn(text, "\n");
            printf("\n\n%*s", (int)indent, "");
            column = indent;
        } else if (*text) {
            text++;
        }
    }
    putchar('\n');
}

/* A row of two columns; a wide first one gets a line of its own. */
static void print_row(const char *first, const char *second)
{
    int n = printf("%s", first);
    if (n < 0 || n + 2 > INDENT) {
        printf("\n%*s", INDENT, "");
    } else {
        printf("%*s", INDENT - n, "");
    }
    print_wrapped(second, INDENT, INDENT);
}

static bool print_option(void *user, const struct cli_option *o)
{
    const char **group = user;
    char first[128], second[1024];
    if (cli_group(o) != *group) {
        *group = cli_group(o);
        printf("\n%s:\n", *group);
    }
    char letter[8] = "    ";
    if (o->letter) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(first, sizeof first, "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    snprintf(second, sizeof second, "%s%s%s%s", o->help, o->preset ? " Default: " : "",
             o->preset ? o->preset : "", o->preset ? "." : "");
    print_row(first, second);
    return true;
}

static void print_terms(const struct cli_term *terms)
{
    for (; terms->term; terms++) {
        char first[128];
        snprintf(first, sizeof first, "  %s", terms->term);
        print_row(first, terms->text);
    }
}

static void print_topic(const struct cli_topic *t)
{
    printf("%s\n\n", t->title);
    if (t->intro) {
        print_wrapped(t->intro, 0, 0);
        putchar('\n');
    }
    print_terms(t->terms);
}

static void print_overview(void)
{
    char first[64];
    printf("weft " WEFT_VERSION ", a polite web crawler on futures and worker pools\n\n"
           "Usage: weft COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        snprintf(first, sizeof first, "  %s %s", c->name, c->arguments);
        print_row(first, c->summary);
    }
    printf("\nTopics:\n");
    for (const struct cli_topic *t = cli_topics; t->name; t++) {
        snprintf(first, sizeof first, "  %s", t->name);
        print_row(first, t->title);
    }
    printf("\nExamples:\n");
    for (const struct cli_term *e = cli_examples; e->term; e++) {
        printf("  %s\n      ", e->term);
        print_wrapped(e->text, 6, 6);
    }
    printf("\n'weft help COMMAND' or 'weft COMMAND --help' shows a command's options,\n"
           "'weft help TOPIC' a topic, 'weft --version' the versions of what weft is made of,\n"
           "'weft --completion SHELL' the completions for bash, zsh or fish.\n");
}

int cli_print_help(const struct cli_command *c)
{
    if (!c) {
        print_overview();
        return CLI_OK;
    }
    const char *group = NULL;
    struct cli_tables tables = cli_tables_of(c);
    char rest[128];
    cli_words_behind(c, rest, sizeof rest);
    printf("Usage: weft %s%s%s\n\n", c->name, *rest ? " " : "", rest);
    print_wrapped(c->about, 0, 0);
    cli_each_option(&tables, print_option, &group);
    if (c->options) {
        printf("\nSee also: weft help values, weft help exit\n");
    }
    return CLI_OK;
}

int cli_print_options(void)
{
    struct cli_tables tables;
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        tables = cli_tables_of(c);
        const struct cli_option *const all[] = {tables.rows, tables.common};
        for (size_t i = 0; i < 2; i++) {
            for (const struct cli_option *o = all[i]; o && o->name; o++) {
                if (!o->commands || o->commands & tables.bit) {
                    printf("%s --%s\n", c->name, o->name);
                }
            }
        }
    }
    return CLI_OK;
}

int cmd_help(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args;
    int code;
    if (!cli_begin(self, argc, argv, NULL, &args, &code)) {
        goto out;
    }
    if (args.count > 1) {
        cli_say("help: one command or topic at a time");
        code = CLI_USAGE;
        goto out;
    }
    const char *name = args.count ? args.items[0] : NULL;
    const struct cli_command *command = name ? cli_find_command(name) : NULL;
    if (!name || command) {
        code = cli_print_help(command);
        goto out;
    }
    struct cli_suggestion s = {.typed = name};
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        cli_suggest(&s, c->name);
    }
    for (const struct cli_topic *t = cli_topics; t->name; t++) {
        if (!strcmp(t->name, name)) {
            print_topic(t);
            goto out;
        }
        cli_suggest(&s, t->name);
    }
    if (s.best) {
        cli_say("help: there is no command or topic %s; did you mean %s?", name, s.best);
    } else {
        cli_say("help: there is no command or topic %s; 'weft help' lists them", name);
    }
    code = CLI_USAGE;
out:
    cli_args_release(&args);
    return code;
}
