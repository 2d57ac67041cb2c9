/* net.h -- the inside of a network: what its clients and loops share.
 *
 * Everything but the shared caches is set by weft_net_new and never changed, so it is read without
 * a lock; libcurl locks the caches itself through the callbacks given to it. */
#ifndef WEFT_NET_NET_H
#define WEFT_NET_NET_H

#include "base/buf.h"
#include "weft/fetch.h"
#include <curl/curl.h>
#include <pthread.h>

struct weft_net {
    /* copies of the options, the defaults filled in */
    char *credentials, *proxy, *cookie_text, *cookie_jar, *ca_file;
    struct curl_slist *headers;         /* for every host */
    struct curl_slist *trusted_headers; /* the same and those for named hosts alone */
    struct curl_slist *resolve;
    struct curl_slist *trusted_hosts; /* host or host:port, lower case */
    bool renames;                     /* those for named hosts have a Host */
    bool cookies, insecure, http2, no_private, keep_wire;
    weft_time connect_timeout, read_timeout, timeout;
    size_t max_body;

    CURLSH *share; /* DNS answers, TLS sessions, and cookies if kept */
    /* one per kind of shared data, so that a look-up of a name never waits for a TLS session */
    pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
    unsigned nlocks; /* how many were made */
};

/* Whether the host and port of url, an absolute http(s) URL, are among the credential hosts: the
 * only ones that get the credentials, the cookies given as text, and the header fields that are not
 * for everybody. An entry without a port means the default port of the URL's scheme. */
bool weft_net_trusts(const struct weft_net *net, const char *url);

/* Appends "Host: ", what belongs there by the URL (RFC 9110 7.2), and a NUL. WEFT_OK, WEFT_ENOMEM,
 * WEFT_ELIMIT: the buffer's. */
enum weft_status weft_net_own_host(struct weft_buf *text, const char *url) WEFT_MUST_USE;

/* Reads the cookie file into the shared cookies. WEFT_OK, WEFT_ENOMEM. */
enum weft_status weft_net_load_cookies(struct weft_net *net, const char *file) WEFT_MUST_USE;

#endif
