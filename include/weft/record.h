/* record.h -- what is told of one URL: the record of the outputs and of the page callback.
 *
 * The fields and words are those of the command line's documentation. Knows nothing else. */
#ifndef WEFT_RECORD_H
#define WEFT_RECORD_H

#include "weft/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_outcome { WEFT_FETCHED, WEFT_FAILED, WEFT_SKIPPED };

/* Why a URL failed or was skipped, in the order of the documentation. */
enum weft_reason {
    WEFT_REASON_NONE,
    WEFT_REASON_TIMEOUT,
    WEFT_REASON_CONNECTION,
    WEFT_REASON_DNS,
    WEFT_REASON_TLS,
    WEFT_REASON_HTTP_STATUS,
    WEFT_REASON_REDIRECT_LOOP,
    WEFT_REASON_REDIRECT,
    WEFT_REASON_TOO_LARGE,
    WEFT_REASON_TRUNCATED,
    WEFT_REASON_BAD_CONTENT,
    WEFT_REASON_ROBOTS,
    WEFT_REASON_SCOPE,
    WEFT_REASON_FILTER,
    WEFT_REASON_DEPTH,
    WEFT_REASON_PRIVATE,
    WEFT_REASON_BAD_URL,
    WEFT_REASON_LIMIT,
    WEFT_REASON_INTERRUPTED,
    WEFT_REASON_HOST,
    WEFT_NREASONS
};

/* "fetched", "failed", "skipped". Static strings; never NULL. Threads: any. */
const char *weft_outcome_name(enum weft_outcome o);
/* "timeout", "connection", ...; "" for NONE. */
const char *weft_reason_name(enum weft_reason r);

/* What a re-crawl found of a page, compared with the crawl before. */
enum weft_change {
    WEFT_CHANGE_NONE, /* no re-crawl, or it can't be told */
    WEFT_CHANGE_NEW,  /* there was none, or it failed */
    WEFT_CHANGE_CHANGED,
    WEFT_CHANGE_UNCHANGED,
    WEFT_CHANGE_GONE, /* 404 or 410, and it was there */
    WEFT_NCHANGES
};

/* "new", "changed", "unchanged", "gone"; "" for NONE. */
const char *weft_change_name(enum weft_change c);

struct weft_redirect {
    int status;
    const char *url; /* where this hop was asked */
};

struct weft_record_link {
    const char *url;      /* resolved, without fragment */
    const char *fragment; /* without '#'; NULL if none */
    bool nofollow;
    unsigned line; /* in the document, from 1; 0 but with check */
};

struct weft_record_field {
    const char *name, *value; /* from --select; value NULL: no match */
};

/* A request and its answer as they went over the wire. */
struct weft_exchange {
    const char *url;    /* that was asked */
    const char *ip;     /* NULL: not known */
    int64_t started_at; /* nanoseconds since 1970 */
    const char *request, *answer;
    size_t request_len, answer_len;
};

/* All pointers are borrowed for the time of the call that hands the record over. Text is UTF-8
 * unless it came from a header: then any bytes but NUL. NULL: absent. */
struct weft_record {
    const char *url;
    enum weft_outcome outcome;
    enum weft_reason reason;
    const char *error;
    int status; /* 0: none */
    const char *final_url;
    const struct weft_redirect *redirects;
    size_t nredirects;
    int depth;
    const char *referrer;
    unsigned attempts;
    const char *content_type, *charset, *title;
    uint64_t bytes;     /* of the decoded body */
    bool unwanted;      /* the body was not downloaded because nobody wants it */
    unsigned nlinks;    /* distinct links of the page; of a check each occurrence */
    int64_t started_at; /* nanoseconds since 1970, UTC; 0: never requested */
    double elapsed_ms;  /* time in fetches */
    unsigned worker;
    bool seed;
    enum weft_change change;
    /* For outputs that want more than the row, and for an on_record that asks for it; only in the
     * record of the URL that gave the page, not in those of redirects to it. */
    const struct weft_record_link *links; /* nlinks of them, or NULL: nobody asked (want_links,
                                             check), or there is no answer */
    const char *const *anchors;           /* ids and names of the page: check with anchors */
    size_t nanchors;
    const struct weft_record_field *fields; /* rows of nselect fields each */
    size_t nrows, nselect;
    const char *body; /* without its content coding, in the page's charset, whatever the status; a
                         NUL follows. body_len 0: nobody asked (want_body), or none came */
    size_t body_len;
    const char *etag, *last_modified;
    const char *ip;
    const char *wire_request, *wire_answer; /* for WARC, of the last hop */
    size_t wire_request_len, wire_answer_len;
    const struct weft_exchange *hops; /* likewise, of the redirects that are this record's own */
    size_t nhops;
};

#ifdef __cplusplus
}
#endif
#endif
