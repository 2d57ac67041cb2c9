/* url_other.c -- whether a URL of a scheme other than http and https is one (URL Standard 4.4, from
 * the end of scheme state). weft does not follow it either way; but a reference that is no URL is a
 * mistake of the page's author, and mailto: is not. Nothing is kept of such a URL. */
#include "text/url_parts.h"

static bool is_slash(const char *p, const char *end)
{
    return p < end && url_class(*p) & URL_SLASH;
}

static bool is_drive_letter(const char *p, const char *end)
{
    const char *second = url_skip(p + (p < end), end);
    return p < end && url_class(*p) & URL_ALPHA && second < end &&
           (*second == ':' || *second == '|') && url_skip(second + 1, end) == end;
}

/* File state, file slash state, file host state: only a host can be wrong. */
static enum weft_status file_url(struct url_out *o, const char *p, const char *end)
{
    p = url_skip(p, end);
    const char *next = is_slash(p, end) ? url_skip(p + 1, end) : end;
    if (!is_slash(next, end)) {
        return WEFT_OK;
    }
    p = url_skip(next + 1, end);
    const char *stop = p;
    while (stop < end && !(url_class(*stop) & URL_PATH_END)) {
        stop++;
    }
    return p == stop || is_drive_letter(p, stop) ? WEFT_OK : weft_url_host(o, p, stop);
}

/* Special authority slashes and special authority ignore slashes states. */
static enum weft_status special_url(struct url_out *o, const char *p, const char *end)
{
    struct weft_url url = {0};
    for (p = url_skip(p, end); is_slash(p, end); p = url_skip(p + 1, end)) {
    }
    return weft_url_authority(&url, o, &p, end, true);
}

/* Path or authority state, opaque path state: only an authority can be wrong. */
static enum weft_status generic_url(struct url_out *o, const char *p, const char *end)
{
    struct weft_url url = {0};
    for (int slashes = 0; slashes < 2; slashes++) {
        p = url_skip(p, end);
        if (p == end || *p++ != '/') {
            return WEFT_OK;
        }
    }
    return weft_url_authority(&url, o, &p, end, false);
}

enum weft_status weft_url_other(enum url_other kind, struct url_out *o, const char *p,
                                const char *end)
{
    enum weft_status st = kind == URL_OTHER_FILE      ? file_url(o, p, end)
                          : kind == URL_OTHER_SPECIAL ? special_url(o, p, end)
                                                      : generic_url(o, p, end);
    return st == WEFT_OK || st == WEFT_ELIMIT ? WEFT_ESCHEME : st;
}
