/* wire.c -- keeps what went over the wire: the request as sent, the answer as received, with its
 * chunks and its content coding, for outputs that store exchanges (WARC). libcurl's debug callback
 * sees the bytes before they are decoded. */
#include "net/transfer.h"

#include <string.h>

int weft_transfer_on_wire(CURL *easy, curl_infotype type, char *bytes, size_t n, void *user)
{
    struct weft_transfer *t = user;
    (void)easy;
    struct weft_buf *to = type == CURLINFO_HEADER_OUT || type == CURLINFO_DATA_OUT ? &t->wire_out
                          : type == CURLINFO_HEADER_IN || type == CURLINFO_DATA_IN ? &t->wire_in
                                                                                   : NULL;
    enum weft_status st = to ? weft_buf_append(to, bytes, n) : WEFT_OK;
    if (st == WEFT_ELIMIT) {
        weft_transfer_decide(t, WEFT_FETCH_TOO_LARGE, "the answer is over %zu bytes", to->limit);
    } else if (st != WEFT_OK) {
        weft_transfer_decide(t, WEFT_FETCH_FAILED, "out of memory");
    }
    return 0; /* libcurl goes on whatever is returned: the body callback stops it */
}

void weft_transfer_take_wire(struct weft_transfer *t)
{
    if (!t->net->keep_wire) {
        return;
    }
    struct weft_response *r = t->response;
    r->wire_request_len = t->wire_out.len;
    r->wire_request = weft_buf_take(&t->wire_out);
    r->wire_answer_len = t->wire_in.len;
    r->wire_answer = weft_buf_take(&t->wire_in);
}
