/* gzip_mend.c -- see gzip_mend.h. */
#include "store/gzip_mend.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* zlib's pointers to what it only reads are const */
#include <zlib.h>

#define BLOCK ((size_t)64 << 10)

struct scan {
    z_stream z;
    const char *magic;
    bool begun; /* the first bytes came out */
    bool ours;  /* ... and they are magic, as far as they are there */
    off_t end;  /* of the last whole member */
    unsigned char in[BLOCK], out[BLOCK];
};

/* Unpacks in[0..got), which stands at offset at of the file. Returns whether it goes on. */
static bool unpack(struct scan *s, off_t at, size_t got)
{
    int code;
    s->z.next_in = s->in;
    s->z.avail_in = (unsigned)got;
    do {
        s->z.next_out = s->out;
        s->z.avail_out = BLOCK;
        code = inflate(&s->z, Z_NO_FLUSH);
        size_t have = BLOCK - s->z.avail_out;
        if (!s->begun && have > 0) {
            size_t n = strlen(s->magic);
            s->ours = memcmp(s->out, s->magic, have < n ? have : n) == 0;
            s->begun = true;
        }
        if (code == Z_STREAM_END) {
            s->end = at + (off_t)(got - s->z.avail_in);
            code = inflateReset(&s->z);
        }
        if (code != Z_OK && code != Z_BUF_ERROR) { /* BUF_ERROR: it needs more input */
            return false;
        }
    } while (s->z.avail_in > 0 || s->z.avail_out == 0);
    return s->ours;
}

static enum weft_status scan_file(struct scan *s, struct weft_file *f)
{
    bool more = true;
    size_t got = BLOCK;
    for (off_t at = 0; more && got == BLOCK; at += (off_t)got) {
        enum weft_status st = weft_file_read(f, at, s->in, BLOCK, &got);
        if (st != WEFT_OK) {
            return st;
        }
        if (at == 0 && got > 0 && s->in[0] != 0x1f) { /* not even gzip */
            s->ours = false;
            return WEFT_OK;
        }
        more = got > 0 && unpack(s, at, got);
    }
    return WEFT_OK;
}

enum weft_status weft_gzip_mend(struct weft_file *f, const char *magic)
{
    struct scan *s = calloc(1, sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    s->magic = magic;
    s->ours = true;
    enum weft_status st = inflateInit2(&s->z, 15 + 16) == Z_OK ? WEFT_OK : WEFT_ENOMEM;
    if (st == WEFT_OK) {
        st = scan_file(s, f);
        inflateEnd(&s->z);
    }
    if (st == WEFT_OK && !s->ours) {
        st = weft_fail(f->failure, WEFT_EINVAL, "can't append to %s: it is another kind of file",
                       f->path);
    }
    if (st == WEFT_OK && s->end < f->size) {
        st = weft_file_cut(f, s->end);
    }
    free(s);
    return st;
}
