/* page_log.c -- see page_log.h. */
#include "lab/page_log.h"

#include "base/buf.h"
#include "base/limits.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LAST 2048u /* room that is kept for the last event */

struct weft_page_log {
    pthread_mutex_t lock; /* guards the rest */
    unsigned references;
    struct weft_buf text;
    bool full; /* an event had no room: a later one must not stand there as if none were missing */
    bool ended;
    struct weft_page_reader *sleepers;
};

enum weft_status weft_page_log_new(struct weft_page_log **out)
{
    struct weft_page_log *log = calloc(1, sizeof *log);
    *out = NULL;
    if (!log) {
        return WEFT_ENOMEM;
    }
    if (pthread_mutex_init(&log->lock, NULL) != 0) {
        free(log);
        return WEFT_ENOMEM;
    }
    log->references = 1;
    weft_buf_init(&log->text, WEFT_PAGE_MAX_EVENTS);
    *out = log;
    return WEFT_OK;
}

struct weft_page_log *weft_page_log_retain(struct weft_page_log *log)
{
    pthread_mutex_lock(&log->lock);
    log->references++;
    pthread_mutex_unlock(&log->lock);
    return log;
}

void weft_page_log_release(struct weft_page_log *log)
{
    if (!log) {
        return;
    }
    pthread_mutex_lock(&log->lock);
    bool last = --log->references == 0;
    pthread_mutex_unlock(&log->lock);
    if (last) {
        pthread_mutex_destroy(&log->lock);
        weft_buf_release(&log->text);
        free(log);
    }
}

/* Called with the lock held, as the next one. */
static enum weft_status append(struct weft_page_log *log, const char *name, const char *data)
{
    return weft_buf_printf(&log->text, "event: %s\ndata: %s\n\n", name, data);
}

static void wake_all(struct weft_page_log *log)
{
    while (log->sleepers) {
        struct weft_page_reader *r = log->sleepers;
        log->sleepers = r->next;
        r->sleeping = false;
        r->wake(r->user);
    }
}

enum weft_status weft_page_log_put(struct weft_page_log *log, const char *name, const char *data)
{
    size_t need = strlen(name) + strlen(data) + sizeof "event: \ndata: \n\n";
    enum weft_status st = WEFT_EDONE;
    pthread_mutex_lock(&log->lock);
    if (!log->ended) {
        log->full = log->full || need + LAST > log->text.limit - log->text.len;
        st = log->full ? WEFT_ELIMIT : append(log, name, data);
        wake_all(log);
    }
    pthread_mutex_unlock(&log->lock);
    return st;
}

void weft_page_log_end(struct weft_page_log *log, const char *name, const char *data)
{
    pthread_mutex_lock(&log->lock);
    enum weft_status st = append(log, name, data);
    (void)st; /* then readers see an end without it, and say so */
    log->ended = true;
    wake_all(log);
    pthread_mutex_unlock(&log->lock);
}

void weft_page_reader_init(struct weft_page_reader *r, struct weft_page_log *log,
                           void (*sleep)(void *user), void (*wake)(void *user), void *user)
{
    *r = (struct weft_page_reader){
        .log = weft_page_log_retain(log), .sleep = sleep, .wake = wake, .user = user};
}

ssize_t weft_page_reader_read(struct weft_page_reader *r, char *out, size_t max)
{
    struct weft_page_log *log = r->log;
    pthread_mutex_lock(&log->lock);
    size_t n = log->text.len - r->at;
    n = n < max ? n : max;
    bool ended = n == 0 && log->ended;
    if (n > 0) {
        memcpy(out, log->text.data + r->at, n);
        r->at += n;
    } else if (!ended) {
        r->sleeping = true;
        r->next = log->sleepers;
        log->sleepers = r;
        r->sleep(r->user);
    }
    pthread_mutex_unlock(&log->lock);
    return ended ? -1 : (ssize_t)n;
}

void weft_page_reader_release(struct weft_page_reader *r)
{
    struct weft_page_log *log = r->log;
    pthread_mutex_lock(&log->lock);
    if (r->sleeping) {
        struct weft_page_reader **at = &log->sleepers;
        while (*at != r) {
            at = &(*at)->next;
        }
        *at = r->next;
        r->sleeping = false;
    }
    pthread_mutex_unlock(&log->lock);
    weft_page_log_release(log);
    r->log = NULL;
}
