/* check_kill.c -- a writer that is killed in the middle: what it wrote is whole records but for the
 * last, and appending makes every output valid again with nothing lost. */
#include "fixture.h"
#include "support/eventually.h"
#include "valid.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = 12 };

static char *dir;

static void setup(void)
{
    dir = fixture_dir();
}

static void teardown(void)
{
    fixture_remove(dir);
}

/* In a process of its own: writes until it is killed, at most some records more than those after
 * which that happens, and counts in *put what the writer has let go of. */
static void write_until_killed(const char *path, atomic_int *put, int most)
{
    char error[512];
    const char *paths[] = {path, NULL};
    struct weft_writer_options options = {
        .paths = paths, .mode = WEFT_OUTPUT_APPEND, .queue_max = 1};
    struct weft_writer *w;
    struct weft_record r = valid_record();
    if (weft_writer_new(&w, &options, error, sizeof error) != WEFT_OK) {
        fprintf(stderr, "%s\n", error);
        _exit(1);
    }
    for (int i = 0; i < most; i++) {
        if (weft_writer_put(w, fixture_item(&r, put)) != WEFT_OK) {
            _exit(1);
        }
    }
    for (;;) {
        pause();
    }
}

struct target {
    atomic_int *put;
    int n;
};

static bool has_put(void *arg)
{
    struct target *t = arg;
    return atomic_load(t->put) >= t->n;
}

START_TEST(nothing_whole_is_lost)
{
    char *path = fixture_path(dir, valid_outputs[_i].name);
    atomic_int *put = mmap(NULL, sizeof *put, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                           -1, 0);
    ck_assert_ptr_ne(put, MAP_FAILED);
    int before = 0;
    for (int i = 0; i < KILLS; i++) {
        struct target target = {put, 1 + 37 * i};
        atomic_store(put, 0);
        pid_t child = fork();
        if (child == 0) {
            write_until_killed(path, put, target.n + 300);
        }
        ck_assert(eventually(has_put, &target, weft_in_ms(60000)));
        kill(child, SIGKILL);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status));
        int written = before + atomic_load(put);
        fixture_put_all(path, WEFT_OUTPUT_APPEND, NULL, 0); /* mends */
        int now = valid_outputs[_i].count(path);
        ck_assert_int_ge(now, written - valid_outputs[_i].batch);
        ck_assert_int_ge(now, before);
        ck_assert_int_le(now, written + 1); /* one may be written and not yet counted */
        before = now;
    }
    munmap(put, sizeof *put);
    free(path);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("kill");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, nothing_whole_is_lost, 0, VALID_OUTPUTS);
    return suite_run("store: kill", tc);
}
