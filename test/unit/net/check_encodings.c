/* check_encodings.c -- bodies come decoded, whatever the coding and however it is cut into pieces;
 * and what went over the wire is kept byte by byte. */
#include "deflated.h"
#include "fixture.h"

#include "support/suite.h"
#include <stdio.h>
#include <string.h>

#define PAGE_LEN 50000

static char page[PAGE_LEN + 1];

static const struct coding {
    const char *name;
    int bits, times;
} codings[] = {{"gzip", 31, 1},     {"x-gzip", 31, 1},     {"deflate", 15, 1},
               {"deflate", -15, 1}, {"gzip, gzip", 31, 2}, {"identity", 0, 0}};

struct coded {
    const struct coding *coding;
    size_t piece; /* bytes a chunk; 0: with a length */
};

static void send_chunks(struct peer *p, const unsigned char *bytes, size_t len, size_t piece)
{
    char line[32];
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        snprintf(line, sizeof line, "%zx\r\n", n);
        peer_puts(p, line);
        peer_send(p, bytes + at, n);
        peer_puts(p, "\r\n");
    }
    peer_puts(p, "0\r\n\r\n");
}

static void play_coded(struct peer *p)
{
    static unsigned char a[2 * PAGE_LEN], b[2 * PAGE_LEN];
    const struct coded *c = p->user;
    size_t len = PAGE_LEN;
    memcpy(a, page, PAGE_LEN);
    for (int i = 0; i < c->coding->times; i++) {
        len = deflated(c->coding->bits, (char *)a, len, b, sizeof b);
        memcpy(a, b, len);
    }
    while (peer_read(p)) {
        char header[256];
        snprintf(header, sizeof header, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\n",
                 c->coding->name);
        peer_puts(p, header);
        if (c->piece) {
            peer_puts(p, "Transfer-Encoding: chunked\r\n\r\n");
            send_chunks(p, a, len, c->piece);
        } else {
            snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", len);
            peer_puts(p, header);
            peer_send(p, a, len);
        }
    }
}

static const size_t pieces[] = {0, 7, 8000};

START_TEST(a_body_is_decoded)
{
    fill_text(page, PAGE_LEN);
    int i = _i / DRIVERS;
    const struct coded c = {&codings[i / 3], pieces[i % 3]};
    struct server *s = server_start(play_coded, &c);
    set_up(_i % DRIVERS, &(struct weft_net_options){.max_body = PAGE_LEN});
    for (int again = 0; again < 2; again++) {
        driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s: %s", c.coding->name, r.error);
        ck_assert_uint_eq(r.body_len, PAGE_LEN);
        ck_assert_mem_eq(r.body, page, PAGE_LEN + 1);
    }
    ck_assert_uint_eq(server_connections(s), 1);
    tear_down(s);
}
END_TEST

/* ---- damage ---- */

enum damage { FLIPPED, CLOSED, NOT_CODED, FOLLOWED, EMPTY, CUT, MEMBERS, NOTHING };

static void play_damaged(struct peer *p)
{
    static unsigned char a[2 * PAGE_LEN];
    const enum damage *damage = p->user;
    char header[256];
    size_t len = deflated(31, page, PAGE_LEN, a, sizeof a), announced = len;
    switch (*damage) {
    case FLIPPED: /* the checksum at the end is wrong */
        a[len - 6] ^= 0xff;
        break;
    case CLOSED:
        len /= 2;
        break;
    case NOT_CODED:
        memset(a, 'x', len);
        break;
    case FOLLOWED: /* something after the checksum */
        memset(a + len, 0, 100);
        len += 100;
        announced = len;
        break;
    case EMPTY:
        len = announced = 0;
        break;
    case CUT: /* the message is whole, the coding is not */
        len = announced = len / 2;
        break;
    case MEMBERS: /* two, one behind the other: no damage */
        len = deflated(31, page, PAGE_LEN / 2, a, sizeof a);
        len += deflated(31, page + PAGE_LEN / 2, PAGE_LEN / 2, a + len, sizeof a - len);
        announced = len;
        break;
    case NOTHING: /* members without content, for ever */
        len = deflated(31, page, 0, a, sizeof a);
        announced = 1000000000;
        break;
    }
    peer_read(p);
    snprintf(header, sizeof header,
             "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n", announced);
    peer_puts(p, header);
    while (peer_send(p, a, len) && *damage == NOTHING) {
    }
}

START_TEST(damage_is_noticed)
{
    static const enum damage damages[] = {FLIPPED, CLOSED, NOT_CODED, FOLLOWED,
                                          EMPTY,   CUT,    MEMBERS,   NOTHING};
    static const enum weft_fetch_end ends[] = {WEFT_FETCH_BAD_CONTENT, WEFT_FETCH_TRUNCATED,
                                               WEFT_FETCH_BAD_CONTENT, WEFT_FETCH_BAD_CONTENT,
                                               WEFT_FETCH_DONE,        WEFT_FETCH_BAD_CONTENT,
                                               WEFT_FETCH_DONE,        WEFT_FETCH_TOO_LARGE};
    fill_text(page, PAGE_LEN);
    struct server *s = server_start(play_damaged, &damages[_i / DRIVERS]);
    set_up(_i % DRIVERS, &(struct weft_net_options){.max_body = PAGE_LEN});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    if (damages[_i / DRIVERS] == MEMBERS) {
        ck_assert_uint_eq(r.body_len, PAGE_LEN);
        ck_assert_mem_eq(r.body, page, PAGE_LEN);
    }
    ck_assert_msg(r.end == ends[_i / DRIVERS], "%d: end %d, %s", _i, r.end, r.error);
    tear_down(s);
}
END_TEST

/* ---- the wire ---- */

static void play_wire(struct peer *p)
{
    static unsigned char a[2 * PAGE_LEN];
    size_t len = deflated(31, page, PAGE_LEN, a, sizeof a);
    while (peer_read(p)) {
        if (!strcmp(p->path, "/chunks")) {
            peer_puts(p, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nX-Odd:   kept  \r\n"
                         "Transfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n");
            send_chunks(p, a, len, 1000);
        } else if (!strcmp(p->path, "/none")) {
            peer_puts(p, "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n");
        } else {
            peer_answer(p, "404 Not\tFound", "x-CASE: Kept\r\n", "plain text");
        }
    }
}

START_TEST(the_wire_is_kept)
{
    fill_text(page, PAGE_LEN);
    struct server *s = server_start(play_wire, NULL);
    set_up(_i, &(struct weft_net_options){.keep_wire = true});
    const char *const paths[] = {"/chunks", "/plain", "/none", "/chunks"};
    char *in = NULL, *out = NULL;
    size_t in_before = 0, out_before = 0, in_len, out_len;
    for (size_t i = 0; i < 4; i++) {
        const struct weft_request q = {.url = server_url(s, paths[i]), .if_none_match = "\"x\""};
        driver_fetch(d, &q, &r);
        ck_assert_msg(r.end == WEFT_FETCH_DONE, "%s", r.error);
        in = server_received(s, &in_len);
        out = server_sent(s, &out_len);
        ck_assert_uint_eq(r.wire_request_len, in_len - in_before);
        ck_assert_mem_eq(r.wire_request, in + in_before, in_len - in_before);
        ck_assert_uint_eq(r.wire_answer_len, out_len - out_before);
        ck_assert_mem_eq(r.wire_answer, out + out_before, out_len - out_before);
        in_before = in_len;
        out_before = out_len;
        free(in);
        free(out);
    }
    ck_assert_uint_eq(server_connections(s), 1);
    ck_assert_mem_eq(r.body, page, PAGE_LEN);
    tear_down(s);
}
END_TEST

static void play_interim(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                 "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
}

START_TEST(the_wire_has_the_final_answer_alone)
{
    struct server *s = server_start(play_interim, NULL);
    set_up(_i, &(struct weft_net_options){.keep_wire = true});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_str_eq(r.wire_answer, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
    tear_down(s);
}
END_TEST

/* Nothing but chunk framing: little body, much wire. */
static void play_bloated(struct peer *p)
{
    peer_read(p);
    peer_puts(p, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    char chunk[1024];
    memset(chunk, ';', sizeof chunk);
    chunk[0] = '1';
    memcpy(chunk + sizeof chunk - 5, "\r\nx\r\n", 5);
    while (peer_send(p, chunk, sizeof chunk)) {
    }
}

START_TEST(the_wire_has_a_limit)
{
    struct server *s = server_start(play_bloated, NULL);
    set_up(_i, &(struct weft_net_options){.keep_wire = true, .max_body = 100000});
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/")}, &r);
    ck_assert_msg(r.end == WEFT_FETCH_TOO_LARGE, "%d %s", r.end, r.error);
    ck_assert_uint_le(r.wire_answer_len, 500000);
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *coded = tcase_create("coded");
    int n = (int)(sizeof codings / sizeof codings[0]);
    tcase_add_loop_test(coded, a_body_is_decoded, 0, n * 3 * DRIVERS);
    tcase_add_loop_test(coded, damage_is_noticed, 0, 8 * DRIVERS);
    TCase *wire = tcase_create("wire");
    tcase_add_loop_test(wire, the_wire_is_kept, 0, DRIVERS);
    tcase_add_loop_test(wire, the_wire_has_the_final_answer_alone, 0, DRIVERS);
    tcase_add_loop_test(wire, the_wire_has_a_limit, 0, DRIVERS);
    return suite_run("net: encodings", coded, wire);
}
