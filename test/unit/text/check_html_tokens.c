/* check_html_tokens.c -- the tokenizer (HTML Standard 13.2.5), state by state: which tags and
 * attributes exist, seen through the links that they make. A link named "no" must not be there. */
#include "html_trace.h"

#include "support/suite.h"
#include <stdlib.h>
#include <string.h>

static const struct html_case tags[] = {
    HTML_CASE("<a href=x>", "a(x)", "13.2.5.6: a letter begins a tag"),
    HTML_CASE("<A HREF=x>", "a(x)", "13.2.5.8: upper case is lower case"),
    HTML_CASE("a < b <a href=x> 1<2", "a(x)", "13.2.5.6: before a space or digit '<' is text"),
    HTML_CASE("<<a href=x>", "a(x)", "13.2.5.6: '<' before '<' is text"),
    HTML_CASE("<5 <a href=x>", "a(x)", "no tag, so the one in it counts"),
    HTML_CASE("<", "", "13.2.5.6: end of file before a tag name"),
    HTML_CASE("</", "", "13.2.5.7: the same"),
    HTML_CASE("<a", "", "13.2.5.8: end of file in a tag: there is none"),
    HTML_CASE("<a href=x", "", "13.2.5.38: the same in a value"),
    HTML_CASE("<a href='x>", "", "13.2.5.37: an open quote swallows the rest"),
    HTML_CASE("</><a href=x>", "a(x)", "13.2.5.7: an end tag without a name is nothing"),
    HTML_CASE("</3 <a href=no>x<a href=x>", "a(x)", "13.2.5.7: a bogus comment up to '>'"),
    HTML_CASE("<a\fhref=x><a\thref=y><a\rhref=z>", "a(x) a(y) a(z)", "white space ends a name"),
    HTML_CASE("<a/href=x>", "a(x)", "13.2.5.8: so does a slash"),
    HTML_CASE("<a\0 href=no><a href=x>", "a(x)", "13.2.5.8: NUL in a name is U+FFFD"),
    HTML_CASE("<ax href=no><aa href=no><a-b href=no>", "", "longer names are other elements"),
    HTML_CASE("</a href=no><a href=x>", "a(x)", "attributes of an end tag mean nothing"),
    HTML_CASE("</p title='>'<a href=no>'><a href=x>", "a(x)", "but are read like any"),
    HTML_CASE("<a href=x/>", "a(x/)", "a slash in an unquoted value belongs to it"),
};

static const struct html_case attributes[] = {
    HTML_CASE("<a href='x'><a href=\"y\"><a href=z>", "a(x) a(y) a(z)", "13.2.5.36-.38"),
    HTML_CASE("<a href = 'x'><a href\n=\ty>", "a(x) a(y)", "13.2.5.34, .35: space around '='"),
    HTML_CASE("<a href='a\"b'><a href=\"a'b\">", "a(a\"b) a(a'b)", "the other quote is text"),
    HTML_CASE("<a href=a'b\"c`d=e<f>", "a(a'b\"c`d=e<f)", "13.2.5.38: errors, and kept"),
    HTML_CASE("<a href=x title=>", "a(x)", "13.2.5.35: '>' instead of a value ends the tag"),
    HTML_CASE("<a title= href=no><a href=x>", "a(x)", "13.2.5.35: the value is 'href=no'"),
    HTML_CASE("<a =href=no href=x>", "a(x)", "13.2.5.32: '=' first belongs to the name"),
    HTML_CASE("<a \"href=no><a 'href'=no><a <href=no>", "", "13.2.5.33: quotes and '<' too"),
    HTML_CASE("<a title='b'href='x'>", "a(x)", "13.2.5.39: no space behind a value"),
    HTML_CASE("<a title='a>b' href=x>", "a(x)", "'>' in quotes ends nothing"),
    HTML_CASE("<p title='a>b'><a href=x>", "a(x)", "also in a tag that nobody asks for"),
    HTML_CASE("<p \"a>b\"><a href=x>", "a(x)", "quotes in a name hide nothing"),
    HTML_CASE("<p a=b\"c><a href=x>", "a(x)", "nor do those inside an unquoted value"),
    HTML_CASE("<p = '><a href=x>", "a(x)", "'=' is a name here, so no value begins"),
    HTML_CASE("<a href=x href=no HREF=no>", "a(x)", "13.2.5.33: of duplicates the first"),
    HTML_CASE("<a href href=no>", "a()", "also if it is empty"),
    HTML_CASE("<a hrefx=no xhref=no data-href=no hre=no h=no>", "", "only the whole name"),
    HTML_CASE("<a hr\0ef=no>", "", "13.2.5.33: NUL in a name is U+FFFD"),
    HTML_CASE("<a href=a\0b><a href='\0'>",
              "a(a\xEF\xBF\xBD"
              "b) a(\xEF\xBF\xBD)",
              "and in a value"),
    HTML_CASE("<a href='a\r\nb\rc\nd'>", "a(a\nb\nc\nd)", "13.2.3.5: newlines are normalised"),
    HTML_CASE("<a / / href=x / >", "a(x)", "13.2.5.40: slashes between attributes are nothing"),
    HTML_CASE("<a href='  x '>", "a(  x )", "white space in a value is kept"),
    HTML_CASE("<a \xC3\xA9=no href=\xC3\xA9>", "a(\xC3\xA9)", "names of any bytes"),
};

static const struct html_case comments[] = {
    HTML_CASE("<!-- <a href=no> --><a href=x>", "a(x)", "13.2.5.45"),
    HTML_CASE("<!--><a href=x>", "a(x)", "13.2.5.43: abrupt end"),
    HTML_CASE("<!---><a href=x>", "a(x)", "13.2.5.44: abrupt end"),
    HTML_CASE("<!----><a href=x>", "a(x)", "an empty comment"),
    HTML_CASE("<!-- --!><a href=x>", "a(x)", "13.2.5.52: ends with a bang"),
    HTML_CASE("<!----!><a href=x>", "a(x)", "the same at once"),
    HTML_CASE("<!---!><a href=no>-->", "", "one dash is not enough"),
    HTML_CASE("<!--!><a href=no>-->", "", "nor is none"),
    HTML_CASE("<!-- -- ><a href=no>--><a href=x>", "a(x)", "13.2.5.51: not with a space"),
    HTML_CASE("<!-- --!-><a href=no>--><a href=x>", "a(x)", "13.2.5.52: bang and dash go on"),
    HTML_CASE("<!-- a ---><a href=x>", "a(x)", "13.2.5.51: more dashes"),
    HTML_CASE("<!-- <!-- --><a href=x>", "a(x)", "13.2.5.46-.49: nested is not nesting"),
    HTML_CASE("<!-- <!--><a href=x>", "a(x)", "13.2.5.49: '>' right behind a nested start"),
    HTML_CASE("<!-- <a href=no>", "", "end of file in a comment"),
    HTML_CASE("<!- - <a href=no><a href=x>", "a(x)", "13.2.5.42: a bogus comment up to '>'"),
    HTML_CASE("<!a <a href=no><a href=x>", "a(x)", "the same"),
    HTML_CASE("<!><a href=x>", "a(x)", "the same, empty"),
    HTML_CASE("<?xml version='>'?><a href=x>", "a(x)",
              "13.2.5.6: '?' too, and quotes hide nothing"),
    HTML_CASE("<!DOCTYPE html><a href=x>", "a(x)", "13.2.5.53"),
    HTML_CASE("<!doctype html PUBLIC \"a>b\"><a href=x>", "a(x)",
              "13.2.5.59: '>' ends it anywhere"),
    HTML_CASE("<![CDATA[ <a href=no> <a href=x> ]]>", "a(x)",
              "13.2.5.42: bogus outside of foreign"),
};

static const struct html_case raw[] = {
    HTML_CASE("<title><a href=no></title><a href=x>", "a(x)", "13.2.5.2: RCDATA"),
    HTML_CASE("<textarea><a href=no></TextArea ><a href=x>", "a(x)", "any case, space in the tag"),
    HTML_CASE("<textarea></textarea\f<a href=no>'><a href=x>", "a(x)",
              "13.2.5.11: attributes in the end tag"),
    HTML_CASE("<textarea></textareas><a href=no></textarea><a href=x>", "a(x)",
              "13.2.5.11: only the appropriate end tag"),
    HTML_CASE("<textarea></ textarea><a href=no>", "", "13.2.5.9: no space before the name"),
    HTML_CASE("<textarea></textarea", "", "end of file in the end tag"),
    HTML_CASE("<style><a href=no></style><a href=x>", "a(x)", "13.2.5.3: raw text"),
    HTML_CASE("<style><!-- </style><a href=x> -->", "a(x)", "comments mean nothing in it"),
    HTML_CASE("<style></script><a href=no></style/><a href=x>", "a(x)", "its own end tag"),
    HTML_CASE("<xmp><a href=no></xmp><a href=x>", "a(x)", "raw text"),
    HTML_CASE("<iframe><a href=no></iframe><a href=x>", "a(x)", "raw text"),
    HTML_CASE("<noembed><a href=no></noembed><a href=x>", "a(x)", "raw text"),
    HTML_CASE("<noframes><a href=no></noframes><a href=x>", "a(x)", "raw text"),
    HTML_CASE("<noscript><a href=x></noscript>", "a(x)", "not while scripting is off"),
    HTML_CASE("<plaintext><a href=no></plaintext><a href=no>", "", "13.2.5.5: for ever"),
    HTML_CASE("<style/><a href=no></style><a href=x>", "a(x)", "self-closing means nothing"),
    HTML_CASE("<STYLE><a href=no></sTyLe><a href=x>", "a(x)", "any case"),
    HTML_CASE("<style>", "", "nothing behind it"),
};

static const struct html_case scripts[] = {
    HTML_CASE("<script>'<a href=no>'</script><a href=x>", "a(x)", "13.2.5.4"),
    HTML_CASE("<script>if (a<b) '</scriptx>'<a href=no></script><a href=x>", "a(x)",
              "13.2.5.17: the whole name"),
    HTML_CASE("<script><!-- </script><a href=x>", "a(x)",
              "13.2.5.25: escaped, the end tag ends it"),
    HTML_CASE("<script><!-- <script> </script><a href=no> --></script><a href=x>", "a(x)",
              "13.2.5.27: double escaped, it does not"),
    HTML_CASE("<script><!-- <script> </script></script><a href=x>", "a(x)",
              "13.2.5.31: escaped again behind the inner end tag"),
    HTML_CASE("<script><!-- <script> --></script><a href=x>", "a(x)", "13.2.5.29: '-->' ends both"),
    HTML_CASE("<script><!--><script></script><a href=x>", "a(x)", "13.2.5.22: '<!-->' is whole"),
    HTML_CASE("<script><!---><script></script><a href=x>", "a(x)", "13.2.5.22: so is '<!--->'"),
    HTML_CASE("<script><!--<script></script><a href=no>-></script><a href=x>", "a(x)",
              "one dash and '>' end nothing, the second end tag does"),
    HTML_CASE("<script><!-- <scripts> </script><a href=x>", "a(x)", "13.2.5.26: the whole name"),
    HTML_CASE("<script><!-- <SCRIPT/ </script><a href=no></script><a href=x>", "a(x)",
              "13.2.5.26: any case, a slash ends it"),
    HTML_CASE("<script><!- <script></script><a href=x>", "a(x)", "13.2.5.18: one dash escapes not"),
    HTML_CASE("<script><!-- --<script>></script><a href=no></script><a href=x>", "a(x)",
              "13.2.5.22: '<' between dashes and '>'"),
    HTML_CASE("<script><!--", "", "end of file"),
    HTML_CASE("<script><!-- <script", "", "end of file"),
    HTML_CASE("<script>\n</script\n type='>'><a href=x>", "a(x)", "attributes in the end tag"),
};

#define TABLE(name)                                                                                \
    START_TEST(check_##name)                                                                       \
    {                                                                                              \
        html_check(&name[_i], false);                                                              \
    }                                                                                              \
    END_TEST
TABLE(tags)
TABLE(attributes)
TABLE(comments)
TABLE(raw)
TABLE(scripts)

static const struct html_case titles[] = {
    HTML_CASE("<title>A &amp; B</title>", "title(A & B)", "RCDATA has references"),
    HTML_CASE("<title>a&notit;b &copy2</title>",
              "title(a\xC2\xACit;b \xC2\xA9"
              "2)",
              "in text also without a semicolon, whatever follows"),
    HTML_CASE("<title><b>x</b></title>", "title(<b>x</b>)", "and no tags"),
    HTML_CASE("<title>a\0b\r\nc</title>",
              "title(a\xEF\xBF\xBD"
              "b\nc)",
              "NUL and newlines"),
    HTML_CASE("<title></title>", "title()", "an empty one"),
    HTML_CASE("<title>unclosed", "title(unclosed)", "up to the end of the file"),
    HTML_CASE("<title>1</title><title>2</title>", "title(1)", "document.title is the first"),
    HTML_CASE("<svg><title>no</title></svg><p><title>x</title>", "title(x)", "of HTML"),
    HTML_CASE("<template><title>no</title></template><title>x</title>", "title(x)",
              "in the document"),
    HTML_CASE("<p>x", "", "there may be none"),
};
START_TEST(check_titles)
{
    html_check(&titles[_i], true);
}
END_TEST

START_TEST(empty_input)
{
    struct weft_html_sink sink = {.assets = true};
    ck_assert_int_eq(weft_html_scan("", 0, &sink), WEFT_OK);
    ck_assert_int_eq(weft_html_scan(NULL, 0, &sink), WEFT_OK);
}
END_TEST

#define ADD(tc, name) tcase_add_loop_test(tc, check_##name, 0, sizeof name / sizeof name[0])

int main(void)
{
    TCase *tc = tcase_create("tokens");
    ADD(tc, tags);
    ADD(tc, attributes);
    ADD(tc, comments);
    ADD(tc, raw);
    ADD(tc, scripts);
    ADD(tc, titles);
    tcase_add_test(tc, empty_input);
    return suite_run("text: HTML tokens", tc);
}
