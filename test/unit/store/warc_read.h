/* warc_read.h -- a strict reader of compressed WARC 1.1 files, written for the tests from the
 * standard, apart from the code that it judges. */
#ifndef WEFT_TEST_STORE_WARC_READ_H
#define WEFT_TEST_STORE_WARC_READ_H

#include <stddef.h>

struct warc_record {
    char *id;   /* WARC-Record-ID */
    char *text; /* header, block and end, as unpacked from one gzip member */
    size_t head_len;
    const char *block;
    size_t block_len;
};

struct warc_file {
    struct warc_record *records;
    const struct warc_record **by_id; /* the same, sorted */
    size_t n;
};

/* Reads a file and judges it by itself: one record a member, mandatory fields and their forms,
 * no field twice, block digests, payload digests, ids unique, every reference to an id of the
 * file, a revisit's fields those of the record that it refers to. Fails the test at the first
 * fault. Release with warc_release. */
struct warc_file warc_read(const char *path);
void warc_release(struct warc_file *f);

/* The value of a record's field, to free(); NULL if it has none. */
char *warc_field(const struct warc_record *r, const char *name);
/* Fails the test unless the field is value (NULL: absent). */
void warc_expect(const struct warc_record *r, const char *name, const char *value);

#endif
