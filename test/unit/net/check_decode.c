/* check_decode.c -- content codings undone: each one, over one another, in pieces of any size, cut
 * short at every byte, damaged, and more of it than should be. */
#include "net/decode.h"

#include "base/limits.h"
#include "deflated.h"
#include "support/suite.h"
#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define TEXT_LEN 3000
#define CAP      (TEXT_LEN * 3)

struct bytes {
    unsigned char data[CAP];
    size_t len;
};

static char text[TEXT_LEN];

static void pack(char how, struct bytes *b)
{
    struct bytes from = *b;
    switch (how) {
    case 'b':
        b->len = CAP;
        ck_assert(
            BrotliEncoderCompress(5, 18, BROTLI_MODE_TEXT, from.len, from.data, &b->len, b->data));
        break;
    case 's':
        b->len = ZSTD_compress(b->data, CAP, from.data, from.len, 3);
        ck_assert(!ZSTD_isError(b->len));
        break;
    default:
        b->len = deflated(how == 'g'   ? 31
                          : how == 'z' ? 15
                                       : -15,
                          from.data, from.len, b->data, CAP);
    }
}

static const struct {
    const char *name, *how; /* in the order in which they are applied */
} codings[] = {
    {"gzip", "g"},     {"X-GZip", "g"},     {"gzip", "z"},        {"deflate", "z"},
    {"deflate", "r"},  {"br", "b"},         {"zstd", "s"},        {"gzip, gzip", "gg"},
    {"br,gzip", "bg"}, {"zstd , br", "sb"}, {"gzip, zstd", "gs"}, {"deflate, identity,br", "rb"},
};
enum { NCODINGS = sizeof codings / sizeof *codings };

static void encode(int i, struct bytes *b)
{
    fill_text(text, TEXT_LEN);
    memcpy(b->data, text, TEXT_LEN);
    b->len = TEXT_LEN;
    for (const char *how = codings[i].how; *how; how++) {
        pack(*how, b);
    }
}

static bool keep(void *user, const char *bytes, size_t len)
{
    struct bytes *out = user;
    if (len > CAP - out->len) {
        return false;
    }
    memcpy(out->data + out->len, bytes, len);
    out->len += len;
    return true;
}

struct result {
    enum weft_status st;
    bool complete;
    struct bytes out;
};

static struct result *decode(const char *name, const unsigned char *bytes, size_t len, size_t piece)
{
    static struct result r;
    struct weft_decoder *d;
    r = (struct result){.st = WEFT_OK};
    ck_assert_int_eq(weft_decoder_new(&d, name, strlen(name)), WEFT_OK);
    ck_assert_ptr_nonnull(d);
    for (size_t at = 0; at < len && r.st == WEFT_OK; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        char *exact = malloc(n); /* so that an over-read is seen */
        ck_assert_ptr_nonnull(exact);
        memcpy(exact, bytes + at, n);
        r.st = weft_decoder_feed(d, exact, n, keep, &r.out);
        free(exact);
    }
    r.complete = r.st == WEFT_OK && weft_decoder_is_complete(d);
    weft_decoder_free(d);
    return &r;
}

static bool is_text(const struct bytes *b, size_t times)
{
    bool same = b->len == times * TEXT_LEN;
    for (size_t i = 0; same && i < times; i++) {
        same = memcmp(b->data + i * TEXT_LEN, text, TEXT_LEN) == 0;
    }
    return same;
}

START_TEST(each_coding_is_undone)
{
    static const size_t pieces[] = {1, 3, 1000, CAP};
    struct bytes b;
    encode(_i, &b);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const struct result *r = decode(codings[_i].name, b.data, b.len, pieces[i]);
        ck_assert_msg(r->complete && is_text(&r->out, 1), "%s in pieces of %zu", codings[_i].name,
                      pieces[i]);
    }
}
END_TEST

START_TEST(what_is_cut_short_is_not_complete)
{
    struct bytes b;
    encode(_i, &b);
    ck_assert(
        decode(codings[_i].name, b.data, 0, 1)->complete); /* of no bytes nothing is missing */
    for (size_t len = 1; len < b.len; len++) {
        ck_assert_msg(!decode(codings[_i].name, b.data, len, CAP)->complete, "%s, %zu of %zu",
                      codings[_i].name, len, b.len);
    }
}
END_TEST

START_TEST(what_follows_the_end_is_refused)
{
    struct bytes b;
    encode(_i, &b);
    memset(b.data + b.len, 0, 100);
    ck_assert_int_eq(decode(codings[_i].name, b.data, b.len + 100, CAP)->st, WEFT_ESYNTAX);
    ck_assert_int_eq(decode(codings[_i].name, b.data, b.len + 100, 1)->st, WEFT_ESYNTAX);
}
END_TEST

/* RFC 1952 2.2, RFC 8878 3.1: members and frames follow one another, empty ones too. */
START_TEST(members_are_one_body)
{
    const char how[] = {_i ? 's' : 'g', '\0'}, *name = _i ? "zstd" : "gzip";
    static struct bytes one, all;
    fill_text(text, TEXT_LEN);
    memcpy(one.data, text, TEXT_LEN);
    one.len = TEXT_LEN;
    pack(how[0], &one);
    struct bytes none = {.len = 0};
    pack(how[0], &none);
    memcpy(all.data, one.data, one.len);
    memcpy(all.data + one.len, none.data, none.len);
    memcpy(all.data + one.len + none.len, one.data, one.len);
    all.len = 2 * one.len + none.len;
    for (size_t len = 1; len <= all.len; len++) {
        const struct result *r = decode(name, all.data, len, len % 2 ? CAP : 5);
        bool whole = len == one.len || len == one.len + none.len || len == all.len;
        ck_assert_int_eq(r->st, WEFT_OK);
        ck_assert_msg(r->complete == whole, "%s: %zu of %zu", name, len, all.len);
    }
    ck_assert(is_text(&decode(name, all.data, all.len, 1)->out, 2));
}
END_TEST

START_TEST(damage_is_no_text)
{
    struct bytes b;
    encode(_i, &b);
    for (size_t i = 0; i < b.len; i += 1 + b.len / 200) {
        b.data[i] ^= 0x10;
        const struct result *r = decode(codings[_i].name, b.data, b.len, CAP);
        /* br, raw deflate and zstd as it is packed here have no checksum; what they give is bounded
         */
        bool sums = strpbrk(codings[_i].how, "gz") != NULL && !strpbrk(codings[_i].how, "rbs");
        ck_assert_msg(!sums || !r->complete || is_text(&r->out, 1), "%s, byte %zu",
                      codings[_i].name, i);
        b.data[i] ^= 0x10;
    }
}
END_TEST

START_TEST(names_of_codings)
{
    static const struct {
        const char *name;
        enum weft_status st;
        bool some;
    } cases[] = {
        {"", WEFT_OK, false},
        {"identity", WEFT_OK, false},
        {"None", WEFT_OK, false},
        {" , identity ,", WEFT_OK, false},
        {"\tgzip ", WEFT_OK, true},
        {"gzip, identity", WEFT_OK, true},
        {"gzip,gzip,gzip,gzip,gzip", WEFT_OK, true},
        {"gzip,gzip,gzip,gzip,gzip,gzip", WEFT_ESYNTAX, false},
        {"smoke", WEFT_ESYNTAX, false},
        {"gzip smoke", WEFT_ESYNTAX, false},
        {"br, smoke", WEFT_ESYNTAX, false},
        {"gzi", WEFT_ESYNTAX, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct weft_decoder *d;
        ck_assert_int_eq(weft_decoder_new(&d, cases[i].name, strlen(cases[i].name)), cases[i].st);
        ck_assert_msg((d != NULL) == cases[i].some, "'%s'", cases[i].name);
        weft_decoder_free(d);
    }
}
END_TEST

/* ---- bombs ---- */

static bool count_to_a_million(void *user, const char *bytes, size_t len)
{
    (void)bytes;
    size_t *n = user;
    *n += len;
    return *n < 1000000;
}

/* Ten megabytes of nothing in ten thousand bytes: it ends where the taker ends it. */
START_TEST(the_taker_ends_it)
{
    enum { MUCH = 10 << 20 };
    char *zeros = calloc(MUCH, 1);
    unsigned char *packed = malloc(MUCH);
    size_t n = 0;
    struct weft_decoder *d;
    ck_assert(zeros && packed);
    size_t len = deflated(31, zeros, MUCH, packed, MUCH);
    ck_assert_int_eq(weft_decoder_new(&d, "gzip", 4), WEFT_OK);
    ck_assert_int_eq(weft_decoder_feed(d, (char *)packed, len, count_to_a_million, &n),
                     WEFT_ECANCELED);
    ck_assert_uint_lt(n, 1000000 + (64u << 10));
    weft_decoder_free(d);
    free(packed);
    free(zeros);
}
END_TEST

/* Members without content, again and again, packed: much between two codings, nothing at the end.
 */
START_TEST(between_codings_there_is_a_limit)
{
    unsigned char member[64];
    size_t one = deflated(31, "", 0, member, sizeof member), much = WEFT_MAX_CODED + 1000, n = 0;
    unsigned char *many = malloc(much), *packed = malloc(much);
    struct weft_decoder *d;
    ck_assert(many && packed);
    for (size_t at = 0; at < much; at++) {
        many[at] = member[at % one];
    }
    size_t len = deflated(31, many, much, packed, much);
    ck_assert_int_eq(weft_decoder_new(&d, "gzip, gzip", 10), WEFT_OK);
    ck_assert_int_eq(weft_decoder_feed(d, (char *)packed, len, count_to_a_million, &n),
                     WEFT_ELIMIT);
    ck_assert_uint_eq(n, 0);
    weft_decoder_free(d);
    free(packed);
    free(many);
}
END_TEST

/* RFC 9659: no window over 8 MiB, which would be memory of ours. */
START_TEST(a_window_has_a_limit)
{
    static char zeros[1 << 16];
    static unsigned char packed[1 << 16];
    for (int log = 23; log <= 24; log++) {
        ZSTD_CCtx *c = ZSTD_createCCtx();
        ZSTD_outBuffer out = {packed, sizeof packed, 0};
        size_t left = 1;
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, log);
        for (int i = 0; i < 300; i++) {
            ZSTD_inBuffer in = {zeros, sizeof zeros, 0};
            left = ZSTD_compressStream2(c, &out, &in, i == 299 ? ZSTD_e_end : ZSTD_e_continue);
        }
        ck_assert_uint_eq(left, 0);
        ZSTD_freeCCtx(c);
        struct weft_decoder *d;
        size_t n = 0;
        ck_assert_int_eq(weft_decoder_new(&d, "zstd", 4), WEFT_OK);
        ck_assert_int_eq(weft_decoder_feed(d, (char *)packed, out.pos, count_to_a_million, &n),
                         log == 23 ? WEFT_ECANCELED : WEFT_ESYNTAX);
        weft_decoder_free(d);
    }
}
END_TEST

/* RFC 8878 3.1: what begins as frames did before the standard is none, however it is cut; libzstd
 * would undo it, with windows beyond the limit. One to skip is no text. */
START_TEST(old_frames_are_refused)
{
    struct bytes b;
    encode(6, &b); /* zstd */
    for (unsigned char first = 0x1e; first <= 0x27; first++) {
        const unsigned char old[16] = {first, 0xb5, 0x2f, 0xfd};
        ck_assert_int_eq(decode("zstd", old, sizeof old, 1)->st, WEFT_ESYNTAX);
        ck_assert_int_eq(decode("zstd", old, sizeof old, CAP)->st, WEFT_ESYNTAX);
    }
    for (unsigned char first = 0x50; first <= 0x5f; first++) {
        static struct bytes all;
        const unsigned char skipped[] = {first, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
        memcpy(all.data, skipped, sizeof skipped);
        memcpy(all.data + sizeof skipped, b.data, b.len);
        all.len = sizeof skipped + b.len;
        for (size_t piece = 1; piece < 20; piece++) {
            const struct result *r = decode("zstd", all.data, all.len, piece);
            ck_assert(r->complete && is_text(&r->out, 1));
        }
        all.data[sizeof skipped] = 0x25;
        ck_assert_int_eq(decode("zstd", all.data, sizeof skipped + 16, CAP)->st, WEFT_ESYNTAX);
        all.data[0] = 0x60;
        ck_assert_int_eq(decode("zstd", all.data, 1, 1)->st, WEFT_ESYNTAX);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("decode");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, each_coding_is_undone, 0, NCODINGS);
    tcase_add_loop_test(tc, what_is_cut_short_is_not_complete, 0, NCODINGS);
    tcase_add_loop_test(tc, what_follows_the_end_is_refused, 0, NCODINGS);
    tcase_add_loop_test(tc, members_are_one_body, 0, 2);
    tcase_add_loop_test(tc, damage_is_no_text, 0, NCODINGS);
    tcase_add_test(tc, names_of_codings);
    tcase_add_test(tc, the_taker_ends_it);
    tcase_add_test(tc, between_codings_there_is_a_limit);
    tcase_add_test(tc, a_window_has_a_limit);
    tcase_add_test(tc, old_frames_are_refused);
    return suite_run("net: content codings", tc);
}
