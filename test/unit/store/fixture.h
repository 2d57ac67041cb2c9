/* fixture.h -- records, temporary folders and files for the tests of the store layer. */
#ifndef WEFT_TEST_STORE_FIXTURE_H
#define WEFT_TEST_STORE_FIXTURE_H

#include "store/writer.h"
#include "support/suite.h"
#include <stdatomic.h>
#include <stddef.h>

/* As ck_assert_msg, for loops: that one writes to a file each time that all is well. */
#define must(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg(__VA_ARGS__);                                                             \
        }                                                                                          \
    } while (0)

/* Makes a new folder below TMPDIR; ends the test if it can't. Gives the path, to free(). */
char *fixture_dir(void);
/* Removes it with all that is in it, and frees the path. */
void fixture_remove(char *dir);
/* "DIR/name", to free(). */
char *fixture_path(const char *dir, const char *name);
/* The bytes of a file with a NUL behind them, to free(); *len may be NULL. Fails the test if it
 * can't be read. */
char *fixture_read(const char *path, size_t *len);
void fixture_write(const char *path, const char *bytes, size_t len);

/* A record with every field set to something ordinary. All it points to is static. */
struct weft_record fixture_record(const char *url);

/* An item on the heap that holds record (pointers as they are); *freed is counted up when it is
 * freed. */
struct weft_item *fixture_item(const struct weft_record *record, atomic_int *freed);

/* A writer for one path; fails the test if there is none. */
struct weft_writer *fixture_writer(const char *path, enum weft_output_mode mode);
/* Writes the records to path and closes; every call must succeed. */
void fixture_put_all(const char *path, enum weft_output_mode mode,
                     const struct weft_record *records, size_t n);

/* Appends to path together with an output that can't be opened: path must be as it was before. */
void fixture_comes_to_nothing(const char *dir, const char *path);

/* Bytes that hurt: each is a title, a URL or a header's value in the tests. NULL-terminated. */
extern const char *const fixture_hostile[];

#endif
