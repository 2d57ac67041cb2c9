/* check_url_key.c -- the key for "already seen" (RFC 3986 6.2.2 and --fold), and same origin. */
#include "url_case.h"

#include "support/suite.h"
#include <string.h>

struct key_case {
    const char *url;
    unsigned fold;
    const char *want;
};

/* The key, and that it is a URL, its own serialisation and its own key. */
static void key_of(const char *text, unsigned fold, char *key, size_t cap)
{
    char buf[512], again_buf[512], again[512];
    struct weft_url u, k;
    size_t len, again_len;
    ck_assert_int_eq(weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), NULL), WEFT_OK);
    ck_assert_int_eq(weft_url_key(&u, fold, key, cap, &len), WEFT_OK);
    ck_assert_uint_eq(strlen(key), len);
    ck_assert_uint_le(len, u.fragment_at);
    ck_assert_int_eq(weft_url_parse(&k, again_buf, sizeof again_buf, NULL, key, len, NULL),
                     WEFT_OK);
    ck_assert_str_eq(again_buf, key);
    ck_assert_int_eq(weft_url_key(&k, fold, again, sizeof again, &again_len), WEFT_OK);
    ck_assert_str_eq(again, key);
    for (size_t small = 0; small <= len; small++) {
        ck_assert_int_eq(weft_url_key(&u, fold, again, small, &again_len), WEFT_ELIMIT);
        ck_assert_uint_eq(again_len, 0);
    }
    ck_assert_int_eq(weft_url_key(&u, fold, again, u.fragment_at + 1, &again_len), WEFT_OK);
    ck_assert_str_eq(again, key);
}

static void check_keys(const struct key_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char key[512];
        key_of(cases[i].url, cases[i].fold, key, sizeof key);
        ck_assert_msg(!strcmp(key, cases[i].want), "key of %s (fold %u) is %s, should be %s",
                      cases[i].url, cases[i].fold, key, cases[i].want);
    }
}
#define check(cases) check_keys(cases, sizeof(cases) / sizeof(cases)[0])

START_TEST(normalisation)
{
    static const struct key_case cases[] = {
        {"http://h/p?q#f", 0, "http://h/p?q"},
        {"http://h/p#", 0, "http://h/p"},
        {"http://h/p?", 0, "http://h/p?"},
        {"http://h/?b=2&a=1", 0, "http://h/?b=2&a=1"},
        {"http://h/p/", 0, "http://h/p/"},
        {"http://www.h/", 0, "http://www.h/"},
        /* 6.2.2.2: the unreserved octets are decoded, and no others */
        {"http://h/%41%5a%61%7a%30%39%2d%2E%5f%7e", 0, "http://h/AZaz09-._~"},
        {"http://h/?%41%7E#%41", 0, "http://h/?A~"},
        {"http://%75:%70@h/", 0, "http://u:p@h/"},
        /* 6.2.2.1: the hex digits of the others are upper case */
        {"http://h/%2f%3a%3f%c3%a9?%3d%26", 0, "http://h/%2F%3A%3F%C3%A9?%3D%26"},
        /* 2.4: once only */
        {"http://h/%2541", 0, "http://h/%2541"},
        {"http://h/%25%34%31", 0, "http://h/%2541"},
        {"http://h/a%2e%2e/b", 0, "http://h/a../b"},
        /* a percent sign that escapes nothing never becomes one that does */
        {"http://h/%", 0, "http://h/%"},
        {"http://h/%4", 0, "http://h/%4"},
        {"http://h/%zz", 0, "http://h/%zz"},
        {"http://h/%%341", 0, "http://h/%%341"},
        {"http://h/%4%31", 0, "http://h/%4%31"},
        {"http://h/%%34%31", 0, "http://h/%%341"},
        {"http://h/%%7A%41", 0, "http://h/%z%41"},
        {"http://h/a/%%32e%2%65/b", 0, "http://h/a/%%32e%2%65/b"},
        {"http://h/%%%41%41%41%41", 0, "http://h/%%%41AAA"},
    };
    check(cases);
}
END_TEST

START_TEST(folds)
{
    enum { WWW = WEFT_FOLD_WWW, SLASH = WEFT_FOLD_SLASH, QUERY = WEFT_FOLD_QUERY };
    enum { INDEX = WEFT_FOLD_INDEX, ALL = WWW | SLASH | QUERY | INDEX };
    static const struct key_case cases[] = {
        {"http://www.h.org/", WWW, "http://h.org/"},
        {"http://u@www.h.org:8/p", WWW, "http://u@h.org:8/p"},
        {"http://WWW.h.org/", WWW, "http://h.org/"},
        {"http://www.www.h.org/", WWW, "http://h.org/"},
        {"http://www./", WWW, "http://www./"},
        {"http://www/", WWW, "http://www/"},
        {"http://www2.h.org/", WWW, "http://www2.h.org/"},
        {"http://a.www.h.org/", WWW, "http://a.www.h.org/"},
        {"http://www@h.org/", WWW, "http://www@h.org/"},
        {"http://h/a/", SLASH, "http://h/a"},
        {"http://h/a//", SLASH, "http://h/a"},
        {"http://h/a/?q/", SLASH, "http://h/a?q/"},
        {"http://h/", SLASH, "http://h/"},
        {"http://h//", SLASH, "http://h/"},
        {"http://h/p?q", QUERY, "http://h/p"},
        {"http://h/p?", QUERY, "http://h/p"},
        {"http://h/a/index.html", INDEX, "http://h/a/"},
        {"http://h/index.php?q", INDEX, "http://h/?q"},
        {"http://h/Default.ASPX", INDEX, "http://h/"},
        {"http://h/%69ndex.htm", INDEX, "http://h/"},
        {"http://h/index.html/", INDEX, "http://h/index.html/"},
        {"http://h/my-index.html", INDEX, "http://h/my-index.html"},
        {"http://h/index.html5", INDEX, "http://h/index.html5"},
        {"http://h/a/?index.html", INDEX, "http://h/a/?index.html"},
        {"http://h/index.html/index.html//", INDEX | SLASH, "http://h/"},
        {"https://www.h/a/index.html?q#f", ALL, "https://h/a"},
        {"http://h/a/", WWW | QUERY | INDEX, "http://h/a/"},
    };
    check(cases);
}
END_TEST

START_TEST(same_origin)
{
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"http://h/a", "http://h:80/b?c#d", true},
        {"https://H/", "https://u:p@h:443/", true},
        {"http://h:8080/", "http://h:8080/x", true},
        {"http://h/", "https://h/", false},
        {"http://h:443/", "https://h/", false},
        {"http://h/", "http://h:8080/", false},
        {"http://h/", "http://h./", false},
        {"http://h/", "http://hh/", false},
        {"http://h.a/", "http://h.b/", false},
        {"http://b\u00fccher/", "http://xn--bcher-kva/", true},
        {"http://2130706433/", "http://127.0.0.1/", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf_a[100], buf_b[100];
        struct weft_url a, b;
        ck_assert_int_eq(
            weft_url_parse(&a, buf_a, sizeof buf_a, NULL, cases[i].a, strlen(cases[i].a), NULL),
            WEFT_OK);
        ck_assert_int_eq(
            weft_url_parse(&b, buf_b, sizeof buf_b, NULL, cases[i].b, strlen(cases[i].b), NULL),
            WEFT_OK);
        ck_assert_msg(weft_url_same_origin(&a, &b) == cases[i].same, "%s and %s", cases[i].a,
                      cases[i].b);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url_key");
    tcase_add_test(tc, normalisation);
    tcase_add_test(tc, folds);
    tcase_add_test(tc, same_origin);
    return suite_run("text: url keys", tc);
}
