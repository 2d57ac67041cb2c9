/* corpora.c -- the runner of `make check-corpora CORPORA=folder`: a line a set, every failing id,
 * and at the end "N passed, N failed", where only cases of level must, rfc or none count. */
#include "corpora.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct corpora_set *const sets[] = {
    &set_url,           &set_url_equiv,   &set_html,         &set_charset, &set_robots,
    &set_robots_fields, &set_retry_after, &set_content_type, &set_sitemap,
};

struct tally {
    const char *level;
    unsigned passed, total;
};

const char *corpora_text(const json_t *one, const char *member, size_t *len)
{
    const json_t *s = json_object_get(one, member);
    *len = s ? json_string_length(s) : 0;
    return s ? json_string_value(s) : NULL;
}

char *corpora_base64(const json_t *one, const char *member, size_t *len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n;
    const char *text = corpora_text(one, member, &n);
    *len = 0;
    if (!text) {
        return NULL;
    }
    char *out = malloc(n + 1);
    if (!out) {
        return NULL;
    }
    unsigned bits = 0, have = 0;
    for (size_t i = 0; i < n && text[i] != '='; i++) {
        const char *d = memchr(digits, text[i], 64);
        if (!d) {
            continue;
        }
        bits = bits << 6 | (unsigned)(d - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[(*len)++] = (char)(bits >> have & 0xff);
        }
    }
    return out;
}

static bool counts(const char *level)
{
    return !strcmp(level, "") || !strcmp(level, "must") || !strcmp(level, "rfc");
}

/* Adds one verdict to the tally of its level; false when the table is full. */
static bool tally_add(struct tally *t, size_t *n, size_t cap, const char *level, bool ok)
{
    size_t i = 0;
    while (i < *n && strcmp(t[i].level, level) != 0) {
        i++;
    }
    if (i == *n) {
        if (*n == cap) {
            return false;
        }
        t[(*n)++] = (struct tally){.level = level};
    }
    t[i].passed += ok;
    t[i].total++;
    return true;
}

/* Level names live as long as the program: the few that the corpora use. */
static const char *level_name(const json_t *one)
{
    static const char *const known[] = {"must", "rfc", "should", "common", "ext", "choice"};
    const char *level = json_string_value(json_object_get(one, "level"));
    for (size_t i = 0; level && i < sizeof known / sizeof known[0]; i++) {
        if (!strcmp(level, known[i])) {
            return known[i];
        }
    }
    return level ? "other" : "";
}

/* A set's file, or NULL. */
static FILE *open_set(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, name);
    return fopen(path, "rb");
}

static void say_skipped(const char *folder, const char *name)
{
    printf("%s: skipped (%s/%s.jsonl: %s)\n", name, folder, name, strerror(errno));
}

static void run_set(const struct corpora_set *set, FILE *f, unsigned *passed, unsigned *failed)
{
    struct tally tallies[8];
    size_t ntallies = 0;
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    while ((len = getline(&line, &cap, f)) > 0) {
        json_error_t e;
        json_t *one = json_loadb(line, (size_t)len, JSON_ALLOW_NUL, &e);
        if (!one) {
            printf("  %s: unreadable line: %s\n", set->name, e.text);
            (*failed)++;
            continue;
        }
        char why[512] = "";
        bool ok = set->judge(one, why, sizeof why);
        const char *level = level_name(one);
        tally_add(tallies, &ntallies, sizeof tallies / sizeof tallies[0], level, ok);
        if (!ok) {
            printf("  %s%s%s %s: %s\n", set->name, *level ? " " : "", level,
                   json_string_value(json_object_get(one, "id")), why);
        }
        if (counts(level)) {
            *(ok ? passed : failed) += 1;
        }
        json_decref(one);
    }
    free(line);
    printf("%s", set->name);
    for (size_t i = 0; i < ntallies; i++) {
        printf(" %s%s%u/%u", tallies[i].level, *tallies[i].level ? " " : "", tallies[i].passed,
               tallies[i].total);
    }
    printf("\n");
}

/* The set html_docs: what is to be done with it is another thing than with the others. */
static void run_docs(const char *folder, const char *documents, unsigned *passed, unsigned *failed)
{
    FILE *f = open_set(folder, "html_docs");
    if (!f) {
        say_skipped(folder, "html_docs");
        return;
    }
    if (documents) {
        corpora_docs(f, documents, passed, failed);
    } else {
        printf("html_docs: skipped (with DOCS=1 its documents are fetched from Debian)\n");
    }
    fclose(f);
}

/* Usage: corpora FOLDER [DOCUMENTS], or corpora --packages FOLDER (see scripts/check-docs). */
int main(int argc, char **argv)
{
    if (argc < 2 || !*argv[1]) {
        printf("CORPORA is not set: name the folder of the conformance data to judge by it\n"
               "0 passed, 0 failed\n");
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--packages") == 0) {
        FILE *f = open_set(argv[2], "html_docs");
        if (f) {
            corpora_docs_packages(f);
            fclose(f);
        }
        return f ? 0 : 1;
    }
    unsigned passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        FILE *f = open_set(argv[1], sets[i]->name);
        if (f) {
            run_set(sets[i], f, &passed, &failed);
            fclose(f);
        } else {
            say_skipped(argv[1], sets[i]->name);
        }
    }
    run_docs(argv[1], argc > 2 ? argv[2] : NULL, &passed, &failed);
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
