/* lab_client.h -- a client of sockets for the lab's tests: sends exactly the bytes it is given.
 * Everything that goes wrong on this side ends the test. */
#ifndef WEFT_TEST_LAB_CLIENT_H
#define WEFT_TEST_LAB_CLIENT_H

#include "lab/lab.h"
#include <stdbool.h>
#include <stddef.h>

struct answer {
    int status;      /* 0: the connection ended without one */
    bool reset;      /* it ended with a TCP reset */
    char head[4096]; /* status line and header fields */
    char *body;      /* NUL-terminated; chunked coding is left in */
    size_t len;
};

/* Starts a server with these options (NULL: the defaults). */
struct weft_lab *lab_with(const struct weft_lab_options *o);
/* Opens a connection to the first port. */
int dial(const struct weft_lab *l);
int dial_port(uint16_t port);
/* Sends text. */
void say(int fd, const char *text);
/* Reads one answer up to the end of the connection. release() it. */
struct answer hear(int fd);
/* Reads exactly one answer with a Content-Length from a connection that stays open. */
struct answer hear_one(int fd);
void release(struct answer *a);
/* One request for target on a connection of its own. */
struct answer get(const struct weft_lab *l, const char *target);
/* The same with more header fields, each ended by "\r\n"; the Host field must be among them. */
struct answer get_with(const struct weft_lab *l, const char *target, const char *fields);
/* The status alone. */
int status_of(const struct weft_lab *l, const char *target);
/* The value of a field of a's head in buf; "" if it is not there. */
const char *field(const struct answer *a, const char *name, char *buf, size_t cap);
/* Waits until so many requests are in flight; fails the test after a long while. */
void await_in_flight(struct weft_lab *l, unsigned n);
/* Waits until so many connections are open. */
void await_open(struct weft_lab *l, unsigned n);

#endif
