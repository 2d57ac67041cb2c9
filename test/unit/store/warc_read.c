/* warc_read.c -- see warc_read.h. */
#include "warc_read.h"

#include "fixture.h"
#include <ctype.h>
#include <nettle/sha1.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

/* Patterns are string constants, compiled once. */
static void expect_match(const char *value, const char *pattern)
{
    static struct {
        const char *pattern;
        regex_t re;
    } known[16];
    size_t i = 0;
    while (known[i].pattern && known[i].pattern != pattern) {
        must(++i < sizeof known / sizeof known[0], "too many patterns");
    }
    if (!known[i].pattern) {
        must(regcomp(&known[i].re, pattern, REG_EXTENDED | REG_NOSUB) == 0, "%s", pattern);
        known[i].pattern = pattern;
    }
    must(regexec(&known[i].re, value, 0, NULL, 0) == 0, "\"%s\" is no %s", value, pattern);
}

char *warc_field(const struct warc_record *r, const char *name)
{
    size_t n = strlen(name);
    const char *end = r->text + r->head_len;
    for (const char *at = strchr(r->text, '\n') + 1; at < end; at = strchr(at, '\n') + 1) {
        if (strncasecmp(at, name, n) == 0 && at[n] == ':') {
            const char *value = at + n + 2;
            return strndup(value, strcspn(value, "\r"));
        }
    }
    return NULL;
}

void warc_expect(const struct warc_record *r, const char *name, const char *value)
{
    char *is = warc_field(r, name);
    if (value) {
        must(is && strcmp(is, value) == 0, "%s is %s and not %s", name, is ? is : "none", value);
    } else {
        must(!is, "%s is %s and not absent", name, is);
    }
    free(is);
}

static void expect_form(const struct warc_record *r, const char *name, const char *pattern,
                        int mandatory)
{
    char *value = warc_field(r, name);
    must(value || !mandatory, "no %s in\n%.*s", name, (int)r->head_len, r->text);
    if (value) {
        expect_match(value, pattern);
    }
    free(value);
}

/* Every line of the header is "name: value", printable, and no name comes twice. */
static void judge_lines(const struct warc_record *r)
{
    const char *end = r->text + r->head_len - 2;
    must(strncmp(r->text, "WARC/1.1\r\n", 10) == 0, "another version");
    for (const char *at = r->text + 10; at < end; at = strchr(at, '\n') + 1) {
        const char *stop = strchr(at, '\n');
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        must(colon && colon[1] == ' ' && stop[-1] == '\r', "a line that is no field");
        for (const char *c = at; c < stop - 1; c++) {
            must(*c >= 0x20 && *c < 0x7f, "a byte that is not printable");
        }
        for (const char *c = at; c < colon; c++) {
            must(isalnum((unsigned char)*c) || *c == '-', "a bad name");
        }
        for (const char *other = stop + 1; other < end; other = strchr(other, '\n') + 1) {
            must(strncasecmp(at, other, (size_t)(colon - at + 1)) != 0, "%.*s twice",
                 (int)(colon - at), at);
        }
    }
}

static unsigned value32(char c)
{
    const char *alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const char *at = strchr(alphabet, c);
    must(at, "no base32");
    return (unsigned)(at - alphabet);
}

/* Whether "sha1:BASE32" is the digest of bytes. */
static void judge_digest(const char *labelled, struct sha1_ctx *sha)
{
    unsigned char want[SHA1_DIGEST_SIZE], is[SHA1_DIGEST_SIZE];
    sha1_digest(sha, sizeof want, want);
    expect_match(labelled, "^sha1:[A-Z2-7]{32}$");
    const char *text = labelled + 5;
    for (size_t bit = 0; bit < 160; bit++) {
        unsigned b = value32(text[bit / 5]) >> (4 - bit % 5) & 1;
        is[bit / 8] = (unsigned char)((bit % 8 ? is[bit / 8] << 1 : 0) | b);
    }
    must(memcmp(is, want, sizeof want) == 0, "%s is another digest", labelled);
}

/* The payload: behind the HTTP header, without chunks. */
static void judge_payload(const struct warc_record *r, const char *labelled)
{
    struct sha1_ctx sha;
    sha1_init(&sha);
    const char *end = r->block + r->block_len;
    const char *body = strstr(r->block, "\r\n\r\n");
    must(body, "no end of the header");
    body += 4;
    char *head = strndup(r->block, (size_t)(body - r->block));
    const char *coding = strcasestr(head, "\ntransfer-encoding:");
    if (!coding || !strcasestr(coding, "chunked")) {
        sha1_update(&sha, (size_t)(end - body), (const uint8_t *)body);
    } else {
        for (;;) {
            char *data;
            size_t n = strtoul(body, &data, 16);
            data = strstr(data, "\r\n");
            if (n == 0 || !data) {
                break;
            }
            data += 2;
            n = n < (size_t)(end - data) ? n : (size_t)(end - data);
            sha1_update(&sha, n, (const uint8_t *)data);
            if (data + n + 2 >= end) {
                break;
            }
            body = data + n + 2;
        }
    }
    judge_digest(labelled, &sha);
    free(head);
}

#define URN "<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>"

static void judge_record(const struct warc_record *r)
{
    judge_lines(r);
    expect_form(r, "WARC-Type", "^(warcinfo|response|request|revisit)$", 1);
    expect_form(r, "WARC-Record-ID", "^" URN "$", 1);
    expect_form(r, "WARC-Date",
                "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\\.[0-9]{1,9})?Z$",
                1);
    expect_form(r, "Content-Length", "^(0|[1-9][0-9]*)$", 1);
    expect_form(r, "WARC-Truncated", "^(length|time|disconnect|unspecified)$", 0);
    expect_form(r, "WARC-IP-Address", "^([0-9]+\\.){3}[0-9]+$|^[0-9a-f:.]+$", 0);

    char *type = warc_field(r, "WARC-Type");
    int info = strcmp(type, "warcinfo") == 0, revisit = strcmp(type, "revisit") == 0;
    if (info) {
        warc_expect(r, "WARC-Target-URI", NULL);
        warc_expect(r, "WARC-IP-Address", NULL);
        warc_expect(r, "WARC-Payload-Digest", NULL);
        warc_expect(r, "Content-Type", "application/warc-fields");
    } else {
        expect_form(r, "WARC-Target-URI", "^https?://[^ ]+$", 1);
        warc_expect(r, "Content-Type",
                    strcmp(type, "request") == 0 ? "application/http;msgtype=request"
                                                 : "application/http;msgtype=response");
    }
    expect_form(r, "WARC-Profile",
                "^http://netpreserve.org/warc/1.1/revisit/identical-payload-digest$", revisit);

    struct sha1_ctx sha;
    sha1_init(&sha);
    sha1_update(&sha, r->block_len, (const uint8_t *)r->block);
    char *digest = warc_field(r, "WARC-Block-Digest");
    judge_digest(digest, &sha);
    char *payload = warc_field(r, "WARC-Payload-Digest");
    if (payload && !revisit) {
        judge_payload(r, payload);
    }
    free(payload);
    free(digest);
    free(type);
}

static int compare(const void *a, const void *b)
{
    const struct warc_record *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

static void sort_ids(struct warc_file *f)
{
    f->by_id = calloc(f->n + 1, sizeof *f->by_id);
    must(f->by_id, "%s", "missing: f->by_id");
    for (size_t i = 0; i < f->n; i++) {
        f->by_id[i] = &f->records[i];
    }
    qsort(f->by_id, f->n, sizeof *f->by_id, compare);
    for (size_t i = 1; i < f->n; i++) {
        must(strcmp(f->by_id[i - 1]->id, f->by_id[i]->id) != 0, "an id twice");
    }
}

static const struct warc_record *find(const struct warc_file *f, char *id)
{
    const struct warc_record key = {.id = id}, *wanted = &key;
    const struct warc_record **found = bsearch(&wanted, f->by_id, f->n, sizeof *f->by_id, compare);
    must(found != NULL, "%s is no record of the file", id);
    return *found;
}

static void same_field(const struct warc_record *a, const char *name, const struct warc_record *b,
                       const char *other)
{
    char *value = warc_field(a, name);
    must(value, "%s", "missing: value");
    warc_expect(b, other, value);
    free(value);
}

static void judge_references(const struct warc_file *f)
{
    static const char *const names[] = {"WARC-Warcinfo-ID", "WARC-Concurrent-To", "WARC-Refers-To"};
    for (size_t i = 0; i < f->n; i++) {
        const struct warc_record *r = &f->records[i];
        for (size_t k = 0; k < 3; k++) {
            char *to = warc_field(r, names[k]);
            if (to && k == 2) {
                const struct warc_record *earlier = find(f, to);
                must(earlier < r, "it refers to a later one");
                warc_expect(earlier, "WARC-Type", "response");
                same_field(r, "WARC-Refers-To-Target-URI", earlier, "WARC-Target-URI");
                same_field(r, "WARC-Refers-To-Date", earlier, "WARC-Date");
                same_field(r, "WARC-Payload-Digest", earlier, "WARC-Payload-Digest");
            } else if (to) {
                char *type = warc_field(find(f, to), "WARC-Type");
                expect_match(type, k == 0 ? "^warcinfo$" : "^(response|revisit)$");
                free(type);
            }
            free(to);
        }
    }
}

/* Unpacks one member; returns how many bytes it took. */
static size_t unpack(const char *bytes, size_t len, struct warc_record *r)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)len};
    size_t cap = 1 << 10, n = 0;
    int code;
    must(inflateInit2(&z, 15 + 16) == Z_OK, "zlib");
    char *text = NULL;
    do {
        cap *= 2;
        text = realloc(text, cap + 1);
        must(text, "%s", "missing: text");
        z.next_out = (Bytef *)text + n;
        z.avail_out = (uInt)(cap - n);
        code = inflate(&z, Z_NO_FLUSH);
        n = cap - z.avail_out;
    } while (code == Z_OK);
    must(code == Z_STREAM_END, "a member does not end");
    text[n] = '\0';
    char *end = strstr(text, "\r\n\r\n");
    must(end, "%s", "missing: end");
    *r = (struct warc_record){.text = text, .head_len = (size_t)(end + 4 - text), .block = end + 4};
    char *length = warc_field(r, "Content-Length");
    must(length, "%s", "missing: length");
    r->block_len = strtoul(length, NULL, 10);
    free(length);
    must(r->head_len + r->block_len + 4 == n,
         "more than one record"); /* one record, and nothing behind it */
    must(memcmp(text + n - 4, "\r\n\r\n", 4) == 0, "no end of the record");
    size_t took = len - z.avail_in;
    inflateEnd(&z);
    return took;
}

struct warc_file warc_read(const char *path)
{
    struct warc_file f = {.records = NULL};
    size_t len;
    char *bytes = fixture_read(path, &len);
    for (size_t at = 0; at < len;) {
        if ((f.n & (f.n - 1)) == 0) { /* full at each power of two */
            f.records = realloc(f.records, (f.n ? 2 * f.n : 1) * sizeof *f.records);
            must(f.records, "%s", "missing: f.records");
        }
        struct warc_record *r = &f.records[f.n++];
        at += unpack(bytes + at, len - at, r);
        judge_record(r);
        r->id = warc_field(r, "WARC-Record-ID");
    }
    free(bytes);
    sort_ids(&f);
    judge_references(&f);
    return f;
}

void warc_release(struct warc_file *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->records[i].text);
        free(f->records[i].id);
    }
    free(f->by_id);
    free(f->records);
}
