/* completion.c -- shell completions from the tables: bash, zsh, fish. */
#include "cli/command.h"
#include "cli/console.h"

#include <stdio.h>
#include <string.h>

/* Text inside single quotes of a shell; a quote in it ends them, is escaped, and starts them again.
 * zsh's _arguments also takes a meaning from brackets and colons: those are escaped for it. */
static void quoted(const char *text, bool zsh)
{
    for (; *text; text++) {
        if (*text == '\'') {
            printf("'\\''");
        } else if (zsh && strchr("[]:\\", *text)) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

/* The first sentence of a help text, for a menu. */
static void first_sentence(const char *text, char *out, size_t cap)
{
    const char *end = strstr(text, ". ");
    snprintf(out, cap, "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
    size_t len = strlen(out);
    if (len && out[len - 1] == '.') {
        out[len - 1] = '\0';
    }
}

static bool is_file(const struct cli_option *o)
{
    return o->value && (strstr(o->value, "FILE") || !strcmp(o->value, "DIR"));
}

/* --- bash ------------------------------------------------------------------------------------- */

static bool bash_name(void *user, const struct cli_option *o)
{
    (void)user;
    printf(" --%s", o->name);
    return true;
}

static bool bash_value(void *user, const struct cli_option *o)
{
    (void)user;
    if (!cli_takes_value(o)) {
        return true;
    }
    printf("        --%s", o->name);
    if (o->letter) {
        printf("|-%c", o->letter);
    }
    printf(") ");
    if (o->words) {
        printf("COMPREPLY=($(compgen -W '");
        for (const struct cli_word *w = o->words; w->name; w++) {
            printf("%s%s", w == o->words ? "" : " ", w->name);
        }
        printf("' -- \"$cur\"))");
    } else if (is_file(o)) {
        printf("COMPREPLY=($(compgen -f -- \"$cur\"))");
    } else {
        printf(":"); /* nothing to offer */
    }
    printf("; return ;;\n");
    return true;
}

static void print_bash(void)
{
    printf("# bash completion of weft; made by weft --completion bash\n"
           "_weft() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        printf("%s ", c->name);
    }
    printf("--help --version' -- \"$cur\")); return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        struct cli_tables tables = cli_tables_of(c);
        printf("    %s)\n        case $prev in\n", c->name);
        cli_each_option(&tables, bash_value, NULL);
        printf("        esac\n        case $cur in\n"
               "        -*) COMPREPLY=($(compgen -W '");
        cli_each_option(&tables, bash_name, NULL);
        printf("' -- \"$cur\")) ;;\n        *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
               "        esac ;;\n");
    }
    printf("    esac\n}\ncomplete -o filenames -F _weft weft\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static bool zsh_option(void *user, const struct cli_option *o)
{
    (void)user;
    char help[256];
    first_sentence(o->help, help, sizeof help);
    bool again = o->kind == CLI_LIST || o->kind == CLI_TAKE || o->kind == CLI_COUNT;
    for (int i = o->letter ? 0 : 1; i < 2; i++) {
        printf("        '%s", again ? "*" : "");
        if (i == 0) {
            printf("-%c%s", o->letter, cli_takes_value(o) ? "+" : "");
        } else {
            printf("--%s%s", o->name, cli_takes_value(o) ? "=" : "");
        }
        printf("[");
        quoted(help, true);
        printf("]");
        if (cli_takes_value(o)) {
            printf(":");
            quoted(o->value, true);
            printf(":");
            for (const struct cli_word *w = o->words; w && w->name; w++) {
                printf("%s%s", w == o->words ? "(" : " ", w->name);
            }
            printf("%s", o->words ? ")" : is_file(o) ? "_files" : "");
        }
        printf("' \\\n");
    }
    return true;
}

static void print_zsh(void)
{
    printf("#compdef weft\n# zsh completion of weft; made by weft --completion zsh\n"
           "if (( CURRENT == 2 )); then\n    local -a commands=(\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        printf("        '%s:", c->name);
        quoted(c->summary, true);
        printf("'\n");
    }
    printf("    )\n    _describe command commands\n    return\nfi\n"
           "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        struct cli_tables tables = cli_tables_of(c);
        printf("%s)\n    _arguments -s -S \\\n", c->name);
        cli_each_option(&tables, zsh_option, NULL);
        printf("        '*: :_files' ;;\n");
    }
    printf("esac\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

static bool fish_option(void *user, const struct cli_option *o)
{
    const struct cli_command *c = user;
    char help[256];
    first_sentence(o->help, help, sizeof help);
    printf("complete -c weft -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter) {
        printf(" -s %c", o->letter);
    }
    if (o->words) {
        printf(" -x -a '");
        for (const struct cli_word *w = o->words; w->name; w++) {
            printf("%s%s", w == o->words ? "" : " ", w->name);
        }
        printf("'");
    } else if (cli_takes_value(o)) {
        printf(is_file(o) ? " -r -F" : " -x");
    }
    printf(" -d '");
    /* inside fish's single quotes only \ and ' are special, and both take a backslash */
    for (const char *p = help; *p; p++) {
        printf("%s%c", *p == '\'' || *p == '\\' ? "\\" : "", *p);
    }
    printf("'\n");
    return true;
}

static void print_fish(void)
{
    printf("# fish completion of weft; made by weft --completion fish\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        struct cli_tables tables = cli_tables_of(c);
        printf("complete -c weft -n __fish_use_subcommand -a %s -d '%s'\n", c->name, c->summary);
        cli_each_option(&tables, fish_option, (void *)(uintptr_t)c);
    }
}

int cli_print_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (!strcmp(shell, shells[i].name)) {
            shells[i].print();
            return CLI_OK;
        }
    }
    cli_say("--completion takes bash, zsh or fish, not '%s'", shell);
    return CLI_USAGE;
}
