/* site.c -- the benchmarks' site: pages in memory, one epoll loop, one send an answer. */
#include "bench/site.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAN 8u

void bench_must(bool so, const char *what)
{
    if (!so) {
        perror(what);
        exit(1);
    }
}

/* A page as documentation has them: a paragraph, a link, a paragraph... */
static size_t write_body(char *out, size_t cap, size_t i, const struct bench_site *s, size_t bytes,
                         unsigned links)
{
    static const char text[] = "A future is a result that may not be there yet; whoever wants it "
                               "waits for it or is told. ";
    size_t len = (size_t)snprintf(out, cap,
                                  "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Page %zu"
                                  "</title></head>\n<body class=\"page\">\n",
                                  i);
    for (unsigned k = 0; k < links; k++) {
        size_t to = k < FAN && i * FAN + k + 1 < s->n ? i * FAN + k + 1
                                                      : (i * 7919 + k * 104729u) % s->n;
        if (to > i * FAN + FAN) {
            to %= i * FAN + FAN + 1; /* nothing is known before the tree leads to it */
        }
        static const char *const forms[] = {"/%zu.html", "./%zu.html", "%zu.html#part"};
        char href[64];
        snprintf(href, sizeof href, forms[k % 3], to);
        len += (size_t)snprintf(out + len, cap - len,
                                "<p class=\"line\"><a href=\"%s\">to %zu</a> ", href, to);
        size_t until = bytes / links * (k + 1);
        while (len + sizeof text < until) {
            len += (size_t)snprintf(out + len, cap - len, "%s", text);
        }
        len += (size_t)snprintf(out + len, cap - len, "</p>\n");
    }
    return len + (size_t)snprintf(out + len, cap - len, "</body></html>\n");
}

void bench_site_make(struct bench_site *s, size_t n, size_t bytes, unsigned links)
{
    size_t cap = bytes + links * 256u + 1024;
    char *body = malloc(cap);
    *s = (struct bench_site){.n = n};
    s->pages = calloc(n, sizeof *s->pages);
    s->heads = calloc(n, sizeof *s->heads);
    s->lens = calloc(n, sizeof *s->lens);
    bench_must(body && s->pages && s->heads && s->lens, "memory for the site");
    for (size_t i = 0; i < n; i++) {
        size_t len = write_body(body, cap, i, s, bytes, links);
        s->pages[i] = malloc(len + 256);
        bench_must(s->pages[i] != NULL, "memory for a page");
        s->heads[i] = (size_t)snprintf(
            s->pages[i], 256,
            "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
            "Content-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n\r\n",
            len);
        memcpy(s->pages[i] + s->heads[i], body, len);
        s->lens[i] = s->heads[i] + len;
    }
    free(body);
}

static bool answer(int fd, const struct bench_site *s, const char *request)
{
    static const char none[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    size_t i;
    if (sscanf(request, "GET /%zu.html ", &i) != 1 || i >= s->n) {
        return send(fd, none, sizeof none - 1, MSG_NOSIGNAL) > 0;
    }
    return send(fd, s->pages[i], s->lens[i], MSG_NOSIGNAL) == (ssize_t)s->lens[i];
}

/* A request of weft's comes in one piece, and an answer fits into the socket's buffer. */
static void serve(int listener, const struct bench_site *s)
{
    int epoll = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e);
    for (;;) {
        struct epoll_event events[64];
        int n = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
            char request[4096];
            if (fd == listener) {
                int on = 1;
                e.data.fd = accept(listener, NULL, NULL);
                setsockopt(e.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                epoll_ctl(epoll, EPOLL_CTL_ADD, e.data.fd, &e);
                continue;
            }
            ssize_t got = recv(fd, request, sizeof request - 1, 0);
            request[got > 0 ? got : 0] = '\0';
            if (got <= 0 || !answer(fd, s, request)) {
                close(fd);
            }
        }
    }
}

void bench_site_serve(struct bench_site *s)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bench_must(listener >= 0 && bind(listener, (struct sockaddr *)&a, len) == 0 &&
                   listen(listener, 1024) == 0 &&
                   getsockname(listener, (struct sockaddr *)&a, &len) == 0,
               "listen");
    fflush(NULL);
    s->server = fork();
    bench_must(s->server >= 0, "fork");
    if (s->server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener, s);
    }
    close(listener);
    s->port = ntohs(a.sin_port);
}

void bench_site_release(struct bench_site *s)
{
    if (s->server > 0) {
        kill(s->server, SIGKILL);
        waitpid(s->server, NULL, 0);
    }
    for (size_t i = 0; i < s->n; i++) {
        free(s->pages[i]);
    }
    free(s->pages);
    free(s->heads);
    free(s->lens);
}

double bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}
