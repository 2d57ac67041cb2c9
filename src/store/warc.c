/* warc.c -- WARC 1.1: what went over the wire, for archives.
 *
 * For each answer a response record, or a revisit record if its payload is in the file already, and
 * the request. All of a page go out in one write, so that it is never half there. */
#include "base/limits.h"
#include "store/file.h"
#include "store/gzip_mend.h"
#include "store/http_message.h"
#include "store/output.h"
#include "store/revisits.h"
#include "store/warc_record.h"
#include "weft/clock.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

struct warc {
    struct weft_file file;
    struct weft_warc_packer packer;
    struct weft_buf out;     /* the members that are written at once */
    struct weft_buf request; /* as it is stored */
    struct weft_revisits revisits;
    struct weft_uuid warcinfo;
    const char *software, *name;
};

static enum weft_status random_bytes(struct warc *o, void *to, size_t len)
{
    ssize_t n = getrandom(to, len, 0); /* up to 256 bytes come whole, without EINTR */
    return n == (ssize_t)len ? WEFT_OK
                             : weft_fail_errno(o->file.failure, "make an id for", o->file.path,
                                               n < 0 ? errno : EIO);
}

/* RFC 9562, version 4. */
static enum weft_status new_uuid(struct warc *o, struct weft_uuid *id)
{
    enum weft_status st = random_bytes(o, id->bytes, sizeof id->bytes);
    id->bytes[6] = (unsigned char)((id->bytes[6] & 0x0f) | 0x40);
    id->bytes[8] = (unsigned char)((id->bytes[8] & 0x3f) | 0x80);
    return st;
}

/* The digest of the payload: RFC 2616's entity-body, that is, without transfer codings but with
 * content codings. Returns whether all of it is there; *known is false where it can't be told. */
static bool digest_payload(const struct weft_http_message *m, unsigned char *digest, size_t *size,
                           bool *known)
{
    struct sha1_ctx sha;
    const char *piece;
    size_t at = 0, len;
    bool whole;
    *size = 0;
    sha1_init(&sha);
    while (weft_http_next_piece(m, &at, &piece, &len, &whole)) {
        sha1_update(&sha, len, (const unsigned char *)piece);
        *size += len;
    }
    sha1_digest(&sha, SHA1_DIGEST_SIZE, digest);
    *known = !m->other_coding;
    return whole;
}

/* The standard's word for why a block is not whole; NULL: it is. */
static const char *truncation(const struct weft_record *r)
{
    switch (r->reason) {
    case WEFT_REASON_TIMEOUT:
        return "time";
    case WEFT_REASON_TOO_LARGE:
        return "length";
    case WEFT_REASON_TRUNCATED:
    case WEFT_REASON_CONNECTION:
    case WEFT_REASON_TLS:
        return "disconnect";
    case WEFT_REASON_BAD_CONTENT:
    case WEFT_REASON_INTERRUPTED:
        return "unspecified";
    default:
        break;
    }
    bool head = r->wire_request_len >= 5 && memcmp(r->wire_request, "HEAD ", 5) == 0;
    return r->unwanted && !head ? "unspecified" : NULL;
}

/* Fills in what makes a response a revisit of an earlier one, or remembers it. Gives how much of
 * the message is the block. */
static enum weft_status judge_payload(struct warc *o, struct weft_warc_head *head,
                                      const struct weft_http_message *m, struct weft_uuid *earlier,
                                      char digest_text[WEFT_DIGEST_TEXT], size_t *block_len)
{
    struct weft_revisit what = {.at = head->at};
    size_t size;
    bool known;
    bool whole = digest_payload(m, what.digest, &size, &known);
    *block_len = m->header_len + m->body_len;
    if (!known) {
        return WEFT_OK;
    }
    weft_digest_text(what.digest, digest_text);
    head->payload_digest = digest_text;
    if (head->truncated || !whole || size == 0) {
        return WEFT_OK;
    }
    const struct weft_revisit *found = weft_revisits_find(&o->revisits, what.digest);
    if (!found) {
        memcpy(what.id, head->id.bytes, sizeof what.id);
        what.url = head->target_uri;
        return weft_revisits_add(&o->revisits, &what);
    }
    memcpy(earlier->bytes, found->id, sizeof earlier->bytes);
    head->type = "revisit";
    head->profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
    head->truncated = "length";
    head->refers_to = earlier;
    head->refers_to_uri = found->url;
    head->refers_to_at = found->at;
    *block_len = m->header_len;
    return WEFT_OK;
}

static enum weft_status pack_answer(struct warc *o, const struct weft_exchange *e,
                                    const struct weft_http_message *m, const char *truncated,
                                    const struct weft_uuid *id)
{
    struct weft_uuid earlier;
    char digest[WEFT_DIGEST_TEXT];
    size_t block_len;
    struct weft_warc_head head = {
        .type = "response",
        .id = *id,
        .at = e->started_at,
        .target_uri = e->url,
        .content_type = "application/http;msgtype=response",
        .ip = e->ip,
        .truncated = truncated,
        .warcinfo = &o->warcinfo,
    };
    enum weft_status st = judge_payload(o, &head, m, &earlier, digest, &block_len);
    return st == WEFT_OK ? weft_warc_pack(&o->packer, &o->out, &head, m->start, block_len) : st;
}

static enum weft_status pack_request(struct warc *o, const struct weft_exchange *e,
                                     const struct weft_uuid *id, const struct weft_uuid *answer)
{
    const struct weft_warc_head head = {
        .type = "request",
        .id = *id,
        .at = e->started_at,
        .target_uri = e->url,
        .content_type = "application/http;msgtype=request",
        .ip = e->ip,
        .warcinfo = &o->warcinfo,
        .concurrent_to = answer,
    };
    weft_buf_clear(&o->request);
    enum weft_status st = weft_http_withhold(&o->request, e->request, e->request_len);
    return st == WEFT_OK
               ? weft_warc_pack(&o->packer, &o->out, &head, o->request.data, o->request.len)
               : st;
}

/* Adds an exchange to what is to be written. Without an answer, or with not even its whole header,
 * there is nothing that a response record could hold. */
static enum weft_status pack_exchange(struct warc *o, const struct weft_exchange *e,
                                      const char *truncated)
{
    struct weft_http_message m;
    struct weft_uuid answer, request;
    if (!e->answer || !weft_http_split(&m, e->answer, e->answer_len)) {
        return WEFT_OK;
    }
    enum weft_status st = new_uuid(o, &answer);
    if (st != WEFT_OK || (st = new_uuid(o, &request)) != WEFT_OK) {
        return st;
    }
    st = pack_answer(o, e, &m, truncated, &answer);
    if (st == WEFT_OK && e->request_len > 0) {
        st = pack_request(o, e, &request, &answer);
    }
    return weft_fail_status(o->file.failure, o->file.path, st);
}

static enum weft_status write_record(struct weft_output *out, const struct weft_record *r)
{
    struct warc *o = (struct warc *)out;
    const struct weft_exchange last = {
        .url = r->final_url ? r->final_url : r->url,
        .ip = r->ip,
        .started_at = r->started_at,
        .request = r->wire_request,
        .request_len = r->wire_request_len,
        .answer = r->wire_answer,
        .answer_len = r->wire_answer_len,
    };
    enum weft_status st = WEFT_OK;
    weft_buf_clear(&o->out);
    for (size_t i = 0; st == WEFT_OK && i < r->nhops; i++) {
        st = pack_exchange(o, &r->hops[i], NULL);
    }
    if (st == WEFT_OK) {
        st = pack_exchange(o, &last, truncation(r));
    }
    if (st != WEFT_OK || o->out.len == 0) {
        return st;
    }
    return weft_file_append(&o->file, o->out.data, o->out.len);
}

static enum weft_status begin(struct weft_output *out)
{
    struct warc *o = (struct warc *)out;
    struct weft_buf fields;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct weft_warc_head head = {
        .type = "warcinfo",
        .at = (int64_t)now.tv_sec * WEFT_SECOND + now.tv_nsec,
        .content_type = "application/warc-fields",
        .filename = o->name,
    };
    enum weft_status st = new_uuid(o, &o->warcinfo);
    if (st != WEFT_OK) {
        return st;
    }
    head.id = o->warcinfo;
    weft_buf_init(&fields, WEFT_MAX_RECORD);
    st = weft_buf_printf(&fields,
                         "software: %s\r\n"
                         "format: WARC File Format 1.1\r\n"
                         "conformsTo: http://iipc.github.io/warc-specifications/specifications/"
                         "warc-format/warc-1.1/\r\n",
                         o->software);
    weft_buf_clear(&o->out);
    if (st == WEFT_OK) {
        st = weft_warc_pack(&o->packer, &o->out, &head, fields.data, fields.len);
    }
    weft_buf_release(&fields);
    if (st != WEFT_OK) {
        return weft_fail_status(o->file.failure, o->file.path, st);
    }
    return weft_file_append(&o->file, o->out.data, o->out.len);
}

static enum weft_status finish(struct weft_output *out, bool complete,
                               const struct weft_run_summary *summary)
{
    (void)complete; /* every member stands for itself */
    (void)summary;
    struct warc *o = (struct warc *)out;
    enum weft_status st = weft_file_close(&o->file);
    weft_warc_packer_release(&o->packer);
    weft_revisits_release(&o->revisits);
    weft_buf_release(&o->out);
    weft_buf_release(&o->request);
    free(o);
    return st;
}

static enum weft_status open_file(struct weft_output **out,
                                  const struct weft_output_options *options)
{
    *out = NULL;
    struct warc *o = calloc(1, sizeof *o);
    if (!o) {
        return WEFT_ENOMEM;
    }
    const char *slash = strrchr(options->path, '/');
    uint64_t seed;
    o->file = (struct weft_file){.fd = -1, .path = options->path, .failure = options->failure};
    o->software = options->software;
    o->name = slash ? slash + 1 : options->path;
    weft_buf_init(&o->out, WEFT_MAX_WHOLE);
    weft_buf_init(&o->request, WEFT_MAX_RECORD);
    enum weft_status st = weft_warc_packer_init(&o->packer);
    if (st == WEFT_OK && (st = random_bytes(o, &seed, sizeof seed)) == WEFT_OK) {
        weft_revisits_init(&o->revisits, seed);
        st = weft_file_open(&o->file, options->path, options->mode, options->failure);
    }
    if (st == WEFT_OK && options->mode == WEFT_OUTPUT_APPEND && o->file.regular) {
        st = options->resume ? weft_file_resume(&o->file, options->position)
                             : weft_gzip_mend(&o->file, "WARC/1.");
    }
    if (st != WEFT_OK) {
        struct weft_failure first = *options->failure; /* closing may have a sentence too */
        (void)finish((struct weft_output *)o, false, NULL);
        *options->failure = first;
        return st;
    }
    *out = (struct weft_output *)o;
    return WEFT_OK;
}

static int64_t position(struct weft_output *o)
{
    return weft_file_size(&((struct warc *)o)->file);
}

const struct weft_format weft_format_warc = {
    .suffixes = (const char *const[]){".warc.gz", NULL},
    .wants = WEFT_WANTS_WIRE,
    .open = open_file,
    .begin = begin,
    .write = write_record,
    .position = position,
    .finish = finish,
};
