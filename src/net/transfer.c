/* transfer.c -- what happens while a fetch runs: the callbacks that libcurl calls, the time limits,
 * and the three ways to end. Knows libcurl; does not wait for anything. */
#include "net/transfer.h"

#include "base/limits.h"
#include "net/response.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* How long libcurl is left alone while it connects. When an address of several does not answer,
 * 7.88 goes on to the next one only when it is called again, and asks for no call. */
#define NUDGE (100 * WEFT_MS)
/* What of an unwanted body is read to keep the connection: less than opening a new one costs. */
#define DRAIN_MAX (16u << 10)
/* Room made at once for a body whose length is announced; a larger one has to come first. */
#define TRUST_LENGTH (1u << 20)

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

/* For the result of a response function, in a callback: whether to go on. */
static bool stored(struct weft_transfer *t, enum weft_status st)
{
    if (st == WEFT_ENOMEM) {
        weft_transfer_decide(t, WEFT_FETCH_FAILED, "out of memory");
    }
    return st != WEFT_ENOMEM; /* a field over its limit counts as absent */
}

/* ---- header ---- */

enum keep { KEEP_FIRST, KEEP_ALL, KEEP_COOKIE, READ_LENGTH, READ_CODING };

/* The fields that are looked at. KEEP_ALL: several are one list, joined by a comma (RFC 9110 5.3).
 */
static const struct known_field {
    const char *name;
    size_t len, offset;
    enum keep keep;
} known_fields[] = {
#define FIELD(name, member, keep)                                                                  \
    {                                                                                              \
        (name), sizeof(name) - 1, offsetof(struct weft_response, member), (keep)                   \
    }
    FIELD("Content-Type", content_type, KEEP_ALL),
    FIELD("Location", location, KEEP_FIRST),
    FIELD("Retry-After", retry_after, KEEP_FIRST),
    FIELD("X-Robots-Tag", x_robots_tag, KEEP_ALL),
    FIELD("ETag", etag, KEEP_FIRST),
    FIELD("Last-Modified", last_modified, KEEP_FIRST),
    FIELD("Set-Cookie", cookies, KEEP_COOKIE),
    FIELD("Content-Length", text, READ_LENGTH),
    FIELD("Transfer-Encoding", text, READ_CODING),
#undef FIELD
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* RFC 9110 8.6: digits and nothing else; the same value twice is one value (RFC 9112 6.3). */
static void read_length(struct weft_answer *a, const char *value, size_t len)
{
    uint64_t n = 0;
    bool bad = len == 0;
    for (size_t i = 0; i < len && !bad; i++) {
        unsigned digit = (unsigned char)value[i] - '0';
        bad = digit > 9 || n > ((uint64_t)INT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (bad || (a->has_length && a->length != n)) {
        a->bad_length = true;
        return;
    }
    a->has_length = true;
    a->length = n;
}

static enum weft_status keep_field(struct weft_transfer *t, const struct known_field *f,
                                   const char *value, size_t len)
{
    struct weft_response *r = t->response;
    const char **field = (const char **)((char *)r + f->offset);
    enum weft_status st = WEFT_OK;
    switch (f->keep) {
    case READ_LENGTH:
        read_length(&t->answer, value, len);
        return WEFT_OK;
    case READ_CODING:
        t->answer.chunked = len >= 7 && strncasecmp(value + len - 7, "chunked", 7) == 0;
        return WEFT_OK;
    case KEEP_COOKIE:
        t->has_cookies = true;
        /* Of the handle's own store libcurl tells all at the end; of the shared one, which can
         * be large, only what this answer set is told. */
        return t->net->cookies ? weft_response_extend(r, field, "\n", value, len) : WEFT_OK;
    case KEEP_FIRST:
        if (*field) {
            return WEFT_OK;
        }
        st = weft_response_set(r, field, value, len);
        break;
    case KEEP_ALL:
        st = weft_response_extend(r, field, ", ", value, len);
        break;
    }
    if (st == WEFT_OK) {
        t->answer.last = field;
    }
    return st;
}

static enum weft_status read_field(struct weft_transfer *t, const char *line, size_t len)
{
    const char *colon = memchr(line, ':', len);
    if (!colon) {
        return WEFT_OK; /* libcurl refuses such an answer by itself */
    }
    size_t name_len = (size_t)(colon - line);
    for (size_t i = 0; i < sizeof known_fields / sizeof known_fields[0]; i++) {
        const struct known_field *f = &known_fields[i];
        if (f->len == name_len && strncasecmp(f->name, line, name_len) == 0) {
            const char *value = colon + 1, *end = line + len;
            while (value < end && is_blank(*value)) {
                value++;
            }
            return keep_field(t, f, value, (size_t)(end - value));
        }
    }
    return WEFT_OK;
}

/* A status line: whatever an interim answer (1xx) said does not count for the final one. */
static void begin_answer(struct weft_transfer *t)
{
    struct weft_response *r = t->response;
    size_t bytes = t->answer.bytes;
    t->answer = (struct weft_answer){.bytes = bytes};
    r->content_type = r->location = r->retry_after = r->x_robots_tag = NULL;
    r->etag = r->last_modified = r->cookies = NULL;
}

/* The header of the final answer is there: what becomes of the body. False: stop. */
static bool decide_body(struct weft_transfer *t)
{
    struct weft_response *r = t->response;
    struct weft_answer *a = &t->answer;
    if (a->bad_length && !a->chunked) {
        weft_transfer_decide(t, WEFT_FETCH_BAD_CONTENT, "Content-Length is no number");
        return false;
    }
    bool bodyless = t->request.head || r->status == 204 || r->status == 304;
    bool announced = a->has_length && !a->chunked;
    if (t->request.want_body && !t->request.want_body(t->request.user, r)) {
        r->unwanted = true; /* what is here already may pass; then the driver stops it */
        return bodyless || !t->net->http2; /* one stream of several is given up for free */
    }
    if (!bodyless && announced && a->length <= TRUST_LENGTH) {
        size_t room = a->length < t->max_body ? (size_t)a->length : t->max_body;
        return stored(t, weft_response_reserve(r, room));
    }
    return true;
}

/* The empty line. False: stop. */
static bool end_header(struct weft_transfer *t)
{
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    t->answer.at_start = true;
    if (status >= 100 && status < 200 && status != 101) { /* interim (RFC 9110 15.2) */
        weft_buf_clear(&t->wire_in);
        return true;
    }
    t->answer.final = true;
    t->answer.last = NULL;
    t->response->status = (int)status;
    return decide_body(t);
}

/* One line of header, its line end cut off. False: stop. */
static bool read_line(struct weft_transfer *t, const char *line, size_t len)
{
    struct weft_answer *a = &t->answer;
    if (a->at_start) {
        begin_answer(t);
        return true;
    }
    if (len == 0) {
        return end_header(t);
    }
    if (is_blank(*line)) { /* a folded line (RFC 9112 5.2) */
        while (len && is_blank(*line)) {
            line++;
            len--;
        }
        return !a->last || stored(t, weft_response_extend(t->response, a->last, " ", line, len));
    }
    a->last = NULL;
    return stored(t, read_field(t, line, len));
}

size_t weft_transfer_on_header(char *line, size_t size, size_t n, void *user)
{
    struct weft_transfer *t = user;
    (void)size; /* always 1 */
    if (t->answer.final) {
        return n; /* trailers */
    }
    if (!t->response->first_byte) {
        t->response->first_byte = weft_now();
    }
    t->answer.bytes += n;
    if (t->answer.bytes > WEFT_MAX_HEADER) {
        weft_transfer_decide(t, WEFT_FETCH_TOO_LARGE, "the header is over %u bytes",
                             WEFT_MAX_HEADER);
        return 0;
    }
    size_t len = n;
    while (len && (line[len - 1] == '\n' || line[len - 1] == '\r' || is_blank(line[len - 1]))) {
        len--;
    }
    return read_line(t, line, len) ? n : 0;
}

/* ---- body, connection ---- */

size_t weft_transfer_on_body(char *bytes, size_t size, size_t n, void *user)
{
    struct weft_transfer *t = user;
    struct weft_response *r = t->response;
    (void)size; /* always 1 */
    if (t->net->http2) {
        t->active = weft_now(); /* a connection's bytes are not one transfer's */
    }
    if (t->decided) {
        return CURL_WRITEFUNC_ERROR;
    }
    if (r->unwanted) {
        t->drained += n;
        return t->drained <= DRAIN_MAX ? n : CURL_WRITEFUNC_ERROR;
    }
    size_t room = t->max_body - r->body_len;
    if (!stored(t, weft_response_append(r, bytes, n < room ? n : room))) {
        return CURL_WRITEFUNC_ERROR;
    }
    if (n > room) {
        weft_transfer_decide(t, WEFT_FETCH_TOO_LARGE, "the body is over %zu bytes", t->max_body);
        return CURL_WRITEFUNC_ERROR;
    }
    return n;
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
    bool ok = stored(t, weft_response_set(t->response, &t->response->ip, remote_ip,
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

weft_time weft_transfer_due(const struct weft_transfer *t)
{
    const struct weft_net *net = t->net;
    weft_time phase = t->response->connected ? t->active + net->read_timeout
                                             : t->response->started + net->connect_timeout;
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
    if (weft_now() >= t->whole_by) {
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
