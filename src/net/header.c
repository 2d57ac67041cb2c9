/* header.c -- reads the header of an answer as libcurl hands it over, line by line: the fields that
 * are kept, where the final answer begins, and what becomes of the body. */
#include "net/transfer.h"

#include "base/limits.h"
#include "net/response.h"

#include <string.h>
#include <strings.h>

/* Room made at once for a body whose length is announced; a larger one has to come first. */
#define TRUST_LENGTH (1u << 20)

enum keep { KEEP_FIRST, KEEP_ALL, KEEP_LINES, KEEP_COOKIE, READ_LENGTH, READ_CODING, READ_CODINGS };

/* The fields that are looked at. KEEP_ALL: several are one list, joined by a comma (RFC 9110 5.3).
 * KEEP_LINES: one a line, as an agent's name at the beginning of one is not meant for the next. */
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
    FIELD("X-Robots-Tag", x_robots_tag, KEEP_LINES),
    FIELD("ETag", etag, KEEP_FIRST),
    FIELD("Last-Modified", last_modified, KEEP_FIRST),
    FIELD("Set-Cookie", cookies, KEEP_COOKIE),
    FIELD("Content-Length", text, READ_LENGTH),
    FIELD("Transfer-Encoding", text, READ_CODING),
    FIELD("Content-Encoding", text, READ_CODINGS),
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

/* Several fields are one list (RFC 9110 5.3). */
static void read_codings(struct weft_answer *a, const char *value, size_t len)
{
    size_t old = strlen(a->codings), gap = old ? 2 : 0;
    if (old + gap + len >= sizeof a->codings) {
        memcpy(a->codings, "?", 2);
        return;
    }
    memcpy(a->codings + old, ", ", gap);
    memcpy(a->codings + old + gap, value, len);
    a->codings[old + gap + len] = '\0';
}

/* Codings of the way, put on last of all; chunks are libcurl's to undo. Nobody was asked for
 * others, and some send them. */
static void read_transfer(struct weft_answer *a, const char *value, size_t len)
{
    for (const char *end = value + len, *at = value; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end, *next = comma ? comma + 1 : end;
        while (at < stop && is_blank(*at)) {
            at++;
        }
        while (stop > at && is_blank(stop[-1])) {
            stop--;
        }
        a->chunked = stop - at == 7 && strncasecmp(at, "chunked", 7) == 0;
        if (!a->chunked && stop > at) {
            read_codings(a, at, (size_t)(stop - at));
        }
        at = next;
    }
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
        read_transfer(&t->answer, value, len);
        return WEFT_OK;
    case READ_CODINGS:
        read_codings(&t->answer, value, len);
        t->answer.in_codings = true;
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
    case KEEP_LINES:
        st = weft_response_extend(r, field, f->keep == KEEP_LINES ? "\n" : ", ", value, len);
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
    if (!bodyless && a->codings[0]) {
        enum weft_status st = weft_decoder_new(&t->decoder, a->codings, strlen(a->codings));
        t->strange_coding = st == WEFT_ESYNTAX; /* told if bytes come */
        if (!weft_transfer_stored(t, st)) {
            return false;
        }
    }
    if (!bodyless && announced && a->length <= TRUST_LENGTH) {
        size_t room = a->length < t->max_body ? (size_t)a->length : t->max_body;
        return weft_transfer_stored(t, weft_response_reserve(r, room));
    }
    return true;
}

/* The empty line. False: stop. */
static bool end_header(struct weft_transfer *t)
{
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    t->answer.at_start = true;
    if (status == 101) { /* RFC 9110 15.2.2: an answer to Upgrade alone, which is never sent */
        t->response->status = (int)status;
        weft_transfer_decide(t, WEFT_FETCH_BAD_CONTENT, "switches protocols, unasked");
        return false;
    }
    if (status >= 100 && status < 200) { /* interim (RFC 9110 15.2) */
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
        if (a->in_codings) {
            read_codings(a, line, len);
        }
        return !a->last ||
               weft_transfer_stored(t, weft_response_extend(t->response, a->last, " ", line, len));
    }
    a->last = NULL;
    a->in_codings = false;
    return weft_transfer_stored(t, read_field(t, line, len));
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
