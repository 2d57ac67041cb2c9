/* lesson.h -- what every lesson needs and no lesson is about: knobs on the command line, a server
 * to talk to, a drawing of what happened.
 *
 * A mistake ends the program with a sentence, so lessons need not carry errors around. Knows the
 * public library only. Threads: the main one, unless a function says otherwise. */
#ifndef WEFT_LESSONS_LESSON_H
#define WEFT_LESSONS_LESSON_H

#include "weft/clock.h"
#include "weft/fetch.h"
#include "weft/status.h"

#define LESSON_URL   256u /* room for a URL */
#define LESSON_LANES 64u  /* lanes of the drawing, and workers that fetch */

/* A whole number that can be set as --name N. */
struct lesson_knob {
    const char *name; /* NULL ends a list */
    long *value;      /* holds the default */
    long min, max;
    const char *help;
};

/* Reads the command line. Starts `weft serve` as a child, with more arguments of its own
 * (serve_args, NULL-terminated; NULL: none), unless --url names a server. Call it first, while
 * there is one thread. */
void lesson_begin(int argc, char **argv, const char *about, const struct lesson_knob *knobs,
                  const char *const *serve_args);
/* Stops the server; gives what main() is to return. */
int lesson_end(void);

/* Ends the program with a sentence unless st is WEFT_OK. Threads: any. */
void lesson_need(enum weft_status st, const char *what);

/* Writes the server's address and the path behind it into url. Threads: any. */
void lesson_url(char url[LESSON_URL], const char *path, ...) WEFT_PRINTF(2, 3);
/* The same for the server's second port and so on (--mirrors of weft serve); 0 is the first. */
void lesson_mirror_url(char url[LESSON_URL], unsigned mirror, const char *path, ...)
    WEFT_PRINTF(3, 4);
/* A counter of the server's /stats: "in_flight_peak", "requests", "status_429"... */
long lesson_stat(const char *name);
/* Sets the server's counters to zero. */
void lesson_reset_stats(void);

/* Fetches url and draws it as mark (0: does not) in the worker's lane. Each worker has a client of
 * its own, as a client belongs to one thread at a time. Gives the HTTP status; 0: there was no
 * answer. Threads: any, one at a time per worker. Blocks. */
int lesson_fetch(unsigned worker, char mark, const char *url);

/* Draws mark in a lane, from one time to another. Threads: any. */
void lesson_span(unsigned lane, char mark, weft_time from, weft_time to);
/* Prints what was drawn, one line a lane ("worker 0 |aaabbb  |"), and forgets it. */
void lesson_draw(const char *lane);
/* 'a' to 'z', 'A' to 'Z', and again. */
char lesson_mark(long i);

#endif
