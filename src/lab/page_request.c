/* page_request.c -- one request's way through MHD's callbacks: made when its first line is read,
 * looked at when its headers are whole, answered when its body is.
 *
 * A refusal too waits for the end of the body, so that the client has sent all and hears it; a body
 * that is far too large is not waited for. */
#include "lab/page_impl.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void *page_request_new(void *page, const char *uri, struct MHD_Connection *connection)
{
    static const char scheme[] = "http://";
    struct weft_page *p = page;
    bool elsewhere = false;
    if (strncasecmp(uri, scheme, sizeof scheme - 1) == 0) { /* absolute form, RFC 9112 3.2.2 */
        uri += sizeof scheme - 1;
        size_t authority = strcspn(uri, "/?#");
        elsewhere = !page_host_is_ours(uri, authority, p->port);
        uri += authority;
    }
    size_t len = strcspn(uri, "?");
    struct page_request *r = calloc(1, sizeof *r + len + 1);
    if (!r) {
        return NULL; /* page_request_run sees it and closes the connection */
    }
    r->page = p;
    r->connection = connection;
    r->elsewhere = elsewhere;
    memcpy(r->path, uri, len);
    return r;
}

/* Keeps what fits, counts all. false: nobody needs to hear of so much. */
static bool take_body(struct page_request *r, const char *bytes, size_t len)
{
    size_t room = sizeof r->body - r->body_len;
    size_t n = len < room ? len : room;
    memcpy(r->body + r->body_len, bytes, n);
    r->body_len += n;
    r->body_all += len;
    if (r->body_all > sizeof r->body && !r->refused) {
        r->refused = MHD_HTTP_CONTENT_TOO_LARGE;
        r->why = "The body is too large.";
    }
    return r->body_all <= WEFT_LAB_MAX_SWALLOW;
}

/* Whether a body is announced that is not even to be swallowed. */
static bool is_hopeless(const struct page_request *r)
{
    const char *length = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND,
                                                     MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > WEFT_LAB_MAX_SWALLOW;
}

enum MHD_Result page_request_run(void *page, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_len, void **request)
{
    struct page_request *r = *request;
    (void)page;
    (void)connection;
    (void)url;
    (void)version;
    if (!r) {
        return MHD_NO;
    }
    if (!r->begun) {
        r->begun = true;
        page_guard(r, method);
        return is_hopeless(r) ? page_answer(r) : MHD_YES;
    }
    if (*upload_len) {
        bool go_on = take_body(r, upload, *upload_len);
        *upload_len = 0;
        return go_on ? MHD_YES : MHD_NO;
    }
    return page_answer(r);
}

void page_request_end(void *page, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode why)
{
    (void)page;
    (void)connection;
    (void)why;
    free(*request);
    *request = NULL;
}
