/* bench_fetch.c -- what one fetch costs: CPU time a page on kept connections, for the blocking
 * client and for the event loop, against a server in a process of its own that does nothing but
 * answer. Usage: bench_fetch [client|loop PAGES AT_ONCE BYTES] */
#include "weft/loop.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(bool so, const char *what)
{
    if (!so) {
        perror(what);
        exit(1);
    }
}

/* Answers each request with the same bytes. A request of this client comes in one piece. */
static void serve(int listener, size_t bytes)
{
    char *answer = malloc(bytes + 256), buf[4096];
    must(answer != NULL, "malloc");
    int head = snprintf(
        answer, 256,
        "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
        "Content-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n\r\n",
        bytes);
    memset(answer + head, 'x', bytes);
    int epoll = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &e);
    for (;;) {
        struct epoll_event events[64];
        int n = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
            if (fd == listener) {
                e.data.fd = accept(listener, NULL, NULL);
                int on = 1;
                setsockopt(e.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                epoll_ctl(epoll, EPOLL_CTL_ADD, e.data.fd, &e);
            } else if (recv(fd, buf, sizeof buf, 0) <= 0 ||
                       send(fd, answer, (size_t)head + bytes, MSG_NOSIGNAL) < 0) {
                close(fd);
            }
        }
    }
}

static unsigned start_server(size_t bytes, pid_t *child)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    must(listener >= 0 && bind(listener, (struct sockaddr *)&a, len) == 0 &&
             listen(listener, 1024) == 0 && getsockname(listener, (struct sockaddr *)&a, &len) == 0,
         "listen");
    *child = fork();
    must(*child >= 0, "fork");
    if (*child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(listener, bytes);
    }
    close(listener);
    return ntohs(a.sin_port);
}

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void fetch_blocking(struct weft_net *net, const struct weft_request *q, unsigned pages)
{
    struct weft_client *c;
    struct weft_response r;
    must(weft_client_new(&c, net) == WEFT_OK, "client");
    weft_response_init(&r);
    for (unsigned i = 0; i < pages; i++) {
        must(weft_client_fetch(c, q, &r) == WEFT_OK && r.end == WEFT_FETCH_DONE, r.error);
    }
    weft_response_release(&r);
    weft_client_free(c);
}

static void fetch_at_once(struct weft_net *net, const struct weft_request *q, unsigned pages,
                          unsigned at_once)
{
    struct weft_loop *l;
    struct weft_response *r = calloc(at_once, sizeof *r);
    must(r && weft_loop_new(&l, net, at_once) == WEFT_OK, "loop");
    unsigned started = 0;
    for (; started < at_once; started++) {
        must(weft_loop_start(l, q, &r[started], &r[started]) == WEFT_OK, "start");
    }
    for (unsigned done = 0; done < pages; done++) {
        void *tag;
        must(weft_loop_next(l, WEFT_FOREVER, &tag) == WEFT_OK, "next");
        struct weft_response *one = tag;
        must(one->end == WEFT_FETCH_DONE, one->error);
        if (started < pages) {
            must(weft_loop_start(l, q, one, one) == WEFT_OK, "start");
            started++;
        }
    }
    for (unsigned i = 0; i < at_once; i++) {
        weft_response_release(&r[i]);
    }
    weft_loop_free(l);
    free(r);
}

static void run(bool loop, unsigned pages, unsigned at_once, size_t bytes)
{
    pid_t child;
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%u/p/1234.html", start_server(bytes, &child));
    struct weft_net *net;
    must(weft_net_new(&net, NULL) == WEFT_OK, "net");
    const struct weft_request q = {.url = url};
    double before = cpu_seconds();
    weft_time start = weft_now();
    if (loop) {
        fetch_at_once(net, &q, pages, at_once);
    } else {
        fetch_blocking(net, &q, pages);
    }
    printf("%-6s %4u at once  %6zu bytes  %6.1f us CPU a page  %6.1f us wall\n",
           loop ? "loop" : "client", at_once, bytes, (cpu_seconds() - before) * 1e6 / pages,
           (double)(weft_now() - start) / 1e3 / pages);
    must(weft_net_free(net) == WEFT_OK, "free");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    if (argc == 5) {
        run(strcmp(argv[1], "loop") == 0, (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]),
            (size_t)atol(argv[4]));
        return 0;
    }
    static const size_t sizes[] = {2048, 20480};
    for (int i = 0; i < 2; i++) {
        run(false, 10000, 1, sizes[i]);
        run(true, 10000, 1, sizes[i]);
        run(true, 10000, 16, sizes[i]);
        run(true, 10000, 64, sizes[i]);
    }
    return 0;
}
