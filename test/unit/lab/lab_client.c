/* lab_client.c -- see lab_client.h. */
#include "lab_client.h"

#include "support/suite.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_MS 60000

struct weft_lab *lab_with(const struct weft_lab_options *o)
{
    static const struct weft_lab_options defaults;
    struct weft_lab *l;
    char error[256];
    enum weft_status st = weft_lab_start(&l, o ? o : &defaults, error, sizeof error);
    ck_assert_msg(st == WEFT_OK, "%s", error);
    return l;
}

int dial_port(uint16_t port)
{
    struct sockaddr_in a = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
    return fd;
}

int dial(const struct weft_lab *l)
{
    return dial_port(weft_lab_port(l, 0));
}

void say(int fd, const char *text)
{
    size_t len = strlen(text);
    ck_assert_int_eq(send(fd, text, len, MSG_NOSIGNAL), (ssize_t)len);
}

/* Reads more into a->body (everything for now): false at the end of the connection. */
static bool read_more(int fd, struct answer *a)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    ck_assert_int_eq(poll(&p, 1, PATIENCE_MS), 1);
    a->body = realloc(a->body, a->len + 65537);
    ck_assert_ptr_nonnull(a->body);
    ssize_t n = recv(fd, a->body + a->len, 65536, 0);
    ck_assert(n >= 0 || errno == ECONNRESET);
    a->reset = n < 0;
    a->len += n > 0 ? (size_t)n : 0;
    a->body[a->len] = '\0';
    return n > 0;
}

/* Moves the head out of a->body once it is whole. */
static bool split(struct answer *a)
{
    char *end = a->body ? strstr(a->body, "\r\n\r\n") : NULL;
    if (!end) {
        return false;
    }
    size_t head = (size_t)(end - a->body) + 4;
    ck_assert_uint_lt(head, sizeof a->head);
    memcpy(a->head, a->body, head);
    a->head[head] = '\0';
    a->len -= head;
    memmove(a->body, a->body + head, a->len + 1);
    ck_assert_int_eq(sscanf(a->head, "HTTP/1.%*1[01] %d", &a->status), 1);
    return true;
}

struct answer hear(int fd)
{
    struct answer a = {0};
    while (read_more(fd, &a)) {
    }
    split(&a);
    return a;
}

struct answer hear_one(int fd)
{
    struct answer a = {0};
    char length[32];
    while (!split(&a)) {
        ck_assert(read_more(fd, &a));
    }
    size_t want = strtoul(field(&a, "Content-Length", length, sizeof length), NULL, 10);
    while (a.len < want) {
        ck_assert(read_more(fd, &a));
    }
    ck_assert_uint_eq(a.len, want);
    return a;
}

void release(struct answer *a)
{
    free(a->body);
    a->body = NULL;
}

struct answer get_with(const struct weft_lab *l, const char *target, const char *fields)
{
    char request[20000];
    int n = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n%sConnection: close\r\n\r\n",
                     target, fields);
    ck_assert_int_lt(n, (int)sizeof request);
    int fd = dial(l);
    say(fd, request);
    struct answer a = hear(fd);
    close(fd);
    return a;
}

struct answer get(const struct weft_lab *l, const char *target)
{
    return get_with(l, target, "Host: localhost\r\n");
}

int status_of(const struct weft_lab *l, const char *target)
{
    struct answer a = get(l, target);
    release(&a);
    return a.status;
}

const char *field(const struct answer *a, const char *name, char *buf, size_t cap)
{
    size_t n = strlen(name);
    buf[0] = '\0';
    for (const char *line = a->head; (line = strstr(line, "\r\n"));) {
        line += 2;
        if (strncasecmp(line, name, n) == 0 && line[n] == ':') {
            const char *value = line + n + 1 + strspn(line + n + 1, " ");
            snprintf(buf, cap, "%.*s", (int)strcspn(value, "\r"), value);
            break;
        }
    }
    return buf;
}

/* Looks again and again, for a minute at most: the state asked for is reached in any case, unless
 * something is broken. */
#define AWAIT(l, condition)                                                                        \
    do {                                                                                           \
        struct weft_lab_stats s;                                                                   \
        weft_time until = weft_in_ms(PATIENCE_MS);                                                 \
        for (;;) {                                                                                 \
            weft_lab_get_stats(l, &s);                                                             \
            if (condition) {                                                                       \
                break;                                                                             \
            }                                                                                      \
            ck_assert_msg(weft_now() < until, "waited in vain for " #condition);                   \
            poll(NULL, 0, 1);                                                                      \
        }                                                                                          \
    } while (0)

void await_in_flight(struct weft_lab *l, unsigned n)
{
    AWAIT(l, s.in_flight == n);
}

void await_open(struct weft_lab *l, unsigned n)
{
    AWAIT(l, s.open == n);
}
