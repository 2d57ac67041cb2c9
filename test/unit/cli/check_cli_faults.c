/* check_cli_faults.c -- the command line when memory, threads or locks are not to be had: every
 * step fails as itself, nothing leaks (the leak checker of the sanitizer build looks), and what was
 * begun can be released. */
#include "cli/command.h"
#include "cli/console.h"
#include "cli/crawl_options.h"
#include "cli/report.h"
#include "cli/seeds.h"
#include "cli/signals.h"
#include "cli/source.h"

#include "support/faults/faults.h"
#include "support/suite.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST 500 /* faults; more than any of these needs, so that a loop has an end */

/* Check allocates too, when something is asserted: faults must be over by then. */
static bool was_hit;
static void over(void)
{
    was_hit = faults_hit();
    faults_alloc_at(0);
}

static char config_path[] = "/tmp/weft-faults-XXXXXX";

static enum weft_status read_line(void)
{
    const char *argv[] = {"weft",     "crawl",     "-i",        "a",     "-i",        "b",
                          "-o",       "c",         "--include", "x",     "-H",        "A: b",
                          "-H",       "C: d",      "--select",  "n=//a", "--contact", "me",
                          "one",      "two",       "three",     "four",  "--exclude", "y",
                          "--config", config_path, NULL};
    struct cli_tables tables = cli_tables_of(cli_find_command("crawl"));
    struct cli_crawl o = {0};
    struct cli_args args;
    char error[512];
    enum weft_status st = cli_parse(&tables, 26, (char **)argv, 2, &o, &args, error, sizeof error);
    st = st == WEFT_OK ? cli_crawl_finish(&o, error, sizeof error) : st;
    over();
    if (st == WEFT_OK) {
        ck_assert_uint_eq(args.count, 4);
        ck_assert_uint_eq(o.headers.count, 3);
    }
    cli_args_release(&args);
    cli_crawl_release(&o);
    return st;
}

static char seeds_path[] = "/tmp/weft-faults-XXXXXX";

static enum weft_status read_seeds(void)
{
    struct cli_seeds s = {0};
    char error[512];
    enum weft_status st = cli_seeds_read(&s, seeds_path, error, sizeof error);
    over();
    if (st == WEFT_OK) {
        ck_assert_uint_eq(s.count, 40);
        ck_assert_uint_eq(s.nhosts, 40);
    }
    cli_seeds_release(&s);
    return st;
}

static enum weft_status print_record(void)
{
    static const struct weft_record record = {
        .url = "http://a.example/with/a/path/that/is/longer/than/the/first/piece/of/a/buffer/"
               "and/longer/still/so/that/it/grows/twice",
        .outcome = WEFT_FAILED,
        .reason = WEFT_REASON_TIMEOUT,
        .error = "read timeout after 15.0 s"};
    struct weft_buf b;
    weft_buf_init(&b, 1000);
    enum weft_status st = cli_line(&b, &record, true);
    over();
    weft_buf_release(&b);
    return st;
}

/* Whatever happens to memory, the user hears something. */
static enum weft_status print_message(void)
{
    int kept = dup(STDERR_FILENO), out[2];
    char text[100] = "";
    bool piped = pipe(out) == 0 && dup2(out[1], STDERR_FILENO) >= 0;
    cli_say("%s", "hello");
    over();
    dup2(kept, STDERR_FILENO);
    ck_assert(piped);
    close(kept);
    close(out[1]);
    ck_assert_int_gt(read(out[0], text, sizeof text - 1), 0);
    close(out[0]);
    if (!strcmp(text, "weft: hello\n")) {
        return WEFT_OK;
    }
    ck_assert_str_eq(text, "weft: no memory for a message\n");
    return WEFT_ENOMEM;
}

static enum weft_status watch_signals(void)
{
    const struct cli_signal_actions actions = {0};
    struct cli_signals *s = (struct cli_signals *)&actions; /* must be set to NULL on failure */
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    enum weft_status st = cli_signals_start(&s, &actions);
    over();
    ck_assert(st == WEFT_OK || !s);
    cli_signals_free(s);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    return st;
}

static pthread_mutex_t source_lock = PTHREAD_MUTEX_INITIALIZER;
static bool source_more;
static pthread_cond_t source_told = PTHREAD_COND_INITIALIZER; /* signalled when source_more */

static void more(void *user)
{
    (void)user;
    pthread_mutex_lock(&source_lock);
    source_more = true;
    pthread_cond_signal(&source_told);
    pthread_mutex_unlock(&source_lock);
}

/* A list that can't be read to its end says so behind what was read. */
static enum weft_status read_source(void)
{
    struct cli_list files = {0};
    struct cli_source *s = NULL;
    const char *url;
    char error[512], argument[] = "a.example/without/scheme";
    char *const urls[] = {argument};
    size_t len, n = 0;
    source_more = false;
    enum weft_status st = cli_list_add(&files, seeds_path);
    st = st == WEFT_OK ? cli_source_new(&s, urls, 1, &files, error, sizeof error) : st;
    st = st == WEFT_OK ? cli_source_start(s, more, NULL) : st;
    enum weft_status next = st == WEFT_OK ? WEFT_OK : WEFT_END;
    while (next == WEFT_OK || next == WEFT_EAGAIN) {
        next = cli_source_next(s, &url, &len);
        n += next == WEFT_OK;
        pthread_mutex_lock(&source_lock);
        while (next == WEFT_EAGAIN && !source_more) {
            pthread_cond_wait(&source_told, &source_lock);
        }
        source_more = false;
        pthread_mutex_unlock(&source_lock);
    }
    cli_source_stop(s);
    over();
    if (st == WEFT_OK && cli_source_error(s)) {
        st = WEFT_ENOMEM;
    } else if (st == WEFT_OK && was_hit) {
        st = n == 41 ? WEFT_ENOMEM : WEFT_OK; /* http:// was not added: the line is as it was */
    } else if (st == WEFT_OK) {
        ck_assert_uint_eq(n, 41);
        ck_assert_str_eq(cli_source_guess(s), argument);
    }
    cli_source_free(s);
    cli_list_release(&files);
    return st;
}

static enum weft_status (*const steps[])(void) = {read_line,     read_seeds,    print_record,
                                                  print_message, watch_signals, read_source};

START_TEST(each_allocation_fails_once)
{
    int n = 1;
    for (; n < MOST; n++) {
        faults_alloc_at(n);
        enum weft_status st = steps[_i]();
        if (!was_hit) {
            ck_assert_int_eq(st, WEFT_OK);
            break;
        }
        ck_assert_int_eq(st, WEFT_ENOMEM);
    }
    ck_assert_int_gt(n, 1);
    ck_assert_int_lt(n, MOST);
}
END_TEST

START_TEST(no_thread_and_no_lock_for_the_watcher)
{
    faults_thread_at(1);
    ck_assert_int_eq(watch_signals(), WEFT_EAGAIN);
    faults_thread_at(0);
    for (int n = 1; n <= 2; n++) {
        faults_init_at(n);
        ck_assert_int_eq(watch_signals(), WEFT_ENOMEM);
        ck_assert(was_hit);
    }
    faults_init_at(0);
    ck_assert_int_eq(watch_signals(), WEFT_OK);
}
END_TEST

START_TEST(no_thread_and_no_lock_for_the_source)
{
    faults_thread_at(1);
    ck_assert_int_eq(read_source(), WEFT_EAGAIN);
    faults_thread_at(0);
    for (int n = 1; n <= 2; n++) {
        faults_init_at(n);
        ck_assert_int_eq(read_source(), WEFT_ENOMEM);
        faults_init_at(0);
    }
    ck_assert_int_eq(read_source(), WEFT_OK);
}
END_TEST

/* Waking up for nothing is not a signal. */
START_TEST(a_spurious_wake_up_ends_no_wait)
{
    const struct cli_signal_actions actions = {0};
    struct cli_signals *s;
    ck_assert_int_eq(cli_signals_start(&s, &actions), WEFT_OK);
    faults_spurious(true);
    kill(getpid(), SIGTERM);
    ck_assert_int_eq(cli_signals_wait(s), SIGTERM);
    faults_spurious(false);
    cli_signals_free(s);
}
END_TEST

static void make_files(void)
{
    int config = mkstemp(config_path);
    ck_assert_int_ge(config, 0);
    dprintf(config, "header = E: f\njobs = 2\ninclude = z\n");
    close(config);
    int fd = mkstemp(seeds_path);
    ck_assert_int_ge(fd, 0);
    for (int i = 0; i < 40; i++) {
        dprintf(fd, "http://host%d.example/\n", i);
    }
    close(fd);
}

static void remove_files(void)
{
    unlink(config_path);
    unlink(seeds_path);
}

int main(void)
{
    TCase *tc = tcase_create("faults");
    tcase_add_unchecked_fixture(tc, make_files, remove_files);
    tcase_add_loop_test(tc, each_allocation_fails_once, 0, (int)(sizeof steps / sizeof *steps));
    tcase_add_test(tc, no_thread_and_no_lock_for_the_watcher);
    tcase_add_test(tc, no_thread_and_no_lock_for_the_source);
    tcase_add_test(tc, a_spurious_wake_up_ends_no_wait);
    return suite_run("cli: faults", tc);
}
