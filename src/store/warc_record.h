/* warc_record.h -- one record of a WARC file (ISO 28500:2017, version 1.1), as a gzip member of its
 * own (annex D). Knows the record's form and zlib; knows no files and no crawl records. */
#ifndef WEFT_STORE_WARC_RECORD_H
#define WEFT_STORE_WARC_RECORD_H

#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>
#define ZLIB_CONST /* zlib's pointers to what it only reads are const */
#include <zlib.h>

struct weft_uuid {
    unsigned char bytes[16];
};

/* What stands in a record's header; NULL, zero or empty fields are left out. */
struct weft_warc_head {
    const char *type; /* "response", ... */
    struct weft_uuid id;
    int64_t at;             /* WARC-Date: nanoseconds since 1970 */
    const char *target_uri; /* bytes that no URI may have are percent-encoded */
    const char *content_type;
    const char *filename;
    const char *ip;
    const char *truncated;
    const char *profile;
    const char *payload_digest; /* base32 of SHA-1 */
    const struct weft_uuid *warcinfo, *concurrent_to, *refers_to;
    const char *refers_to_uri;
    int64_t refers_to_at; /* told when refers_to is */
};

struct weft_warc_packer {
    z_stream z;
    bool ready;
    struct weft_buf head; /* scratch for a header */
};

/* Makes p ready. WEFT_OK, WEFT_ENOMEM. Release it also after a failure. */
enum weft_status weft_warc_packer_init(struct weft_warc_packer *p) WEFT_MUST_USE;
void weft_warc_packer_release(struct weft_warc_packer *p);

/* Appends a record with block[0..len) to out, compressed; computes its digest. WEFT_OK,
 * WEFT_ENOMEM, WEFT_ELIMIT (out's limit). */
enum weft_status weft_warc_pack(struct weft_warc_packer *p, struct weft_buf *out,
                                const struct weft_warc_head *head, const char *block,
                                size_t len) WEFT_MUST_USE;

#endif
