/* check_sitemap.c -- sitemaps: kinds, name spaces, references, encodings, lines. */
#include "sitemap_case.h"

#include "support/suite.h"
#include <string.h>

#define NS           "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""
#define check(cases) sitemap_cases_check(cases, sizeof(cases) / sizeof(cases)[0])

/* A urlset with this between <loc> and </loc>. */
#define LOC(s) "<urlset " NS "><url><loc>" s "</loc></url></urlset>"

START_TEST(kinds)
{
    static const struct sitemap_case cases[] = {
        {BYTES("<urlset " NS "><url><loc>http://h/1</loc></url><url><loc> http://h/2\n</loc>"
               "<lastmod>2024-01-01</lastmod></url></urlset>"),
         "urlset http://h/1 http://h/2"},
        {BYTES("<sitemapindex " NS "><sitemap><loc>http://h/1</loc></sitemap></sitemapindex>"),
         "index http://h/1"},
        {BYTES("<rss version='2.0'><channel><link>http://h/</link><image><link>http://h/i</link>"
               "</image><item><link>http://h/1</link><guid>x</guid></item></channel></rss>"),
         "rss http://h/1"},
        {BYTES("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
               "xmlns='http://purl.org/rss/1.0/'><channel><link>http://h/</link></channel>"
               "<item rdf:about='http://h/1'><link>http://h/1</link></item></rdf:RDF>"),
         "rss http://h/1"},
        {BYTES("<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://h/'/><entry>"
               "<link rel='self' href='http://h/s'/><link href='http://h/1?a=1&amp;b=2'/>"
               "<link rel='alternate' type='text/html' href='http://h/2'></link><link/>"
               "<link rel='alternates' href='http://h/no'/><link xml:href='http://h/no'/>"
               "</entry></feed>"),
         "atom http://h/1?a=1&b=2 http://h/2"},
        {BYTES("http://h/1\nhttps://h/2"), "text http://h/1 https://h/2"},
        {BYTES("<urlset/>"), "urlset"},
        {BYTES("<html><body><url><loc>http://h/</loc></url></body></html>"), "none"},
        {BYTES("<url><loc>http://h/</loc></url>"), "none"},
        {BYTES("{\"loc\": \"http://h/\"}"), "none"},
        {BYTES(""), "none"},
        {BYTES("\n \t"), "none"},
        {BYTES("<"), "none"},
        {BYTES("<?xml version='1.0'?>"), "none"},
    };
    check(cases);
}
END_TEST

START_TEST(which_elements_count)
{
    static const struct sitemap_case cases[] = {
        {BYTES("<s:urlset xmlns:s='x'><s:url><s:loc>http://h/1</s:loc></s:url></s:urlset>"),
         "urlset http://h/1"},
        {BYTES("<urlset xmlns='x' xmlns:i='y'><url><i:loc>http://h/no</i:loc><i:image><loc>"
               "http://h/no</loc><i:loc>http://h/no</i:loc></i:image><loc>http://h/1</loc></url>"
               "</urlset>"),
         "urlset http://h/1"},
        {BYTES("<urlset><url><i:loc>http://h/no</i:loc><loc>http://h/1</loc></url></urlset>"),
         "urlset http://h/1"},
        {BYTES("<urlset><loc>http://h/no</loc><url><x><loc>http://h/no</loc></x></url></urlset>"),
         "urlset"},
        {BYTES("<urlset><url><loc>http://h/1</loc><loc>http://h/2</loc></url></urlset>"),
         "urlset http://h/1 http://h/2"},
        {BYTES("<urlset><sitemap><loc>http://h/no</loc></sitemap></urlset>"), "urlset"},
        {BYTES(LOC("http://h/<b>no</b>1")), "urlset http://h/1"},
        {BYTES(LOC("")), "urlset"},
        {BYTES(LOC(" \r\n\t ")), "urlset"},
        {BYTES(LOC("\n  /relative path  \n")), "urlset /relative path"},
        {BYTES("<URLSET><URL><LOC>http://h/no</LOC></URL></URLSET>"), "none"},
    };
    check(cases);
}
END_TEST

START_TEST(references_and_sections)
{
    static const struct sitemap_case cases[] = {
        {BYTES(LOC("http://h/?a&amp;b&lt;&gt;&quot;&apos;&#38;&#x3C;&#x1f408;")),
         "urlset http://h/?a&b<>\"'&<\U0001F408"},
        /* not well-formed, and common */
        {BYTES(LOC("http://h/?a=1&b=2&&c=3;&")), "urlset http://h/?a=1&b=2&&c=3;&"},
        {BYTES(LOC("http://h/?a&copy;b&nbsp;&x:y;&#;&#x;&#xg;&amp")),
         "urlset http://h/?a&copy;b&nbsp;&x:y;&#;&#x;&#xg;&amp"},
        {BYTES(LOC("http://h/?a&averylongnameofacharacter;b")),
         "urlset http://h/?a&averylongnameofacharacter;b"},
        {BYTES(LOC("http://h/<![CDATA[?a=1&amp;b<c>]]]>&amp;d]]>e")),
         "urlset http://h/?a=1&amp;b<c>]&d]]>e"},
        {BYTES(LOC("<![CDATA[]]><![CDATA[]http://h/]>]]]]>")), "urlset ]http://h/]>]]"},
        {BYTES(LOC("http://h/<!-- > </loc> -- &x; --->1<?pi > ? </loc> ?\?>2")),
         "urlset http://h/12"},
        {BYTES("<!-- <loc> --><?x?><urlset><!----><url><loc>http://h/1</loc></url></urlset>"),
         "urlset http://h/1"},
        {BYTES(LOC("http://h/ < 1 <2 <")), "urlset http://h/ < 1 <2 <"},
        {BYTES(LOC("http://h/a>b]]>c")), "urlset http://h/a>b]]>c"},
        {BYTES("<urlset a='>' b=\"</urlset>\" c='&amp;&b'><url><loc>http://h/1</loc></url>"
               "</urlset>"),
         "urlset http://h/1"},
        {BYTES("<feed><entry><link href='http://h/?a&b&#38;c>d<e'/></entry></feed>"),
         "atom http://h/?a&b&c>d<e"},
    };
    check(cases);
}
END_TEST

/* Nothing is declared, expanded or loaded. */
START_TEST(document_types_are_ignored)
{
    static const struct sitemap_case cases[] = {
        {BYTES("<!DOCTYPE urlset>" LOC("http://h/1")), "urlset http://h/1"},
        {BYTES("<!DOCTYPE urlset SYSTEM 'http://h/>.dtd' [ <!ELEMENT loc ANY>\n"
               "<!-- it's a > ] comment --><?pi it's > ] ?><!ENTITY x \"]>\"> ] >" LOC(
                   "http://h/&x;")),
         "urlset http://h/&x;"},
        {BYTES("<!DOCTYPE urlset [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>" LOC("&x;")),
         "urlset &x;"},
        {BYTES("<!DOCTYPE urlset [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">"
               "<!ENTITY c \"&b;&b;&b;&b;&b;\">]>" LOC("http://h/&c;")),
         "urlset http://h/&c;"},
        {BYTES("<!DOCTYPE urlset [<!ENTITY % p SYSTEM 'http://h/'> %p; ]>" LOC("http://h/1")),
         "urlset http://h/1"},
        {BYTES("<!DOCTYPE urlset [<!ATTLIST loc x CDATA 'y'>" LOC("http://h/no")), "none"},
        {BYTES("<!>" LOC("http://h/1")), "urlset http://h/1"},
    };
    check(cases);
}
END_TEST

START_TEST(encodings)
{
    static const struct sitemap_case cases[] = {
        {BYTES("\xEF\xBB\xBF" LOC("http://h/\u00e9")), "urlset http://h/\u00e9"},
        {BYTES("<?xml version='1.0' encoding='UTF-8'?>" LOC("http://h/\u00e9")),
         "urlset http://h/\u00e9"},
        {BYTES("\n\n<?xml version='1.0' encoding='UTF-8'?>" LOC("http://h/\u00e9")),
         "urlset http://h/\u00e9"},
        {BYTES("<?xml version=\"1.1\" encoding=\"ISO-8859-1\" standalone='yes'?>" LOC(
             "http://h/\xE9")),
         "urlset http://h/\u00e9"},
        {BYTES("<?xml version='1.0' encoding='windows-1251' ?>" LOC("http://h/\xE6")),
         "urlset http://h/\u0436"},
        {BYTES("<?xml version='1.0' encoding='Shift_JIS'?>" LOC("http://h/\x83\x41")),
         "urlset http://h/\u30a2"},
        /* what is declared can't be, or nobody knows it: UTF-8 */
        {BYTES("<?xml version='1.0' encoding='UTF-16'?>" LOC("http://h/\u00e9")),
         "urlset http://h/\u00e9"},
        {BYTES("<?xml version='1.0' encoding='x-nonsense'?>" LOC("http://h/\u00e9")),
         "urlset http://h/\u00e9"},
        {BYTES("<?xml version='1.0' encoding='"), "none"},
        {BYTES("<?xml-stylesheet href='x'?>" LOC("http://h/1")), "urlset http://h/1"},
        {BYTES("<?xml?>" LOC("http://h/1")), "urlset http://h/1"},
        /* ill-formed bytes lose themselves only */
        {BYTES("<urlset><url><loc>http://h/\xE9/\xF0\x9F\x90</loc></url><url><loc>http://h/"
               "\u00e9\xC0\xAF\ufffd\xEF\xBF</loc></url></urlset>"),
         "urlset http://h/\ufffd/\ufffd http://h/\u00e9\ufffd\ufffd\ufffd\ufffd"},
        {BYTES(LOC("http://h/\0\x01\x1f"
                   "1\x7f")),
         "urlset http://h/1\x7f"},
        {BYTES(LOC("http://h/\uffff"
                   "1")),
         "urlset http://h/1"},
    };
    check(cases);
}
END_TEST

/* The same document in UTF-16: both orders, with and without a mark, and text. */
START_TEST(utf_16)
{
    static const char *const texts[] = {
        "<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>http://h/\u00e9\u20ac"
        "\U0001F408</loc></url></urlset>",
        "http://h/\u00e9\u20ac\U0001F408\n",
    };
    static const char *const wants[] = {"urlset http://h/\u00e9\u20ac\U0001F408",
                                        "text http://h/\u00e9\u20ac\U0001F408"};
    for (size_t t = 0; t < 2; t++) {
        for (int big = 0; big < 2; big++) {
            for (int mark = t == 1; mark < 2; mark++) {
                char bytes[512];
                size_t n = 0;
                const char *p = texts[t];
                for (long c = mark ? 0xfeff : 0; *p || c; c = 0) {
                    if (!c) { /* the tables above have sequences of one to four bytes */
                        size_t more = (unsigned char)*p < 0x80   ? 0
                                      : (unsigned char)*p < 0xe0 ? 1
                                      : (unsigned char)*p < 0xf0 ? 2
                                                                 : 3;
                        c = (unsigned char)*p++ & (more ? 0x3f >> more : 0x7f);
                        while (more-- > 0) {
                            c = c << 6 | ((unsigned char)*p++ & 0x3f);
                        }
                    }
                    long units[2] = {c, 0};
                    if (c > 0xffff) {
                        units[0] = 0xd800 + ((c - 0x10000) >> 10);
                        units[1] = 0xdc00 + ((c - 0x10000) & 0x3ff);
                    }
                    for (size_t k = 0; k < (c > 0xffff ? 2u : 1u); k++) {
                        bytes[n + (size_t)!big] = (char)(units[k] >> 8);
                        bytes[n + (size_t)big] = (char)(units[k] & 0xff);
                        n += 2;
                    }
                }
                struct sitemap_case one = {bytes, n, wants[t]};
                sitemap_cases_check(&one, 1);
            }
        }
    }
    static const struct sitemap_case cases[] = {
        {BYTES("\xFF\xFEh\0t\0t\0p\0:\0/\0/\0h\0/\0\0\xd8\x31\0\0\xdc\x32\0\0\xd8\n\0"),
         "text http://h/\ufffd"
         "1\ufffd"
         "2\ufffd"},
        {BYTES("\xFF"), "none"},
        {BYTES("\xFE\xFF"), "none"},
        {BYTES("\xFF\xFE<"), "none"},
    };
    check(cases);
}
END_TEST

START_TEST(text_sitemaps)
{
    static const struct sitemap_case cases[] = {
        {BYTES("http://h/1\r\nhttp://h/2\rhttp://h/3\n\n\nhttp://h/4"),
         "text http://h/1 http://h/2 http://h/3 http://h/4"},
        {BYTES("\xEF\xBB\xBF  http://h/1  \n\tHTTPS://h/2\t"), "text http://h/1 HTTPS://h/2"},
        {BYTES("# a comment\nhttp://h/a b\nhttp://h/1\nsee http://h/no\n/no\nhttp://\nftp://h/"),
         "text http://h/1"},
        {BYTES("http://h/a&amp;b\nhttp://h/<c>"), "text http://h/a&amp;b http://h/<c>"},
        {BYTES("nothing\nhere"), "none"},
        {BYTES("h"), "none"},
    };
    check(cases);
}
END_TEST

START_TEST(an_html_page_is_no_text_sitemap)
{
    static const struct {
        const char *content_type, *url, *want;
    } cases[] = {
        {NULL, NULL, "text http://h/1"},
        {"text/plain", "http://h/s.xml", "text http://h/1"},
        {"application/octet-stream", NULL, "text http://h/1"},
        {"text/html; charset=utf-8", "http://h/s.xml", "none"},
        {"Text/HTML", NULL, "none"},
        {"text/html", "http://h/s.txt", "text http://h/1"},
        {"text/html", "http://h/s.txt.gz?x#y", "text http://h/1"},
        {"text/html", "http://h/s?s.txt", "none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_str_eq(
            sitemap_read_as(cases[i].content_type, cases[i].url, "http://h/1\n", 11, 5),
            cases[i].want);
    }
    ck_assert_str_eq(
        sitemap_read_as("text/html", NULL, LOC("http://h/1"), strlen(LOC("http://h/1")), 100),
        "urlset http://h/1");
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("sitemap");
    tcase_add_test(tc, kinds);
    tcase_add_test(tc, which_elements_count);
    tcase_add_test(tc, references_and_sections);
    tcase_add_test(tc, document_types_are_ignored);
    tcase_add_test(tc, encodings);
    tcase_add_test(tc, utf_16);
    tcase_add_test(tc, text_sitemaps);
    tcase_add_test(tc, an_html_page_is_no_text_sitemap);
    return suite_run("text: sitemaps", tc);
}
