/* net.c -- a network: the options, copied and checked once, and what its clients share (DNS
 * answers, TLS sessions, cookies). Starts libcurl on first use and leaves it started: it can't be
 * known who else in the process uses it. */
#include "net/net.h"

#include "base/limits.h"
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

static bool has_control(const char *text)
{
    for (; text && *text; text++) {
        if ((unsigned char)*text < ' ' && *text != '\t') {
            return true;
        }
    }
    return false;
}

static bool is_header(const char *text)
{
    size_t name = strcspn(text, ":;"); /* "Name;" asks for a field without a value */
    return name > 0 && text[name] && !has_control(text);
}

static bool valid(const struct weft_net_options *o)
{
    for (const char *const *h = o->headers; h && *h; h++) {
        if (!is_header(*h)) {
            return false;
        }
    }
    return !has_control(o->user_agent) && !has_control(o->credentials) &&
           !has_control(o->cookie_file) && o->connect_timeout >= 0 && o->read_timeout >= 0 &&
           o->timeout >= 0 && !(o->no_private && o->proxy && *o->proxy);
}

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

/* As curl does: these fields are for the hosts that the user meant. */
static bool is_secret(const char *header)
{
    static const char *const names[] = {"Authorization", "Cookie", "Proxy-Authorization"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t len = strlen(names[i]);
        if (strncasecmp(header, names[i], len) == 0 && strchr(": \t;", header[len])) {
            return true;
        }
    }
    return false;
}

static enum weft_status copy_headers(struct weft_net *net, const char *const *headers)
{
    enum weft_status st = WEFT_OK;
    for (; headers && *headers && st == WEFT_OK; headers++) {
        st = add(&net->trusted_headers, *headers);
        if (st == WEFT_OK && !is_secret(*headers)) {
            st = add(&net->headers, *headers);
        }
    }
    return st;
}

static weft_time limit_or(weft_time given, weft_time fallback)
{
    return given == 0 ? fallback : given < LONGEST ? given : LONGEST;
}

static enum weft_status copy_options(struct weft_net *net, const struct weft_net_options *o)
{
    /* as curl's -b: text with '=' is cookies, else it names a file */
    bool cookie_text = o->cookie_file && strchr(o->cookie_file, '=');
    net->cookies = o->cookies || o->cookie_jar || (o->cookie_file && !cookie_text);
    net->insecure = o->insecure;
    net->http2 = o->http2;
    net->no_private = o->no_private;
    net->keep_wire = o->keep_wire;
    net->connect_timeout = limit_or(o->connect_timeout, CONNECT_TIMEOUT);
    net->read_timeout = limit_or(o->read_timeout, READ_TIMEOUT);
    net->timeout = limit_or(o->timeout, TIMEOUT);
    net->max_body = o->max_body ? o->max_body : WEFT_MAX_BODY;
    const char *agent = o->user_agent ? o->user_agent : "weft/" WEFT_VERSION;
    enum weft_status st;
    if ((st = copy(&net->user_agent, agent)) != WEFT_OK ||
        (st = copy(&net->credentials, o->credentials)) != WEFT_OK ||
        (st = copy(&net->proxy, o->proxy)) != WEFT_OK ||
        (st = copy(&net->cookie_text, cookie_text ? o->cookie_file : NULL)) != WEFT_OK ||
        (st = copy(&net->cookie_jar, o->cookie_jar)) != WEFT_OK ||
        (st = copy(&net->ca_file, o->ca_file)) != WEFT_OK ||
        (st = add_all(&net->resolve, o->resolve)) != WEFT_OK ||
        (st = add_all(&net->trusted_hosts, o->credential_hosts)) != WEFT_OK) {
        return st;
    }
    return copy_headers(net, o->headers);
}

/* ---- life ---- */

/* Frees everything, writes nothing. */
static void discard(struct weft_net *net)
{
    curl_share_cleanup(net->share);
    while (net->nlocks) {
        pthread_mutex_destroy(&net->locks[--net->nlocks]);
    }
    curl_slist_free_all(net->headers);
    curl_slist_free_all(net->trusted_headers);
    curl_slist_free_all(net->resolve);
    curl_slist_free_all(net->trusted_hosts);
    free(net->user_agent);
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
    if (!valid(o)) {
        return WEFT_EINVAL;
    }
    struct weft_net *net = calloc(1, sizeof *net);
    if (!net) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = copy_options(net, o);
    if (st == WEFT_OK) {
        st = open_share(net);
    }
    if (st == WEFT_OK && o->cookie_file && !net->cookie_text) {
        st = weft_net_load_cookies(net, o->cookie_file);
    }
    if (st != WEFT_OK) {
        discard(net);
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
    enum weft_status st = net->cookie_jar ? weft_net_save_cookies(net) : WEFT_OK;
    discard(net);
    return st;
}
