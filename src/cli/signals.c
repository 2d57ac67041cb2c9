/* signals.c -- see signals.h: signalfd, an eventfd to end the watcher, and poll between them. */
#include "cli/signals.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct cli_signals {
    int signals, over; /* descriptors: signals to read; readable when the watcher is to end */
    pthread_t watcher;
    bool watching;                     /* the thread has been started and not joined */
    struct cli_signal_actions actions; /* set before the thread starts */
    sigset_t before;                   /* the caller's mask */
    pthread_mutex_t lock;              /* guards the next line */
    int first;                         /* the first signal that asked to stop, 0: none so far */
    pthread_cond_t asked;              /* signalled when first != 0 */
};

static void watch_one(struct cli_signals *s, int number, unsigned *stops)
{
    if (number == SIGUSR1) {
        s->actions.inspect(s->actions.user);
        return;
    }
    ++*stops;
    if (*stops > 2) {
        _exit(128 + number); /* nothing is asked of anybody any more */
    }
    pthread_mutex_lock(&s->lock);
    s->first = s->first ? s->first : number;
    pthread_cond_broadcast(&s->asked);
    pthread_mutex_unlock(&s->lock);
    if (s->actions.stop) {
        s->actions.stop(s->actions.user, number, *stops > 1);
    }
}

static void *watch(void *user)
{
    struct cli_signals *s = user;
    unsigned stops = 0;
    struct pollfd fds[] = {{.fd = s->signals, .events = POLLIN}, {.fd = s->over, .events = POLLIN}};
    for (;;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR) {
            return NULL;
        }
        if (fds[1].revents) {
            return NULL;
        }
        struct signalfd_siginfo info;
        if (fds[0].revents && read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
            watch_one(s, (int)info.ssi_signo, &stops);
        }
    }
}

static bool ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static enum weft_status open_all(struct cli_signals *s, const sigset_t *set)
{
    s->signals = signalfd(-1, set, SFD_CLOEXEC);
    s->over = eventfd(0, EFD_CLOEXEC);
    if (s->signals < 0 || s->over < 0) {
        return WEFT_EIO;
    }
    if (pthread_create(&s->watcher, NULL, watch, s) != 0) {
        return WEFT_EAGAIN;
    }
    s->watching = true;
    return WEFT_OK;
}

enum weft_status cli_signals_start(struct cli_signals **out,
                                   const struct cli_signal_actions *actions)
{
    *out = NULL;
    struct cli_signals *s = malloc(sizeof *s);
    if (!s) {
        return WEFT_ENOMEM;
    }
    *s = (struct cli_signals){.signals = -1, .over = -1, .actions = *actions};
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return WEFT_ENOMEM;
    }
    if (pthread_cond_init(&s->asked, NULL) != 0) {
        pthread_mutex_destroy(&s->lock);
        free(s);
        return WEFT_ENOMEM;
    }
    /* SIGINT counts even where it is ignored: a shell's background jobs are started that way, and
     * who sends it to one by hand means it. An ignored SIGHUP is nohup, and stays ignored. */
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (!ignored(SIGHUP)) {
        sigaddset(&set, SIGHUP);
    }
    if (actions->inspect) {
        sigaddset(&set, SIGUSR1);
    }
    pthread_sigmask(SIG_BLOCK, &set, &s->before);
    enum weft_status st = open_all(s, &set);
    if (st != WEFT_OK) {
        cli_signals_free(s);
        s = NULL;
    }
    *out = s;
    return st;
}

int cli_signals_stop(struct cli_signals *s)
{
    if (!s) {
        return 0;
    }
    if (s->watching) {
        uint64_t one = 1;
        while (write(s->over, &one, sizeof one) < 0 && errno == EINTR) {
        }
        pthread_join(s->watcher, NULL);
        s->watching = false;
    }
    return s->first; /* the watcher is gone: no lock is needed */
}

int cli_signals_wait(struct cli_signals *s)
{
    pthread_mutex_lock(&s->lock);
    while (!s->first) {
        pthread_cond_wait(&s->asked, &s->lock);
    }
    int first = s->first;
    pthread_mutex_unlock(&s->lock);
    return first;
}

void cli_signals_free(struct cli_signals *s)
{
    if (!s) {
        return;
    }
    cli_signals_stop(s);
    if (s->signals >= 0) {
        close(s->signals);
    }
    if (s->over >= 0) {
        close(s->over);
    }
    pthread_cond_destroy(&s->asked);
    pthread_mutex_destroy(&s->lock);
    pthread_sigmask(SIG_SETMASK, &s->before, NULL);
    free(s);
}
