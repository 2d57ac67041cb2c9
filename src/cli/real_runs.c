/* real_runs.c -- see real_runs.h. */
#include "cli/real_runs.h"

#include "cli/real_run.h"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct cli_real_runs {
    bool has_folder;
    char folder[PATH_MAX];

    pthread_mutex_t lock;     /* guards the rest */
    unsigned number;          /* of the last run; 0: none yet */
    struct cli_real_run *run; /* the last one */
    bool going;               /* it may still make requests */
    bool started;             /* its thread has not been joined */
    bool closed;
    pthread_t thread;
};

enum weft_status cli_real_runs_new(struct cli_real_runs **out, const char *folder)
{
    struct cli_real_runs *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r) {
        return WEFT_ENOMEM;
    }
    if (pthread_mutex_init(&r->lock, NULL) != 0) {
        free(r);
        return WEFT_ENOMEM;
    }
    r->has_folder = folder != NULL;
    snprintf(r->folder, sizeof r->folder, "%s", folder ? folder : "");
    *out = r;
    return WEFT_OK;
}

/* The run has ended, but for its last event. Whoever hears that can start the next one. */
static void on_over(void *user)
{
    struct cli_real_runs *r = user;
    pthread_mutex_lock(&r->lock);
    r->going = false;
    pthread_mutex_unlock(&r->lock);
}

static void *go(void *user)
{
    struct cli_real_runs *r = user;
    pthread_mutex_lock(&r->lock);
    struct cli_real_run *run = r->run;
    pthread_mutex_unlock(&r->lock);
    cli_real_run_go(run, on_over, r);
    return NULL;
}

/* Starts the thread of a new run in the place of the old one, which is over: joining its thread
 * takes no longer than its last event. The lock is held. */
static enum weft_status begin(struct cli_real_runs *r, const struct weft_page_ask *ask)
{
    struct cli_real_run *run;
    enum weft_status st = cli_real_run_new(&run, ask, r->folder);
    if (st != WEFT_OK) {
        return st;
    }
    if (r->started) {
        pthread_join(r->thread, NULL);
        r->started = false;
    }
    struct cli_real_run *old = r->run;
    r->run = run;
    if (pthread_create(&r->thread, NULL, go, r) != 0) {
        r->run = old;
        cli_real_run_free(run);
        return WEFT_ENOMEM;
    }
    r->started = r->going = true;
    r->number++;
    cli_real_run_free(old);
    return WEFT_OK;
}

static enum weft_status start(void *user, const struct weft_page_ask *ask, unsigned *number,
                              char *error, size_t cap)
{
    struct cli_real_runs *r = user;
    enum weft_status st = WEFT_ECLOSED;
    pthread_mutex_lock(&r->lock);
    if (!r->has_folder) {
        st = WEFT_EIO;
        snprintf(error, cap,
                 "There is no sample site here to crawl: start weft lab in weft's own "
                 "folder, or install weft.");
    } else if (r->going) {
        st = WEFT_EAGAIN;
    } else if (!r->closed) {
        st = begin(r, ask);
    }
    *number = r->number;
    pthread_mutex_unlock(&r->lock);
    if (st != WEFT_OK && st != WEFT_EIO) {
        snprintf(error, cap, "The run can't be started: %s.", weft_strerror(st));
    }
    return st;
}

static struct weft_page_log *find_log(void *user, unsigned number)
{
    struct cli_real_runs *r = user;
    struct weft_page_log *log = NULL;
    pthread_mutex_lock(&r->lock);
    if (r->run && number == r->number) {
        log = weft_page_log_retain(cli_real_run_log(r->run));
    }
    pthread_mutex_unlock(&r->lock);
    return log;
}

static bool stop(void *user, unsigned number)
{
    struct cli_real_runs *r = user;
    pthread_mutex_lock(&r->lock);
    bool known = r->run && number == r->number;
    if (known) {
        cli_real_run_stop(r->run);
    }
    pthread_mutex_unlock(&r->lock);
    return known;
}

struct weft_page_runs cli_real_runs_face(struct cli_real_runs *r)
{
    return (struct weft_page_runs){.user = r, .start = start, .log = find_log, .stop = stop};
}

void cli_real_runs_close(struct cli_real_runs *r)
{
    if (!r) {
        return;
    }
    pthread_mutex_lock(&r->lock);
    bool join = r->started;
    r->closed = true;
    r->started = false;
    if (r->run) {
        cli_real_run_stop(r->run);
    }
    pthread_mutex_unlock(&r->lock);
    if (join) {
        pthread_join(r->thread, NULL);
    }
}

void cli_real_runs_free(struct cli_real_runs *r)
{
    if (r) {
        cli_real_run_free(r->run);
        pthread_mutex_destroy(&r->lock);
        free(r);
    }
}
