/* check_answers.c -- what a server can answer, and how the fetch ends: a table of answers as bytes,
 * each over the blocking client and over the loop. */
#include "fixture.h"

#include "base/limits.h"
#include "support/suite.h"
#include <string.h>

#define OK "HTTP/1.1 200 OK\r\n"

static const struct {
    const char *name, *bytes;
    enum weft_fetch_end end;
    int status;
    const char *body;
} cases[] = {
    {"a length", OK "Content-Length: 5\r\n\r\nhello", WEFT_FETCH_DONE, 200, "hello"},
    {"an empty body", OK "Content-Length: 0\r\n\r\n", WEFT_FETCH_DONE, 200, ""},
    {"a status is a status", "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno", WEFT_FETCH_DONE, 404,
     "no"},
    {"no reason phrase", "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx", WEFT_FETCH_DONE, 200, "x"},
    {"204 has no body", "HTTP/1.1 204 No Content\r\n\r\n", WEFT_FETCH_DONE, 204, ""},
    {"HTTP/1.0 until the close", "HTTP/1.0 200 OK\r\n\r\nold", WEFT_FETCH_DONE, 200, "old"},
    {"no length, until the close", OK "\r\nuntil the end", WEFT_FETCH_DONE, 200, "until the end"},
    {"line feeds alone", "HTTP/1.1 200 OK\nContent-Length: 2\n\nlf", WEFT_FETCH_DONE, 200, "lf"},
    {"chunks", OK "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
     WEFT_FETCH_DONE, 200, "abcde"},
    {"chunks with extensions and trailers",
     OK "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n"
        "00A;name=\"v\";q\r\n0123456789\r\n000;last\r\nX: 1\r\nContent-Type: no/no\r\n\r\n",
     WEFT_FETCH_DONE, 200, "0123456789"},
    {"chunks override a length",
     OK "Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
     WEFT_FETCH_DONE, 200, "x"},
    {"interim answers",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Type: no/no\r\n\r\n" OK
     "Content-Length: 1\r\n\r\nx",
     WEFT_FETCH_DONE, 200, "x"},
    {"more than the length", OK "Content-Length: 2\r\n\r\nabcdef", WEFT_FETCH_DONE, 200, "ab"},
    {"the same length twice", OK "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", WEFT_FETCH_DONE,
     200, "x"},

    {"less than the length", OK "Content-Length: 50\r\n\r\nhello", WEFT_FETCH_TRUNCATED, 200,
     "hello"},
    {"no last chunk", OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", WEFT_FETCH_TRUNCATED,
     200, "hello"},
    {"half a chunk", OK "Transfer-Encoding: chunked\r\n\r\n50\r\nhello", WEFT_FETCH_TRUNCATED, 200,
     "hello"},

    {"length with letters", OK "Content-Length: 12abc\r\n\r\n<p>", WEFT_FETCH_BAD_CONTENT, 200, ""},
    {"negative length", OK "Content-Length: -5\r\n\r\n<p>", WEFT_FETCH_BAD_CONTENT, 0, NULL},
    {"a length beyond all numbers", OK "Content-Length: 99999999999999999999999\r\n\r\n<p>",
     WEFT_FETCH_BAD_CONTENT, 200, ""},
    {"no length after all", OK "Content-Length: \r\n\r\n<p>", WEFT_FETCH_BAD_CONTENT, 0, NULL},
    {"two lengths", OK "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", WEFT_FETCH_BAD_CONTENT,
     200, ""},
    {"HTTP/0.9", "<html>hello</html>", WEFT_FETCH_BAD_CONTENT, 0, ""},
    {"SSH", "SSH-2.0-OpenSSH_9.2\r\n", WEFT_FETCH_BAD_CONTENT, 0, ""},
    {"chunks that are none", OK "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
     WEFT_FETCH_BAD_CONTENT, 200, ""},
    {"a switch of protocols that nobody asked for",
     "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n" OK
     "Content-Length: 2\r\n\r\nok",
     WEFT_FETCH_BAD_CONTENT, 0, NULL},
    {"a coding nobody knows", OK "Content-Encoding: smoke\r\nContent-Length: 2\r\n\r\nxx",
     WEFT_FETCH_BAD_CONTENT, 0, NULL},
    {"gzip that is none",
     OK "Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n01234567890123456789",
     WEFT_FETCH_BAD_CONTENT, 200, ""},

    {"a redirect whose body is not in its coding",
     "HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Encoding: gzip\r\n"
     "Content-Length: 4\r\n\r\nhere",
     WEFT_FETCH_DONE, 302, ""},
    {"a redirect in a coding nobody knows",
     "HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Encoding: smoke\r\n"
     "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n1\r\ny\r\n0\r\n\r\n",
     WEFT_FETCH_DONE, 302, ""},
    {"an error whose body is cut short in its coding",
     "HTTP/1.1 503 Busy\r\nContent-Encoding: deflate\r\nContent-Length: 2\r\n\r\n\x78\x9c",
     WEFT_FETCH_DONE, 503, ""},
    {"a transfer coding that nobody asked for",
     OK "Transfer-Encoding: deflate\r\nTransfer-Encoding: identity , Chunked\r\n\r\n39\r\n"
        "\x78\xda\x05\xc1\x01\x12\x80\x20\x08\x04\xc0\xbf\x7a\x60\x20\xda\x14\x30\x63\xf8"
        "\xfa\x76\x05\x5f\x03\xf7\xee\x97\x96\xe5\xab\xd3\x8c\x86\x64\xed\x87\xc3\x8b\xac"
        "\xdd\x58\x87\xd9\x28\xe3\x2c\x84\x4b\x40\xe7\xf8\x01\x71\x44\x16\xd2\r\n0\r\n\r\n",
     WEFT_FETCH_DONE, 200, "hcxbceffrgiyktqilkkdjhtywpesrydkbncmzeekdtszmcsrhscilj"},
    {"a transfer coding that nobody knows",
     OK "Transfer-Encoding: smoke, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", WEFT_FETCH_BAD_CONTENT, 200,
     ""},
    {"codings in a folded line",
     OK "Content-Encoding: identity,\r\n  smoke\r\nContent-Length: 1\r\n\r\nx",
     WEFT_FETCH_BAD_CONTENT, 200, ""},

    {"closed without an answer", "", WEFT_FETCH_CONNECTION, 0, ""},
    {"closed in a status line", "HTTP/1.1 200", WEFT_FETCH_CONNECTION, 0, ""},
    {"closed in a header line", OK "Content-Le", WEFT_FETCH_CONNECTION, 0, ""},
    {"closed before the empty line", OK "Content-Length: 0\r\n", WEFT_FETCH_CONNECTION, 0, ""},
    {"closed after an interim answer", "HTTP/1.1 103 Early Hints\r\n\r\n", WEFT_FETCH_CONNECTION, 0,
     ""},
};

static void play_bytes(struct peer *p)
{
    const char *bytes = p->user;
    if (peer_read(p)) {
        peer_puts(p, bytes);
    }
}

START_TEST(each_answer_ends_as_it_should)
{
    int driver = _i % DRIVERS;
    size_t i = (size_t)_i / DRIVERS;
    struct server *s = server_start(play_bytes, cases[i].bytes);
    set_up(driver, NULL);
    driver_fetch(d, &(struct weft_request){.url = server_url(s, "/x")}, &r);
    ck_assert_msg(r.end == cases[i].end, "%s: end %d (%s)", cases[i].name, r.end, r.error);
    ck_assert_msg((r.end == WEFT_FETCH_DONE) == (r.error[0] == '\0'), "%s: %s", cases[i].name,
                  r.error);
    if (cases[i].body) {
        ck_assert_msg(r.status == cases[i].status, "%s: status %d", cases[i].name, r.status);
        ck_assert_msg(strcmp(r.body, cases[i].body) == 0, "%s: '%s'", cases[i].name, r.body);
        ck_assert_uint_eq(r.body_len, strlen(cases[i].body));
    }
    ck_assert_ptr_nonnull(r.body);
    ck_assert_ptr_null(r.content_type); /* of no trailer, of no interim answer */
    ck_assert_int_gt(r.started, 0);
    ck_assert_int_ge(r.connected, r.started);
    ck_assert_int_ge(r.ended, r.connected);
    ck_assert_str_eq(r.ip, "127.0.0.1");
    tear_down(s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("answers");
    int n = (int)(sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(tc, each_answer_ends_as_it_should, 0, n * DRIVERS);
    return suite_run("net: answers", tc);
}
