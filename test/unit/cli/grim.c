/* grim.c -- see grim.h: poll over the listener, a pipe to end it, and the connections. */
#include "grim.h"

#include <arpa/inet.h>
#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 256 }; /* connections at once */

struct inside {
    struct grim *grim;
    enum grim_mood mood;
    const char *answer;
    int say[2]; /* a pipe: a byte when it is to answer, the end when the thread is to end */
    pthread_t thread;
    struct pollfd fds[2 + MOST]; /* the pipe, the listener, connections */
    bool tired[2 + MOST];        /* beside each: it has been answered */
    nfds_t n;
};

/* Drops the connection at i. With a reset, what is under way is lost. */
static void drop(struct inside *g, nfds_t i, bool reset)
{
    const struct linger at_once = {.l_onoff = 1};
    if (reset) {
        setsockopt(g->fds[i].fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    close(g->fds[i].fd);
    g->fds[i] = g->fds[--g->n];
    g->tired[i] = g->tired[g->n];
}

/* A request is one packet here: crawlers' requests are small. */
static void serve(struct inside *g, nfds_t i)
{
    char request[8192];
    ssize_t n = read(g->fds[i].fd, request, sizeof request);
    if (n <= 0) {
        drop(g, i, false);
        return;
    }
    atomic_fetch_add(&g->grim->requests, 1);
    bool tires = g->mood == GRIM_TIRES && !g->tired[i];
    if (g->mood == GRIM_ANSWERS || tires) {
        n = send(g->fds[i].fd, g->answer, strlen(g->answer), MSG_NOSIGNAL);
    }
    if (tires) {
        g->tired[i] = true;
    } else if (g->mood != GRIM_IS_SILENT) {
        drop(g, i, g->mood != GRIM_ANSWERS);
    } else {
        g->fds[i].events = 0; /* it has asked, and waits; if it goes away, poll still says so */
    }
}

static void answer_all(struct inside *g)
{
    g->mood = GRIM_ANSWERS;
    for (nfds_t i = g->n; i-- > 2;) {
        if (g->fds[i].events) {
            continue; /* its request is still to come, and will be answered then */
        }
        ssize_t n = send(g->fds[i].fd, g->answer, strlen(g->answer), MSG_NOSIGNAL);
        (void)n; /* whoever has gone meanwhile does not want it */
        drop(g, i, false);
    }
}

static void *run(void *user)
{
    struct inside *g = user;
    for (;;) {
        g->fds[1].events = g->n < 2 + MOST ? POLLIN : 0;
        char byte;
        if (poll(g->fds, g->n, -1) <= 0 ||
            (g->fds[0].revents && read(g->fds[0].fd, &byte, 1) != 1)) {
            return NULL;
        }
        if (g->fds[0].revents) {
            answer_all(g);
            continue;
        }
        for (nfds_t i = g->n; i-- > 2;) {
            if (g->fds[i].revents) {
                serve(g, i);
            }
        }
        if (g->fds[1].revents && g->n < 2 + MOST) {
            int fd = accept(g->fds[1].fd, NULL, NULL);
            if (fd >= 0) {
                g->tired[g->n] = false;
                g->fds[g->n++] = (struct pollfd){.fd = fd, .events = POLLIN};
            }
        }
    }
}

void grim_start(struct grim *grim, enum grim_mood mood, const char *answer)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    struct inside *g = calloc(1, sizeof *g);
    ck_assert_ptr_nonnull(g);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(fd, MOST), 0);
    ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    ck_assert_int_eq(pipe(g->say), 0);
    *grim = (struct grim){.inside = g};
    snprintf(grim->url, sizeof grim->url, "http://127.0.0.1:%u", ntohs(at.sin_port));
    g->grim = grim;
    g->mood = mood;
    g->answer = answer;
    g->fds[0] = (struct pollfd){.fd = g->say[0], .events = POLLIN};
    g->fds[1] = (struct pollfd){.fd = fd, .events = POLLIN};
    g->n = 2;
    ck_assert_int_eq(pthread_create(&g->thread, NULL, run, g), 0);
}

void grim_answer(struct grim *grim)
{
    ck_assert_int_eq(write(((struct inside *)grim->inside)->say[1], "!", 1), 1);
}

void grim_stop(struct grim *grim)
{
    struct inside *g = grim->inside;
    close(g->say[1]);
    pthread_join(g->thread, NULL);
    for (nfds_t i = 0; i < g->n; i++) {
        close(g->fds[i].fd);
    }
    free(g);
}
