/* check_wait.c -- waiting for several futures. Section E of docs/futures.md. */
#include "jobs.h"

#include "exec/future.h" /* to see that no listener is left behind */

#define FIRST     WEFT_FIRST_COMPLETED
#define EXCEPTION WEFT_FIRST_EXCEPTION
#define ALL       WEFT_ALL_COMPLETED

/* A set of promises, made by a word with one letter for each: 'p'ending, 'r'unning, 's'uccess,
 * 'f'ailure, 'c'ancelled. */
struct set {
    struct weft_future *fs[32];
    size_t n;
};

static void make_set(struct set *s, const char *word)
{
    s->n = strlen(word);
    for (size_t i = 0; i < s->n; i++) {
        struct weft_future *f = s->fs[i] = new_promise(NULL);
        switch (word[i]) {
        case 'r':
            ck_status(weft_promise_start(f), WEFT_OK);
            break;
        case 's':
        case 'f':
            ck_status(weft_promise_finish(f, word[i] == 'f', NULL), WEFT_OK);
            break;
        case 'c':
            ck_status(weft_future_cancel(f), WEFT_OK);
            break;
        default:
            break;
        }
    }
}

/* Gives the references back, and asserts that nobody listens any more. */
static void free_set(struct set *s)
{
    for (size_t i = 0; i < s->n; i++) {
        ck_assert(weft_list_empty(&s->fs[i]->listeners));
        weft_future_release(s->fs[i]);
    }
}

/* What a poll of a set answers. */
static const struct {
    const char *set;
    enum weft_return_when until;
    enum weft_status status;
    size_t ndone;
    const char *why;
} polls[] = {
    {"", FIRST, WEFT_OK, 0, "S56 nothing to wait for"},
    {"", EXCEPTION, WEFT_OK, 0, "S56"},
    {"", ALL, WEFT_OK, 0, "S56"},
    {"pp", FIRST, WEFT_ETIMEDOUT, 0, "S66 a time-out tells how many are done"},
    {"pspr", ALL, WEFT_ETIMEDOUT, 1, "S66"},
    {"pspr", FIRST, WEFT_OK, 1, "S58 one is done already"},
    {"scf", FIRST, WEFT_OK, 3, "S58 all that are done are counted, S59"},
    {"rc", FIRST, WEFT_OK, 1, "S60 a cancelled one is completed"},
    {"pfp", EXCEPTION, WEFT_OK, 1, "S61 one has failed already"},
    {"pcs", EXCEPTION, WEFT_ETIMEDOUT, 2, "S63 a cancellation is no failure"},
    {"scs", EXCEPTION, WEFT_OK, 3, "S64 none failed: all completed"},
    {"sfc", ALL, WEFT_OK, 3, "S65 all are final"},
    {"sfp", ALL, WEFT_ETIMEDOUT, 2, "S65"},
};

static void assert_poll(int i, weft_time deadline)
{
    struct set s;
    size_t ndone = 99;
    make_set(&s, polls[i].set);
    enum weft_status st = weft_wait(s.fs, s.n, deadline, polls[i].until, &ndone);
    ck_assert_msg(st == polls[i].status && ndone == polls[i].ndone, "%s: %s, %zu done",
                  polls[i].why, weft_strerror(st), ndone);
    free_set(&s);
}

START_TEST(S67_poll_of_every_kind_of_set)
{
    assert_poll(_i, WEFT_POLL);
    assert_poll(_i, -1);
}
END_TEST

START_TEST(S66_time_out_tells_how_many_are_done)
{
    assert_poll(_i, weft_in_ms(1));
}
END_TEST

START_TEST(S54_cancels_nothing_and_consumes_nothing)
{
    struct set s;
    make_set(&s, "psrfc");
    ck_status(weft_wait(s.fs, s.n, weft_in_ms(1), ALL, NULL), WEFT_ETIMEDOUT);
    ck_status(weft_wait(s.fs, s.n, WEFT_POLL, FIRST, NULL), WEFT_OK);
    ck_assert(!weft_future_done(s.fs[0]) && !weft_future_running(s.fs[0]));
    ck_assert(weft_future_running(s.fs[2]));
    assert_result(s.fs[1], WEFT_OK, 0, NULL);
    assert_result(s.fs[3], WEFT_OK, 1, NULL);
    free_set(&s);
}
END_TEST

/* A thread that waits for a set. */
struct waiting {
    struct helper helper;
    struct weft_future *const *fs;
    size_t n, ndone;
    enum weft_return_when until;
    struct gate *before;
    enum weft_status status;
};

static void wait_for_set(void *arg)
{
    struct waiting *w = arg;
    gate_pass(w->before);
    w->status = weft_wait(w->fs, w->n, WEFT_FOREVER, w->until, &w->ndone);
}

static bool somebody_listens(void *arg)
{
    struct weft_future *f = arg;
    pthread_mutex_lock(&f->lock);
    bool so = !weft_list_empty(&f->listeners);
    pthread_mutex_unlock(&f->lock);
    return so;
}

/* Starts a thread that waits, and returns when it listens to the last of fs. */
static void start_waiting(struct waiting *w, struct weft_future *const *fs, size_t n,
                          enum weft_return_when until)
{
    static struct gate gate = GATE_CLOSED;
    *w = (struct waiting){.fs = fs, .n = n, .until = until, .before = &gate};
    gate_open(&gate);
    helper_start(&w->helper, wait_for_set, w);
    ck_assert(eventually(somebody_listens, fs[n - 1], weft_in_ms(10000)));
}

static void assert_woke(struct waiting *w, size_t ndone)
{
    helper_join(&w->helper);
    ck_status(w->status, WEFT_OK);
    ck_assert_uint_eq(w->ndone, ndone);
}

START_TEST(S55_duplicates_complete_together)
{
    struct waiting w;
    struct weft_future *f = new_promise(NULL), *fs[] = {f, f, f};
    start_waiting(&w, fs, 3, ALL);
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_OK);
    assert_woke(&w, 3);
    weft_future_release(f);
}
END_TEST

START_TEST(S56_empty_set_returns_at_once)
{
    ck_status(weft_wait(NULL, 0, WEFT_FOREVER, (enum weft_return_when)_i, NULL), WEFT_OK);
}
END_TEST

START_TEST(S57_bad_mode_is_an_error_always)
{
    struct set s;
    size_t ndone = 9;
    make_set(&s, "s");
    ck_status(weft_wait(s.fs, 1, WEFT_POLL, (enum weft_return_when)7, &ndone), WEFT_EINVAL);
    ck_assert_uint_eq(ndone, 0);
    ck_status(weft_wait(NULL, 0, WEFT_POLL, (enum weft_return_when)7, NULL), WEFT_EINVAL);
    ck_status(weft_wait(NULL, 1, WEFT_POLL, ALL, NULL), WEFT_EINVAL);
    ck_status(weft_wait((struct weft_future *[]){s.fs[0], NULL}, 2, WEFT_POLL, ALL, NULL),
              WEFT_EINVAL);
    free_set(&s);
}
END_TEST

START_TEST(S58_first_completed_returns_at_once_if_one_is_done)
{
    struct set s;
    size_t ndone;
    make_set(&s, "pprspc");
    ck_status(weft_wait(s.fs, s.n, WEFT_FOREVER, FIRST, &ndone), WEFT_OK);
    ck_assert_uint_eq(ndone, 2);
    free_set(&s);
}
END_TEST

START_TEST(S59_done_may_be_more_than_one)
{
    struct waiting w;
    struct weft_future *f = new_promise(NULL), *fs[] = {f, f, new_promise(NULL)};
    start_waiting(&w, fs, 3, FIRST);
    ck_status(weft_promise_finish(f, 0, NULL), WEFT_OK);
    assert_woke(&w, 2);
    weft_future_release(f);
    weft_future_release(fs[2]);
}
END_TEST

START_TEST(S60_first_completed_counts_a_cancellation)
{
    struct set s;
    struct waiting w;
    make_set(&s, "pr");
    start_waiting(&w, s.fs, s.n, FIRST);
    ck_status(weft_future_cancel(s.fs[0]), WEFT_OK);
    assert_woke(&w, 1);
    free_set(&s);
}
END_TEST

START_TEST(S61_first_exception_returns_at_once_if_one_has_failed)
{
    struct set s;
    size_t ndone;
    make_set(&s, "psfp");
    ck_status(weft_wait(s.fs, s.n, WEFT_FOREVER, EXCEPTION, &ndone), WEFT_OK);
    ck_assert_uint_eq(ndone, 2);
    free_set(&s);
}
END_TEST

START_TEST(S62_first_exception_wakes_at_the_first_failure)
{
    struct set s;
    struct waiting w;
    make_set(&s, "ppppp");
    start_waiting(&w, s.fs, s.n, EXCEPTION);
    ck_status(weft_promise_finish(s.fs[1], 0, NULL), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[3], 5, NULL), WEFT_OK);
    assert_woke(&w, 2); /* the success before it too */
    free_set(&s);
}
END_TEST

START_TEST(S63_cancellation_is_no_failure)
{
    struct set s;
    struct waiting w;
    make_set(&s, "ppp");
    start_waiting(&w, s.fs, s.n, EXCEPTION);
    ck_status(weft_future_cancel(s.fs[0]), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[1], 0, NULL), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[2], 0, NULL), WEFT_OK);
    assert_woke(&w, 3);
    free_set(&s);
}
END_TEST

START_TEST(S64_without_failure_first_exception_waits_for_all)
{
    struct set s;
    struct waiting w;
    make_set(&s, "sspp");
    start_waiting(&w, s.fs, s.n, EXCEPTION);
    ck_status(weft_promise_finish(s.fs[2], 0, NULL), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[3], 0, NULL), WEFT_OK);
    assert_woke(&w, 4);
    free_set(&s);
}
END_TEST

START_TEST(S65_all_completed_returns_when_all_are_final)
{
    struct set s;
    struct waiting w;
    make_set(&s, "pppppppppppppppppppp"); /* more than fit on the stack */
    start_waiting(&w, s.fs, s.n, ALL);
    for (size_t i = 0; i < s.n; i++) {
        if (i % 3) {
            ck_status(weft_promise_finish(s.fs[i], (int)i, NULL), WEFT_OK);
        } else {
            ck_status(weft_future_cancel(s.fs[i]), WEFT_OK);
        }
    }
    assert_woke(&w, s.n);
    free_set(&s);
}
END_TEST

START_TEST(S68_no_listener_is_left_behind)
{
    struct set s;
    make_set(&s, "pppppppppprs");
    for (int until = 0; until < 3; until++) {
        weft_wait(s.fs, s.n, weft_in_ms(1), (enum weft_return_when)until, NULL);
        for (size_t i = 0; i < s.n; i++) {
            ck_assert(weft_list_empty(&s.fs[i]->listeners));
        }
    }
    free_set(&s);
}
END_TEST

START_TEST(S69_futures_of_several_executors_and_of_none_mix)
{
    size_t ndone;
    struct weft_executor *es[KINDS];
    struct weft_future *fs[KINDS + 1];
    for (int k = 0; k < KINDS; k++) {
        es[k] = make_executor(k);
        fs[k] = submit(es[k], job_nothing, NULL);
    }
    fs[KINDS] = new_promise(NULL);
    ck_status(weft_wait(fs, KINDS + 1, WEFT_FOREVER, FIRST, NULL), WEFT_OK);
    ck_status(weft_wait(fs, KINDS, WEFT_FOREVER, ALL, &ndone), WEFT_OK);
    ck_assert_uint_eq(ndone, KINDS);
    ck_status(weft_wait(fs, KINDS + 1, WEFT_POLL, ALL, &ndone), WEFT_ETIMEDOUT);
    ck_assert_uint_eq(ndone, KINDS);
    for (int k = 0; k < KINDS; k++) {
        weft_future_release(fs[k]);
        free_executor(es[k]);
    }
    weft_future_release(fs[KINDS]);
}
END_TEST

START_TEST(S70_what_finished_before_the_return_is_counted)
{
    struct set s;
    struct waiting w;
    make_set(&s, "ppp");
    start_waiting(&w, s.fs, s.n, FIRST);
    /* The waiter can't leave before it has had this lock; meanwhile a second one gets done. */
    pthread_mutex_lock(&s.fs[0]->lock);
    ck_status(weft_promise_finish(s.fs[2], 0, NULL), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[1], 0, NULL), WEFT_OK);
    pthread_mutex_unlock(&s.fs[0]->lock);
    assert_woke(&w, 2);
    free_set(&s);
}
END_TEST

START_TEST(S71_many_threads_wait_on_overlapping_sets)
{
    enum { N = 24, THREADS = 8 };
    struct weft_executor *e = make_pool(4);
    for (unsigned round = rounds(200, 10); round > 0; round--) {
        struct gate gate = GATE_CLOSED;
        struct weft_future *fs[N];
        struct waiting ws[THREADS];
        for (size_t i = 0; i < N; i++) {
            fs[i] = submit(e, job_nothing, NULL);
        }
        for (size_t t = 0; t < THREADS; t++) {
            ws[t] = (struct waiting){.fs = fs + t, .n = N - 2 * t, .until = ALL, .before = &gate};
            helper_start(&ws[t].helper, wait_for_set, &ws[t]);
        }
        gate_open(&gate);
        for (size_t t = 0; t < THREADS; t++) {
            assert_woke(&ws[t], N - 2 * t);
        }
        for (size_t i = 0; i < N; i++) {
            weft_future_release(fs[i]);
        }
    }
    free_executor(e);
}
END_TEST

START_TEST(S72_waiting_holds_no_future_up)
{
    /* While a wait sleeps on a set, its futures can be finished, read and waited for. */
    struct set s;
    struct waiting w;
    make_set(&s, "pp");
    start_waiting(&w, s.fs, s.n, ALL);
    ck_status(weft_promise_finish(s.fs[0], 0, NULL), WEFT_OK);
    ck_status(weft_future_result(s.fs[0], WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(weft_wait(s.fs, s.n, WEFT_FOREVER, FIRST, NULL), WEFT_OK);
    ck_status(weft_promise_finish(s.fs[1], 0, NULL), WEFT_OK);
    assert_woke(&w, 2);
    free_set(&s);
}
END_TEST

int main(void)
{
    int n = (int)(sizeof polls / sizeof polls[0]);
    TCase *tc = tcase_create("wait");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, S54_cancels_nothing_and_consumes_nothing);
    tcase_add_test(tc, S55_duplicates_complete_together);
    tcase_add_loop_test(tc, S56_empty_set_returns_at_once, 0, 3);
    tcase_add_test(tc, S57_bad_mode_is_an_error_always);
    tcase_add_test(tc, S58_first_completed_returns_at_once_if_one_is_done);
    tcase_add_test(tc, S59_done_may_be_more_than_one);
    tcase_add_test(tc, S60_first_completed_counts_a_cancellation);
    tcase_add_test(tc, S61_first_exception_returns_at_once_if_one_has_failed);
    tcase_add_test(tc, S62_first_exception_wakes_at_the_first_failure);
    tcase_add_test(tc, S63_cancellation_is_no_failure);
    tcase_add_test(tc, S64_without_failure_first_exception_waits_for_all);
    tcase_add_test(tc, S65_all_completed_returns_when_all_are_final);
    tcase_add_loop_test(tc, S66_time_out_tells_how_many_are_done, 0, n);
    tcase_add_loop_test(tc, S67_poll_of_every_kind_of_set, 0, n);
    tcase_add_test(tc, S68_no_listener_is_left_behind);
    tcase_add_test(tc, S69_futures_of_several_executors_and_of_none_mix);
    tcase_add_test(tc, S70_what_finished_before_the_return_is_counted);
    tcase_add_test(tc, S71_many_threads_wait_on_overlapping_sets);
    tcase_add_test(tc, S72_waiting_holds_no_future_up);
    return suite_run("exec: wait", tc);
}
