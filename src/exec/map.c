/* map.c -- one function over many items, a few of them in flight.
 *
 * Every call of next first fills up: takes items and submits them until as many are under way as
 * the limit allows; then waits for one of them and hands it out. In order, the futures stand in a
 * ring by their place in the input; else whatever the completion queue gives is handed out. */
#include "weft/map.h"

#include "exec/completion_queue.h"

#include <stdlib.h>

struct weft_map {
    struct weft_executor *executor;
    struct weft_map_spec spec;
    size_t limit;
    struct weft_completion_queue *queue;
    struct weft_waiter waiter; /* got beforehand, so that waiting can't fail */
    struct weft_future **ring; /* in order only: place i is at i % limit */
    size_t submitted, given;   /* items, from the beginning */
    enum weft_status ended;    /* not WEFT_OK: no more items are taken, and why */
    bool holding;              /* item was taken, but the executor had no room for it */
    void *item;
};

enum weft_status weft_executor_map(struct weft_map **out, struct weft_executor *e,
                                   const struct weft_map_spec *spec)
{
    *out = NULL;
    if (!e || !spec || !spec->next || !spec->run) {
        return WEFT_EINVAL;
    }
    struct weft_map *m = calloc(1, sizeof *m);
    if (!m) {
        return WEFT_ENOMEM;
    }
    enum weft_status st = WEFT_ENOMEM;
    m->executor = e;
    m->spec = *spec;
    m->limit = spec->limit ? spec->limit : weft_executor_workers(e);
    if (spec->ordered) { /* NOLINTNEXTLINE(bugprone-sizeof-expression): the places are pointers */
        m->ring = calloc(m->limit, sizeof *m->ring);
        if (!m->ring) {
            goto no_ring;
        }
    }
    if ((st = weft_waiter_init(&m->waiter)) != WEFT_OK) {
        goto no_waiter;
    }
    if ((st = weft_completion_queue_new(&m->queue)) != WEFT_OK) {
        goto no_queue;
    }
    *out = m;
    return WEFT_OK;
no_queue:
    weft_waiter_destroy(&m->waiter);
no_waiter:
    free(m->ring);
no_ring:
    free(m);
    return st;
}

/* Items that were taken and have not been handed out. */
static size_t under_way(const struct weft_map *m)
{
    return m->submitted - m->given + m->holding;
}

/* Has an item in m->item, or sets m->ended. */
static void take_item(struct weft_map *m)
{
    m->ended = m->spec.next(m->spec.source, &m->item);
    m->holding = m->ended == WEFT_OK;
}

/* Submits m->item, or goes on holding it because there is no room (WEFT_EFULL), or drops it because
 * the executor takes no more. */
static enum weft_status submit_item(struct weft_map *m, weft_time deadline)
{
    struct weft_job job = {
        .run = m->spec.run,
        .arg = m->item,
        .arg_free = m->spec.item_free,
        .value_free = m->spec.value_free,
        .queue = m->queue,
        .tag = (void *)(uintptr_t)m->submitted,
    };
    struct weft_future **place = m->ring ? &m->ring[m->submitted % m->limit] : NULL;
    enum weft_status st = weft_executor_submit(m->executor, &job, deadline, place);
    if (st == WEFT_EFULL) {
        return st;
    }
    if (st == WEFT_OK) {
        m->submitted++;
    } else if (m->spec.item_free) {
        m->spec.item_free(m->item);
    }
    m->holding = false;
    m->ended = st;
    return st;
}

/* Takes and submits items up to the limit. Waits for room in the executor only if nothing is in
 * flight; else what is in flight will make room. */
static enum weft_status fill(struct weft_map *m, weft_time deadline)
{
    enum weft_status st = WEFT_OK;
    while (st == WEFT_OK && m->ended == WEFT_OK && (m->holding || under_way(m) < m->limit)) {
        if (!m->holding) {
            take_item(m);
        }
        if (m->holding) {
            st = submit_item(m, m->submitted == m->given ? deadline : WEFT_POLL);
        }
    }
    return st;
}

/* Gives the future whose turn it is, when it is done. The queue is emptied on the way, so that it
 * does not go on holding what was handed out. */
static enum weft_status next_in_order(struct weft_map *m, weft_time deadline,
                                      struct weft_future **f)
{
    struct weft_future *turn = m->ring[m->given % m->limit], *done;
    enum weft_status st;
    do {
        st = weft_completion_queue_next_by(
            m->queue, &m->waiter, weft_future_done(turn) ? WEFT_POLL : deadline, &done, NULL);
        weft_future_release(done);
    } while (st == WEFT_OK);
    if (!weft_future_done(turn)) {
        return st;
    }
    *f = turn;
    return WEFT_OK;
}

/* Nothing is in flight and nothing more was submitted: tells why, once, then WEFT_END. */
static enum weft_status tell_end(struct weft_map *m, enum weft_status filling)
{
    if (m->holding) {
        return filling;
    }
    enum weft_status st = m->ended;
    m->ended = WEFT_END;
    return st;
}

enum weft_status weft_map_next(struct weft_map *m, weft_time deadline, size_t *index,
                               struct weft_result *out)
{
    struct weft_future *f;
    void *tag;
    if (!m || !out) {
        return WEFT_EINVAL;
    }
    *out = (struct weft_result){0};
    enum weft_status st = fill(m, deadline);
    if (m->submitted == m->given) {
        return tell_end(m, st);
    }
    if (m->ring) {
        tag = (void *)(uintptr_t)m->given;
        st = next_in_order(m, deadline, &f);
    } else {
        st = weft_completion_queue_next_by(m->queue, &m->waiter, deadline, &f, &tag);
    }
    if (st != WEFT_OK) {
        return st;
    }
    m->given++;
    weft_future_result(f, WEFT_POLL, out);
    out->value = weft_future_take(f);
    weft_future_release(f);
    if (index) {
        *index = (size_t)(uintptr_t)tag;
    }
    return WEFT_OK;
}

/* Gives up a future that is not handed out, and destroys its value here and now: its worker may
 * have the last reference, and nothing of the map may happen after close. */
static void forget(struct weft_map *m, struct weft_future *f)
{
    void *value = weft_future_take(f);
    if (value && m->spec.value_free) {
        m->spec.value_free(value);
    }
    weft_future_release(f);
}

void weft_map_close(struct weft_map *m)
{
    struct weft_future *f;
    if (!m) {
        return;
    }
    weft_completion_queue_cancel(m->queue);
    while (weft_completion_queue_next_by(m->queue, &m->waiter, WEFT_FOREVER, &f, NULL) == WEFT_OK) {
        forget(m, f);
    }
    for (; m->ring && m->given < m->submitted; m->given++) {
        forget(m, m->ring[m->given % m->limit]);
    }
    if (m->holding && m->spec.item_free) {
        m->spec.item_free(m->item);
    }
    weft_completion_queue_free(m->queue);
    weft_waiter_destroy(&m->waiter);
    free(m->ring);
    free(m);
}
