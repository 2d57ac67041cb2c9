/* compare_run.c -- one crawl in a process of its own, so that nothing of one run is left for the
 * next: no warm memory, no open connections, and memory and processor time are its alone. */
#include "cli/compare.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS 40
#define GRACE          (3 * WEFT_SECOND) /* after its own limit, before it is killed */

struct command {
    char *argv[MOST_ARGUMENTS];
    int argc;
    char text[8 * 1024 + 2 * PATH_MAX]; /* where the arguments lie */
    size_t used;
};

/* Adds an argument. There is room for all that this file adds: a URL is at most 8000 bytes. */
static void add(struct command *c, const char *fmt, ...) WEFT_PRINTF(2, 3);
static void add(struct command *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(c->text + c->used, sizeof c->text - c->used, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof c->text - c->used && c->argc < MOST_ARGUMENTS - 1) {
        c->argv[c->argc++] = c->text + c->used;
        c->used += (size_t)n + 1;
    }
}

static double in_seconds(weft_time t)
{
    return (double)t / (double)WEFT_SECOND;
}

static void make_command(struct command *c, const struct compare_plan *p,
                         const struct compare_row *row, unsigned extras)
{
    static const char *const engines[COMPARE_NWAYS] = {"sync", "threads", "events", "events"};
    *c = (struct command){0};
    add(c, "weft");
    add(c, "crawl");
    add(c, "--quiet");
    add(c, "--engine=%s", engines[row->way]);
    add(c, "--jobs=%u", row->jobs);
    if (row->way == COMPARE_PARSE) {
        add(c, "--parse-jobs=%u", row->parse_jobs);
    }
    if (p->far) {
        add(c, "--per-host=%u", row->jobs);
    }
    if (p->has_delay) {
        add(c, "--delay=%.6f", in_seconds(p->delay));
    }
    if (p->has_depth) {
        add(c, "--max-depth=%u", p->max_depth);
    }
    if (p->max_pages) {
        add(c, "--max-pages=%llu", (unsigned long long)p->max_pages);
    }
    add(c, "--retries=0"); /* an error is to be seen, not mended */
    add(c, "--host-failures=0");
    add(c, "--max-time=%.3f", in_seconds(p->run_time));
    add(c, "--grace=1");
    add(c, "--overwrite");
    add(c, "--summary-json=%s/summary.json", p->folder);
    if (extras & COMPARE_TRACE) {
        add(c, "--trace=%s/trace.json", p->folder);
    }
    if (extras & COMPARE_PAGES) {
        add(c, "--output=%s/pages.jsonl", p->folder);
    }
    add(c, "--");
    add(c, "%s", p->url);
}

/* In the child: only what is allowed between fork and exec. */
static void become(char *const *argv, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no crawl goes on by itself */
    if (getppid() != parent) {
        _exit(127);
    }
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    execv("/proc/self/exe", argv);
    _exit(127);
}

static weft_time now_or(weft_time until)
{
    weft_time left = until - weft_now();
    return left > 0 ? left : 0;
}

/* Waits for the child, or for its time or the comparison to be over: then it is told to end, and
 * if it does not, made to. *stopped: the comparison is to end. */
static enum weft_status await(const struct compare_plan *p, pid_t child, bool *stopped, int *status,
                              struct rusage *used)
{
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd watched[2] = {{.fd = fd, .events = POLLIN}, {.fd = p->stop_fd, .events = POLLIN}};
    weft_time until = weft_now() + p->run_time + GRACE;
    int signal = SIGTERM;
    while (fd >= 0) {
        int n = poll(watched, 2, (int)(now_or(until) / WEFT_MS) + 1);
        if (watched[0].revents || (n < 0 && errno != EINTR)) {
            break;
        }
        if (n == 0 || watched[1].revents) {
            *stopped = *stopped || watched[1].revents;
            watched[1].fd = -1;
            kill(child, signal);
            signal = SIGKILL;
            until = weft_now() + GRACE;
        }
    }
    if (fd < 0) {
        kill(child, SIGKILL);
    } else {
        close(fd);
    }
    while (wait4(child, status, 0, used) < 0) {
        if (errno != EINTR) {
            return WEFT_EIO;
        }
    }
    return fd < 0 ? WEFT_EIO : WEFT_OK;
}

static uint64_t sum(const json_t *counts)
{
    const char *name;
    json_t *value;
    uint64_t n = 0;
    json_object_foreach((json_t *)counts, name, value)
    {
        n += (uint64_t)json_integer_value(value);
    }
    return n;
}

/* What the child wrote. false: nothing that can be read. */
static bool read_summary(const char *path, struct compare_row *row)
{
    json_t *o = json_load_file(path, 0, NULL);
    const char *ended = json_string_value(json_object_get(o, "ended"));
    if (!ended) {
        json_decref(o);
        return false;
    }
    row->pages = (uint64_t)json_integer_value(json_object_get(o, "fetched"));
    row->errors = sum(json_object_get(o, "failed"));
    row->bytes = (uint64_t)json_integer_value(json_object_get(o, "bytes"));
    row->connections = (uint64_t)json_integer_value(json_object_get(o, "connections"));
    row->wall = json_number_value(json_object_get(o, "elapsed_s"));
    row->rss_kib = (long)json_integer_value(json_object_get(o, "peak_rss_kib"));
    row->threads = (long)json_integer_value(json_object_get(o, "threads"));
    bool whole = !strcmp(ended, "finished") || !strcmp(ended, "max_pages");
    row->end = whole ? COMPARE_DONE : COMPARE_CUT;
    json_decref(o);
    return true;
}

static double cpu_of(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

enum weft_status compare_run(const struct compare_plan *plan, struct compare_row *row,
                             unsigned extras)
{
    char path[PATH_MAX];
    bool stopped = false;
    int status = 0;
    struct rusage used = {0};
    struct command *c = malloc(sizeof *c);
    if (!c) {
        return WEFT_ENOMEM;
    }
    make_command(c, plan, row, extras);
    snprintf(path, sizeof path, "%s/summary.json", plan->folder);
    unlink(path);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        become(c->argv, parent);
    }
    free(c);
    enum weft_status st = child < 0 ? WEFT_EIO : await(plan, child, &stopped, &status, &used);
    if (st != WEFT_OK) {
        return st;
    }
    row->cpu = cpu_of(&used);
    if (stopped) {
        row->end = COMPARE_STOPPED;
    } else if (!read_summary(path, row)) {
        row->end = COMPARE_BROKEN;
        if (WIFSIGNALED(status)) {
            snprintf(row->said, sizeof row->said, "ended by signal %d", WTERMSIG(status));
        } else {
            snprintf(row->said, sizeof row->said, "ended with code %d", WEXITSTATUS(status));
        }
    }
    return WEFT_OK;
}
