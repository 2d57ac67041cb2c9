/* formats.c -- the table of formats (NULL-terminated), and which of them a file name means. */
#include "store/output.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct weft_format *const formats[] = {
    &weft_format_jsonl,
    &weft_format_csv,
    &weft_format_sqlite,
    &weft_format_warc,
    &weft_format_dot,
    &weft_format_graphml,
    NULL,
};

static bool ends_in(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcasecmp(path + n - m, suffix) == 0;
}

const struct weft_format *weft_format_for(const char *path)
{
    if (strcmp(path, "-") == 0) {
        return &weft_format_jsonl;
    }
    for (const struct weft_format *const *f = formats; *f; f++) {
        for (const char *const *s = (*f)->suffixes; *s; s++) {
            if (ends_in(path, *s)) {
                return *f;
            }
        }
    }
    /* /dev/stdout, a named pipe: streams, and JSON Lines is what streams. A folder is let through
     * so that its own error is told. */
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) ? &weft_format_jsonl : NULL;
}

void weft_format_list(char *out, size_t cap)
{
    size_t n = 0;
    out[0] = '\0';
    for (const struct weft_format *const *f = formats; *f; f++) {
        for (const char *const *s = (*f)->suffixes; *s && n < cap; s++) {
            n += (size_t)snprintf(out + n, cap - n, "%s, ", *s);
        }
    }
    if (n < cap) {
        snprintf(out + n, cap - n, "- (standard output)");
    }
}
