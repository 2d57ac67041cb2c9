/* lab_request.c -- one request's way through MHD's callbacks: made when its first line is read,
 * counted when its headers are whole, held if need be, answered, counted again, freed. */
#include "lab/lab_host.h"
#include "lab/lab_query.h"
#include "lab/lab_reply.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* ---- answers that come before any page ---- */

static enum weft_status answer_misdirected(struct lab_request *r, struct lab_reply *reply)
{
    lab_stats_misdirected(&r->lab->stats);
    return lab_reply_page(reply, MHD_HTTP_MISDIRECTED_REQUEST,
                          "This server answers for localhost only: names below .localhost, "
                          "127.0.0.0/8 and [::1].");
}

static enum weft_status answer_refused(struct lab_request *r, struct lab_reply *reply)
{
    lab_stats_refused(&r->lab->stats);
    enum weft_status st = lab_reply_page(reply, MHD_HTTP_SERVICE_UNAVAILABLE,
                                         "There are too many requests in flight.");
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_RETRY_AFTER, "1") : st;
}

static enum weft_status answer_broken(struct lab_request *r, struct lab_reply *reply)
{
    (void)r;
    reply->status = 0;
    reply->reset = true;
    return WEFT_OK;
}

static enum weft_status answer_method(struct lab_request *r, struct lab_reply *reply)
{
    (void)r;
    enum weft_status st = lab_reply_page(reply, MHD_HTTP_METHOD_NOT_ALLOWED,
                                         "Only GET and HEAD are answered.");
    return st == WEFT_OK ? lab_reply_header(reply, MHD_HTTP_HEADER_ALLOW, "GET, HEAD") : st;
}

static const struct lab_endpoint misdirected = {.answer = answer_misdirected};
static const struct lab_endpoint refused = {.answer = answer_refused};
static const struct lab_endpoint broken = {.answer = answer_broken};
static const struct lab_endpoint wrong_method = {.answer = answer_method};

/* ---- the beginning ---- */

void *lab_request_new(void *port, const char *uri, struct MHD_Connection *connection)
{
    struct lab_port *p = port;
    bool foreign = false;
    if (strncasecmp(uri, "http://", 7) == 0) { /* absolute form, RFC 9112 3.2.2 */
        size_t authority = strcspn(uri + 7, "/?#");
        foreign = !lab_host_is_loopback(uri + 7, authority);
        uri += 7 + authority;
    }
    size_t len = strlen(uri), path_len = strcspn(uri, "?");
    struct lab_request *r = malloc(sizeof *r + len + 1 + path_len + 1);
    if (!r) {
        return NULL; /* lab_request_run sees it and breaks the connection */
    }
    *r = (struct lab_request){.lab = p->lab, .connection = connection, .port = p};
    r->foreign = foreign;
    memcpy(r->target, uri, len + 1);
    r->query = r->target + path_len + (uri[path_len] == '?');
    r->path = r->target + len + 1;
    if (!lab_query_decode(r->path, r->target, path_len)) {
        r->path[0] = '\0'; /* nothing has that name */
    }
    return r;
}

/* The jitter of a target: the same whenever it is asked for. */
static weft_time jitter(const struct lab_request *r)
{
    const struct weft_lab_options *o = &r->lab->o;
    uint64_t h = lab_query_hash(r->target, strlen(r->target), o->seed);
    return (weft_time)(h % (uint64_t)(o->jitter_ms * WEFT_MS + 1));
}

/* A server under load: from half of its limit on, answers take longer the more there are. */
static weft_time slow_down(const struct lab_request *r, weft_time hold)
{
    unsigned max = r->lab->o.max_in_flight, half = (max + 1) / 2;
    unsigned now = max ? lab_stats_in_flight(&r->lab->stats) : 0;
    if (now <= half) {
        return hold;
    }
    weft_time base = hold > 10 * WEFT_MS ? hold : 10 * WEFT_MS;
    return base * now / half;
}

/* How long the answer is held, and whether "ms" can be read. */
static weft_time hold_of(struct lab_request *r)
{
    const struct lab_endpoint *e = r->endpoint;
    const struct weft_lab_options *o = &r->lab->o;
    if (e->control || !r->in_flight) {
        return 0;
    }
    int64_t ms = e->default_ms;
    if (e->path && !lab_query_number(r->query, "ms", 0, WEFT_LAB_MAX_HOLD_MS, &ms)) {
        r->wrong = "ms";
        return 0;
    }
    ms += o->delay_ms + (int64_t)r->port->k * o->mirror_ms;
    ms += r->route ? r->route->delay_ms : 0;
    ms += e->hold_ms ? e->hold_ms(r) : 0;
    weft_time hold = slow_down(r, ms * WEFT_MS + jitter(r));
    return hold < WEFT_LAB_MAX_HOLD_MS * WEFT_MS ? hold : WEFT_LAB_MAX_HOLD_MS * WEFT_MS;
}

/* Chooses who answers. */
static void choose(struct lab_request *r, const char *method, const char *host)
{
    struct weft_lab *l = r->lab;
    bool last_of_several = l->nports > 1 && r->port->k + 1 == l->nports;
    r->in_flight = true;
    if (l->loopback && (r->foreign || (host && !lab_host_is_loopback(host, strlen(host))))) {
        r->endpoint = &misdirected;
    } else if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
               strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
        r->endpoint = &wrong_method;
    } else if (l->o.broken_mirror && last_of_several) {
        r->endpoint = &broken;
    } else {
        lab_endpoint_find(r);
        if (!r->endpoint->control && l->o.max_in_flight &&
            lab_stats_in_flight(&l->stats) >= l->o.max_in_flight) {
            r->endpoint = &refused;
        }
    }
    r->in_flight = r->endpoint->path || r->endpoint->answer == lab_files_answer;
}

/* The headers are whole. */
static void begin(struct lab_request *r, const char *method)
{
    const char *host = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Host");
    r->begun = true;
    r->arrived = weft_now();
    choose(r, method, host);
    if (!r->endpoint->control) {
        const char *name = r->endpoint == &misdirected ? NULL : host ? host : LAB_NO_HOST;
        r->host = lab_stats_arrive(&r->lab->stats, r->target, name, r->in_flight, r->arrived);
        r->counted = true;
    }
}

/* ---- the answer ---- */

static enum MHD_Result break_off(struct lab_request *r, bool reset)
{
    if (reset) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(
            r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct linger now = {.l_onoff = 1, .l_linger = 0};
        setsockopt(info->connect_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    return MHD_NO;
}

static enum MHD_Result answer(struct lab_request *r)
{
    struct lab_reply reply = {0};
    enum MHD_Result result = MHD_NO;
    enum weft_status st = r->wrong ? lab_reply_bad(&reply, r->wrong)
                                   : r->endpoint->answer(r, &reply);
    if (st != WEFT_OK || reply.status == 0) {
        result = break_off(r, reply.reset);
    } else {
        r->status = reply.status;
        result = MHD_queue_response(r->connection, reply.status, reply.response);
    }
    if (reply.response) {
        MHD_destroy_response(reply.response);
    }
    return result;
}

enum MHD_Result lab_request_run(void *port, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_len, void **request)
{
    struct lab_request *r = *request;
    (void)port;
    (void)connection;
    (void)url;
    (void)version;
    (void)upload;
    if (!r) {
        return MHD_NO;
    }
    if (!r->begun) {
        begin(r, method);
        /* A body that would follow is not waited for; MHD closes the connection then. */
        return r->endpoint == &wrong_method ? answer(r) : MHD_YES;
    }
    if (*upload_len) {
        r->swallowed += *upload_len;
        *upload_len = 0;
        return r->swallowed <= WEFT_LAB_MAX_SWALLOW ? MHD_YES : MHD_NO;
    }
    if (!r->decided) {
        weft_time hold = hold_of(r);
        r->decided = true;
        if (hold > 0) {
            return lab_loop_hold(r, r->arrived + hold) == WEFT_OK ? MHD_YES : MHD_NO;
        }
    }
    return r->gone ? MHD_NO : answer(r);
}

/* ---- the end ---- */

void lab_request_end(void *port, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode why)
{
    struct lab_request *r = *request;
    (void)port;
    (void)connection;
    if (!r) {
        return;
    }
    if (r->counted) {
        bool whole = why == MHD_REQUEST_TERMINATED_COMPLETED_OK && !r->gone;
        lab_stats_leave(&r->lab->stats, r->host, r->in_flight, whole ? r->status : 0, weft_now());
    }
    free(r);
    *request = NULL;
}

void lab_request_connection(void *port, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode what)
{
    struct lab_port *p = port;
    (void)connection;
    (void)context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        lab_stats_open(&p->lab->stats);
    } else {
        lab_stats_close(&p->lab->stats);
    }
}
