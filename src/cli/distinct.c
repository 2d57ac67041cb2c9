/* distinct.c -- see distinct.h. */
#include "cli/distinct.h"

#include "store/same_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN, RECORDS, COOKIES }; /* what files may share */

/* What a descriptor leads to is the shell's choice, and nothing is opened or emptied by us. */
static bool is_stream(const char *path)
{
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") ||
           !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/self/fd/", 14);
}

/* What may be destroyed under that name; NULL: nothing. A list on standard input may be a file. */
static const char *name_of(const struct cli_file *f)
{
    if (!f->path || (f->written && is_stream(f->path))) {
        return NULL;
    }
    return strcmp(f->path, "-") == 0 ? "/dev/stdin" : f->path;
}

static bool clash(const struct cli_file *a, const struct cli_file *b)
{
    const char *x = name_of(a), *y = name_of(b);
    return x && y && (a->written || b->written) && (!a->shares || a->shares != b->shares) &&
           weft_same_file(x, y);
}

enum weft_status cli_distinct(const struct cli_file *files, size_t n, char *error, size_t cap)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            if (clash(&files[i], &files[k])) {
                snprintf(error, cap, "%s %.200s and %s %.200s are the same file: give each its own",
                         files[i].option, files[i].path, files[k].option, files[k].path);
                return WEFT_EINVAL;
            }
        }
    }
    return WEFT_OK;
}

static void add_list(struct cli_file *files, size_t *n, const struct cli_list *list,
                     struct cli_file as)
{
    for (size_t i = 0; i < list->count; i++) {
        as.path = list->items[i];
        files[(*n)++] = as;
    }
}

enum weft_status cli_distinct_crawl(const struct cli_crawl *o, const struct cli_args *args,
                                    char *error, size_t cap)
{
    const struct weft_crawl_options *c = &o->crawl;
    const struct cli_file single[] = {
        {"--cacert", c->net.ca_file, false, OWN},
        {"-b", cli_cookie_file(o), false, COOKIES}, /* read before -c is written, as curl has it */
        {"-c", c->net.cookie_jar, true, COOKIES},
        {"--state", c->state_file, true, RECORDS}, /* the records are in there, so -o may name it */
        {"--changes", c->changes_file, true, OWN},
        {"--save", c->save_dir, true, OWN},
        {"--trace", c->trace_file, true, OWN},
        {"--summary-json", o->summary_json, true, OWN},
    };
    size_t n = 0, nsingle = sizeof single / sizeof *single;
    struct cli_file *files = calloc(
        nsingle + o->inputs.count + o->outputs.count + args->files.count, sizeof *files);
    if (!files) {
        return WEFT_ENOMEM;
    }
    add_list(files, &n, &args->files, (struct cli_file){"--config", NULL, false, OWN});
    add_list(files, &n, &o->inputs, (struct cli_file){"-i", NULL, false, OWN});
    /* One output given twice is for the writer to refuse, which also has callers of its own. */
    add_list(files, &n, &o->outputs, (struct cli_file){"-o", NULL, true, RECORDS});
    memcpy(files + n, single, sizeof single);
    enum weft_status st = cli_distinct(files, n + nsingle, error, cap);
    free(files);
    return st;
}
