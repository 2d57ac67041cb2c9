/* url_case.c -- see url_case.h. */
#include "url_case.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>

/* The parts that the offsets cut are joined again by the rules of URL Standard 4.5. */
static void check_offsets(const struct weft_url *u)
{
    const char *h = u->href;
    const char *scheme = u->scheme_len == 5 ? "https" : "http";
    ck_assert_uint_eq(strlen(h), u->len);
    ck_assert_mem_eq(h, scheme, u->scheme_len);
    ck_assert_mem_eq(h + u->scheme_len, "://", 3);
    ck_assert_uint_ge(u->host_at, u->scheme_len + 3);
    ck_assert(u->host_at == u->scheme_len + 3 || h[u->host_at - 1] == '@');
    ck_assert_uint_gt(u->host_end, u->host_at);
    ck_assert_uint_ge(u->path_at, u->host_end);
    if (u->path_at > u->host_end) {
        char port[8];
        int n = snprintf(port, sizeof port, ":%u", u->port);
        ck_assert_uint_eq(u->path_at - u->host_end, n);
        ck_assert_mem_eq(h + u->host_end, port, n);
    } else {
        ck_assert_uint_eq(u->port, u->scheme_len == 5 ? 443 : 80);
    }
    ck_assert_int_eq(h[u->path_at], '/');
    ck_assert_uint_gt(u->query_at, u->path_at);
    ck_assert(h[u->query_at] == '?' || u->query_at == u->fragment_at);
    ck_assert(h[u->fragment_at] == '#' || u->fragment_at == u->len);
    ck_assert(!memchr(h + u->path_at, '?', u->query_at - u->path_at));
    ck_assert(!memchr(h, '#', u->fragment_at));
    for (uint32_t i = 0; i < u->len; i++) {
        ck_assert_int_gt(h[i], ' ');
        ck_assert_int_lt(h[i], 0x7f);
    }
}

/* Every smaller buffer, each a heap block of its own so that a sanitizer sees one byte too many. */
static void check_small_buffers(const struct weft_url *base, const char *text, size_t len,
                                const struct weft_charset *cs, const char *want)
{
    struct weft_url u;
    bool fits = false;
    for (size_t cap = 0; cap <= strlen(want) + 64; cap++) {
        char *buf = malloc(cap + 1);
        ck_assert_ptr_nonnull(buf);
        buf[cap] = '\x55';
        enum weft_status st = weft_url_parse(&u, buf, cap, base, text, len, cs);
        ck_assert_int_eq(buf[cap], '\x55');
        if (st == WEFT_OK) {
            ck_assert_uint_gt(cap, strlen(want));
            ck_assert_str_eq(buf, want);
        } else {
            ck_assert_int_eq(st, WEFT_ELIMIT);
            ck_assert_ptr_null(u.href);
            ck_assert_msg(!fits, "a larger buffer is too small");
        }
        fits = st == WEFT_OK;
        free(buf);
    }
}

const char *url_case_parse(const char *base_text, const char *text, size_t len,
                           const struct weft_charset *cs)
{
    static char buf[URL_CASE_CAP];
    char base_buf[URL_CASE_CAP], again_buf[URL_CASE_CAP];
    struct weft_url base, u, again;
    if (base_text) {
        ck_assert_int_eq(weft_url_parse(&base, base_buf, sizeof base_buf, NULL, base_text,
                                        strlen(base_text), NULL),
                         WEFT_OK);
    }
    char *exact = malloc(len ? len : 1); /* a sanitizer sees a byte read behind it */
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, len);
    const struct weft_url *b = base_text ? &base : NULL;
    enum weft_status st = weft_url_parse(&u, buf, sizeof buf, b, exact, len, cs);
    if (st == WEFT_OK) {
        check_offsets(&u);
        ck_assert_int_eq(
            weft_url_parse(&again, again_buf, sizeof again_buf, NULL, u.href, u.len, NULL),
            WEFT_OK);
        ck_assert_str_eq(again.href, u.href);
        check_small_buffers(b, exact, len, cs, buf);
    } else {
        struct weft_url zero = {0};
        ck_assert_mem_eq(&u, &zero, sizeof u);
    }
    free(exact);
    ck_assert(st == WEFT_OK || st == WEFT_ESYNTAX || st == WEFT_ESCHEME);
    return st == WEFT_OK ? buf : st == WEFT_ESCHEME ? OTHER : NULL;
}

void url_cases_check(const struct url_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct url_case *c = &cases[i];
        const char *got = url_case_parse(c->base, c->text, c->len, NULL);
        bool same = got && c->want ? strcmp(got, c->want) == 0 : !got && !c->want;
        ck_assert_msg(same, "<%.*s> against <%s> is <%s>, should be <%s>", (int)c->len, c->text,
                      c->base ? c->base : "", got ? got : "no URL", c->want ? c->want : "no URL");
    }
}
