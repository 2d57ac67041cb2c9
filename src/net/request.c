/* request.c -- sets a libcurl handle up: once for what never changes, and for each request only
 * what differs from the one before. Both drivers, the blocking client and the event loop, send
 * their requests through here, so they send the same. */
#include "base/limits.h"
#include "net/transfer.h"

#include <string.h>
#include <strings.h>

/* One recv() takes a page of usual size. The buffer exists only while a transfer runs, and only the
 * part of it that bytes came into is resident. */
#define RECEIVE_BUFFER (32L << 10)

/* Options that every handle has; the first that fails decides. */
static CURLcode set_constants(struct weft_transfer *t)
{
    const struct weft_net *net = t->net;
    CURL *e = t->easy;
    CURLcode code = CURLE_OK;
#define SET(option, value)                                                                         \
    do {                                                                                           \
        if (code == CURLE_OK) {                                                                    \
            code = curl_easy_setopt(e, option, value);                                             \
        }                                                                                          \
    } while (0)
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_QUICK_EXIT, 1L); /* a stop does not wait for the resolver's thread */
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_HTTP_VERSION, (long)(net->http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    SET(CURLOPT_PIPEWAIT, (long)net->http2); /* rather one connection for many than many at once */
    SET(CURLOPT_PATH_AS_IS, 1L);             /* the URL has been through the URL Standard already */
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);  /* done here: see decode.h */
    SET(CURLOPT_BUFFERSIZE, RECEIVE_BUFFER);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_CURLU, t->url);
    SET(CURLOPT_SHARE, net->share);
    SET(CURLOPT_COOKIEFILE, ""); /* switches cookies on */
    SET(CURLOPT_ERRORBUFFER, t->error);
    SET(CURLOPT_PRIVATE, t);
    /* Beside our own clock, and just behind it: with this, libcurl divides the time among a name's
     * addresses. */
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(net->connect_timeout / WEFT_MS + 2));
    SET(CURLOPT_HEADERFUNCTION, weft_transfer_on_header);
    SET(CURLOPT_HEADERDATA, t);
    SET(CURLOPT_WRITEFUNCTION, weft_transfer_on_body);
    SET(CURLOPT_WRITEDATA, t);
    SET(CURLOPT_PREREQFUNCTION, weft_transfer_on_connected);
    SET(CURLOPT_PREREQDATA, t);
    SET(CURLOPT_HTTPHEADER, net->headers);
    SET(CURLOPT_OPENSOCKETFUNCTION, weft_transfer_open_socket);
    SET(CURLOPT_OPENSOCKETDATA, t);
    if (net->proxy) { /* an empty one: none, and the environment is not asked for each request */
        SET(CURLOPT_PROXY, net->proxy);
    }
    if (net->proxy && !*net->proxy) {
        SET(CURLOPT_NOPROXY, "");
    }
    if (net->insecure) {
        SET(CURLOPT_SSL_VERIFYPEER, 0L);
        SET(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (net->ca_file) {
        SET(CURLOPT_CAINFO, net->ca_file);
    }
    if (net->resolve) {
        SET(CURLOPT_RESOLVE, net->resolve);
    }
    if (net->keep_wire) {
        SET(CURLOPT_VERBOSE, 1L);
        SET(CURLOPT_DEBUGFUNCTION, weft_transfer_on_wire);
        SET(CURLOPT_DEBUGDATA, t);
    }
#undef SET
    return code;
}

enum weft_status weft_transfer_init(struct weft_transfer *t, struct weft_net *net)
{
    memset(t, 0, sizeof *t);
    t->net = net;
    t->headers_set = net->headers;
    weft_buf_init(&t->extra_text, 4 * (WEFT_MAX_HEADER_FIELD + 64));
    weft_buf_init(&t->wire_out, WEFT_MAX_HEADER);
    weft_buf_init(&t->wire_in, WEFT_MAX_HEADER);
    t->easy = curl_easy_init();
    t->url = curl_url();
    if (!t->easy || !t->url || set_constants(t) != CURLE_OK) {
        weft_transfer_release(t);
        return WEFT_ENOMEM;
    }
    return WEFT_OK;
}

void weft_transfer_release(struct weft_transfer *t)
{
    weft_decoder_free(t->decoder);
    t->decoder = NULL;
    curl_easy_cleanup(t->easy);
    curl_url_cleanup(t->url);
    t->easy = NULL;
    t->url = NULL;
    weft_buf_release(&t->extra_text);
    weft_buf_release(&t->wire_out);
    weft_buf_release(&t->wire_in);
}

static bool is_web_url(const char *url)
{
    return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

/* Appends "name: value" and its NUL to the text. A value that could end the line is left out: it
 * came from outside once, and a request must stay one request. */
static enum weft_status add_field(struct weft_buf *text, const char *name, const char *value)
{
    if (!value || strlen(value) > WEFT_MAX_HEADER_FIELD) {
        return WEFT_OK;
    }
    for (const char *p = value; *p; p++) {
        if ((unsigned char)*p < ' ' && *p != '\t') {
            return WEFT_OK;
        }
    }
    enum weft_status st = weft_buf_printf(text, "%s: %s", name, value);
    return st == WEFT_OK ? weft_buf_append(text, "", 1) : st;
}

/* Chains this request's own fields in front of the network's list. libcurl reads the list and
 * copies nothing, so the nodes are ours and no memory is allocated.
 *
 * A handle that was given a Host takes it for the name of whomever it asks next, too, until it is
 * given another: one host's cookies would be sent to the next. So where some get a Host of the
 * user's, all others are given theirs. */
static enum weft_status set_headers(struct weft_transfer *t, bool trusted)
{
    const struct weft_request *q = &t->request;
    struct curl_slist *list = trusted ? t->net->trusted_headers : t->net->headers;
    bool own_host = t->net->renames && !trusted;
    if (own_host || q->if_none_match || q->if_modified_since || q->referer) {
        struct weft_buf *text = &t->extra_text;
        weft_buf_clear(text);
        enum weft_status st = own_host ? weft_net_own_host(text, q->url) : WEFT_OK;
        if (st != WEFT_OK || (st = add_field(text, "If-None-Match", q->if_none_match)) != WEFT_OK ||
            (st = add_field(text, "If-Modified-Since", q->if_modified_since)) != WEFT_OK ||
            (st = add_field(text, "Referer", q->referer)) != WEFT_OK) {
            return st == WEFT_ELIMIT ? WEFT_EINVAL : st;
        }
        unsigned n = 0;
        for (size_t at = 0; at < text->len; at += strlen(text->data + at) + 1) {
            t->extra[n] = (struct curl_slist){.data = text->data + at, .next = list};
            if (n) {
                t->extra[n - 1].next = &t->extra[n];
            }
            n++;
        }
        list = n ? t->extra : list;
    }
    if (list != t->headers_set) {
        if (curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, list) != CURLE_OK) {
            return WEFT_ENOMEM;
        }
        t->headers_set = list;
    }
    return WEFT_OK;
}

/* Credentials and the cookies given as text go to their own hosts alone. */
static enum weft_status set_secrets(struct weft_transfer *t, bool trusted)
{
    if (trusted == t->trusted_set) {
        return WEFT_OK;
    }
    const struct weft_net *net = t->net;
    if (curl_easy_setopt(t->easy, CURLOPT_USERPWD, trusted ? net->credentials : NULL) != CURLE_OK ||
        curl_easy_setopt(t->easy, CURLOPT_COOKIE, trusted ? net->cookie_text : NULL) != CURLE_OK) {
        return WEFT_ENOMEM;
    }
    t->trusted_set = trusted;
    return WEFT_OK;
}

/* Puts the visit's cookies, one a line, into the handle's own store, emptied before. With cookies
 * kept by the network the shared store is in force and this does nothing. */
static enum weft_status set_cookies(struct weft_transfer *t)
{
    if (t->net->cookies) {
        return WEFT_OK;
    }
    if (t->has_cookies) {
        if (curl_easy_setopt(t->easy, CURLOPT_COOKIELIST, "ALL") != CURLE_OK) {
            return WEFT_ENOMEM;
        }
        t->has_cookies = false;
    }
    const char *line = t->request.cookies;
    while (line && *line) {
        const char *end = strchrnul(line, '\n');
        char copy[WEFT_MAX_HEADER_FIELD];
        size_t len = (size_t)(end - line);
        if (len && len < sizeof copy) {
            memcpy(copy, line, len);
            copy[len] = '\0';
            t->has_cookies = true;
            if (curl_easy_setopt(t->easy, CURLOPT_COOKIELIST, copy) == CURLE_OUT_OF_MEMORY) {
                return WEFT_ENOMEM;
            }
        }
        line = *end ? end + 1 : end;
    }
    return WEFT_OK;
}

/* Gives the URL parsed, and as text for when libcurl has to send a request again. Of text alone
 * libcurl would first compose a normalised URL, character by character: a tenth of its work. A
 * host that libcurl can't parse is left to it, so that the fetch fails and not the call. */
static enum weft_status set_url(struct weft_transfer *t)
{
    CURLcode code = curl_easy_setopt(t->easy, CURLOPT_URL, t->request.url);
    if (code != CURLE_OK) {
        return code == CURLE_OUT_OF_MEMORY ? WEFT_ENOMEM : WEFT_EINVAL;
    }
    CURLUcode parsed = curl_url_set(t->url, CURLUPART_URL, t->request.url, CURLU_PATH_AS_IS);
    if (parsed == CURLUE_OUT_OF_MEMORY) {
        return WEFT_ENOMEM;
    }
    if ((parsed != CURLUE_OK) != t->url_unset) {
        t->url_unset = parsed != CURLUE_OK;
        curl_easy_setopt(t->easy, CURLOPT_CURLU, t->url_unset ? NULL : t->url); /* can't fail */
    }
    return WEFT_OK;
}

static enum weft_status set_request(struct weft_transfer *t)
{
    const struct weft_request *q = &t->request;
    enum weft_status st = set_url(t);
    if (st != WEFT_OK) {
        return st;
    }
    if (q->head != t->head_set) {
        if (curl_easy_setopt(t->easy, q->head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1L) != CURLE_OK) {
            return WEFT_ENOMEM;
        }
        t->head_set = q->head;
    }
    if (q->fresh_connection != t->fresh_set) {
        if (curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, (long)q->fresh_connection) !=
            CURLE_OK) {
            return WEFT_ENOMEM;
        }
        t->fresh_set = q->fresh_connection;
    }
    bool trusted = t->net->trusted_hosts && weft_net_trusts(t->net, q->url);
    if ((st = set_headers(t, trusted)) == WEFT_OK) {
        st = set_secrets(t, trusted);
    }
    return st == WEFT_OK ? set_cookies(t) : st;
}

enum weft_status weft_transfer_begin(struct weft_transfer *t, const struct weft_request *request,
                                     struct weft_response *response)
{
    weft_response_reset(response);
    if (!request->url || !is_web_url(request->url)) {
        return WEFT_EINVAL;
    }
    enum weft_status st = weft_response_append(response, "", 0); /* never NULL after a fetch */
    if (st != WEFT_OK) {
        return st;
    }
    t->request = *request;
    t->response = response;
    t->answer = (struct weft_answer){.at_start = true};
    t->max_body = request->max_body ? request->max_body : t->net->max_body;
    t->drained = t->coded = 0;
    t->strange_coding = t->passes_over = false;
    t->decided = t->refused = false;
    t->error[0] = '\0';
    weft_buf_clear(&t->wire_out);
    weft_buf_clear(&t->wire_in);
    t->wire_in.limit = WEFT_WIRE_LIMIT(t->max_body);
    if ((st = set_request(t)) != WEFT_OK) {
        return st;
    }
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    response->started_at = (int64_t)wall.tv_sec * WEFT_SECOND + wall.tv_nsec;
    response->started = t->active = weft_now();
    t->whole_by = response->started + t->net->timeout;
    return WEFT_OK;
}
