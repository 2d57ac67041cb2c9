/* check_text_faults.c -- whichever allocation fails while robots.txt is parsed or a text is decoded
 * or encoded, the caller hears of it and nothing leaks (seen by the leak check of check-asan). */
#include "text/charset.h"
#include "text/robots.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include <string.h>

#define ENOUGH 1000 /* more allocations than any of these makes */

/* Faults end with what is tested: Check allocates as well. */
static bool end_faults(void)
{
    bool hit = faults_hit();
    faults_alloc_at(0);
    return hit;
}

/* Runs step with its n-th allocation failing, for n = 1, 2, ... until none is left to fail. A step
 * may do without what it did not get, as when memory can't be made smaller. */
static void each_fault(enum weft_status (*step)(const void *, bool *), const void *input)
{
    long n = 1, failures = 0;
    for (; n < ENOUGH; n++) {
        faults_alloc_at(n);
        bool hit;
        enum weft_status st = step(input, &hit);
        ck_assert(st == WEFT_OK || (hit && st == WEFT_ENOMEM));
        failures += st != WEFT_OK;
        if (!hit) {
            break;
        }
    }
    ck_assert_msg(failures > 0 && n < ENOUGH, "%ld allocations", n);
}

static enum weft_status parse_robots(const void *body, bool *hit)
{
    struct weft_robots *r;
    enum weft_status st = weft_robots_parse(&r, body, strlen(body), "weft");
    *hit = end_faults();
    ck_assert((st == WEFT_OK) == (r != NULL));
    if (r) {
        ck_assert_str_eq(weft_robots_group(r), "weft");
        ck_assert_str_eq(weft_robots_sitemap(r, 19), "/map");
        ck_assert_ptr_null(weft_robots_sitemap(r, 20));
    }
    weft_robots_free(r);
    return st;
}

START_TEST(robots)
{
    char body[2000] = "User-agent: weft\n";
    for (int i = 0; i < 20; i++) {
        strcat(body, "Disallow: /*a*b$\nAllow: /path\nSitemap: /map\n");
    }
    each_fault(parse_robots, body);
}
END_TEST

struct text {
    const char *label, *bytes;
};

static enum weft_status decode(const void *input, bool *hit)
{
    const struct text *t = input;
    struct weft_buf out;
    weft_buf_init(&out, 10000);
    const struct weft_charset *cs = weft_charset_by_label(t->label, strlen(t->label));
    enum weft_status st = weft_charset_decode(cs, t->bytes, strlen(t->bytes), &out);
    *hit = end_faults();
    ck_assert_uint_eq(out.len, st == WEFT_OK ? strlen(out.data) : 0);
    weft_buf_release(&out);
    return st;
}

START_TEST(decoding)
{
    char big[3000];
    memset(big, '\xE9', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    const struct text texts[] = {
        {"utf-8", "plain"},          {"windows-1252", big},
        {"gbk", "\xD6\xD0"},         {"euc-jp", "\xC6\xFC\x8F\xB0\xA1"},
        {"iso-2022-jp", "\x1B$BF|"}, {"utf-16le", "a"},
        {"big5", "\xA4\xA4 text"},   {"iso-2022-kr", "x"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        each_fault(decode, &texts[i]);
    }
}
END_TEST

/* Encoding allocates nothing of weft's own: no fault can hit it. */
START_TEST(encoding)
{
    char out[100];
    size_t n;
    faults_alloc_from(1);
    enum weft_status st = weft_charset_encode(weft_charset_by_label("gbk", 3), "\xE4\xB8\xAD", 3,
                                              out, sizeof out, &n);
    bool hit = end_faults();
    ck_assert_int_eq(st, WEFT_OK);
    ck_assert(!hit);
    ck_assert_uint_eq(n, 2);
}
END_TEST

/* A URL too long for the stack that can't be checked is not fetched. */
START_TEST(a_url_that_cannot_be_checked)
{
    struct weft_robots *r;
    static const char body[] = "User-agent: *\nDisallow: /x\n";
    ck_assert_int_eq(weft_robots_parse(&r, body, sizeof body - 1, "weft"), WEFT_OK);
    size_t len = 20000;
    char *href = malloc(len + 1);
    ck_assert_ptr_nonnull(href);
    memset(href, 'a', len);
    memcpy(href, "http://h/", 9);
    href[len] = '\0';
    uint32_t end = (uint32_t)len;
    const struct weft_url url = {.href = href,
                                 .len = end,
                                 .scheme_len = 4,
                                 .host_at = 7,
                                 .host_end = 8,
                                 .path_at = 8,
                                 .query_at = end,
                                 .fragment_at = end,
                                 .port = 80};
    ck_assert(weft_robots_allows(r, &url, NULL));
    faults_alloc_at(1);
    bool allowed = weft_robots_allows(r, &url, NULL);
    end_faults();
    ck_assert(!allowed);
    free(href);
    weft_robots_free(r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_test(tc, robots);
    tcase_add_test(tc, decoding);
    tcase_add_test(tc, encoding);
    tcase_add_test(tc, a_url_that_cannot_be_checked);
    return suite_run("text: faults", tc);
}
