/* check_writer.c -- the writer: its queue blocks, its first failure stops it, every item is freed,
 * and what it refuses it refuses before it changed anything. */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *dir;
static struct weft_record record;

static void setup(void)
{
    signal(SIGPIPE, SIG_IGN); /* as the program does */
    dir = fixture_dir();
    record = fixture_record("http://a.example/");
}

static void teardown(void)
{
    fixture_remove(dir);
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;
    for (; (text = strchr(text, '\n')); text++) {
        n++;
    }
    return n;
}

/* --- what is refused at the start --- */

static enum weft_status open_with(const char *const *paths, enum weft_output_mode mode, char *error,
                                  size_t cap)
{
    struct weft_writer *w = (struct weft_writer *)1;
    struct weft_writer_options options = {.paths = paths, .mode = mode};
    enum weft_status st = weft_writer_new(&w, &options, error, cap);
    if (st == WEFT_OK) {
        char late[256];
        ck_assert_int_eq(weft_writer_close(w, NULL, late, sizeof late), WEFT_OK);
    } else {
        ck_assert_ptr_null(w);
    }
    return st;
}

static const struct {
    const char *path; /* below the folder unless it starts with a slash */
    enum weft_output_mode mode;
    enum weft_status status;
    const char *says;
} refused[] = {
    {"new.jsonl", WEFT_OUTPUT_NEW, WEFT_OK, ""},
    {"NEW.JSONL", WEFT_OUTPUT_NEW, WEFT_OK, ""},
    {"new.jsonl", WEFT_OUTPUT_APPEND, WEFT_OK, ""},
    {"new.jsonl", WEFT_OUTPUT_OVERWRITE, WEFT_OK, ""},
    {"old.jsonl", WEFT_OUTPUT_NEW, WEFT_EDONE, "old.jsonl exists already"},
    {"old.jsonl", WEFT_OUTPUT_APPEND, WEFT_OK, ""},
    {"old.jsonl", WEFT_OUTPUT_OVERWRITE, WEFT_OK, ""},
    {"none/new.jsonl", WEFT_OUTPUT_NEW, WEFT_EIO, "none/new.jsonl: No such file or directory"},
    {"none/new.jsonl", WEFT_OUTPUT_APPEND, WEFT_EIO, "none/new.jsonl: No such file or directory"},
    {"old.jsonl/x.jsonl", WEFT_OUTPUT_OVERWRITE, WEFT_EIO, "old.jsonl/x.jsonl: Not a directory"},
    {"", WEFT_OUTPUT_NEW, WEFT_EIO, "Is a directory"},
    {"folder.jsonl", WEFT_OUTPUT_OVERWRITE, WEFT_EIO, "folder.jsonl: Is a directory"},
    {"loop.jsonl", WEFT_OUTPUT_NEW, WEFT_EIO, "loop.jsonl: Too many levels of symbolic links"},
    {"out.xml", WEFT_OUTPUT_NEW, WEFT_EINVAL, "out.xml: its name says no format"},
    {"jsonl", WEFT_OUTPUT_NEW, WEFT_EINVAL, "jsonl: its name says no format"},
    {"/dev/full", WEFT_OUTPUT_NEW, WEFT_OK, ""},
    {"/dev/null", WEFT_OUTPUT_NEW, WEFT_OK, ""},
};

START_TEST(a_path_is_judged_before_the_crawl)
{
    char error[512] = "";
    char *old = fixture_path(dir, "old.jsonl");
    fixture_write(old, "{\"keep\":1}\n", 11);
    char *folder = fixture_path(dir, "folder.jsonl");
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    char *loop = fixture_path(dir, "loop.jsonl");
    ck_assert_int_eq(symlink("loop.jsonl", loop), 0);
    char *path = refused[_i].path[0] == '/' ? strdup(refused[_i].path)
                                            : fixture_path(dir, refused[_i].path);
    const char *paths[] = {path, NULL};
    ck_assert_int_eq(open_with(paths, refused[_i].mode, error, sizeof error), refused[_i].status);
    ck_assert_msg(strstr(error, refused[_i].says) != NULL, "%s", error);
    if (refused[_i].status != WEFT_OK) {
        char *text = fixture_read(old, NULL);
        ck_assert_str_eq(text, "{\"keep\":1}\n");
        free(text);
    }
    free(path);
    free(loop);
    free(folder);
    free(old);
}
END_TEST

START_TEST(a_bad_path_leaves_the_others_alone)
{
    char error[512] = "";
    char *old = fixture_path(dir, "old.jsonl");
    char *fresh = fixture_path(dir, "fresh.jsonl");
    char *bad = fixture_path(dir, "none/bad.jsonl");
    const char *paths[] = {old, fresh, bad, NULL};
    fixture_write(old, "keep\n", 5);
    ck_assert_int_eq(open_with(paths, WEFT_OUTPUT_OVERWRITE, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_nonnull(strstr(error, "none/bad.jsonl"));
    char *text = fixture_read(old, NULL);
    ck_assert_str_eq(text, "keep\n");
    ck_assert_int_ne(access(fresh, F_OK), 0);
    free(text);
    free(bad);
    free(fresh);
    free(old);
}
END_TEST

/* The second file can't be opened although it looked well: a socket has to be connected to. */
START_TEST(what_was_created_goes_again)
{
    char error[512] = "";
    char *fresh = fixture_path(dir, "fresh.jsonl");
    char *path = fixture_path(dir, "socket.jsonl");
    const char *paths[] = {fresh, path, NULL};
    ck_assert_int_eq(mknod(path, S_IFSOCK | 0600, 0), 0);
    ck_assert_int_eq(open_with(paths, WEFT_OUTPUT_NEW, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "can't open") && strstr(error, "socket.jsonl"), "%s", error);
    ck_assert_int_ne(access(fresh, F_OK), 0);
    free(path);
    free(fresh);
}
END_TEST

START_TEST(a_locked_file_leaves_the_others_alone)
{
    char error[512] = "";
    char *old = fixture_path(dir, "old.jsonl");
    char *locked = fixture_path(dir, "locked.jsonl");
    const char *paths[] = {old, locked, NULL};
    fixture_write(old, "keep\n", 5);
    int fd = open(locked, O_WRONLY | O_CREAT, 0600);
    ck_assert_int_eq(write(fd, "keep\n", 5), 5);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert_int_eq(open_with(paths, WEFT_OUTPUT_OVERWRITE, error, sizeof error), WEFT_EIO);
    ck_assert_msg(strstr(error, "locked.jsonl: another process is writing it"), "%s", error);
    for (int i = 0; paths[i]; i++) {
        char *text = fixture_read(paths[i], NULL);
        ck_assert_str_eq(text, "keep\n");
        free(text);
    }
    close(fd);
    free(locked);
    free(old);
}
END_TEST

START_TEST(one_file_twice_is_refused)
{
    char error[512] = "";
    char *a = fixture_path(dir, "a.jsonl");
    char *b = fixture_path(dir, "b.jsonl");
    fixture_write(a, "", 0);
    ck_assert_int_eq(symlink("a.jsonl", b), 0);
    const char *const lists[][3] = {
        {a, a, NULL}, {a, b, NULL}, {"-", "-", NULL}, {"-", "/dev/stdout", NULL}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        ck_assert_int_eq(open_with(lists[i], WEFT_OUTPUT_APPEND, error, sizeof error), WEFT_EINVAL);
        ck_assert_ptr_nonnull(strstr(error, "given twice"));
    }
    free(b);
    free(a);
}
END_TEST

START_TEST(no_output_at_all_is_fine)
{
    char error[64];
    atomic_int freed = 0;
    struct weft_writer *w;
    struct weft_writer_options options = {.paths = NULL};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    ck_assert_uint_eq(weft_writer_wants(w), 0);
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&record, &freed)), WEFT_OK);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(atomic_load(&freed), 1);
    ck_assert_int_eq(weft_writer_close(NULL, NULL, error, sizeof error), WEFT_OK);
}
END_TEST

/* --- several outputs --- */

START_TEST(every_output_gets_every_record)
{
    char error[256];
    atomic_int freed = 0;
    char *a = fixture_path(dir, "a.jsonl");
    char *b = fixture_path(dir, "b.jsonl");
    const char *paths[] = {a, b, NULL};
    struct weft_writer *w;
    struct weft_writer_options options = {.paths = paths};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&record, &freed)), WEFT_OK);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(atomic_load(&freed), 1000);
    char *text = fixture_read(a, NULL), *other = fixture_read(b, NULL);
    ck_assert_uint_eq(count_lines(text), 1000);
    ck_assert_str_eq(text, other);
    free(text);
    free(other);
    free(b);
    free(a);
}
END_TEST

/* --- the queue --- */

/* A named pipe that nobody empties is an output that has stopped: the test opens the gate by
 * reading. Returns the read end. */
static int open_gate(const char *path)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int fd = open(path,
                  O_RDWR | O_NONBLOCK); /* both ends, so that the writer's open does not wait */
    ck_assert_int_ge(fd, 0);
    return fd;
}

struct putter {
    struct weft_writer *w;
    atomic_int *freed, started, done;
    int n;
};

static void *put_all(void *arg)
{
    struct putter *p = arg;
    for (int i = 0; i < p->n; i++) {
        atomic_fetch_add(&p->started, 1);
        if (weft_writer_put(p->w, fixture_item(&record, p->freed)) == WEFT_OK) {
            atomic_fetch_add(&p->done, 1);
        }
    }
    return NULL;
}

/* Fills the pipe with n records and empties it through the gate; counts the lines that came. */
static unsigned drain(int gate, unsigned lines)
{
    static char block[65536];
    unsigned seen = 0;
    while (seen < lines) {
        ssize_t n = read(gate, block, sizeof block);
        if (n < 0) {
            ck_assert_int_eq(errno, EAGAIN);
            sched_yield();
            continue;
        }
        for (ssize_t i = 0; i < n; i++) {
            seen += block[i] == '\n';
        }
    }
    return seen;
}

START_TEST(a_full_queue_blocks_until_there_is_room)
{
    enum { N = 500, QUEUE = 8, THREADS = 3 };
    char error[256];
    atomic_int freed = 0;
    char *path = fixture_path(dir, "gate.jsonl");
    int gate = open_gate(path);
    int capacity = fcntl(gate, F_SETPIPE_SZ, 4096);
    const char *paths[] = {path, NULL};
    struct weft_writer *w;
    struct weft_writer_options options = {.paths = paths, .queue_max = QUEUE};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);

    pthread_t threads[THREADS];
    struct putter p[THREADS];
    for (int i = 0; i < THREADS; i++) {
        p[i] = (struct putter){.w = w, .freed = &freed, .n = N};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, put_all, &p[i]), 0);
    }
    /* Each waits in its last put: nothing but what the pipe, the queue and the writer's hand hold
     * can have been taken, however long we look. */
    int most = capacity / 300 + QUEUE + 1;
    for (int i = 0; i < 1000; i++) {
        int done = 0;
        for (int k = 0; k < THREADS; k++) {
            done += atomic_load(&p[k].done);
        }
        ck_assert_int_le(done, most);
        sched_yield();
    }
    ck_assert_uint_eq(drain(gate, N * THREADS), N * THREADS);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(atomic_load(&p[i].done), N);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(atomic_load(&freed), N * THREADS);
    close(gate);
    free(path);
}
END_TEST

/* Large bodies fill the queue before its count does. */
START_TEST(bodies_are_bounded_in_bytes)
{
    enum { N = 40 };
    char error[256];
    atomic_int freed = 0;
    char *path = fixture_path(dir, "gate.jsonl");
    int gate = open_gate(path);
    fcntl(gate, F_SETPIPE_SZ, 4096);
    char *filler = calloc(1, 4096);
    ck_assert_int_eq(write(gate, filler, 4096), 4096); /* not one line more fits */
    record.body_len = (size_t)16 << 20;                /* only its size is looked at */
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    struct putter p = {.w = w, .freed = &freed, .n = N};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, put_all, &p), 0);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_le(atomic_load(&p.done), 1 + 4); /* one in hand, 64 MiB queued */
        sched_yield();
    }
    drain(gate, N);
    pthread_join(thread, NULL);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    ck_assert_int_eq(atomic_load(&freed), N);
    free(filler);
    close(gate);
    free(path);
}
END_TEST

START_TEST(closing_writes_what_is_queued)
{
    char error[256];
    atomic_int freed = 0;
    char *path = fixture_path(dir, "out.jsonl");
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    for (int i = 0; i < 200; i++) { /* fewer than the queue holds: most are still in it */
        ck_assert_int_eq(weft_writer_put(w, fixture_item(&record, &freed)), WEFT_OK);
    }
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_OK);
    char *text = fixture_read(path, NULL);
    ck_assert_uint_eq(count_lines(text), 200);
    ck_assert_int_eq(atomic_load(&freed), 200);
    free(text);
    free(path);
}
END_TEST

/* --- failures --- */

/* Puts until the writer says that it has failed, then twice more. Returns how many it took. */
static int put_until_failure(struct weft_writer *w, atomic_int *freed)
{
    int n = 0;
    while (weft_writer_put(w, fixture_item(&record, freed)) == WEFT_OK) {
        n++;
    }
    ck_assert_int_eq(weft_writer_status(w), WEFT_EIO);
    ck_assert_int_eq(weft_writer_put(w, fixture_item(&record, freed)), WEFT_EIO);
    return n + 2;
}

static void expect_failure(const char *path, const char *says)
{
    char error[512] = "";
    atomic_int freed = 0;
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    ck_assert_int_eq(weft_writer_status(w), WEFT_OK);
    int n = put_until_failure(w, &freed);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_int_eq(atomic_load(&freed), n);
    ck_assert_str_eq(error, says);
}

START_TEST(a_full_disk_is_told)
{
    expect_failure("/dev/full", "can't write /dev/full: No space left on device");
}
END_TEST

START_TEST(a_closed_pipe_is_told)
{
    char *says = NULL;
    char *path = fixture_path(dir, "pipe.jsonl");
    int gate = open_gate(path);
    char error[512] = "";
    atomic_int freed = 0;
    struct weft_writer *w = fixture_writer(path, WEFT_OUTPUT_NEW);
    signal(SIGPIPE, SIG_DFL); /* the writer's thread does not need it to be ignored */
    close(gate);
    int n = put_until_failure(w, &freed);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_int_eq(atomic_load(&freed), n);
    ck_assert_int_gt(asprintf(&says, "can't write %s: Broken pipe", path), 0);
    ck_assert_str_eq(error, says);
    free(says);
    free(path);
}
END_TEST

/* A disk that fills up in the middle of a line: what was complete stays, the rest goes. */
START_TEST(what_was_complete_is_kept_when_the_disk_is_full)
{
    enum { MOST = 100000 }; /* more than Check writes to a file of its own */
    struct rlimit old, limit;
    char *says = NULL;
    char *path = fixture_path(dir, "out.jsonl");
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){MOST, old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_gt(asprintf(&says, "can't write %s: File too large", path), 0);
    expect_failure(path, says);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    char *text = fixture_read(path, NULL);
    size_t line = strcspn(text, "\n") + 1;
    ck_assert_uint_eq(strlen(text), MOST / line * line);
    ck_assert_uint_eq(count_lines(text), MOST / line);
    free(text);
    free(says);
    free(path);
}
END_TEST

/* Those who wait for room are woken by a failure. */
START_TEST(a_failure_wakes_those_who_wait)
{
    enum { N = 500 };
    char error[256];
    atomic_int freed = 0;
    char *path = fixture_path(dir, "gate.jsonl");
    int gate = open_gate(path);
    fcntl(gate, F_SETPIPE_SZ, 4096);
    const char *paths[] = {path, NULL};
    struct weft_writer *w;
    struct weft_writer_options options = {.paths = paths, .queue_max = 2};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    struct putter p = {.w = w, .freed = &freed, .n = N};
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, put_all, &p), 0);
    while (atomic_load(&p.started) < 5) { /* the pipe and the queue hold some; go on from there */
        sched_yield();
    }
    close(gate);
    pthread_join(thread, NULL);
    ck_assert_int_lt(atomic_load(&p.done), N);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_int_eq(atomic_load(&freed), N);
    free(path);
}
END_TEST

START_TEST(the_first_failure_stops_every_output)
{
    char error[512] = "";
    atomic_int freed = 0;
    char *good = fixture_path(dir, "good.jsonl");
    const char *paths[] = {good, "/dev/full", NULL};
    struct weft_writer *w;
    struct weft_writer_options options = {.paths = paths};
    ck_assert_int_eq(weft_writer_new(&w, &options, error, sizeof error), WEFT_OK);
    int n = put_until_failure(w, &freed);
    ck_assert_int_eq(weft_writer_close(w, NULL, error, sizeof error), WEFT_EIO);
    ck_assert_ptr_nonnull(strstr(error, "/dev/full"));
    ck_assert_int_eq(atomic_load(&freed), n);
    char *text = fixture_read(good, NULL);
    ck_assert_uint_eq(count_lines(text), 1);
    free(text);
    free(good);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("writer");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, a_path_is_judged_before_the_crawl, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tc, a_bad_path_leaves_the_others_alone);
    tcase_add_test(tc, what_was_created_goes_again);
    tcase_add_test(tc, a_locked_file_leaves_the_others_alone);
    tcase_add_test(tc, one_file_twice_is_refused);
    tcase_add_test(tc, no_output_at_all_is_fine);
    tcase_add_test(tc, every_output_gets_every_record);
    tcase_add_test(tc, a_full_queue_blocks_until_there_is_room);
    tcase_add_test(tc, bodies_are_bounded_in_bytes);
    tcase_add_test(tc, closing_writes_what_is_queued);
    tcase_add_test(tc, a_full_disk_is_told);
    tcase_add_test(tc, a_closed_pipe_is_told);
    tcase_add_test(tc, what_was_complete_is_kept_when_the_disk_is_full);
    tcase_add_test(tc, a_failure_wakes_those_who_wait);
    tcase_add_test(tc, the_first_failure_stops_every_output);
    return suite_run("store: writer", tc);
}
