/* ends.c -- from libcurl's result to the end of a fetch: one table, in the order of enum
 * weft_fetch_end. Callbacks that stop a transfer decide before and are not asked here. */
#include "net/transfer.h"

#include <string.h>

static const struct {
    CURLcode code;
    enum weft_fetch_end end;
} ends[] = {
    {CURLE_OK, WEFT_FETCH_DONE},
    {CURLE_OPERATION_TIMEDOUT, WEFT_FETCH_TIMEOUT},
    {CURLE_COULDNT_CONNECT, WEFT_FETCH_CONNECTION},
    {CURLE_INTERFACE_FAILED, WEFT_FETCH_CONNECTION},
    {CURLE_GOT_NOTHING, WEFT_FETCH_CONNECTION},
    {CURLE_SEND_ERROR, WEFT_FETCH_CONNECTION},
    {CURLE_RECV_ERROR, WEFT_FETCH_CONNECTION}, /* but see receive_error() */
    {CURLE_PROXY, WEFT_FETCH_CONNECTION},
    {CURLE_HTTP2, WEFT_FETCH_CONNECTION},
    {CURLE_HTTP2_STREAM, WEFT_FETCH_CONNECTION},
    {CURLE_COULDNT_RESOLVE_HOST, WEFT_FETCH_DNS},
    {CURLE_COULDNT_RESOLVE_PROXY, WEFT_FETCH_DNS},
    {CURLE_URL_MALFORMAT,
     WEFT_FETCH_DNS}, /* a host that the URL Standard allows, and DNS doesn't */
    {CURLE_SSL_CONNECT_ERROR, WEFT_FETCH_TLS},
    {CURLE_SSL_ENGINE_NOTFOUND, WEFT_FETCH_TLS},
    {CURLE_SSL_ENGINE_SETFAILED, WEFT_FETCH_TLS},
    {CURLE_SSL_ENGINE_INITFAILED, WEFT_FETCH_TLS},
    {CURLE_SSL_CERTPROBLEM, WEFT_FETCH_TLS},
    {CURLE_SSL_CIPHER, WEFT_FETCH_TLS},
    {CURLE_SSL_CACERT_BADFILE, WEFT_FETCH_TLS},
    {CURLE_SSL_CRL_BADFILE, WEFT_FETCH_TLS},
    {CURLE_SSL_ISSUER_ERROR, WEFT_FETCH_TLS},
    {CURLE_SSL_INVALIDCERTSTATUS, WEFT_FETCH_TLS},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, WEFT_FETCH_TLS},
    {CURLE_SSL_SHUTDOWN_FAILED, WEFT_FETCH_TLS},
    {CURLE_SSL_CLIENTCERT, WEFT_FETCH_TLS},
    {CURLE_PEER_FAILED_VERIFICATION, WEFT_FETCH_TLS},
    {CURLE_USE_SSL_FAILED, WEFT_FETCH_TLS},
    {CURLE_FILESIZE_EXCEEDED, WEFT_FETCH_TOO_LARGE},
#if LIBCURL_VERSION_NUM >= 0x080600
    {CURLE_TOO_LARGE, WEFT_FETCH_TOO_LARGE},
#endif
    {CURLE_PARTIAL_FILE, WEFT_FETCH_TRUNCATED},
    {CURLE_BAD_CONTENT_ENCODING, WEFT_FETCH_BAD_CONTENT},
    {CURLE_WRITE_ERROR, WEFT_FETCH_BAD_CONTENT}, /* see sentence() */
    {CURLE_WEIRD_SERVER_REPLY, WEFT_FETCH_BAD_CONTENT},
    {CURLE_UNSUPPORTED_PROTOCOL, WEFT_FETCH_BAD_CONTENT}, /* HTTP/0.9, or an HTTP of the future */
    {CURLE_HTTP_RETURNED_ERROR, WEFT_FETCH_BAD_CONTENT},
};

/* libcurl says "receive error" for three things, and only its sentence tells them apart: what the
 * system said, a header over libcurl's own limit, and chunks that are none. */
static enum weft_fetch_end receive_error(const struct weft_transfer *t)
{
    if (strstr(t->error, "chunk")) {
        return WEFT_FETCH_BAD_CONTENT;
    }
    return strstr(t->error, "response headers") ? WEFT_FETCH_TOO_LARGE : WEFT_FETCH_CONNECTION;
}

/* A line of header beyond libcurl's buffer is told as a lack of memory. */
static bool is_long_line(const struct weft_transfer *t, CURLcode code)
{
    return code == CURLE_OUT_OF_MEMORY && t->response->connected && !t->answer.final;
}

/* A connection that closes within the header is no error to libcurl. */
static bool is_half_header(const struct weft_transfer *t, CURLcode code)
{
    return code == CURLE_OK && !t->answer.final;
}

static enum weft_fetch_end end_of(const struct weft_transfer *t, CURLcode code)
{
    if (t->refused && !t->response->connected) {
        return WEFT_FETCH_PRIVATE;
    }
    if (code == CURLE_RECV_ERROR) {
        return receive_error(t);
    }
    if (is_long_line(t, code)) {
        return WEFT_FETCH_TOO_LARGE;
    }
    if (is_half_header(t, code)) {
        return WEFT_FETCH_CONNECTION;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (ends[i].code == code) {
            return ends[i].end;
        }
    }
    return WEFT_FETCH_FAILED;
}

/* The sentence for people. That of a refused connection names the time it took, and so would
 * differ from run to run. */
static const char *sentence(const struct weft_transfer *t, CURLcode code)
{
    long os_error = 0;
    if (code == CURLE_COULDNT_CONNECT) {
        curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &os_error);
        const char *words = strerrordesc_np((int)os_error);
        return os_error && words ? words : "could not connect";
    }
    if (is_half_header(t, code)) {
        return "closed in the middle of the header";
    }
    if (is_long_line(t, code)) {
        return "a line of the header is too long";
    }
    /* The callback for bodies decides before it refuses any, so this is libcurl's decoder. */
    if (code == CURLE_WRITE_ERROR) {
        return "bytes follow the end of the compressed body";
    }
    return *t->error ? t->error : curl_easy_strerror(code);
}

void weft_transfer_judge(struct weft_transfer *t, CURLcode code)
{
    enum weft_fetch_end end = end_of(t, code);
    switch (end) {
    case WEFT_FETCH_DONE:
        if (t->decoder && !weft_decoder_is_complete(t->decoder) && !weft_transfer_says_all(t)) {
            weft_transfer_decide(t, WEFT_FETCH_BAD_CONTENT,
                                 "the message is whole, its %s is cut short", t->answer.codings);
        }
        weft_transfer_decide(t, end, "%s", "");
        break;
    case WEFT_FETCH_TIMEOUT: /* libcurl's clock, set to the same limit, was first */
        weft_transfer_decide_time(t);
        break;
    case WEFT_FETCH_PRIVATE:
        weft_transfer_decide(t, end, "the address is private");
        break;
    default:
        weft_transfer_decide(t, end, "%s%s", code == CURLE_COULDNT_CONNECT ? "can't connect: " : "",
                             sentence(t, code));
    }
}
