/* check_sitemap_faults.c -- each allocation of a sitemap's reading fails in turn: WEFT_ENOMEM, and
 * nothing leaks. (The memory of libxml2 and zlib is not in reach of the wrappers.) */
#include "text/sitemap.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include <string.h>

static void ignore(void *user, const char *loc, size_t len)
{
    (void)user;
    (void)loc;
    (void)len;
}

static enum weft_status read_all(const char *body, size_t len, enum weft_sitemap_kind *kind)
{
    struct weft_sitemap *s;
    *kind = WEFT_SITEMAP_NONE;
    enum weft_status st = weft_sitemap_new(&s, "text/plain", "http://h/", ignore, NULL);
    if (st != WEFT_OK) {
        ck_assert_ptr_null(s);
        return st;
    }
    for (size_t i = 0; st == WEFT_OK && i < len; i += 10) {
        st = weft_sitemap_feed(s, body + i, len - i < 10 ? len - i : 10);
    }
    if (st != WEFT_OK) {
        ck_assert_int_eq(weft_sitemap_feed(s, "x", 1), st); /* it stays so */
    }
    *kind = weft_sitemap_finish(s);
    weft_sitemap_free(s);
    return st;
}

static void fail_each(const char *body, size_t len, unsigned at_least, enum weft_sitemap_kind want)
{
    enum weft_sitemap_kind kind;
    unsigned failures = 0;
    bool hit = true;
    for (long n = 1; hit; n++) {
        faults_alloc_at(n);
        enum weft_status st = read_all(body, len, &kind);
        hit = faults_hit();
        faults_alloc_at(0);
        ck_assert_int_eq(st, hit ? WEFT_ENOMEM : WEFT_OK);
        failures += hit;
    }
    ck_assert_int_eq(kind, want);
    ck_assert_uint_ge(failures, at_least);
}

START_TEST(xml)
{
    static const char body[] = "<urlset><url><loc>http://h/1</loc></url></urlset>";
    fail_each(body, strlen(body), 3, WEFT_SITEMAP_URLSET);
}
END_TEST

START_TEST(xml_to_decode)
{
    static const char body[] = "<?xml version='1.0' encoding='Shift_JIS'?><urlset><url><loc>"
                               "http://h/\x83\x41 </loc></url></urlset>";
    fail_each(body, strlen(body), 5, WEFT_SITEMAP_URLSET);
}
END_TEST

START_TEST(lines)
{
    static const char body[] = "http://h/1\nhttp://h/a/path/that/is/longer/than/a/first/buffer/is/"
                               "and/so/makes/it/grow/another/time\n";
    fail_each(body, strlen(body), 3, WEFT_SITEMAP_TEXT);
}
END_TEST

START_TEST(gzip)
{
    static const char body[] = "\x1f\x8b\x08\0\0\0\0\0\0\0\0";
    fail_each(body, sizeof body - 1, 2, WEFT_SITEMAP_NONE);
}
END_TEST

START_TEST(nothing_to_free)
{
    weft_sitemap_free(NULL);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sitemap_faults");
    tcase_add_test(tc, xml);
    tcase_add_test(tc, xml_to_decode);
    tcase_add_test(tc, lines);
    tcase_add_test(tc, gzip);
    tcase_add_test(tc, nothing_to_free);
    return suite_run("text: sitemaps without memory", tc);
}
