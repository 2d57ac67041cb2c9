/* lab_streams.c -- bodies that come in pieces: a large one, a slow one, one that breaks off.
 *
 * MHD asks for the next piece when the socket takes more. A piece that isn't due yet suspends the
 * connection, as a held request does, so a thousand slow answers need no thread either. */
#include "lab/lab_query.h"
#include "lab/lab_reply.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_SIZE   ((int64_t)1 << 40)
#define MAX_PIECES 1000000
#define BLOCK      32768u

struct stream {
    struct lab_request *r; /* outlives the response's use of it */
    uint64_t size;         /* the whole body */
    uint64_t piece;        /* bytes a piece; pieces start at multiples of it */
    uint64_t stop;         /* break off behind so many bytes; beyond size: never */
    weft_time every;       /* between the starts of two pieces */
    weft_time start;       /* of the first */
    bool chunked, reset;
};

/* A body is an HTML page without an end: a head, then one line for ever. */
static size_t fill(char *out, uint64_t at, size_t n)
{
    static const char head[] = "<!DOCTYPE html><title>A long page</title>\n<p>";
    static const char line[] =
        "Nothing happens on this line, and it is said at some length here.\n";
    const size_t head_len = sizeof head - 1, line_len = sizeof line - 1;
    for (size_t i = 0; i < n;) {
        bool in_head = at + i < head_len;
        size_t from = in_head ? (size_t)(at + i) : (size_t)((at + i - head_len) % line_len);
        size_t run = (in_head ? head_len : line_len) - from;
        run = run < n - i ? run : n - i;
        memcpy(out + i, (in_head ? head : line) + from, run);
        i += run;
    }
    return n;
}

static ssize_t break_off(struct stream *s)
{
    if (s->reset) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(
            s->r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct linger now = {.l_onoff = 1, .l_linger = 0};
        setsockopt(info->connect_fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

static ssize_t next_bytes(void *stream, uint64_t at, char *out, size_t max)
{
    struct stream *s = stream;
    if (s->r->gone) {
        /* After an error in a chunked body MHD 0.9.75 keeps the socket until it times out. */
        return s->chunked ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (at >= s->size) {
        return MHD_CONTENT_READER_END_OF_STREAM; /* only asked for when the size was not told */
    }
    if (at >= s->stop) {
        return break_off(s);
    }
    weft_time due = s->start + (weft_time)(at / s->piece) * s->every;
    if (s->every && at % s->piece == 0 && weft_now() < due) {
        bool held = lab_loop_hold(s->r, due) == WEFT_OK;
        return held ? 0 : MHD_CONTENT_READER_END_WITH_ERROR;
    }
    uint64_t n = s->piece - at % s->piece;
    n = n < s->stop - at ? n : s->stop - at;
    n = n < s->size - at ? n : s->size - at;
    return (ssize_t)fill(out, at, n < max ? (size_t)n : max);
}

/* Answers with a copy of how. */
static enum weft_status answer_stream(struct lab_reply *reply, const struct stream *how)
{
    uint64_t size = how->chunked ? MHD_SIZE_UNKNOWN : how->size;
    struct stream *s = malloc(sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    *s = *how;
    struct MHD_Response *response = MHD_create_response_from_callback(size, BLOCK, next_bytes, s,
                                                                      free);
    if (!response) {
        free(s);
    }
    return lab_reply_take(reply, MHD_HTTP_OK, LAB_HTML, response);
}

enum weft_status lab_big_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t size = (int64_t)64 << 20, chunked = 0;
    if (!lab_query_size(r->query, "size", MAX_SIZE, &size)) {
        return lab_reply_bad(reply, "size");
    }
    if (!lab_query_number(r->query, "chunked", 0, 1, &chunked)) {
        return lab_reply_bad(reply, "chunked");
    }
    struct stream s = {
        .r = r, .size = (uint64_t)size, .piece = BLOCK, .stop = UINT64_MAX, .chunked = chunked};
    return answer_stream(reply, &s);
}

enum weft_status lab_drip_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t n = 10, size = 100, every = 500, chunked = 0;
    if (!lab_query_number(r->query, "n", 1, MAX_PIECES, &n)) {
        return lab_reply_bad(reply, "n");
    }
    if (!lab_query_number(r->query, "size", 1, BLOCK, &size)) {
        return lab_reply_bad(reply, "size");
    }
    if (!lab_query_number(r->query, "every", 0, WEFT_LAB_MAX_HOLD_MS, &every)) {
        return lab_reply_bad(reply, "every");
    }
    if (!lab_query_number(r->query, "chunked", 0, 1, &chunked)) {
        return lab_reply_bad(reply, "chunked");
    }
    struct stream s = {.r = r,
                       .size = (uint64_t)(n * size),
                       .piece = (uint64_t)size,
                       .stop = UINT64_MAX,
                       .every = every * WEFT_MS,
                       .start = weft_now(),
                       .chunked = chunked};
    return answer_stream(reply, &s);
}

enum weft_status lab_truncated_answer(struct lab_request *r, struct lab_reply *reply)
{
    int64_t size = 1000, sent = -1, reset = 0;
    if (!lab_query_size(r->query, "size", MAX_SIZE, &size)) {
        return lab_reply_bad(reply, "size");
    }
    if (!lab_query_size(r->query, "sent", MAX_SIZE, &sent)) {
        return lab_reply_bad(reply, "sent");
    }
    if (!lab_query_number(r->query, "reset", 0, 1, &reset)) {
        return lab_reply_bad(reply, "reset");
    }
    struct stream s = {.r = r,
                       .size = (uint64_t)size,
                       .piece = BLOCK,
                       .stop = (uint64_t)(sent < 0 ? size / 2 : sent),
                       .reset = reset};
    return answer_stream(reply, &s);
}
