/* page.c -- starts and stops the page's server. */
#include "lab/page_impl.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define IDLE_S  75u /* a silent connection is closed */
#define BACKLOG 64

/* Names are exact: an escape is not another spelling of one. */
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *text)
{
    (void)cls;
    (void)connection;
    return strlen(text);
}

/* Listens on the port, and learns which one it is before anybody can ask. */
static enum weft_status listen_on(struct weft_page *p, uint16_t port, int *out, char *error,
                                  size_t cap)
{
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    *out = -1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&a, &len) != 0) {
        snprintf(error, cap, "port %u: %s", port, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return WEFT_EIO;
    }
    p->port = ntohs(a.sin_port);
    snprintf(p->url, sizeof p->url, "http://127.0.0.1:%u/", p->port);
    *out = fd;
    return WEFT_OK;
}

/* Takes the socket, also when it fails. The thread that MHD starts takes no signals: they are the
 * program's. */
static struct MHD_Daemon *start_daemon(struct weft_page *p, int fd)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, page_request_run,
        p, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, WEFT_PAGE_MAX_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)WEFT_LAB_MAX_REQUEST, MHD_OPTION_URI_LOG_CALLBACK, page_request_new, p,
        MHD_OPTION_NOTIFY_COMPLETED, page_request_end, p, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_escapes, NULL, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon;
}

enum weft_status weft_page_start(struct weft_page **out, uint16_t port,
                                 const struct weft_page_runs *runs, char *error, size_t cap)
{
    int fd;
    struct weft_page *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p) {
        snprintf(error, cap, "out of memory");
        return WEFT_ENOMEM;
    }
    p->runs = *runs;
    enum weft_status st = listen_on(p, port, &fd, error, cap);
    if (st == WEFT_OK && !(p->daemon = start_daemon(p, fd))) {
        snprintf(error, cap, "the server does not start: no memory, or no thread");
        st = WEFT_ENOMEM;
    }
    if (st != WEFT_OK) {
        free(p);
        return st;
    }
    *out = p;
    return WEFT_OK;
}

void weft_page_stop(struct weft_page *p)
{
    if (p) {
        MHD_stop_daemon(p->daemon);
        free(p);
    }
}

const char *weft_page_url(const struct weft_page *p)
{
    return p->url;
}
