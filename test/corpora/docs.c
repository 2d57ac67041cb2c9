/* docs.c -- judges the set "html_docs": documents of Debian packages, which scripts/check-docs has
 * unpacked below a folder. Of each the different URLs of anchors, and of all kinds of links, are
 * compared by their number and by the SHA-256 of their sorted list. A document that is not there,
 * or not the one that the set means, says nothing and is skipped. */
#include "corpora.h"

#include "text/charset.h"
#include "text/html.h"
#include "weft/page.h"
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define URL_CAP (64 << 10)

static const char *text(const json_t *one, const char *member)
{
    const char *s = json_string_value(json_object_get(one, member));
    return s ? s : "";
}

static void finish_sha256(struct sha256_ctx *sum, char hex[2 * SHA256_DIGEST_SIZE + 1])
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(sum, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
}

/* The URLs of one document: all links of the page, or only its anchors. */
struct list {
    char **urls;
    size_t n, cap;
    struct weft_url base;
    const struct weft_charset *charset;
};

static void add(struct list *l, const char *url, size_t len)
{
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 64;
        l->urls = realloc(l->urls, l->cap * sizeof *l->urls);
        if (!l->urls) {
            abort();
        }
    }
    if (!(l->urls[l->n++] = strndup(url, len))) {
        abort();
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether the list, sorted and without repeats, has that number and sum. Empties it. */
static bool is_list(struct list *l, const json_t *one, const char *number, const char *sum,
                    char *why, size_t cap)
{
    char hex[2 * SHA256_DIGEST_SIZE + 1];
    struct sha256_ctx ctx;
    json_int_t n = 0, wanted = json_integer_value(json_object_get(one, number));
    sha256_init(&ctx);
    if (l->n) {
        qsort(l->urls, l->n, sizeof *l->urls, compare);
    }
    for (size_t i = 0; i < l->n; i++) {
        if (i == 0 || strcmp(l->urls[i], l->urls[i - 1]) != 0) {
            sha256_update(&ctx, strlen(l->urls[i]), (const uint8_t *)l->urls[i]);
            sha256_update(&ctx, 1, (const uint8_t *)"\n");
            n++;
        }
    }
    for (size_t i = 0; i < l->n; i++) {
        free(l->urls[i]);
    }
    free(l->urls);
    *l = (struct list){.base = l->base, .charset = l->charset};
    finish_sha256(&ctx, hex);
    if (n != wanted || strcmp(hex, text(one, sum)) != 0) {
        snprintf(why, cap, "%s: %lld URLs, not %lld, or others", number, (long long)n,
                 (long long)wanted);
        return false;
    }
    return true;
}

static void on_link(void *user, const struct weft_html_link *link)
{
    static char buf[URL_CAP];
    struct list *l = user;
    struct weft_url url;
    if ((link->kind == WEFT_LINK_A || link->kind == WEFT_LINK_AREA) &&
        weft_url_parse(&url, buf, sizeof buf, &l->base, link->value, link->len, l->charset) ==
            WEFT_OK) {
        add(l, buf, url.fragment_at);
    }
}

static bool judge_page(const json_t *one, const struct weft_page *page, char *why, size_t cap)
{
    char base[URL_CAP];
    struct list l = {.charset = weft_charset_by_label(page->charset, strlen(page->charset))};
    struct weft_html_sink sink = {.user = &l, .link = on_link};
    if (strcmp(page->charset, text(one, "encoding")) != 0) {
        snprintf(why, cap, "encoding %s, not %s", page->charset, text(one, "encoding"));
        return false;
    }
    for (size_t i = 0; i < page->nlinks; i++) {
        add(&l, page->links[i].url, page->links[i].len);
    }
    bool ok = is_list(&l, one, "all", "all_sha256", why, cap) &&
              weft_url_parse(&l.base, base, sizeof base, NULL, page->base, strlen(page->base),
                             NULL) == WEFT_OK &&
              weft_html_scan(page->text, page->text_len, &sink) == WEFT_OK;
    return is_list(&l, one, "anchors", "anchors_sha256", ok ? why : base, ok ? cap : sizeof base) &&
           ok;
}

static bool judge(const json_t *one, const char *body, size_t len, char *why, size_t cap)
{
    static char buf[URL_CAP];
    struct weft_url url;
    struct weft_page_reader *reader = NULL;
    const struct weft_page *page;
    const struct weft_page_options options = {.assets = true, .max_links = 1000000};
    const char *base = text(one, "base");
    snprintf(why, cap, "it could not be read");
    bool ok = weft_url_parse(&url, buf, sizeof buf, NULL, base, strlen(base), NULL) == WEFT_OK &&
              weft_page_reader_new(&reader) == WEFT_OK &&
              weft_page_read(reader, &options, &url, "text/html", NULL, body, len, &page) ==
                  WEFT_OK &&
              judge_page(one, page, why, cap);
    weft_page_reader_free(reader);
    return ok;
}

/* The document, to be freed, if it is there and the one meant. */
static char *load(const json_t *one, const char *folder, size_t *len)
{
    char path[4096], hex[2 * SHA256_DIGEST_SIZE + 1];
    struct sha256_ctx sum;
    snprintf(path, sizeof path, "%s/%s", folder, text(one, "path"));
    FILE *f = strcmp(text(one, "manager"), "apt") == 0 ? fopen(path, "rb") : NULL;
    if (!f) {
        return NULL;
    }
    size_t size = (size_t)json_integer_value(json_object_get(one, "bytes"));
    char *body = malloc(size + 1);
    *len = body ? fread(body, 1, size + 1, f) : 0;
    fclose(f);
    sha256_init(&sum);
    sha256_update(&sum, *len, (const uint8_t *)body);
    finish_sha256(&sum, hex);
    if (*len != size || strcmp(hex, text(one, "sha256")) != 0) {
        free(body);
        return NULL;
    }
    return body;
}

void corpora_docs(FILE *f, const char *folder, unsigned *passed, unsigned *failed)
{
    char *line = NULL, why[512];
    size_t cap = 0;
    ssize_t got;
    unsigned ok = 0, total = 0, skipped = 0;
    while ((got = getline(&line, &cap, f)) > 0) {
        json_t *one = json_loadb(line, (size_t)got, 0, NULL);
        size_t len = 0;
        char *body = load(one, folder, &len);
        if (!body) {
            skipped++;
        } else if (judge(one, body, len, why, sizeof why)) {
            ok++;
        } else {
            printf("  html_docs %s: %s\n", text(one, "id"), why);
        }
        total += body != NULL;
        free(body);
        json_decref(one);
    }
    free(line);
    printf("html_docs %u/%u (%u skipped: of npm, or another version)\n", ok, total, skipped);
    *passed += ok;
    *failed += total - ok;
}

void corpora_docs_packages(FILE *f)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t got;
    while ((got = getline(&line, &cap, f)) > 0) {
        json_t *one = json_loadb(line, (size_t)got, 0, NULL);
        if (strcmp(text(one, "manager"), "apt") == 0) {
            printf("%s=%s\n", text(one, "package"), text(one, "version"));
        }
        json_decref(one);
    }
    free(line);
}
