/* transfer.c -- what happens while a fetch runs: body, connection, time limits, and the three ways
 * to end (the header stands in header.c). Knows libcurl; does not wait for anything. */
#include "net/transfer.h"

#include "base/limits.h"
#include "net/response.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* How long libcurl is left alone while it connects. When an address of several does not answer,
 * 7.88 goes on to the next one only when it is called again, and asks for no call. */
#define NUDGE (100 * WEFT_MS)
/* What of an unwanted body is read to keep the connection: less than opening a new one costs. */
#define DRAIN_MAX (16u << 10)

void weft_transfer_decide(struct weft_transfer *t, enum weft_fetch_end end, const char *fmt, ...)
{
    if (t->decided) {
        return;
    }
    t->decided = true;
    t->response->end = end;
    va_list args;
    va_start(args, fmt);
    vsnprintf(t->response->error, sizeof t->response->error, fmt, args);
    va_end(args);
}

bool weft_transfer_stored(struct weft_transfer *t, enum weft_status st)
{
    if (st == WEFT_ENOMEM) {
        weft_transfer_decide(t, WEFT_FETCH_FAILED, "out of memory");
    }
    return st != WEFT_ENOMEM;
}

/* ---- body, connection ---- */

bool weft_transfer_says_all(const struct weft_transfer *t)
{
    return t->response->status >= 300;
}

/* Takes bytes of the body as it is meant. False: stop, it is decided why. */
static bool take_body(void *user, const char *bytes, size_t n)
{
    struct weft_transfer *t = user;
    size_t room = t->max_body - t->response->body_len;
    if (!weft_transfer_stored(t, weft_response_append(t->response, bytes, n < room ? n : room))) {
        return false;
    }
    if (n > room) {
        weft_transfer_decide(t, WEFT_FETCH_TOO_LARGE, "the body is over %zu bytes", t->max_body);
    }
    return n <= room;
}

/* Undoes the coding of bytes as they came. False: stop. */
static bool take_coded(struct weft_transfer *t, const char *bytes, size_t n)
{
    t->coded += n;
    enum weft_status st = t->coded > WEFT_WIRE_LIMIT(t->max_body) ? WEFT_ELIMIT
                          : t->passes_over                        ? WEFT_OK
                          : t->strange_coding
                              ? WEFT_ESYNTAX
                              : weft_decoder_feed(t->decoder, bytes, n, take_body, t);
    if (st == WEFT_ESYNTAX && weft_transfer_says_all(t)) {
        t->passes_over = true;
        st = WEFT_OK;
    }
    if (st == WEFT_ESYNTAX && t->strange_coding) {
        weft_transfer_decide(t, WEFT_FETCH_BAD_CONTENT, "no content coding that is known: %s",
                             t->answer.codings);
    } else if (st == WEFT_ESYNTAX) {
        weft_transfer_decide(t, WEFT_FETCH_BAD_CONTENT, "not %s, or bytes follow its end",
                             t->answer.codings);
    } else if (st == WEFT_ELIMIT) {
        weft_transfer_decide(t, WEFT_FETCH_TOO_LARGE, "too many bytes of %s for a body",
                             t->answer.codings);
    }
    return weft_transfer_stored(t, st) && st == WEFT_OK;
}

size_t weft_transfer_on_body(char *bytes, size_t size, size_t n, void *user)
{
    struct weft_transfer *t = user;
    (void)size; /* always 1 */
    if (t->net->http2) {
        t->active = weft_now(); /* a connection's bytes are not one transfer's */
    }
    if (t->decided) {
        return CURL_WRITEFUNC_ERROR;
    }
    if (t->response->unwanted) {
        t->drained += n;
        return t->drained <= DRAIN_MAX ? n : CURL_WRITEFUNC_ERROR;
    }
    bool taken = t->decoder || t->strange_coding ? take_coded(t, bytes, n) : take_body(t, bytes, n);
    return taken ? n : CURL_WRITEFUNC_ERROR;
}

int weft_transfer_on_connected(void *user, char *remote_ip, char *local_ip, int remote_port,
                               int local_port)
{
    struct weft_transfer *t = user;
    (void)local_ip;
    (void)remote_port;
    (void)local_port;
    /* libcurl may be here for the second time: a kept connection turned out to be closed. */
    t->answer = (struct weft_answer){.at_start = true};
    weft_buf_clear(&t->wire_out);
    weft_buf_clear(&t->wire_in);
    t->response->connected = t->active = weft_now();
    bool ok = weft_transfer_stored(t, weft_response_set(t->response, &t->response->ip, remote_ip,
                                                        remote_ip ? strlen(remote_ip) : 0));
    return ok ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

curl_socket_t weft_transfer_open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct weft_transfer *t = user;
    (void)purpose;
    if (t->net->no_private && weft_address_is_private(&a->addr)) {
        t->refused = true;
        return CURL_SOCKET_BAD;
    }
    int fd = socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
        const char *words = strerrordesc_np(errno);
        weft_transfer_decide(t, WEFT_FETCH_FAILED, "no socket: %s", words ? words : "unknown");
    }
    return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/* ---- time ---- */

/* When what goes on now, connecting or reading, has taken too long. */
static weft_time phase_by(const struct weft_transfer *t)
{
    return t->response->connected ? t->active + t->net->read_timeout
                                  : t->response->started + t->net->connect_timeout;
}

weft_time weft_transfer_due(const struct weft_transfer *t)
{
    weft_time phase = phase_by(t);
    return phase < t->whole_by ? phase : t->whole_by;
}

weft_time weft_transfer_soonest(const struct weft_transfer *t, weft_time now)
{
    weft_time due = weft_transfer_due(t);
    weft_time soon = now + (t->response->connected ? t->net->read_timeout : NUDGE);
    return due < soon ? due : soon;
}

bool weft_transfer_satisfied(const struct weft_transfer *t)
{
    return t->decided || t->response->unwanted;
}

void weft_transfer_decide_time(struct weft_transfer *t)
{
    const struct weft_net *net = t->net;
    const char *what = "connect";
    weft_time limit = net->connect_timeout;
    if (phase_by(t) >= t->whole_by) { /* the first to be over is told, however late it is noticed */
        what = "request";
        limit = net->timeout;
    } else if (t->response->connected) {
        what = "read";
        limit = net->read_timeout;
    }
    weft_transfer_decide(t, WEFT_FETCH_TIMEOUT, "%s timeout after %.*f s", what,
                         limit % (WEFT_SECOND / 10) ? 3 : 1, (double)limit / (double)WEFT_SECOND);
}

/* ---- ends ---- */

/* The cookies in force, one a line in the Netscape format, for the visit's next request. */
static enum weft_status tell_cookies(struct weft_transfer *t)
{
    struct curl_slist *list = NULL;
    enum weft_status st = WEFT_OK;
    if (curl_easy_getinfo(t->easy, CURLINFO_COOKIELIST, &list) != CURLE_OK) {
        return WEFT_ENOMEM;
    }
    for (const struct curl_slist *c = list; c && st == WEFT_OK; c = c->next) {
        st = weft_response_extend(t->response, &t->response->cookies, "\n", c->data,
                                  strlen(c->data));
    }
    curl_slist_free_all(list);
    return st == WEFT_ELIMIT ? WEFT_OK : st; /* as many as fit */
}

static void finish(struct weft_transfer *t)
{
    struct weft_response *r = t->response;
    long connects = 0;
    r->ended = weft_now();
    curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connects);
    r->new_connection = connects > 0;
    r->stale = r->end == WEFT_FETCH_CONNECTION && r->connected && !connects && !r->first_byte;
    if (t->has_cookies && !t->net->cookies && tell_cookies(t) != WEFT_OK) {
        r->end = WEFT_FETCH_FAILED;
        snprintf(r->error, sizeof r->error, "out of memory");
    }
    weft_transfer_take_wire(t);
    weft_decoder_free(t->decoder);
    t->decoder = NULL;
    t->response = NULL;
}

void weft_transfer_end(struct weft_transfer *t, CURLcode code)
{
    if (!t->decided && t->response->unwanted) {
        weft_transfer_decide(t, WEFT_FETCH_DONE, "%s", "");
    }
    if (!t->decided) {
        weft_transfer_judge(t, code);
    }
    finish(t);
}

void weft_transfer_time_out(struct weft_transfer *t)
{
    weft_transfer_decide_time(t);
    finish(t);
}

void weft_transfer_interrupt(struct weft_transfer *t)
{
    weft_transfer_decide(t, WEFT_FETCH_INTERRUPTED, "interrupted");
    finish(t);
}
