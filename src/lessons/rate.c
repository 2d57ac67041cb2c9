/* rate.c -- lesson: concurrency is not a rate; a token bucket is.
 *
 * One request at a time can still be thousands a second, if the server is fast. A bucket holds
 * tokens; each request takes one; so many a second are added, and more than `burst` never fit. */
#include "lesson.h"
#include <stdio.h>
#include <time.h>

static long requests = 30, rate = 20, burst = 2;
static const struct lesson_knob knobs[] = {
    {"requests", &requests, 1, 1000, "pages to fetch"},
    {"rate", &rate, 1, 1000, "tokens a second; the server allows as many, and a burst of 5"},
    {"burst", &burst, 1, 100, "tokens that the bucket holds"},
    {0},
};

/* The tokens in it are (now - empty_since) * rate: no thread has to fill it. */
struct bucket {
    weft_time empty_since;
};

static void sleep_until(weft_time t)
{
    struct timespec until = {t / WEFT_SECOND, t % WEFT_SECOND};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
    }
}

static void take(struct bucket *b)
{
    weft_time one = WEFT_SECOND / rate, now = weft_now();
    if (b->empty_since < now - burst * one) { /* what overflows is lost */
        b->empty_since = now - burst * one;
    }
    b->empty_since += one;
    if (b->empty_since > now) {
        sleep_until(b->empty_since);
    }
}

static void run(unsigned lane, const char *name, struct bucket *b)
{
    char url[LESSON_URL];
    long fine = 0, refused = 0;
    weft_time from = weft_now();
    for (long i = 0; i < requests; i++) {
        if (b) {
            take(b);
        }
        lesson_url(url, "/limited/%ld?rate=%ld&burst=5&key=%u", i, rate, lane);
        weft_time start = weft_now();
        int status = lesson_fetch(lane, 0, url);
        lesson_span(lane, status == 200 ? 'O' : 'X', start, weft_now());
        fine += status == 200;
        refused += status == 429;
    }
    double seconds = (double)(weft_now() - from) / (double)WEFT_SECOND;
    printf("%-15s fetched %ld, refused %ld, %.0f requests a second\n", name, fine, refused,
           (double)requests / seconds);
}

int main(int argc, char **argv)
{
    struct bucket b = {0};
    lesson_begin(argc, argv, "A token bucket: O an answer, X a refusal (429).", knobs, NULL);
    run(0, "one at a time:", NULL);
    run(1, "with a bucket:", &b);
    printf("the server saw at most %ld at once, and refused %ld\n\n", lesson_stat("in_flight_peak"),
           lesson_stat("status_429"));
    lesson_draw("way");
    return lesson_end();
}
