/* config_file.c -- see config_file.h. */
#include "cli/config_file.h"

#include "base/buf.h"
#include "base/limits.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum weft_status read_all(FILE *f, struct weft_buf *b)
{
    char part[4096];
    size_t n;
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && (n = fread(part, 1, sizeof part, f)) > 0) {
        st = weft_buf_append(b, part, n);
    }
    return st == WEFT_OK && ferror(f) ? WEFT_EIO : st;
}

enum weft_status cli_config_open(struct cli_config *c, const char *path, char *error, size_t cap)
{
    *c = (struct cli_config){0};
    struct weft_buf b;
    weft_buf_init(&b, WEFT_MAX_CONFIG);
    FILE *f = fopen(path, "re");
    enum weft_status st = f ? read_all(f, &b) : WEFT_EIO;
    int why = errno;
    if (f) {
        fclose(f);
    }
    st = st == WEFT_OK ? weft_buf_append(&b, "", 1) : st;
    if (st == WEFT_EIO) {
        snprintf(error, cap, "%s: %s", path, strerror(why));
    } else if (st == WEFT_ELIMIT) {
        snprintf(error, cap, "%s: larger than %u bytes", path, WEFT_MAX_CONFIG);
    } else if (st == WEFT_OK && strlen(b.data) + 1 < b.len) {
        snprintf(error, cap, "%s: no text, it holds a NUL", path);
        st = WEFT_EINVAL;
    }
    if (st != WEFT_OK) {
        weft_buf_release(&b);
        return st == WEFT_ENOMEM ? st : WEFT_EINVAL;
    }
    c->text = c->at = b.data; /* the buffer's block, ours from here on */
    c->at += strncmp(c->at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return WEFT_OK;
}

void cli_config_release(struct cli_config *c)
{
    free(c->text);
    *c = (struct cli_config){0};
}

#define BLANKS " \t\r"

/* Cuts the blanks off its end. */
static void trim(char *text)
{
    size_t len = strlen(text);
    while (len && strchr(BLANKS, text[len - 1])) {
        text[--len] = '\0';
    }
}

/* What stands behind a name; NULL: nothing. */
static char *value_at(char *text)
{
    text += strspn(text, BLANKS);
    bool equals = *text == '=';
    text += equals;
    text += equals ? strspn(text, BLANKS) : 0;
    size_t len = strlen(text);
    if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
        text[len - 1] = '\0';
        return text + 1;
    }
    return *text || equals ? text : NULL;
}

enum weft_status cli_config_next(struct cli_config *c, char **name, char **value)
{
    while (*c->at) {
        char *line = c->at, *end = line + strcspn(line, "\n");
        c->at = *end ? end + 1 : end;
        *end = '\0';
        c->line++;
        line += strspn(line, BLANKS);
        trim(line);
        if (!*line || *line == '#') {
            continue;
        }
        line += strncmp(line, "--", 2) == 0 ? 2 : 0;
        char *behind = line + strcspn(line, BLANKS "=");
        *value = value_at(behind);
        *behind = '\0';
        *name = line;
        return WEFT_OK;
    }
    return WEFT_END;
}
