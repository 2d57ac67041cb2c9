/* record.c -- the words of outcomes and reasons. Knows nothing else. */
#include "weft/record.h"

const char *weft_outcome_name(enum weft_outcome o)
{
    static const char *const names[] = {"fetched", "failed", "skipped"};
    return names[o];
}

const char *weft_reason_name(enum weft_reason r)
{
    static const char *const names[WEFT_NREASONS] = {
        [WEFT_REASON_NONE] = "",
        [WEFT_REASON_TIMEOUT] = "timeout",
        [WEFT_REASON_CONNECTION] = "connection",
        [WEFT_REASON_DNS] = "dns",
        [WEFT_REASON_TLS] = "tls",
        [WEFT_REASON_HTTP_STATUS] = "http_status",
        [WEFT_REASON_REDIRECT_LOOP] = "redirect_loop",
        [WEFT_REASON_REDIRECT] = "redirect",
        [WEFT_REASON_TOO_LARGE] = "too_large",
        [WEFT_REASON_TRUNCATED] = "truncated",
        [WEFT_REASON_BAD_CONTENT] = "bad_content",
        [WEFT_REASON_ROBOTS] = "robots",
        [WEFT_REASON_SCOPE] = "scope",
        [WEFT_REASON_FILTER] = "filter",
        [WEFT_REASON_DEPTH] = "depth",
        [WEFT_REASON_PRIVATE] = "private",
        [WEFT_REASON_BAD_URL] = "bad_url",
        [WEFT_REASON_LIMIT] = "limit",
        [WEFT_REASON_INTERRUPTED] = "interrupted",
        [WEFT_REASON_HOST] = "host",
    };
    return names[r];
}

const char *weft_change_name(enum weft_change c)
{
    static const char *const names[] = {"", "new", "changed", "unchanged", "gone"};
    return names[c];
}
