/* fuzz_decode.c -- hostile content codings: whatever the bytes are, and however they are cut into
 * pieces, the same comes out, bounded, and the end is noticed at the same byte. The first byte of
 * an input says which coding, the second how large the pieces are. */
#include "net/decode.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The taker wants no more than this. */
#define MUCH ((size_t)1 << 20)

static const char *const names[] = {
    "gzip",  "deflate",    "br",       "zstd",           "x-gzip, gzip",
    "br,br", "zstd, zstd", "gzip, br", "zstd, deflate,", "deflate, identity, gzip, zstd",
};

struct result {
    enum weft_status st;
    bool complete;
    size_t len;
    uint64_t sum; /* FNV-1a of what came out */
};

static bool take(void *user, const char *bytes, size_t len)
{
    struct result *r = user;
    if (len == 0 || r->len > MUCH) {
        abort(); /* nothing is handed over, or more after it was refused */
    }
    for (size_t i = 0; i < len; i++) {
        r->sum = (r->sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    }
    r->len += len;
    return r->len <= MUCH;
}

static struct result decode(const char *name, const uint8_t *data, size_t size, size_t piece)
{
    struct result r = {.st = WEFT_OK, .sum = 14695981039346656037u};
    struct weft_decoder *d;
    if (weft_decoder_new(&d, name, strlen(name)) != WEFT_OK || !d) {
        abort();
    }
    for (size_t at = 0; at < size && r.st == WEFT_OK; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        char *exact = malloc(n); /* so that an over-read is seen */
        if (!exact) {
            abort();
        }
        memcpy(exact, data + at, n);
        r.st = weft_decoder_feed(d, exact, n, take, &r);
        free(exact);
    }
    r.complete = r.st == WEFT_OK && weft_decoder_is_complete(d);
    weft_decoder_free(d);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    const char *name = names[data[0] % (sizeof names / sizeof *names)];
    size_t piece = 1 + data[1] % 64;
    struct result whole = decode(name, data + 2, size - 2, SIZE_MAX / 2);
    struct result pieces = decode(name, data + 2, size - 2, piece);
    /* Of a zstd frame that comes in pieces libzstd 1.5.4 does not ask whether it has come to the
     * length that it announced, if its last block is empty. */
    if (whole.st != WEFT_OK && strstr(name, "zstd")) {
        return 0;
    }
    if (whole.st != pieces.st || whole.complete != pieces.complete) {
        abort();
    }
    if (whole.st == WEFT_OK && (whole.len != pieces.len || whole.sum != pieces.sum)) {
        abort();
    }
    return 0;
}
