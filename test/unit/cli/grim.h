/* grim.h -- a server for tests that does one thing to everybody: the same refusal, a reset, or
 * nothing at all. One thread, loopback, any free port. Knows sockets; knows nothing of HTTP beyond
 * where a request ends. */
#ifndef WEFT_TEST_GRIM_H
#define WEFT_TEST_GRIM_H

#include <stdatomic.h>
#include <stdbool.h>

enum grim_mood {
    GRIM_ANSWERS,  /* `answer`, then the connection is closed */
    GRIM_RESETS,   /* a TCP reset once the request is there */
    GRIM_TIRES,    /* `answer` to the first request of a connection, a reset for the second */
    GRIM_IS_SILENT /* until grim_answer(), if ever */
};

struct grim {
    char url[64]; /* "http://127.0.0.1:PORT", without a slash at the end */
    atomic_uint requests;
    void *inside;
};

/* answer: the whole answer as it goes over the wire; NULL if there is never one. Asserts. */
void grim_start(struct grim *g, enum grim_mood mood, const char *answer);
/* From now on it answers, those too who have been waiting. */
void grim_answer(struct grim *g);
void grim_stop(struct grim *g);

#endif
