/* fixture.c -- see fixture.h. */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const fixture_hostile[] = {
    "plain",
    "",
    "two\nlines",
    "two\r\nlines",
    "quote \" backslash \\ slash /",
    "comma, semicolon; tab\t",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\x01\x02\x1b[31m\x7f",
    "caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80",
    "line\xe2\x80\xa8separator\xe2\x80\xa9paragraph\xc2\x85next",
    "\xef\xbb\xbf byte order mark",
    "latin1 caf\xe9",
    "\xff\xfe",
    "\xc3",
    "\xe2\x82",
    "\xf0\x9f\x98",
    "\xed\xa0\x80 surrogate",
    "\xc0\xaf overlong",
    "\xf4\x90\x80\x80 above",
    "</script><!--]]>",
    "' OR 1=1; DROP TABLE pages; --",
    "WARC/1.1\r\nWARC-Type: response\r\n\r\n",
    "ends in backslash\\",
    NULL,
};

char *fixture_dir(void)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = NULL;
    if (!tmp) { /* in memory if possible: the store hands its files to the disk, which takes time */
        tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    }
    ck_assert_int_gt(asprintf(&dir, "%s/weft-store-XXXXXX", tmp), 0);
    ck_assert_ptr_nonnull(mkdtemp(dir));
    return dir;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *ftw)
{
    (void)s;
    (void)type;
    (void)ftw;
    return remove(path);
}

void fixture_remove(char *dir)
{
    nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(dir);
}

char *fixture_path(const char *dir, const char *name)
{
    char *path = NULL;
    ck_assert_int_gt(asprintf(&path, "%s/%s", dir, name), 0);
    return path;
}

char *fixture_read(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s can't be read", path);
    size_t n = 0, cap = 4096;
    char *bytes = malloc(cap);
    for (;;) {
        ck_assert_ptr_nonnull(bytes);
        size_t got = fread(bytes + n, 1, cap - n - 1, f);
        n += got;
        if (got == 0) {
            break;
        }
        if (cap - n < 2) {
            cap *= 2;
            bytes = realloc(bytes, cap);
        }
    }
    fclose(f);
    bytes[n] = '\0';
    if (len) {
        *len = n;
    }
    return bytes;
}

void fixture_write(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

struct weft_record fixture_record(const char *url)
{
    static const struct weft_redirect hops[] = {{301, "http://a.example/old"},
                                                {302, "http://a.example/older"}};
    static const struct weft_record_link links[] = {
        {.url = "http://a.example/one", .line = 3},
        {.url = "http://a.example/two", .fragment = "part", .nofollow = true},
    };
    static const char body[] = "<title>A title</title>";
    return (struct weft_record){
        .url = url,
        .outcome = WEFT_FETCHED,
        .status = 200,
        .final_url = "http://a.example/new",
        .redirects = hops,
        .nredirects = 2,
        .depth = 3,
        .referrer = "http://a.example/",
        .attempts = 2,
        .content_type = "text/html; charset=utf-8",
        .charset = "utf-8",
        .title = "A title",
        .bytes = sizeof body - 1,
        .nlinks = 2,
        .started_at = INT64_C(1709251199999000000),
        .elapsed_ms = 12.3456,
        .worker = 7,
        .links = links,
        .body = body,
        .body_len = sizeof body - 1,
    };
}

struct counted {
    struct weft_item item;
    atomic_int *freed;
};

static void free_counted(struct weft_item *item)
{
    struct counted *c = (struct counted *)((char *)item - offsetof(struct counted, item));
    if (c->freed) {
        atomic_fetch_add(c->freed, 1);
    }
    free(c);
}

struct weft_item *fixture_item(const struct weft_record *record, atomic_int *freed)
{
    struct counted *c = calloc(1, sizeof *c);
    /* No assertion: Check notes each one, and a child that is killed would cut its note. */
    if (!c) {
        ck_abort_msg("no memory");
    }
    c->item.record = *record;
    c->item.free = free_counted;
    c->freed = freed;
    return &c->item;
}

struct weft_writer *fixture_writer(const char *path, enum weft_output_mode mode)
{
    struct weft_writer *w;
    char error[512] = "";
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {.paths = paths, .mode = mode};
    enum weft_status st = weft_writer_new(&w, &options, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s: %s", path, error);
    return w;
}

void fixture_put_all(const char *path, enum weft_output_mode mode,
                     const struct weft_record *records, size_t n)
{
    char error[512] = "";
    struct weft_writer *w = fixture_writer(path, mode);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&records[i], NULL)), WEFT_OK);
    }
    enum weft_status st = weft_writer_close(w, NULL, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s: %s", path, error);
}

void fixture_comes_to_nothing(const char *dir, const char *path)
{
    char *before = fixture_read(path, NULL);
    char *other = fixture_path(dir, "other.csv");
    fixture_write(other, "not,ours\r\n", 10);
    const char *paths[] = {path, other, NULL};
    struct weft_writer_options options = {.paths = paths, .mode = WEFT_OUTPUT_APPEND};
    struct weft_writer *w;
    char error[512];
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EINVAL);
    char *after = fixture_read(path, NULL);
    ck_assert_str_eq(after, before);
    free(after);
    free(before);
    free(other);
}
