/* html_element.h -- the elements that the HTML scanner knows by name, and what the HTML Standard
 * says of each that matters here. A constant table; knows nothing of documents. */
#ifndef WEFT_TEXT_HTML_ELEMENT_H
#define WEFT_TEXT_HTML_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum html_el {
    HTML_EL_OTHER, /* known only by its flags, or not at all */
    HTML_EL_A,
    HTML_EL_ANNOTATION_XML,
    HTML_EL_AREA,
    HTML_EL_AUDIO,
    HTML_EL_BASE,
    HTML_EL_BODY,
    HTML_EL_BR,
    HTML_EL_BUTTON,
    HTML_EL_COL,
    HTML_EL_DD,  /* and dt */
    HTML_EL_DIV, /* and address */
    HTML_EL_EMBED,
    HTML_EL_FONT,
    HTML_EL_FRAME,
    HTML_EL_FRAMESET,
    HTML_EL_HEAD,
    HTML_EL_HEADING, /* h1 to h6 */
    HTML_EL_HTML,
    HTML_EL_HTML_POINT, /* foreignObject and desc: HTML integration points of SVG */
    HTML_EL_IFRAME,
    HTML_EL_IMG, /* and image */
    HTML_EL_INPUT,
    HTML_EL_LI,
    HTML_EL_LINK,
    HTML_EL_MATH,
    HTML_EL_META,
    HTML_EL_MGLYPH, /* and malignmark */
    HTML_EL_NOBR,
    HTML_EL_NOFRAMES,
    HTML_EL_NOSCRIPT,
    HTML_EL_OBJECT,
    HTML_EL_OPTION,
    HTML_EL_P,
    HTML_EL_SCRIPT,
    HTML_EL_SOURCE,
    HTML_EL_STYLE,
    HTML_EL_SVG,
    HTML_EL_TEMPLATE,
    HTML_EL_TEXT_POINT, /* mi, mo, mn, ms, mtext: MathML text integration points */
    HTML_EL_TITLE,
    HTML_EL_TRACK,
    HTML_EL_VIDEO
};

enum html_el_flag {
    HTML_EL_LINKS = 1 << 0,      /* has attributes that are links, or decide about links */
    HTML_EL_RCDATA = 1 << 1,     /* its text is RCDATA */
    HTML_EL_RAWTEXT = 1 << 2,    /* its text is raw text (13.2.6.2) */
    HTML_EL_SCRIPTDATA = 1 << 3, /* its text is script data */
    HTML_EL_PLAINTEXT = 1 << 4,  /* all that follows is text */
    HTML_EL_HEAD_ONLY = 1 << 5,  /* after </head> it still goes into the head (13.2.6.4.6) */
    HTML_EL_UNFRAMED = 1 << 6,   /* in a body it sets the frameset-ok flag to "not ok" */
    HTML_EL_BREAKOUT = 1 << 7,   /* in foreign content it ends that (13.2.6.5) */
    HTML_EL_VOID = 1 << 8,       /* never stays open */
    HTML_EL_SPECIAL = 1 << 9,    /* of the special category (13.2.4.2) */
    HTML_EL_BLOCK = 1 << 10,     /* its start tag closes a p element */
    HTML_EL_FORMAT = 1 << 11,    /* of the formatting category */
    HTML_EL_SCOPE = 1 << 12,     /* ends the search for an element in scope */
    HTML_EL_TABLE = 1 << 13      /* a part of a table */
};
#define HTML_EL_TEXTUAL (HTML_EL_RCDATA | HTML_EL_RAWTEXT | HTML_EL_SCRIPTDATA | HTML_EL_PLAINTEXT)

struct html_element {
    const char *name; /* lower case */
    uint8_t len;
    uint8_t id;     /* enum html_el */
    uint16_t flags; /* of enum html_el_flag */
};

/* The row of an element named so in any case; for an unknown name one with OTHER and no flags. */
const struct html_element *weft_html_element(const char *name, size_t len);

/* Whether two names are equal, ASCII case aside. */
bool weft_html_same(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
