/* warc_record.c -- see warc_record.h. */
#include "store/warc_record.h"

#include "base/limits.h"
#include "store/columns.h"
#include "store/digest.h"
#include <stdlib.h>
#include <string.h>

#define GZIP_WINDOW (15 + 16) /* zlib's way to ask for gzip */
#define MEMORY      8         /* zlib's default */
#define ROOM        ((size_t)16 << 10)

enum weft_status weft_warc_packer_init(struct weft_warc_packer *p)
{
    *p = (struct weft_warc_packer){.ready = false};
    weft_buf_init(&p->head, WEFT_MAX_RECORD);
    p->ready = deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    return p->ready ? WEFT_OK : WEFT_ENOMEM;
}

void weft_warc_packer_release(struct weft_warc_packer *p)
{
    if (p->ready) {
        deflateEnd(&p->z);
    }
    weft_buf_release(&p->head);
    p->ready = false;
}

static enum weft_status put(struct weft_buf *b, const char *name, const char *value)
{
    return value && *value ? weft_buf_printf(b, "%s: %s\r\n", name, value) : WEFT_OK;
}

static enum weft_status put_id(struct weft_buf *b, const char *name, const struct weft_uuid *id)
{
    if (!id) {
        return WEFT_OK;
    }
    const unsigned char *u = id->bytes;
    return weft_buf_printf(b,
                           "%s: <urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
                           "%02x%02x%02x%02x%02x%02x>\r\n",
                           name, u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10],
                           u[11], u[12], u[13], u[14], u[15]);
}

static enum weft_status put_date(struct weft_buf *b, const char *name, int64_t at)
{
    char text[32];
    weft_rfc3339(at, text, sizeof text);
    return put(b, name, text);
}

static enum weft_status put_digest(struct weft_buf *b, const char *name, const char *digest)
{
    return digest ? weft_buf_printf(b, "%s: sha1:%s\r\n", name, digest) : WEFT_OK;
}

/* Whatever a server or a caller sent: a header line is never left, and RFC 3986 is kept. */
static enum weft_status put_uri(struct weft_buf *b, const char *name, const char *uri)
{
    if (!uri) {
        return WEFT_OK;
    }
    enum weft_status st = weft_buf_printf(b, "%s: ", name);
    for (const char *at = uri; st == WEFT_OK && *at; at++) {
        unsigned char c = (unsigned char)*at;
        bool plain = c > 0x20 && c < 0x7f && !strchr("\"<>\\^`{|}", c);
        st = plain ? weft_buf_append(b, at, 1) : weft_buf_printf(b, "%%%02X", c);
    }
    return st == WEFT_OK ? weft_buf_puts(b, "\r\n") : st;
}

static enum weft_status put_head(struct weft_buf *b, const struct weft_warc_head *h,
                                 const char *block_digest, size_t len)
{
    enum weft_status st;
    weft_buf_clear(b);
    if ((st = weft_buf_puts(b, "WARC/1.1\r\n")) != WEFT_OK ||
        (st = put(b, "WARC-Type", h->type)) != WEFT_OK ||
        (st = put_id(b, "WARC-Record-ID", &h->id)) != WEFT_OK ||
        (st = put_date(b, "WARC-Date", h->at)) != WEFT_OK ||
        (st = put_uri(b, "WARC-Target-URI", h->target_uri)) != WEFT_OK ||
        (st = put(b, "WARC-IP-Address", h->ip)) != WEFT_OK ||
        (st = put_id(b, "WARC-Warcinfo-ID", h->warcinfo)) != WEFT_OK ||
        (st = put_id(b, "WARC-Concurrent-To", h->concurrent_to)) != WEFT_OK ||
        (st = put_id(b, "WARC-Refers-To", h->refers_to)) != WEFT_OK ||
        (st = put_uri(b, "WARC-Refers-To-Target-URI", h->refers_to_uri)) != WEFT_OK ||
        (st = h->refers_to ? put_date(b, "WARC-Refers-To-Date", h->refers_to_at) : WEFT_OK) !=
            WEFT_OK ||
        (st = put(b, "WARC-Profile", h->profile)) != WEFT_OK ||
        (st = put(b, "WARC-Truncated", h->truncated)) != WEFT_OK ||
        (st = put(b, "WARC-Filename", h->filename)) != WEFT_OK ||
        (st = put_digest(b, "WARC-Payload-Digest", h->payload_digest)) != WEFT_OK ||
        (st = put_digest(b, "WARC-Block-Digest", block_digest)) != WEFT_OK ||
        (st = put(b, "Content-Type", h->content_type)) != WEFT_OK) {
        return st;
    }
    return weft_buf_printf(b, "Content-Length: %zu\r\n\r\n", len);
}

/* Compresses bytes onto out; with finish, ends the member. */
static enum weft_status deflate_onto(z_stream *z, struct weft_buf *out, const char *bytes,
                                     size_t len, bool finish)
{
    int code;
    z->next_in = (const unsigned char *)bytes;
    z->avail_in = (unsigned)len; /* bodies and headers are far below 4 GiB: limits.h */
    do {
        enum weft_status st = weft_buf_reserve(out, ROOM);
        if (st != WEFT_OK) {
            return st;
        }
        z->next_out = (unsigned char *)out->data + out->len;
        z->avail_out = ROOM;
        code = deflate(z, finish ? Z_FINISH : Z_NO_FLUSH);
        out->len += ROOM - z->avail_out;
    } while (z->avail_out == 0 || (finish && code != Z_STREAM_END));
    return WEFT_OK;
}

enum weft_status weft_warc_pack(struct weft_warc_packer *p, struct weft_buf *out,
                                const struct weft_warc_head *head, const char *block, size_t len)
{
    struct sha1_ctx sha;
    unsigned char digest[SHA1_DIGEST_SIZE];
    char text[WEFT_DIGEST_TEXT];
    sha1_init(&sha);
    sha1_update(&sha, len, (const unsigned char *)block);
    sha1_digest(&sha, sizeof digest, digest);
    weft_digest_text(digest, text);
    enum weft_status st = put_head(&p->head, head, text, len);
    if (st != WEFT_OK) {
        return st;
    }
    deflateReset(&p->z);
    if ((st = deflate_onto(&p->z, out, p->head.data, p->head.len, false)) == WEFT_OK &&
        (st = deflate_onto(&p->z, out, block, len, false)) == WEFT_OK) {
        st = deflate_onto(&p->z, out, "\r\n\r\n", 4, true);
    }
    return st;
}
