/* check_charset.c -- labels of the Encoding Standard, and deciding the encoding of an HTML body. */
#include "text/charset.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>

/* Encoding Standard 4.2: every encoding with every label. */
static const struct {
    const char *name, *labels;
} standard[] = {
    {"UTF-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 "
              "x-unicode20utf8"},
    {"IBM866", "866 cp866 csibm866 ibm866"},
    {"ISO-8859-2", "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 "
                   "iso_8859-2:1987 l2 latin2"},
    {"ISO-8859-3", "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 "
                   "iso_8859-3:1988 l3 latin3"},
    {"ISO-8859-4", "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 "
                   "iso_8859-4:1988 l4 latin4"},
    {"ISO-8859-5", "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 "
                   "iso_8859-5 iso_8859-5:1988"},
    {"ISO-8859-6", "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 "
                   "iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 "
                   "iso_8859-6 iso_8859-6:1987"},
    {"ISO-8859-7", "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 "
                   "iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek"},
    {"ISO-8859-8", "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 "
                   "iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual"},
    {"ISO-8859-8-I", "csiso88598i iso-8859-8-i logical"},
    {"ISO-8859-10", "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    {"ISO-8859-13", "iso-8859-13 iso8859-13 iso885913"},
    {"ISO-8859-14", "iso-8859-14 iso8859-14 iso885914"},
    {"ISO-8859-15", "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"},
    {"ISO-8859-16", "iso-8859-16"},
    {"KOI8-R", "cskoi8r koi koi8 koi8-r koi8_r"},
    {"KOI8-U", "koi8-ru koi8-u"},
    {"macintosh", "csmacintosh mac macintosh x-mac-roman"},
    {"windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"},
    {"windows-1250", "cp1250 windows-1250 x-cp1250"},
    {"windows-1251", "cp1251 windows-1251 x-cp1251"},
    {"windows-1252", "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 "
                     "iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 "
                     "us-ascii windows-1252 x-cp1252"},
    {"windows-1253", "cp1253 windows-1253 x-cp1253"},
    {"windows-1254", "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
                     "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254"},
    {"windows-1255", "cp1255 windows-1255 x-cp1255"},
    {"windows-1256", "cp1256 windows-1256 x-cp1256"},
    {"windows-1257", "cp1257 windows-1257 x-cp1257"},
    {"windows-1258", "cp1258 windows-1258 x-cp1258"},
    {"x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"},
    {"GBK", "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk "
            "iso-ir-58 x-gbk"},
    {"gb18030", "gb18030"},
    {"Big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5"},
    {"EUC-JP", "cseucpkdfmtjapanese euc-jp x-euc-jp"},
    {"ISO-2022-JP", "csiso2022jp iso-2022-jp"},
    {"Shift_JIS", "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"},
    {"EUC-KR", "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 "
               "ks_c_5601-1989 ksc5601 ksc_5601 windows-949"},
    {"replacement", "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr "
                    "replacement"},
    {"UTF-16BE", "unicodefffe utf-16be"},
    {"UTF-16LE", "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"},
    {"x-user-defined", "x-user-defined"},
};

START_TEST(every_label_names_its_encoding)
{
    unsigned count = 0;
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
        char all[512], *save = NULL;
        snprintf(all, sizeof all, "%s", standard[i].labels);
        for (char *l = strtok_r(all, " ", &save); l; l = strtok_r(NULL, " ", &save)) {
            const struct weft_charset *cs = weft_charset_by_label(l, strlen(l));
            ck_assert_msg(cs, "%s", l);
            ck_assert_str_eq(weft_charset_name(cs), standard[i].name);
            count++;
        }
    }
    ck_assert_uint_eq(count, 228);
    ck_assert_uint_eq(sizeof standard / sizeof standard[0], 40);
}
END_TEST

START_TEST(labels_ignore_case_and_white_space_and_nothing_else)
{
    static const struct {
        const char *label;
        size_t len;
        const char *name;
    } cases[] = {
        {"UTF-8", 5, "UTF-8"},
        {" \t\n\f\rutf-8\r ", 12, "UTF-8"},
        {"Shift_JIS", 9, "Shift_JIS"},
        {"\vutf-8", 6, NULL}, /* a vertical tab is no ASCII white space */
        {"utf-8\0", 6, NULL}, /* NUL is a character like any other */
        {"utf-8;", 6, NULL},
        {"utf -8", 6, NULL},
        {"", 0, NULL},
        {"   ", 3, NULL},
        {"utf-7", 5, NULL},
        {"iso-2022-kr", 11, "replacement"},
        {"\xC4\xB0so-8859-1", 11, NULL},
        {"a label that is longer than any of the Standard's could ever be", 63, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct weft_charset *cs = weft_charset_by_label(cases[i].label, cases[i].len);
        if (cases[i].name) {
            ck_assert_msg(cs, "%s", cases[i].label);
            ck_assert_str_eq(weft_charset_name(cs), cases[i].name);
        } else {
            ck_assert_msg(!cs, "%s", cases[i].label);
        }
    }
}
END_TEST

struct decision {
    const char *body;
    size_t len; /* 0: strlen */
    const char *content_type, *name;
    size_t bom_len;
    const char *why;
};

static void decide(const struct decision *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct decision *c = &cases[i];
        size_t bom = 99, len = c->len ? c->len : strlen(c->body);
        char *exact = malloc(len + 1); /* a sanitizer sees a read past the end */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, c->body, len);
        const char *type = c->content_type;
        const struct weft_charset *cs = weft_charset_of_html(exact, len, type,
                                                             type ? strlen(type) : 0, &bom);
        free(exact);
        ck_assert_msg(!strcmp(weft_charset_name(cs), c->name), "%s: %s, not %s", c->why,
                      weft_charset_name(cs), c->name);
        ck_assert_msg(bom == c->bom_len, "%s: BOM of %zu", c->why, bom);
    }
}

START_TEST(order_of_evidence)
{
    static const struct decision cases[] = {
        {"\xEF\xBB\xBF<meta charset=koi8-r>", 0, "text/html;charset=big5", "UTF-8", 3, "BOM first"},
        {"\xFF\xFE<\0", 4, "text/html;charset=utf-8", "UTF-16LE", 2, "UTF-16 BOM"},
        {"\xFE\xFF\0<", 4, NULL, "UTF-16BE", 2, "UTF-16 BOM, big-endian"},
        {"\xEF\xBB", 0, NULL, "windows-1252", 0, "half a BOM is none"},
        {"<meta charset=koi8-r>", 0, "text/html; charset=big5", "Big5", 0, "header before meta"},
        {"<meta charset=koi8-r>", 0, "text/html; charset=nonsense", "KOI8-R", 0, "unknown label"},
        {"<meta charset=koi8-r>", 0, "charset=big5", "KOI8-R", 0, "a field without a type"},
        {"<meta charset=koi8-r>", 0, "text/html; charset=utf-16", "UTF-16LE", 0, "header's UTF-16"},
        {"<meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "meta when there is no field"},
        {"plain", 0, "text/html", "windows-1252", 0, "ASCII is what browsers call it"},
        {"na\xC3\xAFve", 0, "text/html", "UTF-8", 0, "well-formed UTF-8, undeclared"},
        {"na\xEFve", 0, "text/html", "windows-1252", 0, "not UTF-8, undeclared"},
        {"\xC3\xAF\xEF", 0, "text/html", "windows-1252", 0, "UTF-8 up to the last byte"},
        {"", 0, NULL, "windows-1252", 0, "nothing at all"},
    };
    decide(cases, sizeof cases / sizeof cases[0]);
}
END_TEST

/* HTML Standard 13.2.3.2, step by step. */
START_TEST(prescan)
{
    static const struct decision cases[] = {
        {"<meta charset=\"koi8-r\">", 0, NULL, "KOI8-R", 0, "double quotes"},
        {"<meta charset='koi8-r'>", 0, NULL, "KOI8-R", 0, "single quotes"},
        {"<META CHARSET = KOI8-R >", 0, NULL, "KOI8-R", 0, "case, spaces around ="},
        {"<meta\n\tcharset\f=\r koi8-r\n>", 0, NULL, "KOI8-R", 0, "all white space"},
        {"<meta/charset=koi8-r>", 0, NULL, "KOI8-R", 0, "slash after the name"},
        {"<meta / / charset=koi8-r>", 0, NULL, "KOI8-R", 0, "slashes between"},
        {"<metas charset=koi8-r>", 0, NULL, "windows-1252", 0, "another element"},
        {"<meta>", 0, NULL, "windows-1252", 0, "no attributes"},
        {"</meta charset=koi8-r>", 0, NULL, "windows-1252", 0, "an end tag"},
        {"<meta charset=koi8-r", 0, NULL, "windows-1252", 0, "not closed"},
        {"<meta charset=\"koi8-r>", 0, NULL, "windows-1252", 0, "quote not closed"},
        {"<meta charset=>", 0, NULL, "windows-1252", 0, "empty value"},
        {"<meta charset>", 0, NULL, "windows-1252", 0, "no value"},
        {"<meta charset=koi8-r charset=big5>", 0, NULL, "KOI8-R", 0, "first of a name counts"},
        {"<meta charset=nonsense><meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "unknown goes on"},
        {"<meta charset=utf-16le>", 0, NULL, "UTF-8", 0, "UTF-16LE can't be"},
        {"<meta charset=utf-16be>", 0, NULL, "UTF-8", 0, "UTF-16BE can't be"},
        {"<meta charset=x-user-defined>", 0, NULL, "windows-1252", 0, "x-user-defined"},
        {"<meta charset=iso-2022-kr>", 0, NULL, "replacement", 0, "replacement stays"},
        {"<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", 0, NULL, "KOI8-R", 0,
         "pragma first"},
        {"<meta content='text/html; charset=koi8-r' http-equiv=content-type>", 0, NULL, "KOI8-R", 0,
         "pragma last"},
        {"<meta content='text/html; charset=koi8-r'>", 0, NULL, "windows-1252", 0, "no pragma"},
        {"<meta http-equiv=refresh content='charset=koi8-r'>", 0, NULL, "windows-1252", 0,
         "another pragma"},
        {"<meta http-equiv=content-type content='charset=koi8-r' charset=big5>", 0, NULL, "Big5", 0,
         "charset overrides content"},
        {"<meta charset=nonsense http-equiv=content-type content='charset=koi8-r'>", 0, NULL,
         "windows-1252", 0, "a charset that failed is no longer null"},
        {"<meta http-equiv=content-type content=';charset=nonsense'>", 0, NULL, "windows-1252", 0,
         "content without a known label"},
        {"<!-- <meta charset=koi8-r> -->", 0, NULL, "windows-1252", 0, "in a comment"},
        {"<!--><meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "dashes shared by both ends"},
        {"<!-- > -- > <meta charset=koi8-r>", 0, NULL, "windows-1252", 0, "comment not closed"},
        {"<!doctype html><meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "doctype"},
        {"<!meta charset=koi8-r ><meta charset=big5>", 0, NULL, "Big5", 0, "a bogus comment"},
        {"<?php echo '<meta charset=koi8-r>' ?>", 0, NULL, "windows-1252", 0,
         "up to the first >, with the meta inside"},
        {"</ <meta charset=koi8-r>", 0, NULL, "windows-1252", 0, "</ up to the first >"},
        {"< meta charset=koi8-r>", 0, NULL, "windows-1252", 0, "a space is no tag"},
        {"<a title='<meta charset=koi8-r>'>", 0, NULL, "windows-1252", 0, "in an attribute"},
        {"<a b=\"><meta charset=koi8-r>", 0, NULL, "windows-1252", 0, "quote runs out"},
        {"<a b=><meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "empty unquoted value"},
        {"<a =b><meta charset=koi8-r>", 0, NULL, "KOI8-R", 0, "a name that begins with ="},
        {"<script><meta charset=koi8-r></script>", 0, NULL, "KOI8-R", 0, "scripts are not known"},
    };
    decide(cases, sizeof cases / sizeof cases[0]);
}
END_TEST

/* HTML Standard 2.6.5, extracting a character encoding from a meta element. */
START_TEST(content_attribute)
{
    static const struct {
        const char *content, *name, *why;
    } cases[] = {
        {"charset=koi8-r", "KOI8-R", "alone"},
        {"text/html;charset  =  koi8-r  ;x", "KOI8-R", "spaces and a parameter"},
        {"charset charset=koi8-r", "KOI8-R", "a word that is not followed by ="},
        {"xcharset=koi8-r", "KOI8-R", "anywhere in the text"},
        {"CHARSET=KOI8-R", "KOI8-R", "case"},
        {"charset='koi8-r' x", "KOI8-R", "quoted"},
        {"charset='koi8-r", "windows-1252", "quote not closed"},
        {"charset=", "windows-1252", "nothing behind"},
        {"charset=   ", "windows-1252", "only spaces behind"},
        {"charset", "windows-1252", "no ="},
        {"charset=koi8-r,x", "windows-1252", "a comma does not end it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[200];
        int n = snprintf(body, sizeof body, "<meta http-equiv=content-type content=\"%s\">",
                         cases[i].content);
        struct decision d = {body, (size_t)n, NULL, cases[i].name, 0, cases[i].why};
        decide(&d, 1);
    }
}
END_TEST

/* "Get an XML encoding", and UTF-16 XML declarations. */
START_TEST(xml_declaration)
{
    static const struct decision cases[] = {
        {"<?xml version='1.0' encoding='koi8-r'?>", 0, NULL, "KOI8-R", 0, "declaration"},
        {"<?xml encoding \n=\t\"koi8-r\"?>", 0, NULL, "KOI8-R", 0, "white space around ="},
        {"<?xml encoding='utf-16'?>", 0, NULL, "UTF-8", 0, "UTF-16 can't be"},
        {"<?xml encoding='koi8-r'?><meta charset=big5>", 0, NULL, "Big5", 0, "meta comes first"},
        {"<?xml encoding='koi8-r'><meta charset=big5", 0, NULL, "KOI8-R", 0, "meta not closed"},
        {" <?xml encoding='koi8-r'?>", 0, NULL, "windows-1252", 0, "not at the start"},
        {"<?XML encoding='koi8-r'?>", 0, NULL, "windows-1252", 0, "case matters"},
        {"<?xml encoding=koi8-r?>", 0, NULL, "windows-1252", 0, "no quotes"},
        {"<?xml encoding=' koi8-r'?>", 0, NULL, "windows-1252", 0, "a space inside"},
        {"<?xml encoding='koi8-r\"?>", 0, NULL, "windows-1252", 0, "quotes differ"},
        {"<?xml ?><p encoding='koi8-r'>", 0, NULL, "windows-1252", 0, "behind the declaration"},
        {"<?xml encoding='koi8-r'", 0, NULL, "windows-1252", 0, "not closed"},
        {"<\0?\0x\0m\0", 8, NULL, "UTF-16LE", 0, "UTF-16LE declaration without a BOM"},
        {"\0<\0?\0x\0m", 8, NULL, "UTF-16BE", 0, "UTF-16BE declaration without a BOM"},
        {"<\0?\0x", 5, NULL, "windows-1252", 0, "too short for one"},
    };
    decide(cases, sizeof cases / sizeof cases[0]);
}
END_TEST

START_TEST(prescan_ends_at_1024_bytes)
{
    static const char meta[] = "<meta charset=koi8-r>";
    size_t len = sizeof meta - 1;
    for (size_t at = 1024 - len - 2; at < 1030; at++) {
        char body[1100];
        memset(body, ' ', sizeof body);
        memcpy(body + at, meta, len);
        struct decision d = {body, sizeof body, NULL, at + len <= 1024 ? "KOI8-R" : "windows-1252",
                             0,    "1024 bytes"};
        decide(&d, 1);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("charset");
    tcase_add_test(tc, every_label_names_its_encoding);
    tcase_add_test(tc, labels_ignore_case_and_white_space_and_nothing_else);
    tcase_add_test(tc, order_of_evidence);
    tcase_add_test(tc, prescan);
    tcase_add_test(tc, content_attribute);
    tcase_add_test(tc, xml_declaration);
    tcase_add_test(tc, prescan_ends_at_1024_bytes);
    return suite_run("text: charset", tc);
}
