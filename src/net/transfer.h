/* transfer.h -- one fetch on one libcurl handle: what the blocking client and the event loop share.
 *
 * A transfer is made once and used for one fetch after another; only the waiting is its driver's.
 * A driver calls begin, adds the handle to its multi handle, waits (until weft_transfer_due at the
 * latest), says when bytes moved, and calls end or stop once. Threads: one at a time. */
#ifndef WEFT_NET_TRANSFER_H
#define WEFT_NET_TRANSFER_H

#include "base/buf.h"
#include "net/decode.h"
#include "net/net.h"

/* Bytes on the wire at most: with chunks or a useless coding they can be more than the body's. */
#define WEFT_WIRE_LIMIT(max_body)                                                                  \
    ((max_body) < SIZE_MAX / 16 ? 2 * (max_body) + WEFT_MAX_HEADER : (max_body))

/* What the callbacks learn from the header of the answer. */
struct weft_answer {
    bool at_start;     /* the next line is a status line */
    bool final;        /* the header of the final answer is complete; later lines are trailers */
    size_t bytes;      /* of header so far, interim answers included */
    const char **last; /* the field that a folded line would continue; NULL: none that is kept */
    bool in_codings;   /* a folded line would continue codings */
    bool has_length, bad_length, chunked;
    uint64_t length;  /* Content-Length */
    char codings[64]; /* Content-Encoding, all of its fields, and what Transfer-Encoding has beside
                       * chunks; what does not fit is none we know */
};

struct weft_transfer {
    struct weft_net *net; /* borrowed */
    CURL *easy;
    CURLU *url;                  /* of the request, parsed; the handle reads it */
    char error[CURL_ERROR_SIZE]; /* libcurl's sentence */

    /* what the handle is set to, so that a request sets only what differs */
    struct curl_slist *headers_set;
    bool head_set, fresh_set, trusted_set, url_unset;
    bool has_cookies; /* the handle's own cookie store is not empty */

    /* of the fetch that is going on */
    struct weft_request request; /* its strings are borrowed */
    struct weft_response *response;
    struct weft_answer answer;
    struct weft_decoder *decoder; /* NULL: the body comes as it is */
    bool strange_coding;          /* ... or in a coding that can't be undone */
    bool passes_over;             /* ... and what still comes of it does not matter */
    size_t coded;                 /* bytes of it so far */
    size_t max_body, drained;
    bool decided;       /* a callback ended the fetch: response->end and error are set */
    bool refused;       /* an address was refused as private */
    weft_time active;   /* when bytes moved last */
    weft_time whole_by; /* the end of the time for the whole request */

    struct curl_slist extra[4]; /* header fields of this request, in front of the network's */
    struct weft_buf extra_text;
    struct weft_buf wire_out, wire_in;
};

/* Makes a transfer with everything that never changes set. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_transfer_init(struct weft_transfer *t, struct weft_net *net) WEFT_MUST_USE;
/* The handle must not be in a multi handle. */
void weft_transfer_release(struct weft_transfer *t);

/* Resets response and sets the handle up for request. WEFT_OK, WEFT_ENOMEM, WEFT_EINVAL (no
 * http(s) URL). */
enum weft_status weft_transfer_begin(struct weft_transfer *t, const struct weft_request *request,
                                     struct weft_response *response) WEFT_MUST_USE;
/* When the transfer must be looked at for a time limit, if no byte moves before. */
weft_time weft_transfer_due(const struct weft_transfer *t);
/* The earliest time at which a limit could fall due, whatever happens before, or at which libcurl
 * has to be called although nothing has happened. */
weft_time weft_transfer_soonest(const struct weft_transfer *t, weft_time now);
/* Whether nothing more is wanted of it: it can be stopped although libcurl goes on. */
bool weft_transfer_satisfied(const struct weft_transfer *t);

/* Each fills the response and ends the fetch; the handle must be out of the multi handle. */
void weft_transfer_end(struct weft_transfer *t, CURLcode code);
void weft_transfer_time_out(struct weft_transfer *t);
void weft_transfer_interrupt(struct weft_transfer *t);

/* Sets the end and its sentence; the first call decides. */
void weft_transfer_decide(struct weft_transfer *t, enum weft_fetch_end end, const char *fmt, ...)
    WEFT_PRINTF(3, 4);

/* Whether the status says what there is to say: a redirect is followed, an error is told, and what
 * is wrong with the coding of the body that comes with it does not matter. */
bool weft_transfer_says_all(const struct weft_transfer *t);

/* For the result of a response function, in a callback: whether to go on. A field over its limit
 * counts as absent; a lack of memory decides. */
bool weft_transfer_stored(struct weft_transfer *t, enum weft_status st);

/* Decides for a timeout and names the limit that is over. */
void weft_transfer_decide_time(struct weft_transfer *t);

/* The callbacks, for the set-up of the handle. */
size_t weft_transfer_on_header(char *line, size_t size, size_t n, void *user);
size_t weft_transfer_on_body(char *bytes, size_t size, size_t n, void *user);
int weft_transfer_on_connected(void *user, char *remote_ip, char *local_ip, int remote_port,
                               int local_port);
curl_socket_t weft_transfer_open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *a);
int weft_transfer_on_wire(CURL *easy, curl_infotype type, char *bytes, size_t n, void *user);

/* Takes what went over the wire into the response (wire.c). */
void weft_transfer_take_wire(struct weft_transfer *t);

/* Whether an address is not of the public internet: refused with no_private (private.c). */
struct sockaddr;
bool weft_address_is_private(const struct sockaddr *address);

/* How libcurl's result, with no decision by a callback, ends a fetch (ends.c). */
void weft_transfer_judge(struct weft_transfer *t, CURLcode code);

#endif
