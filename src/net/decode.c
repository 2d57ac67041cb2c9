/* decode.c -- see decode.h. Each coding is a stage: bytes in, bytes out, and the end of a stream
 * noticed; stages are chained by handing on what comes out. */
#include "net/decode.h"

#include "base/limits.h"
#include <brotli/decode.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define OUT_AT_ONCE (16u << 10)
/* RFC 9659: a sender may not ask for a larger window over HTTP. */
#define ZSTD_WINDOW_LOG 23

/* What a stage is at after a step. */
enum step {
    STEP_MORE, /* goes on with more input, or more room */
    STEP_END,  /* a stream has ended */
    STEP_BAD,
    STEP_NO_MEMORY
};

struct piece {
    const unsigned char *in;
    size_t in_len;
    unsigned char *out;
    size_t out_room;
};

struct stage {
    const struct coding *coding;
    union {
        z_stream z;
        BrotliDecoderState *br;
        ZSTD_DStream *zstd;
    };
    bool begun; /* a byte of the stream that is going on has come */
    bool ended; /* at least one has ended */
    bool raw;   /* deflate without zlib's wrapping */
    bool skips; /* zstd: the frame that is going on is one to skip */
    size_t out; /* bytes that have come out */
    size_t in;  /* zstd: bytes of that frame which have gone in, counted while they are few */
};

struct coding {
    const char *names[2];
    bool (*open)(struct stage *s);
    enum step (*step)(struct stage *s, struct piece *p);
    bool (*again)(struct stage *s); /* another stream may follow; NULL: none may */
    void (*close)(struct stage *s);
};

struct weft_decoder {
    size_t n;
    struct stage stages[WEFT_MAX_CODINGS]; /* in the order in which they are undone */
};

/* ---- gzip and deflate ---- */

static bool gzip_open(struct stage *s)
{
    return inflateInit2(&s->z, MAX_WBITS + 32) == Z_OK; /* zlib's own wrapping is taken as well */
}

static bool gzip_again(struct stage *s)
{
    return inflateReset2(&s->z, MAX_WBITS + 16) == Z_OK;
}

static bool deflate_open(struct stage *s)
{
    return inflateInit2(&s->z, MAX_WBITS) == Z_OK;
}

static enum step z_step(struct stage *s, struct piece *p)
{
    s->z.next_in = (unsigned char *)(uintptr_t)p->in;
    s->z.avail_in = (uInt)p->in_len;
    s->z.next_out = p->out;
    s->z.avail_out = (uInt)p->out_room;
    int code = inflate(&s->z, Z_NO_FLUSH);
    p->in = s->z.next_in;
    p->in_len = s->z.avail_in;
    p->out_room = s->z.avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR:
        return STEP_MORE;
    case Z_STREAM_END:
        return STEP_END;
    default:
        return code == Z_MEM_ERROR ? STEP_NO_MEMORY : STEP_BAD;
    }
}

/* RFC 9110 8.4.1.2: zlib's wrapping is meant, and some send the data bare. The first byte tells: in
 * zlib's it says method 8 and a window of at most 32 KiB; bare data that begin so would be a stored
 * block with a bit set that compressors leave 0. */
static enum step deflate_step(struct stage *s, struct piece *p)
{
    if (s->z.total_in == 0 && !s->raw && p->in_len > 0 &&
        ((p->in[0] & 0x0f) != Z_DEFLATED || p->in[0] >> 4 > 7)) {
        s->raw = true;
        if (inflateReset2(&s->z, -MAX_WBITS) != Z_OK) {
            return STEP_BAD;
        }
    }
    return z_step(s, p);
}

static void z_close(struct stage *s)
{
    inflateEnd(&s->z);
}

/* ---- br ---- */

static bool br_open(struct stage *s)
{
    s->br = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    return s->br != NULL;
}

static enum step br_step(struct stage *s, struct piece *p)
{
    BrotliDecoderResult r = BrotliDecoderDecompressStream(s->br, &p->in_len, &p->in, &p->out_room,
                                                          &p->out, NULL);
    if (r == BROTLI_DECODER_RESULT_ERROR) {
        BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(s->br);
        bool memory = code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                      code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
        return memory ? STEP_NO_MEMORY : STEP_BAD;
    }
    return r == BROTLI_DECODER_RESULT_SUCCESS ? STEP_END : STEP_MORE;
}

static void br_close(struct stage *s)
{
    BrotliDecoderDestroyInstance(s->br);
}

/* ---- zstd ---- */

static bool zstd_open(struct stage *s)
{
    s->zstd = ZSTD_createDStream();
    return s->zstd &&
           !ZSTD_isError(ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
}

/* RFC 8878 3.1: the first bytes of a frame, and of one to skip, whose first may end in any digit.
 * libzstd also takes the formats from before there was a standard; their windows know no limit. */
static bool is_frame(struct stage *s, const struct piece *p)
{
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd},
                               skip[] = {0x50, 0x2a, 0x4d, 0x18};
    for (size_t i = 0; i < p->in_len && s->in + i < sizeof frame; i++) {
        unsigned char byte = p->in[i];
        if (s->in + i == 0) {
            s->skips = byte != frame[0];
            byte &= s->skips ? 0xf0 : 0xff;
        }
        if (byte != (s->skips ? skip : frame)[s->in + i]) {
            return false;
        }
    }
    return true;
}

static enum step zstd_step(struct stage *s, struct piece *p)
{
    if (!is_frame(s, p)) {
        return STEP_BAD;
    }
    ZSTD_inBuffer in = {p->in, p->in_len, 0};
    ZSTD_outBuffer out = {p->out, p->out_room, 0};
    size_t left = ZSTD_decompressStream(s->zstd, &out, &in);
    p->in += in.pos;
    p->in_len -= in.pos;
    p->out_room -= out.pos;
    if (ZSTD_isError(left)) {
        return ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation ? STEP_NO_MEMORY : STEP_BAD;
    }
    s->in = left == 0 ? 0 : s->in + (s->in < 4 ? in.pos : 0);
    return left == 0 ? STEP_END : STEP_MORE;
}

static bool zstd_again(struct stage *s)
{
    (void)s; /* the next frame begins by itself */
    return true;
}

static void zstd_close(struct stage *s)
{
    ZSTD_freeDStream(s->zstd);
}

static const struct coding codings[] = {
    {{"gzip", "x-gzip"}, gzip_open, z_step, gzip_again, z_close},
    {{"deflate", NULL}, deflate_open, deflate_step, NULL, z_close},
    {{"br", NULL}, br_open, br_step, NULL, br_close},
    {{"zstd", NULL}, zstd_open, zstd_step, zstd_again, zstd_close},
};

/* ---- all of them ---- */

static bool is_named(const char *text, size_t len, const char *name)
{
    return name && strlen(name) == len && strncasecmp(text, name, len) == 0;
}

static bool is_identity(const char *text, size_t len)
{
    return len == 0 || is_named(text, len, "identity") || is_named(text, len, "none");
}

static const struct coding *find(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        if (is_named(text, len, codings[i].names[0]) || is_named(text, len, codings[i].names[1])) {
            return &codings[i];
        }
    }
    return NULL;
}

/* Puts a coding in front: the one that was applied last is undone first. */
static enum weft_status add(struct weft_decoder *d, const char *text, size_t len)
{
    const struct coding *coding = find(text, len);
    if (!coding || d->n == WEFT_MAX_CODINGS) {
        return WEFT_ESYNTAX;
    }
    /* Opened where it will stay: zlib's state points back at its stream. */
    struct stage *s = &d->stages[WEFT_MAX_CODINGS - 1 - d->n];
    s->coding = coding;
    d->n++;
    return coding->open(s) ? WEFT_OK : WEFT_ENOMEM;
}

static struct stage *first(struct weft_decoder *d)
{
    return &d->stages[WEFT_MAX_CODINGS - d->n];
}

enum weft_status weft_decoder_new(struct weft_decoder **out, const char *text, size_t len)
{
    struct weft_decoder *d = calloc(1, sizeof *d);
    enum weft_status st = d ? WEFT_OK : WEFT_ENOMEM;
    *out = NULL;
    for (const char *end = text + len, *at = text; st == WEFT_OK && at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end, *next = comma ? comma + 1 : end;
        while (at < stop && (*at == ' ' || *at == '\t')) {
            at++;
        }
        while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t')) {
            stop--;
        }
        if (!is_identity(at, (size_t)(stop - at))) {
            st = add(d, at, (size_t)(stop - at));
        }
        at = next;
    }
    if (st != WEFT_OK || d->n == 0) {
        weft_decoder_free(d);
        return st;
    }
    *out = d;
    return WEFT_OK;
}

void weft_decoder_free(struct weft_decoder *d)
{
    for (size_t i = 0; d && i < d->n; i++) {
        struct stage *s = first(d) + i;
        s->coding->close(s);
    }
    free(d);
}

/* What a step came to, bytes being left behind the end of a stream or not. */
static enum weft_status after(struct stage *s, enum step step, bool more)
{
    if (step == STEP_NO_MEMORY) {
        return WEFT_ENOMEM;
    }
    if (step == STEP_BAD) {
        return WEFT_ESYNTAX;
    }
    if (step == STEP_END) {
        s->ended = true;
        s->begun = false;
        if (more && (!s->coding->again || !s->coding->again(s))) {
            return WEFT_ESYNTAX;
        }
    }
    return WEFT_OK;
}

static enum weft_status hand_on(struct weft_decoder *d, size_t i, const unsigned char *bytes,
                                size_t len, weft_decoded_fn *take, void *user);

/* Undoes stage i and those behind it; there are WEFT_MAX_CODINGS at most. */
static enum weft_status feed(struct weft_decoder *d, size_t i, const unsigned char *bytes,
                             size_t len, weft_decoded_fn *take, void *user)
{
    unsigned char out[OUT_AT_ONCE];
    struct stage *s = first(d) + i;
    struct piece p = {.in = bytes, .in_len = len};
    enum weft_status st = WEFT_OK;
    if (s->ended && !s->begun && len > 0 && (!s->coding->again || !s->coding->again(s))) {
        return WEFT_ESYNTAX;
    }
    bool full = false; /* there may be more to come of what is in already */
    while (st == WEFT_OK && (p.in_len > 0 || full)) {
        p.out = out;
        p.out_room = sizeof out;
        s->begun |= p.in_len > 0;
        size_t before = p.in_len;
        enum step step = s->coding->step(s, &p);
        size_t n = sizeof out - p.out_room;
        if (step == STEP_MORE && n == 0 && p.in_len == before && before > 0) {
            step = STEP_BAD; /* it wants neither */
        }
        full = p.out_room == 0 && step == STEP_MORE;
        st = n > 0 ? hand_on(d, i, out, n, take, user) : WEFT_OK;
        st = st == WEFT_OK ? after(s, step, p.in_len > 0) : st;
    }
    return st;
}

/* What has come out of stage i goes to the next one, or to the caller. Between two stages it is
 * bounded here: much there can be nothing in the end. */
static enum weft_status hand_on(struct weft_decoder *d, size_t i, const unsigned char *bytes,
                                size_t len, weft_decoded_fn *take, void *user)
{
    if (i + 1 == d->n) {
        return take(user, (const char *)bytes, len) ? WEFT_OK : WEFT_ECANCELED;
    }
    struct stage *s = first(d) + i;
    s->out += len;
    return s->out > WEFT_MAX_CODED ? WEFT_ELIMIT : feed(d, i + 1, bytes, len, take, user);
}

enum weft_status weft_decoder_feed(struct weft_decoder *d, const char *bytes, size_t len,
                                   weft_decoded_fn *take, void *user)
{
    return feed(d, 0, (const unsigned char *)bytes, len, take, user);
}

bool weft_decoder_is_complete(const struct weft_decoder *d)
{
    for (size_t i = 0; i < d->n; i++) {
        if (d->stages[WEFT_MAX_CODINGS - d->n + i].begun) {
            return false;
        }
    }
    return true;
}
