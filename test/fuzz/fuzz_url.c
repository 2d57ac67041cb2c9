/* fuzz_url.c -- any bytes as a reference, against a base that parses or none: what comes out fits
 * its buffer, is ASCII, is its own serialisation, and has a key that is its own key.
 *
 * Input: one byte of choices, a line that is the base, the reference. */
#include "text/charset.h"
#include "weft/url.h"

#include <stdlib.h>
#include <string.h>

#define CAP 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_key(const struct weft_url *u, unsigned fold)
{
    size_t cap = u->fragment_at + 1u, len, again_len;
    char *key = malloc(cap), *again = malloc(cap), *parsed = malloc(cap);
    struct weft_url k;
    must(key && again && parsed);
    must(weft_url_key(u, fold, key, cap, &len) == WEFT_OK && len < cap && strlen(key) == len);
    must(weft_url_parse(&k, parsed, cap, NULL, key, len, NULL) == WEFT_OK);
    must(k.len == len && memcmp(k.href, key, len) == 0);
    must(weft_url_key(&k, fold, again, cap, &again_len) == WEFT_OK);
    must(again_len == len && memcmp(again, key, len) == 0);
    must(fold || weft_url_same_origin(u, &k));
    free(key);
    free(again);
    free(parsed);
}

static void check_url(const struct weft_url *u)
{
    must(strlen(u->href) == u->len);
    must(u->host_at < u->host_end && u->host_end <= u->path_at && u->path_at < u->query_at);
    must(u->query_at <= u->fragment_at && u->fragment_at <= u->len);
    for (uint32_t i = 0; i < u->len; i++) {
        must(u->href[i] > ' ' && u->href[i] < 0x7f);
    }
    char *again = malloc(u->len + 1u);
    struct weft_url second;
    must(again != NULL);
    must(weft_url_parse(&second, again, u->len + 1u, NULL, u->href, u->len, NULL) == WEFT_OK);
    must(second.len == u->len && memcmp(again, u->href, u->len) == 0);
    must(second.port == u->port && second.host_at == u->host_at && second.host_end == u->host_end);
    must(second.path_at == u->path_at && second.query_at == u->query_at);
    must(second.fragment_at == u->fragment_at && weft_url_same_origin(u, &second));
    free(again);
}

/* A smaller buffer gives the same or WEFT_ELIMIT, and the sanitizer sees what lies behind it. */
static void check_small(const struct weft_url *u, const struct weft_url *base, const char *text,
                        size_t len, const struct weft_charset *cs, size_t cap)
{
    char *buf = malloc(cap ? cap : 1);
    struct weft_url small;
    must(buf != NULL);
    enum weft_status st = weft_url_parse(&small, buf, cap, base, text, len, cs);
    must(st == WEFT_ELIMIT || (st == WEFT_OK && cap > u->len && !strcmp(small.href, u->href)));
    free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char base_buf[CAP], buf[CAP];
    static const char *const labels[] = {"utf-8", "windows-1252", "iso-2022-jp", "gb18030"};
    if (size == 0) {
        return 0;
    }
    unsigned choice = data[0];
    const char *text = (const char *)data + 1, *end = (const char *)data + size;
    const char *line = memchr(text, '\n', size - 1);
    const struct weft_charset *cs = weft_charset_by_label(labels[choice & 3],
                                                          strlen(labels[choice & 3]));
    struct weft_url base, u;
    bool based = line && weft_url_parse(&base, base_buf, sizeof base_buf, NULL, text,
                                        (size_t)(line - text), NULL) == WEFT_OK;
    text = line ? line + 1 : text;
    const struct weft_url *b = based ? &base : NULL;
    enum weft_status st = weft_url_parse(&u, buf, sizeof buf, b, text, (size_t)(end - text), cs);
    must(st != WEFT_ENOMEM && st != WEFT_EIO);
    if (st == WEFT_OK) {
        check_url(&u);
        check_key(&u, 0);
        check_key(&u, choice >> 2 & 15);
        check_small(&u, b, text, (size_t)(end - text), cs, u.len);
        check_small(&u, b, text, (size_t)(end - text), cs, u.len + 1);
        check_small(&u, b, text, (size_t)(end - text), cs, u.len / 2);
    }
    return 0;
}
