/* server.h -- a tiny scripted TCP server: each connection is played by a function, in a thread.
 *
 * The function reads requests, sends whatever bytes it likes, waits at gates that the test opens,
 * closes or resets. Everything that arrives and leaves is kept, so that a test can compare. */
#ifndef WEFT_TEST_NET_SERVER_H
#define WEFT_TEST_NET_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#define SERVER_GATES 8

struct server;

/* One connection, as the playing function sees it. */
struct peer {
    struct server *server;
    int fd;
    unsigned number;     /* of the connection, from 0 */
    const void *user;    /* as given to server_start */
    char request[32768]; /* the last request, header only */
    size_t request_len;
    char path[1024]; /* its target */
};

typedef void server_play_fn(struct peer *p);

/* Listens on 127.0.0.1 (or ::1), port 0. Fails the test if it can't. */
struct server *server_start(server_play_fn *play, const void *user);
struct server *server_start_on(const char *address, server_play_fn *play, const void *user);
/* Opens all gates, breaks all connections, joins all threads. */
void server_stop(struct server *s);

unsigned server_port(const struct server *s);
/* "http://127.0.0.1:PORT" and path; lives in one of a few static buffers. */
const char *server_url(const struct server *s, const char *path);
/* Connections accepted, requests read so far. */
unsigned server_connections(struct server *s);
unsigned server_requests(struct server *s);
/* A copy of every byte received and sent so far, NUL-terminated; to free(). */
char *server_received(struct server *s, size_t *len);
char *server_sent(struct server *s, size_t *len);

/* Test: lets those through that wait at the gate. Player: waits for it. */
void server_open(struct server *s, unsigned gate);
void peer_gate(struct peer *p, unsigned gate);
/* Player: says that it has come so far; test: waits for it. */
void peer_reached(struct peer *p, unsigned mark);
void server_await(struct server *s, unsigned mark);

/* Waits for so long: for what the client must take for slowness. */
void peer_pause(struct peer *p, unsigned ms);

/* Reads one request up to its empty line. False: the client closed. */
bool peer_read(struct peer *p);
/* Waits until the client closes (what it sends meanwhile is dropped). */
void peer_read_to_end(struct peer *p);
/* Sends bytes; false when the client is gone. */
bool peer_send(struct peer *p, const void *bytes, size_t len);
bool peer_puts(struct peer *p, const char *text);
/* Sends this byte until the client is gone. */
void peer_flood(struct peer *p, char byte);
/* A complete answer: status line rest ("200 OK"), further header lines or "", body. */
bool peer_answer(struct peer *p, const char *status, const char *headers, const char *body);
/* Ends the connection with a reset instead of an orderly close. */
void peer_reset(struct peer *p);

#endif
