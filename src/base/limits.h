/* limits.h -- how large anything that the network can grow may become. One header, so that a
 * reader sees every bound on hostile input at once. Options may lower or raise those that the
 * command line names; the rest are fixed. Sizes are bytes unless the name says otherwise. */
#ifndef WEFT_BASE_LIMITS_H
#define WEFT_BASE_LIMITS_H

#define WEFT_MAX_BODY         (8u << 20)   /* a decoded body (--max-body) */
#define WEFT_MAX_HEADER       (256u << 10) /* all header fields of one answer */
#define WEFT_MAX_HEADER_FIELD (16u << 10)  /* one field that is kept (Location, Content-Type...) */
#define WEFT_MAX_COOKIES      (64u << 10)  /* cookies carried along one visit's redirects */
#define WEFT_MAX_URL          8000u        /* a URL that is followed (--max-url) */
#define WEFT_MAX_ORIGIN       8000u        /* "scheme://host:port"; DNS names have 253 */
#define WEFT_MAX_URL_MOST     (16u << 10)  /* what --max-url may be raised to */
#define WEFT_MAX_URL_WORK     (64u << 10)  /* scratch for one URL being resolved: four of those */
#define WEFT_MAX_IDN          2048u        /* a host that is not ASCII; DNS holds 253 of ASCII */
#define WEFT_MAX_PATH_DEPTH   64u          /* path segments (--max-path-depth) */
#define WEFT_MAX_REPEATS      8u           /* one segment repeated (--max-repeats) */
#define WEFT_MAX_LINKS        10000u       /* links taken from a page (--max-links) */
#define WEFT_MAX_LINK_BYTES   (8u << 20)   /* of all URLs and anchors kept of a page */
#define WEFT_MAX_ANCHORS      100000u      /* ids and names kept of a page */
#define WEFT_MAX_REJECTS      100u   /* references of a page that lead nowhere and are told of */
#define WEFT_MAX_REJECT       2048u  /* the text of one */
#define WEFT_MAX_ROWS         10000u /* rows extracted from a page */
#define WEFT_MAX_FIELD        (64u << 10)  /* a value extracted */
#define WEFT_MAX_FIELDS       (16u << 20)  /* all values extracted from a page */
#define WEFT_MAX_XPATH_STEPS  5000000u     /* of one evaluation, as libxml2 counts them */
#define WEFT_MAX_PATTERN      8192u        /* an expression of --include or --exclude */
#define WEFT_MAX_CSS          4096u        /* a CSS selector of --row or --select */
#define WEFT_MAX_CSS_PARTS    256u         /* names, classes, conditions in it */
#define WEFT_MAX_CSS_NEST     32u          /* combinators and parentheses in each other */
#define WEFT_MAX_CSS_XPATH    (1u << 20)   /* what it becomes */
#define WEFT_MAX_TITLE        1024u        /* a title, in UTF-8; longer ones are cut */
#define WEFT_MAX_REDIRECTS    10u          /* hops of one visit (--max-redirects) */
#define WEFT_MAX_CODINGS      5u           /* of one body, one over another */
#define WEFT_MAX_CODED        (64u << 20)  /* bytes between two of them */
#define WEFT_MAX_CUT          4096u        /* chains of redirects over that wait for a link */
#define WEFT_MAX_ROBOTS       (500u << 10) /* RFC 9309 2.5: at least 500 KiB are parsed */
#define WEFT_MAX_ROBOTS_WORK  (16u << 20)  /* steps to check one URL; past them it is refused */
#define WEFT_MAX_ROBOTS_HOPS  5u           /* RFC 9309 2.3.1.2 */
#define WEFT_MAX_SITEMAP      (50u << 20)  /* sitemaps.org: 50 MB; also of its URLs, resolved */
#define WEFT_MAX_SITEMAP_URLS 50000u       /* sitemaps.org: 50,000 URLs a file */
#define WEFT_MAX_SITEMAPS     1000u        /* sitemaps asked in one crawl */
#define WEFT_MAX_SITEMAP_NEST 3u           /* an index may name indexes, so deep */
#define WEFT_MAX_XML_TAG      (10u << 10)  /* a tag of a sitemap, with a long URL in it */
#define WEFT_MAX_HOSTS        100000u      /* host clocks kept while idle */
#define WEFT_MAX_FRONTIER     100000u      /* URLs that wait in memory, with a state file */
#define WEFT_MAX_RECORD       (256u << 20) /* a record as text, without bodies or links */
#define WEFT_MAX_WHOLE        (1ull << 36) /* with them: what memory held, escaped */
#define WEFT_MAX_QUEUE        256u         /* records that wait for the writer */
#define WEFT_MAX_QUEUE_BYTES  (64u << 20)  /* bodies of those; one more record may be over it */
#define WEFT_MAX_AHEAD        10000u       /* URLs of a list read before they are asked (--ahead) */
#define WEFT_MAX_REVISITS     100000u      /* payloads that WARC remembers, to tell copies */
#define WEFT_MAX_TRACE_WAITS  (1u << 20)   /* URLs whose waiting a trace tells of */
#define WEFT_MAX_CONFIG       (1u << 20)   /* a file of options */
#define WEFT_MAX_ERROR        256u         /* a sentence about what went wrong */

/* the lab server: what its clients can make it keep */
#define WEFT_LAB_MAX_PORTS       16u
#define WEFT_LAB_MAX_CONNECTIONS 8192u        /* unless asked for more or less */
#define WEFT_LAB_MAX_HOLD_MS     600000       /* one answer is held at most so long */
#define WEFT_LAB_MAX_IDLE_S      75u          /* a silent connection is closed */
#define WEFT_LAB_MAX_REQUEST     (16u << 10)  /* request line and header fields */
#define WEFT_LAB_MAX_SWALLOW     (64u << 10)  /* a request's body, read and thrown away */
#define WEFT_LAB_MAX_PATHS       (128u << 10) /* paths with query that are counted apart */
#define WEFT_LAB_MAX_PATH_BYTES  (16u << 20)  /* ...and the bytes of their names */
#define WEFT_LAB_MAX_NAMES       256u         /* Host fields that are counted apart */
#define WEFT_LAB_MAX_ROUTES      (64u << 10)  /* a "routes" file */
#define WEFT_LAB_MAX_IN_MEMORY   (1u << 20)   /* a larger file is sent from disk */
#define WEFT_LAB_MAX_PAGE        (16u << 20)  /* a generated page */

/* the learning page: what a browser can make its server keep or do */
#define WEFT_PAGE_MAX_CONNECTIONS 64u
#define WEFT_PAGE_MAX_STREAMS     32u        /* of those, that watch a run */
#define WEFT_PAGE_MAX_BODY        1024u      /* what a POST brings */
#define WEFT_PAGE_MAX_EVENTS      (1u << 20) /* what is told of one run */
#define WEFT_PAGE_MAX_JOBS        64u        /* fetches at once of a run */
#define WEFT_PAGE_MAX_DELAY_MS    1000       /* its server holds answers so long */
#define WEFT_PAGE_MAX_PAGES       500u       /* it asks for no more URLs, */
#define WEFT_PAGE_MAX_RUN_S       180        /* ... and no longer */

#endif
