/* lab_reply.c -- see lab_reply.h. */
#include "lab/lab_reply.h"

#include <stdio.h>
#include <stdlib.h>

enum weft_status lab_reply_take(struct lab_reply *reply, unsigned status, const char *type,
                                struct MHD_Response *response)
{
    if (!response) {
        return WEFT_ENOMEM;
    }
    reply->status = status;
    reply->response = response;
    return type ? lab_reply_header(reply, MHD_HTTP_HEADER_CONTENT_TYPE, type) : WEFT_OK;
}

enum weft_status lab_reply_header(struct lab_reply *reply, const char *name, const char *value)
{
    return MHD_add_response_header(reply->response, name, value) == MHD_YES ? WEFT_OK : WEFT_ENOMEM;
}

enum weft_status lab_reply_text(struct lab_reply *reply, unsigned status, const char *type,
                                struct lab_text *body)
{
    if (body->status != WEFT_OK) {
        return body->status;
    }
    size_t len = body->buf.len;
    char *bytes = weft_buf_take(&body->buf);
    if (!bytes) {
        return WEFT_ENOMEM;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer_with_free_callback(len, bytes,
                                                                                       free);
    if (!response) {
        free(bytes);
    }
    return lab_reply_take(reply, status, type, response);
}

enum weft_status lab_reply_page(struct lab_reply *reply, unsigned status, const char *message)
{
    struct lab_text t;
    char title[80];
    snprintf(title, sizeof title, "%u %s", status, MHD_get_reason_phrase_for(status));
    lab_text_init(&t);
    lab_text_head(&t, title);
    lab_text_put(&t, "<p>");
    lab_text_escaped(&t, message);
    lab_text_put(&t, "</p>\n");
    lab_text_foot(&t);
    enum weft_status st = lab_reply_text(reply, status, LAB_HTML, &t);
    lab_text_release(&t);
    return st;
}

enum weft_status lab_reply_redirect(struct lab_reply *reply, unsigned status, const char *location)
{
    enum weft_status st = lab_reply_page(reply, status, location);
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_LOCATION, location) : st;
}

enum weft_status lab_reply_missing(struct lab_reply *reply)
{
    return lab_reply_page(reply, MHD_HTTP_NOT_FOUND, "There is no such page.");
}

enum weft_status lab_reply_bad(struct lab_reply *reply, const char *name)
{
    char message[160];
    snprintf(message, sizeof message, "The parameter \"%s\" is not a value that this page takes.",
             name);
    return lab_reply_page(reply, MHD_HTTP_BAD_REQUEST, message);
}
