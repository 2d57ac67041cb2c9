/* check_url_host.c -- hosts (URL Standard 3): domains, IDNA, IPv4 and IPv6. */
#include "url_case.h"

#include "base/limits.h"
#include "support/suite.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct host_case {
    const char *host, *want; /* want NULL: no host */
};

static void check_hosts(const struct host_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[512], want[512];
        snprintf(text, sizeof text, "http://u@%s:81/x", cases[i].host);
        snprintf(want, sizeof want, "http://u@%s:81/x", cases[i].want ? cases[i].want : "");
        const char *got = url_case_parse(NULL, text, strlen(text), NULL);
        bool same = got && cases[i].want ? strcmp(got, want) == 0 : !got && !cases[i].want;
        ck_assert_msg(same, "host <%s> gives <%s>, should be <%s>", cases[i].host,
                      got ? got : "no URL", cases[i].want ? want : "no URL");
    }
}
#define check(cases) check_hosts(cases, sizeof(cases) / sizeof(cases)[0])

START_TEST(domains)
{
    static const struct host_case cases[] = {
        {"eXaMpLe.ORG", "example.org"},
        {"example.org.", "example.org."},
        {"a..b", "a..b"},
        {".", "."},
        {"-a-", "-a-"},
        {"a--b", "a--b"},
        {"a_b", "a_b"},
        {"!\"$&'()*+,-.;=_`{}~", "!\"$&'()*+,-.;=_`{}~"},
        {"h%41%2e%6F%72g", "ha.org"},
        {"a\tb\nc\rd", "abcd"},
        {"a%\t4\n1", "aa"},
        /* whatever IDNA would say to a name that is ASCII */
        {"xn--", "xn--"},
        {"xn--zz-", "xn--zz-"},
        {"XN--8I7CAA", "xn--8i7caa"},
        {"", NULL},
        {"\t", NULL},
        {"a b", NULL},
        {"a%20b", NULL},
        {"a%", NULL},
        {"a%zz", NULL},
        {"a%25", NULL},
        {"a%00", NULL},
        {"a%2Fb", NULL},
        {"a%3Ab", NULL},
        {"a%40b", NULL},
        {"a<b", NULL},
        {"a>b", NULL},
        {"a[b", NULL},
        {"a]b", NULL},
        {"a^b", NULL},
        {"a|b", NULL},
        {"a\x01", NULL},
        {"a\x7f", NULL},
        {"a%7f", NULL},
    };
    check(cases);
}
END_TEST

/* 3.2: each forbidden domain code point, written as itself and escaped, in any domain. */
START_TEST(forbidden_code_points)
{
    for (unsigned c = 0; c < 0x80; c++) {
        bool forbidden = c <= ' ' || c == 0x7f || strchr("#/:<>?@[\\]^|%", (int)c) != NULL;
        static const char *const around[] = {"a%%%02Xb", "\u00fc%%%02Xb"};
        for (size_t i = 0; i < 2; i++) {
            char text[64];
            int n = snprintf(text, sizeof text, "http://");
            /* the format is one of the two above */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text + n, sizeof text - (size_t)n, around[i], c);
#pragma GCC diagnostic pop
            const char *got = url_case_parse(NULL, text, strlen(text), NULL);
            ck_assert_msg((got == NULL) == forbidden, "%s gives %s", text, got ? got : "no URL");
        }
    }
}
END_TEST

START_TEST(internationalised_names)
{
    static const struct host_case cases[] = {
        {"b\u00fccher.example", "xn--bcher-kva.example"},
        {"B\u00dcCHER.example", "xn--bcher-kva.example"},
        {"bu\u0308cher.example", "xn--bcher-kva.example"},
        {"b%C3%BCcher.example", "xn--bcher-kva.example"},
        {"b%c3\u00bc", NULL}, /* half a character escaped, and a whole one */
        {"xn--bcher-kva.\u00fc", "xn--bcher-kva.xn--tda"},
        {"fa\u00df.de", "xn--fa-hia.de"}, /* non-transitional: sharp s is kept */
        {"\u03c3\u03c2", "xn--3xab"},
        {"\u2615.example", "xn--53h.example"},
        {"\u65e5\u672c\u8a9e\u3002\uff2a\uff30", "xn--wgv71a119e.jp"},
        {"\uff21\uff22\uff23", "abc"},
        {"a\u00adb", "ab"},
        {"a\u200bb", "ab"},
        {"\u00e9\u3002\u3002a", "xn--9ca..a"},
        {"\u00e9.-a-.b--c", "xn--9ca.-a-.b--c"},
        {"\u00e9_!", "xn--_!-9ia"},
        {"\u2260", "xn--1ch"}, /* not equal: "=" alone would be allowed, and is not meant */
        {"\u226e", "xn--gdh"},
        {"\u0627\u0628", "xn--mgbc"},
        {"\u0915\u094d\u200d\u0937", "xn--11b2ezcw70k"}, /* joiner after a virama */
        {"\uff11\uff10.\uff10\uff0e\u2460.1", "10.0.1.1"},
        {"\u00ad", NULL},
        {"\u200d", NULL},
        {"a\u200db", NULL}, /* joiner out of its context */
        {"\u0627b", NULL},  /* right to left and left to right */
        {"\u0301a", NULL},  /* begins with a combining mark */
        {"\ufffd", NULL},
        {"\ue000", NULL},        /* private use */
        {"a\u2024\u00e9", NULL}, /* one dot leader: a dot by compatibility */
        {"\u00e9.xn--", NULL},
        {"\u00e9.xn--abc-", NULL},   /* Punycode of ASCII only */
        {"\u00e9.xn--a", NULL},      /* no Punycode */
        {"\u00e9.xn--8i7caa", NULL}, /* Punycode of what is never a result */
        {"xn--t\u00e9", NULL},
        {"\u00e9\uff0f", NULL}, /* a full-width slash */
        {"\u00e9\uff1a80", NULL},
        {"\u00e9\u2047", NULL}, /* double question mark: ASCII by compatibility */
        {"\u00e9%80", NULL},
        {"%e9", NULL},
        {"%ed%a0%80", NULL},
    };
    check(cases);
}
END_TEST

/* Characters that UTS 46 maps otherwise since Unicode 16 than the ICU of Debian 12 knows. */
START_TEST(later_unicode)
{
    static const struct host_case cases[] = {
        {"\u04c0", "xn--s5a"},
        {"\u10a0", "xn--rkj"},
        {"\u10c5", "xn--tlj"},
        {"a\u115f\u1160\u17b4\u17b5\u180eb", "ab"},
        {"a\u2061\u2063\u206a\u206fb", "ab"},
        {"a\u3164\uffa0\U0001d173\U0001d17ab", "ab"},
        {"stra\u1e9ee", "xn--strae-oqa"},
        {"\u2132", "xn--73g"},
        {"\u2183", "xn--r5g"},
        {"\U0002f868", "xn--snl"},
        {"\U0002f874", "xn--u2t"},
        {"\U0002f91f", "xn--hb5j"},
        {"\U0002f95f", "xn--ruz"},
        {"\U0002f9bf", "xn--gro"},
        {"x\u180en--\u1160zca.\u00df", "xn--zca.xn--zca"},
    };
    check(cases);
}
END_TEST

START_TEST(ipv4)
{
    static const struct host_case cases[] = {
        {"10.0.0.1", "10.0.0.1"},
        {"10.0.0.1.", "10.0.0.1"},
        {"10.0.1", "10.0.0.1"},
        {"10.1", "10.0.0.1"},
        {"167772161", "10.0.0.1"},
        {"0xA.0X0.01", "10.0.0.1"},
        {"012.0.0.01", "10.0.0.1"},
        {"0x0a000001", "10.0.0.1"},
        {"0x", "0.0.0.0"},
        {"0x.0x.0", "0.0.0.0"},
        {"0", "0.0.0.0"},
        {"00000000000000000000000000000000000001", "0.0.0.1"},
        {"4294967295", "255.255.255.255"},
        {"1.16777215", "1.255.255.255"},
        {"1.2.65535", "1.2.255.255"},
        {"%31%30.1", "10.0.0.1"},
        {"1\t0.1", "10.0.0.1"},
        {"4294967296", NULL},
        {"18446744073709551617", NULL},
        {"0xfffffffffffffffffffffffff", NULL},
        {"1.16777216", NULL},
        {"1.2.65536", NULL},
        {"1.2.3.256", NULL},
        {"256.2.3.4", NULL},
        {"1.2.3.4.5", NULL},
        {"1..2", NULL},
        {".1", NULL},
        {"1.2.3.08", NULL},
        {"a.1", NULL},
        {"a.0x", NULL},
        {"a.0xf.", NULL},
        {"a.09", NULL},
        {"-1.2", NULL},
        {"1.2.3.4..", "1.2.3.4.."}, /* ends in an empty label, in no number */
        {"1.2.3.a", "1.2.3.a"},
        {"1.2.3.0xg", "1.2.3.0xg"},
        {"1.2.3.4x", "1.2.3.4x"},
        {"1.2.3.", "1.2.0.3"},
        {"x", "x"},
        {"0.0x.a0x", "0.0x.a0x"},
        {"f", "f"},
        {"1e2", "1e2"},
    };
    check(cases);
}
END_TEST

START_TEST(ipv6)
{
    static const struct host_case cases[] = {
        {"[::]", "[::]"},
        {"[::1]", "[::1]"},
        {"[1::]", "[1::]"},
        {"[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]"},
        {"[0001:00A:0b:C:0:0:0:0]", "[1:a:b:c::]"},
        {"[FFFF:aBcD::]", "[ffff:abcd::]"},
        {"[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"}, /* one 0 alone is not compressed */
        {"[::2:3:4:5:6:7:8]", "[0:2:3:4:5:6:7:8]"},
        {"[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"},
        {"[1:0:0:2:3:0:0:4]", "[1::2:3:0:0:4]"}, /* the first of two that are as long */
        {"[0:0:1:0:0:0:0:0]", "[0:0:1::]"},
        {"[0:f:0:0:f:f:0:0]", "[0:f::f:f:0:0]"},
        {"[::ffff:192.168.0.1]", "[::ffff:c0a8:1]"},
        {"[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]"},
        {"[::1.2.3.4]", "[::102:304]"},
        {"[:\t:\n1]", "[::1]"},
        {"[0000:0000:0000:0000:0000:0000:255.255.255.255]", "[::ffff:ffff]"},
        {"[]", NULL},
        {"[", NULL},
        {"[:]", NULL},
        {"[:::]", NULL},
        {"[:1]", NULL},
        {"[1:]", NULL},
        {"[1:2:3:4:5:6:7]", NULL},
        {"[1:2:3:4:5:6:7:8:9]", NULL},
        {"[1:2:3:4:5:6:7:8::]", NULL},
        {"[1:2:3:4::5:6:7:8]", NULL},
        {"[1::2::3]", NULL},
        {"[12345::]", NULL},
        {"[g::]", NULL},
        {"[::1%25eth0]", NULL},
        {"[::%31]", NULL},
        {"[1.2.3.4]", NULL},
        {"[::1.2.3]", NULL},
        {"[::1.2.3.4.5]", NULL},
        {"[::1.2.3.4:5]", NULL},
        {"[::1.2.3.256]", NULL},
        {"[::1.2.3.04]", NULL},
        {"[::1..2.3]", NULL},
        {"[::.1.2.3]", NULL},
        {"[::1.2.3.]", NULL},
        {"[1:2:3:4:5:6:7:1.2.3.4]", NULL},
        {"[1::2:3:4:5:6:1.2.3.4]", NULL},
        {"[::1", NULL},
        {"[::1]a", NULL},
        {"a[::1]", NULL},
        {"[[::1]]", NULL},
        {"[\u00e9]", NULL},
    };
    check(cases);
}
END_TEST

/* Lengths that DNS could not hold are no concern of a URL's; those that would cost ICU are. */
START_TEST(long_names)
{
    char text[3 * WEFT_MAX_IDN + 64];
    size_t n = (size_t)snprintf(text, sizeof text, "http://");
    memset(text + n, 'A', 300);
    text[n + 300] = '\0';
    ck_assert_uint_eq(strlen(url_case_parse(NULL, text, strlen(text), NULL)), n + 301);

    strcpy(text + n + 300, ".\u00e9");
    const char *got = url_case_parse(NULL, text, strlen(text), NULL);
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got + n + 300, ".xn--9ca/");

    char buf[sizeof text];
    struct weft_url u;
    text[n] = '\0';
    for (size_t i = 0; i < WEFT_MAX_IDN / 3; i++) {
        strcat(text + n, "\u00e9.");
    }
    ck_assert_int_eq(weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), NULL), WEFT_OK);
    strcat(text, "aaa");
    ck_assert_int_eq(weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), NULL),
                     WEFT_ELIMIT);

    text[n] = '\0'; /* ICU's own limit of a label */
    for (size_t i = 0; i < WEFT_MAX_IDN / 2; i++) {
        strcat(text + n, "\u00e9");
    }
    ck_assert_int_eq(weft_url_parse(&u, buf, sizeof buf, NULL, text, strlen(text), NULL),
                     WEFT_ELIMIT);
}
END_TEST

struct parsed {
    enum weft_status st;
    char buf[64];
};

static void *parse_in_a_thread(void *parsed)
{
    static const char text[] = "http://b\u00fccher/";
    struct parsed *p = parsed;
    struct weft_url u;
    p->st = weft_url_parse(&u, p->buf, sizeof p->buf, NULL, text, strlen(text), NULL);
    return NULL;
}

/* ICU's object is opened once, whichever thread is first; the others use it as it is. */
START_TEST(threads_share_one_idna)
{
    struct parsed results[8];
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, parse_in_a_thread, &results[i]), 0);
    }
    for (size_t i = 0; i < 8; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_int_eq(results[i].st, WEFT_OK);
        ck_assert_str_eq(results[i].buf, "http://xn--bcher-kva/");
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("url_host");
    tcase_add_test(tc, domains);
    tcase_add_test(tc, forbidden_code_points);
    tcase_add_test(tc, internationalised_names);
    tcase_add_test(tc, later_unicode);
    tcase_add_test(tc, ipv4);
    tcase_add_test(tc, ipv6);
    tcase_add_test(tc, long_names);
    tcase_add_test(tc, threads_share_one_idna);
    return suite_run("text: url hosts", tc);
}
