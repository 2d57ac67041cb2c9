/* valid.h -- whether an output's file is valid as it stands, judged by readers that are not weft's.
 */
#ifndef WEFT_TEST_STORE_VALID_H
#define WEFT_TEST_STORE_VALID_H

/* How many records the file has; the test fails if it is not valid from its first byte to its last.
 * Records are those of valid_record. */
int valid_jsonl(const char *path);
int valid_csv(const char *path);
int valid_db(const char *path);
int valid_warc(const char *path);
int valid_dot(const char *path);

/* A record with something for every output: two links, an exchange. */
struct weft_record valid_record(void);

struct valid_output {
    const char *name; /* of a file */
    int (*count)(const char *path);
    int batch; /* records that a kill or a failure may cost: those of one transaction */
};

#define VALID_OUTPUTS 5
extern const struct valid_output valid_outputs[VALID_OUTPUTS];

#endif
