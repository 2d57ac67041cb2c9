/* check_warc.c -- WARC files, judged by a reader of the tests' own; the parts of HTTP messages; the
 * table of payloads. */
#include "base/limits.h"
#include "fixture.h"
#include "store/http_message.h"
#include "store/revisits.h"
#include "warc_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *dir, *path;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "out.warc.gz");
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

#define REQUEST "GET /new HTTP/1.1\r\nHost: a.example\r\n\r\n"
#define PLAIN   "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
#define CHUNKED                                                                                    \
    "HTTP/1.1 200 OK\r\ntransfer-encoding:  Chunked\r\n\r\n3;x=y\r\nhel\r\n02\r\nlo\r\n0\r\n"      \
    "Trailer: t\r\n\r\n"

static struct weft_record exchange(const char *url, const char *answer)
{
    struct weft_record r = fixture_record(url);
    r.final_url = url;
    r.wire_request = REQUEST;
    r.wire_request_len = sizeof REQUEST - 1;
    r.wire_answer = answer;
    r.wire_answer_len = answer ? strlen(answer) : 0;
    r.ip = "192.0.2.7";
    return r;
}

static struct warc_file write_and_read(const struct weft_record *r, size_t n)
{
    fixture_put_all(path, WEFT_OUTPUT_OVERWRITE, r, n);
    return warc_read(path);
}

static void expect_block(const struct warc_record *r, const char *text)
{
    ck_assert_uint_eq(r->block_len, strlen(text));
    ck_assert_mem_eq(r->block, text, r->block_len);
}

START_TEST(an_exchange_is_a_response_and_a_request)
{
    struct weft_record r = exchange("http://a.example/new", PLAIN);
    struct warc_file f = write_and_read(&r, 1);
    ck_assert_uint_eq(f.n, 3);
    warc_expect(&f.records[0], "WARC-Type", "warcinfo");
    warc_expect(&f.records[0], "WARC-Filename", "out.warc.gz");
    expect_block(&f.records[0],
                 "software: weft\r\nformat: WARC File Format 1.1\r\nconformsTo: "
                 "http://iipc.github.io/warc-specifications/specifications/warc-format/"
                 "warc-1.1/\r\n");
    warc_expect(&f.records[1], "WARC-Type", "response");
    warc_expect(&f.records[1], "WARC-Target-URI", "http://a.example/new");
    warc_expect(&f.records[1], "WARC-Date", "2024-02-29T23:59:59.999Z");
    warc_expect(&f.records[1], "WARC-IP-Address", "192.0.2.7");
    warc_expect(&f.records[1], "WARC-Truncated", NULL);
    /* echo -n hello | sha1sum | xxd -r -p | base32 */
    warc_expect(&f.records[1], "WARC-Payload-Digest", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
    expect_block(&f.records[1], PLAIN);
    warc_expect(&f.records[2], "WARC-Type", "request");
    warc_expect(&f.records[2], "WARC-Target-URI", "http://a.example/new");
    warc_expect(&f.records[2], "WARC-Date", "2024-02-29T23:59:59.999Z");
    expect_block(&f.records[2], REQUEST);
    char *id = warc_field(&f.records[1], "WARC-Record-ID");
    warc_expect(&f.records[2], "WARC-Concurrent-To", id);
    free(id);
    warc_release(&f);
}
END_TEST

/* Archives are passed on. Cookies stay: they are part of what was answered to. */
START_TEST(passwords_are_left_out)
{
    struct weft_record r = exchange("http://a.example/new", PLAIN);
    r.wire_request = "GET /new HTTP/1.1\r\nauthorization: Basic YTpi\r\nHost: a.example\r\n"
                     "Proxy-Authorization: Basic Yzpk\r\nX-Authorization: 1\r\nCookie: a=1\r\n\r\n";
    r.wire_request_len = strlen(r.wire_request);
    struct warc_file f = write_and_read(&r, 1);
    expect_block(&f.records[2], "GET /new HTTP/1.1\r\nHost: a.example\r\nX-Authorization: 1\r\n"
                                "Cookie: a=1\r\n\r\n");
    warc_release(&f);
    r.wire_request = "GET /new HTTP/1.1\r\nAuthorization: Basic"; /* a start of it */
    r.wire_request_len = strlen(r.wire_request);
    f = write_and_read(&r, 1);
    expect_block(&f.records[2], "GET /new HTTP/1.1\r\n");
    warc_release(&f);
}
END_TEST

START_TEST(the_payload_is_digested_without_chunks)
{
    struct weft_record r = exchange("http://a.example/new", CHUNKED);
    struct warc_file f = write_and_read(&r, 1);
    warc_expect(&f.records[1], "WARC-Payload-Digest", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
    expect_block(&f.records[1], CHUNKED);
    warc_release(&f);
}
END_TEST

START_TEST(a_payload_with_another_transfer_coding_is_not_digested)
{
    struct weft_record r = exchange("http://a.example/",
                                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                                    "1\r\nx\r\n0\r\n\r\n");
    struct warc_file f = write_and_read(&r, 1);
    warc_expect(&f.records[1], "WARC-Payload-Digest", NULL);
    warc_release(&f);
}
END_TEST

START_TEST(a_copy_is_a_revisit_with_its_own_header)
{
    struct weft_record r[4] = {exchange("http://a.example/1", PLAIN),
                               exchange("http://a.example/2", CHUNKED),
                               exchange("http://a.example/3", "HTTP/1.1 204 No\r\n\r\n"),
                               exchange("http://a.example/4", "HTTP/1.1 204 No\r\n\r\n")};
    r[1].started_at += 1000000000;
    struct warc_file f = write_and_read(r, 4);
    ck_assert_uint_eq(f.n, 9);
    warc_expect(&f.records[3], "WARC-Type", "revisit");
    warc_expect(&f.records[3], "WARC-Target-URI", "http://a.example/2");
    warc_expect(&f.records[3], "WARC-Refers-To-Target-URI", "http://a.example/1");
    warc_expect(&f.records[3], "WARC-Refers-To-Date", "2024-02-29T23:59:59.999Z");
    warc_expect(&f.records[3], "WARC-Date", "2024-03-01T00:00:00.999Z");
    warc_expect(&f.records[3], "WARC-Truncated", "length");
    expect_block(&f.records[3], "HTTP/1.1 200 OK\r\ntransfer-encoding:  Chunked\r\n\r\n");
    warc_expect(&f.records[5], "WARC-Type", "response");
    warc_expect(&f.records[7], "WARC-Type", "response"); /* no payload is no copy */
    warc_release(&f);
}
END_TEST

START_TEST(redirects_are_exchanges_of_their_own)
{
    static const char moved[] = "HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\nmoved";
    const struct weft_exchange hops[] = {
        {.url = "http://a.example/old",
         .ip = "192.0.2.8",
         .started_at = INT64_C(1709251199000000000),
         .request = REQUEST,
         .request_len = sizeof REQUEST - 1,
         .answer = moved,
         .answer_len = sizeof moved - 1},
        {.url = "http://a.example/unheard"},
    };
    struct weft_record r[2] = {exchange("http://a.example/new", PLAIN),
                               exchange("http://a.example/old", NULL)};
    r[0].hops = hops;
    r[0].nhops = 2;
    r[1].hops = hops; /* the record of a URL that led to another: no last answer */
    r[1].nhops = 1;
    struct warc_file f = write_and_read(r, 2);
    ck_assert_uint_eq(f.n, 7);
    warc_expect(&f.records[1], "WARC-Type", "response");
    warc_expect(&f.records[1], "WARC-Target-URI", "http://a.example/old");
    warc_expect(&f.records[1], "WARC-Date", "2024-02-29T23:59:59.000Z");
    warc_expect(&f.records[1], "WARC-IP-Address", "192.0.2.8");
    expect_block(&f.records[1], moved);
    warc_expect(&f.records[3], "WARC-Target-URI", "http://a.example/new");
    warc_expect(&f.records[5], "WARC-Type", "revisit");
    warc_expect(&f.records[5], "WARC-Target-URI", "http://a.example/old");
    warc_release(&f);
}
END_TEST

/* An answer that is not whole is told as such, and is never what a revisit refers to. */
static const struct {
    enum weft_reason reason;
    const char *truncated;
} cuts[] = {
    {WEFT_REASON_TIMEOUT, "time"},
    {WEFT_REASON_TOO_LARGE, "length"},
    {WEFT_REASON_TRUNCATED, "disconnect"},
    {WEFT_REASON_CONNECTION, "disconnect"},
    {WEFT_REASON_INTERRUPTED, "unspecified"},
    {WEFT_REASON_BAD_CONTENT, "unspecified"},
    {WEFT_REASON_HTTP_STATUS, NULL},
};

START_TEST(what_is_cut_is_told)
{
    struct weft_record r[2] = {exchange("http://a.example/1", PLAIN),
                               exchange("http://a.example/2", PLAIN)};
    r[0].outcome = WEFT_FAILED;
    r[0].reason = cuts[_i].reason;
    struct warc_file f = write_and_read(r, 2);
    warc_expect(&f.records[1], "WARC-Type", "response");
    warc_expect(&f.records[1], "WARC-Truncated", cuts[_i].truncated);
    warc_expect(&f.records[3], "WARC-Type", cuts[_i].truncated ? "response" : "revisit");
    warc_release(&f);
}
END_TEST

START_TEST(an_unwanted_body_is_cut_but_for_head)
{
    static const char header[] = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n";
    struct weft_record r[2] = {exchange("http://a.example/1", header),
                               exchange("http://a.example/2", header)};
    r[0].unwanted = r[1].unwanted = true;
    r[1].wire_request = "HEAD /2 HTTP/1.1\r\n\r\n";
    r[1].wire_request_len = strlen(r[1].wire_request);
    struct warc_file f = write_and_read(r, 2);
    warc_expect(&f.records[1], "WARC-Truncated", "unspecified");
    warc_expect(&f.records[3], "WARC-Truncated", NULL);
    warc_release(&f);
}
END_TEST

START_TEST(no_answer_is_no_record)
{
    struct weft_record r[4] = {exchange("http://a.example/1", NULL),
                               exchange("http://a.example/2", ""),
                               exchange("http://a.example/3", "HTTP/1.1 200 OK\r\nContent-"),
                               exchange("http://a.example/4", "SSH-2.0-OpenSSH\r\n\r\n")};
    struct warc_file f = write_and_read(r, 4);
    ck_assert_uint_eq(f.n, 1);
    warc_release(&f);
}
END_TEST

START_TEST(interim_answers_are_left_out)
{
    struct weft_record r = exchange("http://a.example/",
                                    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 "
                                    "Continue\r\n\r\n" PLAIN);
    struct warc_file f = write_and_read(&r, 1);
    expect_block(&f.records[1], PLAIN);
    warc_release(&f);
}
END_TEST

/* The reader accepts only printable ASCII in headers, and one record a member. */
START_TEST(a_hostile_url_breaks_no_header)
{
    struct weft_record r = exchange(
        "http://a.example/a b\r\nWARC-Type: x\x7f\xc3\xa9<>\"\\^`{|}%41#?&=", PLAIN);
    struct warc_file f = write_and_read(&r, 1);
    warc_expect(&f.records[1], "WARC-Target-URI",
                "http://a.example/a%20b%0D%0AWARC-Type:%20x%7F%C3%A9%3C%3E%22%5C%5E%60%7B%7C%7D%"
                "41#?&=");
    warc_release(&f);
}
END_TEST

START_TEST(binary_bodies_come_back)
{
    size_t n = 3 << 20;
    static const char header[] = "HTTP/1.1 200 OK\r\n\r\n";
    char *answer = malloc(n);
    ck_assert_ptr_nonnull(answer);
    uint32_t x = 1;
    for (size_t i = 0; i < n; i++) { /* hard to compress, every byte value */
        x = x * 1664525 + 1013904223;
        answer[i] = (char)(x >> 24);
    }
    memcpy(answer, header, sizeof header - 1);
    struct weft_record r = exchange("http://a.example/", NULL);
    r.wire_answer = answer;
    r.wire_answer_len = n;
    struct warc_file f = write_and_read(&r, 1);
    ck_assert_uint_eq(f.records[1].block_len, n);
    ck_assert_mem_eq(f.records[1].block, answer, n);
    warc_release(&f);
    free(answer);
}
END_TEST

/* Whatever a kill leaves of the last member, appending goes on behind the last whole one. */
START_TEST(appending_cuts_a_torn_member)
{
    struct weft_record r[3] = {exchange("http://a.example/1", PLAIN),
                               exchange("http://a.example/2", CHUNKED),
                               exchange("http://a.example/3", "HTTP/1.1 404 No\r\n\r\nnone")};
    fixture_put_all(path, WEFT_OUTPUT_NEW, r, 3);
    size_t len;
    char *bytes = fixture_read(path, &len);
    size_t most = 1000; /* several members */
    ck_assert_uint_gt(len, most);
    for (size_t keep = len - most; keep <= len; keep += 71) {
        fixture_write(path, bytes, keep);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, r, 1);
        struct warc_file f = warc_read(path);
        ck_assert_uint_ge(f.n, 3);
        warc_expect(&f.records[f.n - 3], "WARC-Type", "warcinfo");
        warc_expect(&f.records[f.n - 2], "WARC-Type", "response");
        warc_release(&f);
    }
    for (size_t keep = 0; keep < 64; keep += 9) { /* not even the first is whole */
        fixture_write(path, bytes, keep);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, r, 1);
        struct warc_file f = warc_read(path);
        ck_assert_uint_eq(f.n, 3);
        warc_release(&f);
    }
    free(bytes);
}
END_TEST

START_TEST(appending_to_another_kind_of_file_is_refused)
{
    static const struct {
        const char *bytes;
        size_t len;
    } files[] = {
        {"precious notes", 14},
        /* "precious" through gzip */
        {"\x1f\x8b\x08\0\0\0\0\0\0\x03\x2b\x28\x4a\x4d\xce\xcc\x2f\x2d\x06\0\x2e\x85\xcf\xaa\x08\0"
         "\0\0",
         28},
    };
    for (size_t i = 0; i < 2; i++) {
        char error[512] = "";
        const char *paths[] = {path, NULL};
        struct weft_writer_options options = {.paths = paths, .mode = WEFT_OUTPUT_APPEND};
        struct weft_writer *w;
        fixture_write(path, files[i].bytes, files[i].len);
        ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EINVAL);
        ck_assert_msg(strstr(error, "another kind of file") != NULL, "%s", error);
        size_t len;
        char *after = fixture_read(path, &len);
        ck_assert_uint_eq(len, files[i].len);
        ck_assert_mem_eq(after, files[i].bytes, len);
        free(after);
    }
}
END_TEST

/* --- the parts of a message --- */

static const struct {
    const char *bytes, *header, *payload;
    bool whole;
} messages[] = {
    {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "", true},
    {"HTTP/1.0 200 OK\n\nbody", "HTTP/1.0 200 OK\n\n", "body", true},
    {"HTTP/1.1 101 Switching\r\n\r\nx", "HTTP/1.1 101 Switching\r\n\r\n", "x", true},
    {"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", "HTTP/1.1 200 OK\r\n\r\n", "x", true},
    {"HTTP/1.1 200 OK\r\nX: transfer-encoding: chunked\r\n\r\n1\r\n",
     "HTTP/1.1 200 OK\r\nX: transfer-encoding: chunked\r\n\r\n", "1\r\n", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity , chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity , chunked\r\n\r\n", "0123456789", true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nb",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "ab", false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\na",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "", false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\na",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "a", false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "a", false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "", false},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\na",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "", false},
    {"HTTP/1.1 200 OK\r\n", NULL, NULL, false},
    {"HTTP/1.1 100 C\r\n\r\n", NULL, NULL, false},
    {"HTT", NULL, NULL, false},
    {"", NULL, NULL, false},
};

START_TEST(messages_are_split)
{
    struct weft_http_message m;
    char got[64] = "";
    size_t n = strlen(messages[_i].bytes), at = 0, len;
    char *exact = malloc(n + 1); /* so that a sanitizer sees what is read behind the end */
    exact = n ? realloc(exact, n) : exact;
    memcpy(exact, messages[_i].bytes, n);
    bool split = weft_http_split(&m, exact, n);
    ck_assert_int_eq(split, messages[_i].header != NULL);
    if (split) {
        const char *piece;
        bool whole;
        ck_assert_uint_eq(m.header_len, strlen(messages[_i].header));
        ck_assert_mem_eq(m.start, messages[_i].header, m.header_len);
        while (weft_http_next_piece(&m, &at, &piece, &len, &whole)) {
            strncat(got, piece, len);
        }
        ck_assert_str_eq(got, messages[_i].payload);
        ck_assert_int_eq(whole, messages[_i].whole);
    }
    free(exact);
}
END_TEST

/* Broken in every way that chance finds: the parts stay within the bytes, and the walk ends. */
START_TEST(broken_messages_do_no_harm)
{
    static const char *const bits[] = {"HTTP/1.1 200 OK\r\n",
                                       "HTTP/1.1 100 C\r\n",
                                       "\r\n",
                                       "\n",
                                       "Transfer-Encoding: chunked\r\n",
                                       "5\r\n",
                                       "hello",
                                       "0",
                                       "ffffffffffffffff\r\n",
                                       ";x\r\n",
                                       "\0",
                                       " ",
                                       ","};
    enum { N = sizeof bits / sizeof *bits };
    uint32_t x = 7;
    for (int i = 0; i < 100000; i++) {
        char text[256];
        size_t len = 0, at = 0, n, total = 0;
        for (int k = 0; k < 12; k++) {
            x = x * 1664525 + 1013904223;
            const char *bit = bits[k == 0 ? 0 : (x >> 16) % N];
            size_t m = *bit ? strlen(bit) : 1;
            memcpy(text + len, bit, m);
            len += m;
        }
        char *exact = memcpy(malloc(len), text, len);
        struct weft_http_message m;
        if (weft_http_split(&m, exact, len)) {
            const char *piece;
            bool whole;
            must(m.start >= exact && m.body == m.start + m.header_len, "start");
            must(m.body + m.body_len == exact + len, "end");
            while (weft_http_next_piece(&m, &at, &piece, &n, &whole)) {
                must(piece >= m.body && piece + n <= exact + len, "piece");
                total += n;
                must(total <= m.body_len, "more than there is");
            }
        }
        free(exact);
    }
}
END_TEST

START_TEST(the_table_of_payloads_is_bounded)
{
    struct weft_revisits table;
    struct weft_revisit what = {.at = 0, .url = "http://a.example/"};
    weft_revisits_init(&table, 42);
    ck_assert_ptr_null(weft_revisits_find(&table, what.digest));
    for (uint32_t i = 0; i < WEFT_MAX_REVISITS + 1000; i++) {
        memcpy(what.digest, &i, sizeof i);
        what.at = i;
        must(weft_revisits_add(&table, &what) == WEFT_OK, "out of memory");
    }
    ck_assert_uint_eq(table.n, WEFT_MAX_REVISITS);
    for (uint32_t i = 0; i < WEFT_MAX_REVISITS + 1000; i++) {
        memcpy(what.digest, &i, sizeof i);
        const struct weft_revisit *found = weft_revisits_find(&table, what.digest);
        must((found != NULL) == (i < WEFT_MAX_REVISITS), "%u", i);
        must(!found || found->at == i, "%u", i);
    }
    weft_revisits_release(&table);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("warc");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, an_exchange_is_a_response_and_a_request);
    tcase_add_test(tc, passwords_are_left_out);
    tcase_add_test(tc, the_payload_is_digested_without_chunks);
    tcase_add_test(tc, a_payload_with_another_transfer_coding_is_not_digested);
    tcase_add_test(tc, a_copy_is_a_revisit_with_its_own_header);
    tcase_add_test(tc, redirects_are_exchanges_of_their_own);
    tcase_add_loop_test(tc, what_is_cut_is_told, 0, sizeof cuts / sizeof *cuts);
    tcase_add_test(tc, an_unwanted_body_is_cut_but_for_head);
    tcase_add_test(tc, no_answer_is_no_record);
    tcase_add_test(tc, interim_answers_are_left_out);
    tcase_add_test(tc, a_hostile_url_breaks_no_header);
    tcase_add_test(tc, binary_bodies_come_back);
    tcase_add_test(tc, appending_cuts_a_torn_member);
    tcase_add_test(tc, appending_to_another_kind_of_file_is_refused);
    tcase_add_loop_test(tc, messages_are_split, 0, sizeof messages / sizeof *messages);
    tcase_add_test(tc, broken_messages_do_no_harm);
    tcase_add_test(tc, the_table_of_payloads_is_bounded);
    return suite_run("store: warc", tc);
}
