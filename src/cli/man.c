/* man.c -- the man page (roff, man macros) and docs/options.md, from the same tables as the help.
 */
#include "cli/command.h"
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

/* --- roff ------------------------------------------------------------------------------------- */

/* Text for roff: backslashes and hyphens are escaped, and no line starts with a request. Paragraphs
 * are parted by .PP. */
static void roff(const char *text)
{
    bool line_start = true;
    for (; *text; text++) {
        if (*text == '\n') {
            text += strspn(text, "\n") - 1;
            printf("\n.PP\n");
            line_start = true;
            continue;
        }
        if (line_start && (*text == '.' || *text == '\'')) {
            printf("\\&");
        }
        line_start = false;
        if (*text == '\\') {
            printf("\\e");
        } else if (*text == '-') {
            printf("\\-");
        } else {
            putchar(*text);
        }
    }
    putchar('\n');
}

static bool roff_option(void *user, const struct cli_option *o)
{
    const char **group = user;
    if (cli_group(o) != *group) {
        *group = cli_group(o);
        printf(".PP\n.I ");
        roff(*group);
    }
    char letter[8] = "", line[256];
    if (o->letter) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(line, sizeof line, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    printf(".TP\n.B ");
    roff(line);
    char text[1200];
    snprintf(text, sizeof text, "%s%s%s%s", o->help, o->preset ? " Default: " : "",
             o->preset ? o->preset : "", o->preset ? "." : "");
    roff(text);
    return true;
}

static void roff_terms(const struct cli_term *terms)
{
    for (; terms->term; terms++) {
        printf(".TP\n.B ");
        roff(terms->term);
        roff(terms->text);
    }
}

static void roff_title(const char *title)
{
    printf(".SH \"");
    for (; *title; title++) {
        putchar(*title >= 'a' && *title <= 'z' ? *title - 'a' + 'A' : *title);
    }
    printf("\"\n");
}

int cli_print_man(void)
{
    printf(".\\\" Made by weft --man from the tables of the program.\n"
           ".TH WEFT 1 \"\" \"weft " WEFT_VERSION "\" \"User commands\"\n"
           ".SH NAME\nweft \\- a polite web crawler on futures and worker pools\n"
           ".SH SYNOPSIS\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        printf(".B weft %s\n", c->name);
        char rest[128];
        cli_words_behind(c, rest, sizeof rest);
        roff(rest);
        printf(".br\n");
    }
    printf(".SH COMMANDS\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        const char *group = NULL;
        struct cli_tables tables = {c->options, c->options ? cli_common_options : NULL, c->bit};
        printf(".SS weft %s\n", c->name);
        roff(c->about);
        cli_each_option(&tables, roff_option, &group);
    }
    for (const struct cli_topic *t = cli_topics; t->name; t++) {
        roff_title(t->title);
        if (t->intro) {
            roff(t->intro);
        }
        roff_terms(t->terms);
    }
    printf(".SH EXAMPLES\n");
    roff_terms(cli_examples);
    printf(".SH \"SEE ALSO\"\n.BR curl (1),\n.BR wget (1)\n");
    return CLI_OK;
}

/* --- Markdown --------------------------------------------------------------------------------- */

/* Text for a cell or a paragraph of Markdown. */
static void markdown(const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*_|<>[]#", *text)) {
            putchar('\\');
        }
        putchar(*text);
    }
}

static bool markdown_option(void *user, const struct cli_option *o)
{
    const char **group = user;
    if (cli_group(o) != *group) {
        *group = cli_group(o);
        printf("\n| %s | default | meaning |\n| --- | --- | --- |\n", *group);
    }
    printf("| `");
    if (o->letter) {
        printf("-%c, ", o->letter);
    }
    printf("--%s", o->name);
    for (const char *v = o->value ? o->value : ""; *v; v++) {
        /* even in code, a bar would end the cell */
        printf("%s%s%c", v == o->value ? " " : "", *v == '|' ? "\\" : "", *v);
    }
    printf("` | ");
    markdown(o->preset ? o->preset : "");
    printf(" | ");
    markdown(o->help);
    printf(" |\n");
    return true;
}

int cli_print_markdown(void)
{
    printf("# weft: commands and options\n\n"
           "Made by `weft --markdown` from the tables of the program; `weft help` prints the same "
           "at a terminal, `man weft` as a page. The test `test/cli/check_docs.sh` compares.\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        const char *group = NULL;
        struct cli_tables tables = {c->options, c->options ? cli_common_options : NULL, c->bit};
        char rest[128];
        cli_words_behind(c, rest, sizeof rest);
        printf("\n## `weft %s %s`\n\n", c->name, rest);
        markdown(c->about);
        printf("\n");
        cli_each_option(&tables, markdown_option, &group);
    }
    for (const struct cli_topic *t = cli_topics; t->name; t++) {
        printf("\n## %s\n\n", t->title);
        if (t->intro) {
            markdown(t->intro);
            printf("\n\n");
        }
        printf("| | |\n| --- | --- |\n");
        for (const struct cli_term *term = t->terms; term->term; term++) {
            printf("| `%s` | ", term->term);
            markdown(term->text);
            printf(" |\n");
        }
    }
    return CLI_OK;
}
