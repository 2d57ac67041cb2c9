/* bench_state.c -- what a crawl with a state file costs when it knows millions of URLs.
 *
 * No network: a fetch function makes pages of 100 new links each, so that a few pages make very
 * many URLs known. Prints how the resident memory grows with them, then goes on from the file and
 * prints how long it takes until the next page. Usage: bench_state [URLS]; 200000 unless given. */
#include "weft/crawl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FAN 100

struct bench {
    uint64_t pages;
    weft_time began;
    uint64_t told;
};

static double resident_mib(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%ld %ld", &pages, &resident) != 2) {
            resident = 0;
        }
        fclose(f);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

/* Page N links to N * FAN + 1 and the FAN - 1 behind it. */
static void fetch(void *context, const struct weft_request *request, struct weft_response *response,
                  const struct weft_stop *stop)
{
    static const char type[] = "text/html";
    char text[128];
    const char *name = strrchr(request->url, '/');
    uint64_t n = name ? strtoull(name + 1, NULL, 10) : 0;
    enum weft_status st = weft_response_set(response, &response->content_type, type,
                                            sizeof type - 1);
    (void)context;
    (void)stop;
    for (uint64_t i = 1; st == WEFT_OK && i <= FAN; i++) {
        int len = snprintf(text, sizeof text, "<a href=\"/some/longer/path/to/page/%llu\">x</a>",
                           (unsigned long long)n * FAN + i);
        st = weft_response_append(response, text, (size_t)len);
    }
    response->status = 200;
    response->end = st == WEFT_OK ? WEFT_FETCH_DONE : WEFT_FETCH_FAILED;
}

static void on_record(void *user, const struct weft_record *record)
{
    struct bench *b = user;
    (void)record;
    b->pages++;
    if (b->pages * FAN >= b->told * 2 || b->pages == 1) {
        b->told = b->pages * FAN;
        printf("  %9llu known: %7.1f MiB resident, %6.1f s\n", (unsigned long long)b->told,
               resident_mib(), (double)(weft_now() - b->began) / (double)WEFT_SECOND);
        fflush(stdout);
    }
}

static int crawl(struct bench *b, const char *path, uint64_t pages)
{
    const struct weft_crawl_options o = {.engine = WEFT_ENGINE_SYNC,
                                         .ignore_robots = true,
                                         .has_delay = true,
                                         .max_pages = pages,
                                         .state_file = path,
                                         .user = b,
                                         .on_record = on_record,
                                         .fetch = fetch};
    struct weft_crawl *c;
    struct weft_crawl_report r;
    char error[512];
    static const char seed[] = "http://127.0.0.1/some/longer/path/to/page/0";
    b->began = weft_now();
    if (weft_crawl_new(&c, &o, error, sizeof error) != WEFT_OK) {
        printf("can't begin: %s\n", error);
        return 1;
    }
    int failed = weft_crawl_add(c, seed, sizeof seed - 1) != WEFT_OK ||
                 weft_crawl_run(c, &r) != WEFT_OK;
    if (!failed) {
        double seconds = (double)(weft_now() - b->began) / (double)WEFT_SECOND;
        struct rusage u;
        getrusage(RUSAGE_SELF, &u);
        printf("  %llu pages, %llu URLs wait: %.1f MiB resident, at most %.1f, %.1f s\n",
               (unsigned long long)r.fetched, (unsigned long long)r.left, resident_mib(),
               (double)u.ru_maxrss / 1024.0, seconds);
    }
    weft_crawl_free(c);
    return failed;
}

int main(int argc, char **argv)
{
    uint64_t urls = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
    char folder[] = "/var/tmp/weft-known-XXXXXX", path[64], beside[80];
    if (!mkdtemp(folder)) {
        perror("mkdtemp");
        return 1;
    }
    snprintf(path, sizeof path, "%s/s.db", folder);
    struct bench b = {0};
    printf("a crawl with a state file, until it knows %llu URLs\n", (unsigned long long)urls);
    int failed = crawl(&b, path, urls / FAN);
    if (!failed) {
        struct bench again = {.told = UINT64_MAX / 2};
        FILE *f = fopen(path, "rb");
        if (f && fseek(f, 0, SEEK_END) == 0) {
            printf("  the file: %.1f MiB\n", (double)ftell(f) / 1048576.0);
        }
        if (f) {
            fclose(f);
        }
        printf("going on with it, for one page\n");
        failed = crawl(&again, path, 1);
    }
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, ends[i]);
        unlink(beside);
    }
    rmdir(folder);
    return failed;
}
