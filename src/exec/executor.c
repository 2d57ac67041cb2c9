/* executor.c -- submitting, running, cancelling and closing, for every kind of executor. */
#include "exec/executor.h"

#include "exec/completion_queue.h"
#include "exec/fork.h"
#include "exec/task.h"

enum weft_status weft_executor_init(struct weft_executor *e, const struct weft_executor_ops *ops,
                                    unsigned workers)
{
    enum weft_status st = weft_fork_watch(&e->born);
    if (st != WEFT_OK) {
        return st;
    }
    if (weft_busy_lock_init(&e->lock)) {
        return WEFT_ENOMEM;
    }
    st = weft_cond_init(&e->quiet);
    if (st != WEFT_OK) {
        pthread_mutex_destroy(&e->lock);
        return st;
    }
    e->ops = ops;
    e->workers = workers;
    weft_list_init(&e->queue);
    weft_list_init(&e->active);
    weft_list_init(&e->spare);
    weft_line_init(&e->room);
    return WEFT_OK;
}

/* The first of a list of futures, or NULL. */
static struct weft_future *first_of(const struct weft_list *list)
{
    struct weft_link *link = weft_list_first(list);
    return link ? weft_list_entry(link, struct weft_future, link) : NULL;
}

void weft_executor_release(struct weft_executor *e)
{
    struct weft_future *f;
    while ((f = first_of(&e->spare))) {
        weft_link_remove(&f->link);
        weft_future_discard(f);
    }
    pthread_cond_destroy(&e->quiet);
    pthread_mutex_destroy(&e->lock);
}

/* Without spare ones, malloc() on the thread that submits and free() on the worker would make the
 * two fight for the allocator's lock: two thirds of what an empty job costs then. */
enum weft_status weft_executor_reuse(struct weft_executor *e, const struct weft_job *job,
                                     struct weft_future **f)
{
    *f = first_of(&e->spare);
    if (!*f) {
        return weft_future_new(f, e, job, e->born, 1);
    }
    weft_link_remove(&(*f)->link);
    e->spares--;
    weft_future_renew(*f, job, 1);
    return WEFT_OK;
}

enum weft_status weft_executor_submit(struct weft_executor *e, const struct weft_job *job,
                                      weft_time deadline, struct weft_future **out)
{
    struct weft_future *f = NULL;
    enum weft_status st = WEFT_OK;
    if (out) {
        *out = NULL;
    }
    if (!e || !job || !job->run) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(e->born) || (job->queue && weft_completion_queue_orphaned(job->queue))) {
        return WEFT_EFORKED;
    }
    if (out || job->queue) {
        /* All references from the start: once accepted, it may be over before accept returns. */
        st = weft_future_new(&f, e, job, e->born, out ? 2 : 1);
    }
    if (st == WEFT_OK) {
        st = e->ops->accept(e, job, deadline, &f);
    }
    if (st != WEFT_OK && f) {
        weft_future_discard(f);
    } else if (out) {
        *out = f;
    }
    return st;
}

size_t weft_executor_queued(struct weft_executor *e)
{
    if (weft_forked_since(e->born)) {
        return 0;
    }
    pthread_mutex_lock(&e->lock);
    size_t n = e->queued;
    pthread_mutex_unlock(&e->lock);
    return n;
}

unsigned weft_executor_workers(const struct weft_executor *e)
{
    return e->workers;
}

/* Moves f from the queue to the active ones. The lock is held. */
static void unqueue(struct weft_executor *e, struct weft_future *f)
{
    weft_link_remove(&f->link);
    f->queued = false;
    e->queued--;
    weft_list_append(&e->active, &f->link);
    weft_line_call_first(&e->room);
}

struct weft_future *weft_executor_take(struct weft_executor *e)
{
    struct weft_future *f;
    while ((f = first_of(&e->queue))) {
        unqueue(e, f);
        if (weft_future_start(f) == WEFT_OK) {
            break;
        }
        /* It was cancelled a moment ago, and its canceller is about to count it off. */
    }
    return f;
}

/* Runs the job of f, which this thread has started, or with run NULL does not. Its argument, and a
 * value that nobody will see, are destroyed before anybody can see that it is done: so whoever has
 * waited for it may rely on that. */
static void run(struct weft_future *f, weft_job_fn *run_job, unsigned worker)
{
    struct weft_task task = {.future = f, .executor = f->home, .worker = worker};
    void *value = NULL;
    weft_task_enter(&task);
    int err = run_job ? run_job(&task, f->arg, &value) : WEFT_ECANCELED;
    bool stopped = !run_job || (err == WEFT_ECANCELED && weft_stopping(&task));
    if (f->arg_free) {
        f->arg_free(f->arg);
    }
    if (stopped && value && f->value_free) {
        f->value_free(value);
    }
    /* Can't be refused: only the thread that started a job finishes it. */
    if (stopped) {
        weft_future_finish(f, WEFT_CANCELLED, 0, NULL);
    } else {
        weft_future_finish(f, WEFT_FINISHED, err, value);
    }
    weft_task_leave(&task);
}

void weft_executor_run(struct weft_future *f, unsigned worker)
{
    run(f, f->run, worker);
}

static bool is_quiet(const struct weft_executor *e)
{
    return weft_list_empty(&e->queue) && weft_list_empty(&e->active) && e->threads == 0;
}

static void tell_if_quiet(struct weft_executor *e)
{
    if (e->closed && is_quiet(e)) {
        pthread_cond_broadcast(&e->quiet);
    }
}

struct weft_future *weft_executor_count_off(struct weft_executor *e, struct weft_future *f)
{
    weft_link_remove(&f->link);
    tell_if_quiet(e);
    /* With one reference, nobody else has f, and nobody can get it. */
    const size_t most = WEFT_MAX_SPARES; /* none where every use after its end is to be seen */
    bool spare = e->spares < most && !f->has_entry && atomic_load(&f->refs) == 1 &&
                 !(f->value_free && atomic_load(&f->value));
    if (spare) {
        weft_list_append(&e->spare, &f->link);
        e->spares++;
    }
    return spare ? NULL : f;
}

/* The same for a thread that does not hold the lock. */
static void count_off(struct weft_executor *e, struct weft_future *f)
{
    pthread_mutex_lock(&e->lock);
    f = weft_executor_count_off(e, f);
    pthread_mutex_unlock(&e->lock);
    weft_future_release(f);
}

void weft_executor_thread_ends(struct weft_executor *e)
{
    e->threads--;
    tell_if_quiet(e);
}

void weft_executor_drop(struct weft_future *f)
{
    struct weft_executor *e = f->home; /* alive: it lists f until this thread counts it off */
    pthread_mutex_lock(&e->lock);
    if (f->queued) {
        unqueue(e, f);
    }
    pthread_mutex_unlock(&e->lock);
    run(f, NULL, 0);
    count_off(e, f);
}

/* The queue is first in, first out, and an idle worker takes its first: so with as many of them as
 * there are jobs in it, each job that is in it now has its worker. The lock is held. */
static bool all_have_workers(const struct weft_executor *e)
{
    return e->queued <= e->idle;
}

enum weft_help weft_executor_help(struct weft_future *f, bool needed)
{
    struct weft_executor *e = weft_task_pool();
    enum weft_help help = WEFT_HELP_TAKEN;
    if (!e || f->home != e) {
        return WEFT_HELP_NONE;
    }
    pthread_mutex_lock(&e->lock);
    if (weft_future_state(f) == WEFT_PENDING && !needed && all_have_workers(e)) {
        help = WEFT_HELP_NONE;
    } else if (weft_future_start(f) == WEFT_OK) {
        unqueue(e, f);
        help = WEFT_HELPED;
    }
    pthread_mutex_unlock(&e->lock);
    if (help == WEFT_HELPED) {
        weft_executor_run(f, weft_task_number());
        count_off(e, f);
    }
    return help;
}

static void ask_active_to_stop(struct weft_executor *e)
{
    struct weft_link *link = weft_list_first(&e->active);
    for (; link; link = weft_list_next(&e->active, link)) {
        weft_future_ask_stop(weft_list_entry(link, struct weft_future, link));
    }
}

/* One job at a time, because cancelling calls callbacks, which run under no lock. */
static void cancel_queued(struct weft_executor *e)
{
    struct weft_future *f;
    do {
        pthread_mutex_lock(&e->lock);
        bool mine = false;
        if ((f = first_of(&e->queue))) {
            mine = weft_future_claim_drop(f); /* or another thread is cancelling it; so or so: */
            unqueue(e, f);
        }
        pthread_mutex_unlock(&e->lock);
        if (mine) {
            weft_executor_drop(f);
        }
    } while (f);
}

/* The lock is held. */
static enum weft_status wait_until_quiet(struct weft_executor *e, weft_time deadline)
{
    bool in_time = true;
    while (!is_quiet(e) && in_time) {
        if (deadline > weft_now() && weft_task_works_for(e)) {
            return WEFT_EDEADLK;
        }
        in_time = weft_cond_wait(&e->quiet, &e->lock, deadline);
    }
    return is_quiet(e) ? WEFT_OK : WEFT_ETIMEDOUT;
}

enum weft_status weft_executor_shutdown(struct weft_executor *e, unsigned flags, weft_time deadline)
{
    if (!e || (flags & ~(WEFT_CANCEL_PENDING | WEFT_CANCEL_RUNNING))) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(e->born)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&e->lock);
    e->closed = true;
    e->ops->wake(e);
    weft_line_call_all(&e->room);
    pthread_mutex_unlock(&e->lock);
    if (flags & WEFT_CANCEL_PENDING) {
        cancel_queued(e); /* first, lest a worker that has been stopped starts one of them */
    }
    pthread_mutex_lock(&e->lock);
    if (flags & WEFT_CANCEL_RUNNING) {
        ask_active_to_stop(e);
    }
    enum weft_status st = wait_until_quiet(e, deadline);
    pthread_mutex_unlock(&e->lock);
    return st;
}

enum weft_status weft_executor_free(struct weft_executor *e)
{
    if (!e) {
        return WEFT_OK;
    }
    if (weft_forked_since(e->born)) {
        return WEFT_EFORKED;
    }
    if (weft_task_works_for(e)) {
        return WEFT_EDEADLK;
    }
    enum weft_status st = weft_executor_shutdown(e, 0, WEFT_FOREVER);
    if (st == WEFT_OK) {
        e->ops->destroy(e);
    }
    return st;
}
