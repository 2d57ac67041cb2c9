/* lab.c -- starts and stops the server: options, folder, ports, thread. */
#include "lab/lab_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#define SPARE_FILES 256u /* open files of the process that are no lab connections */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* ---- options ---- */

static bool in_range(int64_t ms)
{
    return ms >= 0 && ms <= WEFT_LAB_MAX_HOLD_MS;
}

static enum weft_status check_options(struct weft_lab *l, char *error, size_t cap)
{
    struct weft_lab_options *o = &l->o;
    l->nports = o->nports ? o->nports : 1;
    o->max_connections = o->max_connections ? o->max_connections : WEFT_LAB_MAX_CONNECTIONS;
    if (l->nports > WEFT_LAB_MAX_PORTS) {
        snprintf(error, cap, "at most %u ports", WEFT_LAB_MAX_PORTS);
        return WEFT_EINVAL;
    }
    if (o->port && o->port + l->nports - 1 > UINT16_MAX) {
        snprintf(error, cap, "there are no %u ports from %u on", l->nports, o->port);
        return WEFT_EINVAL;
    }
    if (!in_range(o->delay_ms) || !in_range(o->jitter_ms) || !in_range(o->mirror_ms)) {
        snprintf(error, cap, "a delay must be between 0 and %d ms", WEFT_LAB_MAX_HOLD_MS);
        return WEFT_EINVAL;
    }
    if (o->max_connections > 1000000) {
        snprintf(error, cap, "at most 1000000 connections");
        return WEFT_EINVAL;
    }
    return WEFT_OK;
}

/* Reads bind and says whether it is this machine alone. */
static enum weft_status read_address(const char *bind, union address *a, bool *loopback,
                                     char *error, size_t cap)
{
    memset(a, 0, sizeof *a);
    bind = bind ? bind : "127.0.0.1";
    if (inet_pton(AF_INET, bind, &a->v4.sin_addr) == 1) {
        a->v4.sin_family = AF_INET;
        *loopback = ntohl(a->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
        return WEFT_OK;
    }
    if (inet_pton(AF_INET6, bind, &a->v6.sin6_addr) == 1) {
        a->v6.sin6_family = AF_INET6;
        *loopback = IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
        return WEFT_OK;
    }
    snprintf(error, cap, "%s is not an IPv4 or IPv6 address", bind);
    return WEFT_EINVAL;
}

/* ---- the folder ---- */

static enum weft_status read_routes(struct weft_lab *l, char *error, size_t cap)
{
    char *text = NULL;
    size_t len = 0, room = WEFT_LAB_MAX_ROUTES + 1;
    ssize_t n = 0;
    enum weft_status st = WEFT_OK;
    int fd = openat(l->dir_fd, "routes", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        return WEFT_OK;
    }
    text = malloc(room);
    if (!text) {
        snprintf(error, cap, "out of memory");
        st = WEFT_ENOMEM;
        goto out;
    }
    while (fd >= 0 && len < room && (n = read(fd, text + len, room - len)) > 0) {
        len += (size_t)n;
    }
    if (fd < 0 || n < 0) {
        snprintf(error, cap, "routes: %s", strerror(errno));
        st = WEFT_EIO;
        goto out;
    }
    st = lab_routes_parse(&l->routes, text, len, error, cap);
    st = st == WEFT_ESYNTAX || st == WEFT_ELIMIT ? WEFT_EINVAL : st;

out:
    free(text);
    if (fd >= 0) {
        close(fd);
    }
    return st;
}

static enum weft_status open_folder(struct weft_lab *l, const char *dir, char *error, size_t cap)
{
    l->dir_fd = -1;
    if (!dir) {
        return WEFT_OK;
    }
    l->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (l->dir_fd < 0) {
        snprintf(error, cap, "%s: %s", dir, strerror(errno));
        return WEFT_EIO;
    }
    return read_routes(l, error, cap);
}

/* ---- ports ---- */

/* MHD tells in words why it can't have a port; only the start listens. */
static void complain(void *lab, const char *fmt, va_list args)
{
    struct weft_lab *l = lab;
    if (l->complaint) {
        vsnprintf(l->complaint, l->complaint_cap, fmt, args);
        l->complaint[strcspn(l->complaint, "\n")] = '\0';
    }
}

/* The lab decodes paths itself, so that an escaped zero byte or slash is still seen. */
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *text)
{
    (void)cls;
    (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *start_daemon(struct lab_port *p, const union address *a)
{
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO | MHD_USE_ERROR_LOG;
    flags |= a->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, lab_request_run, p, MHD_OPTION_EXTERNAL_LOGGER, complain, p->lab,
        MHD_OPTION_SOCK_ADDR, &a->any, MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u,
        MHD_OPTION_CONNECTION_LIMIT, p->lab->o.max_connections, MHD_OPTION_CONNECTION_TIMEOUT,
        WEFT_LAB_MAX_IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEFT_LAB_MAX_REQUEST,
        MHD_OPTION_URI_LOG_CALLBACK, lab_request_new, p, MHD_OPTION_NOTIFY_COMPLETED,
        lab_request_end, p, MHD_OPTION_NOTIFY_CONNECTION, lab_request_connection, p,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_END);
}

static void name_port(struct lab_port *p, const union address *a)
{
    char text[INET6_ADDRSTRLEN];
    if (a->any.sa_family == AF_INET6) {
        bool all = IN6_IS_ADDR_UNSPECIFIED(&a->v6.sin6_addr);
        inet_ntop(AF_INET6, all ? &in6addr_loopback : &a->v6.sin6_addr, text, sizeof text);
        snprintf(p->url, sizeof p->url, "http://[%s]:%u", text, p->number);
    } else {
        struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
        bool all = a->v4.sin_addr.s_addr == htonl(INADDR_ANY);
        inet_ntop(AF_INET, all ? &loopback : &a->v4.sin_addr, text, sizeof text);
        snprintf(p->url, sizeof p->url, "http://%s:%u", text, p->number);
    }
}

static enum weft_status open_ports(struct weft_lab *l, union address *a, char *error, size_t cap)
{
    for (unsigned k = 0; k < l->nports; k++) {
        struct lab_port *p = &l->ports[k];
        uint16_t wanted = l->o.port ? (uint16_t)(l->o.port + k) : 0;
        p->lab = l;
        p->k = k;
        if (a->any.sa_family == AF_INET6) {
            a->v6.sin6_port = htons(wanted);
        } else {
            a->v4.sin_port = htons(wanted);
        }
        p->daemon = start_daemon(p, a);
        if (!p->daemon) {
            const char *why = strrchr(l->complaint, ':'); /* MHD names the port wrongly */
            snprintf(error, cap, "port %u%s", wanted, why ? why : " can't be had");
            return WEFT_EIO;
        }
        p->number = MHD_get_daemon_info(p->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
        p->epoll_fd = MHD_get_daemon_info(p->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
        name_port(p, a);
    }
    return WEFT_OK;
}

/* ---- start and stop ---- */

/* A held connection is an open file; a limit of 1,024 would refuse the 1,025th. Raising the soft
 * limit needs no right, and less than asked for only means fewer connections. */
static void raise_file_limit(unsigned connections)
{
    struct rlimit limit;
    rlim_t want = (rlim_t)connections + SPARE_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < want) {
        limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The lab's thread takes no signals: they are the program's. */
static enum weft_status start_thread(struct weft_lab *l)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&l->thread, NULL, lab_loop, l);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? WEFT_EAGAIN : WEFT_OK;
}

/* Frees what a server without its thread still has. */
static void release(struct weft_lab *l)
{
    lab_timers_release(&l->timers);
    lab_routes_release(&l->routes);
    if (l->dir_fd >= 0) {
        close(l->dir_fd);
    }
    if (l->wake >= 0) {
        close(l->wake);
    }
    if (l->gone_fd >= 0) {
        close(l->gone_fd);
    }
    lab_faults_release(&l->faults);
    lab_stats_release(&l->stats);
    free(l);
}

/* Makes a server that has its locks and nothing else; NULL: no memory. */
static struct weft_lab *new_lab(const struct weft_lab_options *o)
{
    uint64_t secret = 0;
    struct weft_lab *l = calloc(1, sizeof *l);
    if (!l) {
        return NULL;
    }
    /* If the system has no randomness yet, the tables' order is guessable, nothing else. */
    if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) != (ssize_t)sizeof secret) {
        secret = (uint64_t)weft_now();
    }
    l->o = *o;
    l->o.dir = l->o.bind = NULL; /* borrowed for the start alone */
    l->dir_fd = l->wake = l->gone_fd = -1;
    if (lab_stats_init(&l->stats, secret) != WEFT_OK) {
        free(l);
        return NULL;
    }
    if (lab_faults_init(&l->faults, secret) != WEFT_OK) {
        lab_stats_release(&l->stats);
        free(l);
        return NULL;
    }
    return l;
}

static enum weft_status open_events(struct weft_lab *l, char *error, size_t cap)
{
    l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    l->gone_fd = epoll_create1(EPOLL_CLOEXEC);
    if (l->wake < 0 || l->gone_fd < 0) {
        snprintf(error, cap, "no file descriptor: %s", strerror(errno));
        return WEFT_EIO;
    }
    return WEFT_OK;
}

enum weft_status weft_lab_start(struct weft_lab **out, const struct weft_lab_options *o,
                                char *error, size_t cap)
{
    union address a;
    char complaint[256] = "";
    enum weft_status st = WEFT_ENOMEM;
    struct weft_lab *l = new_lab(o);
    *out = NULL;
    snprintf(error, cap, "out of memory");
    if (!l) {
        return st;
    }
    if ((st = check_options(l, error, cap)) != WEFT_OK ||
        (st = read_address(o->bind, &a, &l->loopback, error, cap)) != WEFT_OK ||
        (st = open_folder(l, o->dir, error, cap)) != WEFT_OK ||
        (st = open_events(l, error, cap)) != WEFT_OK) {
        goto out;
    }
    lab_endpoints_hide(l);
    raise_file_limit(l->o.max_connections);
    l->complaint = complaint;
    l->complaint_cap = sizeof complaint;
    st = open_ports(l, &a, error, cap);
    l->complaint = NULL;
    if (st == WEFT_OK && (st = start_thread(l)) != WEFT_OK) {
        snprintf(error, cap, "the system gives no thread");
    }

out:
    if (st != WEFT_OK) {
        for (unsigned k = 0; k < l->nports && l->ports[k].daemon; k++) {
            MHD_stop_daemon(l->ports[k].daemon);
        }
        release(l);
        return st;
    }
    *out = l;
    snprintf(error, cap, "%s", "");
    return WEFT_OK;
}

void weft_lab_stop(struct weft_lab *l)
{
    if (!l) {
        return;
    }
    atomic_store(&l->stopping, true);
    /* Can't fail: the counter of an eventfd is far from full. */
    eventfd_write(l->wake, 1);
    pthread_join(l->thread, NULL);
    release(l);
}

/* ---- what may be asked of a running one ---- */

uint16_t weft_lab_port(const struct weft_lab *l, unsigned k)
{
    return k < l->nports ? l->ports[k].number : 0;
}

const char *weft_lab_url(const struct weft_lab *l, unsigned k)
{
    return k < l->nports ? l->ports[k].url : NULL;
}

void weft_lab_get_stats(struct weft_lab *l, struct weft_lab_stats *s)
{
    lab_stats_get(&l->stats, s);
}

uint64_t weft_lab_path_requests(struct weft_lab *l, const char *target)
{
    return lab_stats_path(&l->stats, target);
}

bool weft_lab_host_requests(struct weft_lab *l, const char *host, uint64_t *requests,
                            unsigned *in_flight_peak)
{
    return lab_stats_host(&l->stats, host, requests, in_flight_peak);
}

void weft_lab_reset_stats(struct weft_lab *l)
{
    lab_stats_reset(&l->stats);
    lab_faults_reset(&l->faults);
}
