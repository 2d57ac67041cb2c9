/* cmd_lesson.c -- weft lesson: lists the lessons, or runs one.
 *
 * Lessons are programs of their own (src/lessons), which see nothing but the public library. This
 * command knows their names, and where they lie: beside the program in the build tree, or in
 * libexec/weft/lessons where weft is installed. */
#include "cli/command.h"
#include "cli/console.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct lesson {
    const char *name;
    const char *idea;
    unsigned minutes;
};

/* In the order of the path. */
static const struct lesson lessons[] = {
    {"sequential", "a breadth-first crawl, one page after another", 20},
    {"pool", "a pool of threads: submit to free slots, take what is done first", 25},
    {"events", "an event loop: many fetches at once on one thread", 20},
    {"compare", "one after another, threads, event loop: the same site", 15},
    {"queue", "a queue, workers and join: why done must be told on every path", 20},
    {"timeout", "connect, read, whole, and waiting for a slot", 15},
    {"retry", "what is worth another try, and how long to wait for it", 15},
    {"semaphore", "at most so many at once, and what that does not limit", 15},
    {"cancellation", "a job that waits, one that listens, one that does not", 15},
    {"failures", "failures as values: one broken URL must not lose the batch", 10},
    {"bulkhead", "two limits that block each other, and a coordinator that knows hosts", 20},
    {"race", "the first answer of several mirrors wins, the rest stops", 10},
    {"rate", "concurrency is not a rate; a token bucket is", 15},
    {"blocking", "what blocks the loop blocks every fetch; hand it to the executor", 15},
    {"memory", "many fetchers, one slow writer, and a queue that is bounded", 15},
    {"steps/1-sequential", "the crawler in steps: one page after another", 10},
    {"steps/2-executor", "... with an executor and futures", 15},
    {"steps/3-engine", "... with the engine pulled out", 10},
    {"steps/4-events", "... with an event loop as the engine", 10},
    {NULL, NULL, 0},
};

static bool is_lesson(const char *name)
{
    const struct lesson *l = lessons;
    while (l->name && strcmp(l->name, name) != 0) {
        l++;
    }
    return l->name != NULL;
}

static int list(void)
{
    for (const struct lesson *l = lessons; l->name; l++) {
        printf("%-18s  %2u min  %s\n", l->name, l->minutes, l->idea);
    }
    printf("\nRun one: weft lesson NAME [OPTIONS]; its knobs: weft lesson NAME --help\n");
    return cli_flush_stdout();
}

/* Becomes the program PREFIX/libexec/weft/lessons/NAME, or BUILD/lessons/NAME. Returns if neither
 * can be run. */
static void become(const char *name, char **argv)
{
    static const char *const places[] = {"lessons/", "../libexec/weft/lessons/"};
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    for (unsigned i = 0; i < 2 && n > 0; i++) {
        int len = snprintf(path + n, sizeof path - (size_t)n, "%s%s", places[i], name);
        if (len > 0 && (size_t)len < sizeof path - (size_t)n) {
            execv(path, argv);
        }
    }
}

int cmd_lesson(const struct cli_command *self, int argc, char **argv)
{
    /* What stands behind the name is the lesson's own. */
    if (argc > 2 && is_lesson(argv[2])) {
        become(argv[2], argv + 2);
        cli_say("lesson %s: %s", argv[2], strerror(errno));
        return CLI_OUTPUT;
    }
    struct cli_args args;
    int code;
    bool go_on = cli_begin(self, argc, argv, NULL, &args, &code);
    if (go_on && args.count) {
        cli_say("lesson: there is no lesson '%s'; weft lesson lists them", args.items[0]);
        code = CLI_USAGE;
    } else if (go_on) {
        code = list();
    }
    cli_args_release(&args);
    return code;
}
