/* options.c -- the parser behind options.h: finds rows, checks values, stores them. */
#include "cli/options.h"

#include "cli/suggest.h"
#include <limits.h>
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
    char shown[80]; /* the option at hand, as the sentences name it */
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
}

/* --- the sentence ---------------------------------------------------------------------------- */

static enum weft_status refuse(const struct reading *r, const char *what, const char *value)
{
    snprintf(r->error, r->cap, "%s %s, not '%.200s'", r->shown, what, value);
    return WEFT_EINVAL;
}

static void list_words(const struct cli_word *words, char *text, size_t cap)
{
    size_t len = 0;
    text[0] = '\0';
    for (const struct cli_word *w = words; w->name && len < cap; w++) {
        const char *gap = w == words ? "" : w[1].name ? ", " : " or ";
        int n = snprintf(text + len, cap - len, "%s%s", gap, w->name);
        len += n > 0 ? (size_t)n : 0;
    }
}

static void say_range(const struct cli_option *o, const char *kind, const char *unit, char *text,
                      size_t cap)
{
    if (o->max > 0) {
        snprintf(text, cap, "takes %s from %g to %.15g%s", kind, o->min, o->max, unit);
    } else {
        snprintf(text, cap, "takes %s of at least %g%s", kind, o->min, unit);
    }
}

/* --- storing values -------------------------------------------------------------------------- */

static void store(void *target, size_t at, const void *value, size_t size)
{
    memcpy((char *)target + at, value, size);
}

static bool outside(const struct cli_option *o, double typed)
{
    double holds = o->kind == CLI_INT ? INT_MAX : o->kind == CLI_UNSIGNED ? UINT_MAX : 0;
    return typed < o->min || (o->max > 0 && typed > o->max) || (holds > 0 && typed > holds);
}

static enum weft_status take_whole(const struct reading *r, const struct cli_option *o,
                                   const char *value)
{
    uint64_t n;
    char range[128];
    if (cli_read_whole(value, &n) != WEFT_OK || outside(o, (double)n)) {
        say_range(o, "a whole number", "", range, sizeof range);
        return refuse(r, range, value);
    }
    int64_t stored = n == 0 ? o->zero : (int64_t)n;
    if (o->kind == CLI_UNSIGNED) {
        unsigned u = (unsigned)stored;
        store(r->target, o->at, &u, sizeof u);
    } else if (o->kind == CLI_INT) {
        int i = (int)stored;
        store(r->target, o->at, &i, sizeof i);
    } else {
        store(r->target, o->at, &n, sizeof n);
    }
    return WEFT_OK;
}

static enum weft_status take_number(const struct reading *r, const struct cli_option *o,
                                    const char *value)
{
    double n;
    char range[128];
    if (cli_read_number(value, &n) != WEFT_OK || outside(o, n)) {
        say_range(o, "a number", "", range, sizeof range);
        return refuse(r, range, value);
    }
    store(r->target, o->at, &n, sizeof n);
    return WEFT_OK;
}

static enum weft_status take_duration(const struct reading *r, const struct cli_option *o,
                                      const char *value)
{
    weft_time t;
    char range[160];
    if (cli_read_duration(value, &t) != WEFT_OK || outside(o, (double)t / 1e9)) {
        say_range(o, "a time such as 0.5, 250ms, 2s or 1m", " s", range, sizeof range);
        return refuse(r, range, value);
    }
    if (t == 0) {
        t = o->zero;
    }
    store(r->target, o->at, &t, sizeof t);
    return WEFT_OK;
}

static enum weft_status take_size(const struct reading *r, const struct cli_option *o,
                                  const char *value)
{
    uint64_t n;
    char range[128];
    if (cli_read_size(value, &n) != WEFT_OK || outside(o, (double)n)) {
        say_range(o, "a size such as 65536, 64K, 8M or 1G", " bytes", range, sizeof range);
        return refuse(r, range, value);
    }
    store(r->target, o->at, &n, sizeof n);
    return WEFT_OK;
}

static enum weft_status take_text(const struct reading *r, const struct cli_option *o,
                                  const char *value)
{
    for (const char *p = value; *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            snprintf(r->error, r->cap, "%s takes no control characters", r->shown);
            return WEFT_EINVAL;
        }
    }
    if (!*value && o->min > 0) {
        snprintf(r->error, r->cap, "%s takes a text that is not empty", r->shown);
        return WEFT_EINVAL;
    }
    if (o->kind == CLI_LIST) {
        return cli_list_add((struct cli_list *)(void *)((char *)r->target + o->at), value);
    }
    store(r->target, o->at, &value, sizeof value);
    return WEFT_OK;
}

static const struct cli_word *find_word(const struct cli_word *words, const char *text, size_t len)
{
    for (; words->name; words++) {
        if (strlen(words->name) == len && !memcmp(words->name, text, len)) {
            return words;
        }
    }
    return NULL;
}

static enum weft_status take_words(const struct reading *r, const struct cli_option *o,
                                   const char *value)
{
    char names[200], what[260];
    unsigned bits = 0;
    const char *p = value;
    for (;;) {
        size_t len = o->kind == CLI_WORDS ? strcspn(p, ",") : strlen(p);
        const struct cli_word *w = find_word(o->words, p, len);
        if (!w) {
            list_words(o->words, names, sizeof names);
            snprintf(what, sizeof what, "takes %s%s", names,
                     o->kind == CLI_WORDS ? ", several with commas between" : "");
            return refuse(r, what, value);
        }
        bits |= (unsigned)w->value;
        if (!p[len]) {
            break;
        }
        p += len + 1;
    }
    store(r->target, o->at, &bits, sizeof bits);
    return WEFT_OK;
}

static enum weft_status take_own(const struct reading *r, const struct cli_option *o,
                                 const char *value)
{
    char why[256] = "";
    enum weft_status st = o->take(r->target, o, value, why, sizeof why);
    if (st == WEFT_EINVAL) {
        snprintf(r->error, r->cap, "%s %s", r->shown, why);
    }
    return st;
}

static enum weft_status take_value(const struct reading *r, const struct cli_option *o,
                                   const char *value)
{
    switch (o->kind) {
    case CLI_UNSIGNED:
    case CLI_INT:
    case CLI_UINT64:
        return take_whole(r, o, value);
    case CLI_NUMBER:
        return take_number(r, o, value);
    case CLI_DURATION:
        return take_duration(r, o, value);
    case CLI_SIZE:
        return take_size(r, o, value);
    case CLI_TEXT:
    case CLI_LIST:
        return take_text(r, o, value);
    case CLI_CHOICE:
    case CLI_WORDS:
        return take_words(r, o, value);
    case CLI_TAKE:
        return take_own(r, o, value);
    case CLI_FLAG:
    case CLI_COUNT:
    case CLI_SET:
    case CLI_HELP:
        break;
    }
    return WEFT_EINVAL; /* not reached: these take no value */
}

static void set_flag(const struct reading *r, const struct cli_option *o)
{
    if (o->kind == CLI_FLAG) {
        bool yes = true;
        store(r->target, o->at, &yes, sizeof yes);
    } else if (o->kind == CLI_COUNT) {
        unsigned n;
        memcpy(&n, (char *)r->target + o->at, sizeof n);
        n++;
        store(r->target, o->at, &n, sizeof n);
    } else if (o->kind == CLI_SET) {
        int n = (int)o->min;
        store(r->target, o->at, &n, sizeof n);
    } else {
        r->out->help = true;
    }
}

/* Applies an option; value NULL: none was written. */
static enum weft_status apply(const struct reading *r, const struct cli_option *o,
                              const char *value)
{
    if (!cli_takes_value(o)) {
        set_flag(r, o);
    } else {
        enum weft_status st = take_value(r, o, value);
        if (st != WEFT_OK) {
            return st;
        }
    }
    if (o->given) {
        bool yes = true;
        store(r->target, o->given, &yes, sizeof yes);
    }
    return WEFT_OK;
}

/* --- the line as it will be remembered -------------------------------------------------------- */

/* Appends one word, quoted for a shell where it must be. A line too long to keep ends early. */
static enum weft_status remember(struct weft_buf *b, const char *prefix, const char *text)
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

/* --- reading ---------------------------------------------------------------------------------- */

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
        snprintf(r->error, r->cap, "%s takes no value", r->shown);
        return WEFT_EINVAL;
    }
    if (cli_takes_value(o) && !value) {
        if (r->next >= r->argc) {
            return need_value(r, o);
        }
        value = r->argv[r->next++];
    }
    enum weft_status st = apply(r, o, value);
    return st != WEFT_OK ? st : remember_option(r, o, value);
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
        st = st != WEFT_OK ? st : remember_option(r, o, value);
        if (st != WEFT_OK) {
            return st;
        }
    }
    return WEFT_OK;
}

static enum weft_status read_argument(struct reading *r, const char *text)
{
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

enum weft_status cli_parse(const struct cli_tables *tables, int argc, char **argv, int from,
                           void *target, struct cli_args *out, char *error, size_t cap)
{
    *out = (struct cli_args){0};
    error[0] = '\0';
    weft_buf_init(&out->command, LONGEST_COMMAND);
    struct reading r = {tables, argc, from, argv, target, out, error, cap, ""};
    enum weft_status st = WEFT_OK;
    for (int i = 0; i < from && st == WEFT_OK; i++) {
        st = remember(&out->command, i ? " " : "", argv[i]);
    }
    bool options_over = false;
    while (st == WEFT_OK && r.next < argc && !out->help) {
        const char *word = argv[r.next++];
        if (options_over || word[0] != '-' || !word[1]) {
            st = read_argument(&r, word);
        } else if (!strcmp(word, "--")) {
            options_over = true;
        } else {
            st = word[1] == '-' ? read_long(&r, word + 2) : read_short(&r, word + 1);
        }
    }
    if (st == WEFT_ENOMEM) {
        snprintf(error, cap, "%s", "out of memory");
    }
    return st;
}
