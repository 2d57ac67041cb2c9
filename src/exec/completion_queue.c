/* completion_queue.c -- futures in the order in which they get done.
 *
 * An entry is in one of two lists: waiting, until its future is done, then ready. Whoever finishes
 * the future moves it, so nobody ever looks through what is pending. */
#include "exec/completion_queue.h"

#include "exec/executor.h"
#include "exec/fork.h"
#include "exec/task.h"

#include <stdlib.h>

struct weft_completion_queue {
    unsigned born;              /* fork generation */
    pthread_mutex_t lock;       /* guards the rest */
    struct weft_list waiting;   /* entries whose future is not done, in order of entry */
    struct weft_list ready;     /* entries whose future is done, in order of completion */
    size_t outstanding;         /* entries in both */
    struct weft_line consumers; /* called for each entry that gets ready, all when none is left */
    unsigned helpers;           /* consumers that sleep and could run a job themselves */
    unsigned long entered;      /* entries so far: tells a consumer that looked away of new ones */
};

enum weft_status weft_completion_queue_new(struct weft_completion_queue **out)
{
    struct weft_completion_queue *q = calloc(1, sizeof *q);
    *out = NULL;
    if (!q) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = weft_fork_watch(&q->born);
    if (st == WEFT_OK && weft_busy_lock_init(&q->lock)) {
        st = WEFT_ENOMEM;
    }
    if (st != WEFT_OK) {
        free(q);
        return st;
    }
    weft_list_init(&q->waiting);
    weft_list_init(&q->ready);
    weft_line_init(&q->consumers);
    *out = q;
    return WEFT_OK;
}

static struct weft_queue_entry *entry_of(struct weft_link *link)
{
    return weft_list_entry(link, struct weft_queue_entry, link);
}

/* The future of an entry is done. Under the future's lock, but for one that was done before. */
static void get_ready(struct weft_listener *self, struct weft_future *f)
{
    struct weft_queue_entry *entry = weft_list_entry(self, struct weft_queue_entry, listener);
    struct weft_completion_queue *q = entry->queue;
    (void)f;
    pthread_mutex_lock(&q->lock);
    weft_link_remove(&entry->link);
    weft_list_append(&q->ready, &entry->link);
    weft_line_call_first(&q->consumers);
    pthread_mutex_unlock(&q->lock);
}

/* Puts an entry among the waiting ones; it holds a reference. Nothing here can fail. */
static void enter(struct weft_queue_entry *entry)
{
    struct weft_completion_queue *q = entry->queue;
    weft_future_retain(entry->future);
    entry->listener.fire = get_ready;
    pthread_mutex_lock(&q->lock);
    weft_list_append(&q->waiting, &entry->link);
    q->outstanding++;
    q->entered++;
    if (q->helpers > 0) {
        weft_line_call_all(&q->consumers); /* one of them may have to run this very job */
    }
    pthread_mutex_unlock(&q->lock);
}

bool weft_completion_queue_orphaned(const struct weft_completion_queue *q)
{
    return weft_forked_since(q->born);
}

void weft_completion_queue_enter(struct weft_future *f)
{
    if (f->has_entry) {
        weft_list_append(&f->listeners, &f->entry[0].listener.link);
        enter(&f->entry[0]);
    }
}

enum weft_status weft_completion_queue_add(struct weft_completion_queue *q, struct weft_future *f,
                                           void *tag)
{
    if (!q || !f) {
        return WEFT_EINVAL;
    }
    if (weft_forked_since(q->born) || weft_future_orphaned(f)) {
        return WEFT_EFORKED;
    }
    struct weft_queue_entry *entry = malloc(sizeof *entry);
    if (!entry) {
        return WEFT_ENOMEM;
    }
    *entry = (struct weft_queue_entry){.queue = q, .future = f, .tag = tag};
    enter(entry);
    if (!weft_future_listen(f, &entry->listener)) {
        get_ready(&entry->listener, f);
    }
    return WEFT_OK;
}

/* Frees an entry that is out of its queue; its reference lives on. */
static struct weft_future *leave(struct weft_queue_entry *entry)
{
    struct weft_future *f = entry->future;
    if (!f->has_entry || entry != &f->entry[0]) { /* else it lies in the future itself */
        free(entry);
    }
    return f;
}

/* The first that is ready, taken out; NULL if none is. The lock is held. */
static struct weft_queue_entry *pop_ready(struct weft_completion_queue *q)
{
    struct weft_link *link = weft_list_first(&q->ready);
    if (!link) {
        return NULL;
    }
    weft_link_remove(link);
    if (--q->outstanding == 0) {
        weft_line_call_all(&q->consumers); /* nothing will come any more */
    }
    return entry_of(link);
}

/* A job of this worker's own pool that waits to be run, with a reference; or NULL. The lock is
 * held, so only what can be read without the future's lock is looked at. */
static struct weft_future *find_unstarted(struct weft_completion_queue *q)
{
    struct weft_link *link = weft_list_first(&q->waiting);
    for (; link; link = weft_list_next(&q->waiting, link)) {
        struct weft_future *f = entry_of(link)->future;
        if (f->home == weft_task_pool() && weft_future_state(f) == WEFT_PENDING) {
            return weft_future_retain(f);
        }
    }
    return NULL;
}

/* What a consumer can do about the jobs in q that have not started. */
enum chance { RAN_ONE, NONE_TO_RUN, NONE_NEEDED };

/* Runs a job of q, if there is one that needs it. The lock is held on entry and on return; unless
 * there is NONE_TO_RUN it was not in between, and what is ready may have changed. */
static enum chance help(struct weft_completion_queue *q)
{
    struct weft_future *f = find_unstarted(q);
    if (!f) {
        return NONE_TO_RUN;
    }
    unsigned long entered = q->entered;
    pthread_mutex_unlock(&q->lock);
    enum weft_help help = weft_executor_help(f, false);
    weft_future_release(f);
    pthread_mutex_lock(&q->lock);
    /* If another worker was quicker, or a job has come meanwhile: look again. */
    return help == WEFT_HELP_NONE && q->entered == entered ? NONE_NEEDED : RAN_ONE;
}

/* Whether only jobs that this thread is inside of are outstanding: they can't get done while it
 * waits. None is ready; the lock is held. */
static bool would_wait_for_itself(struct weft_completion_queue *q)
{
    struct weft_link *link = weft_list_first(&q->waiting);
    while (link && weft_task_is_inside(entry_of(link)->future)) {
        link = weft_list_next(&q->waiting, link);
    }
    return !link;
}

/* Takes out the next one that is ready. The lock is held. w is how this thread sleeps; NULL: it
 * doesn't. */
static enum weft_status take(struct weft_completion_queue *q, struct weft_waiter *w,
                             weft_time deadline, struct weft_queue_entry **entry)
{
    bool helper = deadline == WEFT_FOREVER && weft_task_pool(), in_time = w != NULL;
    bool looked = false; /* none of what is waiting needs this thread */
    while (!(*entry = pop_ready(q))) {
        if (q->outstanding == 0) {
            return WEFT_END;
        }
        if (helper && !looked) {
            enum chance chance = help(q);
            looked = chance != RAN_ONE;
            if (chance != NONE_TO_RUN) {
                continue;
            }
        }
        if (!in_time) {
            return WEFT_ETIMEDOUT;
        }
        if (would_wait_for_itself(q)) {
            return WEFT_EDEADLK;
        }
        q->helpers += helper;
        in_time = weft_line_wait(&q->consumers, w, &q->lock, deadline);
        q->helpers -= helper;
        looked = false;
    }
    return WEFT_OK;
}

enum weft_status weft_completion_queue_next_by(struct weft_completion_queue *q,
                                               struct weft_waiter *w, weft_time deadline,
                                               struct weft_future **f, void **tag)
{
    struct weft_queue_entry *entry;
    *f = NULL;
    if (tag) {
        *tag = NULL;
    }
    if (weft_forked_since(q->born)) {
        return WEFT_EFORKED;
    }
    pthread_mutex_lock(&q->lock);
    enum weft_status st = take(q, w, deadline, &entry);
    pthread_mutex_unlock(&q->lock);
    if (st == WEFT_OK) {
        if (tag) {
            *tag = entry->tag;
        }
        *f = leave(entry);
    }
    return st;
}

enum weft_status weft_completion_queue_next(struct weft_completion_queue *q, weft_time deadline,
                                            struct weft_future **f, void **tag)
{
    struct weft_waiter w;
    if (!q || !f) {
        if (f) {
            *f = NULL;
        }
        return WEFT_EINVAL;
    }
    enum weft_status st = weft_completion_queue_next_by(q, NULL, deadline, f, tag);
    if (st != WEFT_ETIMEDOUT || deadline <= WEFT_POLL) {
        return st;
    }
    st = weft_waiter_init(&w);
    if (st == WEFT_OK) {
        st = weft_completion_queue_next_by(q, &w, deadline, f, tag);
        weft_waiter_destroy(&w);
    }
    return st;
}

/* Cancels the waiting ones; those that run already only if asked to. The list shrinks under our
 * hands, as each may get done at any time; taking the first and putting it at the end, as often as
 * there are entries, meets each that stays. */
static void cancel_waiting(struct weft_completion_queue *q, const struct weft_future *but,
                           bool running_too)
{
    pthread_mutex_lock(&q->lock);
    for (size_t left = q->outstanding; left > 0 && !weft_list_empty(&q->waiting); left--) {
        struct weft_link *link = weft_list_first(&q->waiting);
        weft_link_remove(link);
        weft_list_append(&q->waiting, link);
        struct weft_future *f = weft_future_retain(entry_of(link)->future);
        pthread_mutex_unlock(&q->lock); /* callbacks run under no lock */
        if (f != but && (running_too || weft_future_state(f) == WEFT_PENDING)) {
            weft_future_cancel(f);
        }
        weft_future_release(f);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
}

void weft_completion_queue_cancel_others(struct weft_completion_queue *q,
                                         const struct weft_future *but)
{
    if (weft_forked_since(q->born)) {
        return;
    }
    /* first, lest a worker that has been stopped starts one of them */
    cancel_waiting(q, but, false);
    cancel_waiting(q, but, true);
}

void weft_completion_queue_cancel(struct weft_completion_queue *q)
{
    weft_completion_queue_cancel_others(q, NULL);
}

size_t weft_completion_queue_outstanding(struct weft_completion_queue *q)
{
    if (weft_forked_since(q->born)) {
        return 0;
    }
    pthread_mutex_lock(&q->lock);
    size_t n = q->outstanding;
    pthread_mutex_unlock(&q->lock);
    return n;
}

/* Makes every future forget the queue: when this returns all entries are ready, and no thread that
 * finishes a future can reach the queue any more. Freeing entry by entry would not do: a worker
 * could still be appending behind the one that is freed. */
static void unhook(struct weft_completion_queue *q)
{
    struct weft_link *link;
    pthread_mutex_lock(&q->lock);
    while ((link = weft_list_first(&q->waiting))) {
        struct weft_queue_entry *entry = entry_of(link);
        pthread_mutex_unlock(&q->lock); /* the future's lock comes before the queue's */
        bool ours = weft_future_unlisten(entry->future, &entry->listener);
        pthread_mutex_lock(&q->lock);
        if (ours) {
            weft_link_remove(&entry->link);
            weft_list_append(&q->ready, &entry->link);
        }
    }
    pthread_mutex_unlock(&q->lock);
}

void weft_completion_queue_free(struct weft_completion_queue *q)
{
    struct weft_future *f;
    if (!q || weft_forked_since(q->born)) {
        return; /* a child leaves it alone: its lock may be held for ever */
    }
    unhook(q);
    while (weft_completion_queue_next_by(q, NULL, WEFT_POLL, &f, NULL) == WEFT_OK) {
        weft_future_release(f); /* may call value_free, which may look at the queue */
    }
    pthread_mutex_destroy(&q->lock);
    free(q);
}
