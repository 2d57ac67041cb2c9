/* check_bugs_exit.c -- bugs that users of other pools really hit, 35 to 40: exit, fork, signals,
 * time, and deadlocks by design. The numbers are those of docs/futures.md. */
#include "jobs.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_child_ends(pid_t child)
{
    int status;
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with status %x",
                  (unsigned)status);
}

/* Threads that keep an executor busy until they are told to stop. */
struct load {
    struct helper helper;
    struct weft_executor *e;
    atomic_bool *stop;
};

static void keep_busy(void *arg)
{
    struct load *l = arg;
    atomic_int runs = 0;
    struct weft_completion_queue *q = new_queue();
    while (!atomic_load(l->stop)) {
        struct weft_future *f;
        struct weft_job job = {.run = job_count, .arg = &runs, .queue = q};
        ck_status(weft_executor_submit(l->e, &job, WEFT_FOREVER, NULL), WEFT_OK);
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_OK);
        weft_future_release(f);
    }
    weft_completion_queue_free(q);
}

/* The ordinary end of a child that knows nothing of the executor but its pointer. */
static void be_child(struct weft_executor *e)
{
    struct weft_future *f;
    struct weft_job job = {.run = job_nothing};
    alarm(20); /* a child that hangs dies by this, and the test fails */
    bool refused = weft_executor_submit(e, &job, WEFT_FOREVER, &f) == WEFT_EFORKED &&
                   weft_executor_free(e) == WEFT_EFORKED;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    _exit(refused ? 0 : 1); /* a sanitizer's own exit is not made for a threaded parent's child */
#else
    fclose(stdout); /* what the parent had not written yet is the parent's to write */
    exit(refused ? 0 : 1);
#endif
}

START_TEST(bug35_forked_child_neither_aborts_nor_hangs)
{
    enum { LOADS = 3 };
    struct load loads[LOADS];
    atomic_bool stop = false;
    struct weft_executor *e = make_pool(3);
    for (int i = 0; i < LOADS; i++) {
        loads[i] = (struct load){.e = e, .stop = &stop};
        helper_start(&loads[i].helper, keep_busy, &loads[i]);
    }
    for (unsigned i = rounds(500, 20); i > 0; i--) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            be_child(e);
        }
        assert_child_ends(child);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < LOADS; i++) {
        helper_join(&loads[i].helper);
    }
    free_executor(e);
}
END_TEST

START_TEST(bug36_exit_is_not_held_up_by_queued_or_stuck_work)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        struct gate gate = GATE_CLOSED;
        struct weft_executor *e = make_pool(2);
        for (int i = 0; i < 100; i++) {
            weft_future_release(submit(e, job_gate, &gate));
        }
        gate_await(&gate, 2); /* two hang for ever, the others wait for them */
#ifdef __SANITIZE_ADDRESS__
        _exit(0); /* the leak check would rightly name what is still in use */
#else
        fclose(stdout);
        exit(0);
#endif
    }
    assert_child_ends(child);
}
END_TEST

static pthread_t main_thread;
static atomic_int on_main, elsewhere;

static void on_signal(int number)
{
    (void)number;
    atomic_fetch_add(pthread_equal(pthread_self(), main_thread) ? &on_main : &elsewhere, 1);
}

static int job_mask(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    pthread_sigmask(SIG_SETMASK, NULL, arg);
    return 0;
}

START_TEST(bug37_process_signals_are_for_the_main_thread)
{
    static const int checked[] = {SIGUSR1, SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGALRM};
    enum { N = sizeof checked / sizeof checked[0] };
    struct sigaction before[N], after;
    sigset_t worker, mine_before, mine;
    main_thread = pthread_self();
    ck_assert_int_eq(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL), 0);
    for (int i = 0; i < N; i++) {
        sigaction(checked[i], NULL, &before[i]);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mine_before);
    struct weft_executor *e = make_pool(4);
    pthread_sigmask(SIG_SETMASK, NULL, &mine);
    for (int i = 0; i < N; i++) { /* nothing was installed */
        sigaction(checked[i], NULL, &after);
        ck_assert(after.sa_handler == before[i].sa_handler);
        ck_assert_int_eq(sigismember(&mine, checked[i]), sigismember(&mine_before, checked[i]));
    }
    for (int i = 0; i < 1000; i++) {
        kill(getpid(), SIGUSR1);
    }
    ck_assert_int_eq(on_main, 1000);
    ck_assert_int_eq(elsewhere, 0);
    struct weft_future *f = submit(e, job_mask, &worker);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(sigismember(&worker, checked[i]), 1);
    }
    ck_assert_int_eq(sigismember(&worker, SIGSEGV), 0); /* a fault must still be a fault */
    ck_assert_int_eq(sigismember(&worker, SIGPROF), 0);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* What ran while a job waited for another: stranger must not be in between. */
struct story {
    struct weft_executor *e;
    char events[16];
    atomic_uint len;
};

static void tell(struct story *s, char event)
{
    s->events[atomic_fetch_add(&s->len, 1)] = event;
}

static int job_awaited(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    tell(arg, 'i');
    return 0;
}

static int job_stranger(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    tell(arg, 's');
    return 0;
}

static int job_outer(struct weft_task *self, void *arg, void **value)
{
    struct story *s = arg;
    (void)self, (void)value;
    tell(s, 'o');
    struct weft_future *stranger = submit(s->e, job_stranger, s);
    struct weft_future *awaited = submit(s->e, job_awaited, s);
    ck_status(weft_future_result(awaited, WEFT_FOREVER, NULL), WEFT_OK);
    tell(s, 'O');
    weft_future_release(stranger);
    weft_future_release(awaited);
    return 0;
}

START_TEST(bug39_waiting_worker_runs_the_awaited_job_and_no_other)
{
    struct story s = {.e = make_pool(1)};
    struct weft_future *f = submit(s.e, job_outer, &s);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(s.e);
    ck_assert_str_eq(s.events, "oiOs");
}
END_TEST

/* A tree of jobs, each of which waits for its children; more than there are workers. */
struct node {
    struct weft_executor *e;
    unsigned depth;
    atomic_uint *leaves;
};

static int job_tree(struct weft_task *self, void *arg, void **value)
{
    struct node *n = arg, child = {n->e, n->depth - 1, n->leaves};
    struct weft_future *fs[3];
    (void)self, (void)value;
    if (n->depth == 0) {
        atomic_fetch_add(n->leaves, 1);
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        fs[i] = submit(n->e, job_tree, &child);
    }
    ck_status(weft_wait(fs, 3, WEFT_FOREVER, WEFT_ALL_COMPLETED, NULL), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        weft_future_release(fs[i]);
    }
    return 0;
}

START_TEST(bug39_tree_of_jobs_on_a_small_pool_ends)
{
    struct weft_executor *e = make_executor(_i);
    for (unsigned i = rounds(200, 20); i > 0; i--) {
        atomic_uint leaves = 0;
        struct node root = {e, 5, &leaves};
        struct weft_future *f = submit(e, job_tree, &root);
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        ck_assert_uint_eq(leaves, 243);
        weft_future_release(f);
    }
    free_executor(e);
}
END_TEST

/* A queue that outsiders add to while the only worker sits in next. */
struct sitter {
    struct weft_completion_queue *q;
    struct gate inside;
};

static int job_sit(struct weft_task *self, void *arg, void **value)
{
    struct sitter *s = arg;
    struct weft_future *f;
    int n = 0;
    (void)self, (void)value;
    gate_open(&s->inside);
    gate_pass(&s->inside);
    while (weft_completion_queue_next(s->q, WEFT_FOREVER, &f, NULL) == WEFT_OK) {
        weft_future_release(f);
        n++;
    }
    return n;
}

START_TEST(bug39_worker_that_waits_on_a_queue_runs_what_is_added_later)
{
    for (unsigned i = rounds(1000, 10); i > 0; i--) {
        struct sitter s = {.q = new_queue(), .inside = GATE_CLOSED};
        struct weft_executor *e = make_pool(1);
        struct weft_future *p = new_promise(NULL);
        ck_status(weft_completion_queue_add(s.q, p, NULL), WEFT_OK);
        struct weft_future *f = submit(e, job_sit, &s);
        gate_await(&s.inside, 1);
        struct weft_future *late = submit_job(e,
                                              &(struct weft_job){.run = job_nothing, .queue = s.q});
        ck_status(weft_future_result(late, weft_in_ms(30000), NULL), WEFT_OK);
        ck_status(weft_promise_finish(p, 0, NULL), WEFT_OK);
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        assert_result(f, WEFT_OK, 2, NULL);
        weft_future_release(f);
        weft_future_release(late);
        weft_future_release(p);
        free_executor(e);
        weft_completion_queue_free(s.q);
    }
}
END_TEST

static int job_policy(struct weft_task *self, void *arg, void **value)
{
    struct sched_param param;
    int policy = -1;
    (void)self, (void)arg, (void)value;
    pthread_getschedparam(pthread_self(), &policy, &param);
    return policy;
}

struct submitter {
    struct weft_executor *pool;
    int policy; /* of the pool's creator */
};

static void submit_as_batch(void *arg)
{
    struct submitter *s = arg;
    struct weft_result r;
    struct sched_param param = {0};
    ck_assert_int_eq(pthread_setschedparam(pthread_self(), SCHED_BATCH, &param), 0);
    struct weft_future *f = submit(s->pool, job_policy, NULL);
    ck_status(weft_future_result(f, WEFT_FOREVER, &r), WEFT_OK);
    ck_assert_int_eq(r.err, s->policy);
    weft_future_release(f);
}

START_TEST(bug40_workers_keep_their_creators_policy_not_the_submitters)
{
    struct helper h;
    struct sched_param param;
    struct submitter s = {.pool = make_pool(1)};
    ck_assert_int_eq(pthread_getschedparam(pthread_self(), &s.policy, &param), 0);
    ck_assert_int_ne(s.policy, SCHED_BATCH);
    helper_start(&h, submit_as_batch, &s);
    helper_join(&h);
    free_executor(s.pool);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("exit");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, bug35_forked_child_neither_aborts_nor_hangs);
    tcase_add_test(tc, bug36_exit_is_not_held_up_by_queued_or_stuck_work);
    tcase_add_test(tc, bug37_process_signals_are_for_the_main_thread);
    tcase_add_test(tc, bug39_waiting_worker_runs_the_awaited_job_and_no_other);
    tcase_add_loop_test(tc, bug39_tree_of_jobs_on_a_small_pool_ends, 0, KINDS);
    tcase_add_test(tc, bug39_worker_that_waits_on_a_queue_runs_what_is_added_later);
    tcase_add_test(tc, bug40_workers_keep_their_creators_policy_not_the_submitters);
    return suite_run("exec: exit, signals, deadlocks", tc);
}
