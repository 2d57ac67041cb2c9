/* lab_loop.c -- the lab's one thread: runs MHD, and wakes held requests when they are due.
 *
 * A held request is a suspended connection: MHD forgets its socket, and all that is left of it is
 * a timer in the heap. So that a client that gives up is noticed all the same, its socket waits in
 * an epoll set of the lab's own for nothing but the end of the connection. */
#include "lab/lab_server.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#define GONE_AT_ONCE 64

/* MHD walks over all held connections whenever one is resumed, at roughly so many nanoseconds
 * each. With many held, those that fall due within this time are resumed together, so that the
 * walks stay a small part of the thread's time; with few held, each is woken to the microsecond. */
#define SLACK_PER_HELD INT64_C(250)
#define SLACK_MAX      WEFT_MS

static int socket_of(const struct lab_request *r)
{
    return MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

enum weft_status lab_loop_hold(struct lab_request *r, weft_time due)
{
    struct weft_lab *l = r->lab;
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = r};
    enum weft_status st = lab_timers_add(&l->timers, &r->timer, due);
    if (st != WEFT_OK) {
        return st;
    }
    /* If the set takes no more, the client's end is noticed when the time is up. */
    epoll_ctl(l->gone_fd, EPOLL_CTL_ADD, socket_of(r), &event);
    r->held = true;
    l->held++;
    MHD_suspend_connection(r->connection);
    return WEFT_OK;
}

/* Lets MHD have r's connection again. */
static void resume(struct lab_request *r)
{
    struct weft_lab *l = r->lab;
    lab_timers_remove(&l->timers, &r->timer);
    epoll_ctl(l->gone_fd, EPOLL_CTL_DEL, socket_of(r), NULL);
    r->held = false;
    l->held--;
    MHD_resume_connection(r->connection);
}

static struct lab_request *request_of(struct lab_timer *timer)
{
    return (struct lab_request *)((char *)timer - offsetof(struct lab_request, timer));
}

static void resume_due(struct weft_lab *l, weft_time now)
{
    struct lab_timer *timer;
    while ((timer = lab_timers_pop(&l->timers, now))) {
        resume(request_of(timer));
        l->resumed_at = now;
    }
}

/* A client that ended its side of the connection while its request is held is taken to be gone:
 * crawlers do that when their time limit is over, and nobody waits for the answer. */
static void resume_gone(struct weft_lab *l)
{
    struct epoll_event events[GONE_AT_ONCE];
    int n;
    do {
        n = epoll_wait(l->gone_fd, events, GONE_AT_ONCE, 0);
        for (int i = 0; i < n; i++) {
            struct lab_request *r = events[i].data.ptr;
            r->gone = true;
            resume(r);
        }
    } while (n == GONE_AT_ONCE);
}

/* When the loop must look again whatever happens on the sockets. */
static weft_time next_deadline(const struct weft_lab *l, weft_time now)
{
    weft_time due = lab_timers_next(&l->timers);
    weft_time slack = l->held * SLACK_PER_HELD;
    weft_time earliest = l->resumed_at + (slack < SLACK_MAX ? slack : SLACK_MAX);
    if (due != WEFT_FOREVER && due < earliest) {
        due = earliest;
    }
    for (unsigned k = 0; k < l->nports; k++) {
        MHD_UNSIGNED_LONG_LONG ms;
        if (MHD_get_timeout(l->ports[k].daemon, &ms) == MHD_YES && ms < UINT32_MAX) {
            weft_time at = now + (weft_time)ms * WEFT_MS;
            due = at < due ? at : due;
        }
    }
    return due;
}

/* Waits for sockets, for a client that goes away, for weft_lab_stop, or for the deadline. */
static void wait_for_work(struct weft_lab *l)
{
    struct pollfd fds[WEFT_LAB_MAX_PORTS + 2];
    weft_time now = weft_now(), due = next_deadline(l, now);
    struct timespec ts = {0};
    nfds_t n = 0;
    if (due > now && due != WEFT_FOREVER) {
        ts.tv_sec = (due - now) / WEFT_SECOND;
        ts.tv_nsec = (due - now) % WEFT_SECOND;
    }
    fds[n++] = (struct pollfd){.fd = l->wake, .events = POLLIN};
    fds[n++] = (struct pollfd){.fd = l->gone_fd, .events = POLLIN};
    for (unsigned k = 0; k < l->nports; k++) {
        fds[n++] = (struct pollfd){.fd = l->ports[k].epoll_fd, .events = POLLIN};
    }
    /* An error here (no memory) only means that the loop looks again at once. */
    ppoll(fds, n, due == WEFT_FOREVER ? NULL : &ts, NULL);
}

/* Ends everything: held requests get no answer any more, then MHD closes every connection. */
static void shut_down(struct weft_lab *l)
{
    struct lab_timer *timer;
    while ((timer = lab_timers_pop(&l->timers, WEFT_FOREVER))) {
        request_of(timer)->gone = true;
        resume(request_of(timer));
    }
    for (unsigned k = 0; k < l->nports; k++) {
        MHD_stop_daemon(l->ports[k].daemon);
    }
}

void *lab_loop(void *lab)
{
    struct weft_lab *l = lab;
    while (!atomic_load(&l->stopping)) {
        resume_gone(l);
        resume_due(l, weft_now());
        for (unsigned k = 0; k < l->nports; k++) {
            MHD_run(l->ports[k].daemon);
        }
        wait_for_work(l);
    }
    shut_down(l);
    return NULL;
}
