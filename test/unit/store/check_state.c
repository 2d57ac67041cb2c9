/* check_state.c -- the state file by itself: what is committed and what is not, who may open it,
 * what becomes of it when it is torn, damaged or full. */
#include "store/state.h"

#include "fixture.h"
#include "store/state_peek.h"
#include "store/state_status.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *dir, *path;
static struct weft_failure failure;

static void setup(void)
{
    dir = fixture_dir();
    path = fixture_path(dir, "s.db");
    failure.text[0] = '\0';
}

static void teardown(void)
{
    free(path);
    fixture_remove(dir);
}

static struct weft_state *open_at(const char *at)
{
    struct weft_state *s;
    enum weft_status st = weft_state_open(&s, at, &failure);
    ck_assert_msg(st == WEFT_OK, "%s", failure.text);
    return s;
}

static void expect_refused(const char *at, const char *words)
{
    struct weft_state *s = (struct weft_state *)path;
    ck_assert_int_eq(weft_state_open(&s, at, &failure), WEFT_EIO);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(failure.text, words) && strstr(failure.text, at), "%s", failure.text);
}

static enum weft_status apply(struct weft_state *s, const struct weft_note *changes, size_t n)
{
    struct weft_buf journal;
    weft_buf_init(&journal, 1u << 20);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(weft_journal_add(&journal, &changes[i]), WEFT_OK);
    }
    enum weft_status st = weft_state_apply(s, &journal);
    weft_buf_release(&journal);
    return st;
}

static struct weft_note_text text(const char *t)
{
    return (struct weft_note_text){t, t ? strlen(t) : 0};
}

static struct weft_note claim(uint64_t id, enum weft_state_place place, const char *url)
{
    return (struct weft_note){.kind = WEFT_NOTE_CLAIM,
                              .numbers = {id, id * 1000, WEFT_STATE_PAGE, id == 1, 3, place, 7},
                              .texts = {text(url)}};
}

static struct weft_note ended(uint64_t id, int status, uint64_t digest, const char *etag)
{
    return (struct weft_note){.kind = WEFT_NOTE_END,
                              .numbers = {id, (uint64_t)status, digest, 1},
                              .texts = {text(NULL), text(etag), text(NULL)}};
}

static void change(struct weft_state *s, struct weft_note c)
{
    ck_assert_int_eq(apply(s, &c, 1), WEFT_OK);
}

static void committed(struct weft_state *s)
{
    ck_assert_int_eq(weft_state_commit(s), WEFT_OK);
}

static void closed(struct weft_state *s)
{
    ck_assert_msg(weft_state_close(s) == WEFT_OK, "%s", failure.text);
}

static enum weft_status tell(void *user, const struct weft_state_url *row)
{
    char *all = user;
    sprintf(all + strlen(all), "%d:%d ", (int)row->id, (int)row->place);
    return WEFT_OK;
}

/* "ID:PLACE " of all claimed URLs. */
static const char *urls(struct weft_state *s)
{
    static char all[4096];
    all[0] = '\0';
    ck_assert_int_eq(weft_state_scan(s, tell, all), WEFT_OK);
    return all;
}

START_TEST(what_was_in_flight_waits_again)
{
    struct weft_state *s = open_at(path);
    bool done;
    change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
    change(s, claim(2, WEFT_STATE_IN_MEMORY, "http://a.example/2"));
    change(s, claim(3, WEFT_STATE_ON_DISK, "http://a.example/3"));
    change(s, ended(1, 200, 5, NULL));
    ck_assert_str_eq(urls(s), "1:2 2:1 3:0 ");
    closed(s);
    s = open_at(path);
    ck_assert_str_eq(urls(s), "1:2 2:0 3:0 ");
    ck_assert_int_eq(weft_state_is_done(s, &done), WEFT_OK);
    ck_assert(!done);
    change(s, ended(2, 404, 0, NULL));
    change(s, ended(3, 200, 0, NULL));
    ck_assert_int_eq(weft_state_is_done(s, &done), WEFT_OK);
    ck_assert(done);
    closed(s);
}
END_TEST

START_TEST(what_was_not_committed_never_was)
{
    struct weft_state *s = open_at(path);
    change(s, claim(1, WEFT_STATE_ON_DISK, "http://a.example/"));
    committed(s);
    change(s, claim(2, WEFT_STATE_ON_DISK, "http://a.example/2"));
    change(s, ended(1, 200, 0, NULL));
    ck_assert_int_eq(weft_state_rollback(s), WEFT_OK);
    ck_assert_str_eq(urls(s), "1:0 ");
    change(s, claim(3, WEFT_STATE_ON_DISK, "http://a.example/3"));
    weft_state_abandon(s);
    s = open_at(path);
    ck_assert_str_eq(urls(s), "1:0 ");
    weft_state_abandon(s);
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_file_that_nothing_was_begun_with_goes)
{
    weft_state_abandon(open_at(path));
    ck_assert_int_ne(access(path, F_OK), 0);
    struct weft_state *s = open_at(path);
    ck_assert(weft_state_is_new(s));
    closed(s);
    s = open_at(path); /* it is there, and still nobody said what for */
    ck_assert(weft_state_is_new(s));
    weft_state_abandon(s);
    ck_assert_int_eq(access(path, F_OK), 0); /* not ours to remove: this run did not make it */
}
END_TEST

/* The process is killed in the middle of a transaction. */
START_TEST(a_killed_process_loses_its_transaction_alone)
{
    pid_t child = fork();
    if (child == 0) {
        struct weft_state *s = open_at(path);
        change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
        committed(s);
        change(s, claim(2, WEFT_STATE_IN_MEMORY, "http://a.example/2"));
        kill(getpid(), SIGKILL);
    }
    int how;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFSIGNALED(how));
    struct weft_state *s = open_at(path);
    ck_assert_str_eq(urls(s), "1:0 ");
    weft_state_abandon(s);
}
END_TEST

static void copy(const char *from, const char *to, size_t most)
{
    size_t len;
    char *bytes = fixture_read(from, &len);
    fixture_write(to, bytes, len < most ? len : most);
    free(bytes);
}

/* What a power cut may leave: the log ends in the middle of a write. At every length the file opens
 * and holds the changes of the commits that are whole, which never are fewer for a longer log. */
START_TEST(a_torn_log_ends_at_a_commit)
{
    enum { COMMITS = 4, STEP = 512 };
    struct weft_state *s = open_at(path);
    struct stat log;
    char *torn = fixture_path(dir, "t.db"), *torn_log = fixture_path(dir, "t.db-wal");
    char *old_log = fixture_path(dir, "s.db-wal");
    unsigned least = 0, seen = 0;
    committed(s);
    for (unsigned i = 1; i <= COMMITS; i++) {
        change(s, claim(2 * i - 1, WEFT_STATE_ON_DISK, "http://a.example/odd"));
        change(s, claim(2 * i, WEFT_STATE_ON_DISK, "http://a.example/even"));
        committed(s);
    }
    ck_assert_int_eq(stat(old_log, &log), 0);
    for (off_t len = log.st_size; len >= 0; len -= STEP) {
        copy(path, torn, SIZE_MAX);
        copy(old_log, torn_log, (size_t)len);
        struct weft_state *t = open_at(torn);
        unsigned pairs = (unsigned)strlen(urls(t)) / 8; /* "1:0 2:0 " */
        ck_assert_uint_eq(strlen(urls(t)) % 8, 0);
        ck_assert_msg(len == log.st_size ? pairs == COMMITS : pairs <= least, "%u at %ld", pairs,
                      (long)len);
        seen += len == log.st_size || pairs < least;
        least = pairs;
        weft_state_abandon(t);
        unlink(torn);
        if (pairs == 0) {
            break; /* below that the tables themselves are in the log */
        }
    }
    ck_assert_uint_eq(least, 0);
    ck_assert_uint_eq(seen, COMMITS + 1);
    weft_state_abandon(s);
    free(torn);
    free(torn_log);
    free(old_log);
}
END_TEST

START_TEST(positions_are_kept_with_their_transaction)
{
    bool known;
    int64_t at;
    char other[64];
    struct weft_state *s = open_at(path);
    ck_assert_int_eq(weft_state_position(s, "a.jsonl", &known, &at), WEFT_OK);
    ck_assert(!known);
    ck_assert_int_eq(weft_state_set_position(s, "a.jsonl", 100), WEFT_OK);
    ck_assert_int_eq(weft_state_set_position(s, "b.csv", -1), WEFT_OK);
    committed(s);
    ck_assert_int_eq(weft_state_set_position(s, "a.jsonl", INT64_MAX), WEFT_OK);
    weft_state_abandon(s);
    s = open_at(path);
    ck_assert_int_eq(weft_state_position(s, "a.jsonl", &known, &at), WEFT_OK);
    ck_assert(known);
    ck_assert_int_eq(at, 100);
    ck_assert_int_eq(weft_state_position(s, "b.csv", &known, &at), WEFT_OK);
    ck_assert(known);
    ck_assert_int_eq(at, -1);
    const char *const both[] = {"b.csv", "a.jsonl"};
    ck_assert_int_eq(weft_state_other_output(s, both, 2, other, sizeof other), WEFT_OK);
    ck_assert_str_eq(other, "");
    ck_assert_int_eq(weft_state_other_output(s, both, 1, other, sizeof other), WEFT_OK);
    ck_assert_str_eq(other, "a.jsonl");
    weft_state_abandon(s);
}
END_TEST

START_TEST(numbers_are_kept_whole)
{
    static const uint64_t numbers[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    struct weft_state *s = open_at(path);
    uint64_t n = 9;
    ck_assert_int_eq(weft_state_get(s, "nothing", &n), WEFT_OK);
    ck_assert_uint_eq(n, 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ck_assert_int_eq(weft_state_set(s, "n", numbers[i]), WEFT_OK);
        ck_assert_int_eq(weft_state_get(s, "n", &n), WEFT_OK);
        ck_assert_uint_eq(n, numbers[i]);
    }
    weft_state_abandon(s);
}
END_TEST

START_TEST(other_settings_are_refused_by_name)
{
    struct weft_state_setting settings[] = {{"--scope", (char *)"host"},
                                            {"--max-depth", (char *)""}};
    struct weft_state *s = open_at(path);
    ck_assert_int_eq(weft_state_compare(s, settings, 2), WEFT_OK);
    closed(s);
    s = open_at(path);
    ck_assert(!weft_state_is_new(s));
    ck_assert_int_eq(weft_state_compare(s, settings, 2), WEFT_OK);
    settings[0].value = (char *)"any";
    ck_assert_int_eq(weft_state_compare(s, settings, 2), WEFT_EINVAL);
    ck_assert_msg(strstr(failure.text, "begun with --scope host; going on with --scope any"), "%s",
                  failure.text);
    settings[0].value = (char *)"host";
    settings[1].value = (char *)"3";
    ck_assert_int_eq(weft_state_compare(s, settings, 2), WEFT_EINVAL);
    ck_assert_msg(strstr(failure.text, "begun with no --max-depth; going on with --max-depth 3"),
                  "%s", failure.text);
    weft_state_abandon(s);
    s = open_at(path); /* a refusal changed nothing */
    settings[1].value = (char *)"";
    ck_assert_int_eq(weft_state_compare(s, settings, 2), WEFT_OK);
    weft_state_abandon(s);
}
END_TEST

START_TEST(a_second_process_is_refused)
{
    struct weft_state *s = open_at(path), *second;
    change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
    committed(s);
    pid_t child = fork();
    if (child == 0) {
        enum weft_status st = weft_state_open(&second, path, &failure);
        _exit(st == WEFT_EIO && strstr(failure.text, "another process is crawling with it") ? 0
                                                                                            : 1);
    }
    int how;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    ck_assert(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    ck_assert_str_eq(urls(s), "1:1 "); /* and it took nothing from the first */
    closed(s);
    closed(open_at(path));
}
END_TEST

START_TEST(a_round_asks_again_for_what_was_asked)
{
    struct weft_state *s = open_at(path);
    struct weft_note changes[] = {
        claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"),
        claim(2, WEFT_STATE_IN_MEMORY, "http://a.example/2"),
        claim(3, WEFT_STATE_IN_MEMORY, "http://a.example/3"),
        ended(1, 200, 1, "\"x\""),
        ended(2, 404, 0, NULL),
        ended(3, 0, 0, NULL),
    };
    changes[5].texts[0] = text("filter");
    ck_assert_int_eq(apply(s, changes, 6), WEFT_OK);
    ck_assert_int_eq(weft_state_set_position(s, "a.jsonl", 100), WEFT_OK);
    ck_assert_int_eq(weft_state_begin_round(s, 2), WEFT_OK);
    ck_assert_str_eq(urls(s), "1:0 2:0 3:2 ");
    char other[64];
    ck_assert_int_eq(weft_state_other_output(s, NULL, 0, other, sizeof other), WEFT_OK);
    ck_assert_str_eq(other, "");
    weft_state_abandon(s);
}
END_TEST

struct loaded {
    uint64_t digest;
    char etag[32], url[64], referrer[64];
    int n;
};

static enum weft_status load(void *user, const struct weft_state_url *row)
{
    struct loaded *l = user;
    l->n++;
    l->digest = row->digest;
    snprintf(l->etag, sizeof l->etag, "%s", row->etag ? row->etag : "-");
    snprintf(l->url, sizeof l->url, "%s", row->url);
    snprintf(l->referrer, sizeof l->referrer, "%s", row->referrer ? row->referrer : "-");
    return WEFT_OK;
}

/* An answer 304 keeps what was known of the page; another one replaces it. */
START_TEST(what_a_page_was_like_is_kept)
{
    struct weft_state *s = open_at(path);
    struct loaded l = {0};
    const struct weft_note referrer = {
        .kind = WEFT_NOTE_REFERRER, .numbers = {7}, .texts = {text("http://a.example/from")}};
    change(s, referrer);
    change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
    change(s, ended(1, 200, UINT64_MAX, "\"x\""));
    change(s, ended(1, 304, 5, NULL));
    ck_assert_int_eq(weft_state_begin_round(s, 2), WEFT_OK);
    ck_assert_int_eq(weft_state_load(s, WEFT_STATE_PAGE, 0, 10, load, &l), WEFT_OK);
    ck_assert_int_eq(l.n, 1);
    ck_assert_uint_eq(l.digest, UINT64_MAX);
    ck_assert_str_eq(l.etag, "\"x\"");
    ck_assert_str_eq(l.referrer, "http://a.example/from");
    change(s, ended(1, 200, 6, NULL));
    ck_assert_int_eq(weft_state_begin_round(s, 3), WEFT_OK);
    ck_assert_int_eq(weft_state_load(s, WEFT_STATE_PAGE, 0, 10, load, &l), WEFT_OK);
    ck_assert_uint_eq(l.digest, 6);
    ck_assert_str_eq(l.etag, "-");
    weft_state_abandon(s);
}
END_TEST

START_TEST(waiting_urls_are_loaded_by_pieces)
{
    struct weft_state *s = open_at(path);
    struct loaded l = {0};
    for (uint64_t id = 1; id <= 10; id++) {
        change(s,
               claim(id, id % 5 ? WEFT_STATE_ON_DISK : WEFT_STATE_IN_MEMORY, "http://a.example/"));
    }
    ck_assert_int_eq(weft_state_load(s, WEFT_STATE_PAGE, 3, 3, load, &l), WEFT_OK);
    ck_assert_int_eq(l.n, 3);
    ck_assert_int_eq(weft_state_load(s, WEFT_STATE_PAGE, 7, 100, load, &l), WEFT_OK);
    ck_assert_int_eq(l.n, 3 + 2); /* 8 and 9: 10 is in memory */
    ck_assert_int_eq(weft_state_load(s, WEFT_STATE_SITEMAP, 0, 100, load, &l), WEFT_OK);
    ck_assert_int_eq(l.n, 5);
    const struct weft_note defer = {.kind = WEFT_NOTE_DEFER, .numbers = {1, 11}};
    uint64_t last;
    change(s, defer);
    ck_assert_int_eq(weft_state_last_id(s, 'u', &last), WEFT_OK);
    ck_assert_uint_eq(last, 11);
    weft_state_abandon(s);
}
END_TEST

static enum weft_status tell_url(void *user, const struct weft_state_url *row)
{
    char *all = user;
    sprintf(all + strlen(all), "%s %s;", row->url, row->referrer ? row->referrer : "-");
    return WEFT_OK;
}

static enum weft_status tell_host(void *user, const struct weft_state_host *row)
{
    sprintf(user, "%s %lld %lld %u", row->origin, (long long)row->next_start,
            (long long)row->hold_until, row->backoff);
    return WEFT_OK;
}

static enum weft_status tell_redirected(void *user, const struct weft_state_redirected *row)
{
    sprintf(user, "%d %s %s", (int)row->print, row->final_url, row->hops);
    return WEFT_OK;
}

START_TEST(the_other_changes_come_back)
{
    static char all[512];
    const struct weft_note changes[] = {
        claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"),
        {.kind = WEFT_NOTE_REDIRECTED,
         .numbers = {1},
         .texts = {text("http://b.example/"), text("301 x\n")}},
        {.kind = WEFT_NOTE_REFERRER, .numbers = {7}, .texts = {text("http://a.example/from")}},
        {.kind = WEFT_NOTE_PARK, .numbers = {1, 2, 3, 7, 4}, .texts = {text("http://a.example/p")}},
        {.kind = WEFT_NOTE_PARK, .numbers = {2, 2, 3, 8, 4}, .texts = {text("http://a.example/q")}},
        {.kind = WEFT_NOTE_PARK, .numbers = {3, 2, 3, 7, 4}, .texts = {text("http://a.example/r")}},
        {.kind = WEFT_NOTE_UNPARK, .numbers = {3}},
        {.kind = WEFT_NOTE_HOST, .numbers = {1, 2, 1}, .texts = {text("http://a.example")}},
        {.kind = WEFT_NOTE_HOST, .numbers = {5, INT64_MAX, 3}, .texts = {text("http://a.example")}},
        {.kind = WEFT_NOTE_PLACE, .texts = {text("http://c.example/")}},
        {.kind = WEFT_NOTE_PLACE, .texts = {text("http://c.example/")}},
    };
    struct weft_state *s = open_at(path);
    ck_assert_int_eq(apply(s, changes, sizeof changes / sizeof changes[0]), WEFT_OK);
    closed(s);
    s = open_at(path);
    ck_assert_int_eq(weft_state_parked(s, tell_url, all), WEFT_OK);
    ck_assert_str_eq(all, "http://a.example/p http://a.example/from;http://a.example/q -;");
    all[0] = '\0';
    ck_assert_int_eq(weft_state_places(s, tell_url, all), WEFT_OK);
    ck_assert_str_eq(all, "http://c.example/ -;");
    ck_assert_int_eq(weft_state_hosts(s, tell_host, all), WEFT_OK);
    ck_assert_str_eq(all, "http://a.example 5 9223372036854775807 3");
    ck_assert_int_eq(weft_state_redirected(s, tell_redirected, all), WEFT_OK);
    ck_assert_str_eq(all, "1000 http://b.example/ 301 x\n");
    weft_state_abandon(s);
}
END_TEST

START_TEST(what_is_no_state_file_is_refused_and_left)
{
    static const char words[] =
        "these are not the bytes that a database begins with, in any version";
    fixture_write(path, words, sizeof words - 1);
    expect_refused(path, "not a database");
    char *after = fixture_read(path, NULL);
    ck_assert_str_eq(after, words);
    free(after);
    char *results = fixture_path(dir, "r.db");
    fixture_put_all(results, WEFT_OUTPUT_NEW, NULL, 0);
    expect_refused(results, "it is not a state file");
    free(results);
    expect_refused(dir, "Is a directory");
    expect_refused("/dev/null", "no ordinary file");
    char *nowhere = fixture_path(dir, "no/s.db");
    expect_refused(nowhere, "No such file");
    free(nowhere);
}
END_TEST

/* Pages of zeros, of ones, or missing, behind the first, which says that this is a state file. */
START_TEST(a_damaged_file_is_told)
{
    struct weft_state *s = open_at(path);
    for (uint64_t id = 1; id <= 300; id++) {
        change(s, claim(id, WEFT_STATE_IN_MEMORY, "http://a.example/a/rather/long/path/to/a/page"));
    }
    closed(s);
    size_t len;
    char *bytes = fixture_read(path, &len);
    ck_assert_uint_gt(len, 5 * 4096);
    if (_i < 2) {
        memset(bytes + 4096, _i ? 0xff : 0, len - 4096);
    }
    fixture_write(path, bytes, _i < 2 ? len : 4096);
    free(bytes);
    expect_refused(path, "malformed");
}
END_TEST

START_TEST(a_file_that_is_gone_takes_nothing)
{
    struct weft_state *s = open_at(path);
    change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
    committed(s);
    change(s, claim(2, WEFT_STATE_IN_MEMORY, "http://a.example/2"));
    if (_i) {
        char *moved = fixture_path(dir, "moved.db");
        ck_assert_int_eq(rename(path, moved), 0);
        free(moved);
    } else {
        ck_assert_int_eq(unlink(path), 0);
    }
    ck_assert_int_eq(weft_state_commit(s), WEFT_EIO);
    ck_assert_msg(strstr(failure.text, "it was moved or removed") != NULL, "%s", failure.text);
    ck_assert_int_eq(weft_state_close(s), WEFT_EIO);
}
END_TEST

/* A limit on the size of files is a full disk: SQLite takes part of a write, then none. */
START_TEST(a_full_disk_keeps_what_was_committed)
{
    enum { MOST = 300000, BATCH = 50 };
    struct rlimit old, limit;
    struct weft_state *s = open_at(path);
    enum weft_status st = WEFT_OK;
    uint64_t id = 0, whole = 0;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){MOST, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    while (st == WEFT_OK && id < 100000) {
        for (int i = 0; st == WEFT_OK && i < BATCH; i++) {
            struct weft_note c = claim(++id, WEFT_STATE_IN_MEMORY, "http://a.example/a/page");
            st = apply(s, &c, 1);
        }
        st = st == WEFT_OK ? weft_state_commit(s) : st;
        whole = st == WEFT_OK ? id : whole;
    }
    ck_assert_int_eq(st, WEFT_EIO);
    ck_assert_msg(strstr(failure.text, path) != NULL, "%s", failure.text);
    (void)!weft_state_rollback(s);
    weft_state_abandon(s);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_uint_gt(whole, 0);
    s = open_at(path); /* there is room again */
    uint64_t last;
    ck_assert_int_eq(weft_state_last_id(s, 'u', &last), WEFT_OK);
    ck_assert_uint_eq(last, whole);
    change(s, claim(last + 1, WEFT_STATE_IN_MEMORY, "http://a.example/one/more"));
    closed(s);
}
END_TEST

static enum weft_status tell_fact(void *user, const char *section, const char *name,
                                  const char *value)
{
    char *all = user;
    sprintf(all + strlen(all), "%s%s%s=%s\n", section ? section : "", section ? ": " : "", name,
            value);
    return WEFT_OK;
}

START_TEST(a_look_at_it_tells_and_takes_nothing)
{
    static char all[4096];
    struct weft_state_peeked p;
    char error[256] = "";
    struct weft_state *s = open_at(path);
    const struct weft_note referrer = {
        .kind = WEFT_NOTE_REFERRER, .numbers = {7}, .texts = {text("http://a.example/from")}};
    change(s, referrer);
    change(s, claim(1, WEFT_STATE_IN_MEMORY, "http://a.example/"));
    change(s, claim(2, WEFT_STATE_IN_MEMORY, "http://b.example/2"));
    change(s, ended(2, 200, 0, NULL));
    committed(s);
    ck_assert_int_eq(weft_state_tell(path, tell_fact, all, &failure), WEFT_OK);
    ck_assert_msg(strstr(all, "a crawl is using the file") != NULL, "%s", all);
    ck_assert_msg(strstr(all, "URLs: fetched=1\nwaiting=1\n") != NULL, "%s", all);
    ck_assert_msg(strstr(all, "Hosts: known=2\n") != NULL, "%s", all);
    ck_assert_int_eq(
        weft_state_peek(path, "http://b.example/2", "http://b.example/2", &p, error, sizeof error),
        WEFT_OK);
    ck_assert(p.known && p.ended);
    ck_assert_int_eq(p.status, 200);
    ck_assert_uint_eq(p.depth, 3);
    ck_assert_str_eq(p.referrer, "http://a.example/from");
    free(p.referrer);
    ck_assert_int_eq(
        weft_state_peek(path, "http://c.example/", "http://c.example/", &p, error, sizeof error),
        WEFT_OK);
    ck_assert(!p.known);
    ck_assert_str_eq(urls(s), "1:1 2:2 ");
    closed(s);
    all[0] = '\0';
    ck_assert_int_eq(weft_state_tell(path, tell_fact, all, &failure), WEFT_OK);
    ck_assert_ptr_null(strstr(all, "a crawl is using the file"));
    char *nothing = fixture_path(dir, "nothing.db");
    ck_assert_int_eq(weft_state_tell(nothing, tell_fact, all, &failure), WEFT_EIO);
    ck_assert_int_eq(weft_state_peek(nothing, "x", "x", &p, error, sizeof error), WEFT_EIO);
    ck_assert_int_ne(access(nothing, F_OK), 0); /* nor did looking make it */
    free(nothing);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("state");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, what_was_in_flight_waits_again);
    tcase_add_test(tc, what_was_not_committed_never_was);
    tcase_add_test(tc, a_file_that_nothing_was_begun_with_goes);
    tcase_add_test(tc, a_killed_process_loses_its_transaction_alone);
    tcase_add_test(tc, a_torn_log_ends_at_a_commit);
    tcase_add_test(tc, positions_are_kept_with_their_transaction);
    tcase_add_test(tc, numbers_are_kept_whole);
    tcase_add_test(tc, other_settings_are_refused_by_name);
    tcase_add_test(tc, a_second_process_is_refused);
    tcase_add_test(tc, a_round_asks_again_for_what_was_asked);
    tcase_add_test(tc, what_a_page_was_like_is_kept);
    tcase_add_test(tc, waiting_urls_are_loaded_by_pieces);
    tcase_add_test(tc, the_other_changes_come_back);
    tcase_add_test(tc, what_is_no_state_file_is_refused_and_left);
    tcase_add_loop_test(tc, a_damaged_file_is_told, 0, 3);
    tcase_add_loop_test(tc, a_file_that_is_gone_takes_nothing, 0, 2);
    tcase_add_test(tc, a_full_disk_keeps_what_was_committed);
    tcase_add_test(tc, a_look_at_it_tells_and_takes_nothing);
    return suite_run("store: state", tc);
}
