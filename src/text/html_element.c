/* html_element.c -- the table of elements, by first letter, and its look-up. Flags are the lists of
 * the HTML Standard's tree construction (13.2.6), named in html_element.h. */
#include "text/html_element.h"

enum {
    LINKS = HTML_EL_LINKS,
    RCDATA = HTML_EL_RCDATA,
    RAWTEXT = HTML_EL_RAWTEXT,
    SCRIPTDATA = HTML_EL_SCRIPTDATA,
    PLAINTEXT = HTML_EL_PLAINTEXT,
    HEAD_ONLY = HTML_EL_HEAD_ONLY,
    UNFRAMED = HTML_EL_UNFRAMED,
    BREAKOUT = HTML_EL_BREAKOUT,
    VOID = HTML_EL_VOID,
    SPECIAL = HTML_EL_SPECIAL,
    BLOCK = HTML_EL_BLOCK,
    FORMAT = HTML_EL_FORMAT,
    SCOPE = HTML_EL_SCOPE,
    TABLE = HTML_EL_TABLE
};

#define ROW(name, id, flags)                                                                       \
    {                                                                                              \
        name, sizeof(name) - 1, HTML_EL_##id, flags                                                \
    }

static const struct html_element on_a[] = {
    ROW("a", A, LINKS | FORMAT),
    ROW("abbr", OTHER, 0),
    ROW("acronym", OTHER, 0),
    ROW("address", DIV, SPECIAL | BLOCK),
    ROW("annotation-xml", ANNOTATION_XML, 0),
    ROW("applet", OTHER, UNFRAMED | SPECIAL | SCOPE),
    ROW("area", AREA, LINKS | UNFRAMED | VOID | SPECIAL),
    ROW("article", OTHER, SPECIAL | BLOCK),
    ROW("aside", OTHER, SPECIAL | BLOCK),
    ROW("audio", AUDIO, LINKS),
};
static const struct html_element on_b[] = {
    ROW("b", OTHER, BREAKOUT | FORMAT),
    ROW("base", BASE, LINKS | HEAD_ONLY | VOID | SPECIAL),
    ROW("basefont", OTHER, HEAD_ONLY | VOID | SPECIAL),
    ROW("bdi", OTHER, 0),
    ROW("bdo", OTHER, 0),
    ROW("bgsound", OTHER, HEAD_ONLY | VOID | SPECIAL),
    ROW("big", OTHER, BREAKOUT | FORMAT),
    ROW("blockquote", OTHER, BREAKOUT | SPECIAL | BLOCK),
    ROW("body", BODY, UNFRAMED | BREAKOUT | SPECIAL),
    ROW("br", BR, UNFRAMED | BREAKOUT | VOID | SPECIAL),
    ROW("button", BUTTON, UNFRAMED | SPECIAL),
};
static const struct html_element on_c[] = {
    ROW("canvas", OTHER, 0),
    ROW("caption", OTHER, SPECIAL | SCOPE | TABLE),
    ROW("center", OTHER, BREAKOUT | SPECIAL | BLOCK),
    ROW("cite", OTHER, 0),
    ROW("code", OTHER, BREAKOUT | FORMAT),
    ROW("col", COL, VOID | SPECIAL | TABLE),
    ROW("colgroup", OTHER, SPECIAL | TABLE),
};
static const struct html_element on_d[] = {
    ROW("data", OTHER, 0),
    ROW("datalist", OTHER, 0),
    ROW("dd", DD, UNFRAMED | BREAKOUT | SPECIAL | BLOCK),
    ROW("del", OTHER, 0),
    ROW("desc", HTML_POINT, 0),
    ROW("details", OTHER, SPECIAL | BLOCK),
    ROW("dfn", OTHER, 0),
    ROW("dialog", OTHER, BLOCK),
    ROW("dir", OTHER, SPECIAL | BLOCK),
    ROW("div", DIV, BREAKOUT | SPECIAL | BLOCK),
    ROW("dl", OTHER, BREAKOUT | SPECIAL | BLOCK),
    ROW("dt", DD, UNFRAMED | BREAKOUT | SPECIAL | BLOCK),
};
static const struct html_element on_e[] = {
    ROW("em", OTHER, BREAKOUT | FORMAT),
    ROW("embed", EMBED, LINKS | UNFRAMED | BREAKOUT | VOID | SPECIAL),
};
static const struct html_element on_f[] = {
    ROW("fieldset", OTHER, SPECIAL | BLOCK), ROW("figcaption", OTHER, SPECIAL | BLOCK),
    ROW("figure", OTHER, SPECIAL | BLOCK),   ROW("font", FONT, FORMAT),
    ROW("footer", OTHER, SPECIAL | BLOCK),   ROW("foreignobject", HTML_POINT, 0),
    ROW("form", OTHER, SPECIAL | BLOCK),     ROW("frame", FRAME, LINKS | VOID | SPECIAL),
    ROW("frameset", FRAMESET, SPECIAL),
};
static const struct html_element on_h[] = {
    ROW("h1", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("h2", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("h3", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("h4", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("h5", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("h6", HEADING, BREAKOUT | SPECIAL | BLOCK),
    ROW("head", HEAD, BREAKOUT | SPECIAL),
    ROW("header", OTHER, SPECIAL | BLOCK),
    ROW("hgroup", OTHER, SPECIAL | BLOCK),
    ROW("hr", OTHER, UNFRAMED | BREAKOUT | VOID | SPECIAL | BLOCK),
    ROW("html", HTML, SPECIAL | SCOPE),
};
static const struct html_element on_i[] = {
    ROW("i", OTHER, BREAKOUT | FORMAT),
    ROW("iframe", IFRAME, LINKS | RAWTEXT | UNFRAMED | SPECIAL),
    ROW("image", IMG, LINKS | UNFRAMED | VOID),
    ROW("img", IMG, LINKS | UNFRAMED | BREAKOUT | VOID | SPECIAL),
    ROW("input", INPUT, LINKS | UNFRAMED | VOID | SPECIAL),
    ROW("ins", OTHER, 0),
};
static const struct html_element on_k[] = {
    ROW("kbd", OTHER, 0),
    ROW("keygen", OTHER, UNFRAMED | VOID | SPECIAL),
};
static const struct html_element on_l[] = {
    ROW("label", OTHER, 0),
    ROW("legend", OTHER, 0),
    ROW("li", LI, UNFRAMED | BREAKOUT | SPECIAL | BLOCK),
    ROW("link", LINK, LINKS | HEAD_ONLY | VOID | SPECIAL),
    ROW("listing", OTHER, UNFRAMED | BREAKOUT | SPECIAL | BLOCK),
};
static const struct html_element on_m[] = {
    ROW("main", OTHER, SPECIAL | BLOCK),
    ROW("malignmark", MGLYPH, 0),
    ROW("map", OTHER, 0),
    ROW("marquee", OTHER, UNFRAMED | SPECIAL | SCOPE),
    ROW("math", MATH, 0),
    ROW("menu", OTHER, BREAKOUT | SPECIAL | BLOCK),
    ROW("meta", META, LINKS | HEAD_ONLY | BREAKOUT | VOID | SPECIAL),
    ROW("meter", OTHER, 0),
    ROW("mglyph", MGLYPH, 0),
    ROW("mi", TEXT_POINT, 0),
    ROW("mn", TEXT_POINT, 0),
    ROW("mo", TEXT_POINT, 0),
    ROW("ms", TEXT_POINT, 0),
    ROW("mtext", TEXT_POINT, 0),
};
static const struct html_element on_n[] = {
    ROW("nav", OTHER, SPECIAL | BLOCK),
    ROW("nobr", NOBR, BREAKOUT | FORMAT),
    ROW("noembed", OTHER, RAWTEXT | SPECIAL),
    ROW("noframes", NOFRAMES, RAWTEXT | HEAD_ONLY | SPECIAL),
    ROW("noscript", NOSCRIPT, SPECIAL),
};
static const struct html_element on_o[] = {
    ROW("object", OBJECT, LINKS | UNFRAMED | SPECIAL | SCOPE),
    ROW("ol", OTHER, BREAKOUT | SPECIAL | BLOCK),
    ROW("optgroup", OTHER, 0),
    ROW("option", OPTION, 0),
    ROW("output", OTHER, 0),
};
static const struct html_element on_p[] = {
    ROW("p", P, BREAKOUT | SPECIAL | BLOCK),
    ROW("param", OTHER, VOID | SPECIAL),
    ROW("picture", OTHER, 0),
    ROW("plaintext", OTHER, PLAINTEXT | SPECIAL | BLOCK),
    ROW("pre", OTHER, UNFRAMED | BREAKOUT | SPECIAL | BLOCK),
    ROW("progress", OTHER, 0),
};
static const struct html_element on_q[] = {
    ROW("q", OTHER, 0),
};
static const struct html_element on_r[] = {
    ROW("rb", OTHER, 0),  ROW("rp", OTHER, 0),          ROW("rt", OTHER, 0),
    ROW("rtc", OTHER, 0), ROW("ruby", OTHER, BREAKOUT),
};
static const struct html_element on_s[] = {
    ROW("s", OTHER, BREAKOUT | FORMAT),
    ROW("samp", OTHER, 0),
    ROW("script", SCRIPT, LINKS | SCRIPTDATA | HEAD_ONLY | SPECIAL),
    ROW("search", OTHER, SPECIAL | BLOCK),
    ROW("section", OTHER, SPECIAL | BLOCK),
    ROW("select", OTHER, UNFRAMED | SPECIAL),
    ROW("slot", OTHER, 0),
    ROW("small", OTHER, BREAKOUT | FORMAT),
    ROW("source", SOURCE, LINKS | VOID | SPECIAL),
    ROW("span", OTHER, BREAKOUT),
    ROW("strike", OTHER, BREAKOUT | FORMAT),
    ROW("strong", OTHER, BREAKOUT | FORMAT),
    ROW("style", STYLE, RAWTEXT | HEAD_ONLY | SPECIAL),
    ROW("sub", OTHER, BREAKOUT),
    ROW("summary", OTHER, SPECIAL | BLOCK),
    ROW("sup", OTHER, BREAKOUT),
    ROW("svg", SVG, 0),
};
static const struct html_element on_t[] = {
    ROW("table", OTHER, UNFRAMED | BREAKOUT | SPECIAL | BLOCK | SCOPE),
    ROW("tbody", OTHER, SPECIAL | TABLE),
    ROW("td", OTHER, SPECIAL | SCOPE | TABLE),
    ROW("template", TEMPLATE, HEAD_ONLY | SPECIAL | SCOPE),
    ROW("textarea", OTHER, RCDATA | UNFRAMED | SPECIAL),
    ROW("tfoot", OTHER, SPECIAL | TABLE),
    ROW("th", OTHER, SPECIAL | SCOPE | TABLE),
    ROW("thead", OTHER, SPECIAL | TABLE),
    ROW("time", OTHER, 0),
    ROW("title", TITLE, RCDATA | HEAD_ONLY | SPECIAL),
    ROW("tr", OTHER, SPECIAL | TABLE),
    ROW("track", TRACK, LINKS | VOID | SPECIAL),
    ROW("tt", OTHER, BREAKOUT | FORMAT),
};
static const struct html_element on_u[] = {
    ROW("u", OTHER, BREAKOUT | FORMAT),
    ROW("ul", OTHER, BREAKOUT | SPECIAL | BLOCK),
};
static const struct html_element on_v[] = {
    ROW("var", OTHER, BREAKOUT),
    ROW("video", VIDEO, LINKS),
};
static const struct html_element on_w[] = {
    ROW("wbr", OTHER, UNFRAMED | VOID | SPECIAL),
};
static const struct html_element on_x[] = {
    ROW("xmp", OTHER, RAWTEXT | UNFRAMED | SPECIAL | BLOCK),
};

#define ROWS(array)                                                                                \
    {                                                                                              \
        array, sizeof(array) / sizeof((array)[0])                                                  \
    }
static const struct {
    const struct html_element *rows;
    size_t n;
} by_letter[26] = {
    ['a' - 'a'] = ROWS(on_a), ['b' - 'a'] = ROWS(on_b), ['c' - 'a'] = ROWS(on_c),
    ['d' - 'a'] = ROWS(on_d), ['e' - 'a'] = ROWS(on_e), ['f' - 'a'] = ROWS(on_f),
    ['h' - 'a'] = ROWS(on_h), ['i' - 'a'] = ROWS(on_i), ['k' - 'a'] = ROWS(on_k),
    ['l' - 'a'] = ROWS(on_l), ['m' - 'a'] = ROWS(on_m), ['n' - 'a'] = ROWS(on_n),
    ['o' - 'a'] = ROWS(on_o), ['p' - 'a'] = ROWS(on_p), ['q' - 'a'] = ROWS(on_q),
    ['r' - 'a'] = ROWS(on_r), ['s' - 'a'] = ROWS(on_s), ['t' - 'a'] = ROWS(on_t),
    ['u' - 'a'] = ROWS(on_u), ['v' - 'a'] = ROWS(on_v), ['w' - 'a'] = ROWS(on_w),
    ['x' - 'a'] = ROWS(on_x),
};

static const struct html_element unknown = {"", 0, HTML_EL_OTHER, 0};

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

bool weft_html_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
    if (a_len != b_len) {
        return false;
    }
    while (a_len > 0 && lower(a[a_len - 1]) == lower(b[a_len - 1])) {
        a_len--;
    }
    return a_len == 0;
}

const struct html_element *weft_html_element(const char *name, size_t len)
{
    unsigned letter = len ? ((unsigned char)*name | 0x20U) - 'a' : 26;
    if (letter >= 26) {
        return &unknown;
    }
    const struct html_element *row = by_letter[letter].rows;
    for (size_t n = by_letter[letter].n; n > 0; n--, row++) {
        if (weft_html_same(row->name, row->len, name, len)) {
            return row;
        }
    }
    return &unknown;
}
