/* option_value.c -- one option's value: checked against its row, stored in its field, refused in a
 * sentence. Knows rows and texts; knows nothing of where the text stood. */
#include "cli/option_value.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static enum weft_status refuse(const struct cli_taking *t, const char *what, const char *value)
{
    snprintf(t->error, t->cap, "%s %s, not '%.200s'", t->shown, what, value);
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

static void store(void *target, size_t at, const void *value, size_t size)
{
    memcpy((char *)target + at, value, size);
}

static bool outside(const struct cli_option *o, double typed)
{
    double holds = o->kind == CLI_INT ? INT_MAX : o->kind == CLI_UNSIGNED ? UINT_MAX : 0;
    return typed < o->min || (o->max > 0 && typed > o->max) || (holds > 0 && typed > holds);
}

static enum weft_status take_whole(const struct cli_taking *t, const struct cli_option *o,
                                   const char *value)
{
    uint64_t n;
    char range[128];
    if (cli_read_whole(value, &n) != WEFT_OK || outside(o, (double)n)) {
        say_range(o, "a whole number", "", range, sizeof range);
        return refuse(t, range, value);
    }
    int64_t stored = n == 0 ? o->zero : (int64_t)n;
    if (o->kind == CLI_UNSIGNED) {
        unsigned u = (unsigned)stored;
        store(t->target, o->at, &u, sizeof u);
    } else if (o->kind == CLI_INT) {
        int i = (int)stored;
        store(t->target, o->at, &i, sizeof i);
    } else {
        store(t->target, o->at, &n, sizeof n);
    }
    return WEFT_OK;
}

static enum weft_status take_number(const struct cli_taking *t, const struct cli_option *o,
                                    const char *value)
{
    double n;
    char range[128];
    if (cli_read_number(value, &n) != WEFT_OK || outside(o, n)) {
        say_range(o, "a number", "", range, sizeof range);
        return refuse(t, range, value);
    }
    store(t->target, o->at, &n, sizeof n);
    return WEFT_OK;
}

static enum weft_status take_duration(const struct cli_taking *t, const struct cli_option *o,
                                      const char *value)
{
    weft_time time;
    char range[160];
    if (cli_read_duration(value, &time) != WEFT_OK || outside(o, (double)time / 1e9)) {
        say_range(o, "a time such as 0.5, 250ms, 2s or 1m", " s", range, sizeof range);
        return refuse(t, range, value);
    }
    if (time == 0) {
        time = o->zero;
    }
    store(t->target, o->at, &time, sizeof time);
    return WEFT_OK;
}

static enum weft_status take_size(const struct cli_taking *t, const struct cli_option *o,
                                  const char *value)
{
    uint64_t n;
    char range[128];
    if (cli_read_size(value, &n) != WEFT_OK || outside(o, (double)n)) {
        say_range(o, "a size such as 65536, 64K, 8M or 1G", " bytes", range, sizeof range);
        return refuse(t, range, value);
    }
    store(t->target, o->at, &n, sizeof n);
    return WEFT_OK;
}

static enum weft_status take_text(const struct cli_taking *t, const struct cli_option *o,
                                  const char *value)
{
    for (const char *p = value; *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            snprintf(t->error, t->cap, "%s takes no control characters", t->shown);
            return WEFT_EINVAL;
        }
    }
    if (!*value && o->min > 0) {
        snprintf(t->error, t->cap, "%s takes a text that is not empty", t->shown);
        return WEFT_EINVAL;
    }
    if (o->kind == CLI_LIST) {
        return cli_list_add((struct cli_list *)(void *)((char *)t->target + o->at), value);
    }
    store(t->target, o->at, &value, sizeof value);
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

static enum weft_status take_words(const struct cli_taking *t, const struct cli_option *o,
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
            return refuse(t, what, value);
        }
        bits |= (unsigned)w->value;
        if (!p[len]) {
            break;
        }
        p += len + 1;
    }
    store(t->target, o->at, &bits, sizeof bits);
    return WEFT_OK;
}

static enum weft_status take_own(const struct cli_taking *t, const struct cli_option *o,
                                 const char *value)
{
    char why[256] = "";
    enum weft_status st = o->take(t->target, o, value, why, sizeof why);
    if (st == WEFT_EINVAL) {
        snprintf(t->error, t->cap, "%s %s", t->shown, why);
    }
    return st;
}

static enum weft_status take_value(const struct cli_taking *t, const struct cli_option *o,
                                   const char *value)
{
    switch (o->kind) {
    case CLI_UNSIGNED:
    case CLI_INT:
    case CLI_UINT64:
        return take_whole(t, o, value);
    case CLI_NUMBER:
        return take_number(t, o, value);
    case CLI_DURATION:
        return take_duration(t, o, value);
    case CLI_SIZE:
        return take_size(t, o, value);
    case CLI_TEXT:
    case CLI_LIST:
        return take_text(t, o, value);
    case CLI_CHOICE:
    case CLI_WORDS:
        return take_words(t, o, value);
    case CLI_TAKE:
        return take_own(t, o, value);
    case CLI_FLAG:
    case CLI_COUNT:
    case CLI_SET:
    case CLI_HELP:
    case CLI_CONFIG:
        break;
    }
    return WEFT_EINVAL; /* not reached: these take no value */
}

static void set_flag(const struct cli_taking *t, const struct cli_option *o)
{
    if (o->kind == CLI_FLAG) {
        bool yes = true;
        store(t->target, o->at, &yes, sizeof yes);
    } else if (o->kind == CLI_COUNT) {
        unsigned n;
        memcpy(&n, (char *)t->target + o->at, sizeof n);
        n++;
        store(t->target, o->at, &n, sizeof n);
    } else if (o->kind == CLI_SET) {
        int n = (int)o->min;
        store(t->target, o->at, &n, sizeof n);
    }
}

enum weft_status cli_option_take(const struct cli_taking *t, const struct cli_option *o,
                                 const char *value)
{
    if (!cli_takes_value(o)) {
        set_flag(t, o);
    } else {
        enum weft_status st = take_value(t, o, value);
        if (st != WEFT_OK) {
            return st;
        }
    }
    if (o->given) {
        bool yes = true;
        store(t->target, o->given, &yes, sizeof yes);
    }
    return WEFT_OK;
}
