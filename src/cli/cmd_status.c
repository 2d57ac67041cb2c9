/* cmd_status.c -- weft status: what a state file holds. */
#include "cli/command.h"
#include "cli/console.h"
#include "store/state_status.h"

#include <errno.h>
#include <string.h>

#define LONGEST ((size_t)1 << 24)

/* Appends a fact as a line, its section before it. */
static enum weft_status put_fact(void *user, const char *section, const char *name,
                                 const char *value)
{
    struct weft_buf *b = user;
    enum weft_status st = WEFT_OK;
    if (section) {
        st = weft_buf_printf(b, "%s%s\n", b->len ? "\n" : "", section);
    }
    st = st == WEFT_OK ? weft_buf_puts(b, "  ") : st;
    st = st == WEFT_OK ? cli_escape(b, name, strlen(name)) : st;
    for (size_t n = strlen(name); st == WEFT_OK && *value && n < 24; n++) {
        st = weft_buf_puts(b, " ");
    }
    st = st == WEFT_OK && *value ? weft_buf_puts(b, " ") : st;
    st = st == WEFT_OK ? cli_escape(b, value, strlen(value)) : st;
    return st == WEFT_OK ? weft_buf_puts(b, "\n") : st;
}

static int tell(const char *path)
{
    struct weft_buf b;
    struct weft_failure failure = {""};
    int code = CLI_OK;
    weft_buf_init(&b, LONGEST);
    enum weft_status st = weft_state_tell(path, put_fact, &b, &failure);
    if (st != WEFT_OK) {
        cli_say("%s", failure.text[0] ? failure.text : weft_strerror(st));
        code = st == WEFT_ENOMEM ? CLI_NOTHING : CLI_OUTPUT;
    } else if (cli_put(b.data, b.len) != WEFT_OK) {
        cli_say("standard output: %s", strerror(errno));
        code = CLI_OUTPUT;
    }
    weft_buf_release(&b);
    return code;
}

int cmd_status(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {0};
    int code;
    char unused = 0;
    if (cli_begin(self, argc, argv, &unused, &args, &code)) {
        if (args.count != 1) {
            cli_say("status: name one state file");
            code = CLI_USAGE;
        } else {
            code = tell(args.items[0]);
        }
    }
    cli_args_release(&args);
    return code;
}
