/* check_full.c -- disks that are full, read-only or gone: a sentence, and nothing complete is lost.
 */
#include "fixture.h"
#include "valid.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

static char *dir;

static void setup(void)
{
    dir = fixture_dir();
}

static void teardown(void)
{
    umount2(dir, MNT_DETACH); /* mounted or not */
    fixture_remove(dir);
}

/* Writes until the writer says that it has failed, at most most records. Returns how many it took.
 */
static int write_until_full(const char *path, int most, char *error, size_t cap)
{
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    struct weft_record r = valid_record();
    int n = 0;
    while (n < most && weft_writer_put(w, fixture_item(&r, NULL)) == WEFT_OK) {
        n++;
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, cap), WEFT_EIO);
    return n;
}

/* What is in the file at the end is whole; for DOT that needs its footer, which may not have
 * fitted. */
static void expect_whole(const struct valid_output *output, const char *path, int taken)
{
    if (strcmp(output->name, "out.dot") == 0) {
        fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0);
    }
    int n = output->count(path);
    ck_assert_int_gt(n, 10);
    ck_assert_int_le(n, taken);
    struct weft_record r = valid_record();
    fixture_put_all(path, WEFT_OUTPUT_APPEND, &r, 1); /* there is room again */
    ck_assert_int_eq(output->count(path), n + 1);
}

/* A limit on the size of files is a full disk to the writer: it takes part of a write, then none.
 */
START_TEST(a_size_limit_keeps_what_is_whole)
{
    enum { MOST = 600000 }; /* more than Check writes to a file of its own */
    const struct valid_output *output = &valid_outputs[_i];
    struct rlimit old, limit;
    char error[512] = "";
    char *path = fixture_path(dir, output->name);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){MOST, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN); /* closing happens on this thread for what was never begun */
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int n = write_until_full(path, 100000, error, sizeof error);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    expect_whole(output, path, n);
    free(path);
}
END_TEST

/* In a mount namespace of the test's own process: whatever becomes of it, nothing stays mounted. */
static bool mount_small(const char *options)
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", dir, "tmpfs", 0, options) == 0;
}

/* A real full disk, where the test may mount one. */
START_TEST(a_full_disk_keeps_what_is_whole)
{
    const struct valid_output *output = &valid_outputs[_i];
    char error[512] = "";
    if (!mount_small("size=1m")) {
        return; /* not root: the limit of sizes is what is tested */
    }
    char *path = fixture_path(dir, output->name);
    int n = write_until_full(path, 100000, error, sizeof error);
    ck_assert_msg(strstr(error, path) != NULL, "%s", error);
    ck_assert_msg(strstr(error, "No space left") || strstr(error, "full"), "%s", error);
    ck_assert_int_eq(mount("none", dir, "tmpfs", MS_REMOUNT, "size=8m"), 0);
    expect_whole(output, path, n);
    free(path);
}
END_TEST

START_TEST(a_read_only_disk_is_told)
{
    const struct valid_output *output = &valid_outputs[_i];
    static const enum weft_output_mode modes[] = {WEFT_OUTPUT_APPEND, WEFT_OUTPUT_OVERWRITE};
    char *path = fixture_path(dir, output->name);
    char *other = fixture_path(dir, "other.jsonl");
    if (mount_small("size=1m")) {
        struct weft_record r = valid_record();
        fixture_put_all(path, WEFT_OUTPUT_NEW, &r, 1);
        ck_assert_int_eq(mount("none", dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
        for (int i = 0; i < 3; i++) {
            char error[512] = "";
            const char *paths[] = {i < 2 ? path : other, NULL};
            struct weft_writer_options options = {.paths = paths,
                                                  .mode = i < 2 ? modes[i] : WEFT_OUTPUT_NEW};
            struct weft_writer *w;
            ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_EIO);
            ck_assert_msg(strstr(error, "Read-only file system") != NULL, "%s", error);
        }
        ck_assert_int_eq(output->count(path), 1);
    }
    free(other);
    free(path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("full");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, a_size_limit_keeps_what_is_whole, 0, VALID_OUTPUTS);
    tcase_add_loop_test(tc, a_full_disk_keeps_what_is_whole, 0, VALID_OUTPUTS);
    tcase_add_loop_test(tc, a_read_only_disk_is_told, 0, VALID_OUTPUTS);
    return suite_run("store: full disks", tc);
}
