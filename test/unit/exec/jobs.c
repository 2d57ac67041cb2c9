/* jobs.c -- see jobs.h. */
#include "jobs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weft_executor *make_pool(unsigned workers)
{
    struct weft_executor *e;
    ck_status(weft_executor_new(&e, &(struct weft_executor_options){.max_workers = workers}),
              WEFT_OK);
    return e;
}

struct weft_executor *make_executor(int kind)
{
    struct weft_executor *e;
    if (kind != INLINE) {
        return make_pool(kind == POOL_OF_1 ? 1 : 4);
    }
    ck_status(weft_executor_inline_new(&e), WEFT_OK);
    return e;
}

void free_executor(struct weft_executor *e)
{
    ck_status(weft_executor_free(e), WEFT_OK);
}

unsigned count_workers(void)
{
    unsigned n = 0;
    struct dirent *entry;
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    while ((entry = readdir(tasks))) {
        char path[64 + sizeof entry->d_name], name[16] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *f = fopen(path, "r");
        if (f) { /* else it is no thread, or is gone */
            n += fgets(name, sizeof name, f) && strncmp(name, "weft-", 5) == 0;
            fclose(f);
        }
    }
    closedir(tasks);
    return n;
}

static bool no_workers(void *arg)
{
    (void)arg;
    return count_workers() == 0;
}

void assert_no_workers(void)
{
    ck_assert(eventually(no_workers, NULL, weft_in_ms(5000)));
}

struct weft_future *submit_job(struct weft_executor *e, const struct weft_job *job)
{
    struct weft_future *f;
    ck_status(weft_executor_submit(e, job, WEFT_FOREVER, &f), WEFT_OK);
    ck_assert_ptr_nonnull(f);
    return f;
}

struct weft_future *submit(struct weft_executor *e, weft_job_fn *run, void *arg)
{
    return submit_job(e, &(struct weft_job){.run = run, .arg = arg});
}

void block_pool(struct blocked_pool *b)
{
    *b = (struct blocked_pool){.gate = GATE_CLOSED};
    b->e = make_pool(1);
    b->blocker = submit(b->e, job_gate, &b->gate);
    gate_await(&b->gate, 1);
}

void unblock_and_free(struct blocked_pool *b)
{
    gate_open(&b->gate);
    weft_future_release(b->blocker);
    free_executor(b->e);
}

struct weft_future *new_promise(void (*value_free)(void *))
{
    struct weft_future *f;
    ck_status(weft_promise_new(&f, value_free), WEFT_OK);
    return f;
}

struct weft_completion_queue *new_queue(void)
{
    struct weft_completion_queue *q;
    ck_status(weft_completion_queue_new(&q), WEFT_OK);
    return q;
}

int job_nothing(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)arg, (void)value;
    return 0;
}

int job_count(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    atomic_fetch_add((atomic_int *)arg, 1);
    return 0;
}

int job_fail(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    return (int)(intptr_t)arg;
}

int job_echo(struct weft_task *self, void *arg, void **value)
{
    (void)self;
    *value = arg;
    return 0;
}

int job_gate(struct weft_task *self, void *arg, void **value)
{
    (void)self, (void)value;
    gate_pass(arg);
    return 0;
}

int job_until_stopped(struct weft_task *self, void *arg, void **value)
{
    (void)value;
    gate_open(arg);
    gate_pass(arg);
    return (int)weft_pause(self, WEFT_FOREVER);
}

void count_free(void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
}

void count_call(struct weft_future *f, void *user)
{
    (void)f;
    atomic_fetch_add((atomic_int *)user, 1);
}

void assert_result(struct weft_future *f, enum weft_status status, int err, const void *value)
{
    struct weft_result r;
    ck_status(weft_future_result(f, WEFT_POLL, &r), status);
    ck_assert_int_eq(r.status, status);
    ck_assert_int_eq(r.err, err);
    ck_assert_ptr_eq(r.value, value);
}

/* What WEFT_ROUNDS says: 0 for "full", else a number by which short loops get shorter still. */
static unsigned shortening(void)
{
    const char *how = getenv("WEFT_ROUNDS");
    if (how && strcmp(how, "full") == 0) {
        return 0;
    }
    unsigned n = how ? (unsigned)strtoul(how, NULL, 10) : 1;
    return n ? n : 1;
}

unsigned rounds(unsigned n, unsigned divisor)
{
    unsigned shorter = shortening() * divisor;
    return shorter ? (n + shorter - 1) / shorter : n;
}

double watchdog(void)
{
    return shortening() ? 120 : 7200;
}

static void *helper_main(void *arg)
{
    struct helper *h = arg;
    h->call(h->arg);
    return NULL;
}

void helper_start(struct helper *h, void (*call)(void *arg), void *arg)
{
    h->call = call;
    h->arg = arg;
    ck_assert_int_eq(pthread_create(&h->thread, NULL, helper_main, h), 0);
}

void helper_join(struct helper *h)
{
    ck_assert_int_eq(pthread_join(h->thread, NULL), 0);
}
