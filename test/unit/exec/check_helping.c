/* check_helping.c -- a worker that waits for jobs of its own pool runs some of them meanwhile; what
 * that must not change. D9 of docs/futures.md. */
#include "jobs.h"

#include "exec/executor.h" /* for the number of idle workers */
#include "weft/completion_queue.h"
#include "weft/gather.h"
#include "weft/map.h"
#include "weft/race.h"

/* ---- a job that ends only when asked to, run by the very thread that would ask ---- */

struct group {
    struct weft_executor *e;
    struct gate endless; /* where the job that has to be stopped arrives */
    int err;             /* what the job that fails returns */
};

static int race_group(struct weft_task *self, void *arg, void **value)
{
    struct group *g = arg;
    size_t winner = 99;
    struct weft_result out[2];
    const struct weft_job jobs[2] = {{.run = job_until_stopped, .arg = &g->endless},
                                     {.run = job_nothing}};
    (void)self, (void)value;
    ck_status(weft_race(g->e, jobs, 2, WEFT_FOREVER, &winner, out), WEFT_OK);
    ck_assert_uint_eq(winner, 1);
    ck_status(out[0].status, WEFT_ECANCELED);
    return 0;
}

static int gather_group(struct weft_task *self, void *arg, void **value)
{
    struct group *g = arg;
    struct weft_result out[2];
    const struct weft_job jobs[2] = {{.run = job_until_stopped, .arg = &g->endless},
                                     {.run = job_fail, .arg = (void *)(uintptr_t)g->err}};
    (void)self, (void)value;
    ck_status(weft_gather(g->e, jobs, 2, 0, WEFT_STOP_ON_ERROR, WEFT_FOREVER, out), WEFT_ECANCELED);
    ck_status(out[0].status, WEFT_ECANCELED);
    ck_status(out[1].status, WEFT_OK);
    ck_assert_int_eq(out[1].err, g->err); /* it failed: nobody asked it to stop */
    return 0;
}

START_TEST(S150_job_that_decides_stops_one_that_the_waiting_worker_runs)
{
    static weft_job_fn *const groups[] = {race_group, gather_group, gather_group};
    struct gate busy = GATE_CLOSED;
    struct group g = {make_pool(2), GATE_CLOSED, _i == 1 ? 6 : WEFT_ECANCELED};
    struct weft_future *blocker = submit(g.e, job_gate, &busy);
    gate_await(&busy, 1);
    struct weft_future *f = submit(g.e, groups[_i], &g);
    gate_await(&g.endless, 1); /* on the stack of f's worker: there is no other */
    gate_open(&busy);          /* now there is one for the job that decides */
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    weft_future_release(blocker);
    free_executor(g.e);
}
END_TEST

/* The one that decides may be through before the last is submitted: that is not to be forgotten. */

#define MANY 64

/* Gives the others time while the one that decides is not done yet. */
static void linger(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        sched_yield();
    }
}

static int decide_early(struct weft_task *self, void *arg, void **value)
{
    struct group *g = arg;
    struct weft_job jobs[MANY];
    struct weft_result out[MANY];
    size_t winner = 99;
    (void)self, (void)value;
    jobs[0] = (struct weft_job){
        .run = job_fail, .arg = (void *)(uintptr_t)g->err, .arg_free = linger};
    for (int i = 1; i < MANY; i++) {
        jobs[i] = (struct weft_job){.run = job_until_stopped, .arg = &g->endless};
    }
    if (g->err == 0) {
        ck_status(weft_race(g->e, jobs, MANY, WEFT_FOREVER, &winner, out), WEFT_OK);
        ck_assert_uint_eq(winner, 0);
    } else {
        ck_status(weft_gather(g->e, jobs, MANY, 0, WEFT_STOP_ON_ERROR, WEFT_FOREVER, out),
                  WEFT_ECANCELED);
        ck_status(out[0].status, WEFT_OK);
        ck_assert_int_eq(out[0].err, g->err);
    }
    return 0;
}

START_TEST(S150_job_that_decides_early_stops_those_that_come_later)
{
    static const int errs[] = {0, 6, WEFT_ECANCELED};
    struct group g = {make_pool(2), GATE_CLOSED, errs[_i]};
    for (unsigned round = rounds(20000, 20); round > 0; round--) {
        struct weft_future *f = submit(g.e, decide_early, &g);
        ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
        weft_future_release(f);
    }
    free_executor(g.e);
}
END_TEST

/* ---- idle workers come first ---- */

struct first {
    struct weft_executor *e;
    bool by_queue;
    struct gate slow; /* closed until the wait for the first has returned */
};

static bool has_two_idle(void *arg)
{
    struct weft_executor *e = arg;
    pthread_mutex_lock(&e->lock);
    bool so = e->idle == 2;
    pthread_mutex_unlock(&e->lock);
    return so;
}

static int wait_for_the_first(struct weft_task *self, void *arg, void **value)
{
    struct first *w = arg;
    struct weft_completion_queue *q = new_queue();
    struct weft_future *fs[2], *done;
    (void)self, (void)value;
    ck_assert(eventually(has_two_idle, w->e, weft_in_ms(30000)));
    fs[0] = submit_job(w->e, &(struct weft_job){.run = job_gate, .arg = &w->slow, .queue = q});
    fs[1] = submit_job(w->e, &(struct weft_job){.run = job_nothing, .queue = q});
    if (w->by_queue) {
        ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &done, NULL), WEFT_OK);
        ck_assert_ptr_eq(done, fs[1]);
        weft_future_release(done);
    } else {
        ck_status(weft_wait(fs, 2, WEFT_FOREVER, WEFT_FIRST_COMPLETED, NULL), WEFT_OK);
        ck_assert(weft_future_done(fs[1]));
    }
    ck_assert(!weft_future_done(fs[0]));
    gate_open(&w->slow);
    weft_completion_queue_free(q);
    weft_future_release(fs[0]);
    weft_future_release(fs[1]);
    return 0;
}

START_TEST(first_completed_is_not_kept_from_idle_workers)
{
    struct first w = {.e = make_pool(3), .by_queue = _i, .slow = GATE_CLOSED};
    struct weft_future *f = submit(w.e, wait_for_the_first, &w);
    ck_status(weft_future_result(f, WEFT_FOREVER, NULL), WEFT_OK);
    weft_future_release(f);
    free_executor(w.e);
}
END_TEST

/* ---- a job that waits for itself, by a queue or a map ---- */

static int wait_in_its_queue(struct weft_task *self, void *arg, void **value)
{
    struct weft_completion_queue *q = arg;
    struct weft_future *f;
    (void)self, (void)value;
    ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_EDEADLK);
    ck_assert_ptr_null(f);
    ck_status(weft_completion_queue_next(q, weft_in_ms(100000), &f, NULL), WEFT_EDEADLK);
    ck_status(weft_completion_queue_next(q, WEFT_POLL, &f, NULL), WEFT_ETIMEDOUT);
    return 0;
}

START_TEST(S103_job_that_waits_for_itself_in_a_queue_is_told)
{
    struct weft_executor *e = make_executor(_i);
    struct weft_completion_queue *q = new_queue();
    struct weft_future *f;
    struct weft_job job = {.run = wait_in_its_queue, .arg = q, .queue = q};
    ck_status(weft_executor_submit(e, &job, WEFT_FOREVER, NULL), WEFT_OK);
    ck_status(weft_completion_queue_next(q, WEFT_FOREVER, &f, NULL), WEFT_OK);
    weft_future_release(f);
    weft_completion_queue_free(q);
    free_executor(e);
}
END_TEST

struct closing {
    struct weft_map *map;
    unsigned left; /* items */
    atomic_int frees;
};

static enum weft_status next_item(void *source, void **item)
{
    struct closing *c = source;
    *item = c;
    return c->left-- > 0 ? WEFT_OK : WEFT_END;
}

static void free_item(void *item)
{
    atomic_fetch_add(&((struct closing *)item)->frees, 1);
}

static int close_map(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    weft_map_close(((struct closing *)arg)->map);
    return 0;
}

START_TEST(S103_map_closed_by_its_own_job_does_not_wait_for_it)
{
    struct closing c = {.left = 1};
    struct weft_executor *e = make_pool(1);
    struct weft_result r;
    const struct weft_map_spec spec = {
        .next = next_item, .source = &c, .run = close_map, .item_free = free_item, .limit = 1};
    struct gate busy = GATE_CLOSED;
    weft_future_release(submit(e, job_gate, &busy));
    ck_status(weft_executor_map(&c.map, e, &spec), WEFT_OK);
    ck_status(weft_map_next(c.map, WEFT_POLL, NULL, &r), WEFT_ETIMEDOUT); /* it is submitted */
    gate_open(&busy);
    free_executor(e);
    ck_assert_int_eq(c.frees, 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("helping");
    tcase_set_timeout(tc, watchdog());
    tcase_add_loop_test(tc, S150_job_that_decides_stops_one_that_the_waiting_worker_runs, 0, 3);
    tcase_add_loop_test(tc, S150_job_that_decides_early_stops_those_that_come_later, 0, 3);
    tcase_add_loop_test(tc, first_completed_is_not_kept_from_idle_workers, 0, 2);
    tcase_add_loop_test(tc, S103_job_that_waits_for_itself_in_a_queue_is_told, 0, KINDS);
    tcase_add_test(tc, S103_map_closed_by_its_own_job_does_not_wait_for_it);
    return suite_run("exec: helping", tc);
}
