/* server.c -- see server.h. */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct log {
    char *bytes;
    size_t len, cap;
};

struct player {
    struct player *next;
    pthread_t thread;
    struct peer peer;
};

struct server {
    server_play_fn *play;
    const void *user;
    int listener;
    unsigned port;
    bool v6;
    pthread_t thread;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    bool stopping, open[SERVER_GATES], reached[SERVER_GATES];
    unsigned connections, requests;
    struct player *players;
    struct log in, out;
};

/* As an assertion, but without Check, which allocates memory and is of one thread. */
static void must(bool so)
{
    if (!so) {
        perror("test server");
        abort();
    }
}

/* Memory that no fault test can take away: those let malloc() and its kin fail. */
static void *allocate(size_t len)
{
    void *p = aligned_alloc(64, (len + 63) / 64 * 64);
    must(p != NULL);
    return memset(p, 0, len);
}

static void keep(struct server *s, struct log *log, const void *bytes, size_t len)
{
    pthread_mutex_lock(&s->lock);
    if (log->len + len + 1 > log->cap) {
        log->cap = (log->len + len + 1) * 2;
        char *more = allocate(log->cap);
        if (log->len) {
            memcpy(more, log->bytes, log->len);
        }
        free(log->bytes);
        log->bytes = more;
    }
    memcpy(log->bytes + log->len, bytes, len);
    log->len += len;
    log->bytes[log->len] = '\0';
    pthread_mutex_unlock(&s->lock);
}

static void *play(void *arg)
{
    struct player *p = arg;
    struct server *s = p->peer.server;
    s->play(&p->peer);
    pthread_mutex_lock(&s->lock);
    if (p->peer.fd >= 0) {
        close(p->peer.fd);
        p->peer.fd = -1;
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *accept_all(void *arg)
{
    struct server *s = arg;
    for (;;) {
        /* accept() takes a descriptor before it waits: a test that lowers the limit must not meet
         * it */
        struct pollfd ready = {.fd = s->listener, .events = POLLIN};
        poll(&ready, 1, -1);
        int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED) {
                continue;
            }
            return NULL;
        }
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct player *p = allocate(sizeof *p);
        p->peer = (struct peer){.server = s, .fd = fd, .user = s->user};
        pthread_mutex_lock(&s->lock);
        if (s->stopping) {
            pthread_mutex_unlock(&s->lock);
            close(fd);
            free(p);
            return NULL;
        }
        p->peer.number = s->connections++;
        p->next = s->players;
        s->players = p;
        int rc = pthread_create(&p->thread, NULL, play, p);
        pthread_mutex_unlock(&s->lock);
        must(rc == 0);
    }
}

struct server *server_start(server_play_fn *fn, const void *user)
{
    return server_start_on("127.0.0.1", fn, user);
}

struct server *server_start_on(const char *address, server_play_fn *fn, const void *user)
{
    struct server *s = allocate(sizeof *s);
    s->play = fn;
    s->user = user;
    s->v6 = strchr(address, ':') != NULL;
    struct sockaddr_storage a = {0};
    struct sockaddr_in *v4 = (struct sockaddr_in *)&a;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&a;
    socklen_t len = s->v6 ? sizeof *v6 : sizeof *v4;
    a.ss_family = s->v6 ? AF_INET6 : AF_INET;
    void *to = s->v6 ? (void *)&v6->sin6_addr : (void *)&v4->sin_addr;
    must(inet_pton(a.ss_family, address, to) == 1);
    s->listener = socket(a.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(s->listener >= 0);
    must(bind(s->listener, (struct sockaddr *)&a, len) == 0);
    must(listen(s->listener, 1024) == 0);
    must(getsockname(s->listener, (struct sockaddr *)&a, &len) == 0);
    s->port = ntohs(s->v6 ? v6->sin6_port : v4->sin_port);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    must(pthread_create(&s->thread, NULL, accept_all, s) == 0);
    return s;
}

void server_stop(struct server *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_cond_broadcast(&s->changed);
    for (struct player *p = s->players; p; p = p->next) {
        if (p->peer.fd >= 0) {
            shutdown(p->peer.fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&s->lock);
    shutdown(s->listener, SHUT_RDWR); /* ends accept() */
    pthread_join(s->thread, NULL);
    close(s->listener);
    while (s->players) {
        struct player *p = s->players;
        s->players = p->next;
        pthread_join(p->thread, NULL);
        free(p);
    }
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s->in.bytes);
    free(s->out.bytes);
    free(s);
}

unsigned server_port(const struct server *s)
{
    return s->port;
}

const char *server_url(const struct server *s, const char *path)
{
    static _Thread_local char urls[8][2048];
    static _Thread_local unsigned n;
    char *url = urls[n++ % 8];
    snprintf(url, sizeof urls[0], s->v6 ? "http://[::1]:%u%s" : "http://127.0.0.1:%u%s", s->port,
             path);
    return url;
}

static unsigned read_count(struct server *s, const unsigned *count)
{
    pthread_mutex_lock(&s->lock);
    unsigned n = *count;
    pthread_mutex_unlock(&s->lock);
    return n;
}

unsigned server_connections(struct server *s)
{
    return read_count(s, &s->connections);
}

unsigned server_requests(struct server *s)
{
    return read_count(s, &s->requests);
}

static char *copy_log(struct server *s, const struct log *log, size_t *len)
{
    pthread_mutex_lock(&s->lock);
    char *bytes = allocate(log->len + 1);
    if (log->len) {
        memcpy(bytes, log->bytes, log->len);
    }
    *len = log->len;
    pthread_mutex_unlock(&s->lock);
    return bytes;
}

char *server_received(struct server *s, size_t *len)
{
    return copy_log(s, &s->in, len);
}

char *server_sent(struct server *s, size_t *len)
{
    return copy_log(s, &s->out, len);
}

static void raise_flag(struct server *s, bool *flag)
{
    pthread_mutex_lock(&s->lock);
    *flag = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void await_flag(struct server *s, const bool *flag)
{
    pthread_mutex_lock(&s->lock);
    while (!*flag && !s->stopping) {
        pthread_cond_wait(&s->changed, &s->lock);
    }
    pthread_mutex_unlock(&s->lock);
}

void server_open(struct server *s, unsigned gate)
{
    raise_flag(s, &s->open[gate]);
}

void peer_gate(struct peer *p, unsigned gate)
{
    await_flag(p->server, &p->server->open[gate]);
}

void peer_reached(struct peer *p, unsigned mark)
{
    raise_flag(p->server, &p->server->reached[mark]);
}

void server_await(struct server *s, unsigned mark)
{
    await_flag(s, &s->reached[mark]);
}

void peer_pause(struct peer *p, unsigned ms)
{
    struct pollfd none = {.fd = p->fd, .events = 0};
    poll(&none, 1, (int)ms);
}

bool peer_read(struct peer *p)
{
    p->request_len = 0;
    while (p->request_len < sizeof p->request - 1) {
        ssize_t n = recv(p->fd, p->request + p->request_len, 1, 0);
        if (n <= 0) {
            return false;
        }
        p->request_len++;
        p->request[p->request_len] = '\0';
        if (p->request_len >= 4 && !memcmp(p->request + p->request_len - 4, "\r\n\r\n", 4)) {
            keep(p->server, &p->server->in, p->request, p->request_len);
            p->path[0] = '\0';
            sscanf(p->request, "%*s %1023s", p->path);
            pthread_mutex_lock(&p->server->lock);
            p->server->requests++;
            pthread_mutex_unlock(&p->server->lock);
            return true;
        }
    }
    return false;
}

void peer_read_to_end(struct peer *p)
{
    char drop[4096];
    while (recv(p->fd, drop, sizeof drop, 0) > 0) {
    }
}

bool peer_send(struct peer *p, const void *bytes, size_t len)
{
    const char *at = bytes;
    keep(p->server, &p->server->out, bytes, len); /* before the client can have it */
    while (len) {
        ssize_t n = send(p->fd, at, len, MSG_NOSIGNAL);
        if (n <= 0) {
            return false;
        }
        at += n;
        len -= (size_t)n;
    }
    return true;
}

bool peer_puts(struct peer *p, const char *text)
{
    return peer_send(p, text, strlen(text));
}

void peer_flood(struct peer *p, char byte)
{
    char block[8192];
    memset(block, byte, sizeof block);
    while (send(p->fd, block, sizeof block, MSG_NOSIGNAL) > 0) {
    }
}

bool peer_answer(struct peer *p, const char *status, const char *headers, const char *body)
{
    size_t room = strlen(status) + strlen(headers) + strlen(body) + 128;
    char *all = allocate(room);
    int n = snprintf(all, room, "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\n\r\n%s", status, headers,
                     strlen(body), body);
    bool ok = peer_send(p, all, (size_t)n);
    free(all);
    return ok;
}

void peer_reset(struct peer *p)
{
    struct linger hard = {.l_onoff = 1, .l_linger = 0};
    setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    pthread_mutex_lock(&p->server->lock);
    close(p->fd);
    p->fd = -1;
    pthread_mutex_unlock(&p->server->lock);
}
