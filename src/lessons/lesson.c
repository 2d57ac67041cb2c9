/* lesson.c -- the helper of all lessons: see lesson.h. */
#include "lesson.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIRRORS 16
#define SPANS   4096
#define WIDTH   60 /* columns of the drawing */

static char servers[MIRRORS][100]; /* "http://127.0.0.1:40123", set before any thread starts */
static unsigned nservers;
static pid_t child;
static struct weft_net *net;
static struct weft_client *clients[LESSON_LANES];  /* each touched by its worker alone */
static struct weft_response answers[LESSON_LANES]; /* likewise */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the drawing */
static struct span {
    unsigned lane;
    char mark;
    weft_time from, to;
} spans[SPANS];
static unsigned nspans;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "lesson: %s: %s\n", what, why);
    exit(1);
}

static void wrong_use(const char *what, const char *why)
{
    fprintf(stderr, "lesson: %s: %s\n", what, why);
    exit(2);
}

void lesson_need(enum weft_status st, const char *what)
{
    if (st != WEFT_OK) {
        fail(what, weft_strerror(st));
    }
}

/* ---- the command line ---- */

static void print_help(const char *name, const char *about, const struct lesson_knob *knobs)
{
    printf("%s\n\nUsage: %s [OPTIONS]\n", about, name);
    for (const struct lesson_knob *k = knobs; k->name; k++) {
        printf("  --%-12s N    %s (%ld)\n", k->name, k->help, *k->value);
    }
    printf("  --%-12s URL  a server that runs already (weft serve), instead of one of its own\n",
           "url");
    exit(fflush(stdout) == 0 ? 0 : 1);
}

static void set_knob(const struct lesson_knob *knobs, const char *name, const char *text)
{
    const struct lesson_knob *k = knobs;
    while (k->name && strcmp(k->name, name) != 0) {
        k++;
    }
    char *end;
    long value = strtol(text, &end, 10);
    if (!k->name) {
        wrong_use(name, "there is no such option; --help lists them");
    } else if (end == text || *end || value < k->min || value > k->max) {
        fprintf(stderr, "lesson: --%s takes a whole number from %ld to %ld\n", name, k->min,
                k->max);
        exit(2);
    }
    *k->value = value;
}

/* ---- the server ---- */

/* The folder that this program lies in, with what is given behind it, if there is such a file. */
static bool beside(char *out, const char *more)
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    while (n > 0 && out[n - 1] != '/') {
        n--;
    }
    if (n <= 0 || (size_t)n + strlen(more) >= PATH_MAX) {
        return false;
    }
    memcpy(out + n, more, strlen(more) + 1);
    return access(out, R_OK) == 0;
}

static void serve(int to, const char *const *more)
{
    static char weft[PATH_MAX], site[PATH_MAX];
    const char *args[16] = {"weft", "serve", "--quiet"};
    int n = 3;
    for (; more && *more && n < 14; more++) {
        args[n++] = *more;
    }
    if (beside(site, "../../../sample_site") || beside(site, "../../../../sample_site")) {
        args[n++] = site;
    }
    dup2(to, STDOUT_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* however the lesson ends, the server ends too */
    static const char *const places[] = {"../weft", "../../weft", "../../../bin/weft",
                                         "../../../../bin/weft"};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        if (beside(weft, places[i])) {
            execv(weft, (char *const *)args);
        }
    }
    execvp("weft", (char *const *)args);
    perror("lesson: weft serve");
    _exit(127);
}

/* Reads the lines "serving DIR on http://127.0.0.1:PORT/". */
static void start_server(const char *const *more, unsigned mirrors)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        fail("weft serve", "cannot be started");
    } else if (child == 0) {
        close(ends[0]);
        serve(ends[1], more);
    }
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    char line[PATH_MAX + 200], *at;
    while (f && nservers < mirrors && fgets(line, sizeof line, f)) {
        if ((at = strstr(line, " on http://")) != NULL) {
            at[strcspn(at, "\n")] = '\0';
            snprintf(servers[nservers++], sizeof *servers, "%.*s", (int)strlen(at + 4) - 1, at + 4);
        }
    }
    if (f) {
        fclose(f);
    }
    if (nservers < mirrors) {
        fail("weft serve", "did not start");
    }
}

void lesson_begin(int argc, char **argv, const char *about, const struct lesson_knob *knobs,
                  const char *const *serve_args)
{
    const char *url = NULL;
    unsigned mirrors = 1;
    for (int i = 1; i < argc; i += 2) {
        if (!strcmp(argv[i], "--help")) {
            print_help(argv[0], about, knobs);
        } else if (strncmp(argv[i], "--", 2) != 0 || i + 1 == argc) {
            wrong_use(argv[i], "options are --NAME VALUE; --help lists them");
        } else if (!strcmp(argv[i], "--url")) {
            url = argv[i + 1];
        } else {
            set_knob(knobs, argv[i] + 2, argv[i + 1]);
        }
    }
    for (const char *const *a = serve_args; a && a[0] && a[1]; a++) {
        mirrors = !strcmp(a[0], "--mirrors") ? (unsigned)atoi(a[1]) : mirrors;
    }
    if (url && mirrors > 1) {
        wrong_use("--url", "this lesson needs several ports and serves them itself");
    } else if (url) {
        size_t n = strlen(url);
        n -= n > 0 && url[n - 1] == '/';
        snprintf(servers[nservers++], sizeof *servers, "%.*s", (int)n, url);
    } else {
        start_server(serve_args, mirrors);
    }
    lesson_need(weft_net_new(&net, &(struct weft_net_options){0}), "weft_net_new");
    if (url) { /* what it has counted for others */
        lesson_reset_stats();
    }
    printf("%s\n\n", about);
}

int lesson_end(void)
{
    for (unsigned i = 0; i < LESSON_LANES; i++) {
        weft_client_free(clients[i]);
        weft_response_release(&answers[i]);
    }
    lesson_need(weft_net_free(net), "weft_net_free");
    if (child > 0) {
        kill(child, SIGTERM);
        waitpid(child, NULL, 0);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

void lesson_mirror_url(char url[LESSON_URL], unsigned mirror, const char *path, ...)
{
    va_list args;
    int n = snprintf(url, LESSON_URL, "%s", servers[mirror < nservers ? mirror : 0]);
    va_start(args, path);
    vsnprintf(url + n, LESSON_URL - (size_t)n, path, args);
    va_end(args);
}

void lesson_url(char url[LESSON_URL], const char *path, ...)
{
    va_list args;
    int n = snprintf(url, LESSON_URL, "%s", servers[0]);
    va_start(args, path);
    vsnprintf(url + n, LESSON_URL - (size_t)n, path, args);
    va_end(args);
}

/* ---- fetching ---- */

static int get(unsigned worker, const char *url)
{
    if (!clients[worker]) {
        lesson_need(weft_client_new(&clients[worker], net), "weft_client_new");
    }
    struct weft_request request = {.url = url};
    lesson_need(weft_client_fetch(clients[worker], &request, &answers[worker]), url);
    return answers[worker].status;
}

int lesson_fetch(unsigned worker, char mark, const char *url)
{
    weft_time from = weft_now();
    int status = get(worker, url);
    if (mark) {
        lesson_span(worker, mark, from, weft_now());
    }
    return status;
}

long lesson_stat(const char *name)
{
    char url[LESSON_URL], key[64];
    lesson_url(url, "/stats?format=json");
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = get(LESSON_LANES - 1, url) == 200 ? answers[LESSON_LANES - 1].body : NULL;
    at = at ? strstr(at, key) : NULL;
    if (!at) {
        fail(url, "is not what weft serve answers");
    }
    return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

void lesson_reset_stats(void)
{
    char url[LESSON_URL];
    lesson_url(url, "/reset-stats");
    get(LESSON_LANES - 1, url);
}

/* ---- drawing ---- */

char lesson_mark(long i)
{
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 52];
}

void lesson_span(unsigned lane, char mark, weft_time from, weft_time to)
{
    pthread_mutex_lock(&lock);
    if (nspans < SPANS && lane < LESSON_LANES) {
        spans[nspans++] = (struct span){lane, mark, from, to};
    }
    pthread_mutex_unlock(&lock);
}

/* The column of a time, when all of the drawing lasts from `from` to `to`. */
static int column(weft_time t, weft_time from, weft_time to)
{
    return to > from ? (int)((t - from) * WIDTH / (to - from)) : 0;
}

void lesson_draw(const char *lane)
{
    char rows[LESSON_LANES][WIDTH + 1];
    weft_time from = WEFT_FOREVER, to = 0;
    unsigned lanes = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nspans; i++) {
        from = spans[i].from < from ? spans[i].from : from;
        to = spans[i].to > to ? spans[i].to : to;
        lanes = spans[i].lane >= lanes ? spans[i].lane + 1 : lanes;
    }
    memset(rows, ' ', sizeof rows);
    for (unsigned i = 0; i < 2 * nspans; i++) { /* what is less than a column wide comes on top */
        const struct span *s = &spans[i % nspans];
        int a = column(s->from, from, to), b = column(s->to, from, to);
        a = a < WIDTH ? a : WIDTH - 1;
        if ((b > a) == (i < nspans)) {
            memset(&rows[s->lane][a], s->mark, b > a ? (size_t)(b - a) : 1);
        }
    }
    nspans = 0;
    pthread_mutex_unlock(&lock);
    for (unsigned l = 0; l < lanes; l++) {
        printf("  %s %-2u |%.*s|\n", lane, l, WIDTH, rows[l]);
    }
    if (lanes) {
        printf("  %*s 0 ms %*lld ms\n\n", (int)strlen(lane) + 3, "", WIDTH - 8,
               (long long)((to - from) / WEFT_MS));
    }
}
