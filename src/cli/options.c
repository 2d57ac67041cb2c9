/* options.c -- the parser behind options.h: reads words, finds their rows, keeps the line. What a
 * value means is said in option_value.c. */
#include "cli/options.h"

#include "cli/config_file.h"
#include "cli/option_value.h"
#include "cli/suggest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_COMMAND (1u << 20) /* of the quoted line; a longer one is cut, not refused */

/* One command line being read. */
struct reading {
    const struct cli_tables *tables;
    int argc, next; /* argv[next] has not been read */
    char **argv;
    void *target;
    struct cli_args *out;
    char *error;
    size_t cap;
    char shown[80];         /* the option at hand, as the sentences name it */
    bool looking;           /* for files of options alone: nothing else of the line counts yet */
    enum weft_status files; /* what came of these */
};

/* What cli_each_option looks for. */
struct wanted {
    const char *name; /* of len bytes, or NULL to go by letter */
    size_t len;
    char letter;
    const struct cli_option *found;
    struct cli_suggestion *suggestion;
};

bool cli_takes_value(const struct cli_option *o)
{
    return o->kind != CLI_FLAG && o->kind != CLI_COUNT && o->kind != CLI_SET && o->kind != CLI_HELP;
}

const char *cli_group(const struct cli_option *o)
{
    while (!o->group) {
        o--;
    }
    return o->group;
}

void cli_each_option(const struct cli_tables *tables,
                     bool (*see)(void *user, const struct cli_option *o), void *user)
{
    const struct cli_option *const all[] = {tables->rows, tables->common};
    for (size_t i = 0; i < 2; i++) {
        for (const struct cli_option *o = all[i]; o && o->name; o++) {
            if ((!o->commands || o->commands & tables->bit) && !see(user, o)) {
                return;
            }
        }
    }
}

static bool see_wanted(void *user, const struct cli_option *o)
{
    struct wanted *w = user;
    if (w->name ? strlen(o->name) == w->len && !memcmp(o->name, w->name, w->len)
                : o->letter == w->letter) {
        w->found = o;
        return false;
    }
    if (w->suggestion) {
        cli_suggest(w->suggestion, o->name);
    }
    return true;
}

enum weft_status cli_list_add(struct cli_list *list, const char *text)
{
    /* Capacities are powers of two, so they need not be kept: grow when count + 1 reaches one. */
    size_t used = list->count + 1;
    if (!list->items || !(used & (used - 1))) {
        const char **items = realloc(list->items, 2 * used * sizeof *items);
        if (!items) {
            return WEFT_ENOMEM;
        }
        list->items = items;
    }
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
    return WEFT_OK;
}

void cli_list_release(struct cli_list *list)
{
    free(list->items);
    *list = (struct cli_list){0};
}

void cli_args_release(struct cli_args *args)
{
    free(args->items);
    weft_buf_release(&args->command);
    args->items = NULL;
    args->count = 0;
    cli_list_release(&args->files);
    for (size_t i = 0; i < args->texts.count; i++) {
        free((char *)(uintptr_t)args->texts.items[i]);
    }
    cli_list_release(&args->texts);
}

/* --- the line as it will be remembered -------------------------------------------------------- */

/* The password in the http(s) URL that begins at text, as the URL Standard finds it: between the
 * first colon and the last @ of what is before the path. NULL: there is none. */
static const char *find_password(const char *text, size_t *len)
{
    text += strcspn(text, ":") + 1;
    text += strspn(text, "/\\");
    const char *at = memrchr(text, '@', strcspn(text, "/\\?#"));
    const char *colon = at ? memchr(text, ':', (size_t)(at - text)) : NULL;
    *len = colon ? (size_t)(at - colon - 1) : 0;
    return *len ? colon + 1 : NULL;
}

/* Appends the text, and *** for the password of each http(s) URL in it. */
static enum weft_status mask(struct weft_buf *b, const char *text)
{
    enum weft_status st = WEFT_OK;
    const char *url = text;
    while (st == WEFT_OK && (url = strcasestr(url, "http"))) {
        size_t len, s = url[4] == 's' || url[4] == 'S';
        const char *password = url[4 + s] == ':' ? find_password(url, &len) : NULL;
        url += 4;
        if (password) {
            st = weft_buf_append(b, text, (size_t)(password - text));
            st = st == WEFT_OK ? weft_buf_puts(b, "***") : st;
            text = url = password + len;
        }
    }
    return st == WEFT_OK ? weft_buf_puts(b, text) : st;
}

/* Appends one word, quoted for a shell where it must be. A line too long to keep ends early. */
static enum weft_status quote(struct weft_buf *b, const char *prefix, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+,./:@%*";
    enum weft_status st = weft_buf_puts(b, prefix);
    if (*text && !text[strspn(text, plain)]) {
        return st != WEFT_OK ? st : weft_buf_puts(b, text);
    }
    st = st != WEFT_OK ? st : weft_buf_puts(b, "'");
    while (st == WEFT_OK && *text) {
        size_t len = strcspn(text, "'");
        st = weft_buf_append(b, text, len);
        text += len;
        if (st == WEFT_OK && *text) {
            st = weft_buf_puts(b, "'\\''");
            text++;
        }
    }
    return st != WEFT_OK ? st : weft_buf_puts(b, "'");
}

static enum weft_status remember(struct weft_buf *b, const char *prefix, const char *text)
{
    struct weft_buf shown;
    weft_buf_init(&shown, LONGEST_COMMAND);
    enum weft_status st = mask(&shown, text);
    st = st == WEFT_OK ? quote(b, prefix, shown.len ? shown.data : "") : st;
    weft_buf_release(&shown);
    return st;
}

static enum weft_status remember_option(const struct reading *r, const struct cli_option *o,
                                        const char *value)
{
    struct weft_buf *b = &r->out->command;
    enum weft_status st = weft_buf_printf(b, " --%s", o->name);
    if (st == WEFT_OK && value) {
        st = remember(b, "=", o->secret ? "***" : value);
    }
    return st == WEFT_ELIMIT ? WEFT_OK : st;
}

/* --- refusals --------------------------------------------------------------------------------- */

static enum weft_status unknown(const struct reading *r, const char *name, size_t len)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(len < sizeof typed ? len : sizeof typed - 1), name);
    struct cli_suggestion s = {.typed = typed};
    struct wanted w = {.name = "", .suggestion = &s};
    cli_each_option(r->tables, see_wanted, &w);
    if (s.best) {
        snprintf(r->error, r->cap, "there is no option --%s; did you mean --%s?", typed, s.best);
    } else {
        snprintf(r->error, r->cap, "there is no option --%s", typed);
    }
    return WEFT_EINVAL;
}

static enum weft_status need_value(const struct reading *r, const struct cli_option *o)
{
    snprintf(r->error, r->cap, "%s needs a value: %s", r->shown, o->value ? o->value : "VALUE");
    return WEFT_EINVAL;
}

static enum weft_status no_value(const struct reading *r)
{
    snprintf(r->error, r->cap, "%s takes no value", r->shown);
    return WEFT_EINVAL;
}

/* --- files of options ------------------------------------------------------------------------- */

/* Whether another command that shares the table has an option of this name. */
static bool is_anothers(const struct reading *r, const char *name)
{
    for (const struct cli_option *o = r->tables->rows; o && o->name; o++) {
        if (!strcmp(o->name, name)) {
            return true;
        }
    }
    return false;
}

static enum weft_status take_line(struct reading *r, const char *name, const char *value)
{
    struct wanted w = {.name = name, .len = strlen(name)};
    cli_each_option(r->tables, see_wanted, &w);
    const struct cli_option *o = w.found;
    if (!o) {
        return is_anothers(r, name) ? WEFT_OK : unknown(r, name, w.len);
    }
    snprintf(r->shown, sizeof r->shown, "--%s", o->name);
    if (o->kind == CLI_HELP || o->kind == CLI_CONFIG) {
        snprintf(r->error, r->cap, "%s has no place in a file", r->shown);
        return WEFT_EINVAL;
    }
    if (cli_takes_value(o) != (value != NULL)) {
        return value ? no_value(r) : need_value(r, o);
    }
    const struct cli_taking t = {r->target, r->shown, r->error, r->cap};
    return cli_option_take(&t, o, value);
}

static enum weft_status take_file(struct reading *r, const char *path)
{
    struct cli_config c;
    char *name, *value, why[256];
    enum weft_status st = cli_config_open(&c, path, r->error, r->cap);
    st = st == WEFT_OK ? cli_list_add(&r->out->files, path) : st;
    st = st == WEFT_OK ? cli_list_add(&r->out->texts, c.text) : st;
    if (st != WEFT_OK) {
        snprintf(why, sizeof why, "%s", r->error);
        snprintf(r->error, r->cap, "%s: %s", r->shown, why);
        cli_config_release(&c);
        return st;
    }
    while (st == WEFT_OK && cli_config_next(&c, &name, &value) == WEFT_OK) {
        st = take_line(r, name, value);
    }
    if (st == WEFT_EINVAL) {
        snprintf(why, sizeof why, "%s", r->error);
        snprintf(r->error, r->cap, "%.200s:%u: %s", path, c.line, why);
    }
    return st; /* the text stays: it is out's */
}

/* --- reading ---------------------------------------------------------------------------------- */

static enum weft_status apply(struct reading *r, const struct cli_option *o, const char *value)
{
    if (o->kind == CLI_HELP) {
        r->out->help = true;
    }
    if (r->looking) {
        r->files = o->kind == CLI_CONFIG ? take_file(r, value) : WEFT_OK;
        return r->files;
    }
    const struct cli_taking t = {r->target, r->shown, r->error, r->cap};
    enum weft_status st = o->kind == CLI_CONFIG ? WEFT_OK : cli_option_take(&t, o, value);
    return st != WEFT_OK ? st : remember_option(r, o, value);
}

static enum weft_status read_long(struct reading *r, const char *name)
{
    size_t len = strcspn(name, "=");
    const char *value = name[len] ? name + len + 1 : NULL;
    struct wanted w = {.name = name, .len = len};
    cli_each_option(r->tables, see_wanted, &w);
    const struct cli_option *o = w.found;
    if (!o) {
        return unknown(r, name, len);
    }
    snprintf(r->shown, sizeof r->shown, "--%s", o->name);
    if (!cli_takes_value(o) && value) {
        return no_value(r);
    }
    if (cli_takes_value(o) && !value) {
        if (r->next >= r->argc) {
            return need_value(r, o);
        }
        value = r->argv[r->next++];
    }
    return apply(r, o, value);
}

/* A cluster: -qvj4. */
static enum weft_status read_short(struct reading *r, const char *letters)
{
    while (*letters && !r->out->help) {
        struct wanted w = {.letter = *letters};
        cli_each_option(r->tables, see_wanted, &w);
        const struct cli_option *o = w.found;
        if (!o) {
            snprintf(r->error, r->cap, "there is no option -%c", *letters);
            return WEFT_EINVAL;
        }
        snprintf(r->shown, sizeof r->shown, "-%c (--%s)", o->letter, o->name);
        letters++;
        const char *value = NULL;
        if (cli_takes_value(o)) {
            if (!*letters && r->next >= r->argc) {
                return need_value(r, o);
            }
            value = *letters ? letters : r->argv[r->next++];
            letters = "";
        }
        enum weft_status st = apply(r, o, value);
        if (st != WEFT_OK) {
            return st;
        }
    }
    return WEFT_OK;
}

static enum weft_status read_argument(struct reading *r, const char *text)
{
    if (r->looking) {
        return WEFT_OK;
    }
    struct cli_list list = {r->out->items, r->out->count};
    enum weft_status st = cli_list_add(&list, text);
    r->out->items = list.items;
    r->out->count = list.count;
    if (st == WEFT_OK) {
        st = remember(&r->out->command, " ", text);
        st = st == WEFT_ELIMIT ? WEFT_OK : st;
    }
    return st;
}

static enum weft_status read_words(struct reading *r)
{
    enum weft_status st = WEFT_OK;
    bool options_over = false;
    while (st == WEFT_OK && r->next < r->argc && !r->out->help) {
        const char *word = r->argv[r->next++];
        if (options_over || word[0] != '-' || !word[1]) {
            st = read_argument(r, word);
        } else if (!strcmp(word, "--")) {
            options_over = true;
        } else {
            st = word[1] == '-' ? read_long(r, word + 2) : read_short(r, word + 1);
        }
    }
    return st;
}

/* Finds the files of options and reads them. What else is wrong with the line is told later. */
static enum weft_status read_files(struct reading line)
{
    line.looking = true;
    if (read_words(&line) != WEFT_OK && line.files != WEFT_OK) {
        return line.files;
    }
    line.out->help = false;
    line.error[0] = '\0';
    return WEFT_OK;
}

enum weft_status cli_parse(const struct cli_tables *tables, int argc, char **argv, int from,
                           void *target, struct cli_args *out, char *error, size_t cap)
{
    *out = (struct cli_args){0};
    error[0] = '\0';
    weft_buf_init(&out->command, LONGEST_COMMAND);
    struct reading r = {.tables = tables,
                        .argc = argc,
                        .next = from,
                        .argv = argv,
                        .target = target,
                        .out = out,
                        .error = error,
                        .cap = cap};
    enum weft_status st = read_files(r);
    for (int i = 0; i < from && st == WEFT_OK; i++) {
        st = remember(&out->command, i ? " " : "", argv[i]);
    }
    st = st == WEFT_OK ? read_words(&r) : st;
    if (st == WEFT_ENOMEM) {
        snprintf(error, cap, "%s", "out of memory");
    }
    return st;
}
