/* promises.c -- weft's answers to the random scripts of promises.py, in the same words. */
#include "weft/completion_queue.h"
#include "weft/promise.h"
#include "weft/wait.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROMISES 4

static struct weft_future *promises[PROMISES];

static void require(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "promises: %s\n", what);
        exit(1);
    }
}

static void renew(void)
{
    for (int i = 0; i < PROMISES; i++) {
        weft_future_release(promises[i]);
        require(weft_promise_new(&promises[i], NULL) == WEFT_OK, "no memory");
    }
}

/* What a future's result is, as text that lives until the next call. */
static const char *outcome(struct weft_future *f)
{
    static char text[64];
    struct weft_result r;
    switch (weft_future_result(f, WEFT_POLL, &r)) {
    case WEFT_OK:
        if (r.err == 0) {
            snprintf(text, sizeof text, "value %d", (int)(intptr_t)r.value);
        } else {
            snprintf(text, sizeof text, "failed %d", r.err);
        }
        return text;
    case WEFT_ECANCELED:
        return "cancelled";
    case WEFT_ETIMEDOUT:
        return "timed out";
    default:
        return "?";
    }
}

static const char *started(enum weft_status st, const char *word)
{
    return st == WEFT_OK ? word : st == WEFT_ECANCELED ? "cancelled" : "refused";
}

static void called(struct weft_future *f, void *tag)
{
    printf("called %d %s\n", (int)(intptr_t)tag, outcome(f));
}

/* Those promises whose bit is set. */
static size_t choose(int bits, struct weft_future *chosen[PROMISES])
{
    size_t n = 0;
    for (int i = 0; i < PROMISES; i++) {
        if (bits >> i & 1) {
            chosen[n++] = promises[i];
        }
    }
    return n;
}

static void answer_wait(int bits, const char *mode)
{
    struct weft_future *chosen[PROMISES];
    size_t ndone, n = choose(bits, chosen);
    weft_wait(chosen, n, WEFT_POLL,
              strcmp(mode, "first") == 0       ? WEFT_FIRST_COMPLETED
              : strcmp(mode, "exception") == 0 ? WEFT_FIRST_EXCEPTION
                                               : WEFT_ALL_COMPLETED,
              &ndone);
    printf("wait %zu done\n", ndone);
}

static void answer_queue(int bits)
{
    struct weft_future *chosen[PROMISES], *f;
    struct weft_completion_queue *q;
    size_t taken = 0, n = choose(bits, chosen);
    enum weft_status st = weft_completion_queue_new(&q);
    require(st == WEFT_OK, "no memory");
    for (size_t i = 0; i < n; i++) {
        require(weft_completion_queue_add(q, chosen[i], NULL) == WEFT_OK, "no memory");
    }
    while ((st = weft_completion_queue_next(q, WEFT_POLL, &f, NULL)) == WEFT_OK) {
        weft_future_release(f);
        taken++;
    }
    printf("queue took %zu, %s\n", taken, st == WEFT_END ? "end" : "timed out");
    weft_completion_queue_free(q);
}

static void answer(const char *kind, int i, const char *rest)
{
    struct weft_future *f = promises[i % PROMISES];
    void *number = (void *)(intptr_t)atoi(rest);
    if (strcmp(kind, "start") == 0) {
        printf("start %s\n", started(weft_promise_start(f), "started"));
    } else if (strcmp(kind, "finish") == 0) {
        printf("finish %s\n", started(weft_promise_finish(f, 0, number), "finished"));
    } else if (strcmp(kind, "fail") == 0) {
        printf("fail %s\n", started(weft_promise_finish(f, atoi(rest), NULL), "finished"));
    } else if (strcmp(kind, "cancel") == 0) {
        printf("cancel %s\n", weft_future_cancel(f) == WEFT_OK ? "cancelled" : "not");
    } else if (strcmp(kind, "result") == 0) {
        printf("result %s\n", outcome(f));
    } else if (strcmp(kind, "state") == 0) {
        printf("state done %d running %d cancelled %d\n", weft_future_done(f),
               weft_future_running(f), weft_future_cancelled(f));
    } else if (strcmp(kind, "callback") == 0) {
        require(weft_future_add_done_callback(f, called, number) == WEFT_OK, "no memory");
        puts("callback added");
    } else if (strcmp(kind, "wait") == 0) {
        answer_wait(i, rest);
    } else if (strcmp(kind, "queue") == 0) {
        answer_queue(i);
    } else {
        require(false, kind);
    }
}

int main(void)
{
    char line[128], kind[16], rest[16];
    int i;
    renew();
    while (fgets(line, sizeof line, stdin)) {
        rest[0] = '\0';
        if (sscanf(line, "%15s %d %15s", kind, &i, rest) >= 2) {
            answer(kind, i, rest);
        } else {
            renew();
            puts("new");
        }
    }
    for (i = 0; i < PROMISES; i++) {
        weft_future_release(promises[i]);
    }
    return 0;
}
