/* net.c -- a network: the options, copied and checked once, and what its clients share (DNS
 * answers, TLS sessions, cookies). Starts libcurl on first use and leaves it started: it can't be
 * known who else in the process uses it. */
#include "net/net.h"

#include "base/buf.h"
#include "base/limits.h"
#include "net/check.h"
#include "net/decode.h"
#include "net/discard.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CONNECT_TIMEOUT (10 * WEFT_SECOND)
#define READ_TIMEOUT    (15 * WEFT_SECOND)
#define TIMEOUT         (60 * WEFT_SECOND)
/* A limit beyond this is none; it keeps sums of times far from overflow and fits libcurl's long. */
#define LONGEST (INT64_C(1000000000) * WEFT_SECOND)

static pthread_once_t started = PTHREAD_ONCE_INIT;
static CURLcode start_result;

static void start_curl(void)
{
    start_result = curl_global_init(CURL_GLOBAL_DEFAULT);
}

static void lock_share(CURL *easy, curl_lock_data data, curl_lock_access access, void *user)
{
    struct weft_net *net = user;
    (void)easy;
    (void)access;
    pthread_mutex_lock(&net->locks[data]);
}

static void unlock_share(CURL *easy, curl_lock_data data, void *user)
{
    struct weft_net *net = user;
    (void)easy;
    pthread_mutex_unlock(&net->locks[data]);
}

static enum weft_status open_share(struct weft_net *net)
{
    for (; net->nlocks < CURL_LOCK_DATA_LAST; net->nlocks++) {
        if (pthread_mutex_init(&net->locks[net->nlocks], NULL) != 0) {
            return WEFT_ENOMEM;
        }
    }
    net->share = curl_share_init();
    if (!net->share ||
        curl_share_setopt(net->share, CURLSHOPT_LOCKFUNC, lock_share) != CURLSHE_OK ||
        curl_share_setopt(net->share, CURLSHOPT_UNLOCKFUNC, unlock_share) != CURLSHE_OK ||
        curl_share_setopt(net->share, CURLSHOPT_USERDATA, net) != CURLSHE_OK ||
        curl_share_setopt(net->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) != CURLSHE_OK ||
        curl_share_setopt(net->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK) {
        return WEFT_ENOMEM;
    }
    if (net->cookies &&
        curl_share_setopt(net->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE) != CURLSHE_OK) {
        return WEFT_ENOMEM;
    }
    return WEFT_OK;
}

/* ---- options ---- */

static enum weft_status copy(char **to, const char *text)
{
    if (text) {
        *to = strdup(text);
    }
    return text && !*to ? WEFT_ENOMEM : WEFT_OK;
}

static enum weft_status add(struct curl_slist **list, const char *text)
{
    struct curl_slist *longer = curl_slist_append(*list, text);
    if (!longer) {
        return WEFT_ENOMEM;
    }
    *list = longer;
    return WEFT_OK;
}

static enum weft_status add_all(struct curl_slist **list, const char *const *texts)
{
    enum weft_status st = WEFT_OK;
    for (; texts && *texts && st == WEFT_OK; texts++) {
        st = add(list, *texts);
    }
    return st;
}

static bool has_field(const char *const *headers, const char *name)
{
    for (; headers && *headers; headers++) {
        if (weft_net_is_field(*headers, name)) {
            return true;
        }
    }
    return false;
}

static enum weft_status add_header(struct weft_net *net, const char *header)
{
    enum weft_status st = add(&net->trusted_headers, header);
    return st == WEFT_OK && !weft_net_is_bound(header) ? add(&net->headers, header) : st;
}

/* "name: value" */
static enum weft_status add_field(struct weft_net *net, const char *name, const char *value)
{
    struct weft_buf line;
    weft_buf_init(&line, WEFT_MAX_HEADER_FIELD);
    enum weft_status st = weft_buf_printf(&line, "%s: %s", name, value);
    if (st == WEFT_OK) {
        st = add_header(net, line.data);
    }
    weft_buf_release(&line);
    return st == WEFT_ELIMIT ? WEFT_EINVAL : st;
}

/* Whether libcurl will take the host that cookies belong to from the first Host among the fields:
 * it does unless that one is empty, as in "Host:", which takes the field away. */
static bool has_host(const struct curl_slist *headers)
{
    for (; headers; headers = headers->next) {
        const char *text = headers->data;
        if (strncasecmp(text, "Host", 4) == 0 && (text[4] == ':' || text[4] == ';')) {
            const char *colon = strchr(text, ':');
            return colon && colon[1 + strspn(colon + 1, " \t")];
        }
    }
    return false;
}

/* The fields of every request, made once: libcurl would compose its own for each. */
static enum weft_status copy_headers(struct weft_net *net, const struct weft_net_options *o)
{
    enum weft_status st = WEFT_OK;
    if (!has_field(o->headers, "User-Agent")) {
        st = add_field(net, "User-Agent", o->user_agent ? o->user_agent : "weft/" WEFT_VERSION);
    }
    if (st == WEFT_OK && !has_field(o->headers, "Accept-Encoding")) {
        st = add_field(net, "Accept-Encoding", WEFT_DECODE_ACCEPT);
    }
    for (const char *const *h = o->headers; h && *h && st == WEFT_OK; h++) {
        st = add_header(net, *h);
    }
    net->renames = has_host(net->trusted_headers);
    return st;
}

/* The proxy to use; an empty one for none, NULL to have the environment asked. That is not asked
 * when it has nothing to say; nor with no_private, for through a proxy nobody here sees the
 * address. */
static const char *proxy_of(const struct weft_net_options *o)
{
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY"};
    if (o->proxy || o->no_private) {
        return o->proxy ? o->proxy : "";
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (getenv(names[i])) {
            return NULL;
        }
    }
    return "";
}

static weft_time limit_or(weft_time given, weft_time fallback)
{
    return given == 0 ? fallback : given < LONGEST ? given : LONGEST;
}

static enum weft_status copy_options(struct weft_net *net, const struct weft_net_options *o)
{
    bool cookie_text = weft_net_is_cookie_text(o->cookie_file);
    net->cookies = o->cookies || o->cookie_jar || (o->cookie_file && !cookie_text);
    net->insecure = o->insecure;
    net->http2 = o->http2;
    net->no_private = o->no_private;
    net->keep_wire = o->keep_wire;
    net->connect_timeout = limit_or(o->connect_timeout, CONNECT_TIMEOUT);
    net->read_timeout = limit_or(o->read_timeout, READ_TIMEOUT);
    net->timeout = limit_or(o->timeout, TIMEOUT);
    net->max_body = o->max_body ? o->max_body : WEFT_MAX_BODY;
    enum weft_status st;
    if ((st = copy(&net->credentials, o->credentials)) != WEFT_OK ||
        (st = copy(&net->proxy, proxy_of(o))) != WEFT_OK ||
        (st = copy(&net->cookie_text, cookie_text ? o->cookie_file : NULL)) != WEFT_OK ||
        (st = copy(&net->cookie_jar, o->cookie_jar)) != WEFT_OK ||
        (st = copy(&net->ca_file, o->ca_file)) != WEFT_OK ||
        (st = add_all(&net->resolve, o->resolve)) != WEFT_OK ||
        (st = add_all(&net->trusted_hosts, o->credential_hosts)) != WEFT_OK) {
        return st;
    }
    return copy_headers(net, o);
}

/* ---- life ---- */

void weft_net_discard(struct weft_net *net)
{
    if (!net) {
        return;
    }
    curl_share_cleanup(net->share);
    while (net->nlocks) {
        pthread_mutex_destroy(&net->locks[--net->nlocks]);
    }
    curl_slist_free_all(net->headers);
    curl_slist_free_all(net->trusted_headers);
    curl_slist_free_all(net->resolve);
    curl_slist_free_all(net->trusted_hosts);
    free(net->credentials);
    free(net->proxy);
    free(net->cookie_text);
    free(net->cookie_jar);
    free(net->ca_file);
    free(net);
}

enum weft_status weft_net_new(struct weft_net **out, const struct weft_net_options *options)
{
    static const struct weft_net_options defaults;
    const struct weft_net_options *o = options ? options : &defaults;
    *out = NULL;
    pthread_once(&started, start_curl);
    if (start_result != CURLE_OK) {
        return WEFT_ENOMEM;
    }
    char why[300];
    enum weft_status st = weft_net_check(o, why, sizeof why);
    if (st != WEFT_OK) {
        return st;
    }
    struct weft_net *net = calloc(1, sizeof *net);
    if (!net) {
        return WEFT_ENOMEM;
    }
    st = copy_options(net, o);
    if (st == WEFT_OK) {
        st = open_share(net);
    }
    if (st == WEFT_OK && o->cookie_file && !net->cookie_text) {
        st = weft_net_load_cookies(net, o->cookie_file);
    }
    if (st != WEFT_OK) {
        weft_net_discard(net);
        return st;
    }
    *out = net;
    return WEFT_OK;
}

enum weft_status weft_net_free(struct weft_net *net)
{
    if (!net) {
        return WEFT_OK;
    }
    enum weft_status st = weft_net_save_cookies(net);
    weft_net_discard(net);
    return st;
}
