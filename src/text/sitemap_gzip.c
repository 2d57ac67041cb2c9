/* sitemap_gzip.c -- unpacks gzip as it comes. Knows zlib; knows nothing of what is packed. */
#include "text/sitemap_parts.h"

#include <stdlib.h>
#include <zlib.h>

struct sitemap_gzip {
    sitemap_sink *sink;
    void *user;
    z_stream z;
    bool whole; /* a member has ended; another may follow */
    bool over;  /* damaged, or followed by something else */
    unsigned char out[16384];
};

enum weft_status weft_sitemap_gzip_new(struct sitemap_gzip **out, sitemap_sink *sink, void *user)
{
    struct sitemap_gzip *g = calloc(1, sizeof *g);
    *out = NULL;
    if (!g) {
        return WEFT_ENOMEM;
    }
    if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK) { /* 16: gzip's header and trailer */
        free(g);
        return WEFT_ENOMEM;
    }
    g->sink = sink;
    g->user = user;
    *out = g;
    return WEFT_OK;
}

void weft_sitemap_gzip_free(struct sitemap_gzip *g)
{
    if (g) {
        inflateEnd(&g->z);
        free(g);
    }
}

bool weft_sitemap_gzip_whole(const struct sitemap_gzip *g)
{
    return g->whole;
}

enum weft_status weft_sitemap_gzip_feed(struct sitemap_gzip *g, const char *bytes, size_t len)
{
    g->z.next_in = (z_const Bytef *)bytes;
    enum weft_status st = WEFT_OK;
    while (len > 0 && !g->over && st == WEFT_OK) {
        uInt some = len < 1u << 30 ? (uInt)len : 1u << 30;
        if (g->whole) { /* RFC 1952 2.2: a file is one member after another */
            g->over = *g->z.next_in != 0x1f || inflateReset(&g->z) != Z_OK;
            g->whole = g->over;
            continue;
        }
        g->z.avail_in = some;
        g->z.next_out = g->out;
        g->z.avail_out = sizeof g->out;
        int rc = inflate(&g->z, Z_NO_FLUSH);
        if (rc == Z_MEM_ERROR) {
            return WEFT_ENOMEM;
        }
        len -= some - g->z.avail_in;
        g->whole = rc == Z_STREAM_END;
        g->over = rc != Z_OK && rc != Z_STREAM_END;
        st = g->sink(g->user, (const char *)g->out, sizeof g->out - g->z.avail_out);
    }
    return st;
}
