/* check_html_tree.c -- as much of tree construction (HTML Standard 13.2.6) as decides whether a
 * link's element exists: foreign content, templates, framesets, noscript. */
#include "html_trace.h"

#include "support/suite.h"
#include <stdlib.h>
#include <string.h>

static const struct html_case foreign[] = {
    HTML_CASE("<svg><a href=x></a></svg>", "a(x)", "svg has links"),
    HTML_CASE("<svg><a xlink:href=x></a><a xlink:href=no href=y></a></svg>", "a(x) a(y)",
              "of two attributes href"),
    HTML_CASE("<svg><image href=x /><image xlink:href=y></image></svg>",
              "svg-image(x) svg-image(y)", "and images"),
    HTML_CASE("<svg><image src=no /><image href='' /></svg><image src=x>", "img(x)",
              "image is img only in HTML"),
    HTML_CASE("<math><a href=no></a><mtext><a href=x></a></mtext></math>", "a(x)",
              "MathML has none, but HTML inside of it"),
    HTML_CASE("<a xlink:href=no><a href=x>", "a(x)", "xlink:href is nothing in HTML"),
    HTML_CASE("<svg><title><a href=x></title></svg>", "a(x)", "an integration point, no RCDATA"),
    HTML_CASE("<svg><style><a href=x></style><script><a href=y></script></svg>", "a(x) a(y)",
              "no raw text in foreign content"),
    HTML_CASE("<svg><textarea><a href=x></a></textarea></svg>", "a(x)", "the same"),
    HTML_CASE("<svg><script src=no></script><link href=no><base href=no></svg>", "",
              "HTML's link elements are none in svg"),
    HTML_CASE("<svg><desc><style><a href=no></style></desc></svg>", "", "raw text inside of desc"),
    HTML_CASE("<svg><foreignObject><img src=x></foreignObject><image href=y /></svg>",
              "img(x) svg-image(y)", "and svg again behind it"),
    HTML_CASE("<svg><foreignobject><p><b>x</foreignObject><image src=x></svg>", "img(x)",
              "an open p keeps it open"),
    HTML_CASE("<svg><desc><p>1<p>2</p></desc><image href=x /></svg>", "svg-image(x)",
              "the second p ended the first"),
    HTML_CASE("<svg><desc><ul><li>1<li>2</ul></desc><image href=x /></svg>", "svg-image(x)",
              "items too"),
    HTML_CASE("<svg><desc><b><p></b></p></desc><image href=x /></svg>", "svg-image(x)",
              "misnested formatting"),
    HTML_CASE("<svg><desc><br><img src=y></desc><image href=x /></svg>", "img(y) svg-image(x)",
              "void elements are not open"),
    HTML_CASE("<svg><desc><table><tr><td>1</table></desc><image href=x /></svg>", "svg-image(x)",
              "the parts of a table end with it"),
    HTML_CASE("<svg><g><div><image src=x></svg>", "img(x)", "13.2.6.5: div breaks out"),
    HTML_CASE("<svg><g><font><image href=x /></font><font color=red><image src=y>",
              "svg-image(x) img(y)", "font breaks out with color, face or size"),
    HTML_CASE("<svg><g></p><image src=x>", "img(x)", "so does the end tag of p"),
    HTML_CASE("<svg><g></br><image src=x>", "img(x)", "and of br"),
    HTML_CASE("<svg/><image src=x>", "img(x)", "self-closing svg is closed"),
    HTML_CASE("<svg><g/><g /></svg><image src=x>", "img(x)", "and so is g"),
    HTML_CASE("<svg></SVG><image src=x>", "img(x)", "end tags in any case"),
    HTML_CASE("<svg><g></svg><image src=x>", "img(x)", "the end tag of svg ends what is in it"),
    HTML_CASE("<svg></g></foo><image href=x />", "svg-image(x)", "one that fits nothing does not"),
    HTML_CASE("<div><svg></div><image src=x>", "img(x)", "one of HTML outside does"),
    HTML_CASE("<svg></body></html><image href=x />", "svg-image(x)", "but not body's and html's"),
    HTML_CASE("<p><svg><x-y></x-y></svg><image src=x>", "img(x)", "any name is an element"),
    HTML_CASE("<svg><svg></svg><image href=x /></svg><image src=y>", "svg-image(x) img(y)",
              "nested"),
    HTML_CASE("<math><svg><image href=no /></svg></math>", "", "svg in MathML is MathML"),
    HTML_CASE("<math><mi><svg><image href=x /></svg></mi></math>", "svg-image(x)",
              "but not at a text integration point"),
    HTML_CASE("<math><mi><mglyph><a href=no></a></mglyph><a href=x></mi></math>", "a(x)",
              "mglyph there is MathML"),
    HTML_CASE("<math><annotation-xml><a href=no></a><svg><a href=x></a></svg></annotation-xml>",
              "a(x)", "in annotation-xml svg begins svg"),
    HTML_CASE("<math><annotation-xml encoding='Text/HTML'><a href=x>", "a(x)",
              "with this encoding it is HTML"),
    HTML_CASE("<math><annotation-xml encoding=application/xhtml+xml><a href=x>", "a(x)",
              "with this one too"),
    HTML_CASE("<math><annotation-xml encoding=text/htm><a href=no>", "", "with others not"),
    HTML_CASE("<svg><![CDATA[ <a href=no> ]]><a href=x></a></svg>", "a(x)",
              "13.2.5.42: CDATA in foreign content"),
    HTML_CASE("<svg><![CDATA[ <a href=no> ]] ]>]]]><a href=x>", "a(x)", "13.2.5.70: its end"),
    HTML_CASE("<svg><![CDATA[ <a href=no>", "", "13.2.5.69: end of file"),
    HTML_CASE("<svg><![cdata[ <a href=x> ]]>", "", "case counts: a bogus comment up to '>'"),
    HTML_CASE("<svg><desc><![CDATA[<a href=x>]]></desc></svg>", "",
              "desc itself is foreign, so this is CDATA"),
    HTML_CASE("<svg><desc><b><![CDATA[<i><a href=x>", "a(x)", "in an HTML element it is not"),
};

static const struct html_case templates[] = {
    HTML_CASE("<template><a href=no></template><a href=x>", "a(x)", "no part of the document"),
    HTML_CASE("<template><template></template><a href=no></template><a href=x>", "a(x)", "nested"),
    HTML_CASE("</template><a href=x>", "a(x)", "an end tag alone is nothing"),
    HTML_CASE("<template><div><p></template><a href=x>", "a(x)", "it ends what is in it"),
    HTML_CASE("<template><svg><g></template><a href=x>", "a(x)", "also svg"),
    HTML_CASE("<svg><template><a href=x></template><image href=y /></svg>", "a(x) svg-image(y)",
              "svg's template is another element"),
    HTML_CASE("<svg><desc><template><a href=no></template><a href=x></a></desc><image href=y />",
              "a(x) svg-image(y)", "HTML's inside of svg"),
    HTML_CASE("<template><title><a href=no></title></template><a href=x>", "a(x)",
              "raw text in it"),
    HTML_CASE("<template><style></template></style><a href=no></template><a href=x>", "a(x)",
              "whose end tag may look like its own"),
    HTML_CASE("<template><col><title></template><a href=x>", "a(x)",
              "13.2.6.4.18: behind a col only columns, no title"),
    HTML_CASE("<template><a href=no>", "", "unclosed"),
    HTML_CASE("<table><template><tr><td><a href=no></template><tr><td><a href=x>", "a(x)",
              "in a table"),
    HTML_CASE("<template><base href=no></template><base href=x>", "base(x)", "base not in it"),
    HTML_CASE("<svg><base href=no></svg><base href=x>", "base(x)", "nor in svg"),
    HTML_CASE("<template><meta name=robots content=no></template>", "", "meta not in it"),
};

static const struct html_case framesets[] = {
    HTML_CASE("<frameset><frame src=x><frame src=y></frameset>", "frame(x) frame(y)",
              "13.2.6.4.20"),
    HTML_CASE("<head><title>t</title></head><frameset><frame src=x>", "title(t) frame(x)",
              "behind a head"),
    HTML_CASE("<frame src=no><p><frame src=no>", "", "13.2.6.4.7: not in a body"),
    HTML_CASE("<frameset><frameset><frame src=x></frameset><frame src=y></frameset>",
              "frame(x) frame(y)", "nested"),
    HTML_CASE("<frameset></frameset><frame src=no>", "", "13.2.6.4.21: not behind it"),
    HTML_CASE("<frameset><a href=no><img src=no><frame src=x></frameset><a href=no>", "frame(x)",
              "nothing else in it or behind it"),
    HTML_CASE("<frameset><title></frameset></title><frame src=no>", "", "no raw text either"),
    HTML_CASE("<frameset><noframes><frame src=no></noframes><frame src=x>", "frame(x)",
              "but noframes"),
    HTML_CASE("<body><frameset><frame src=no>", "", "not once a body tag was there"),
    HTML_CASE("text<frameset><frame src=no>", "", "nor text"),
    HTML_CASE("<p>text<frameset><frame src=no></frameset><a href=x>", "a(x)", "nor text in a p"),
    HTML_CASE("<p><br><frameset><frame src=no>", "", "nor what sets frameset-ok to \"not ok\""),
    HTML_CASE("<p><input type=text><frameset><frame src=no>", "", "such as an input"),
    HTML_CASE("<p><template></template><frameset><frame src=no>", "", "or a template"),
    HTML_CASE("<div><a href=no></div><frameset><frame src=x>", "frame(x)",
              "13.2.6.4.7: else it replaces the body and all that is in it"),
    HTML_CASE("<div><base href=no><title>no</title></div><frameset><frame src=x>", "frame(x)",
              "also what is no link"),
    HTML_CASE("<base href=x><div><a href=no></div> \n<frameset><frame src=y>", "base(x) frame(y)",
              "what stands in the head stays"),
    HTML_CASE("<input type=HIDDEN><frameset><frame src=x>", "frame(x)",
              "a hidden input is nothing"),
    HTML_CASE("<svg><a href=no></svg><frameset><frame src=x>", "frame(x)", "svg alone neither"),
    HTML_CASE("<svg>text</svg><frameset><frame src=no>", "", "text in it does"),
    HTML_CASE("<script>text</script><style>text</style><frameset><frame src=x>", "frame(x)",
              "raw text does not"),
    HTML_CASE("<div><script>text</script><frameset><frame src=x>", "frame(x)", "nor in a body"),
    HTML_CASE("</p></div><frameset><frame src=x>", "frame(x)", "most end tags are ignored"),
    HTML_CASE("</body><frameset><frame src=x>", "frame(x)", "body's begins one"),
    HTML_CASE("</br><frameset><frame src=no>", "", "br's is an element"),
    HTML_CASE("\0<frameset><frame src=x>", "frame(x)", "NUL begins a body, and is no text"),
    HTML_CASE("<div><a href=x><p>", "a(x)", "no frameset comes: all is reported, once"),
    HTML_CASE("<div><a href=x><br><a href=y><frameset>", "a(x) a(y)", "or too late"),
    HTML_CASE("<!-- c --><!doctype html><html><head></head><frameset><frame src=x>", "frame(x)",
              "comments and white space are nothing"),
};

static const struct html_case heads[] = {
    HTML_CASE("<head><noscript><link href=x><a href=y></noscript></head>", "link(x) a(y)",
              "13.2.6.4.5: scripting is off"),
    HTML_CASE("<head><noscript>text<frameset><frame src=no></frameset><a href=x>", "a(x)",
              "which begins a body"),
    HTML_CASE("<head><noscript><meta name=a></noscript><frameset><frame src=x>", "frame(x)",
              "and this does not"),
    HTML_CASE("<head><noscript><head><noscript><base href=x></noscript>", "base(x)", "base too"),
    HTML_CASE("<head></head><link href=x><a href=y>", "link(x) a(y)", "13.2.6.4.6: after head"),
    HTML_CASE("<a href=x></body></html><a href=y>", "a(x) a(y)", "after body"),
    HTML_CASE("<head><a href=x><title>t</title></head>", "a(x) title(t)", "a title in the body"),
    HTML_CASE("<a href=x><a href=y>z</a>", "a(x) a(y)", "13.2.6.4.7: a ends a, both are there"),
    HTML_CASE("<table><a href=x><tr><a href=y><td><a href=z>", "a(x) a(y) a(z)",
              "13.2.6.4.9: foster parents move links, and lose none"),
    HTML_CASE("<select><a href=x></select>", "a(x)", "13.2.6.4.7: select keeps all elements"),
    HTML_CASE("<base href=x><base href=no>", "base(x)", "4.2.3: the first base with an href"),
    HTML_CASE("<base><base href=x>", "base(x)", "with an href"),
    HTML_CASE("<p><base href=x>", "base(x)", "wherever it stands"),
};

#define TABLE(name, all)                                                                           \
    START_TEST(check_##name)                                                                       \
    {                                                                                              \
        html_check(&name[_i], all);                                                                \
    }                                                                                              \
    END_TEST
TABLE(foreign, false)
TABLE(templates, true)
TABLE(framesets, true)
TABLE(heads, true)

START_TEST(anchors)
{
    static const struct {
        const char *html, *anchors;
    } cases[] = {
        {"<p id=a><P ID='b c'>", "#a #b c"},
        {"<a name=x><a name=y id=z><p name=no>", "#x #z #y"},
        {"<p id=''><p id><a name=''>", ""},
        {"<p id=a id=no><p id='&eacute;'>", "#a #\xC3\xA9"},
        {"<svg id=s><g id=g /><a name=no></a></svg>", "#s #g"},
        {"<template id=t><p id=no></template><p id=x>", "#t #x"},
        {"<style id=s><p id=no></style><!-- <p id=no> --></p id=no><p id=x>", "#s #x"},
        {"<body id=b><frameset id=no>", "#b"},
    };
    char *got = html_anchors(cases[_i].html, strlen(cases[_i].html));
    ck_assert_str_eq(got, cases[_i].anchors);
    free(got);
}
END_TEST

#define ADD(name) tcase_add_loop_test(tc, check_##name, 0, sizeof name / sizeof name[0])

int main(void)
{
    TCase *tc = tcase_create("tree");
    ADD(foreign);
    ADD(templates);
    ADD(framesets);
    ADD(heads);
    tcase_add_loop_test(tc, anchors, 0, 8);
    return suite_run("text: HTML tree", tc);
}
