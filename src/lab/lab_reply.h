/* lab_reply.h -- builds answers: a page in memory, which goes out in one send, or a stream.
 *
 * Knows MHD's responses. Threads: the lab's. */
#ifndef WEFT_LAB_REPLY_H
#define WEFT_LAB_REPLY_H

#include "lab/lab_server.h"
#include "lab/lab_text.h"

#define LAB_HTML "text/html; charset=utf-8"

/* Takes the bytes of body, which is empty then. type: Content-Type, NULL: none.
 * WEFT_OK, WEFT_ENOMEM, or what body's writing failed with. */
enum weft_status lab_reply_text(struct lab_reply *reply, unsigned status, const char *type,
                                struct lab_text *body) WEFT_MUST_USE;
/* A short page that says message; its title is the status and its name. */
enum weft_status lab_reply_page(struct lab_reply *reply, unsigned status,
                                const char *message) WEFT_MUST_USE;
/* A redirect to location, as it stands. */
enum weft_status lab_reply_redirect(struct lab_reply *reply, unsigned status,
                                    const char *location) WEFT_MUST_USE;
/* Adds a header field to a reply that has its response. WEFT_OK, WEFT_ENOMEM. */
enum weft_status lab_reply_header(struct lab_reply *reply, const char *name,
                                  const char *value) WEFT_MUST_USE;
/* Takes a response that MHD made; NULL: it had no memory. WEFT_OK, WEFT_ENOMEM. */
enum weft_status lab_reply_take(struct lab_reply *reply, unsigned status, const char *type,
                                struct MHD_Response *response) WEFT_MUST_USE;
/* 404, in the words of every missing thing. */
enum weft_status lab_reply_missing(struct lab_reply *reply) WEFT_MUST_USE;
/* 400: the parameter name is not what it should be. */
enum weft_status lab_reply_bad(struct lab_reply *reply, const char *name) WEFT_MUST_USE;

#endif
