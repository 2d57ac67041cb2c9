/* check_executor.c -- submitting, workers, helping. Section G of docs/futures.md. S87, what becomes
 * of an exception out of a job, has no meaning in C. */
#include "jobs.h"

#include <limits.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Jobs that write their number down, in the order in which they start. */
struct order {
    atomic_uint len;
    unsigned numbers[64];
};

struct numbered {
    struct order *order;
    unsigned number;
};

static int job_number(struct weft_task *self, void *arg, void **value)
{
    struct numbered *n = arg;
    (void)self, (void)value;
    n->order->numbers[atomic_fetch_add(&n->order->len, 1)] = n->number;
    return 0;
}

START_TEST(S85_submit_returns_at_once_and_jobs_start_first_in_first_out)
{
    enum { N = 64 };
    struct order order = {0};
    struct numbered jobs[N];
    struct blocked_pool b;
    block_pool(&b);
    for (unsigned i = 0; i < N; i++) {
        jobs[i] = (struct numbered){&order, i};
        struct weft_future *f = submit(b.e, job_number, &jobs[i]);
        ck_assert(!weft_future_running(f));
        weft_future_release(f);
    }
    ck_assert_uint_eq(order.len, 0);
    unblock_and_free(&b);
    for (unsigned i = 0; i < N; i++) {
        ck_assert_uint_eq(order.numbers[i], i);
    }
}
END_TEST

START_TEST(S86_job_without_function_is_refused)
{
    atomic_int frees = 0;
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = (struct weft_future *)e;
    struct weft_job job = {.arg = &frees, .arg_free = count_free};
    ck_status(weft_executor_submit(e, &job, WEFT_POLL, &f), WEFT_EINVAL);
    ck_assert_ptr_null(f);
    ck_status(weft_executor_submit(e, NULL, WEFT_POLL, &f), WEFT_EINVAL);
    ck_status(weft_executor_submit(NULL, &job, WEFT_POLL, &f), WEFT_EINVAL);
    free_executor(e);
    ck_assert_int_eq(frees, 0);
}
END_TEST

START_TEST(S88_default_size_is_pythons)
{
    struct weft_executor *e;
    unsigned cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    ck_status(weft_executor_new(&e, NULL), WEFT_OK);
    ck_assert_uint_eq(weft_executor_workers(e), cpus + 4 < 32 ? cpus + 4 : 32);
    free_executor(e);
    ck_status(weft_executor_new(&e, &(struct weft_executor_options){.max_workers = UINT_MAX}),
              WEFT_EINVAL);
    ck_assert_ptr_null(e);
}
END_TEST

START_TEST(S89_all_threads_start_with_the_pool_and_end_with_it)
{
    struct weft_executor *e = make_pool(6);
    ck_assert_uint_eq(count_workers(), 6);
    free_executor(e);
    assert_no_workers();
}
END_TEST

/* A job that counts how many of its kind run at once. */
static int job_peak(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    peak_enter(arg);
    sched_yield();
    peak_leave(arg);
    return 0;
}

START_TEST(S91_never_more_than_max_workers_at_once)
{
    struct peak peak = {0};
    struct weft_executor *e = make_pool(3);
    for (unsigned i = rounds(20000, 10); i > 0; i--) {
        weft_future_release(submit(e, job_peak, &peak));
    }
    free_executor(e);
    ck_assert_uint_le(peak.most, 3);
    ck_assert_uint_ge(peak.most, 1);
}
END_TEST

START_TEST(S91_all_workers_can_be_busy_at_once)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_pool(5);
    for (int i = 0; i < 5; i++) {
        weft_future_release(submit(e, job_gate, &gate));
    }
    gate_await(&gate, 5);
    gate_open(&gate);
    free_executor(e);
}
END_TEST

START_TEST(S92_idle_workers_do_not_expire)
{
    atomic_int runs = 0;
    struct weft_executor *e = make_pool(2);
    for (int i = 0; i < 50; i++) { /* there is no timer in the pool: time makes no difference */
        struct weft_future *f = submit(e, job_count, &runs);
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        ck_assert_uint_eq(count_workers(), 2);
        weft_future_release(f);
    }
    free_executor(e);
}
END_TEST

/* Workers that write their names down, and then wait for each other. */
struct roll {
    char names[11][16];
    struct gate gate;
};

static int job_name(struct weft_task *self, void *arg, void **value)
{
    struct roll *roll = arg;
    (void)value;
    pthread_getname_np(pthread_self(), roll->names[weft_task_worker(self)], 16);
    gate_pass(&roll->gate);
    return 0;
}

static const struct {
    const char *prefix, *first, *last;
} names[] = {
    {NULL, "weft-0", "weft-10"},
    {"crawl", "crawl-0", "crawl-10"},
    {"a-very-long-name-for-a-thread", "a-very-long-n-0", "a-very-long--10"},
    {"", "-0", "-10"},
};

START_TEST(S93_threads_are_named_and_the_number_survives)
{
    enum { N = 11 };
    struct roll roll = {.gate = GATE_CLOSED};
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = N, .name = names[_i].prefix};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    for (int i = 0; i < N; i++) {
        weft_future_release(submit(e, job_name, &roll));
    }
    gate_await(&roll.gate, N);
    gate_open(&roll.gate);
    free_executor(e);
    ck_assert_str_eq(roll.names[0], names[_i].first);
    ck_assert_str_eq(roll.names[N - 1], names[_i].last);
}
END_TEST

/* What the hooks of a pool count. */
struct hooks {
    atomic_int inits, exits, jobs_before_init;
    int fail_at; /* the init with this number fails */
};

static _Thread_local bool initialised;

static int init(void *user)
{
    struct hooks *h = user;
    initialised = true;
    return atomic_fetch_add(&h->inits, 1) + 1 == h->fail_at;
}

static void leave(void *user)
{
    atomic_fetch_add(&((struct hooks *)user)->exits, 1);
}

static int job_initialised(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    atomic_fetch_add(&((struct hooks *)arg)->jobs_before_init, !initialised);
    return 0;
}

START_TEST(S94_init_runs_on_each_worker_before_any_job)
{
    struct hooks h = {0};
    struct weft_executor *e;
    struct weft_executor_options o = {
        .max_workers = 4, .worker_init = init, .worker_exit = leave, .user = &h};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    ck_assert_int_eq(h.inits, 4);
    for (int i = 0; i < 50; i++) {
        weft_future_release(submit(e, job_initialised, &h));
    }
    ck_status(weft_executor_shutdown(e, 0, WEFT_FOREVER), WEFT_OK);
    ck_assert_int_eq(h.exits, 4); /* shutdown has waited for them */
    free_executor(e);
    ck_assert_int_eq(h.jobs_before_init, 0);
    ck_assert_int_eq(h.exits, 4);
}
END_TEST

START_TEST(S95_failing_init_fails_new)
{
    struct hooks h = {.fail_at = _i};
    struct weft_executor *e = (struct weft_executor *)&h;
    struct weft_executor_options o = {
        .max_workers = 4, .worker_init = init, .worker_exit = leave, .user = &h};
    ck_status(weft_executor_new(&e, &o), WEFT_EINIT);
    ck_assert_ptr_null(e);
    ck_assert_int_eq(h.inits, 4);
    ck_assert_int_eq(h.exits, 3); /* only those that initialised */
    assert_no_workers();
}
END_TEST

START_TEST(S96_no_job_runs_before_every_init_is_over)
{
    /* There is no half-started pool that could break while a job runs: new gives an executor only
     * when all workers are ready. So what runs completes. */
    struct hooks h = {0};
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = 3, .worker_init = init, .user = &h};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    ck_assert_int_eq(h.inits, 3);
    struct weft_future *f = submit(e, job_echo, &h);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 0, &h);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(S97_cancelled_job_in_the_queue_does_not_stop_those_behind)
{
    struct blocked_pool b;
    struct weft_future *fs[5];
    block_pool(&b);
    for (size_t i = 0; i < COUNT(fs); i++) {
        fs[i] = submit(b.e, job_nothing, NULL);
    }
    ck_status(weft_future_cancel(fs[0]), WEFT_OK);
    ck_status(weft_future_cancel(fs[2]), WEFT_OK);
    ck_status(weft_executor_shutdown(b.e, WEFT_CANCEL_PENDING, WEFT_POLL), WEFT_ETIMEDOUT);
    for (size_t i = 0; i < COUNT(fs); i++) {
        ck_assert(weft_future_cancelled(fs[i]));
        weft_future_release(fs[i]);
    }
    unblock_and_free(&b);
}
END_TEST

START_TEST(S99_outsider_cannot_finish_a_job)
{
    struct blocked_pool b;
    block_pool(&b);
    struct weft_future *f = submit(b.e, job_echo, &b);
    ck_status(weft_promise_start(f), WEFT_EINVAL);
    ck_status(weft_promise_finish(f, 1, NULL), WEFT_EINVAL);
    ck_status(weft_promise_finish(b.blocker, 1, NULL), WEFT_EINVAL);
    ck_status(weft_promise_finish(NULL, 1, NULL), WEFT_EINVAL);
    gate_open(&b.gate);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 0, &b);
    weft_future_release(f);
    unblock_and_free(&b);
}
END_TEST

static bool is_one(void *counter)
{
    return atomic_load((atomic_int *)counter) == 1;
}

START_TEST(S100_worker_drops_its_references_before_it_idles)
{
    atomic_int arg = 0, value = 0;
    struct weft_executor *e = make_executor(_i);
    struct weft_future *f = submit_job(
        e, &(struct weft_job){.run = job_nothing, .arg = &arg, .arg_free = count_free});
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_int_eq(arg, 1); /* before the future is done */
    weft_future_release(f);
    struct weft_job job = {.run = job_echo, .arg = &value, .value_free = count_free};
    ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert(eventually(is_one, &value, weft_in_ms(5000))); /* without any other job or shutdown */
    free_executor(e);
    ck_assert_int_eq(value, 1);
}
END_TEST

struct parent {
    struct weft_executor *e;
    atomic_int runs;
    struct weft_future *child;
    enum weft_status status;
};

static int submit_child(struct weft_task *self, void *arg, void **value)
{
    struct parent *p = arg;
    (void)self, (void)value;
    p->status = weft_executor_submit(p->e, &(struct weft_job){.run = job_count, .arg = &p->runs},
                                     WEFT_FOREVER, &p->child);
    return 0;
}

START_TEST(S101_job_may_submit_to_its_own_executor)
{
    struct parent p = {.e = make_executor(_i)};
    struct weft_future *f = submit(p.e, submit_child, &p);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(p.status, WEFT_OK);
    ck_status(weft_future_result(p.child, WEFT_FOREVER, NULL), WEFT_OK);
    ck_assert_int_eq(p.runs, 1);
    weft_future_release(p.child);
    weft_future_release(f);
    free_executor(p.e);
}
END_TEST

static struct weft_executor *make_bounded(unsigned workers, size_t queue_max)
{
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = workers, .queue_max = queue_max};
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    return e;
}

static enum weft_status try_submit(struct weft_executor *e, weft_time deadline)
{
    return weft_executor_submit(e, &(struct weft_job){.run = job_nothing}, deadline, NULL);
}

static int submit_to_full(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    struct weft_executor *e = arg;
    while (try_submit(e, WEFT_POLL) == WEFT_OK) {
    }
    return (int)try_submit(e, WEFT_FOREVER); /* would wait for itself */
}

START_TEST(S101_worker_is_refused_at_once_by_its_own_full_queue)
{
    struct weft_executor *e = make_bounded(1, 2);
    struct weft_future *f = submit(e, submit_to_full, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, WEFT_EFULL, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

struct producer {
    struct helper helper;
    struct weft_executor *e;
    atomic_int status; /* -1 while it waits */
};

static void produce(void *arg)
{
    struct producer *p = arg;
    p->status = (int)try_submit(p->e, WEFT_FOREVER);
}

START_TEST(bounded_queue_refuses_waits_and_gets_room)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_bounded(1, 2);
    weft_future_release(submit(e, job_gate, &gate));
    gate_await(&gate, 1);
    struct weft_future *f = submit(e, job_nothing, NULL);
    ck_status(try_submit(e, WEFT_POLL), WEFT_OK);
    ck_status(try_submit(e, WEFT_POLL), WEFT_EFULL);
    ck_status(try_submit(e, weft_in_ms(2)), WEFT_EFULL);
    ck_assert_uint_eq(weft_executor_queued(e), 2);
    ck_status(weft_future_cancel(f), WEFT_OK); /* a cancelled job makes room at once */
    ck_status(try_submit(e, WEFT_POLL), WEFT_OK);
    struct producer p = {.e = e, .status = -1};
    helper_start(&p.helper, produce, &p);
    gate_open(&gate); /* the worker makes room */
    helper_join(&p.helper);
    ck_assert_int_eq(p.status, WEFT_OK);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

START_TEST(bounded_queue_many_producers_lose_nothing)
{
    enum { PRODUCERS = 6 };
    struct weft_executor *e = make_bounded(2, 3);
    for (unsigned i = rounds(2000, 20); i > 0; i--) {
        struct producer ps[PRODUCERS];
        for (int k = 0; k < PRODUCERS; k++) {
            ps[k].e = e;
            ps[k].status = -1;
            helper_start(&ps[k].helper, produce, &ps[k]);
        }
        for (int k = 0; k < PRODUCERS; k++) {
            helper_join(&ps[k].helper);
            ck_assert_int_eq(ps[k].status, WEFT_OK);
        }
    }
    free_executor(e);
}
END_TEST

START_TEST(shutdown_ends_the_wait_for_room)
{
    struct gate gate = GATE_CLOSED;
    struct weft_executor *e = make_bounded(1, 1);
    weft_future_release(submit(e, job_gate, &gate));
    gate_await(&gate, 1);
    ck_status(try_submit(e, WEFT_POLL), WEFT_OK);
    struct producer p = {.e = e, .status = -1};
    helper_start(&p.helper, produce, &p);
    ck_status(weft_executor_shutdown(e, 0, WEFT_POLL), WEFT_ETIMEDOUT);
    helper_join(&p.helper);
    ck_assert_int_eq(p.status, WEFT_ECLOSED);
    gate_open(&gate);
    free_executor(e);
}
END_TEST

/* A job that submits a smaller one of itself and waits for it, without a deadline. */
struct nest {
    struct weft_executor *e;
    unsigned depth;
    int how;         /* which call it waits with */
    unsigned worker; /* where the outer one runs */
    atomic_uint deepest;
};

enum { BY_RESULT, BY_WAIT_ALL, BY_WAIT_FIRST, BY_QUEUE, WAYS };

static int job_nest(struct weft_task *self, void *arg, void **value)
{
    struct nest *n = arg;
    (void)value;
    n->worker = weft_task_worker(self);
    unsigned depth = atomic_fetch_add(&n->deepest, 1) + 1;
    if (depth == n->depth) {
        return (int)depth;
    }
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f, *out = NULL;
    struct weft_job inner = {.run = job_nest, .arg = n, .queue = n->how == BY_QUEUE ? q : NULL};
    ck_status(weft_executor_submit(n->e, &inner, WEFT_FOREVER, &f), WEFT_OK);
    if (n->how == BY_QUEUE) {
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &out, NULL), WEFT_OK);
        ck_assert_ptr_eq(out, f);
    } else if (n->how == BY_WAIT_ALL || n->how == BY_WAIT_FIRST) {
        ck_status(weft_wait(&f, 1, WEFT_FOREVER,
                            n->how == BY_WAIT_ALL ? WEFT_ALL_COMPLETED : WEFT_FIRST_COMPLETED,
                            NULL),
                  WEFT_OK);
    }
    struct weft_result r;
    ck_status(weft_future_result(f, WEFT_FOREVER, &r), WEFT_OK);
    weft_future_release(f);
    weft_future_release(out);
    weft_completion_queue_free(q);
    return r.err;
}

START_TEST(S102_job_that_waits_for_jobs_of_its_own_full_pool_runs_them)
{
    struct nest n = {.e = make_executor(POOL_OF_1), .depth = 50, .how = _i};
    struct weft_future *f = submit(n.e, job_nest, &n);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 50, NULL);
    weft_future_release(f);
    free_executor(n.e);
}
END_TEST

START_TEST(S102_every_executor_runs_nested_jobs)
{
    struct nest n = {.e = make_executor(_i), .depth = 20, .how = BY_RESULT};
    struct weft_future *f = submit(n.e, job_nest, &n);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, 20, NULL);
    weft_future_release(f);
    free_executor(n.e);
}
END_TEST

/* A job that waits for three of its own pool: ok, failed, ok; and says how many were done then. */
static int wait_for_three(struct weft_task *self, void *arg, void **value)
{
    struct nest *n = arg;
    struct weft_future *fs[3];
    size_t ndone;
    (void)self, (void)value;
    for (int i = 0; i < 3; i++) {
        fs[i] = submit(n->e, job_fail, (void *)(intptr_t)(i == 1 ? 9 : 0));
    }
    ck_status(weft_wait(fs, 3, WEFT_FOREVER, (enum weft_return_when)n->how, &ndone), WEFT_OK);
    for (int i = 0; i < 3; i++) {
        weft_future_release(fs[i]);
    }
    return (int)ndone;
}

START_TEST(S102_worker_helps_only_as_long_as_its_wait_needs_it)
{
    static const int expected[] = {
        [WEFT_FIRST_COMPLETED] = 1, [WEFT_FIRST_EXCEPTION] = 2, [WEFT_ALL_COMPLETED] = 3};
    struct nest n = {.e = make_pool(1), .how = _i};
    struct weft_future *f = submit(n.e, wait_for_three, &n);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, expected[_i], NULL);
    weft_future_release(f);
    free_executor(n.e);
}
END_TEST

/* A job that waits, with a deadline, for a job behind it in the queue of its one worker. */
static int wait_with_deadline(struct weft_task *self, void *arg, void **value)
{
    struct weft_future *f;
    (void)self, (void)value;
    ck_status(weft_executor_submit(arg, &(struct weft_job){.run = job_nothing}, WEFT_FOREVER, &f),
              WEFT_OK);
    int st = (int)weft_future_result(f, weft_in_ms(2), NULL);
    ck_assert(!weft_future_done(f));
    weft_future_release(f);
    return st;
}

START_TEST(S102_with_a_deadline_nobody_helps)
{
    struct weft_executor *e = make_pool(1);
    struct weft_future *f = submit(e, wait_with_deadline, e);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    assert_result(f, WEFT_OK, WEFT_ETIMEDOUT, NULL);
    weft_future_release(f);
    free_executor(e);
}
END_TEST

/* Waits for one of two: itself, and a promise that is done. */
static int wait_for_self(struct weft_task *self, void *arg, void **value)
{
    struct weft_future *me = weft_task_future(self), *fs[2] = {me, arg};
    size_t ndone;
    (void)value;
    ck_status(weft_future_result(me, WEFT_FOREVER, NULL), WEFT_EDEADLK);
    ck_status(weft_future_result(me, weft_in_ms(100000), NULL), WEFT_EDEADLK);
    ck_status(weft_future_result(me, WEFT_POLL, NULL), WEFT_ETIMEDOUT); /* a look is allowed */
    ck_status(weft_wait(fs, 1, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL), WEFT_EDEADLK);
    ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_FIRST_COMPLETED, &ndone), WEFT_OK);
    ck_assert_uint_eq(ndone, 1);
    ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_ALL_COMPLETED, &ndone), WEFT_EDEADLK);
    ck_assert_uint_eq(ndone, 1);
    ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_FIRST_EXCEPTION, NULL), WEFT_EDEADLK);
    return 0;
}

START_TEST(S103_job_that_waits_for_itself_is_told)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_future *p = new_promise(NULL);
    ck_status(weft_promise_finish(p, 0, NULL), WEFT_OK);
    struct weft_future *f = submit(e, wait_for_self, p);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    weft_future_release(p);
    free_executor(e);
}
END_TEST

static int measure_stack(struct weft_task *self, void *arg, void **value)
{
    pthread_attr_t attr;
    (void)self, (void)value;
    ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attr), 0);
    ck_assert_int_eq(pthread_attr_getstacksize(&attr, arg), 0);
    pthread_attr_destroy(&attr);
    return 0;
}

START_TEST(stack_size_is_what_was_asked_for_and_never_too_small)
{
    static const size_t sizes[] = {0, 1, 100000, (size_t)1 << 20, (size_t)16 << 20};
    struct weft_executor *e;
    struct weft_executor_options o = {.max_workers = 2, .stack_bytes = sizes[_i]};
    size_t size = 0, wanted = sizes[_i] ? sizes[_i] : (size_t)8 << 20;
    ck_status(weft_executor_new(&e, &o), WEFT_OK);
    struct weft_future *f = submit(e, measure_stack, &size);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(e);
    ck_assert_uint_ge(size, wanted);
    ck_assert_uint_ge(size, (size_t)sysconf(_SC_THREAD_STACK_MIN));
    ck_assert_uint_le(size, wanted + ((size_t)1 << 20)); /* sanitizers give more than nothing */
}
END_TEST

static int job_worker(struct weft_task *self, void *arg, void **value)
{
    struct gate *g = arg;
    gate_pass(&g[weft_task_worker(self)]);
    (void)value;
    return (int)weft_task_worker(self);
}

START_TEST(workers_are_numbered_from_0)
{
    struct gate gates[3] = {GATE_CLOSED, GATE_CLOSED, GATE_CLOSED};
    bool seen[3] = {false, false, false};
    struct weft_future *fs[3];
    struct weft_result r;
    struct weft_executor *e = make_pool(3);
    for (int i = 0; i < 3; i++) {
        fs[i] = submit(e, job_worker, gates);
    }
    for (int i = 0; i < 3; i++) {
        gate_await(&gates[i], 1); /* each number is in use once */
    }
    for (int i = 0; i < 3; i++) {
        gate_open(&gates[i]);
    }
    for (int i = 0; i < 3; i++) {
        ck_status(weft_future_result(fs[i], WEFT_FOREVER, &r), WEFT_OK);
        seen[r.err] = true;
        weft_future_release(fs[i]);
    }
    ck_assert(seen[0] && seen[1] && seen[2]);
    free_executor(e);
}
END_TEST

/* What a job finds of the one that had its future before. */
struct traces {
    atomic_int runs, stopping, calls;
    _Atomic(struct weft_future *) kept; /* the first one's, with a reference */
};

static int leave_traces(struct weft_task *self, void *arg, void **value)
{
    struct traces *t = arg;
    struct weft_future *me = weft_task_future(self);
    bool first = atomic_fetch_add(&t->runs, 1) == 0;
    atomic_fetch_add(&t->stopping, weft_stopping(self));
    ck_assert(me != t->kept); /* what somebody holds is nobody else's */
    if (first) {
        t->kept = weft_future_retain(me);
    }
    ck_assert_ptr_null(*value);
    *value = t;
    ck_status(weft_future_add_done_callback(me, count_call, &t->calls), WEFT_OK);
    ck_status(weft_future_cancel(me), WEFT_EBUSY);
    return 5;
}

START_TEST(future_of_a_job_nobody_asks_for_is_used_again_like_new)
{
    enum { N = 3000 };
    struct traces t = {0};
    struct weft_executor *e = make_executor(_i);
    for (int i = 0; i < N; i++) {
        struct weft_job job = {.run = leave_traces, .arg = &t};
        ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    }
    free_executor(e);
    ck_assert_int_eq(t.runs, N);
    ck_assert_int_eq(t.calls, N);
    ck_assert_int_eq(t.stopping, 0);
    assert_result(t.kept, WEFT_OK, 5, &t);
    weft_future_release(t.kept);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("executor");
    tcase_set_timeout(tc, watchdog());
    tcase_add_test(tc, S85_submit_returns_at_once_and_jobs_start_first_in_first_out);
    tcase_add_loop_test(tc, S86_job_without_function_is_refused, 0, KINDS);
    tcase_add_test(tc, S88_default_size_is_pythons);
    tcase_add_test(tc, S89_all_threads_start_with_the_pool_and_end_with_it);
    tcase_add_test(tc, S91_never_more_than_max_workers_at_once);
    tcase_add_test(tc, S91_all_workers_can_be_busy_at_once);
    tcase_add_test(tc, S92_idle_workers_do_not_expire);
    tcase_add_loop_test(tc, S93_threads_are_named_and_the_number_survives, 0, (int)COUNT(names));
    tcase_add_test(tc, S94_init_runs_on_each_worker_before_any_job);
    tcase_add_loop_test(tc, S95_failing_init_fails_new, 1, 5);
    tcase_add_test(tc, S96_no_job_runs_before_every_init_is_over);
    tcase_add_test(tc, S97_cancelled_job_in_the_queue_does_not_stop_those_behind);
    tcase_add_test(tc, S99_outsider_cannot_finish_a_job);
    tcase_add_loop_test(tc, S100_worker_drops_its_references_before_it_idles, 0, KINDS);
    tcase_add_loop_test(tc, S101_job_may_submit_to_its_own_executor, 0, KINDS);
    tcase_add_test(tc, S101_worker_is_refused_at_once_by_its_own_full_queue);
    tcase_add_test(tc, bounded_queue_refuses_waits_and_gets_room);
    tcase_add_test(tc, bounded_queue_many_producers_lose_nothing);
    tcase_add_test(tc, shutdown_ends_the_wait_for_room);
    tcase_add_loop_test(tc, S102_job_that_waits_for_jobs_of_its_own_full_pool_runs_them, 0, WAYS);
    tcase_add_loop_test(tc, S102_every_executor_runs_nested_jobs, 0, KINDS);
    tcase_add_loop_test(tc, S102_worker_helps_only_as_long_as_its_wait_needs_it, 0, 3);
    tcase_add_test(tc, S102_with_a_deadline_nobody_helps);
    tcase_add_loop_test(tc, S103_job_that_waits_for_itself_is_told, 0, KINDS);
    tcase_add_loop_test(tc, stack_size_is_what_was_asked_for_and_never_too_small, 0, 5);
    tcase_add_test(tc, workers_are_numbered_from_0);
    tcase_add_loop_test(tc, future_of_a_job_nobody_asks_for_is_used_again_like_new, 0, KINDS);
    return suite_run("exec: executor", tc);
}
