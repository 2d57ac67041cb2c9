/* writer.c -- the writer thread and its queue.
 *
 * The thread alone touches the outputs once it runs. What it shares with those who put records in
 * is the queue and the first failure, under one lock; no output is called while the lock is held.
 */
#include "store/writer.h"

#include "base/limits.h"
#include "store/outputs.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_EVERY    WEFT_SECOND /* what a slow crawl found is to be seen in the file by then */

#define COMMIT_RECORDS 1000u /* with a state: what a death of the process undoes at most */

struct weft_writer {
    size_t queue_max;            /* set once: no lock */
    weft_time flush_every;       /* set once */
    unsigned flush_records;      /* set once; 0: by time alone */
    unsigned unflushed;          /* records; the writer's thread's */
    pthread_t thread;            /* set once */
    struct weft_outputs outs;    /* the writer's thread's, once it runs */
    struct weft_failure scratch; /* likewise */

    pthread_mutex_t lock;       /* guards all that follows */
    pthread_cond_t have_work;   /* signalled when head != NULL || closing; the thread waits */
    pthread_cond_t have_room;   /* signalled when has_room(); put() waits */
    pthread_cond_t have_answer; /* signalled when a call is done; call() waits */
    struct weft_item *head, **tail;
    size_t queued, queued_bytes;
    bool closing, failed;
    const struct weft_run_summary *summary;
    struct weft_failure failure; /* the first one; valid when failed */
};

static size_t weight(const struct weft_item *item)
{
    const struct weft_record *r = &item->record;
    size_t bytes = r->body_len + r->wire_request_len + r->wire_answer_len + item->changes.len;
    for (size_t i = 0; i < r->nhops; i++) {
        bytes += r->hops[i].request_len + r->hops[i].answer_len;
    }
    return bytes;
}

/* The lock is held. It does not depend on who asks, so that any waiter may be woken. */
static bool has_room(const struct weft_writer *w)
{
    return w->failed || (w->queued < w->queue_max && w->queued_bytes < WEFT_MAX_QUEUE_BYTES);
}

static void fail(struct weft_writer *w)
{
    pthread_mutex_lock(&w->lock);
    if (!w->failed) {
        w->failed = true;
        w->failure = w->scratch;
        pthread_cond_broadcast(&w->have_room);
    }
    pthread_mutex_unlock(&w->lock);
}

enum work { WORK_ITEM, WORK_FLUSH, WORK_CLOSE };

/* Waits for something to do: a record (gives *item), closing with nothing left, or flush_at. */
static enum work wait_for_work(struct weft_writer *w, weft_time flush_at, struct weft_item **item)
{
    enum work work = WORK_CLOSE;
    struct timespec until = {.tv_sec = flush_at / WEFT_SECOND, .tv_nsec = flush_at % WEFT_SECOND};
    *item = NULL;
    pthread_mutex_lock(&w->lock);
    while (!w->head && !w->closing && (flush_at == WEFT_FOREVER || weft_now() < flush_at)) {
        if (flush_at == WEFT_FOREVER) {
            pthread_cond_wait(&w->have_work, &w->lock);
        } else {
            pthread_cond_timedwait(&w->have_work, &w->lock, &until);
        }
    }
    if (w->head) {
        work = WORK_ITEM;
        *item = w->head;
        w->head = (*item)->next;
        if (!w->head) {
            w->tail = &w->head;
        }
        w->queued--;
        w->queued_bytes -= weight(*item);
        if (has_room(w)) {
            pthread_cond_signal(&w->have_room);
        }
    } else if (!w->closing) {
        work = WORK_FLUSH;
    }
    pthread_mutex_unlock(&w->lock);
    return work;
}

/* Writes one record; *flush_at is when the outputs are to be flushed. Returns whether all is well.
 */
static bool write_item(struct weft_writer *w, const struct weft_item *item, weft_time *flush_at)
{
    if (weft_outputs_write(&w->outs, item) != WEFT_OK) {
        return false;
    }
    if (!w->outs.need_flush) {
        return true;
    }
    weft_time now = weft_now();
    if (*flush_at == WEFT_FOREVER) {
        *flush_at = now + w->flush_every;
    }
    w->unflushed += !item->no_record;
    if (now < *flush_at && (!w->flush_records || w->unflushed < w->flush_records)) {
        return true;
    }
    w->unflushed = 0;
    *flush_at = WEFT_FOREVER;
    return weft_outputs_flush(&w->outs) == WEFT_OK;
}

/* A call on its way to the thread; it lives on the caller's stack until done. */
struct call {
    struct weft_item item;
    struct weft_writer *writer;
    enum weft_status (*call)(struct weft_state *state, void *user);
    void *user;
    enum weft_status status;
    bool done; /* guarded by the writer's lock */
};

/* The item's free(): the last that is done with a call. */
static void answer_call(struct weft_item *item)
{
    struct call *c = (struct call *)item;
    struct weft_writer *w = c->writer;
    pthread_mutex_lock(&w->lock);
    c->done = true;
    pthread_cond_broadcast(&w->have_answer);
    pthread_mutex_unlock(&w->lock);
}

/* Returns whether all is well. */
static bool run_call(struct weft_writer *w, struct weft_item *item)
{
    struct call *c = (struct call *)item;
    c->status = c->call(w->outs.state, c->user);
    return c->status != WEFT_EIO; /* else the state failed, not the caller */
}

/* The thread. After a failure it still takes items, only to free them. */
static void *run(void *arg)
{
    struct weft_writer *w = arg;
    weft_time flush_at = WEFT_FOREVER;
    struct weft_item *item;
    enum work work;
    bool good = weft_outputs_begin(&w->outs) == WEFT_OK;
    if (!good) {
        fail(w);
    }
    while ((work = wait_for_work(w, flush_at, &item)) != WORK_CLOSE) {
        bool was_good = good;
        if (work == WORK_FLUSH) {
            flush_at = WEFT_FOREVER;
            w->unflushed = 0;
            good = good && weft_outputs_flush(&w->outs) == WEFT_OK;
        } else {
            good = good &&
                   (item->free == answer_call ? run_call(w, item) : write_item(w, item, &flush_at));
            item->free(item);
        }
        if (was_good && !good) {
            flush_at = WEFT_FOREVER;
            fail(w);
        }
    }
    pthread_mutex_lock(&w->lock);
    const struct weft_run_summary *summary = w->summary;
    pthread_mutex_unlock(&w->lock);
    if (weft_outputs_finish(&w->outs, good, summary) != WEFT_OK) {
        fail(w);
    }
    return NULL;
}

/* The thread is born with every signal blocked: they are the program's to handle, and a closed pipe
 * or a size limit is to be an error of write(2), not the end of the process. */
static int start(struct weft_writer *w)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&w->thread, NULL, run, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

static enum weft_status init_locks(struct weft_writer *w)
{
    pthread_condattr_t monotonic;
    if (pthread_mutex_init(&w->lock, NULL) != 0) {
        return WEFT_ENOMEM;
    }
    if (pthread_condattr_init(&monotonic) != 0) {
        goto no_attr;
    }
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    if (pthread_cond_init(&w->have_work, &monotonic) != 0) {
        goto no_work;
    }
    if (pthread_cond_init(&w->have_room, NULL) != 0) {
        goto no_room;
    }
    if (pthread_cond_init(&w->have_answer, NULL) != 0) {
        goto no_answer;
    }
    pthread_condattr_destroy(&monotonic);
    return WEFT_OK;
no_answer:
    pthread_cond_destroy(&w->have_room);
no_room:
    pthread_cond_destroy(&w->have_work);
no_work:
    pthread_condattr_destroy(&monotonic);
no_attr:
    pthread_mutex_destroy(&w->lock);
    return WEFT_ENOMEM;
}

static void destroy(struct weft_writer *w)
{
    pthread_cond_destroy(&w->have_answer);
    pthread_cond_destroy(&w->have_room);
    pthread_cond_destroy(&w->have_work);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

enum weft_status weft_writer_new(struct weft_writer **out,
                                 const struct weft_writer_options *options, char *error, size_t cap)
{
    *out = NULL;
    struct weft_writer *w = calloc(1, sizeof *w);
    enum weft_status st = w ? init_locks(w) : WEFT_ENOMEM;
    if (st != WEFT_OK) {
        free(w);
        snprintf(error, cap, "%s", weft_strerror(st));
        return st;
    }
    w->queue_max = options->queue_max ? options->queue_max : WEFT_MAX_QUEUE;
    w->tail = &w->head;
    w->flush_every = options->state && options->commit_every ? options->commit_every : FLUSH_EVERY;
    w->flush_records = !options->state           ? 0
                       : options->commit_records ? options->commit_records
                                                 : COMMIT_RECORDS;
    st = weft_outputs_open(&w->outs, options, &w->scratch);
    if (st == WEFT_OK && start(w) != 0) {
        st = WEFT_EAGAIN;
        weft_outputs_abandon(&w->outs);
        (void)weft_fail(&w->scratch, st, "can't start the writer: %s", weft_strerror(st));
    }
    if (st != WEFT_OK) {
        snprintf(error, cap, "%s", w->scratch.text);
        destroy(w);
        return st;
    }
    *out = w;
    return WEFT_OK;
}

unsigned weft_writer_wants(const struct weft_writer *w)
{
    return w->outs.wants;
}

enum weft_status weft_writer_put(struct weft_writer *w, struct weft_item *item)
{
    pthread_mutex_lock(&w->lock);
    while (!has_room(w)) {
        pthread_cond_wait(&w->have_room, &w->lock);
    }
    bool failed = w->failed;
    if (!failed) {
        item->next = NULL;
        *w->tail = item;
        w->tail = &item->next;
        w->queued++;
        w->queued_bytes += weight(item);
        pthread_cond_signal(&w->have_work);
        if (has_room(w)) { /* one heavy record may have made room for several */
            pthread_cond_signal(&w->have_room);
        }
    }
    pthread_mutex_unlock(&w->lock);
    if (failed) {
        item->free(item);
        return WEFT_EIO;
    }
    return WEFT_OK;
}

enum weft_status weft_writer_call(struct weft_writer *w,
                                  enum weft_status (*call)(struct weft_state *state, void *user),
                                  void *user)
{
    struct call c = {
        .item = {.free = answer_call}, .writer = w, .call = call, .user = user, .status = WEFT_EIO};
    enum weft_status st = weft_writer_put(w, &c.item);
    pthread_mutex_lock(&w->lock);
    while (!c.done) {
        pthread_cond_wait(&w->have_answer, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return st == WEFT_OK ? c.status : st;
}

enum weft_status weft_writer_status(struct weft_writer *w)
{
    pthread_mutex_lock(&w->lock);
    bool failed = w->failed;
    pthread_mutex_unlock(&w->lock);
    return failed ? WEFT_EIO : WEFT_OK;
}

enum weft_status weft_writer_close(struct weft_writer *w, const struct weft_run_summary *summary,
                                   char *error, size_t cap)
{
    if (!w) {
        return WEFT_OK;
    }
    pthread_mutex_lock(&w->lock);
    w->closing = true;
    w->summary = summary;
    pthread_cond_signal(&w->have_work);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    enum weft_status st = w->failed ? WEFT_EIO : WEFT_OK;
    if (st != WEFT_OK) {
        snprintf(error, cap, "%s", w->failure.text);
    }
    destroy(w);
    return st;
}
